//! The path tree of a site: every page and folder, who may see them, and what is known of them without asking.
//!
//! One tree serves every visitor. It is compact (one run of bytes: a row a page, a row a folder, their text; no map
//! anywhere), ordered so that a folder's pages and subfolders are neighbours, and immutable: a lookup is a binary
//! search, and listing a folder costs its children. Folders exist because pages are below them; each keeps the classes
//! below it, with the newest time of each, so that a folder's existence, links and time can be told for any visitor.
pub mod access;
mod binary;
mod build;
mod folder;
mod hash;
mod json;
mod page;
mod paths;
mod rows;
mod tables;

pub use build::{Builder, Facts, Refusal, Rules};
pub use folder::Children;
pub use hash::Hash;
pub use page::PageRef;
pub(crate) use paths::{SUFFIXES, order, usual_address};

use access::Classes;
use std::sync::Arc;
use tables::{Tables, search};

/// The id of the record that holds the tree in a collection, which no page's id begins with.
pub const TREE_ID: &str = "__path_tree__";

/// Every page of a site.
#[derive(Clone, Debug)]
pub struct Tree {
    head: Head,
    /// Pages, sorted by [`order`]; folders in preorder: the root, its first subfolder, what is in that, ...; and the
    /// classes below each folder.
    tables: Tables,
}

/// What is told of a tree beside its tables.
#[derive(Clone, Debug)]
struct Head {
    lazy: Vec<(PageId, Lazy)>,
    classes: Classes,
    layout: Layout,
    /// Whether no access rules apply.
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

impl PageId {
    /// The page behind it.
    pub fn next(self) -> PageId {
        PageId(self.0.saturating_add(1))
    }
}

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

/// A page whose text is not in the store.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lazy {
    /// `s3://bucket/key` or `https://host/path`.
    pub url: Arc<str>,
    /// The version that the tree speaks of.
    pub etag: Option<Arc<str>>,
}

impl Tree {
    /// Which tree this is.
    pub fn version(&self) -> &TreeVersion {
        &self.head.version
    }

    /// How its pages are kept.
    pub fn layout(&self) -> &Layout {
        &self.head.layout
    }

    /// The access classes of its pages.
    pub fn classes(&self) -> &Classes {
        &self.head.classes
    }

    /// How many pages it has.
    pub fn len(&self) -> usize {
        self.tables.page_count() as usize
    }

    /// Whether it has no page.
    pub fn is_empty(&self) -> bool {
        self.tables.page_count() == 0
    }

    /// The root folder.
    pub const ROOT: FolderId = FolderId(0);

    /// What `path` (without a leading slash; empty for the root) names, whoever asks.
    pub fn find(&self, path: &str) -> Option<Node> {
        if path.is_empty() {
            return Some(Node::Folder(Tree::ROOT));
        }
        let tables = &self.tables;
        let page = search(0..tables.page_count(), |at| order(tables.path(&tables.page(at)), path));
        if let Some(at) = page {
            return Some(Node::Page(PageId(at)));
        }
        self.folder(path).map(Node::Folder)
    }

    /// The same where it is most likely `likely`: paths that are asked for in their order are found without a search.
    pub fn find_near(&self, path: &str, likely: Option<PageId>) -> Option<Node> {
        match likely.filter(|page| page.0 < self.tables.page_count() && self.path(*page) == path) {
            Some(page) => Some(Node::Page(page)),
            None => self.find(path),
        }
    }

    /// The folder with this path.
    pub fn folder(&self, path: &str) -> Option<FolderId> {
        if path.is_empty() {
            return Some(Tree::ROOT);
        }
        let tables = &self.tables;
        let folder = search(1..tables.folder_count(), |at| order(tables.folder_path(&tables.folder(at)), path));
        folder.map(FolderId)
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
        exact.or_else(|| match &*self.layout().page_extension {
            "" => None,
            suffix => self.page(&format!("{slug}{suffix}")).filter(|&page| self.slug(page) == slug),
        })
    }

    /// Every page.
    pub fn pages(&self) -> impl ExactSizeIterator<Item = PageId> + use<> {
        (0..self.tables.page_count()).map(PageId)
    }
}

#[cfg(test)]
mod tests;
