//! What a site costs: its tree at 10,000 to 1,000,000 paths, a session, a search of 1,000 and 5,000 pages in Chroma.
//!
//! `cargo bench --bench site` prints a Markdown table. Times are wall clock, medians; nothing is asserted. It needs the
//! Chroma server that `tests/run services` installs.
#![allow(missing_docs, reason = "a program, not a library")]
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "it starts a server and reports"
)]
#[path = "../tests/support/service.rs"]
#[allow(dead_code, reason = "the tests use the rest of it")]
mod service;

use base64::Engine;
use docsh::{
    ingest::{self, Reading},
    shell::{Mode, Shell},
    site::{CacheFolder, Options, Site, Visitor},
    store::{
        Page, PageRef, SearchAnswer, Store, StoreError, TreeAnswer,
        chroma::{ChromaConfig, ChromaWriter},
    },
    tree::{Hash, Layout, Rules, Tree, TreeVersion, access::Asker},
};
use docsh_builtins::{Cancel, Input, Limits, Needles, Output, Session, Stdio, VPath};
use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio as Streams},
    time::{Duration, Instant},
};

/// Runs of what is quick; an odd number, so that a median is a measurement.
const RUNS: usize = 21;

fn main() {
    println!("| what | {} |", ["time", "more"].join(" | "));
    println!("| --- | ---: | ---: |");
    for paths in [10_000, 100_000, 1_000_000] {
        tree(paths);
    }
    let server = service::chroma();
    for pages in [1000, 5000] {
        search(&server.url(), pages);
    }
}

fn row(what: &str, time: Duration, more: &str) {
    let time = match time.as_secs_f64() {
        seconds if seconds < 1e-3 => format!("{:.1} µs", seconds * 1e6),
        seconds => format!("{:.2} ms", seconds * 1e3),
    };
    println!("| {what} | {time} | {more} |");
}

fn median(runs: usize, mut work: impl FnMut()) -> Duration {
    let time = |()| {
        let started = Instant::now();
        work();
        started.elapsed()
    };
    let mut times: Vec<Duration> = [()].into_iter().cycle().take(runs).map(time).collect();
    times.sort_unstable();
    times[runs / 2]
}

/// A store that holds nothing but a tree, as its record would be.
struct Record(Vec<u8>);

