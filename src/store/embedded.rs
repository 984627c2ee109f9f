//! A site in one file of SQLite, as `docsh ingest` writes it: whole pages, the tree, and an index where it pays. Behind
//! the database stands the tree once more, as readers have it in memory (`ending`): a command that reads no page never
//! has SQLite read anything.
//!
//! Every page, the tree and the blocks of the index stand beside checksums: a file that was damaged where it lies is
//! told, never misread. With a damaged index every page is read, until the next ingest.
//!
//! A site is never changed in place. Ingest writes a new file beside the old one and renames it; readers open it
//! read-only and immutable, so that no lock is ever taken. A long-lived reader keeps the file that it has open, and
//! looks for a newer one when it is asked for the tree.
//!
//! Others are not as careful: a file may be copied over this one in place. So only a process that soon ends maps it
//! ([`Embedded::mapped`]). The others have read their tree, and check every page that they read.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "the site is a file of the host")]
mod ending;
mod index;
mod write;

pub use write::EmbeddedWriter;

use super::{Hit, Page, PageRef, SearchAnswer, Store, StoreError, TreeAnswer};
use crate::tree::{Hash, Layout, Refusal, Rules, Tree, TreeVersion, access::Asker};
use bytes::Bytes;
use docsh_builtins::{Cancel, Needle, Needles};
use ending::Ending;
use parking_lot::Mutex;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row};
use std::{
    cell::OnceCell,
    collections::{BTreeSet, HashMap},
    ffi::OsStr,
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::Arc,
};
use xxhash_rust::xxh3::xxh3_64;

/// Marks the file as a site of docsh: `docs` in ASCII.
const APPLICATION_ID: i32 = 0x646f_6373;
/// The version of the tables that `write` makes.
const USER_VERSION: i32 = 4;
/// What is said of a file of somebody else's.
const NOT_OURS: &str = "is not a site that docsh has written";
/// Bytes of the file that may be mapped.
const MAPPED: i64 = 1 << 36;

/// A site in a file.
pub struct Embedded {
    site: Arc<str>,
    path: PathBuf,
    rules: Rules,
    is_mapped: bool,
    open: Mutex<Open>,
}

/// The file that is open, and the one before it: sessions that began with that still read from it.
struct Open {
    current: File,
    previous: Option<File>,
}

struct File {
    /// As it was opened, unread.
    connection: Connection,
    /// That the connection is ready to read.
    ready: OnceCell<()>,
    is_mapped: bool,
    handle: fs::File,
    ending: Option<Ending>,
    identity: Identity,
    has_index: bool,
}

/// Device, inode and time: another file has another.
type Identity = (u64, u64, i64);

impl Embedded {
    /// The site in the file `path`, for a process of any length.
    pub fn open(site: &str, path: &OsStr, rules: Rules) -> Result<Embedded, StoreError> {
        let (site, path): (Arc<str>, &Path) = (site.into(), path.as_ref());
        let current = File::open(&site, path, false)?;
        let open = Mutex::new(Open { current, previous: None });
        Ok(Embedded { site, path: path.into(), rules, is_mapped: false, open })
    }

    /// The same for a process that soon ends: the file is mapped, which is quicker, and not expected to be written in
    /// place meanwhile.
    pub fn mapped(mut self) -> Embedded {
        self.is_mapped = true;
        self.open.get_mut().current.is_mapped = true;
        self
    }

    /// Take up the file that is there now.
    fn renew(&self, open: &mut Open) -> Result<(), StoreError> {
        if identity(&self.path).ok().is_none_or(|identity| identity == open.current.identity) {
            return Ok(());
        }
        let newer = File::open(&self.site, &self.path, self.is_mapped)?;
        open.previous = Some(std::mem::replace(&mut open.current, newer));
        Ok(())
    }

    fn broken(&self, error: &rusqlite::Error) -> StoreError {
        bad_file(&self.site, &self.path, &format!("cannot be read ({error}); make it again with `docsh ingest`"))
    }
}

fn bad_file(site: &Arc<str>, path: &Path, reason: &str) -> StoreError {
    StoreError::BadFile { site: site.clone(), file: path.display().to_string(), reason: reason.to_string() }
}

fn identity(path: &Path) -> io::Result<Identity> {
    fs::metadata(path).map(|meta| identity_of(&meta))
}

fn identity_of(meta: &fs::Metadata) -> Identity {
    (meta.dev(), meta.ino(), meta.mtime_nsec() + meta.mtime() * 1_000_000_000)
}

