//! Where bytes come from: the bundled site and folders (`memory`), files written by `docsh ingest` (`embedded`), Chroma.
//!
//! A store knows pages by their slugs and nothing of visitors: who may see what is decided above it, in `site/`, before
//! it is asked. All of it blocks and gives up when the run is stopped; async lives behind `bridge` and nowhere else.
pub mod memory;

use crate::site::tree::{Hash, Refusal, Tree, TreeVersion};
use bytes::Bytes;
use docsh_builtins::{Cancel, Needles, Stop};
use std::sync::Arc;

/// The id of the record that holds the tree, which no page's id begins with.
pub const TREE_ID: &str = "__path_tree__";

/// A source of pages.
pub trait Store: Send + Sync {
    /// The tree, unless it is still the `known` one.
    fn tree(&self, known: Option<&TreeVersion>, cancel: &Cancel) -> Result<TreeAnswer, StoreError>;

    /// The text of each of `pages`, in their order. The outer error is the store's, an inner one that page's alone.
    fn pages(&self, pages: &[PageRef<'_>], cancel: &Cancel) -> Result<Vec<Page>, StoreError>;

    /// The slugs of all pages that contain one of `needles`: perhaps too many, never too few.
    fn search(&self, needles: &Needles, cancel: &Cancel) -> Result<SearchAnswer, StoreError>;

    /// Whether reading a page costs so little that keeping it or searching beforehand would not pay.
    fn is_resident(&self) -> bool {
        false
    }
}

/// A page to read, and what the tree says of how it is kept.
#[derive(Clone, Copy, Debug)]
pub struct PageRef<'a> {
    /// Its slug.
    pub slug: &'a str,
    /// How many chunks it has.
    pub chunks: Option<u32>,
    /// The hash of its text.
    pub hash: Option<Hash>,
}

/// The text of a page, or why there is none.
pub type Page = Result<Bytes, StoreError>;

/// The answer to [`Store::tree`].
#[derive(Debug)]
pub enum TreeAnswer {
    /// The known version is the current one.
    NotModified,
    /// The current tree.
    Tree(Box<Tree>),
}

/// The answer to [`Store::search`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchAnswer {
    /// Only pages with these slugs can match.
    Slugs(Vec<String>),
    /// Every page is a candidate.
    CannotTell,
}

/// What went wrong below the site. `Display` is one line for whoever runs docsh, naming the site and what to mend;
/// [`StoreError::cause`] is what a visitor may read.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder cannot be read.
    #[error("{folder}: {cause}")]
    Folder {
        /// The folder as named.
        folder: String,
        /// The system's words.
        cause: String,
    },
    /// The tree is not one.
    #[error("site {site}: its path tree cannot be used: {refusal}")]
    BadTree {
        /// The site's name.
        site: Arc<str>,
        /// What is wrong with it.
        refusal: Refusal,
    },
    /// A page is not as the tree says.
    #[error("site {site}: the page {slug:?} {reason}")]
    BadPage {
        /// The site's name.
        site: Arc<str>,
        /// The page.
        slug: String,
        /// What is wrong, as the end of a sentence.
        reason: String,
    },
    /// The run was stopped while waiting.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

impl StoreError {
    /// The status of a process that cannot start for this reason.
    pub fn status(&self) -> u8 {
        match self {
            StoreError::Folder { .. } | StoreError::BadTree { .. } | StoreError::BadPage { .. } => 78,
            StoreError::Stopped(stop) => stop.status(),
        }
    }

    /// The cause in a visitor's words: no host, no credential, no name of what the visitor may not see.
    pub fn cause(&self) -> Arc<str> {
        match self {
            StoreError::Folder { .. } | StoreError::BadTree { .. } => "the site cannot be read".into(),
            StoreError::BadPage { reason, .. } => format!("the page {reason}").into(),
            StoreError::Stopped(stop) => stop.to_string().into(),
        }
    }
}
