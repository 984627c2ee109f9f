//! A cache on the disk, shared by the processes of one user: a file a page, a file a tree, a file for what is known of
//! a folder that is ingested.
//!
//! Files are written beside their place and renamed into it, so that readers and writers need no lock; each ends in a
//! checksum, so that one torn by a power loss is a miss. Only its owner can read the folder. Trees hold the access
//! rules and never leave it.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "the cache is a folder of the host")]
mod room;

pub use room::DiskStats;

use super::shelf::{Shelf, ShelfKey};
use crate::tree::Hash;
use bytes::Bytes;
use docsh_builtins::Cancel;
use std::{
    ffi::OsStr,
    fs,
    io::{self, Read, Write},
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
/// The folder of the trees; pages are in folders named by the first two digits of their own names.
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
    pub(crate) fn tree(&self, key: &Hash) -> Option<(Vec<u8>, Duration)> {
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
    pub(crate) fn folder(&self, key: &Hash) -> Option<Vec<u8>> {
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
        let name = key.id.to_string();
        self.folder.join(&name[..2]).join(name)
    }

    /// What a file holds, and its age; nothing of a file that is not whole.
    fn read(&self, file: &Path) -> Option<(Vec<u8>, Duration)> {
        let mut file = fs::File::open(file).ok()?;
        // The age is that of what is read: under the same name there may be another file by now.
        let meta = file.metadata().ok()?;
        let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).ok()?);
        file.read_to_end(&mut bytes).ok()?;
        let split = bytes.len().checked_sub(TRAILER)?;
        let sum = u64::from_le_bytes(bytes[split..].try_into().ok()?);
        bytes.truncate(split);
        if sum != xxh3_64(&bytes) {
            return None;
        }
        let modified = meta.modified().ok()?;
        // A file from the future is as old as it can be.
        let age = SystemTime::now().duration_since(modified).unwrap_or(Duration::MAX);
        Some((bytes, age))
    }

    /// Write a file of these parts.
    fn write(&self, file: &Path, parts: &[&[u8]]) -> io::Result<()> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let new = self.folder.join(format!("{NEW}{}-{number}", process::id()));
        let open = || fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new);
        let folder = |path: &Path| fs::DirBuilder::new().recursive(true).mode(0o700).create(path);
        let mut handle = match open() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                folder(&self.folder)?;
                open()?
            }
            opened => opened?,
        };
        let mut fill = || {
            let mut sum = Xxh3::new();
            for part in parts {
                sum.update(part);
                handle.write_all(part)?;
            }
            handle.write_all(&sum.digest().to_le_bytes())
        };
        let rename = || match fs::rename(&new, file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                file.parent().map_or(Ok(()), folder)?;
                fs::rename(&new, file)
            }
            renamed => renamed,
        };
        let written = fill().and_then(|()| rename());
        if written.is_err() {
            // On a full disk, what was begun is in the way of everybody.
            let _ = fs::remove_file(&new);
        }
        if self.is_time_to_sweep(parts.iter().map(|part| part.len() as u64).sum()) {
            self.sweep();
        }
        written
    }
}

impl Shelf for Disk {
    fn get(&self, keys: &[ShelfKey], _: &Cancel) -> Vec<Option<Bytes>> {
        let read = |key: &ShelfKey| {
            let (text, age) = self.read(&self.page_file(key))?;
            (key.is_lasting || age < self.ttl).then(|| Bytes::from(text))
        };
        keys.iter().map(read).collect()
    }

    fn put(&self, texts: &[(ShelfKey, Bytes)], _: &Cancel) {
        for (key, text) in texts {
            if self.write(&self.page_file(key), &[text]).is_err() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests;
