//! Writing a site's file: a new one beside the old, renamed over it when it is whole.
use super::{APPLICATION_ID, Embedded, File, USER_VERSION};
use crate::{
    site::tree::{Rules, Tree},
    store::{NewPage, NewTree, Store, StoreError, TreeAnswer, Writer, abandoned::is_abandoned},
};
use docsh_builtins::Cancel;
use rusqlite::{Connection, params};
use std::{
    fs,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    sync::Arc,
};

/// Below this much text a scan is as quick as an index, which would cost 3 s a 40 MB and a quarter of the file.
const INDEXED: u64 = 32 << 20;

/// A file that is being written.
pub struct EmbeddedWriter {
    site: Arc<str>,
    path: PathBuf,
    new: PathBuf,
    connection: Option<Connection>,
    text: u64,
    indexed: u64,
}

impl EmbeddedWriter {
    /// Ready to write the site's file `path`; its folder is made if need be.
    pub fn open(site: &str, path: &Path) -> Result<EmbeddedWriter, StoreError> {
        let site: Arc<str> = site.into();
        let new = path.with_extension(format!("new-{}", std::process::id()));
        let failed =
            |error: &dyn std::fmt::Display| super::bad_file(&site, &new, &format!("cannot be written ({error})"));
        if let Some(folder) = path.parent() {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|error| failed(&error))?;
        }
        remove_leftovers(path);
        // SQLite would make it readable for others.
        let made = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new);
        made.map_err(|error| failed(&error))?;
        let connection = Connection::open(&new).and_then(|connection| {
            // Nobody reads the file before it is renamed: it needs no journal, and is synced once, at the end.
            connection.execute_batch(&format!(
                "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 4096;
                 PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {USER_VERSION};
                 CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
                 CREATE TABLE tree(form TEXT PRIMARY KEY, body BLOB NOT NULL);
                 CREATE TABLE page(id INTEGER PRIMARY KEY, slug TEXT NOT NULL UNIQUE, hash BLOB NOT NULL, body BLOB NOT NULL);
                 BEGIN"
            ))?;
            Ok(connection)
        });
        let connection = connection.map_err(|error| failed(&error))?;
        Ok(EmbeddedWriter { site, path: path.into(), new, connection: Some(connection), text: 0, indexed: INDEXED })
    }

    /// Make an index from so many bytes of text on.
    pub fn index_from(mut self, bytes: u64) -> EmbeddedWriter {
        self.indexed = bytes;
        self
    }

    fn failed(&self, error: impl std::fmt::Display) -> StoreError {
        super::bad_file(&self.site, &self.new, &format!("cannot be written ({error})"))
    }

    fn connection(&self) -> Result<&Connection, StoreError> {
        self.connection.as_ref().ok_or_else(|| self.failed("it is finished"))
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

impl Writer for EmbeddedWriter {
    fn current(&mut self, cancel: &Cancel) -> Result<Option<Tree>, StoreError> {
        if File::open(&self.site, &self.path).is_err() {
            return Ok(None);
        }
        match Embedded::open(&self.site, self.path.as_os_str(), Rules::Marked)?.tree(None, cancel) {
            Ok(TreeAnswer::Tree(tree)) => Ok(Some(*tree)),
            Ok(TreeAnswer::NotModified) | Err(StoreError::BadTree { .. } | StoreError::BadFile { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn holds(&self, _: &NewPage) -> bool {
        false
    }

    fn put_pages(&mut self, pages: &[&NewPage], cancel: &Cancel) -> Result<(), StoreError> {
        let put = |page: &NewPage| -> rusqlite::Result<()> {
            let Some(connection) = &self.connection else { return Ok(()) };
            let mut insert = connection.prepare_cached("INSERT INTO page(slug, hash, body) VALUES (?1, ?2, ?3)")?;
            insert.execute(params![page.slug, page.hash.0, &page.body[..]]).map(drop)
        };
        for page in pages {
            cancel.check()?;
            put(page).map_err(|error| self.failed(error))?;
            self.text += page.body.len() as u64;
        }
        Ok(())
    }

    fn put_tree(&mut self, tree: &NewTree, _: &[NewPage], cancel: &Cancel) -> Result<(), StoreError> {
        cancel.check()?;
        let put = |connection: &Connection| -> rusqlite::Result<()> {
            connection.execute("INSERT INTO tree(form, body) VALUES ('json', ?1)", [&tree.json])?;
            if let Ok(built) = super::tree_of(tree.base_url.as_deref(), &tree.version, &tree.json, Rules::Required) {
                connection.execute("INSERT INTO tree(form, body) VALUES ('binary', ?1)", [built.to_bytes()])?;
            }
            let mut meta = connection.prepare("INSERT INTO meta(key, value) VALUES (?1, ?2)")?;
            meta.execute(params!["site", &*self.site])?;
            meta.execute(params!["tree_version", tree.version])?;
            if let Some(base_url) = &tree.base_url {
                meta.execute(params!["base_url", base_url])?;
            }
            if self.text >= self.indexed {
                connection.execute_batch(
                    "CREATE VIRTUAL TABLE needle USING fts5(body, content='', detail=none, columnsize=0,
                                                            tokenize='trigram case_sensitive 1');
                     INSERT INTO needle(rowid, body) SELECT id, CAST(body AS TEXT) FROM page;
                     INSERT INTO needle(needle) VALUES ('optimize')",
                )?;
            }
            connection.execute_batch("COMMIT")
        };
        put(self.connection()?).map_err(|error| self.failed(error))?;
        cancel.check()?;
        if let Some(connection) = self.connection.take() {
            connection.close().map_err(|(_, error)| self.failed(error))?;
        }
        let rename = || -> std::io::Result<()> {
            fs::File::open(&self.new)?.sync_all()?;
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

impl Drop for EmbeddedWriter {
    /// A writer that gave up leaves nothing behind.
    fn drop(&mut self) {
        self.connection = None;
        let _ = fs::remove_file(&self.new);
    }
}
