//! Docusaurus: a folder with `docusaurus.config.js`, whose pages are below `docs/`, or that folder of pages itself.
//! Sidebars and `_category_` files give titles and the order; number prefixes (`01-intro.md`) and `slug` decide where a
//! page is on the web. A sidebar that a script computes cannot be read; its pages keep their own titles. Pages that no
//! sidebar lists are in the order in which Docusaurus makes a sidebar of a folder: by `position`, prefix and name.
use super::{
    Addresses, Navigation, load,
    places::{Place, Position},
};
use crate::{
    ingest::{folder::Found, frontmatter::Frontmatter},
    tree::usual_address,
};
use serde_json::Value;
use std::{
    collections::{BTreeSet, HashMap},
    path::Path,
};

const EXTENSIONS: [&str; 4] = ["js", "ts", "cjs", "mjs"];

/// Where Docusaurus's pages are below the folder: empty, or with a slash at the end.
#[derive(Default)]
pub(super) struct Docusaurus {
    docs: &'static str,
    /// What `_category_` files say of where their folders stand.
    positions: HashMap<String, Position>,
}

impl Navigation {
    /// Add what Docusaurus's files say, if there are any.
    pub(super) fn read_docusaurus(&mut self, dir: &Path, found: &[Found], warnings: &mut Vec<String>) {
        let is_root = |dir: &Path| EXTENSIONS.iter().any(|end| dir.join(format!("docusaurus.config.{end}")).is_file());
        let folders: BTreeSet<&str> =
            found.iter().filter_map(|file| file.slug.rsplit_once('/')).map(|(folder, _)| folder).collect();
        let categories: Vec<(&str, Value)> =
            folders.into_iter().filter_map(|folder| Some((folder, category(dir, folder, warnings)?))).collect();
        let above = dir.canonicalize().ok().and_then(|dir| Some(dir.parent()?.to_path_buf()));
        let docs = match (is_root(dir), above.filter(|above| is_root(above))) {
            (true, _) => "docs/",
            (false, Some(_)) => "",
            (false, None) if !categories.is_empty() => "",
            (false, None) => return,
        };
        let mut docusaurus = Docusaurus { docs, ..Docusaurus::default() };
        for (folder, category) in categories {
            if let Some(position) = category.get("position").and_then(Value::as_f64) {
                docusaurus.positions.insert(folder.to_string(), Position::At((position * 1000.0) as i64));
            }
            let Some(label) = category.get("label").and_then(Value::as_str) else { continue };
            let folder = docusaurus.id(&format!("{folder}/index"), &Frontmatter::default());
            let index = category.pointer("/link/id").and_then(Value::as_str).map(str::to_string);
            let readme = format!("{}README", folder.strip_suffix("index").unwrap_or_default());
            for id in index.map_or_else(|| vec![folder, readme], |id| vec![id]) {
                self.titles.insert(id, label.to_string());
            }
        }
        let root = if docusaurus.docs.is_empty() { dir.join("..") } else { dir.to_path_buf() };
        let names = ["json", "yml", "yaml"].into_iter().chain(EXTENSIONS).map(|end| format!("sidebars.{end}"));
        for sidebars in names.filter_map(|name| load(&root, &name, warnings)) {
            self.sidebar(&sidebars);
        }
        self.addresses = Addresses::Docusaurus(docusaurus);
    }

    /// Titles and order of the pages that a sidebar, or a part of one, lists.
    fn sidebar(&mut self, value: &Value) {
        let fields = match value {
            Value::Array(items) => return items.iter().for_each(|item| self.sidebar(item)),
            Value::Object(fields) => fields,
            Value::String(id) => return self.list(id.clone()),
            _ => return,
        };
        let text = |name: &str| fields.get(name).and_then(Value::as_str);
        match text("type") {
            Some("doc" | "ref") => self.listed(text("id"), text("label")),
            Some("category") => {
                self.listed(value.pointer("/link/id").and_then(Value::as_str), text("label"));
                fields.get("items").into_iter().for_each(|items| self.sidebar(items));
            }
            Some(_) => {}
            // Sidebars by name, or categories by label.
            None => fields.values().for_each(|items| self.sidebar(items)),
        }
    }

