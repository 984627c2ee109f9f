//! Every example that a document shows is run, or stands in [`NOT_RUN`] with the reason: the code blocks and the inline
//! command lines of the README and of the guide to SSH, and the examples of the manual page.
//!
//! The kind of a block says who runs it: `console` is typed into docsh by tests/spec.rs; of `sh` each line is run by
//! the host's shell here, in a folder with some `docs/`; `toml` is read as a configuration; the guide's
//! `sshd_config` and `authorized_keys` and its `ssh` lines are what tests/ssh.rs starts a real server with and asks it.
use crate::support::{
    docsh::{Answer, Docsh},
    service,
    tree::{copy_of, repository},
};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const DOCUMENTS: &[&str] = &["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "src/cli/login.md"];

/// Lines that are not run, and why.
const NOT_RUN: &[(&str, &str)] = &[
    ("tests/run", "it runs this test"),
    ("install -m 755 docsh /usr/local/bin/docsh", "it changes the host"),
    ("ln -s docsh /usr/local/bin/rdocsh", "it changes the host"),
    ("echo /usr/local/bin/rdocsh >>/etc/shells", "it changes the host"),
    ("useradd --system --shell /usr/local/bin/rdocsh --home-dir /nonexistent docs", "it changes the host"),
];

/// The server that the documents speak of.
const CHROMA: &str = "http://127.0.0.1:8000";

/// A fenced block.
struct Block {
    document: &'static str,
    kind: String,
    text: String,
}

fn blocks() -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for document in DOCUMENTS {
        let text = fs::read_to_string(repository(document)).unwrap();
        let mut inside = false;
        for line in text.lines() {
            match (line.strip_prefix("```"), inside) {
                (Some(kind), false) => blocks.push(Block { document, kind: kind.into(), text: String::new() }),
                (None, true) => blocks.last_mut().expect("a block").text += &format!("{line}\n"),
                (None, false) => assert!(!line.starts_with("    "), "{document}: no kind is named for: {line}"),
                (Some(_), true) => {}
            }
            inside ^= line.starts_with("```");
        }
    }
    blocks
}

/// A host's folder with some docs, a home of its own, and a Chroma server.
struct Host {
    folder: tempfile::TempDir,
    chroma: service::Service,
}

impl Host {
    fn new() -> Host {
        let folder = tempfile::tempdir().unwrap();
        let docs = copy_of("fixtures/acme");
        fs::rename(docs.keep(), folder.path().join("docs")).unwrap();
        Host { folder, chroma: service::chroma() }
    }

    /// A command line of the host's shell, which finds docsh on its path.
    fn run(&self, line: &str) -> Answer {
        let programs = Path::new(env!("CARGO_BIN_EXE_docsh")).parent().unwrap();
        let path = std::env::var("PATH").unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-c", &line.replace(CHROMA, &self.chroma.url())]);
        let docsh = Docsh::from_command(shell).current_dir(self.folder.path());
        docsh
            .env("PATH", &format!("{}:{path}", programs.display()))
            .env("HOME", &self.folder.path().display().to_string())
            .env("OPENAI_API_KEY", "a key")
            .deadline(std::time::Duration::from_secs(60))
            .run()
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let file = self.folder.path().join(name);
        fs::write(&file, text.replace(CHROMA, &self.chroma.url())).unwrap();
        file
    }
}

