//! Which tree a site shows: loaded when it is opened, from the disk while that is fresh, and looked at again when it
//! has aged or a page turns out to be another than it says.
mod kept;

use crate::{
    site::Options,
    store::{Place, Store, StoreError, TreeAnswer, disk::Disk},
    tree::Tree,
};
use docsh_builtins::Cancel;
use parking_lot::{Mutex, RwLock};
use std::{
    sync::Arc,
    thread::{self, JoinHandle},
    time::{Duration, Instant, SystemTime},
};

use crate::tree::{Hash, TreeVersion};

/// The current tree of a site.
pub(super) struct Snapshots {
    current: RwLock<Snapshot>,
    disk: Option<(Disk, Hash)>,
    /// A tree on its way to the disk.
    keeping: Mutex<Option<JoinHandle<()>>>,
    ttl: Duration,
    max_stale: Duration,
}

/// A tree, and when the store last said that it is the current one.
#[derive(Clone)]
struct Snapshot {
    tree: Arc<Tree>,
    since: Instant,
}

impl Snapshots {
    /// The tree of `store`, and a warning to show when it is an old one because the store is down.
    pub(super) fn open(
        store: &dyn Store,
        options: &Options,
        disk: Option<Disk>,
        cancel: &Cancel,
    ) -> Result<(Snapshots, Option<String>), StoreError> {
        let disk = disk.zip(store.tree_identity());
        let kept = disk.as_ref().and_then(|(disk, key)| kept::get(disk, key));
        let now = Instant::now();
        let snapshot = |tree, since| Snapshots {
            current: RwLock::new(Snapshot { tree, since }),
            disk: disk.clone(),
            keeping: Mutex::default(),
            ttl: options.ttl,
            max_stale: options.max_stale,
        };
        match kept {
            Some((tree, age, place)) => {
                // Where the store is, is believed for as long as a tree of a store that is down.
                let is_fresh = |place: &Place| {
                    SystemTime::now().duration_since(place.found).is_ok_and(|age| age < options.max_stale)
                };
                if let Some(place) = place.filter(is_fresh) {
                    store.take_place(place);
                }
                let snapshots = snapshot(Arc::new(tree), now.checked_sub(age).unwrap_or(now));
                let warning = snapshots.freshen_aged(age, store, cancel)?;
                Ok((snapshots, warning))
            }
            None => match store.tree(None, cancel)? {
                TreeAnswer::Tree(tree) => {
                    let snapshots = snapshot(Arc::from(tree), now);
                    snapshots.keep(store);
                    Ok((snapshots, None))
                }
                TreeAnswer::NotModified => unreachable!("no version was named"),
            },
        }
    }

    /// The tree that new sessions see.
    pub(super) fn tree(&self) -> Arc<Tree> {
        self.current.read().tree.clone()
    }

    /// Ask the store for a newer tree once `ttl` has passed. While the store is down the known one serves on, up to
    /// `max_stale`: then the answer is a warning to show.
    pub(super) fn freshen(&self, store: &dyn Store, cancel: &Cancel) -> Result<Option<String>, StoreError> {
        let age = self.current.read().since.elapsed();
        self.freshen_aged(age, store, cancel)
    }

    fn freshen_aged(&self, age: Duration, store: &dyn Store, cancel: &Cancel) -> Result<Option<String>, StoreError> {
        if age < self.ttl {
            return Ok(None);
        }
        let seen = self.tree().version().clone();
        match self.reload(&seen, store, cancel) {
            Ok(_) => Ok(None),
            Err(error) if age < self.max_stale && error.status() == 69 => {
                Ok(Some(format!("{error}; showing what was read {} s ago", age.as_secs())))
            }
            Err(error) => Err(error),
        }
    }

    /// The current tree, for somebody who has seen the version `seen` and found it wanting.
    pub(super) fn reload(
        &self,
        seen: &TreeVersion,
        store: &dyn Store,
        cancel: &Cancel,
    ) -> Result<Arc<Tree>, StoreError> {
        let current = self.tree();
        if current.version() != seen {
            return Ok(current);
        }
        let place = store.place();
        let (tree, is_new) = match store.tree(Some(seen), cancel)? {
            TreeAnswer::NotModified => (current, false),
            TreeAnswer::Tree(tree) => (Arc::from(tree), true),
        };
        *self.current.write() = Snapshot { tree: tree.clone(), since: Instant::now() };
        match &self.disk {
            Some((disk, key)) if !is_new && place == store.place() => disk.confirm_tree(key),
            _ => self.keep(store),
        }
        Ok(tree)
    }

    /// Keep the tree on the disk, while the store is asked on.
    fn keep(&self, store: &dyn Store) {
        let Some((disk, key)) = self.disk.clone() else { return };
        let (tree, place) = (self.tree(), store.place());
        let mut keeping = self.keeping.lock();
        let before = keeping.take();
        let keep = move || {
            // The newer tree must come after the older one.
            before.map(JoinHandle::join);
            kept::put(&disk, &key, &tree, place.as_ref());
        };
        // Without a thread to be had it is not kept: a cache may lose anything.
        *keeping = thread::Builder::new().name("keep".into()).spawn(keep).ok();
    }
}

impl Drop for Snapshots {
    /// A process that ends waits for what it keeps.
    fn drop(&mut self) {
        if let Some(keeping) = self.keeping.lock().take() {
            // A panic there has said what it had to say.
            let _ = keeping.join();
        }
    }
}
