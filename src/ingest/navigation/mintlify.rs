//! Mintlify: `docs.json`, or the older `mint.json`. Navigation nests as its author likes: languages, versions,
//! products, tabs and their menus, anchors, dropdowns, groups, pages; any part may stand in another file (`$ref`). How
//! a group is drawn (`directory`, `expanded`, `icon`) changes nothing here.
//!
//! An `openapi` entry names a description of an API. Its operations, which `pages` may list as `METHOD /path`, are no
//! files: they are read where they are, in the description, and a site's tree shows files only. They lend their
//! summaries to pages that show them, which say so in their frontmatter.
use super::{Navigation, bare, load};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::{
    collections::{BTreeMap, HashSet},
    path::Path,
};

/// The fields that hold more navigation.
const NESTED: &[&str] =
    &["global", "languages", "versions", "products", "tabs", "menu", "anchors", "dropdowns", "groups", "pages"];
/// The methods that an operation may have.
const METHODS: &[&str] = &["get", "put", "post", "delete", "options", "head", "patch", "trace"];
/// Stands for the method where a page shows a webhook, whose name stands for the path.
const WEBHOOK: &str = "webhook";
/// How many files may name each other.
const MAX_PARTS: usize = 100;

/// What was found on the way through the navigation.
#[derive(Default)]
struct Walk {
    shown: HashSet<String>,
    descriptions: Vec<String>,
}

impl Navigation {
    /// Add what Mintlify's file says, if there is one.
    pub(super) fn read_mintlify(&mut self, dir: &Path, warnings: &mut Vec<String>) {
        let Some(config) = ["docs.json", "mint.json"].iter().find_map(|name| load(dir, name, warnings)) else { return };
        let mut walk = Walk::default();
        self.walk(&mut walk, config.get("navigation").unwrap_or(&Value::Null), false, dir, warnings);
        self.hidden.retain(|page| !walk.shown.contains(page));
        for value in [config.get("openapi"), config.pointer("/api/openapi")].into_iter().flatten() {
            walk.describe(value);
        }
        for name in walk.descriptions {
            self.read_description(dir, &name, warnings);
        }
    }

    fn walk(&mut self, walk: &mut Walk, value: &Value, hidden: bool, dir: &Path, warnings: &mut Vec<String>) {
        let fields = match value {
            Value::Array(items) => return items.iter().for_each(|item| self.walk(walk, item, hidden, dir, warnings)),
            Value::Object(fields) => fields,
            // A page, among the groups that `pages` may hold too.
            Value::String(name) => return self.list(bare(name).to_string()),
            _ => return,
        };
        if let Some(name) = fields.get("$ref").and_then(Value::as_str) {
            let name = name.trim_start_matches("./").trim_start_matches('/').to_string();
            let is_inside = name.split('/').all(|part| part != "..");
            if is_inside && self.parts.len() < MAX_PARTS && self.parts.insert(name.clone()) {
                let part = load(dir, &name, warnings).unwrap_or_default();
                self.walk(walk, &part, hidden, dir, warnings);
            }
        }
        let hidden = hidden || fields.get("hidden") == Some(&Value::Bool(true));
        let pages = pages(fields);
        if hidden {
            self.hidden.extend(pages.iter().cloned());
        } else {
            walk.shown.extend(pages.iter().cloned());
        }
        // A group inside says for itself whether it is public.
        if fields.get("public") == Some(&Value::Bool(true)) {
            self.public.extend(pages);
        }
        fields.get("openapi").into_iter().for_each(|value| walk.describe(value));
        fields.get("root").and_then(Value::as_str).into_iter().for_each(|root| self.list(bare(root).to_string()));
        for value in NESTED.iter().filter_map(|name| fields.get(*name)) {
            self.walk(walk, value, hidden, dir, warnings);
        }
    }

    /// Summaries from the description of an API; what only some visitors may see of it lends none.
    fn read_description(&mut self, dir: &Path, name: &str, warnings: &mut Vec<String>) {
        let Some(value) = load(dir, name, warnings) else { return };
        let Description { paths, webhooks } = serde_json::from_value(value).unwrap_or_default();
        let items = paths.iter().map(|item| (item, false)).chain(webhooks.iter().map(|item| (item, true)));
        for ((path, item), is_webhook) in items {
            let is_open = |fields: &&Map<String, Value>| !fields.contains_key("x-mint");
            let Some(item) = item.as_object().filter(is_open) else { continue };
            for method in METHODS {
                let operation = item.get(*method).and_then(Value::as_object).filter(is_open);
                let summary = operation.and_then(|operation| operation.get("summary")?.as_str());
                let Some(summary) = summary else { continue };
                let verb = if is_webhook { WEBHOOK } else { method };
                for called in [format!("{verb} {path}"), format!("{name} {verb} {path}")] {
                    self.operations.entry(operation_name(&called)).or_insert_with(|| summary.to_string());
                }
            }
        }
    }
}

/// `[FILE] METHOD /path` or `[FILE] webhook NAME` in the one spelling by which operations are known.
pub(super) fn operation_name(text: &str) -> String {
    let is_verb = |word: &str| METHODS.iter().chain([&WEBHOOK]).any(|verb| verb.eq_ignore_ascii_case(word));
    let mut words: Vec<String> = text.trim_start_matches('/').split_whitespace().map(str::to_string).collect();
    if let Some(verb) = words.iter_mut().take(2).find(|word| is_verb(word)) {
        verb.make_ascii_lowercase();
    }
    words.join(" ")
}

