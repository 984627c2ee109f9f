//! Where bytes come from: the bundled site and folders (`memory`), files written by `docsh ingest` (`embedded`),
//! Chroma.
//!
//! A store knows pages by their slugs, and of visitors only what an `Asker` says, where a server is to filter as well:
//! who may see what is decided above it, in `site/`, before it is asked. All of it blocks and gives up when the run is
//! stopped; async lives behind `bridge` and nowhere else.
mod abandoned;
mod answer;
mod bridge;
pub mod chroma;
pub mod disk;
pub mod embedded;
mod error;
mod http;
pub mod lazy;
mod mapped;
pub mod memory;
#[cfg(feature = "redis")]
pub mod redis;
mod retry;
pub mod shelf;
mod tls;

pub use crate::tree::{PageRef, TREE_ID};
pub use error::StoreError;
pub use tls::trust_native_certificates;

use crate::tree::{
    Hash, Layout, Tree, TreeVersion,
    access::{Asker, Class},
};
use bytes::Bytes;
use docsh_builtins::{Cancel, Needles};
use serde::{Deserialize, Serialize};
use std::{ops::Range, time::SystemTime};

/// A source of pages.
pub trait Store: Send + Sync {
    /// The tree, unless it is still the `known` one.
    fn tree(&self, known: Option<&TreeVersion>, cancel: &Cancel) -> Result<TreeAnswer, StoreError>;

    /// The text of each of `pages`, in their order. The outer error is the store's, an inner one that page's alone.
    fn pages(&self, pages: &[PageRef<'_>], cancel: &Cancel) -> Result<Vec<Page>, StoreError>;

    /// All pages that contain one of `needles`: perhaps too many, never too few.
    fn search(
        &self,
        needles: &Needles,
        layout: &Layout,
        asker: Option<&Asker>,
        cancel: &Cancel,
    ) -> Result<SearchAnswer, StoreError>;

    /// What only the store's own records tell: `found` is told slugs and what is wrong with them, as the end of a
    /// sentence.
    fn audit(&self, _: &Tree, _: &mut dyn FnMut(&str, &str), _: &Cancel) -> Result<(), StoreError> {
        Ok(())
    }

    /// What names this store among all others, for caches that several sites share; `None` for one that needs no cache.
    fn identity(&self) -> Option<Hash> {
        None
    }

    /// The same for its tree: what is made of the tree's record depends on the site's configuration too.
    fn tree_identity(&self) -> Option<Hash> {
        None
    }

    /// Where it has found its pages to be, for the next process to save the request that asks.
    fn place(&self) -> Option<Place> {
        None
    }

    /// Where another process has found them. They may have moved: then the store notices, and asks.
    fn take_place(&self, _: Place) {}

    /// Whether reading a page costs so little that keeping it or searching beforehand would not pay.
    fn is_resident(&self) -> bool {
        false
    }
}

/// A store that `docsh ingest` writes to. Readers see the old site until [`Writer::put_tree`] returns, and the new one
/// from then on; a writer that is killed leaves the old site, and the next one repairs the rest.
pub trait Writer {
    /// The tree that readers see now, if there is one, to tell what has changed.
    fn current(&mut self, cancel: &Cancel) -> Result<Option<Tree>, StoreError>;

    /// Whether the store holds the text of this page, so that it need not be written again.
    fn holds(&self, page: &NewPage) -> bool;

    /// Whether the store has, beside its pages, all that it is to have of the current tree. What lacks is made anew,
    /// though nothing else has changed.
    fn is_complete(&self) -> bool {
        true
    }

    /// Tell what the new tree will be and which pages it names, before anything is written.
    fn name(&mut self, tree: &NewTree, pages: &[&NewPage]);

    /// Write pages, unseen by readers.
    fn put_pages(&mut self, pages: &[&NewPage], cancel: &Cancel) -> Result<(), StoreError>;

    /// Make the new tree, which names exactly `pages`, the one that readers see. Their texts are not needed any more.
    fn put_tree(&mut self, tree: &NewTree, pages: &[&NewPage], cancel: &Cancel) -> Result<(), StoreError>;

    /// Delete what no tree names any more, and tell how many records that were.
    fn sweep(&mut self, cancel: &Cancel) -> Result<usize, StoreError>;
}

/// A page as ingest has read it.
#[derive(Clone, Debug)]
pub struct NewPage {
    /// Its relative path.
    pub slug: String,
    /// Its text.
    pub body: Bytes,
    /// The hash of its text.
    pub hash: Hash,
    /// Where its chunks are; together they are the text.
    pub chunks: Vec<Range<usize>>,
    /// Who may see it.
    pub class: Class,
}

/// A tree to be written.
#[derive(Clone, Debug)]
pub struct NewTree {
    /// The object of all pages.
    pub json: Vec<u8>,
    /// The hash of `json`.
    pub version: String,
    /// The address of the site on the web.
    pub base_url: Option<String>,
    /// Whether the site is a folder as it is.
    pub is_plain: bool,
}

/// Where a store has found its pages to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// In the store's own words.
    pub words: String,
    /// When it was asked.
    pub found: SystemTime,
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
    /// Only these pages can match.
    Pages(Vec<Hit>),
    /// Every page is a candidate.
    CannotTell,
}

/// A page with a needle in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Hit {
    /// Its slug.
    pub slug: String,
    /// The beginning of the hash of the text that was searched, where the store tells: [`Hash::short`].
    pub version: Option<String>,
}
