//! `--scratch`: a `/tmp` of the session's own, in memory, which commands may write.
//!
//! It goes with the session, no other session sees it, and it never holds more than it was given: each file takes whole
//! blocks of 4 KiB, each name 256 bytes and itself. A `/tmp` of the site is hidden behind it. All else stays what it is
//! without it, read-only.
mod file;
mod folder;

use super::docfs::FOLDER_SIZE;
use bytes::Bytes;
use docsh_builtins::{
    About, Cancel, Change, Entry, ErrorKind, Fs, FsError, FsResult, Kind, Meta, Needles, Opening, Output, VPath,
    Volume, stat_each,
};
use file::{File, Reader, Room, Writer};
use folder::{Folder, Node};
use std::{io::BufRead, sync::Arc};

/// The name of the folder, which is in the root.
const NAME: &str = "tmp";

/// The folder of one session. A clone is the same.
#[derive(Clone)]
pub struct Scratch(Arc<Folder>);

/// Room that the folders of many sessions share. A clone is the same.
#[derive(Clone)]
pub struct SharedRoom(Arc<Room>);

impl SharedRoom {
    /// Room for at most `capacity` bytes in all.
    pub fn new(capacity: u64) -> SharedRoom {
        SharedRoom(Arc::new(Room::new(capacity, None)))
    }
}

impl Scratch {
    /// An empty folder for at most `capacity` bytes.
    pub fn new(capacity: u64) -> Scratch {
        Scratch(Arc::new(Folder::new(Room::new(capacity, None))))
    }

    /// An empty folder for at most `capacity` bytes, fewer while others have taken what they share.
    pub fn sharing(capacity: u64, room: &SharedRoom) -> Scratch {
        Scratch(Arc::new(Folder::new(Room::new(capacity, Some(room.0.clone())))))
    }

    /// `site` with this folder as its `/tmp`.
    pub fn over(&self, site: Arc<dyn Fs>) -> Arc<dyn Fs> {
        Arc::new(WithScratch { site, folder: self.0.clone() })
    }
}

/// A site with a scratch folder.
struct WithScratch {
    site: Arc<dyn Fs>,
    folder: Arc<Folder>,
}

/// `path` below the scratch folder, empty for that itself; `None` where the path is the site's.
fn own(path: &VPath) -> Option<&str> {
    let rest = path.slug().strip_prefix(NAME)?;
    if rest.is_empty() { Some("") } else { rest.strip_prefix('/') }
}

impl WithScratch {
    fn node(&self, own: &str, path: &VPath) -> FsResult<Node> {
        self.folder.find(own).ok_or_else(|| ErrorKind::NotFound.at(path))
    }

    fn file(&self, own: &str, path: &VPath) -> FsResult<Arc<File>> {
        match self.node(own, path)? {
            Node::File(file) => Ok(file),
            Node::Folder(_) => Err(ErrorKind::IsADirectory.at(path)),
        }
    }

    /// Whether the site has a folder that is hidden.
    fn hides(&self) -> bool {
        self.site.stat(&VPath::root().child(NAME)).is_ok_and(|meta| meta.is_dir())
    }
}

impl Fs for WithScratch {
    fn stat(&self, path: &VPath) -> FsResult<Meta> {
        let Some(own) = own(path) else {
            let mut meta = self.site.stat(path)?;
            if path.is_root() && !self.hides() {
                meta.links += 1;
            }
            return Ok(meta);
        };
        let (kind, size, stamp, links) = match self.node(own, path)? {
            Node::File(file) => (Kind::File, file.size(), file.stamp(), 1),
            Node::Folder(stamp) => (Kind::Dir, FOLDER_SIZE, stamp, 2 + self.folder.subfolders(own)),
        };
        Ok(Meta {
            kind,
            size: Some(size),
            mtime: stamp.time.0,
            nanos: stamp.time.1,
            mode: stamp.mode,
            links: u32::try_from(links).unwrap_or(u32::MAX),
            inode: stamp.inode,
        })
    }

    fn list(&self, dir: &VPath) -> FsResult<Vec<Entry>> {
        if let Some(own) = own(dir) {
            return match self.node(own, dir)? {
                Node::Folder(_) => Ok(self.folder.list(own)),
                Node::File(_) => Err(ErrorKind::NotADirectory.at(dir)),
            };
        }
        let mut entries = self.site.list(dir)?;
        if dir.is_root() {
            entries.retain(|entry| entry.name != NAME);
            let at = entries.partition_point(|entry| entry.name.as_str() < NAME);
            entries.insert(at, Entry { name: NAME.to_string(), kind: Kind::Dir });
        }
        Ok(entries)
    }

