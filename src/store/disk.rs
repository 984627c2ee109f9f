//! A cache on the disk, shared by the processes of one user: a file a page, a file a tree.
//!
//! Files are written beside their place and renamed into it, so that readers and writers need no lock; each ends in a
//! checksum, so that one torn by a power loss is a miss. Only its owner can read the folder. Trees hold the access rules
//! and never leave it.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "the cache is a folder of the host")]
use super::shelf::{Shelf, ShelfKey};
use crate::site::tree::Hash;
use bytes::Bytes;
use docsh_builtins::Cancel;
use std::{
    ffi::OsStr,
    fs,
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, SystemTime},
};
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of the checksum at the end of a file.
const TRAILER: usize = 8;
/// Files that were never renamed are swept away when they are this old.
const STRAY: Duration = Duration::from_secs(3600);
/// One write in so many looks at the size of the whole.
const SWEEP: u32 = 64;

/// A folder of cached files.
#[derive(Clone, Debug)]
pub struct Disk {
    folder: PathBuf,
    /// How long text without a hash is believed.
    ttl: Duration,
    /// The most bytes that it may hold.
    capacity: u64,
}

impl Disk {
    /// The cache in `folder`, which is made when something is kept.
    pub fn new(folder: &OsStr, ttl: Duration, capacity: u64) -> Disk {
        Disk { folder: folder.into(), ttl, capacity }
    }

    /// The tree kept under `key`, and how long ago the store said that it is the current one.
    pub(crate) fn tree(&self, key: &Hash) -> Option<(Vec<u8>, Duration)> {
        self.read(&self.tree_file(key))
    }

    /// Keep a tree.
    pub(crate) fn put_tree(&self, key: &Hash, tree: &[u8]) {
        // A cache that cannot be written is none; the site works without.
        let _ = self.write(&self.tree_file(key), tree);
    }

    /// The tree kept under `key` is the current one, says the store.
    pub(crate) fn confirm_tree(&self, key: &Hash) {
        let file = fs::OpenOptions::new().write(true).open(self.tree_file(key));
        let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
    }

    fn tree_file(&self, key: &Hash) -> PathBuf {
        self.folder.join("trees").join(key.to_string())
    }

    fn page_file(&self, key: &ShelfKey) -> PathBuf {
        let name = key.id.to_string();
        self.folder.join(&name[..2]).join(name)
    }

    /// What a file holds, and its age; nothing of a file that is not whole.
    fn read(&self, file: &Path) -> Option<(Vec<u8>, Duration)> {
        let mut bytes = fs::read(file).ok()?;
        let split = bytes.len().checked_sub(TRAILER)?;
        let sum = u64::from_le_bytes(bytes[split..].try_into().ok()?);
        bytes.truncate(split);
        if sum != xxh3_64(&bytes) {
            return None;
        }
        let modified = fs::metadata(file).and_then(|meta| meta.modified()).ok()?;
        // A file from the future is as old as it can be.
        let age = SystemTime::now().duration_since(modified).unwrap_or(Duration::MAX);
        Some((bytes, age))
    }

