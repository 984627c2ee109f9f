//! 5,000 pages of 8 KB ingested into both stores, a first and a second time, beside `cp -r` of the folder and a plain
//! import into SQLite in the same run.
//!
//! `cargo bench --bench ingest` prints a Markdown table: wall clock of whole processes, the writer's peak memory, and
//! its requests. The Chroma server is the one that `tests/run services` installs, in `DOCSH_TEST_SERVICES`; without it
//! that part of the table is missing, and a line says so. Nothing is asserted.
#![allow(missing_docs, reason = "a program, not a library")]
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "it starts processes and reports"
)]
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../tests/support/proxy.rs"]
mod proxy;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../tests/support/service.rs"]
mod service;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

const PAGES: usize = 5000;
const BYTES: usize = 8 << 10;

/// What one run cost.
struct Cost {
    time: Duration,
    /// The most memory that the process held, in KiB.
    memory: u64,
    requests: usize,
}

fn main() {
    let home = tempfile::tempdir().unwrap();
    let docs = home.path().join("docs");
    write_docs(&docs);
    let copy = time(|| {
        let done = Command::new("cp").arg("-r").arg(&docs).arg(home.path().join("copy")).status().unwrap();
        assert!(done.success());
    });
    let import = time(|| import(&docs, &home.path().join("plain.db")));
    println!(
        "{PAGES} pages of {} KiB. `cp -r`: {} ms; a plain import into SQLite: {} ms.\n",
        BYTES >> 10,
        ms(copy),
        ms(import)
    );
    println!("| store | ingest | ms | ratio to `cp -r` | ratio to SQLite | peak memory, MiB | requests |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
    let row = |store: &str, which: &str, cost: &Cost| {
        let ratio = |base: Duration| cost.time.as_secs_f64() / base.as_secs_f64();
        let (ms, memory) = (ms(cost.time), cost.memory >> 10);
        let (to_copy, to_import, requests) = (ratio(copy), ratio(import), cost.requests);
        println!("| {store} | {which} | {ms} | {to_copy:.2} | {to_import:.2} | {memory} | {requests} |");
    };
    let config = home.path().join("config.toml");
    let both = |store: &str, requests: &dyn Fn() -> usize| {
        for which in ["first", "second"] {
            requests();
            row(store, which, &ingest(home.path(), &config, &docs, requests));
        }
    };
    fs::write(&config, "").unwrap();
    both("a file", &|| 0);
    let services = std::env::var_os("DOCSH_TEST_SERVICES").map(PathBuf::from);
    if services.is_some_and(|services| services.join("venv/bin/python").exists()) {
        let server = service::chroma();
        let proxy = proxy::Proxy::to(server.port);
        fs::write(&config, format!("[sites.docs]\nurl = \"{}\"\n", proxy.url())).unwrap();
        both("Chroma", &|| proxy.requests());
    } else {
        println!("\nNo Chroma: set DOCSH_TEST_SERVICES to what `tests/run services` has installed.");
    }
}

/// Pages of words under headings, no two alike, a hundred to a folder.
fn write_docs(docs: &Path) {
    let mut random = fastrand::Rng::with_seed(1);
    for page in 0..PAGES {
        let folder = docs.join(format!("section-{}", page / 100));
        fs::create_dir_all(&folder).unwrap();
        let mut text = format!("---\ntitle: Page {page}\n---\n");
        while text.len() < BYTES {
            text += &format!("\n## Part {}\n\n", random.u32(..));
            for _ in 0..random.usize(20..120) {
                let word: String = (0..random.usize(2..9)).map(|_| random.lowercase()).collect();
                text += &word;
                text.push(if random.u8(..12) == 0 { '\n' } else { ' ' });
            }
        }
        text.truncate(BYTES - 1);
        fs::write(folder.join(format!("page-{page}.md")), text + "\n").unwrap();
    }
}

/// What any program would do: every file a row, in one transaction.
fn import(docs: &Path, file: &Path) {
    let mut database = rusqlite::Connection::open(file).unwrap();
    database.execute_batch("CREATE TABLE page(path TEXT PRIMARY KEY, body BLOB)").unwrap();
    let transaction = database.transaction().unwrap();
    for folder in fs::read_dir(docs).unwrap() {
        for page in fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = page.unwrap().path();
            let body = fs::read(&path).unwrap();
            transaction.execute("INSERT INTO page VALUES (?1, ?2)", (path.display().to_string(), body)).unwrap();
        }
    }
    transaction.commit().unwrap();
}

/// Ingest once. The peak memory is what the kernel says of the process, asked often while it runs.
fn ingest(home: &Path, config: &Path, docs: &Path, requests: &dyn Fn() -> usize) -> Cost {
    let mut command = Command::new(env!("CARGO_BIN_EXE_docsh"));
    command.arg("ingest").arg(docs).args(["--site", "docs", "--config"]).arg(config);
    command.env("XDG_DATA_HOME", home.join("data")).env("HOME", home);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let begun = Instant::now();
    let mut child = command.spawn().unwrap();
    let mut memory = 0;
    let status = loop {
        memory = peak(child.id()).unwrap_or(memory);
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    assert!(status.success(), "{status}");
    Cost { time: begun.elapsed(), memory, requests: requests() }
}

/// The most memory that a process has held so far, in KiB.
fn peak(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok())
}

fn time(work: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    work();
    begun.elapsed()
}

fn ms(time: Duration) -> u128 {
    time.as_millis()
}