impl Store for Record {
    fn tree(&self, known: Option<&TreeVersion>, _: &Cancel) -> Result<TreeAnswer, StoreError> {
        if known.is_some() {
            return Ok(TreeAnswer::NotModified);
        }
        let tree = Tree::from_record(&self.0, Layout::default(), Rules::Required, TreeVersion("1".into())).unwrap();
        Ok(TreeAnswer::Tree(Box::new(tree)))
    }
    fn pages(&self, pages: &[PageRef<'_>], _: &Cancel) -> Result<Vec<Page>, StoreError> {
        Ok(pages.iter().map(|_| Ok(bytes::Bytes::new())).collect())
    }
    fn search(&self, _: &Needles, _: &Layout, _: Option<&Asker>, _: &Cancel) -> Result<SearchAnswer, StoreError> {
        Ok(SearchAnswer::CannotTell)
    }
    fn identity(&self) -> Option<Hash> {
        Some(Hash::of(&self.0.len().to_le_bytes()))
    }
    fn tree_identity(&self) -> Option<Hash> {
        self.identity()
    }
}

/// The record of a tree as docsh writes it for Chroma: JSON with all that it knows of each page, packed.
fn record(paths: usize) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for n in 0..paths {
        let access = if n.is_multiple_of(10) { r#"false,"groups":["eng"]"# } else { r#"true,"groups":[]"# };
        let (start, hash) = (if n == 0 { "{" } else { "," }, Hash::of(&n.to_le_bytes()));
        let entry = format!(
            r#"{start}"d{:03}/s{:02}/p{n:06}.md":{{"isPublic":{access},"size":5120,"title":"Page {n}","chunks":4,"hash":"{hash}"}}"#,
            n / 10_000,
            n / 100 % 100
        );
        gzip.write_all(entry.as_bytes()).unwrap();
    }
    gzip.write_all(b"}").unwrap();
    base64::engine::general_purpose::STANDARD.encode(gzip.finish().unwrap()).into_bytes()
}

fn tree(paths: usize) {
    let record = record(paths);
    let cache = tempfile::tempdir().unwrap();
    let folder = CacheFolder { folder: cache.path().into(), capacity: 1 << 30 };
    let options = Options { cache: Some(folder), ..Options::default() };
    let open = |options: &Options| Site::over(Record(record.clone()), options.clone(), &Cancel::new()).unwrap();
    let runs = if paths > 100_000 { 5 } else { RUNS };
    let uncached = Options::default();
    row(&format!("tree of {paths} paths, from its record"), median(runs, || drop(open(&uncached))), "");
    let before = memory();
    let site = open(&options);
    let grown = format!("{} MB", memory().saturating_sub(before) >> 20);
    row(&format!("tree of {paths} paths, from the disk cache"), median(runs, || drop(open(&options))), &grown);
    let fs = site.session(&Visitor::Anonymous);
    let session = median(1001, || drop(site.session(&Visitor::Anonymous)));
    row(&format!("a session over {paths} paths"), session, "");
    let (root, deep) = (VPath::root(), VPath::root().join("d000/s50"));
    row(&format!("`ls /` of {paths} paths"), median(1001, || drop(fs.list(&root))), "");
    row(&format!("`ls` of 100 of {paths} paths"), median(1001, || drop(fs.list(&deep))), "");
}

/// Bytes of memory that this process has.
fn memory() -> u64 {
    let pages = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    pages.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}

fn search(url: &str, pages: usize) {
    let docs = tempfile::tempdir().unwrap();
    for n in 0..pages {
        let folder = docs.path().join(format!("d{:02}", n / 100));
        fs::create_dir_all(&folder).unwrap();
        let rare = if n % 500 == 7 { "Here is rare_word.\n" } else { "" };
        let text = format!("# Page {n}\n\n{}{rare}", "Tokens and other words, line after line.\n".repeat(30));
        fs::write(folder.join(format!("p{n:04}.md")), text).unwrap();
    }
    let name = format!("bench-{pages}");
    let config = ChromaConfig::new(&name, url);
    let folder = ingest::read(docs.path(), Reading::default()).unwrap();
    let mut writer = ChromaWriter::open(config.clone(), &Cancel::new()).unwrap();
    ingest::write(&mut writer, &folder, None, &mut |_, _| {}, &Cancel::new()).unwrap();

    let open = || Site::chroma(config.clone(), Options::default(), &Cancel::new()).unwrap();
    for line in ["grep -r rare_word /", "grep -rc Tokens /"] {
        let mut cost = String::new();
        let cold = median(5, || cost = run(&open(), line));
        row(&format!("`{line}`, {pages} pages, cold"), cold, &cost);
        let site = open();
        site.warm(&mut |_, _| {}, &Cancel::new()).unwrap();
        row(&format!("`{line}`, {pages} pages, in memory"), median(RUNS, || cost = run(&site, line)), &cost);
    }
    as_a_process(&name, url, pages);
}

/// The answer to `line` is thrown away; what it has cost.
fn run(site: &Site, line: &str) -> String {
    let (cancel, stdout) = (Cancel::new(), Output::capture().0);
    let mut shell = Shell::new(site.session(&Visitor::Anonymous), Limits::default(), Session::new(), Mode::Command);
    let stdio = Stdio { stdin: Input::empty(), stdout, stderr: Output::null() };
    shell.run(line, 1, stdio, &cancel);
    cancel.usage().take().to_string()
}

fn as_a_process(name: &str, url: &str, pages: usize) {
    let home = tempfile::tempdir().unwrap();
    let config = home.path().join("config.toml");
    let cache: &Path = &home.path().join("cache");
    let text = format!("[sites.{name}]\nurl = {url:?}\nttl = \"1h\"\n[cache]\nfolder = {cache:?}\n");
    fs::write(&config, text).unwrap();
    for line in ["true", "cat /d00/p0007.md", "grep -rc Tokens /d00"] {
        let mut docsh = Command::new(env!("CARGO_BIN_EXE_docsh"));
        docsh.arg("--config").arg(&config).args(["--site", name, "-c", line]);
        docsh.stdin(Streams::null()).stdout(Streams::null()).stderr(Streams::null());
        docsh.status().unwrap();
        let time = median(RUNS, || {
            docsh.status().unwrap();
        });
        row(&format!("`docsh -c '{line}'`, {pages} pages, a process with a warm disk cache"), time, "");
    }
}