    fn write(&self, file: &Path, bytes: &[u8]) -> io::Result<()> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let new = self.folder.join(format!("new-{}-{number}", process::id()));
        let open = || fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new);
        let folder = |path: &Path| fs::DirBuilder::new().recursive(true).mode(0o700).create(path);
        let mut handle = match open() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                folder(&self.folder)?;
                open()?
            }
            opened => opened?,
        };
        handle.write_all(bytes)?;
        handle.write_all(&xxh3_64(bytes).to_le_bytes())?;
        drop(handle);
        let renamed = match fs::rename(&new, file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                file.parent().map_or(Ok(()), folder)?;
                fs::rename(&new, file)
            }
            renamed => renamed,
        };
        if renamed.is_err() {
            let _ = fs::remove_file(&new);
        }
        if (process::id() ^ number).is_multiple_of(SWEEP) {
            self.sweep();
        }
        renamed
    }

    /// Remove what was never finished, and the oldest files until the rest fits.
    fn sweep(&self) {
        let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        let folders = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for entry in folders {
            let Ok(meta) = entry.metadata() else { continue };
            if meta.is_dir() {
                let inside = fs::read_dir(entry.path()).into_iter().flatten().flatten();
                files.extend(inside.filter_map(|entry| {
                    let meta = entry.metadata().ok()?;
                    Some((meta.modified().ok()?, meta.len(), entry.path()))
                }));
            } else if meta.modified().is_ok_and(|time| time.elapsed().is_ok_and(|age| age > STRAY)) {
                let _ = fs::remove_file(entry.path());
            }
        }
        let mut total: u64 = files.iter().map(|(_, size, _)| size).sum();
        if total <= self.capacity {
            return;
        }
        files.sort();
        // Some room, so that the next write does not sweep again.
        let goal = self.capacity / 10 * 9;
        for (_, size, path) in files {
            if total <= goal {
                return;
            }
            if fs::remove_file(path).is_ok() {
                total -= size;
            }
        }
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
            if self.write(&self.page_file(key), text).is_err() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn key(name: &str, is_lasting: bool) -> ShelfKey {
        ShelfKey { id: Hash::of(name.as_bytes()), is_lasting }
    }

    fn get(disk: &Disk, key: ShelfKey) -> Option<Bytes> {
        disk.get(&[key], &Cancel::new()).pop().flatten()
    }

    #[test]
    fn what_is_kept_is_found_by_the_next_process() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("cache/v1");
        let disk = Disk::new(folder.as_os_str(), Duration::ZERO, 1 << 20);
        let (lasting, passing) = (key("a", true), key("b", false));
        disk.put(&[(lasting, "text".into()), (passing, "text".into())], &Cancel::new());
        disk.put_tree(&lasting.id, b"tree");
        let next = Disk::new(folder.as_os_str(), Duration::ZERO, 1 << 20);
        assert_eq!((get(&next, lasting), get(&next, passing)), (Some("text".into()), None));
        assert_eq!(get(&Disk::new(folder.as_os_str(), Duration::from_secs(60), 1 << 20), passing), Some("text".into()));
        assert_eq!(next.tree(&lasting.id).map(|(tree, _)| tree), Some(b"tree".to_vec()));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&folder), mode(&next.tree_file(&lasting.id))), (0o700, 0o600));
    }

    #[test]
    fn a_torn_file_is_a_miss() {
        let dir = tempfile::tempdir().unwrap();
        let disk = Disk::new(dir.path().as_os_str(), Duration::ZERO, 1 << 20);
        let key = key("a", true);
        disk.put(&[(key, "some text".into())], &Cancel::new());
        let file = disk.page_file(&key);
        let whole = fs::read(&file).unwrap();
        for length in 0..whole.len() {
            fs::write(&file, &whole[..length]).unwrap();
            assert_eq!(get(&disk, key), None, "{length} bytes");
        }
        let mut flipped = whole;
        flipped[3] ^= 1;
        fs::write(&file, flipped).unwrap();
        assert_eq!(get(&disk, key), None);
    }

    #[test]
    fn the_oldest_go_when_it_is_full() {
        let dir = tempfile::tempdir().unwrap();
        let disk = Disk::new(dir.path().as_os_str(), Duration::ZERO, 1000);
        let keys: Vec<ShelfKey> = (0..20).map(|n| key(&n.to_string(), true)).collect();
        for (age, key) in keys.iter().enumerate() {
            disk.put(&[(*key, vec![b'x'; 92].into())], &Cancel::new());
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(age as u64);
            let _ = fs::File::options().write(true).open(disk.page_file(key)).and_then(|file| file.set_modified(time));
        }
        let stray = dir.path().join("new-1-1");
        fs::write(&stray, "x").unwrap();
        fs::File::options().write(true).open(&stray).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        disk.sweep();
        let kept: Vec<usize> = (0..20).filter(|&n| get(&disk, keys[n]).is_some()).collect();
        assert_eq!(kept, (11..20).collect::<Vec<_>>());
        assert!(!stray.exists());
    }
}
