//! The path tree of a site: every page and folder, who may see them, and what is known of them without asking.
//!
//! One tree serves every visitor. It is compact (one text arena, a row a page, a row a folder; no map anywhere), ordered
//! so that a folder's pages and subfolders are neighbours, and immutable: a lookup is a binary search, and listing a
//! folder costs its children. Folders exist because pages are below them; each keeps the classes below it, with the
//! newest time of each, so that a folder's existence, links and time can be told for any visitor.
mod binary;
mod build;
mod json;

pub use build::{Builder, Facts, Refusal, Rules};

use super::access::{Class, ClassId, Classes, Visible};
use crate::store::PageRef;
use docsh_builtins::glob::Glob;
use std::{cmp::Ordering, fmt, ops::Range, sync::Arc};

/// Every page of a site.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Paths and titles.
    text: String,
    /// Sorted by [`order`].
    pages: Vec<Page>,
    /// In preorder: the root, its first subfolder, what is in that, ...
    folders: Vec<Folder>,
    /// The classes below each folder.
    below: Vec<Below>,
    lazy: Vec<(PageId, Lazy)>,
    classes: Classes,
    layout: Layout,
    /// Whether access rules apply.
    is_open: bool,
    version: TreeVersion,
}

/// Which tree this is: equal versions are equal trees.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TreeVersion(pub Arc<str>);

/// How the pages of the site are kept; what the tree's record says beside the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Stands between the chunks of a page.
    pub joiner: Arc<str>,
    /// Whether no line of any page is spread over two chunks, unless the page says so itself.
    pub line_aligned: bool,
    /// The address of the site on the web, without a slash at the end.
    pub base_url: Option<Arc<str>>,
    /// What pages without a suffix are shown with, e.g. `.mdx`; empty for none.
    pub page_extension: Arc<str>,
    /// Whether docsh wrote the pages, so that the ids of their chunks are known.
    pub is_own: bool,
    /// Whether the site is a folder as it is: pages have no second names, and nothing is added to them.
    pub is_plain: bool,
}

impl Default for Layout {
    /// The layout of a site whose pages are kept whole.
    fn default() -> Layout {
        Layout {
            joiner: "".into(),
            line_aligned: true,
            base_url: None,
            page_extension: "".into(),
            is_own: true,
            is_plain: false,
        }
    }
}

/// A page, by its place in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageId(pub u32);

/// A folder, by its place in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FolderId(pub u32);

/// What a path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// A page.
    Page(PageId),
    /// A folder.
    Folder(FolderId),
}

/// The sha256 of a page's text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// The hash of `text`.
    pub fn of(text: &[u8]) -> Hash {
        use sha2::Digest;
        Hash(sha2::Sha256::digest(text).into())
    }

    /// The hash written as 64 hexadecimal digits.
    pub fn from_hex(hex: &str) -> Option<Hash> {
        let mut hash = [0; 32];
        if hex.len() != 64 || !hex.is_ascii() {
            return None;
        }
        for (byte, pair) in hash.iter_mut().zip(hex.as_bytes().chunks(2)) {
            let digit = |at: usize| char::from(pair[at]).to_digit(16);
            *byte = (digit(0)? * 16 + digit(1)?) as u8;
        }
        Some(Hash(hash))
    }

    /// Its first 8 digits, which chunk ids carry.
    pub fn short(&self) -> String {
        self.to_string()[..8].to_string()
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A page whose text is not in the store.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lazy {
    /// `s3://bucket/key` or `https://host/path`.
    pub url: Arc<str>,
    /// The version that the tree speaks of.
    pub etag: Option<Arc<str>>,
}

/// One page.
#[derive(Clone, Debug)]
struct Page {
    /// Where its path begins in the arena; its title follows the path, and its address the title.
    text: u32,
    path_len: u16,
    title_len: u16,
    address_len: u16,
    class: ClassId,
    mode: u16,
    /// How many bytes of the path are `page_extension`.
    suffix_len: u8,
    flags: u8,
    /// Plus one; 0 when the tree does not say.
    chunks: u32,
    /// `UNKNOWN` when the tree does not say.
    size: u64,
    mtime: i64,
    hash: Hash,
}

const UNKNOWN: u64 = u64::MAX;
/// The page has a title, perhaps an empty one.
const TITLED: u8 = 1;
/// The page holds parts for some visitors only.
const VIEW: u8 = 2;
/// The page's text is fetched from elsewhere.
const LAZY: u8 = 4;
/// A line of the page is spread over two chunks.
const BROKEN_LINES: u8 = 8;
/// The hash of the page's text is known.
const HASHED: u8 = 16;
/// The page has an address of its own, perhaps an empty one.
const ADDRESSED: u8 = 32;

#[derive(Clone, Debug)]
struct Folder {
    /// The pages at any depth below it; the first one's path begins with the folder's.
    pages: Range<u32>,
    path_len: u16,
    /// The folder after the last one below it.
    end: u32,
    /// How many folders are directly in it.
    subfolders: u32,
    below: Range<u32>,
}

/// A class that is somewhere below a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Below {
    class: ClassId,
    newest: i64,
}

