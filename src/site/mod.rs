//! What the shell sees of a site: a tree of pages and folders, pruned to the visitor.
//!
//! A [`Site`] is shared by all its sessions; a session is an [`Fs`] for one visitor over one snapshot of the tree, and
//! costs the number of access classes. Ask for a new one for each command of a long-lived shell: a command sees one
//! snapshot from its start to its end.
pub mod access;
mod docfs;
mod openapi;
mod pages;
mod search;
pub mod token;
pub mod tree;

pub use access::Visitor;

use crate::store::{
    Store, StoreError, TreeAnswer,
    chroma::{Chroma, ChromaConfig},
    embedded::Embedded,
    memory::{Memory, Skipped},
};
use docfs::DocFs;
use docsh_builtins::{Cancel, Fs};
use pages::PageCache;
use parking_lot::RwLock;
use std::{
    ffi::OsStr,
    sync::Arc,
    time::{Duration, Instant},
};
use tree::{Rules, Tree, TreeVersion};

/// A documentation site.
#[derive(Clone)]
pub struct Site(Arc<Shared>);

/// What all sessions of a site share.
struct Shared {
    store: Box<dyn Store>,
    pages: PageCache,
    tree: RwLock<Snapshot>,
    options: Options,
}

/// A tree, and when the store last said that it is the current one.
#[derive(Clone)]
struct Snapshot {
    tree: Arc<Tree>,
    since: Instant,
}

/// How a site is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether `/auth/oauth` may stand for `/auth/oauth.mdx`.
    pub suffixes: bool,
    /// How long the tree, and text without a hash, are believed.
    pub ttl: Duration,
    /// How long a tree serves while the store is down.
    pub max_stale: Duration,
    /// Page text kept in memory, in bytes.
    pub memory: u64,
}

impl Default for Options {
    fn default() -> Options {
        let (ttl, max_stale) = (Duration::from_secs(60), Duration::from_secs(3600));
        Options { suffixes: true, ttl, max_stale, memory: 64 << 20 }
    }
}

impl Site {
    /// The bundled site.
    pub fn bundled() -> Result<Site, StoreError> {
        Site::over(Memory::bundled(), Options::default(), &Cancel::new())
    }

    /// The folder `dir` of the host as it is, and what could not be taken from it.
    pub fn dir(dir: &OsStr) -> Result<(Site, Vec<Skipped>), StoreError> {
        let (store, skipped) = Memory::folder(dir)?;
        Ok((Site::over(store, Options { suffixes: false, ..Options::default() }, &Cancel::new())?, skipped))
    }

    /// The site called `name` in the file `file`, as `docsh ingest` writes it.
    pub fn embedded(name: &str, file: &OsStr, rules: Rules, options: Options) -> Result<Site, StoreError> {
        Site::over(Embedded::open(name, file, rules)?, options, &Cancel::new())
    }

    /// The site in a Chroma collection.
    pub fn chroma(config: ChromaConfig, options: Options, cancel: &Cancel) -> Result<Site, StoreError> {
        Site::over(Chroma::new(config), options, cancel)
    }

    /// The site in `store`.
    pub fn over(store: impl Store + 'static, options: Options, cancel: &Cancel) -> Result<Site, StoreError> {
        let tree = match store.tree(None, cancel)? {
            TreeAnswer::Tree(tree) => Arc::from(tree),
            TreeAnswer::NotModified => unreachable!("no version was named"),
        };
        let (store, pages) = (Box::new(store), PageCache::new(options.memory, options.ttl));
        let tree = RwLock::new(Snapshot { tree, since: Instant::now() });
        Ok(Site(Arc::new(Shared { store, pages, tree, options })))
    }

    /// The site as `visitor` sees it now.
    pub fn session(&self, visitor: &Visitor) -> Arc<dyn Fs> {
        let tree = self.0.tree.read().tree.clone();
        Arc::new(DocFs::new(self.0.clone(), tree, visitor.clone()))
    }

    /// Which tree new sessions see.
    pub fn version(&self) -> TreeVersion {
        self.0.tree.read().tree.version().clone()
    }

    /// Ask the store for a newer tree once `ttl` has passed; for long-lived processes, before a command. While the store
    /// is down the known tree serves on, up to `max_stale`: then the answer is a warning to show.
    pub fn freshen(&self, cancel: &Cancel) -> Result<Option<String>, StoreError> {
        let Snapshot { tree, since } = self.0.tree.read().clone();
        let age = since.elapsed();
        if age < self.0.options.ttl {
            return Ok(None);
        }
        match self.0.reload(tree.version(), cancel) {
            Ok(_) => Ok(None),
            Err(StoreError::Stopped(stop)) => Err(stop.into()),
            Err(error) if age < self.0.options.max_stale && error.status() == 69 => {
                Ok(Some(format!("{error}; showing what was read {} s ago", age.as_secs())))
            }
            Err(error) => Err(error),
        }
    }
}

impl Shared {
    /// The current tree, for somebody who has seen the version `seen` and found it wanting.
    fn reload(&self, seen: &TreeVersion, cancel: &Cancel) -> Result<Arc<Tree>, StoreError> {
        let current = self.tree.read().clone();
        if current.tree.version() != seen {
            return Ok(current.tree);
        }
        let tree = match self.store.tree(Some(seen), cancel)? {
            TreeAnswer::NotModified => current.tree,
            TreeAnswer::Tree(tree) => Arc::from(tree),
        };
        *self.tree.write() = Snapshot { tree: tree.clone(), since: Instant::now() };
        Ok(tree)
    }
}
