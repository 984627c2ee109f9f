//! How many requests a conversation costs the stores: what `benches/SCALE.md` multiplies.
//!
//! `cargo bench --bench scale` prints a Markdown table. A conversation is ten commands of an agent over a site of
//! generated pages, other pages and words in each conversation, the well-known pages more often. Chroma and S3 stand
//! behind a proxy that counts; Redis counts itself. Nothing is asserted. It needs the servers that `tests/run services`
//! installs.
#![allow(missing_docs, reason = "a program, not a library")]
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "it starts servers and reports"
)]
#[allow(dead_code, reason = "another benchmark uses the rest of it")]
mod corpus;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../tests/support/proxy.rs"]
mod proxy;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../tests/support/service.rs"]
mod service;

use docsh::{
    shell::{Mode, Shell},
    site::{Options, Site, Visitor},
    store::chroma::ChromaConfig,
};
use docsh_builtins::{Cancel, Input, Limits, Output, Session, Stdio};
use proxy::Proxy;
use service::{S3, Service};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio as Streams},
    thread,
    time::Duration,
};

/// Conversations after the first whose mean is told.
const MORE: usize = 20;

fn main() {
    println!("| site | how it is used | conversation | Chroma requests | Chroma MB | Redis commands |");
    println!("| --- | --- | --- | ---: | ---: | ---: |");
    for pages in [1000, 10_000] {
        Fleet::with(pages).measure();
    }
    println!("\n| a file of 3.4 MB in S3, a process each | GETs | MB |\n| --- | ---: | ---: |");
    files_in_s3();
}

/// The ten commands of a conversation about a site of so many pages.
fn conversation(number: usize, pages: usize) -> Vec<String> {
    let mut random = fastrand::Rng::with_seed(number as u64);
    // The cube brings the first pages up more often: half of the questions go to an eighth of the pages.
    let mut page = || format!("/*/*/*/*-{:06}.md*", (random.f64().powi(3) * pages as f64) as usize);
    vec![
        "ls /".into(),
        "head -n 20 /llms.txt".into(),
        "find / -name '*.mdx' | wc -l".into(),
        format!("grep -rn {} / | head -n 20", corpus::rare_word(number)),
        format!("cat {}", page()),
        format!("sed -n 1,40p {}", page()),
        format!("grep -n token {} {}", page(), page()),
        format!("grep -rln '{} token' /section-00 | head -n 5", ["request", "the", "a", "your", "this"][number % 5]),
        format!("cat {} | wc -l", page()),
        format!("grep -rn 'no such phrase {number}' / | head"),
    ]
}

/// What some conversations cost the stores.
struct Cost {
    requests: usize,
    bytes: usize,
    redis: usize,
}

/// A site in Chroma behind a proxy, and a Redis.
struct Fleet {
    pages: usize,
    home: tempfile::TempDir,
    _server: Service,
    proxy: Proxy,
    redis: Service,
}

impl Fleet {
    fn with(pages: usize) -> Fleet {
        let folder = corpus::pages(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("peers/files"), pages).unwrap();
        let (home, server, redis) = (tempfile::tempdir().unwrap(), service::chroma(), service::redis());
        let proxy = Proxy::to(server.port);
        let fleet = Fleet { pages, home, _server: server, proxy, redis };
        let config = fleet.config("ingest", false);
        let mut ingest = Command::new(env!("CARGO_BIN_EXE_docsh"));
        ingest.arg("ingest").arg(folder).args(["--site", "docs", "--config"]).arg(config).stdout(Streams::null());
        assert!(ingest.status().unwrap().success());
        fleet
    }

    /// The configuration of a machine of this name: its cache is its own.
    fn config(&self, machine: &str, has_redis: bool) -> PathBuf {
        let file = self.home.path().join(format!("{machine}.toml"));
        let redis = if has_redis { "redis_env = \"FLEET_REDIS\"\n" } else { "" };
        let (url, cache) = (self.proxy.url(), self.home.path().join(machine));
        let text = format!("[sites.docs]\nurl = {url:?}\nttl = \"1h\"\n[cache]\nfolder = {cache:?}\n{redis}");
        fs::write(&file, text).unwrap();
        file
    }

    fn measure(&self) {
        let machine = |name: &str, has_redis: bool| {
            let config = self.config(name, has_redis);
            move |number: usize| self.processes(&config, number)
        };
        let alone = machine("first", false);
        self.rows("a process each command, its machine's cache", &alone);
        let first_of_many = machine("second", true);
        (0..=MORE).for_each(&first_of_many);
        self.rows("the same on a new machine, Redis filled by another", &machine("third", true));
        // Without a cache on the disk: what an HTTP server keeps is its own memory.
        let site =
            Site::chroma(ChromaConfig::new("docs", &self.proxy.url()), Options::default(), &Cancel::new()).unwrap();
        self.rows("a session each conversation, one server", &|number| self.session(&site, number));
    }

