//! What the shell sees of a site: a tree of pages and folders, pruned to the visitor.
//!
//! A [`Site`] is shared by all its sessions; a session is an [`Fs`] for one visitor over one snapshot of the tree, and
//! costs the number of access classes. Ask for a new one for each command of a long-lived shell: a command sees one
//! snapshot from its start to its end.
pub mod check;
mod docfs;
mod lazy;
mod news;
mod openapi;
mod overview;
mod pages;
mod scratch;
mod search;
mod snapshot;
pub mod token;
mod warm;

pub use crate::tree::access::Visitor;
pub use news::Seen;
pub use scratch::{Scratch, SharedRoom};

#[cfg(feature = "redis")]
use crate::store::redis::Redis;
use crate::store::{
    Store, StoreError,
    chroma::{Chroma, ChromaConfig},
    disk::Disk,
    embedded::Embedded,
    lazy::{LazyConfig, LazyFiles},
    memory::{Memory, Skipped},
    shelf::{Shelf, Shelves},
};
use crate::tree::{Rules, TreeVersion};
use docfs::DocFs;
use docsh_builtins::{Cancel, Fs};
use overview::Overviews;
use pages::PageCache;
use snapshot::Snapshots;
use std::{
    ffi::{OsStr, OsString},
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize},
    },
    time::Duration,
};

/// A documentation site.
#[derive(Clone)]
pub struct Site {
    shared: Arc<Shared>,
    /// What to tell whoever opened it: that it is an old one, because the store is down.
    pub warning: Option<String>,
    /// Whether it gets overviews where it has none of its own.
    has_overviews: bool,
}

/// What all sessions of a site share.
struct Shared {
    store: Box<dyn Store>,
    pages: PageCache,
    snapshots: Snapshots,
    lazy: Arc<LazyFiles>,
    options: Options,
    /// How many recursive searches there have been.
    searches: AtomicUsize,
    /// Whether the whole site is, or has been, read ahead.
    is_warming: AtomicBool,
}

/// How a site is served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How long the tree, and text without a hash, are believed.
    pub ttl: Duration,
    /// How long a tree serves while the store is down.
    pub max_stale: Duration,
    /// Page text kept in memory, in bytes.
    pub memory: u64,
    /// The cache that the user's processes share, for sites whose store is not at hand.
    pub cache: Option<CacheFolder>,
    /// The address of the Redis that a fleet of machines shares; perhaps with a password in it.
    pub redis: Option<Secret>,
    /// Which pointers to files elsewhere are followed.
    pub lazy: LazyConfig,
    /// The largest such file that is read unasked: by a recursive search, or to take parts out of it.
    pub lazy_search: u64,
    /// From how much on a recursive search asks the store first.
    pub search_from: SearchFrom,
    /// A long-lived process that searches reads a site of up to so many bytes ahead; 0 for never.
    pub warm_limit: u64,
    /// Whether each request to the store also says what the visitor may see.
    pub acl_in_query: bool,
    /// Whether the process ends with its one run, so that a site's file may be mapped.
    pub is_brief: bool,
}

/// With less to read than this, reading it is quicker than a search, which looks at the whole collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchFrom {
    /// Pages that would have to be fetched.
    pub pages: usize,
    /// Bytes of text that is at hand.
    pub bytes: u64,
}

/// Text that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

/// A cache on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheFolder {
    /// Where.
    pub folder: OsString,
    /// The most bytes that it may hold.
    pub capacity: u64,
}

impl Default for Options {
    fn default() -> Options {
        let (ttl, max_stale) = (Duration::from_secs(60), Duration::from_secs(3600));
        Options {
            ttl,
            max_stale,
            memory: 64 << 20,
            cache: None,
            redis: None,
            lazy: LazyConfig::default(),
            lazy_search: 32 << 20,
            search_from: SearchFrom { pages: 300, bytes: 32 << 20 },
            warm_limit: 64 << 20,
            acl_in_query: false,
            is_brief: false,
        }
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
        Ok((Site::over(store, Options::default(), &Cancel::new())?, skipped))
    }

