//! Writing a site's file: a new one beside the old, renamed over it when it is whole. Pages that have not changed are
//! copied from the old one; when nothing has changed, nothing is written.
use super::{APPLICATION_ID, Embedded, Ending, File, USER_VERSION, checksum, index};
use crate::{
    store::{NewPage, NewTree, Store, StoreError, TreeAnswer, Writer, abandoned::is_abandoned},
    tree::{Hash, Rules, Tree},
};
use docsh_builtins::Cancel;
use rusqlite::{Connection, params};
use std::{
    collections::HashMap,
    fs,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    sync::Arc,
};

/// From this much text on an index pays. Reading 40 MB costs a search 50 ms, as it does grep in a folder of the same
/// files; their index would save 40 of them, and cost each ingest that changes anything 7 s and the file 80 % more.
/// Twice as much is read slowly enough to be noticed.
const INDEXED: u64 = 64 << 20;

/// A file that is being written.
pub struct EmbeddedWriter {
    site: Arc<str>,
    path: PathBuf,
    new: PathBuf,
    /// The new file, from the first page on.
    connection: Option<Connection>,
    /// What the old file holds, without what is damaged in it.
    old: HashMap<String, Hash>,
    /// Whether the old file is as a writer leaves it.
    is_complete: bool,
    indexed: u64,
}

impl EmbeddedWriter {
    /// Ready to write the site's file `path`.
    pub fn open(site: &str, path: &Path) -> EmbeddedWriter {
        let new = path.with_extension(format!("new-{}", std::process::id()));
        let old = HashMap::new();
        EmbeddedWriter {
            site: site.into(),
            path: path.into(),
            new,
            connection: None,
            old,
            is_complete: false,
            indexed: INDEXED,
        }
    }

    /// Make an index from so many bytes of text on.
    pub fn index_from(mut self, bytes: u64) -> EmbeddedWriter {
        self.indexed = bytes;
        self
    }

    fn failed(&self, error: impl std::fmt::Display) -> StoreError {
        super::bad_file(&self.site, &self.new, &format!("cannot be written ({error})"))
    }

    /// The new file, begun with its folder if need be. It is put back when the work on it is done.
    fn take(&mut self) -> Result<Connection, StoreError> {
        self.connection.take().map_or_else(|| self.begin(), Ok)
    }

    fn begin(&self) -> Result<Connection, StoreError> {
        if let Some(folder) = self.path.parent() {
            let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
            made.map_err(|error| self.failed(error))?;
            remove_leftovers(&self.path);
        }
        // SQLite would make it readable for others.
        let made = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&self.new);
        made.map_err(|error| self.failed(error))?;
        let connection = Connection::open(&self.new).and_then(|connection| {
            // Nobody reads the file before it is renamed: it needs no journal, and is synced once, at the end.
            connection.execute_batch(&format!(
                "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 32768;
                 PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {USER_VERSION};
                 CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
                 CREATE TABLE tree(sum INTEGER NOT NULL, body BLOB NOT NULL);
                 CREATE TABLE page(id INTEGER PRIMARY KEY, slug TEXT NOT NULL UNIQUE, hash BLOB NOT NULL,
                                   sum INTEGER NOT NULL, body BLOB NOT NULL);"
            ))?;
            if !self.old.is_empty() {
                connection.execute("ATTACH ?1 AS old", [super::uri(&self.path)])?;
            }
            connection.execute_batch("BEGIN")?;
            Ok(connection)
        });
        connection.map_err(|error| self.failed(error))
    }

    /// Copy those of `pages` that have not been written from the old file.
    fn copy_unchanged(&self, connection: &Connection, pages: &[&NewPage], cancel: &Cancel) -> Result<(), StoreError> {
        let unchanged: Vec<&&NewPage> = pages.iter().filter(|page| self.holds(page)).collect();
        if unchanged.is_empty() {
            return Ok(());
        }
        let copied = || -> rusqlite::Result<bool> {
            let mut copy = connection.prepare(
                "INSERT OR IGNORE INTO main.page(slug, hash, sum, body)
                 SELECT slug, hash, sum, body FROM old.page WHERE slug = ?1 AND hash = ?2",
            )?;
            for page in unchanged {
                if cancel.check().is_err() {
                    return Ok(true);
                }
                copy.execute(params![page.slug, page.hash.0])?;
            }
            let count: i64 = connection.query_row("SELECT count(*) FROM main.page", [], |row| row.get(0))?;
            Ok(count == pages.len() as i64)
        };
        let copied = copied().map_err(|error| self.failed(error))?;
        cancel.check()?;
        if copied { Ok(()) } else { Err(self.failed("the old file lacks pages that it names; delete it")) }
    }

    /// Write what comes after the pages; whether there is an index.
    fn finish(&self, connection: &Connection, tree: &NewTree, cancel: &Cancel) -> rusqlite::Result<bool> {
        let NewTree { json, base_url, is_plain, .. } = tree;
        connection.execute("INSERT INTO main.tree(sum, body) VALUES (?1, ?2)", params![checksum(json), json])?;
        let mut meta = connection.prepare("INSERT INTO main.meta(key, value) VALUES (?1, ?2)")?;
        meta.execute(params!["site", &*self.site])?;
        meta.execute(params!["tree_version", tree.version])?;
        if let Some(base_url) = base_url {
            meta.execute(params!["base_url", base_url])?;
        }
        if *is_plain {
            meta.execute(params!["plain", "yes"])?;
        }
        let text: Option<i64> =
            connection.query_row("SELECT sum(length(body)) FROM main.page", [], |row| row.get(0))?;
        let text = text.unwrap_or(0) as u64;
        let has_index = text >= self.indexed;
        if has_index {
            index::write(connection, text, cancel)?;
        }
        connection.execute_batch("COMMIT")?;
        Ok(has_index)
    }
}