/// The order of paths: as bytes, with `/` before every other byte, so that a folder's subtree is one run and the names
/// in a folder are sorted by bytes.
pub(crate) fn order(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let rank = |byte: &u8| if *byte == b'/' { 0 } else { *byte };
    a.get(same).map(rank).cmp(&b.get(same).map(rank))
}

/// The suffixes that a page may be named without, and is published without.
pub(crate) const SUFFIXES: [&str; 2] = [".mdx", ".md"];

/// Where a page is on the web, relative to the site's address, unless the tree says otherwise: at its path, without its
/// suffix, and without a last `index`.
pub(crate) fn usual_address(path: &str) -> &str {
    let Some(page) = SUFFIXES.iter().find_map(|suffix| path.strip_suffix(suffix)) else { return path };
    match page.strip_suffix("index") {
        Some("") => "",
        Some(folder) => folder.strip_suffix('/').unwrap_or(page),
        None => page,
    }
}

impl Tree {
    /// Which tree this is.
    pub fn version(&self) -> &TreeVersion {
        &self.version
    }

    /// How its pages are kept.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The access classes of its pages.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// How many pages it has.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether it has no page.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// The root folder.
    pub const ROOT: FolderId = FolderId(0);

    /// What `path` (without a leading slash; empty for the root) names, whoever asks.
    pub fn find(&self, path: &str) -> Option<Node> {
        if path.is_empty() {
            return Some(Node::Folder(Tree::ROOT));
        }
        let page = self.pages.binary_search_by(|page| order(self.text_of(page), path));
        if let Ok(at) = page {
            return Some(Node::Page(PageId(at as u32)));
        }
        let folder = self.folders[1..].binary_search_by(|folder| order(self.folder_text(folder), path));
        folder.ok().map(|at| Node::Folder(FolderId(at as u32 + 1)))
    }

    /// The page with this path.
    pub fn page(&self, path: &str) -> Option<PageId> {
        match self.find(path)? {
            Node::Page(page) => Some(page),
            Node::Folder(_) => None,
        }
    }

    /// The page that the store knows as `slug`.
    pub fn page_of_slug(&self, slug: &str) -> Option<PageId> {
        let exact = self.page(slug).filter(|&page| self.slug(page) == slug);
        exact.or_else(|| match &*self.layout.page_extension {
            "" => None,
            suffix => self.page(&format!("{slug}{suffix}")).filter(|&page| self.slug(page) == slug),
        })
    }

    /// Every page at any depth below a folder.
    pub fn pages_below(&self, folder: FolderId) -> impl ExactSizeIterator<Item = PageId> + use<> {
        self.folders[folder.0 as usize].pages.clone().map(PageId)
    }

    /// Every page.
    pub fn pages(&self) -> impl ExactSizeIterator<Item = PageId> + use<> {
        (0..self.pages.len() as u32).map(PageId)
    }

    /// The children of a folder that exist for the session, with their names, sorted by bytes.
    pub fn children<'a>(&'a self, folder: FolderId, visible: &'a Visible) -> Children<'a> {
        let row = &self.folders[folder.0 as usize];
        let skip = if row.path_len == 0 { 0 } else { usize::from(row.path_len) + 1 };
        Children { tree: self, visible, skip, page: row.pages.start, folder: folder.0 + 1, end: row }
    }

    /// Whether the page exists for the session.
    pub fn sees_page(&self, page: PageId, visible: &Visible) -> bool {
        visible.has(self.row(page).class)
    }

    /// Whether the folder exists for the session: the root, and any folder above a page that does.
    pub fn sees_folder(&self, folder: FolderId, visible: &Visible) -> bool {
        folder == Tree::ROOT || self.below(folder).iter().any(|below| visible.has(below.class))
    }

    /// The folder's time: the newest below it that the session may see.
    pub fn folder_time(&self, folder: FolderId, visible: &Visible) -> i64 {
        let seen = self.below(folder).iter().filter(|below| visible.has(below.class));
        seen.map(|below| below.newest).max().unwrap_or(0)
    }

    /// How many subfolders of the folder exist for the session.
    pub fn subfolders(&self, folder: FolderId, visible: &Visible) -> u32 {
        let row = &self.folders[folder.0 as usize];
        if self.below(folder).iter().all(|below| visible.has(below.class)) {
            return row.subfolders;
        }
        let (mut at, mut count) = (folder.0 + 1, 0);
        while at < row.end {
            count += u32::from(self.sees_folder(FolderId(at), visible));
            at = self.folders[at as usize].end;
        }
        count
    }

    /// The path of a page, without a leading slash.
    pub fn path(&self, page: PageId) -> &str {
        self.text_of(self.row(page))
    }

    /// The name under which the store knows the page.
    pub fn slug(&self, page: PageId) -> &str {
        let path = self.path(page);
        &path[..path.len() - usize::from(self.row(page).suffix_len)]
    }