impl File {
    fn open(site: &Arc<str>, path: &Path, is_mapped: bool) -> Result<File, StoreError> {
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => StoreError::NoSite { site: site.clone(), file: path.display().to_string() },
            _ => bad_file(site, path, &format!("cannot be opened ({error})")),
        };
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        loop {
            // A named pipe would be waited for.
            if !fs::metadata(path).map_err(failed)?.is_file() {
                return Err(bad_file(site, path, NOT_OURS));
            }
            let handle = fs::File::open(path).map_err(failed)?;
            let meta = handle.metadata().map_err(failed)?;
            let connection = Connection::open_with_flags(uri(path), flags);
            // What a writer has replaced between the two is not one file.
            if identity(path).map_err(failed)? != identity_of(&meta) {
                continue;
            }
            let connection = connection.map_err(|_| bad_file(site, path, NOT_OURS))?;
            let ending = Ending::read(&handle, meta.len());
            let has_index = match &ending {
                Some(ending) => ending.has_index,
                None => has_index(&connection, site, path)?,
            };
            let identity = identity_of(&meta);
            return Ok(File { connection, ready: OnceCell::new(), is_mapped, handle, ending, identity, has_index });
        }
    }

    /// The database.
    fn database(&self) -> rusqlite::Result<&Connection> {
        if self.ready.get().is_none() {
            if self.is_mapped {
                self.connection.execute_batch(&format!("PRAGMA mmap_size = {MAPPED}"))?;
            }
            let _ = self.ready.set(());
        }
        Ok(&self.connection)
    }

    fn meta(&self, key: &str) -> rusqlite::Result<Option<String>> {
        let mut statement = self.database()?.prepare_cached("SELECT value FROM meta WHERE key = ?1")?;
        statement.query_row([key], |row| row.get(0)).optional()
    }

    /// The tree as it is in memory, where it stands behind the database.
    fn built_tree(&self) -> Option<Tree> {
        self.ending.as_ref()?.tree(&self.handle, self.is_mapped)
    }

    /// Whether nobody has written into the file since it was opened.
    fn is_as_opened(&self) -> bool {
        self.handle.metadata().is_ok_and(|meta| identity_of(&meta) == self.identity)
    }

    /// Whether nothing of the database has been damaged; also no where only looking at each page can tell.
    fn has_whole_database(&self) -> bool {
        self.ending.as_ref().is_some_and(|ending| ending.has_whole_database(&self.handle))
    }

    /// The tree's JSON; nothing where its checksum is that of other bytes.
    fn tree(&self) -> rusqlite::Result<Option<Vec<u8>>> {
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let found: Option<(i64, Vec<u8>)> =
            self.database()?.query_row("SELECT sum, body FROM tree", [], read).optional()?;
        Ok(found.filter(|(sum, body)| *sum == checksum(body)).map(|(_, body)| body))
    }

    fn page(&self, slug: &str) -> rusqlite::Result<Option<Found>> {
        let mut statement = self.database()?.prepare_cached("SELECT hash, sum, body FROM page WHERE slug = ?1")?;
        statement
            .query_row([slug], |row| {
                let (hash, sum): ([u8; 32], i64) = (row.get(0)?, row.get(1)?);
                let body = row.get_ref(2)?.as_bytes()?;
                Ok(Found { hash: Hash(hash), is_whole: sum == checksum(body), body: Bytes::copy_from_slice(body) })
            })
            .optional()
    }

    /// The hash of each page that is as it was written.
    fn whole_pages(&self) -> rusqlite::Result<HashMap<String, Hash>> {
        let mut statement = self.database()?.prepare("SELECT slug, hash, sum, body FROM page")?;
        let mut rows = statement.query([])?;
        let mut whole = HashMap::new();
        while let Some(row) = rows.next()? {
            let (slug, hash, sum): (String, [u8; 32], i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            if sum == checksum(row.get_ref(3)?.as_bytes()?) {
                whole.insert(slug, Hash(hash));
            }
        }
        Ok(whole)
    }

    /// Whether the index, if there is one, is as it was written.
    fn has_whole_index(&self) -> rusqlite::Result<bool> {
        Ok(!self.has_index || index::is_whole(self.database()?)?)
    }
}

/// Whether the file without a whole ending is ours after all, and has an index.
fn has_index(connection: &Connection, site: &Arc<str>, path: &Path) -> Result<bool, StoreError> {
    let number = |pragma| connection.query_row(pragma, [], |row| row.get::<_, i32>(0));
    match (number("PRAGMA application_id"), number("PRAGMA user_version")) {
        (Ok(APPLICATION_ID), Ok(USER_VERSION)) => {}
        (Ok(APPLICATION_ID), Ok(other)) => {
            let age = if other > USER_VERSION { "a newer" } else { "an older" };
            let reason = format!("was written by {age} docsh; use that, or make it again with `docsh ingest`");
            return Err(bad_file(site, path, &reason));
        }
        _ => return Err(bad_file(site, path, NOT_OURS)),
    }
    let found = connection.query_row("SELECT 1 FROM sqlite_schema WHERE name = 'needle'", [], |_| Ok(())).optional();
    found.map(|found| found.is_some()).map_err(|_| bad_file(site, path, NOT_OURS))
}