impl Walk {
    /// The files that an `openapi` entry names: one, several, or one with the folder of its pages.
    fn describe(&mut self, value: &Value) {
        match value {
            Value::String(name) if !name.contains("://") => {
                let name = name.trim_start_matches('/').to_string();
                if !self.descriptions.contains(&name) {
                    self.descriptions.push(name);
                }
            }
            Value::Array(names) => names.iter().for_each(|name| self.describe(name)),
            Value::Object(fields) => fields.get("source").into_iter().for_each(|source| self.describe(source)),
            _ => {}
        }
    }
}

/// The pages directly in a part of the navigation.
fn pages(fields: &Map<String, Value>) -> Vec<String> {
    let listed = fields.get("pages").and_then(Value::as_array).into_iter().flatten();
    let names = listed.chain(fields.get("root")).filter_map(Value::as_str);
    // `[FILE] METHOD /path` is an operation.
    names.filter(|name| !name.contains(" /")).map(|name| bare(name).to_string()).collect()
}

/// The part of an OpenAPI description that tells summaries.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Description {
    paths: BTreeMap<String, Value>,
    webhooks: BTreeMap<String, Value>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::{frontmatter::Frontmatter, navigation::Reason};
    use serde_json::json;

    fn walked(navigation: Value) -> (Navigation, Vec<String>) {
        let (mut read, mut walk) = (Navigation::default(), Walk::default());
        read.walk(&mut walk, &navigation, false, Path::new("/nonexistent"), &mut Vec::new());
        read.hidden.retain(|page| !walk.shown.contains(page));
        (read, walk.descriptions)
    }

    #[test]
    fn only_the_direct_pages_of_a_public_group_are_public() {
        let (navigation, _) = walked(json!({"tabs": [{"groups": [
            {"group": "A", "public": true, "root": "a/root.mdx", "pages":
                ["index", "/a/b", "GET /users", {"group": "B", "pages": ["a/c"]}]},
            {"group": "C", "public": "true", "pages": ["d"]}]}]}));
        let said = |slug: &str| navigation.says(slug, &Frontmatter::default()).is_public;
        let public = ["index.mdx", "a/b.md", "a/root.mdx", "a/c.mdx", "d.mdx", "GET /users"].map(said);
        assert_eq!(public, [true, true, true, false, false, false]);
    }

    #[test]
    fn every_nesting_is_walked() {
        for kind in ["languages", "versions", "products", "tabs", "anchors", "dropdowns", "groups", "menu"] {
            let inner = json!([{"group": "G", "public": true, "pages": ["deep/page"]}]);
            let (navigation, _) = walked(json!({"global": {"anchors": [{"href": "/x"}]}, kind: [{"groups": inner}]}));
            assert!(navigation.public.contains("deep/page"), "{kind}");
        }
        let (old, _) = walked(json!([{"group": "G", "public": true, "pages": ["a"]}]));
        assert!(old.public.contains("a"));
    }

    #[test]
    fn pages_are_in_the_order_of_the_navigation() {
        let (navigation, _) = walked(json!({"groups": [
            {"group": "A", "root": "z", "pages": ["y.mdx", {"group": "B", "pages": ["x"]}, "/w", "y"]},
            {"group": "C", "pages": ["a"]}]}));
        let place = |slug: &str| navigation.says(slug, &Frontmatter::default()).place;
        let mut slugs = ["a.md", "free.md", "w.mdx", "x.md", "y.mdx", "z.mdx"];
        slugs.sort_by_key(|slug| (place(slug).is_none(), place(slug)));
        assert_eq!(slugs, ["z.mdx", "y.mdx", "x.md", "w.mdx", "a.md", "free.md"]);
    }

    #[test]
    fn what_stands_only_in_a_hidden_part_is_hidden() {
        let (navigation, _) = walked(json!({"tabs": [
            {"tab": "T", "hidden": true, "groups": [{"group": "A", "pages": ["both", "lost"]}]},
            {"tab": "U", "pages": ["both"]}]}));
        let said = |slug: &str| navigation.says(slug, &Frontmatter::default()).left_out;
        assert_eq!(["both.md", "lost.md", "free.md"].map(said), [None, Some(Reason::Hidden), None]);
    }

    #[test]
    fn an_operation_is_known_however_it_is_spelt() {
        let rows = [
            ("GET /users/{id}", "get /users/{id}"),
            ("  Get   /users/{id} ", "get /users/{id}"),
            ("/specs/a.json POST /Hooks", "specs/a.json post /Hooks"),
            ("a.yaml WEBHOOK Order.created", "a.yaml webhook Order.created"),
        ];
        for (text, expected) in rows {
            assert_eq!(operation_name(text), expected, "{text}");
        }
    }

    #[test]
    fn descriptions_are_named_in_three_ways() {
        let (_, names) = walked(json!({"tabs": [
            {"openapi": "/a.json"}, {"openapi": ["b.yaml", "https://x.example/c.json", "a.json"]},
            {"pages": [{"group": "G", "openapi": {"source": "/d.json", "directory": "api"}}]}]}));
        assert_eq!(names, ["a.json", "b.yaml", "d.json"]);
    }
}
