//! What a command sees of the site: a tree that it can only read, but for a scratch folder where a session has one.
//!
//! [`Fs::stat`] and [`Fs::list`] answer from memory and never wait. [`Fs::open`] is lazy: its first read fetches.
//! Everything that may wait takes a [`Cancel`] and gives up when the run is stopped.
use crate::{Cancel, Output, Stop, VPath};
use bytes::Bytes;
use std::{
    error, fmt,
    io::{self, BufRead},
    sync::Arc,
};

/// Result of a file system operation.
pub type FsResult<T> = Result<T, FsError>;

/// A tree of pages and folders, already pruned to what the visitor may see. Read-only, unless it implements
/// [`Fs::create`] and [`Fs::change`].
pub trait Fs: Send + Sync {
    /// What is known of `path` without asking anybody.
    fn stat(&self, path: &VPath) -> FsResult<Meta>;

    /// The children of the folder `dir`, sorted by the bytes of their names.
    fn list(&self, dir: &VPath) -> FsResult<Vec<Entry>>;

    /// The children of the folder `dir` with what [`Fs::stat`] tells of each, in the order of [`Fs::list`].
    fn stat_all(&self, dir: &VPath) -> FsResult<Vec<(String, Meta)>> {
        stat_each(self, dir)
    }

    /// What the site says of the page `path`, apart from its text.
    fn about(&self, path: &VPath) -> FsResult<About> {
        self.stat(path).map(|_| About::default())
    }

    /// The bytes of the file `path` from offset `from` on, fetched as they are read.
    fn open(&self, path: &VPath, from: u64, cancel: &Cancel) -> FsResult<Box<dyn BufRead + Send>>;

    /// The size of the file `path` in bytes; fetches what it must when the tree does not say.
    fn size(&self, path: &VPath, cancel: &Cancel) -> FsResult<u64>;

    /// Whole files, in the order asked for. Reads ahead in bulk, by a window that starts at 1 MiB and doubles to 8 MiB:
    /// a walk costs few requests, and a consumer that stops early has cost little.
    fn read_many(
        &self,
        paths: Vec<VPath>,
        cancel: &Cancel,
    ) -> Box<dyn Iterator<Item = (VPath, FsResult<Bytes>)> + Send>;

    /// The files under `scope` that may contain one of `needles`: perhaps too many, never too few.
    /// `None` when the store cannot tell, or asking would not pay: then every file is a candidate.
    fn narrow(&self, scope: &[VPath], needles: &Needles, cancel: &Cancel) -> FsResult<Option<Vec<VPath>>>;

    /// The file a visitor means by `path` when nothing is called exactly that: `/auth/oauth` is `/auth/oauth.mdx`.
    fn suffixed(&self, path: &VPath) -> Option<VPath> {
        let _ = path;
        None
    }

    /// The parts of the tree that have room of their own, the one that holds the others first.
    fn volumes(&self) -> Vec<Volume> {
        vec![Volume { root: VPath::root(), size: 0, free: 0 }]
    }

    /// Whether what is at `path` may be changed. Nothing of a site may.
    fn is_writable(&self, path: &VPath) -> bool {
        let _ = path;
        false
    }

    /// Open the file `path` for writing; a new one gets these permission bits. Its folder exists, and it is no folder.
    fn create(&self, path: &VPath, opening: Opening, mode: u32) -> FsResult<Output> {
        let _ = (opening, mode);
        Err(ErrorKind::ReadOnly.at(path))
    }

    /// Change the tree at `path`, which exists unless it is to be made; the folder it is in does.
    fn change(&self, path: &VPath, change: Change<'_>) -> FsResult<()> {
        let _ = change;
        Err(ErrorKind::ReadOnly.at(path))
    }
}

/// What [`Fs::stat_all`] answers where nothing quicker is known: each child is asked for by itself.
pub fn stat_each(fs: &(impl Fs + ?Sized), dir: &VPath) -> FsResult<Vec<(String, Meta)>> {
    let stat = |entry: Entry| fs.stat(&dir.child(&entry.name)).map(|meta| (entry.name, meta));
    fs.list(dir)?.into_iter().map(stat).collect()
}

/// Where writing to a file begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// It is emptied first: `>`.
    Anew,
    /// Always at its end: `>>`.
    Append,
    /// At its beginning, over what is there: `<>`.
    Over,
}

/// A change other than to what a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change<'a> {
    /// Make a folder, with these permission bits.
    MakeFolder(u32),
    /// Make a link, a pipe or a device.
    MakeSpecial,
    /// Remove a file, or an empty folder.
    Remove,
    /// Call it this from now on, in place of what has that name.
    Rename(&'a VPath),
    /// Cut it, or fill it with NULs, to so many bytes.
    Resize(u64),
    /// Set its time: seconds since the epoch, and nanoseconds of that second.
    SetTime(i64, u32),
    /// Set its permission bits.
    SetMode(u32),
    /// Give it to somebody else.
    SetOwner,
}