    fn listed(&mut self, id: Option<&str>, label: Option<&str>) {
        let Some(id) = id else { return };
        self.list(id.to_string());
        if let Some(label) = label {
            self.titles.insert(id.to_string(), label.to_string());
        }
    }
}

/// What the `_category_` file of a folder says, if there is one.
fn category(dir: &Path, folder: &str, warnings: &mut Vec<String>) -> Option<Value> {
    ["json", "yml", "yaml"].iter().find_map(|end| load(dir, &format!("{folder}/_category_.{end}"), warnings))
}

impl Docusaurus {
    /// The name that sidebars use for a page.
    pub(super) fn id(&self, slug: &str, front: &Frontmatter) -> String {
        let page = super::bare(slug.strip_prefix(self.docs).unwrap_or(slug));
        let mut names: Vec<&str> = page.split('/').map(without_number).collect();
        if let (Some(id), Some(last)) = (&front.id, names.last_mut()) {
            *last = id;
        }
        names.join("/")
    }

    /// Where a page stands that no sidebar lists, if it is one of the documentation.
    pub(super) fn place(&self, slug: &str, front: &Frontmatter) -> Option<Place> {
        let (folders, name) = slug.strip_prefix(self.docs)?.rsplit_once('/').unwrap_or(("", slug));
        let mut path = self.docs.to_string();
        let mut place = Vec::new();
        for folder in folders.split('/').filter(|folder| !folder.is_empty()) {
            path += folder;
            let position = self.positions.get(&path).copied().unwrap_or_else(|| numbered(folder));
            place.push((position, without_number(folder).to_string()));
            path.push('/');
        }
        let name = super::bare(name.strip_prefix(self.docs).unwrap_or(name));
        let own = front.position.map(Position::At);
        let is_index = ["index", "readme"].contains(&name.to_lowercase().as_str());
        let position = own.unwrap_or_else(|| if is_index { Position::Index } else { numbered(name) });
        place.push((position, without_number(name).to_string()));
        Some(Place::Sorted(place))
    }

    /// Where a page is published, relative to the site's address.
    pub(super) fn address(&self, slug: &str, front: &Frontmatter) -> String {
        let is_page = slug.starts_with(self.docs) && (slug.ends_with(".md") || slug.ends_with(".mdx"));
        if !is_page {
            return usual_address(slug.strip_prefix("src/pages/").unwrap_or(slug)).to_string();
        }
        let id = self.id(slug, front);
        let (folder, name) = id.rsplit_once('/').unwrap_or(("", &id));
        let is_index = front.id.is_none()
            && (["index", "readme"].contains(&name.to_lowercase().as_str())
                || folder.rsplit('/').next().is_some_and(|folder| !folder.is_empty() && folder == name));
        let path = match &front.slug {
            Some(slug) if slug.starts_with('/') => slug.clone(),
            Some(slug) => format!("{folder}/{}", slug.trim_start_matches("./")),
            None if is_index => folder.to_string(),
            None => id.clone(),
        };
        format!("{}{}", self.docs, path.trim_matches('/')).trim_end_matches('/').to_string()
    }
}

/// Where the number before a name puts it.
fn numbered(name: &str) -> Position {
    let digits = name.len() - name.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = name[..digits].parse::<i64>().ok().filter(|_| without_number(name) != name);
    number.map_or(Position::Last, |number| Position::At(number.saturating_mul(1000)))
}