impl Writer for EmbeddedWriter {
    fn current(&mut self, cancel: &Cancel) -> Result<Option<Tree>, StoreError> {
        let Ok(file) = File::open(&self.site, &self.path, false) else { return Ok(None) };
        // docsh says of every page who may see it: no tree of its own depends on the rules.
        if let Some(tree) = file.built_tree().filter(|_| file.has_whole_database()) {
            let held = |page| Some((tree.slug(page).to_string(), tree.hash(page)?));
            self.is_complete = true;
            self.old = tree.pages().filter(|&page| tree.lazy(page).is_none()).filter_map(held).collect();
            return Ok(Some(tree));
        }
        match Embedded::open(&self.site, self.path.as_os_str(), Rules::Marked)?.tree(None, cancel) {
            Ok(TreeAnswer::Tree(tree)) => {
                // Of a file whose index is damaged nothing is kept, so that all of it is made anew; nor of one that
                // cannot be read.
                if file.has_whole_index().unwrap_or(false) {
                    self.old = file.whole_pages().unwrap_or_default();
                }
                Ok(Some(*tree))
            }
            Ok(TreeAnswer::NotModified) | Err(StoreError::BadTree { .. } | StoreError::BadFile { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn holds(&self, page: &NewPage) -> bool {
        self.old.get(&page.slug) == Some(&page.hash)
    }

    fn is_complete(&self) -> bool {
        self.is_complete
    }

    fn name(&mut self, _: &NewTree, _: &[&NewPage]) {}

    fn put_pages(&mut self, pages: &[&NewPage], cancel: &Cancel) -> Result<(), StoreError> {
        let connection = self.take()?;
        let put = |page: &NewPage| -> rusqlite::Result<()> {
            let sql = "INSERT INTO main.page(slug, hash, sum, body) VALUES (?1, ?2, ?3, ?4)";
            let mut insert = connection.prepare_cached(sql)?;
            insert.execute(params![page.slug, page.hash.0, checksum(&page.body), &page.body[..]]).map(drop)
        };
        for page in pages {
            cancel.check()?;
            put(page).map_err(|error| self.failed(error))?;
        }
        self.connection = Some(connection);
        Ok(())
    }

    fn put_tree(&mut self, tree: &NewTree, pages: &[&NewPage], cancel: &Cancel) -> Result<(), StoreError> {
        cancel.check()?;
        let connection = self.take()?;
        self.copy_unchanged(&connection, pages, cancel)?;
        let has_index = self.finish(&connection, tree, cancel).map_err(|error| self.failed(error))?;
        cancel.check()?;
        connection.close().map_err(|(_, error)| self.failed(error))?;
        let NewTree { json, version, base_url, is_plain } = tree;
        let built = super::tree_of(base_url.as_deref(), *is_plain, version, json, Rules::Required);
        let rename = || -> std::io::Result<()> {
            let mut file = fs::OpenOptions::new().read(true).append(true).open(&self.new)?;
            // What is no tree, readers are told from its JSON.
            if let Ok(built) = built {
                Ending::write(&mut file, &built, has_index)?;
            }
            file.sync_all()?;
            fs::rename(&self.new, &self.path)?;
            // So that the new name outlives a power loss.
            self.path.parent().map_or(Ok(()), |folder| fs::File::open(folder)?.sync_all())
        };
        rename().map_err(|error| self.failed(error))
    }

    fn sweep(&mut self, _: &Cancel) -> Result<usize, StoreError> {
        Ok(0)
    }
}

/// Remove what writers of `path` began and were killed over: `NAME.new-PROCESS` beside it.
fn remove_leftovers(path: &Path) {
    let (Some(folder), Some(stem)) = (path.parent(), path.file_stem()) else { return };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let found = entry.path();
        let extension = found.extension().and_then(|extension| extension.to_str());
        let process = extension.and_then(|extension| extension.strip_prefix("new-")?.parse().ok());
        if found.file_stem() == Some(stem) && process.is_some_and(|process| is_abandoned(&found, process)) {
            // It is only in the way of space.
            let _ = fs::remove_file(found);
        }
    }
}

impl Drop for EmbeddedWriter {
    /// A writer that gave up leaves nothing behind.
    fn drop(&mut self) {
        self.connection = None;
        let _ = fs::remove_file(&self.new);
    }
}