    fn stat_all(&self, dir: &VPath) -> FsResult<Vec<(String, Meta)>> {
        match own(dir).is_none() && !dir.is_root() {
            true => self.site.stat_all(dir),
            false => stat_each(self, dir),
        }
    }

    fn about(&self, path: &VPath) -> FsResult<About> {
        match own(path) {
            Some(_) => self.stat(path).map(|_| About::default()),
            None => self.site.about(path),
        }
    }

    fn open(&self, path: &VPath, from: u64, cancel: &Cancel) -> FsResult<Box<dyn BufRead + Send>> {
        match own(path) {
            Some(own) => Ok(Box::new(Reader::new(self.file(own, path)?, from))),
            None => self.site.open(path, from, cancel),
        }
    }

    fn size(&self, path: &VPath, cancel: &Cancel) -> FsResult<u64> {
        match own(path) {
            Some(_) => Ok(self.stat(path)?.size.unwrap_or_default()),
            None => self.site.size(path, cancel),
        }
    }

    fn read_many(
        &self,
        paths: Vec<VPath>,
        cancel: &Cancel,
    ) -> Box<dyn Iterator<Item = (VPath, FsResult<Bytes>)> + Send> {
        // What is at hand is taken as its turn comes; all else is the site's, which reads ahead.
        let own: Vec<_> = paths.iter().map(|path| own(path).map(|own| self.file(own, path))).collect();
        let of_site = paths.iter().zip(&own).filter(|(_, own)| own.is_none()).map(|(path, _)| path.clone()).collect();
        let mut site = self.site.read_many(of_site, cancel);
        let whole = |file: Arc<File>| Bytes::from(file.read(0, usize::MAX));
        Box::new(paths.into_iter().zip(own).map_while(move |(path, own)| match own {
            Some(file) => Some((path, file.map(whole))),
            None => site.next(),
        }))
    }

    fn narrow(&self, scope: &[VPath], needles: &Needles, cancel: &Cancel) -> FsResult<Option<Vec<VPath>>> {
        let of_site: Vec<VPath> = scope.iter().filter(|path| own(path).is_none()).cloned().collect();
        let found = match of_site.is_empty() {
            true => Vec::new(),
            false => match self.site.narrow(&of_site, needles, cancel)? {
                Some(found) => found,
                None => return Ok(None),
            },
        };
        // The store knows nothing of the folder: its files may always match.
        let folder = VPath::root().child(NAME);
        let asked = scope.iter().filter_map(|path| if path.is_root() { Some("") } else { own(path) });
        let files = asked.flat_map(|own| self.folder.files(own)).map(|file| folder.join(&file));
        Ok(Some(found.into_iter().filter(|page| own(page).is_none()).chain(files).collect()))
    }

    fn suffixed(&self, path: &VPath) -> Option<VPath> {
        own(path).is_none().then(|| self.site.suffixed(path))?.filter(|page| own(page).is_none())
    }

    fn volumes(&self) -> Vec<Volume> {
        let (size, free) = self.folder.room();
        let own = Volume { root: VPath::root().child(NAME), size, free };
        self.site.volumes().into_iter().chain([own]).collect()
    }

    fn is_writable(&self, path: &VPath) -> bool {
        own(path).is_some() && self.stat(path).is_ok()
    }

    fn create(&self, path: &VPath, opening: Opening, mode: u32) -> FsResult<Output> {
        let Some(own) = own(path) else { return self.site.create(path, opening, mode) };
        let opened = self.folder.file(own, mode).and_then(|file| Writer::open(file, opening));
        opened.map(|writer| Output::new(Arc::new(writer))).map_err(|kind| kind.at(path))
    }

    fn change(&self, path: &VPath, change: Change<'_>) -> FsResult<()> {
        let failed = |kind: ErrorKind| -> FsError { kind.at(path) };
        match (own(path), change) {
            (Some(from), Change::Rename(target)) if !from.is_empty() => match own(target) {
                Some(to) if !to.is_empty() => self.folder.rename(from, to).map_err(failed),
                _ => Err(failed(ErrorKind::CrossDevice)),
            },
            (None, Change::Rename(target)) if own(target).is_some() => Err(failed(ErrorKind::CrossDevice)),
            // The folder itself is in the root, which is the site's.
            (None | Some(""), _) => self.site.change(path, change),
            (Some(own), _) => self.folder.change(own, change).map_err(failed),
        }
    }
}

#[cfg(test)]
mod tests;
