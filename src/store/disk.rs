//! A cache on the disk, shared by the processes of one user: a name for each page, which is one of a file with others
//! that came with it (`pack`), a file a tree, a file for what is known of a folder that is ingested.
//!
//! Files are written beside their place and get their names when they are whole, so that readers and writers need no
//! lock; each has checksums, so that one torn by a power loss is a miss. Only its owner can read the folder. Trees hold
//! the access rules and never leave it.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "the cache is a folder of the host")]
mod pack;
mod room;

pub use room::DiskStats;

use super::{
    mapped,
    shelf::{Shelf, ShelfKey},
};
use crate::tree::Hash;
use bytes::Bytes;
use docsh_builtins::Cancel;
use std::{
    ffi::OsStr,
    fs,
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    process,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Bytes of the checksum at the end of a file.
const TRAILER: usize = 8;
/// The folder of the pages, and of answers to searches.
const PAGES: &str = "pages";
/// The folder of the trees.
const TREES: &str = "trees";
/// The folder of what is known of ingested folders.
const FOLDERS: &str = "folders";
/// What the names of files begin with that are being written; the writer's process and a number follow.
const NEW: &str = "new-";

/// A folder of cached files.
#[derive(Clone, Debug)]
pub struct Disk {
    folder: PathBuf,
    /// How long text without a hash is believed.
    ttl: Duration,
    /// The most bytes that it may hold.
    capacity: u64,
    /// Bytes that this process has written.
    written: Arc<AtomicU64>,
}

impl Disk {
    /// The cache in `folder`, which is made when something is kept.
    pub fn new(folder: &OsStr, ttl: Duration, capacity: u64) -> Disk {
        Disk { folder: folder.into(), ttl, capacity, written: Arc::default() }
    }

    /// The tree kept under `key`, and how long ago the store said that it is the current one.
    pub(crate) fn tree(&self, key: &Hash) -> Option<(Bytes, Duration)> {
        self.read(&self.tree_file(key))
    }

    /// Keep a tree, which is these parts one after the other.
    pub(crate) fn put_tree(&self, key: &Hash, tree: &[&[u8]]) {
        // A cache that cannot be written is none; the site works without.
        let _ = self.write(&self.tree_file(key), tree);
    }

    /// The tree kept under `key` is the current one, says the store.
    pub(crate) fn confirm_tree(&self, key: &Hash) {
        let file = fs::OpenOptions::new().write(true).open(self.tree_file(key));
        let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
    }

    /// What is known of an ingested folder.
    pub(crate) fn folder(&self, key: &Hash) -> Option<Bytes> {
        self.read(&self.folder_file(key)).map(|(bytes, _)| bytes)
    }

    /// Keep what is known of an ingested folder.
    pub(crate) fn put_folder(&self, key: &Hash, known: &[u8]) {
        let _ = self.write(&self.folder_file(key), &[known]);
    }

    fn folder_file(&self, key: &Hash) -> PathBuf {
        self.folder.join(FOLDERS).join(key.to_string())
    }

    fn tree_file(&self, key: &Hash) -> PathBuf {
        self.folder.join(TREES).join(key.to_string())
    }

    fn page_file(&self, key: &ShelfKey) -> PathBuf {
        self.folder.join(PAGES).join(key.id.to_string())
    }

    /// What a file holds, and its age; nothing of a file that is not whole.
    fn read(&self, file: &Path) -> Option<(Bytes, Duration)> {
        let file = fs::File::open(file).ok()?;
        // The age is that of what is read: under the same name there may be another file by now.
        let meta = file.metadata().ok()?;
        let mut bytes = mapped::part(&file, 0, usize::try_from(meta.len()).ok()?).ok()?;
        let split = bytes.len().checked_sub(TRAILER)?;
        let sum = u64::from_le_bytes(bytes[split..].try_into().ok()?);
        bytes.truncate(split);
        if sum != xxh3_64(&bytes) {
            return None;
        }
        Some((bytes, age(&meta)?))
    }

    /// Write a file of these parts.
    fn write(&self, file: &Path, parts: &[&[u8]]) -> io::Result<()> {
        self.put_file(file, |handle| {
            let (mut sum, mut length) = (Xxh3::new(), TRAILER as u64);
            for part in parts {
                sum.update(part);
                length += part.len() as u64;
                handle.write_all(part)?;
            }
            handle.write_all(&sum.digest().to_le_bytes())?;
            Ok(length)
        })
    }

    /// Put a file in its place, whatever is there so far. `fill` writes it, and tells how long it is.
    fn put_file(&self, file: &Path, fill: impl FnOnce(&mut fs::File) -> io::Result<u64>) -> io::Result<()> {
        let new = self.make(fill)?;
        let renamed = match fs::rename(&new, file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let made = file.parent().map_or(Ok(()), make_folder);
                made.and_then(|()| fs::rename(&new, file))
            }
            renamed => renamed,
        };
        renamed.inspect_err(|_| drop(fs::remove_file(&new)))
    }

    /// Make a file that has no place yet.
    fn make(&self, fill: impl FnOnce(&mut fs::File) -> io::Result<u64>) -> io::Result<PathBuf> {
        let new = self.new_name();
        let open = || fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new);
        let mut handle = match open() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                make_folder(&self.folder)?;
                open()?
            }
            opened => opened?,
        };
        // On a full disk, what was begun is in the way of everybody.
        let length = fill(&mut handle).inspect_err(|_| drop(fs::remove_file(&new)))?;
        if self.is_time_to_sweep(length) {
            self.sweep();
        }
        Ok(new)
    }

    /// A name for a file that is being written, which no other has.
    fn new_name(&self) -> PathBuf {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        self.folder.join(format!("{NEW}{}-{number}", process::id()))
    }
}

/// Make a folder that only its owner can read, and those above it.
fn make_folder(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// How long ago a file was written. One from the future is as old as it can be.
fn age(meta: &fs::Metadata) -> Option<Duration> {
    let modified = meta.modified().ok()?;
    Some(SystemTime::now().duration_since(modified).unwrap_or(Duration::MAX))
}

impl Shelf for Disk {
    fn get(&self, keys: &[ShelfKey], _: &Cancel) -> Vec<Option<Bytes>> {
        let read = |key: &ShelfKey| {
            let file = fs::File::open(self.page_file(key)).ok()?;
            // The age is that of what is read: under the same name there may be another file by now.
            let meta = file.metadata().ok()?;
            let is_fresh = key.is_lasting || age(&meta)? < self.ttl;
            let text = if is_fresh { pack::read(&file, meta.len(), &key.id) } else { None };
            text.map(Bytes::from)
        };
        keys.iter().map(read).collect()
    }

    fn put(&self, texts: &[(ShelfKey, Bytes)], _: &Cancel) {
        // A cache that cannot be written is none; the site works without.
        let _ = self.put_pages(texts);
    }
}

#[cfg(test)]
mod tests;