    /// Who may see the page.
    pub fn class(&self, page: PageId) -> &Class {
        &self.classes.all()[usize::from(self.row(page).class.0)]
    }

    /// What a store needs to know to read the page.
    pub fn page_ref(&self, page: PageId) -> PageRef<'_> {
        let class = self.class(page);
        PageRef {
            slug: self.slug(page),
            chunks: self.chunks(page),
            hash: self.hash(page),
            class: (!self.is_open).then_some(class),
            asker: None,
            layout: &self.layout,
            version: &self.version,
        }
    }

    /// The page's title.
    pub fn title(&self, page: PageId) -> Option<&str> {
        let row = self.row(page);
        let start = row.text as usize + usize::from(row.path_len);
        (row.flags & TITLED != 0).then(|| &self.text[start..start + usize::from(row.title_len)])
    }

    /// Where the page is on the web, relative to the site's address.
    pub fn address(&self, page: PageId) -> &str {
        let row = self.row(page);
        if row.flags & ADDRESSED == 0 {
            return usual_address(self.path(page));
        }
        let start = row.text as usize + usize::from(row.path_len) + usize::from(row.title_len);
        &self.text[start..start + usize::from(row.address_len)]
    }

    /// The page's size in bytes.
    pub fn size(&self, page: PageId) -> Option<u64> {
        Some(self.row(page).size).filter(|&size| size != UNKNOWN)
    }

    /// The page's last change, in seconds since the epoch; 0 when nobody said.
    pub fn mtime(&self, page: PageId) -> i64 {
        self.row(page).mtime
    }

    /// The page's permission bits.
    pub fn mode(&self, page: PageId) -> u16 {
        self.row(page).mode
    }

    /// How many chunks the page has.
    pub fn chunks(&self, page: PageId) -> Option<u32> {
        self.row(page).chunks.checked_sub(1)
    }

    /// The hash of the page's text.
    pub fn hash(&self, page: PageId) -> Option<Hash> {
        let row = self.row(page);
        (row.flags & HASHED != 0).then_some(row.hash)
    }

    /// Whether the page holds parts for some visitors only, and rules apply.
    pub fn is_view(&self, page: PageId) -> bool {
        self.row(page).flags & VIEW != 0 && !self.is_open
    }

    /// Let the pages whose paths match one of `patterns` hold parts for some visitors only too.
    pub(crate) fn mark_views(&mut self, patterns: &[Glob]) {
        for at in 0..self.pages.len() {
            let path = self.text_of(&self.pages[at]);
            if patterns.iter().any(|pattern| pattern.matches(path)) {
                self.pages[at].flags |= VIEW;
            }
        }
    }

    /// Whether no line of the page is spread over two chunks.
    pub fn is_line_aligned(&self, page: PageId) -> bool {
        self.layout.line_aligned && self.row(page).flags & BROKEN_LINES == 0
    }

    /// Where the page's text is, when it is not in the store.
    pub fn lazy(&self, page: PageId) -> Option<&Lazy> {
        if self.row(page).flags & LAZY == 0 {
            return None;
        }
        let at = self.lazy.binary_search_by_key(&page, |(page, _)| *page).ok()?;
        Some(&self.lazy[at].1)
    }

    fn row(&self, page: PageId) -> &Page {
        &self.pages[page.0 as usize]
    }

    fn text_of(&self, page: &Page) -> &str {
        &self.text[page.text as usize..][..usize::from(page.path_len)]
    }

    fn folder_text(&self, folder: &Folder) -> &str {
        match self.pages.get(folder.pages.start as usize) {
            Some(first) => &self.text_of(first)[..usize::from(folder.path_len)],
            None => "",
        }
    }

    fn below(&self, folder: FolderId) -> &[Below] {
        let range = &self.folders[folder.0 as usize].below;
        &self.below[range.start as usize..range.end as usize]
    }
}

/// The children of one folder; see [`Tree::children`].
pub struct Children<'a> {
    tree: &'a Tree,
    visible: &'a Visible,
    /// How much of a path is the folder's.
    skip: usize,
    /// The next page to look at, which is a child unless it is in `folder`.
    page: u32,
    folder: u32,
    end: &'a Folder,
}

impl<'a> Iterator for Children<'a> {
    type Item = (&'a str, Node);

    fn next(&mut self) -> Option<(&'a str, Node)> {
        while self.page < self.end.pages.end {
            let subfolder = (self.folder < self.end.end).then(|| &self.tree.folders[self.folder as usize]);
            if let Some(sub) = subfolder.filter(|sub| sub.pages.start == self.page) {
                let id = FolderId(self.folder);
                (self.page, self.folder) = (sub.pages.end, sub.end);
                if self.tree.sees_folder(id, self.visible) {
                    return Some((&self.tree.folder_text(sub)[self.skip..], Node::Folder(id)));
                }
            } else {
                let id = PageId(self.page);
                self.page += 1;
                if self.tree.sees_page(id, self.visible) {
                    return Some((&self.tree.path(id)[self.skip..], Node::Page(id)));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests;
