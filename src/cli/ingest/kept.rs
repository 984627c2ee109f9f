//! What is known of the folder from the last ingest, in the cache on the disk.
use super::{Args, Config};
use crate::{ingest::Known, store::disk::Disk, tree::Hash};
use std::{path::Path, time::Duration};

/// Where that is, for a folder.
pub(super) struct Kept {
    disk: Disk,
    key: Hash,
    is_full: bool,
}

impl Kept {
    /// None where nothing is cached.
    pub(super) fn open(args: &Args, dir: &Path, config: &Config) -> Option<Kept> {
        let (folder, capacity) = config.disk();
        let disk = Disk::new(folder?.as_os_str(), Duration::ZERO, capacity);
        Some(Kept { disk, key: Known::key(dir), is_full: args.full })
    }

    /// What is known; nothing with `--full`.
    pub(super) fn known(&self) -> Known {
        let bytes = if self.is_full { None } else { self.disk.folder(&self.key) };
        bytes.map(|bytes| Known::from_bytes(&bytes)).unwrap_or_default()
    }

    /// Keep what has been found out.
    pub(super) fn keep(&self, known: &Known) {
        if let Some(bytes) = known.news() {
            self.disk.put_folder(&self.key, &bytes);
        }
    }
}