/// A name without the number that only orders it: `02-guide` and `2. guide`, but not `2024-01` and `1.0`.
fn without_number(name: &str) -> &str {
    let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == name.len() {
        return name;
    }
    let is_mark = |c: char| matches!(c, '-' | '_' | '.');
    let after = rest.trim_start();
    let bare = after.trim_start_matches(is_mark).trim_start();
    let is_version = after.strip_prefix(is_mark).is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()));
    let is_prefix = after.starts_with(is_mark) && !is_version && !bare.is_empty();
    if is_prefix { bare } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_that_only_order_are_no_part_of_a_name() {
        let rows = [
            ("01-intro", "intro"),
            ("2. guide", "guide"),
            ("003_a", "a"),
            ("10 - b", "b"),
            ("2024-01-02-news", "2024-01-02-news"),
            ("1.0", "1.0"),
            ("42", "42"),
            ("7-", "7-"),
            ("intro-1", "intro-1"),
        ];
        for (name, expected) in rows {
            assert_eq!(without_number(name), expected, "{name}");
        }
    }

    #[test]
    fn a_page_is_where_its_path_or_its_slug_says() {
        let docs = Docusaurus { docs: "docs/", ..Docusaurus::default() };
        let front = |slug: Option<&str>, id: Option<&str>| Frontmatter {
            slug: slug.map(Into::into),
            id: id.map(Into::into),
            ..Frontmatter::default()
        };
        let rows = [
            ("docs/01-intro.md", front(None, None), "docs/intro"),
            ("docs/2-guide/index.md", front(None, None), "docs/guide"),
            ("docs/2-guide/guide.mdx", front(None, None), "docs/guide"),
            ("docs/2-guide/03-x.md", front(None, Some("y")), "docs/guide/y"),
            ("docs/a/b.md", front(Some("/c/d"), None), "docs/c/d"),
            ("docs/a/b.md", front(Some("e"), None), "docs/a/e"),
            ("docs/start.md", front(Some("/"), None), "docs"),
            ("src/pages/about.md", front(None, None), "about"),
            ("blog/news.md", front(None, None), "blog/news"),
        ];
        for (slug, front, expected) in rows {
            assert_eq!(docs.address(slug, &front), expected, "{slug}");
        }
        assert_eq!(Docusaurus::default().address("a.md", &front(Some("/"), None)), "");
    }

    #[test]
    fn what_no_sidebar_lists_is_ordered_by_position_number_and_name() {
        let positions = HashMap::from([("docs/zebra".to_string(), Position::At(1500))]);
        let docs = Docusaurus { docs: "docs/", positions };
        let front = |position: Option<i64>| Frontmatter { position, ..Frontmatter::default() };
        let pages = [
            ("docs/index.md", None),
            ("docs/01-intro.md", None),
            ("docs/zebra/index.md", None),
            ("docs/zebra/b.md", Some(2000)),
            ("docs/zebra/10-a.md", None),
            ("docs/2-guides/x.md", None),
            ("docs/named.md", Some(2500)),
            ("docs/10-late.md", None),
            ("docs/appendix.md", None),
            ("docs/beyond.md", None),
        ];
        let places: Vec<Option<Place>> = pages.iter().map(|(slug, at)| docs.place(slug, &front(*at))).collect();
        assert!(places.is_sorted(), "{places:#?}");
        assert_eq!(docs.place("src/pages/about.md", &front(None)), None);
    }

    #[test]
    fn sidebars_label_pages() {
        let mut navigation = Navigation::default();
        navigation.sidebar(&json!({"docs": ["plain", {"type": "doc", "id": "a/b", "label": "AB"},
            {"type": "category", "label": "C", "link": {"type": "doc", "id": "c/index"}, "items": [
                {"type": "ref", "id": "d", "label": "D"}, {"type": "link", "label": "L", "href": "https://x.example"}]},
            {"Short": [{"type": "doc", "id": "e", "label": "E"}]}]}));
        let mut listed: Vec<_> = navigation.listed.iter().collect();
        listed.sort_by_key(|(_, before)| **before);
        let listed: Vec<&str> = listed.into_iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(listed, ["plain", "a/b", "c/index", "d", "e"]);
        let mut titles: Vec<_> = navigation.titles.into_iter().collect();
        titles.sort();
        let expected = [("a/b", "AB"), ("c/index", "C"), ("d", "D"), ("e", "E")];
        assert_eq!(titles, expected.map(|(id, label)| (id.to_string(), label.to_string())));
    }
}
