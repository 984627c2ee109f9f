//! Putting a tree together, and refusing what cannot be one. A tree is taken whole or not at all.
mod folders;

use super::{
    Hash, Head, Layout, Lazy, PageId, TREE_ID, Tree, TreeVersion, order,
    rows::{ADDRESSED, BROKEN_LINES, HASHED, LAZY, Page, TITLED, UNKNOWN, UNORDERED, VIEW},
};
use crate::tree::access::{Class, Classes};
use docsh_builtins::VPath;
use folders::folders;

/// The most pages of a site.
const MAX_PAGES: usize = 5_000_000;

/// What to do with the pages' access rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Obey them; nothing is known of a site in which no page has any, so it is refused.
    Required,
    /// Obey them; the pages were marked by docsh itself.
    Marked,
    /// `access = "open"`: everything is public.
    Off,
}

/// What is said of one page.
#[derive(Clone, Debug)]
pub struct Facts<'a> {
    /// Its relative path.
    pub slug: &'a str,
    /// Who may see it.
    pub class: Class,
    /// Whether it says anything about who may see it.
    pub is_marked: bool,
    /// Bytes of its text.
    pub size: Option<u64>,
    /// Seconds since the epoch.
    pub mtime: Option<i64>,
    /// Permission bits.
    pub mode: u16,
    /// Its title.
    pub title: Option<&'a str>,
    /// Where it is on the web, relative to the site's address, if not where its path says.
    pub address: Option<&'a str>,
    /// How many pages the navigation puts before it, if it puts it anywhere.
    pub order: Option<u32>,
    /// Number of chunks.
    pub chunks: Option<u32>,
    /// Hash of its text.
    pub hash: Option<Hash>,
    /// Whether it holds parts for some visitors only.
    pub view: bool,
    /// Whether a line of it is spread over two chunks.
    pub broken_lines: bool,
    /// Where its text is, if not in the store.
    pub lazy: Option<Lazy>,
}

impl<'a> Facts<'a> {
    /// A public page of which nothing else is known.
    pub fn new(slug: &'a str) -> Facts<'a> {
        Facts {
            slug,
            class: Class::Public,
            is_marked: true,
            size: None,
            mtime: None,
            mode: 0o644,
            title: None,
            address: None,
            order: None,
            chunks: None,
            hash: None,
            view: false,
            broken_lines: false,
            lazy: None,
        }
    }
}

/// Why a tree is refused. Each message names the key that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The path cannot be a page's.
    #[error("the path {slug:?} {reason}")]
    Path {
        /// The path.
        slug: String,
        /// What is wrong with it, as the end of a sentence.
        reason: &'static str,
    },
    /// Two entries have the same path.
    #[error("the path {0:?} is named twice")]
    Twice(String),
    /// A page has the path of a folder.
    #[error(
        "{0:?} is a page and a folder at once (`page_extension = \".mdx\"` in the configuration would tell them apart)"
    )]
    PageAndFolder(String),
    /// Nobody would see anything, or everybody everything: the owner must say which.
    #[error(
        "no page says who may see it; set `access = \"open\"` in the configuration if everybody may see everything"
    )]
    NoRules,
    /// More than a tree can hold.
    #[error("it has more than {0}")]
    TooLarge(&'static str),
    /// Its text is not what its record names by its hash.
    #[error("it is not the version that its record names; write it again with `docsh ingest`")]
    Torn,
    /// Not the format of a tree.
    #[error("it is not a JSON object of pages, plain or base64 of gzip: {0}")]
    Format(String),
}

/// A tree that is being put together.
pub struct Builder {
    text: String,
    pages: Vec<Page>,
    lazy: Vec<(u32, Lazy)>,
    classes: Classes,
    layout: Layout,
    rules: Rules,
    any_marked: bool,
}

impl Builder {
    /// No pages yet.
    pub fn new(layout: Layout, rules: Rules) -> Builder {
        Builder {
            text: String::new(),
            pages: Vec::new(),
            lazy: Vec::new(),
            classes: Classes::default(),
            layout,
            rules,
            any_marked: false,
        }
    }