/// A page as the file holds it.
struct Found {
    hash: Hash,
    /// Whether the text is the one that was written.
    is_whole: bool,
    body: Bytes,
}

/// What stands beside everything that is written, and is quicker to check than a hash.
fn checksum(bytes: &[u8]) -> i64 {
    xxh3_64(bytes) as i64
}

/// The tree of a file from its JSON.
fn tree_of(base_url: Option<&str>, is_plain: bool, version: &str, json: &[u8], rules: Rules) -> Result<Tree, Refusal> {
    let layout = Layout { base_url: base_url.map(Into::into), is_plain, ..Layout::default() };
    Tree::from_record(json, layout, rules, TreeVersion(version.into()))
}

/// The file as SQLite names it, read-only and never changing.
fn uri(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    let mut uri = String::from("file:");
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => uri.push(byte.into()),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri + "?mode=ro&immutable=1"
}

impl Store for Embedded {
    fn tree(&self, known: Option<&TreeVersion>, _: &Cancel) -> Result<TreeAnswer, StoreError> {
        let mut open = self.open.lock();
        self.renew(&mut open)?;
        let file = &open.current;
        // It was made with rules; without, the tree is another one.
        let built = if self.rules == Rules::Required { file.built_tree() } else { None };
        if let Some(tree) = built {
            return Ok(match known {
                Some(known) if known == tree.version() => TreeAnswer::NotModified,
                _ => TreeAnswer::Tree(Box::new(tree)),
            });
        }
        let read = || -> rusqlite::Result<_> {
            let version = file.meta("tree_version")?.unwrap_or_default();
            if known.is_some_and(|known| *known.0 == *version) {
                return Ok(None);
            }
            let (base_url, is_plain) = (file.meta("base_url")?, file.meta("plain")?.is_some());
            let json = file.tree()?.unwrap_or_default();
            Ok(Some(tree_of(base_url.as_deref(), is_plain, &version, &json, self.rules)))
        };
        match read().map_err(|error| self.broken(&error))? {
            None => Ok(TreeAnswer::NotModified),
            Some(Ok(tree)) => Ok(TreeAnswer::Tree(Box::new(tree))),
            Some(Err(refusal)) => Err(StoreError::BadTree { site: self.site.clone(), refusal }),
        }
    }

    fn pages(&self, pages: &[PageRef<'_>], cancel: &Cancel) -> Result<Vec<Page>, StoreError> {
        let open = self.open.lock();
        let mut answers = Vec::with_capacity(pages.len());
        for page in pages {
            cancel.check()?;
            let is_right = |found: &Found| page.hash.is_none_or(|hash| hash == found.hash);
            let mut found = open.current.page(page.slug).map_err(|error| self.broken(&error))?;
            if !found.as_ref().is_some_and(is_right)
                && let Some(previous) = &open.previous
            {
                found = previous.page(page.slug).map_err(|error| self.broken(&error))?.filter(is_right).or(found);
            }
            let reason = match found {
                Some(found) if is_right(&found) && found.is_whole => {
                    answers.push(Ok(found.body));
                    continue;
                }
                Some(found) if is_right(&found) => "is damaged in the store",
                Some(_) => "is not the version that the tree speaks of",
                None => "is not in the store",
            };
            let (site, slug) = (self.site.clone(), page.slug.to_string());
            answers.push(Err(StoreError::BadPage { site, slug, reason: reason.into() }));
        }
        Ok(answers)
    }

    fn search(&self, needles: &Needles, _: &Layout, _: Option<&Asker>, _: &Cancel) -> Result<SearchAnswer, StoreError> {
        let open = self.open.lock();
        // A session on the older file, or on what the file was, would miss what only that one holds.
        if !open.current.has_index || open.previous.is_some() || needles.any.is_empty() || !open.current.is_as_opened()
        {
            return Ok(SearchAnswer::CannotTell);
        }
        let mut slugs = BTreeSet::new();
        for needle in &needles.any {
            let Needle::Literal(text) = needle else { return Ok(SearchAnswer::CannotTell) };
            let database = open.current.database().map_err(|error| self.broken(&error))?;
            match index::find(database, text) {
                Ok(Some(found)) => slugs.extend(found),
                Ok(None) | Err(index::Fault::Damaged) => return Ok(SearchAnswer::CannotTell),
                Err(index::Fault::Unreadable(error)) => return Err(self.broken(&error)),
            }
        }
        Ok(SearchAnswer::Pages(slugs.into_iter().map(|slug| Hit { slug, version: None }).collect()))
    }

    fn audit(&self, _: &Tree, found: &mut dyn FnMut(&str, &str), _: &Cancel) -> Result<(), StoreError> {
        if !self.open.lock().current.has_whole_index().map_err(|error| self.broken(&error))? {
            found("", "the index of the site is damaged, so that searches read every page; run `docsh ingest` again");
        }
        Ok(())
    }

    fn is_resident(&self) -> bool {
        true
    }
}
