//! One suite for every store: what ingest has written is what readers get, from a file of SQLite and from a real Chroma
//! server alike; and what a server may do wrong is told, never served.
mod chaos;
mod conformance;
mod damage;
mod deleted;
mod faults;
mod foreign;
mod hammer;
mod hostile;
mod ingest_command;
mod lazy;
mod narrowing;
mod search;
mod two_pass;

use crate::support::{
    proxy::Proxy,
    service::{self, Service},
    tree::literal,
};
use docsh::{
    ingest::{self, Reading, Summary},
    shell::{Mode, Shell},
    site::{Options, Site, Visitor},
    store::{
        StoreError, Writer,
        chroma::{ChromaConfig, ChromaWriter},
    },
};
use docsh_builtins::{Cancel, Fs, Input, Kind, Limits, Output, Session, Stdio, VPath};
use std::{
    io::Read,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicUsize, Ordering},
    },
};

/// One server for the whole run; each test has a collection of its own.
pub(crate) static SERVER: LazyLock<Service> = LazyLock::new(service::chroma);

/// The name of a collection that nobody else uses.
pub(crate) fn new_collection() -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    format!("site-{}", COUNT.fetch_add(1, Ordering::Relaxed))
}

/// A collection that nobody else uses, behind a proxy.
fn collection() -> (ChromaConfig, Proxy) {
    let proxy = Proxy::to(SERVER.port);
    (ChromaConfig::new(&new_collection(), &proxy.url()), proxy)
}

/// Write a folder of these files with `writer`.
fn ingest(writer: &mut dyn Writer, files: &[(&str, &str)]) -> Result<Summary, StoreError> {
    let dir = literal(files.iter().copied());
    let folder = ingest::read(dir.path(), Reading::default()).unwrap();
    ingest::write(writer, &folder, Some("https://docs.example/"), &mut |_, _| {}, &Cancel::new())
}

/// Write a folder of these files into the collection.
fn ingest_to(config: &ChromaConfig, files: &[(&str, &str)]) -> Summary {
    let mut writer = ChromaWriter::open(config.clone(), &Cancel::new()).unwrap();
    ingest(&mut writer, files).unwrap()
}

fn site(config: &ChromaConfig) -> Result<Site, StoreError> {
    Site::chroma(config.clone(), Options::default(), &Cancel::new())
}

fn path(text: &str) -> VPath {
    VPath::root().join(text)
}

/// The text of a page, or what its reader complains of.
fn cat(fs: &dyn Fs, page: &str) -> Result<String, String> {
    let mut text = String::new();
    let mut reader = fs.open(&path(page), 0, &Cancel::new()).map_err(|error| error.to_string())?;
    reader.read_to_string(&mut text).map_err(|error| error.to_string())?;
    Ok(text)
}

/// All that the user of a fresh shell can tell of this command line: stdout, stderr, status.
pub(crate) fn answer_of(fs: Arc<dyn Fs>, line: &str, cancel: &Cancel) -> String {
    let (stdout, out) = Output::capture();
    let (stderr, err) = Output::capture();
    // The largest test reads 100 MB of JSON.
    let limits = Limits { memory: 4 << 30, ..Limits::default() };
    let mut shell = Shell::new(fs, limits, Session::new(), Mode::Command);
    let stdio = Stdio { stdin: Input::empty(), stdout, stderr: stderr.unbuffered() };
    let ended = shell.run(line, 1, stdio, cancel);
    let status = shell.finish(ended);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    format!("{}[stderr]\n{}[status {}]\n", text(out.take()), text(err.take()), status.0)
}

/// Every page that exists for the visitor, with its text.
fn everything(site: &Site, visitor: &Visitor) -> Vec<(String, String)> {
    let fs = site.session(visitor);
    let (mut dirs, mut pages) = (vec![VPath::root()], Vec::new());
    while let Some(dir) = dirs.pop() {
        for entry in fs.list(&dir).unwrap() {
            let child = dir.child(&entry.name);
            match entry.kind {
                Kind::Dir => dirs.push(child),
                _ => pages.push(child),
            }
        }
    }
    pages.sort();
    let read = fs.read_many(pages, &Cancel::new());
    read.map(|(path, text)| (path.to_string(), String::from_utf8(text.unwrap().to_vec()).unwrap())).collect()
}
