//! What a docs folder's navigation says of its pages: titles, their order, groups whose pages are public, pages that
//! are hidden or not published yet, and where a page is on the web when its path does not tell. Mintlify, MkDocs and
//! Docusaurus are known, each in a file of its own. None is required, and one that cannot be read changes nothing but a
//! warning.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "the folder that the user named is the host's")]
mod document;
mod docusaurus;
mod mintlify;
mod mkdocs;
mod places;

pub(super) use places::{Place, ranked};

use super::{folder::Found, frontmatter::Frontmatter};
use crate::tree::usual_address;
use docusaurus::Docusaurus;
use ignore::gitignore::Gitignore;
use mintlify::operation_name;
use mkdocs::MkDocs;
use serde_json::Value;
use std::{
    collections::{HashMap, HashSet},
    fs, io,
    path::Path,
};

/// What the navigation says.
#[derive(Default)]
pub(super) struct Navigation {
    /// Titles by page, without suffix.
    titles: HashMap<String, String>,
    /// How many pages are listed before a page, without suffix.
    listed: HashMap<String, usize>,
    /// Summaries of operations, by `METHOD PATH` and by `FILE METHOD PATH`, as `operation_name` spells them.
    operations: HashMap<String, String>,
    /// Pages directly in a group that says `"public": true`.
    public: HashSet<String>,
    /// Pages that stand only where the navigation is hidden.
    hidden: HashSet<String>,
    /// Pages that are not built, and why.
    unbuilt: Vec<(Reason, Gitignore)>,
    /// Files that hold more of the navigation.
    parts: HashSet<String>,
    /// Where the site is on the web.
    pub(super) base_url: Option<String>,
    addresses: Addresses,
}

/// Why a file is no page of the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It asks not to be found: `hidden`, `noindex`, `unlisted`, `searchable: false`, or a hidden part of the
    /// navigation.
    Hidden,
    /// It is a draft.
    Draft,
    /// The site's own configuration excludes it.
    Excluded,
    /// Its bytes are not UTF-8, or there is a NUL among them.
    NotText,
    /// It says wrongly who may see it.
    Unclear,
    /// It could not be read.
    Unreadable,
}

/// Where pages are on the web.
#[derive(Default)]
enum Addresses {
    /// Where their paths say.
    #[default]
    Usual,
    MkDocs(MkDocs),
    Docusaurus(Docusaurus),
}

/// What the navigation says of one page.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) title: Option<String>,
    pub(super) is_public: bool,
    pub(super) left_out: Option<Reason>,
    /// Relative to the site's address, where it is not the usual one.
    pub(super) address: Option<String>,
    pub(super) place: Option<Place>,
}

impl Navigation {
    /// The navigation of `dir`, whose pages are `found`.
    pub(super) fn of(dir: &Path, found: &[Found], warnings: &mut Vec<String>) -> Navigation {
        let mut navigation = Navigation::default();
        navigation.read_mintlify(dir, warnings);
        navigation.read_mkdocs(dir, warnings);
        navigation.read_docusaurus(dir, found, warnings);
        navigation
    }

    /// Whether this file is a part of the navigation that others name.
    pub(super) fn is_part(&self, slug: &str) -> bool {
        self.parts.contains(slug)
    }

    /// The navigation lists this page next, if it has not done so before.
    fn list(&mut self, name: String) {
        let before = self.listed.len();
        self.listed.entry(name).or_insert(before);
    }

    /// What is said of the page `slug`.
    pub(super) fn says(&self, slug: &str, front: &Frontmatter) -> Said {
        let unbuilt = self.unbuilt.iter().find(|(_, names)| names.matched_path_or_any_parents(slug, false).is_ignore());
        let hidden = self.hidden.contains(bare(slug)).then_some(Reason::Hidden);
        let operation = || self.operations.get(&operation_name(front.openapi.as_ref()?));
        let (name, address, sorted) = match &self.addresses {
            Addresses::Usual => (None, None, None),
            Addresses::MkDocs(mkdocs) => (None, mkdocs.address(slug), None),
            Addresses::Docusaurus(docusaurus) => {
                let (id, address) = (docusaurus.id(slug, front), docusaurus.address(slug, front));
                (Some(id), Some(address), docusaurus.place(slug, front))
            }
        };
        let name = name.as_deref().unwrap_or(bare(slug));
        let named = self.titles.get(name);
        Said {
            title: named.or_else(operation).cloned(),
            is_public: self.public.contains(bare(slug)),
            left_out: unbuilt.map(|(reason, _)| *reason).or(hidden),
            address: address.filter(|address| address != usual_address(slug)),
            place: self.listed.get(name).map(|&before| Place::Listed(before)).or(sorted),
        }
    }
}

/// A page's name in the navigation: its path without suffix.
fn bare(path: &str) -> &str {
    let path = path.trim_start_matches('/');
    path.strip_suffix(".mdx").or_else(|| path.strip_suffix(".md")).unwrap_or(path)
}

/// The value in the file `name` of `dir`, if it is there and can be read.
fn load(dir: &Path, name: &str, warnings: &mut Vec<String>) -> Option<Value> {
    let value = match fs::read_to_string(dir.join(name)) {
        Ok(text) => document::parse(name, &text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => Err(error.to_string()),
    };
    value.map_err(|error| warnings.push(format!("{name}: not used: {error}"))).ok()
}
