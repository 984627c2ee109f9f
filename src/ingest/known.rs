//! What is known of the files of a folder from the last time that it was read, so that a file is read again only when
//! it has changed: what git's index is for. It is a shortcut in front of a file's hash and frontmatter, and may be lost
//! at any time.
//!
//! A file is the same while its [`Stamp`] is. That of a file that changed just before it was read may not change with
//! its next change (clocks of file systems tick), so such a file is not known, and read again the next time.
#![allow(clippy::disallowed_types, reason = "the folder that the user named is the host's")]
use super::facts::{Facts, NoText};
use crate::tree::Hash;
use serde::{Deserialize, Serialize};
use std::{
    collections::{HashMap, HashSet},
    fs,
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::Path,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Raise it whenever something else is made of the same file than before, within one version of docsh.
const FORMAT: u32 = 2;
/// Longer than a tick of the clock that file systems stamp with.
const TICK: Duration = Duration::from_millis(50);
/// The same for file systems that know whole seconds only, of which some know only even ones.
const LONG_TICK: Duration = Duration::from_secs(3);

/// Where a file is on its disk, how large it is, and when it was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    /// When its content was changed, in seconds and nanoseconds since the epoch. Programs can set it back.
    modified: (i64, i64),
    /// When anything of it was changed. Nobody can set it.
    changed: (i64, i64),
}

impl Stamp {
    /// The stamp of a file.
    pub(super) fn of(meta: &fs::Metadata) -> Stamp {
        Stamp {
            device: meta.dev(),
            inode: meta.ino(),
            size: meta.len(),
            modified: (meta.mtime(), meta.mtime_nsec()),
            changed: (meta.ctime(), meta.ctime_nsec()),
        }
    }

    /// Whether any change of the file after `now` gives it another stamp.
    fn is_settled(&self, now: SystemTime) -> bool {
        let now = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos() as i128;
        let is_old = |(seconds, nanoseconds): (i64, i64)| {
            let tick = if nanoseconds == 0 { LONG_TICK } else { TICK };
            i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds) + (tick.as_nanos() as i128) < now
        };
        is_old(self.changed) && is_old(self.modified)
    }
}

/// What a file says, or why it says nothing.
pub(super) type Said = Result<Facts, NoText>;

/// A file that has been read, with the stamp that it had before.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) stamp: Stamp,
    pub(super) said: Said,
}

/// The files of a folder that have been read, by their paths in it.
#[derive(Debug, Default)]
pub struct Known {
    files: HashMap<String, Box<Record>>,
    has_news: bool,
}

impl Known {
    /// What was kept as `bytes`; nothing of what cannot be read.
    pub fn from_bytes(bytes: &[u8]) -> Known {
        Known { files: postcard::from_bytes(bytes).unwrap_or_default(), has_news: false }
    }

    /// The same as bytes to keep, if it is not what was kept before.
    pub fn news(&self) -> Option<Vec<u8>> {
        self.has_news.then(|| postcard::to_stdvec(&self.files).ok()).flatten()
    }

    /// What it is kept under: the folder that it is about, and the docsh that made it.
    pub fn key(dir: &Path) -> Hash {
        let dir = fs::canonicalize(dir).unwrap_or(dir.to_path_buf());
        let maker = format!("{} {FORMAT}\0", env!("CARGO_PKG_VERSION"));
        Hash::of(&[maker.as_bytes(), dir.as_os_str().as_bytes()].concat())
    }

    /// What the file `slug` says, if it still has this stamp.
    pub(super) fn said(&self, slug: &str, stamp: &Stamp) -> Option<&Said> {
        self.files.get(slug).filter(|record| record.stamp == *stamp).map(|record| &record.said)
    }

    /// Forget what is not among `files`, and learn what has been read since `begun`.
    pub(super) fn learn<'a>(
        &mut self,
        files: impl Iterator<Item = &'a str>,
        read: Vec<(String, Record)>,
        begun: SystemTime,
    ) {
        let files: HashSet<&str> = files.collect();
        let before = self.files.len();
        self.files.retain(|slug, _| files.contains(slug.as_str()));
        self.has_news |= self.files.len() < before;
        for (slug, record) in read {
            if record.stamp.is_settled(begun) {
                self.files.insert(slug, Box::new(record));
                self.has_news = true;
            } else {
                self.has_news |= self.files.remove(&slug).is_some();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_counts_once_it_cannot_stay_with_a_change() {
        let settled = |changed: (i64, i64), now_ms: u64| {
            let stamp = Stamp { device: 1, inode: 2, size: 3, modified: (5, 1), changed };
            stamp.is_settled(UNIX_EPOCH + Duration::from_millis(now_ms))
        };
        assert!(settled((100, 1), 100_051) && !settled((100, 1), 100_050));
        // A file system of whole seconds.
        assert!(settled((100, 0), 103_001) && !settled((100, 0), 103_000));
        // The clock was set back.
        assert!(!settled((100, 1), 99_000));
    }

    #[test]
    fn what_cannot_be_read_is_nothing_known() {
        let known = Known::from_bytes(b"\x02\x04a.md");
        assert!(known.files.is_empty() && known.news().is_none());
    }
}
