//! A cache on the disk, shared by the processes of one user: a file a page, a file a tree.
//!
//! Files are written beside their place and renamed into it, so that readers and writers need no lock; each ends in a
//! checksum, so that one torn by a power loss is a miss. Only its owner can read the folder. Trees hold the access rules
//! and never leave it.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "the cache is a folder of the host")]
use super::{
    abandoned::is_abandoned,
    shelf::{Shelf, ShelfKey},
};
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
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of the checksum at the end of a file.
const TRAILER: usize = 8;
/// The size of the whole is looked at each time that a process has written such a part of what it may be.
const SWEEPS: u64 = 64;
/// The folder of the trees; pages are in folders named by the first two digits of their own names.
const TREES: &str = "trees";
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
        self.folder.join(TREES).join(key.to_string())
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
        if self.is_time_to_sweep(bytes.len() as u64) {
            self.sweep();
        }
        renamed
    }

    /// Whether this process passes, with these bytes, a mark at which it looks at the size of the whole. Where the first
    /// mark is differs from process to process, so that many short ones do it as often together as a long one.
    fn is_time_to_sweep(&self, bytes: u64) -> bool {
        let step = (self.capacity / SWEEPS).max(1);
        let before = self.written.fetch_add(bytes, Ordering::Relaxed) + xxh3_64(&process::id().to_le_bytes()) % step;
        before / step != (before + bytes) / step
    }

    /// Remove what was never finished, and the oldest files until there is some room again.
    fn sweep(&self) {
        for (path, process) in self.unfinished() {
            if is_abandoned(&path, process) {
                let _ = fs::remove_file(path);
            }
        }
        let mut files = self.files();
        let mut total: u64 = files.iter().map(|file| file.size).sum();
        let goal = self.capacity / 4 * 3;
        if total <= goal {
            return;
        }
        files.sort();
        for KeptFile { size, path, .. } in files {
            if total <= goal {
                return;
            }
            if fs::remove_file(path).is_ok() {
                total -= size;
            }
        }
    }

    /// Every file of the cache, and no other that may be in its folder.
    fn files(&self) -> Vec<KeptFile> {
        let mut files = Vec::new();
        for folder in entries(&self.folder).filter(|(name, _)| name == TREES || is_hex(name, 2)) {
            for (_, path) in entries(&folder.1).filter(|(name, _)| is_hex(name, 64)) {
                let Ok(meta) = fs::metadata(&path) else { continue };
                let Ok(modified) = meta.modified() else { continue };
                files.push(KeptFile { modified, size: meta.len(), is_tree: folder.0 == TREES, path });
            }
        }
        files
    }

    /// Files that are being written, or never were to their end, and the processes that began them.
    fn unfinished(&self) -> impl Iterator<Item = (PathBuf, u32)> {
        entries(&self.folder).filter_map(|(name, path)| {
            let process = name.strip_prefix(NEW)?.split('-').next()?.parse().ok()?;
            Some((path, process))
        })
    }

    /// What the cache holds.
    pub fn stats(&self) -> DiskStats {
        let files = self.files();
        let trees = files.iter().filter(|file| file.is_tree).count();
        DiskStats { pages: files.len() - trees, trees, bytes: files.iter().map(|file| file.size).sum() }
    }

    /// Remove all that the cache holds; what it held.
    pub fn clear(&self) -> io::Result<DiskStats> {
        let held = self.stats();
        let files = self.files().into_iter().map(|file| file.path).chain(self.unfinished().map(|(path, _)| path));
        for path in files {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(held)
    }
}

/// What a cache holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiskStats {
    /// Texts of pages.
    pub pages: usize,
    /// Trees of sites.
    pub trees: usize,
    /// The bytes of all of them.
    pub bytes: u64,
}

/// A file of the cache; ordered by age, the oldest first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct KeptFile {
    modified: SystemTime,
    size: u64,
    is_tree: bool,
    path: PathBuf,
}

/// The names in a folder, those that are UTF-8, and their paths; nothing of a folder that is not there.
fn entries(folder: &Path) -> impl Iterator<Item = (String, PathBuf)> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path())))
}

/// Whether `name` is so many hexadecimal digits.
fn is_hex(name: &str, digits: usize) -> bool {
    name.len() == digits && name.bytes().all(|byte| byte.is_ascii_hexdigit())
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
        // What a process left that was killed, what one is writing, and what is none of the cache's.
        let [stray, busy] = [u32::MAX, process::id()].map(|process| dir.path().join(format!("new-{process}-1")));
        let others = dir.path().join("photos");
        fs::create_dir(&others).unwrap();
        let other = others.join("x".repeat(64));
        for file in [&stray, &busy, &other] {
            fs::write(file, "x").unwrap();
            fs::File::options().write(true).open(file).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }
        disk.sweep();
        let kept: Vec<usize> = (0..20).filter(|&n| get(&disk, keys[n]).is_some()).collect();
        assert_eq!(kept, (13..20).collect::<Vec<_>>());
        assert_eq!([&stray, &busy, &other].map(|file| file.exists()), [false, true, true]);
        let held = DiskStats { pages: 7, trees: 0, bytes: 700 };
        assert_eq!((disk.stats(), disk.clear().unwrap(), disk.stats()), (held, held, DiskStats::default()));
        assert!(other.exists());
    }

    #[test]
    fn many_short_processes_sweep_as_often_as_a_long_one() {
        let disk = Disk::new(OsStr::new("/nowhere"), Duration::ZERO, 64 * 1000);
        let sweeps = (0..100).filter(|_| disk.is_time_to_sweep(100)).count();
        assert_eq!(sweeps, 10);
    }
}