#[test]
fn every_block_is_run_or_listed() {
    let host = Host::new();
    let mut listed: BTreeSet<&str> = NOT_RUN.iter().map(|(line, _)| *line).collect();
    let mut complaints = String::new();
    for Block { document, kind, text } in blocks() {
        let is_guide = document == "src/cli/login.md";
        match kind.as_str() {
            "console" if !is_guide => {}
            "sshd_config" | "authorized_keys" if is_guide => {}
            "sh" => {
                for line in text.lines().filter(|line| !(is_guide && line.starts_with("ssh "))) {
                    if listed.remove(line) {
                        continue;
                    }
                    // The binary at hand instead of one that takes minutes to build.
                    let answer = host.run(&line.replace("cargo run --release --", "docsh"));
                    if answer.status != 0 || answer.timed_out || answer.stdout.is_empty() && answer.stderr.is_empty() {
                        complaints += &format!("{document}: {line}\n{}{}\n", answer.text(), answer.complaints());
                    }
                }
            }
            "toml" => {
                let config = host.write("config.toml", &text).display().to_string();
                let answer = host.run(&format!("docsh --config {config} config --resolved"));
                assert_eq!(answer.status, 0, "{document}: {text}{}", answer.complaints());
                if text.contains("default_site") {
                    let pages = host.run(&format!("docsh --config {config} -c 'find / -type f | wc -l'"));
                    assert_eq!((pages.text().as_str(), pages.status), ("96\n", 0), "{}", pages.complaints());
                }
            }
            other => panic!("{document}: nothing runs blocks of the kind {other:?}"),
        }
    }
    assert!(complaints.is_empty(), "\n{complaints}");
    assert!(listed.is_empty(), "no document shows: {listed:?}");
}

/// The command lines that stand in the text of a document.
fn inline(document: &str) -> Vec<String> {
    let text = fs::read_to_string(repository(document)).unwrap();
    let prose: String = text.split("```").step_by(2).collect();
    prose.split('`').skip(1).step_by(2).filter(|span| span.starts_with("docsh ")).map(String::from).collect()
}

/// Inline, a command line may hold names in capitals for what the reader puts there, and words to choose from.
#[test]
fn every_command_line_in_the_text_runs() {
    let host = Host::new();
    let ingested = host.run(&format!("docsh ingest docs/ --site mysite --to chroma --url {CHROMA}"));
    assert_eq!(ingested.status, 0, "{}", ingested.complaints());
    // The configuration that the README shows.
    let config = blocks().into_iter().find(|block| block.text.contains("default_site")).expect("a configuration");
    fs::create_dir_all(host.folder.path().join(".config/docsh")).unwrap();
    host.write(".config/docsh/config.toml", &config.text);
    let mut seen = 0;
    for line in ["README.md", "src/cli/login.md"].into_iter().flat_map(inline) {
        seen += 1;
        if let Some((before, _)) = line.split_once("127.0.0.1:") {
            let words: Vec<&str> = before.split_whitespace().skip(1).collect();
            // It listens until it is dropped.
            drop(service::docsh(|address| {
                let mut command = Command::new(env!("CARGO_BIN_EXE_docsh"));
                command.args(&words).arg(address);
                command
            }));
            continue;
        }
        let line = [("COMMAND", "'ls /'"), ("DIR", "docs"), ("SHELL", "bash")]
            .iter()
            .fold(line, |line, (name, value)| line.replace(name, value));
        let (before, words) = line.rsplit_once(' ').expect("a word");
        for word in words.split('|') {
            let line = format!("{before} {word}");
            // A tree is made for a collection that something else has filled: tests/ingest does it.
            let line = if line.contains("--tree-only") { line + " --help" } else { line };
            let answer = host.run(&line);
            assert_eq!((answer.status, answer.timed_out), (0, false), "{line}: {}", answer.complaints());
        }
    }
    assert!(seen > 10, "{seen} command lines");
}

#[test]
fn the_manual_page_shows_the_examples_of_the_help() {
    let told = |arg: &str| Docsh::new([arg]).run().text();
    let (page, help) = (told("man"), told("--help"));
    let (_, section) = page.split_once(".SH EXAMPLES\n").expect("examples");
    let examples = section.split(".SH ").next().unwrap().replace("\\-", "-").replace("\\*(Aq", "'");
    let lines = |text: &str| text.lines().map(|line| line.trim().to_string()).collect::<Vec<_>>();
    assert_eq!(lines(&examples), lines(help.split_once("Examples:\n").expect("examples").1));
    assert!(page.contains(".SH DOCSH CACHE WARM\n") && page.contains("\\-\\-max\\-connections"), "{page}");
}