/// What `stat` tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meta {
    /// File or folder.
    pub kind: Kind,
    /// Bytes; `None` while the store has not said ([`Fs::size`] asks it). A folder's is 4096.
    pub size: Option<u64>,
    /// Last modification, in seconds since the epoch (UTC).
    pub mtime: i64,
    /// Nanoseconds of that second; a page has none.
    pub nanos: u32,
    /// Permission bits, e.g. `0o644`.
    pub mode: u32,
    /// Hard links: 1 for a file, 2 + subfolders for a folder.
    pub links: u32,
    /// Inode number, a hash of the path.
    pub inode: u64,
}

/// What a site says of a page, apart from its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The page's title, where the tree has one.
    pub title: Option<String>,
    /// The page's address on the web, where the site has a base URL.
    pub url: Option<String>,
}

impl Meta {
    /// The number of the device that all of a site is on.
    pub const DEVICE: u64 = 42;

    /// Whether this is a folder.
    pub fn is_dir(&self) -> bool {
        self.kind == Kind::Dir
    }

    /// The last modification: seconds since the epoch, and nanoseconds of that second.
    pub fn time(&self) -> (i64, u32) {
        (self.mtime, self.nanos)
    }

    /// Bytes of the blocks of 4 KiB that `size` bytes take.
    pub fn allocated(size: u64) -> u64 {
        size.div_ceil(4096) * 4096
    }
}

/// The kinds of node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A page, or any other file of the site.
    File,
    /// A folder.
    Dir,
    /// A stream under `/dev`; only [`crate::Call::stat`] answers it, never an [`Fs`].
    Device,
}

/// A part of the tree with room of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Volume {
    /// The folder that it is.
    pub root: VPath,
    /// Bytes that it can hold; none for a site, which is full.
    pub size: u64,
    /// Bytes that it can still take.
    pub free: u64,
}

/// One name in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The bare name.
    pub name: String,
    /// File or folder.
    pub kind: Kind,
}

/// What every match must contain, proven from a parsed pattern: a file with no match for any of these has no match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needles {
    /// At least one of these occurs in every file that matches. Never empty when asked of a store.
    pub any: Vec<Needle>,
}

/// One thing to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Needle {
    /// Exactly this text: 3 to 256 characters, no NUL, no newline.
    Literal(String),
    /// A match of this `(?m)` expression in the syntax of the `regex` crate, emitted by docsh, never typed by a user.
    Regex(String),
}

/// A failed operation, and the path it failed on.
#[derive(Clone, Debug)]
pub struct FsError {
    /// The path as resolved.
    pub path: VPath,
    /// What happened.
    pub kind: ErrorKind,
}

/// Why it failed. Closed on purpose: each kind has one POSIX wording.
#[derive(Clone, Debug)]
pub enum ErrorKind {
    /// `No such file or directory`: also for all that this visitor may not see.
    NotFound,
    /// `Is a directory`.
    IsADirectory,
    /// `Not a directory`.
    NotADirectory,
    /// `Read-only file system`.
    ReadOnly,
    /// `File name too long`.
    NameTooLong,
    /// `File exists`.
    Exists,
    /// `Directory not empty`.
    NotEmpty,
    /// `Operation not permitted`.
    NotPermitted,
    /// `Invalid argument`.
    Invalid,
    /// `Invalid cross-device link`: it cannot be renamed to there, only copied.
    CrossDevice,
    /// `No space left on device`.
    NoSpace,
    /// `Input/output error`, with the cause in words; never a bucket, key, host or credential.
    Io(Arc<str>),
    /// The run was stopped.
    Stopped(Stop),
}

impl ErrorKind {
    /// This kind of failure at `path`.
    pub fn at(self, path: &VPath) -> FsError {
        FsError { path: path.clone(), kind: self }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::NotFound => f.write_str("No such file or directory"),
            ErrorKind::IsADirectory => f.write_str("Is a directory"),
            ErrorKind::NotADirectory => f.write_str("Not a directory"),
            ErrorKind::ReadOnly => f.write_str("Read-only file system"),
            ErrorKind::NameTooLong => f.write_str("File name too long"),
            ErrorKind::Exists => f.write_str("File exists"),
            ErrorKind::NotEmpty => f.write_str("Directory not empty"),
            ErrorKind::NotPermitted => f.write_str("Operation not permitted"),
            ErrorKind::Invalid => f.write_str("Invalid argument"),
            ErrorKind::CrossDevice => f.write_str("Invalid cross-device link"),
            ErrorKind::NoSpace => f.write_str("No space left on device"),
            ErrorKind::Io(cause) if cause.is_empty() => f.write_str("Input/output error"),
            ErrorKind::Io(cause) => write!(f, "Input/output error ({cause})"),
            ErrorKind::Stopped(stop) => stop.fmt(f),
        }
    }
}

impl fmt::Display for FsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl error::Error for FsError {}

impl From<FsError> for io::Error {
    /// A stop stays a stop, so that it is still one after passing through `Read`.
    fn from(error: FsError) -> io::Error {
        match error.kind {
            ErrorKind::Stopped(stop) => stop.into(),
            _ => io::Error::other(error),
        }
    }
}
