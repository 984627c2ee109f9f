//! What a docs folder's navigation files say of its pages: titles (MkDocs), and groups whose pages are public
//! (Mintlify). None is required, and one that cannot be read changes nothing.
use saphyr::{LoadableYamlNode, Yaml};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// What the navigation says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Navigation {
    /// Titles by page, as the navigation names it: with or without a suffix.
    titles: HashMap<String, String>,
    /// Pages directly in a group that says `"public": true`.
    public: HashSet<String>,
}

impl Navigation {
    /// The files that may hold one, at the top of the folder.
    pub(super) const FILES: [&str; 4] = ["docs.json", "mint.json", "mkdocs.yml", "mkdocs.yaml"];

    /// Add what the file `name` says.
    pub(super) fn read(&mut self, name: &str, text: &str) -> Result<(), String> {
        if name.ends_with(".json") {
            let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
            self.groups(value.get("navigation").unwrap_or(&Value::Null));
            return Ok(());
        }
        let documents = Yaml::load_from_str(text).map_err(|error| error.to_string())?;
        if let Some(nav) = documents.first().and_then(|top| top.as_mapping_get("nav")) {
            self.titled(nav);
        }
        Ok(())
    }

    /// The title of a page.
    pub(super) fn title(&self, slug: &str) -> Option<&str> {
        self.titles.get(slug).or_else(|| self.titles.get(bare(slug))).map(String::as_str)
    }

    /// Whether a page is public because its group is.
    pub(super) fn is_public(&self, slug: &str) -> bool {
        self.public.contains(slug) || self.public.contains(bare(slug))
    }

    fn groups(&mut self, value: &Value) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.groups(item)),
            Value::Object(fields) => {
                if fields.get("public") == Some(&Value::Bool(true))
                    && let Some(pages) = fields.get("pages").and_then(Value::as_array)
                {
                    // A group inside says for itself whether it is public.
                    let pages = pages.iter().filter_map(Value::as_str);
                    self.public.extend(pages.map(|page| page.trim_start_matches('/').to_string()));
                }
                fields.values().for_each(|value| self.groups(value));
            }
            _ => {}
        }
    }

    fn titled(&mut self, node: &Yaml<'_>) {
        match node {
            Yaml::Sequence(items) => items.iter().for_each(|item| self.titled(item)),
            Yaml::Mapping(fields) => {
                for (title, page) in fields {
                    match (title.as_str(), page.as_str()) {
                        (Some(title), Some(page)) => drop(self.titles.insert(page.to_string(), title.to_string())),
                        _ => self.titled(page),
                    }
                }
            }
            _ => {}
        }
    }
}

/// A slug without its suffix.
fn bare(slug: &str) -> &str {
    slug.strip_suffix(".mdx").or_else(|| slug.strip_suffix(".md")).unwrap_or(slug)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_direct_pages_of_a_public_group_are_public() {
        let mut navigation = Navigation::default();
        let json = r#"{"navigation": {"tabs": [{"groups": [
            {"group": "A", "public": true, "pages": ["index", "/a/b", {"group": "B", "pages": ["a/c"]}]},
            {"group": "C", "pages": ["d"]}]}]}}"#;
        navigation.read("docs.json", json).unwrap();
        let public = ["index.mdx", "a/b.md", "a/c.mdx", "d.mdx"].map(|slug| navigation.is_public(slug));
        assert_eq!(public, [true, true, false, false]);
    }

    #[test]
    fn titles_are_read_at_any_depth() {
        let mut navigation = Navigation::default();
        navigation
            .read("mkdocs.yml", "nav:\n- Home: index.md\n- Guide:\n  - Start here: guide/start.md\n  - bare.md\n")
            .unwrap();
        let title = |slug| navigation.title(slug);
        assert_eq!(
            (title("index.md"), title("guide/start.md"), title("bare.md")),
            (Some("Home"), Some("Start here"), None)
        );
    }

    #[test]
    fn a_broken_file_is_told() {
        assert!(Navigation::default().read("docs.json", "{").is_err());
        assert!(Navigation::default().read("mkdocs.yml", "nav: [\n").is_err());
    }
}
