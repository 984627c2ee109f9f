//! What an agent is told of a site before it looks: how many pages, which folders, which API descriptions, how to ask.
//! The MCP server's tool, `docsh agents` and `docsh skill` say it in their own words.
//!
//! It is drawn from the tree in memory as the visitor sees it, and makes no request.
use docsh_builtins::{Fs, Kind, VPath};
use std::fmt::Write;

/// Files and folders looked at, at most: a description need not wait for a million pages.
const LOOKED_AT: usize = 50_000;
/// Bytes of folder names and of API descriptions that are named.
const NAMED: usize = 500;
/// What the name of an API description, or of a folder above it, contains.
const API: [&str; 4] = ["openapi", "swagger", "api-spec", "apispec"];

/// What is told of a site.
#[derive(Debug, Default)]
pub struct Portrait {
    /// Its name.
    pub site: String,
    /// How many pages were counted.
    pub pages: usize,
    /// Whether there are more.
    pub has_more: bool,
    /// The folders of the root.
    pub folders: Vec<String>,
    /// OpenAPI files, going by their names.
    pub apis: Vec<String>,
}

impl Portrait {
    /// The site called `site`, as the visitor of `fs` sees it.
    pub fn of(site: &str, fs: &dyn Fs) -> Portrait {
        let mut portrait = Portrait { site: site.to_string(), ..Portrait::default() };
        let mut folders = vec![VPath::root()];
        let mut left = LOOKED_AT;
        while let Some(folder) = folders.pop() {
            for entry in fs.list(&folder).unwrap_or_default() {
                if left == 0 {
                    portrait.has_more = true;
                    return portrait;
                }
                left -= 1;
                let path = folder.child(&entry.name);
                if entry.kind == Kind::Dir {
                    if folder.is_root() {
                        portrait.folders.push(path.as_str().to_string());
                    }
                    folders.push(path);
                    continue;
                }
                portrait.pages += 1;
                if is_api(path.as_str()) {
                    portrait.apis.push(path.as_str().to_string());
                }
            }
        }
        portrait.apis.sort_unstable();
        portrait
    }

    /// `1234 pages`.
    pub fn count(&self) -> String {
        match (self.has_more, self.pages) {
            (true, pages) => format!("more than {pages} pages"),
            (false, 1) => "1 page".to_string(),
            (false, pages) => format!("{pages} pages"),
        }
    }

    /// The name of the MCP tool: letters, digits and `_`, at most 64 of them.
    pub fn tool(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        format!("query_docs_{}", self.site).chars().map(plain).take(64).collect()
    }

    /// The folders of the root, as many as fit a description.
    pub fn top(&self) -> String {
        listed(&self.folders)
    }

    /// The API descriptions, as many as fit a description; nothing when there are none.
    pub fn described_apis(&self) -> Option<String> {
        (!self.apis.is_empty()).then(|| listed(&self.apis))
    }

    /// Three command lines to begin with.
    pub fn examples(&self) -> [String; 3] {
        let folder = self.folders.first().map_or("/", String::as_str);
        [
            "tree -L 2 /".to_string(),
            "grep -rniE 'rate.?limit' / | head -20".to_string(),
            format!("ls {}", quoted(folder)),
        ]
    }
}

/// A path as a word of a command line.
fn quoted(path: &str) -> String {
    docsh_builtins::quoted_if_odd(path)
}

/// Names in a row, as many as fit.
fn listed(names: &[String]) -> String {
    let mut text = String::new();
    for (at, name) in names.iter().enumerate() {
        if text.len() + name.len() > NAMED {
            // Writing to a String cannot fail.
            let _ = write!(text, " and {} more", names.len() - at);
            break;
        }
        text.push_str(if at == 0 { "" } else { ", " });
        text.push_str(name);
    }
    text
}

fn is_api(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    let is_data = [".json", ".yaml", ".yml"].iter().any(|suffix| path.ends_with(suffix));
    is_data && API.iter().any(|word| path.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{Site, Visitor};

    #[test]
    fn the_bundled_site_is_told_of_as_the_visitor_sees_it() {
        let site = Site::bundled().unwrap();
        let portrait = |visitor: &Visitor| Portrait::of("acme", &*site.session(visitor));
        let open = portrait(&Visitor::Anonymous);
        assert_eq!(open.tool(), "query_docs_acme");
        assert_eq!(open.described_apis().as_deref(), Some("/api-specs/v1.yaml, /api-specs/v2.json"));
        assert!(open.top().starts_with("/api-reference, /api-specs, /auth, "), "{}", open.top());
        assert!(!open.top().contains("/internal"));
        let staff = portrait(&Visitor::member::<String>([]));
        assert!(staff.top().contains("/internal") && staff.pages > open.pages);
    }

    #[test]
    fn odd_names_stay_within_bounds() {
        let portrait = Portrait { site: "My Docs-v1.2/é".into(), pages: 1, ..Portrait::default() };
        assert_eq!((portrait.tool().as_str(), portrait.count().as_str()), ("query_docs_my_docs_v1_2__", "1 page"));
        let folders: Vec<String> = (0..1000).map(|n| format!("/folder-{n}")).collect();
        let top = Portrait { folders, ..Portrait::default() }.top();
        assert!(top.len() < 530 && top.ends_with(" more"), "{top}");
    }
}