    /// A row for the first conversation, and one for the mean of those after it.
    fn rows(&self, how: &str, converse: &dyn Fn(usize)) {
        self.cost(|| ());
        let first = self.cost(|| converse(0));
        let more = self.cost(|| (1..=MORE).for_each(converse));
        for (which, cost, count) in [("the first", first, 1), ("the next 20, mean", more, MORE)] {
            let mean = |sum: usize| sum as f64 / count as f64;
            let (requests, megabytes, redis) = (mean(cost.requests), mean(cost.bytes) / 1e6, mean(cost.redis));
            println!("| {} pages | {how} | {which} | {requests:.1} | {megabytes:.2} | {redis:.1} |", self.pages);
        }
    }

    fn cost(&self, work: impl FnOnce()) -> Cost {
        let before = (self.proxy.requests(), self.proxy.bytes(), commands(&self.redis));
        work();
        // A server reads ahead in the background, which is a cost too.
        thread::sleep(Duration::from_millis(500));
        Cost { requests: self.proxy.requests(), bytes: self.proxy.bytes(), redis: commands(&self.redis) - before.2 }
    }

    fn processes(&self, config: &Path, number: usize) {
        for line in conversation(number, self.pages) {
            let mut docsh = Command::new(env!("CARGO_BIN_EXE_docsh"));
            docsh.arg("--config").arg(config).args(["--site", "docs", "-c", &line]);
            docsh.env("FLEET_REDIS", format!("redis://127.0.0.1:{}", self.redis.port));
            let status = docsh.stdin(Streams::null()).stdout(Streams::null()).status().unwrap();
            // A search that finds nothing has failed in its own way.
            assert!(status.code().is_some_and(|status| status < 2), "{line}: {status}");
        }
    }

    fn session(&self, site: &Site, number: usize) {
        let mut shell = Shell::new(site.session(&Visitor::Anonymous), Limits::default(), Session::new(), Mode::Command);
        for line in conversation(number, self.pages) {
            site.freshen(&Cancel::new()).unwrap();
            let stdio = Stdio { stdin: Input::empty(), stdout: Output::null(), stderr: Output::null() };
            shell.run(&line, 1, stdio, &Cancel::new());
        }
    }
}

/// How many commands a Redis has answered, those that ask it this aside.
fn commands(redis: &Service) -> usize {
    let told = service::talk(redis.port, b"INFO commandstats\r\nQUIT\r\n").unwrap();
    let calls = told.lines().filter(|line| {
        let name = line.strip_prefix("cmdstat_").and_then(|rest| rest.split(':').next());
        name.is_some_and(|name| !matches!(name, "info" | "quit"))
    });
    calls.filter_map(|line| line.split_once("calls=")?.1.split(',').next()?.parse::<usize>().ok()).sum()
}

/// What looking into a large file costs.
fn files_in_s3() {
    let (home, s3) = (tempfile::tempdir().unwrap(), service::s3s_fs());
    let proxy = Proxy::to(s3.service.port);
    s3.put("specs", "made", b"");
    let docs = home.path().join("docs");
    fs::create_dir(&docs).unwrap();
    let paths: String = (0..60_000)
        .map(|path| format!(",\n\"/v1/things/{path}\": {{\"get\": {{\"summary\": \"Thing {path}\"}}}}"))
        .collect();
    fs::write(docs.join("api.json"), format!("{{\"openapi\": \"3.1.0\", \"paths\": {{\n\"/\": {{}}{paths}\n}}}}\n"))
        .unwrap();
    let config = home.path().join("config.toml");
    let text = format!(
        "[sites.docs]\nstore = \"embedded\"\nlazy.buckets = [\"specs\"]\ns3 = {{ endpoint = \"{}\", region = \"us-east-1\" }}\n",
        proxy.url()
    );
    fs::write(&config, text).unwrap();
    let docsh = |words: &[&str]| {
        let mut docsh = Command::new(env!("CARGO_BIN_EXE_docsh"));
        docsh
            .args(words)
            .arg("--config")
            .arg(&config)
            .args(["--site", "docs"])
            .env("XDG_DATA_HOME", home.path().join("data"));
        docsh.env("XDG_CACHE_HOME", home.path().join("cache")).env("HOME", home.path());
        docsh.env("AWS_ACCESS_KEY_ID", S3::ACCESS_KEY).env("AWS_SECRET_ACCESS_KEY", S3::SECRET_KEY);
        docsh.env("AWS_EC2_METADATA_DISABLED", "true").stdin(Streams::null()).stdout(Streams::null());
        assert!(docsh.status().unwrap().success(), "{words:?}");
    };
    docsh(&["ingest", docs.to_str().unwrap(), "--s3", "s3://specs/docs", "--lazy-over", "1MiB"]);
    for line in [
        "ls -l /",
        "head -n 3 /api.json",
        "tail -n 3 /api.json",
        "grep -c summary /api.json",
        "jq '.paths | length' /api.json",
    ] {
        proxy.requests();
        proxy.bytes();
        docsh(&["-c", line]);
        let line = line.replace('|', "\\|");
        println!("| `{line}` | {} | {:.2} |", proxy.requests(), proxy.bytes() as f64 / 1e6);
    }
}
