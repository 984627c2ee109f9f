//! What the shell sees of a site: a tree of pages and folders, pruned to the visitor.
//!
//! A [`Site`] is shared by all its sessions; a session is an [`Fs`] for one visitor over one snapshot of the tree, and
//! costs the number of access classes. Ask for a new one for each command of a long-lived shell: a command sees one
//! snapshot from its start to its end.
pub mod access;
mod docfs;
mod pages;
pub mod tree;

pub use access::Visitor;

use crate::store::{
    Store, StoreError, TreeAnswer,
    memory::{Memory, Skipped},
};
use docfs::DocFs;
use docsh_builtins::{Cancel, Fs};
use pages::PageCache;
use parking_lot::RwLock;
use std::{ffi::OsStr, sync::Arc, time::Duration};
use tree::{Tree, TreeVersion};

/// Page text kept in memory, in bytes.
const MEMORY: u64 = 64 << 20;
/// How long what has no hash is believed.
const TTL: Duration = Duration::from_secs(60);

/// A documentation site.
#[derive(Clone)]
pub struct Site(Arc<Shared>);

/// What all sessions of a site share.
struct Shared {
    store: Box<dyn Store>,
    pages: PageCache,
    tree: RwLock<Arc<Tree>>,
    /// Whether `/auth/oauth` may stand for `/auth/oauth.mdx`.
    suffixes: bool,
}

impl Site {
    /// The bundled site.
    pub fn bundled() -> Result<Site, StoreError> {
        Site::open(Memory::bundled(), true, &Cancel::new())
    }

    /// The folder `dir` of the host as it is, and what could not be taken from it.
    pub fn dir(dir: &OsStr) -> Result<(Site, Vec<Skipped>), StoreError> {
        let (store, skipped) = Memory::folder(dir)?;
        Ok((Site::open(store, false, &Cancel::new())?, skipped))
    }

    fn open(store: impl Store + 'static, suffixes: bool, cancel: &Cancel) -> Result<Site, StoreError> {
        let tree = match store.tree(None, cancel)? {
            TreeAnswer::Tree(tree) => Arc::from(tree),
            TreeAnswer::NotModified => unreachable!("no version was named"),
        };
        let (store, pages) = (Box::new(store), PageCache::new(MEMORY, TTL));
        Ok(Site(Arc::new(Shared { store, pages, tree: RwLock::new(tree), suffixes })))
    }

    /// The site as `visitor` sees it now.
    pub fn session(&self, visitor: &Visitor) -> Arc<dyn Fs> {
        let tree = self.0.tree.read().clone();
        let visible = tree.classes().visible(visitor);
        Arc::new(DocFs::new(self.0.clone(), tree, visible))
    }

    /// Which tree new sessions see.
    pub fn version(&self) -> TreeVersion {
        self.0.tree.read().version().clone()
    }
}
