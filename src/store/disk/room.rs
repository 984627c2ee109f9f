//! What the cache holds, and making room: the oldest files go when it is full, and what nobody will ever finish.
use super::{Disk, FOLDERS, NEW, PAGES, TREES};
use crate::store::abandoned::is_abandoned;
use std::{
    collections::HashMap,
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    process,
    sync::atomic::Ordering,
    time::SystemTime,
};
use xxhash_rust::xxh3::xxh3_64;

/// The size of the whole is looked at each time that a process has written such a part of what it may be.
const SWEEPS: u64 = 64;

impl Disk {
    /// A small part of what it may hold, in bytes.
    pub(super) fn step(&self) -> u64 {
        (self.capacity / SWEEPS).max(1)
    }

    /// Whether this process passes, with these bytes, a mark at which it looks at the size of the whole. Where the
    /// first mark is differs from process to process, so that many short ones do it as often together as a long one.
    pub(super) fn is_time_to_sweep(&self, bytes: u64) -> bool {
        let step = self.step();
        let before = self.written.fetch_add(bytes, Ordering::Relaxed) + xxh3_64(&process::id().to_le_bytes()) % step;
        before / step != (before + bytes) / step
    }

    /// Remove what was never finished, and the oldest files until there is some room again.
    pub(super) fn sweep(&self) {
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
        for KeptFile { size, names, .. } in files {
            if total <= goal {
                return;
            }
            // Its room is free once it has no name any more.
            if names.iter().all(|name| fs::remove_file(name).is_ok()) {
                total -= size;
            }
        }
    }

    /// Every file of the cache, and no other that may be in its folder.
    fn files(&self) -> Vec<KeptFile> {
        let mut files: HashMap<u64, KeptFile> = HashMap::new();
        for (name, folder) in entries(&self.folder) {
            let kind = match name.as_str() {
                PAGES => Kind::Page,
                TREES => Kind::Tree,
                FOLDERS => Kind::Folder,
                _ => continue,
            };
            for (_, path) in entries(&folder).filter(|(name, _)| is_key(name)) {
                let Ok(meta) = fs::metadata(&path) else { continue };
                let Ok(modified) = meta.modified() else { continue };
                let new = || KeptFile { modified, size: meta.len(), kind, names: Vec::new() };
                files.entry(meta.ino()).or_insert_with(new).names.push(path);
            }
        }
        files.into_values().collect()
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
        let named = |kind| files.iter().filter(move |file| file.kind == kind).map(|file| file.names.len()).sum();
        DiskStats {
            pages: named(Kind::Page),
            trees: named(Kind::Tree),
            folders: named(Kind::Folder),
            bytes: files.iter().map(|file| file.size).sum(),
        }
    }

    /// Remove all that the cache holds; what it held.
    pub fn clear(&self) -> io::Result<DiskStats> {
        let held = self.stats();
        let files = self.files().into_iter().flat_map(|file| file.names).chain(self.unfinished().map(|(path, _)| path));
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
    /// Texts of pages, and answers to searches.
    pub pages: usize,
    /// Trees of sites.
    pub trees: usize,
    /// Folders of which it is known what they said when they were ingested.
    pub folders: usize,
    /// The bytes of all of them.
    pub bytes: u64,
}

/// A file of the cache; ordered by age, the oldest first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct KeptFile {
    modified: SystemTime,
    size: u64,
    kind: Kind,
    names: Vec<PathBuf>,
}

/// What a file of the cache is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Page,
    Tree,
    Folder,
}

/// The names in a folder, those that are UTF-8, and their paths; nothing of a folder that is not there.
fn entries(folder: &Path) -> impl Iterator<Item = (String, PathBuf)> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path())))
}

/// Whether `name` is that of a kept file: 64 hexadecimal digits.
fn is_key(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}