    /// Add a page.
    pub fn add(&mut self, facts: Facts<'_>) -> Result<(), Refusal> {
        let suffix = match has_extension(facts.slug) {
            true => "",
            false => &*self.layout.page_extension,
        };
        check_path(facts.slug, suffix)?;
        if self.pages.len() == MAX_PAGES {
            return Err(Refusal::TooLarge("5,000,000 pages"));
        }
        self.any_marked |= facts.is_marked;
        let class = match self.rules {
            Rules::Off => Class::Public,
            Rules::Required | Rules::Marked => facts.class,
        };
        let class = self.classes.intern(class).ok_or(Refusal::TooLarge("65,536 distinct access rules"))?;
        // A title longer than a path may be is cut, at a character.
        let title = facts.title.map(|title| &title[..title.floor_char_boundary(VPath::PATH_MAX)]);
        let address = facts.address.filter(|address| address.len() <= VPath::PATH_MAX);
        let text = u32::try_from(self.text.len()).map_err(|_| Refusal::TooLarge("4 GiB of paths and titles"))?;
        for part in [facts.slug, suffix, title.unwrap_or_default(), address.unwrap_or_default()] {
            self.text.push_str(part);
        }
        let mut flags = 0;
        for (flag, is_set) in [
            (TITLED, title.is_some()),
            (ADDRESSED, address.is_some()),
            (VIEW, facts.view),
            (LAZY, facts.lazy.is_some()),
            (HASHED, facts.hash.is_some()),
            (BROKEN_LINES, facts.broken_lines),
        ] {
            flags |= if is_set { flag } else { 0 };
        }
        if let Some(lazy) = facts.lazy {
            self.lazy.push((text, lazy));
        }
        self.pages.push(Page {
            text,
            path_len: (facts.slug.len() + suffix.len()) as u16,
            title_len: title.map_or(0, str::len) as u16,
            address_len: address.map_or(0, str::len) as u16,
            class,
            mode: facts.mode,
            suffix_len: suffix.len() as u8,
            flags,
            chunks: facts.chunks.and_then(|chunks| chunks.checked_add(1)).unwrap_or(0),
            order: facts.order.unwrap_or(UNORDERED),
            size: facts.size.unwrap_or(UNKNOWN),
            mtime: facts.mtime.unwrap_or(0),
            hash: facts.hash.unwrap_or(Hash([0; 32])),
        });
        Ok(())
    }

    /// The finished tree.
    pub fn finish(mut self, version: TreeVersion) -> Result<Tree, Refusal> {
        if self.rules == Rules::Required && !self.any_marked && !self.pages.is_empty() {
            return Err(Refusal::NoRules);
        }
        let text = std::mem::take(&mut self.text);
        let path = |page: &Page| &text[page.text as usize..][..usize::from(page.path_len)];
        // The stable sort is quick on what is nearly sorted, as most trees are.
        self.pages.sort_by(|a, b| order(path(a), path(b)));
        for pair in self.pages.windows(2) {
            let (first, second) = (path(&pair[0]), path(&pair[1]));
            if first == second {
                return Err(Refusal::Twice(first.to_string()));
            }
            if second.strip_prefix(first).is_some_and(|rest| rest.starts_with('/')) {
                return Err(Refusal::PageAndFolder(first.to_string()));
            }
        }
        let (folders, below) = folders(&self.pages, path);
        let mut lazy: Vec<(PageId, Lazy)> = Vec::with_capacity(self.lazy.len());
        for (at, page) in self.pages.iter().enumerate().filter(|(_, page)| page.flags & LAZY != 0) {
            // Offsets in the text grow, so `self.lazy` is sorted by them.
            if let Ok(found) = self.lazy.binary_search_by_key(&page.text, |(text, _)| *text) {
                lazy.push((PageId(at as u32), self.lazy[found].1.clone()));
            }
        }
        let is_open = self.rules == Rules::Off;
        let head = Head { lazy, classes: self.classes, layout: self.layout, is_open, version };
        Ok(Tree::of_rows(head, &self.pages, &folders, &below, &text))
    }
}

/// Whether the last name of `slug` ends in something like `.mdx`, `.json`, `.mp4`; `v1.2` does not.
fn has_extension(slug: &str) -> bool {
    let name = memchr::memrchr(b'/', slug.as_bytes()).map_or(slug, |slash| &slug[slash + 1..]);
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && extension.len() <= 8
            && extension.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
            && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

fn check_path(slug: &str, suffix: &str) -> Result<(), Refusal> {
    let refuse = |reason| Err(Refusal::Path { slug: slug.to_string(), reason });
    if slug.is_empty() {
        return refuse("is empty");
    }
    if slug.starts_with('/') {
        return refuse("begins with a slash; paths are relative");
    }
    if memchr::memchr2(0, b'\n', slug.as_bytes()).is_some() {
        return refuse("has a NUL or a newline in it");
    }
    if slug.len() + suffix.len() >= VPath::PATH_MAX {
        return refuse("is longer than 4,096 bytes");
    }
    if slug.starts_with(TREE_ID) {
        return refuse("is the name of the tree's own record");
    }
    // By bytes: a tree may have millions of them.
    let mut last = 0;
    for name in slug.as_bytes().split(|byte| *byte == b'/') {
        match name {
            b"" => return refuse("has an empty name in it"),
            b"." | b".." => return refuse("has `.` or `..` in it"),
            name if name.len() > VPath::NAME_MAX => return refuse("has a name of more than 255 bytes"),
            name => last = name.len(),
        }
    }
    match last + suffix.len() > VPath::NAME_MAX {
        true => refuse("has a name of more than 255 bytes"),
        false => Ok(()),
    }
}
