//! MkDocs: `mkdocs.yml`, in the folder or, where the folder is its `docs_dir`, beside it. `nav` gives titles and the
//! order. Pages that `exclude_docs` or `draft_docs` names are not published; those of `not_in_nav` are, only without a
//! place in `nav`.
use super::{Addresses, Navigation, Reason, bare, load};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use serde_json::Value;
use std::path::Path;

/// How MkDocs publishes pages.
pub(super) struct MkDocs {
    /// Where its pages are below the folder: empty, or with a slash at the end.
    docs: String,
    /// Whether a page is published as a folder of its own.
    directories: bool,
}

impl Navigation {
    /// Add what MkDocs' file says, if there is one.
    pub(super) fn read_mkdocs(&mut self, dir: &Path, warnings: &mut Vec<String>) {
        let Some((config, docs)) = config(dir, warnings) else { return };
        for (key, reason) in [("exclude_docs", Reason::Excluded), ("draft_docs", Reason::Draft)] {
            match config.get(key).and_then(Value::as_str).map(|lines| patterns(&docs, lines)) {
                Some(Ok(names)) => self.unbuilt.push((reason, names)),
                Some(Err(error)) => warnings.push(format!("mkdocs.yml: `{key}` is not used: {error}")),
                None => {}
            }
        }
        self.base_url = config.get("site_url").and_then(Value::as_str).map(str::to_string);
        self.titled(&docs, config.get("nav").unwrap_or(&Value::Null));
        let directories = config.get("use_directory_urls").and_then(Value::as_bool).unwrap_or(true);
        self.addresses = Addresses::MkDocs(MkDocs { docs, directories });
    }

    fn titled(&mut self, docs: &str, nav: &Value) {
        match nav {
            Value::Array(items) => items.iter().for_each(|item| self.titled(docs, item)),
            Value::Object(fields) => {
                for (title, page) in fields {
                    if let Some(page) = page.as_str() {
                        self.titles.insert(format!("{docs}{}", bare(page)), title.clone());
                    }
                    self.titled(docs, page);
                }
            }
            Value::String(page) => self.list(format!("{docs}{}", bare(page))),
            _ => {}
        }
    }
}

/// The configuration, and where its pages are below `dir`.
fn config(dir: &Path, warnings: &mut Vec<String>) -> Option<(Value, String)> {
    let in_folder = |dir: &Path, warnings: &mut Vec<String>| {
        ["mkdocs.yml", "mkdocs.yaml"].iter().find_map(|name| load(dir, name, warnings))
    };
    let docs_of = |config: &Value| {
        let docs = config.get("docs_dir").and_then(Value::as_str).unwrap_or("docs");
        docs.trim_start_matches("./").trim_matches('/').to_string()
    };
    if let Some(config) = in_folder(dir, warnings) {
        let docs = match docs_of(&config) {
            docs if docs == "." || docs.is_empty() => String::new(),
            docs => format!("{docs}/"),
        };
        return Some((config, docs));
    }
    let dir = dir.canonicalize().ok()?;
    let config = in_folder(dir.parent()?, warnings)?;
    (dir.file_name()?.to_str()? == docs_of(&config)).then_some((config, String::new()))
}

/// Patterns as `.gitignore` has them, relative to the folder of the pages.
fn patterns(docs: &str, lines: &str) -> Result<Gitignore, String> {
    let mut patterns = GitignoreBuilder::new(docs);
    for line in lines.lines() {
        patterns.add_line(None, line.trim()).map_err(|error| error.to_string())?;
    }
    patterns.build().map_err(|error| error.to_string())
}

impl MkDocs {
    /// Where a page is published, relative to the site's address; `None` for a file that is published as it is.
    pub(super) fn address(&self, slug: &str) -> Option<String> {
        let page = slug.strip_prefix(&self.docs)?;
        let Some(page) = page.strip_suffix(".md") else { return Some(page.to_string()) };
        let (folder, name) = page.rsplit_once('/').map_or(("", page), |(folder, name)| (folder, name));
        let folder = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let is_index = matches!(name, "index" | "README");
        Some(match (self.directories, is_index) {
            (true, true) => folder,
            (true, false) => format!("{page}/"),
            (false, true) => format!("{folder}index.html"),
            (false, false) => format!("{page}.html"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::{frontmatter::Frontmatter, navigation::Place};
    use serde_json::json;

    #[test]
    fn titles_are_read_at_any_depth() {
        let mut navigation = Navigation::default();
        let nav = json!([{"Home": "index.md"}, {"Guide": [{"Start here": "guide/start.md"}, "bare.md"]}]);
        navigation.titled("docs/", &nav);
        let title = |slug| navigation.says(slug, &Frontmatter::default()).title;
        assert_eq!(title("docs/index.md").as_deref(), Some("Home"));
        assert_eq!(title("docs/guide/start.md").as_deref(), Some("Start here"));
        assert_eq!((title("docs/bare.md"), title("index.md")), (None, None));
        let place = |slug| navigation.says(slug, &Frontmatter::default()).place;
        let listed = ["docs/index.md", "docs/guide/start.md", "docs/bare.md"].map(place);
        assert_eq!(listed, [0, 1, 2].map(|before| Some(Place::Listed(before))));
        assert_eq!(place("docs/other.md"), None);
    }

    #[test]
    fn pages_are_folders_on_the_web_unless_they_are_files() {
        let address = |directories, slug| MkDocs { docs: "docs/".into(), directories }.address(slug);
        let rows = [
            ("docs/index.md", Some(""), Some("index.html")),
            ("docs/a/README.md", Some("a/"), Some("a/index.html")),
            ("docs/a/b.md", Some("a/b/"), Some("a/b.html")),
            ("docs/a/b.json", Some("a/b.json"), Some("a/b.json")),
            ("README.md", None, None),
        ];
        for (slug, folder, file) in rows {
            assert_eq!((address(true, slug).as_deref(), address(false, slug).as_deref()), (folder, file), "{slug}");
        }
    }

    #[test]
    fn patterns_are_those_of_gitignore() {
        let names = patterns("docs/", "# drafts\ndrafts/\n*.draft.md\n!kept.draft.md\n/top.md\n").unwrap();
        let is_left_out = |slug: &str| names.matched_path_or_any_parents(slug, false).is_ignore();
        let rows = [
            ("docs/drafts/a.md", true),
            ("docs/a/b.draft.md", true),
            ("docs/kept.draft.md", false),
            ("docs/top.md", true),
            ("docs/a/top.md", false),
        ];
        for (slug, expected) in rows {
            assert_eq!(is_left_out(slug), expected, "{slug}");
        }
    }
}