    /// The site called `name` in the file `file`, as `docsh ingest` writes it.
    pub fn embedded(name: &str, file: &OsStr, rules: Rules, options: Options) -> Result<Site, StoreError> {
        let store = Embedded::open(name, file, rules)?;
        let store = if options.is_brief { store.mapped() } else { store };
        Site::over(store, options, &Cancel::new())
    }

    /// The site in a Chroma collection.
    pub fn chroma(config: ChromaConfig, options: Options, cancel: &Cancel) -> Result<Site, StoreError> {
        Site::over(Chroma::new(config), options, cancel)
    }

    /// The site in `store`.
    pub fn over(store: impl Store + 'static, options: Options, cancel: &Cancel) -> Result<Site, StoreError> {
        let store: Box<dyn Store> = Box::new(store);
        let cache = options.cache.as_ref().filter(|_| store.identity().is_some());
        let disk = cache.map(|cache| Disk::new(cache.folder.as_ref(), options.ttl, cache.capacity));
        let (snapshots, warning) = Snapshots::open(&*store, &options, disk.clone(), cancel)?;
        let shelves = shelves(&*store, &options, disk)?;
        let pages = PageCache::new(options.memory, options.ttl, shelves);
        let lazy = Arc::new(LazyFiles::new(options.lazy.clone()));
        let (searches, is_warming) = (AtomicUsize::new(0), AtomicBool::new(false));
        let shared = Shared { store, pages, snapshots, lazy, options, searches, is_warming };
        Ok(Site { shared: Arc::new(shared), warning, has_overviews: false })
    }

    /// The same site with an `/llms.txt` and an `/AGENTS.md` made of its tree where it has none.
    pub fn with_overviews(self) -> Site {
        Site { has_overviews: true, ..self }
    }

    /// The site as `visitor` sees it now.
    pub fn session(&self, visitor: &Visitor) -> Arc<dyn Fs> {
        let overviews = self.has_overviews.then(Overviews::default);
        Arc::new(DocFs::new(self.shared.clone(), self.shared.snapshots.tree(), visitor.clone(), overviews))
    }

    /// How many pages `visitor` sees now.
    pub fn pages(&self, visitor: &Visitor) -> usize {
        let tree = self.shared.snapshots.tree();
        let visible = tree.classes().visible(visitor);
        tree.pages().filter(|&page| tree.sees_page(page, &visible)).count()
    }

    /// Which tree new sessions see.
    pub fn version(&self) -> TreeVersion {
        self.shared.snapshots.tree().version().clone()
    }

    /// What has kept a cache from serving since the site was opened, in words for whoever opened it; told once.
    pub fn trouble(&self) -> Option<&'static str> {
        self.shared.pages.trouble()
    }

    /// Ask the store for a newer tree once `ttl` has passed; for long-lived processes, before a command. While the
    /// store is down the known tree serves on, up to `max_stale`: then the answer is a warning to show.
    pub fn freshen(&self, cancel: &Cancel) -> Result<Option<String>, StoreError> {
        let warning = self.shared.snapshots.freshen(&*self.shared.store, cancel)?;
        self.warm_in_background();
        Ok(warning)
    }
}

/// What stands between memory and the store, the nearest first.
fn shelves(store: &dyn Store, options: &Options, disk: Option<Disk>) -> Result<Option<Box<dyn Shelf>>, StoreError> {
    let mut shelves: Vec<Box<dyn Shelf>> = Vec::new();
    if let Some(disk) = disk {
        shelves.push(Box::new(disk));
    }
    #[cfg(feature = "redis")]
    if let Some(Secret(url)) = options.redis.as_ref().filter(|_| store.identity().is_some()) {
        shelves.push(Box::new(Redis::new(url).map_err(|reason| StoreError::BadCache { reason })?));
    }
    #[cfg(not(feature = "redis"))]
    if options.redis.is_some() && store.identity().is_some() {
        return Err(StoreError::BadCache { reason: "cannot be used: this docsh was built without Redis".into() });
    }
    Ok((!shelves.is_empty()).then(|| Box::new(Shelves(shelves)) as Box<dyn Shelf>))
}
