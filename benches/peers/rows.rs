//! `benches/rows.toml`: what is asked, and what is hoped for.
use serde::Deserialize;
use std::collections::BTreeMap;

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plan {
    pub(crate) row: Vec<Row>,
    pub(crate) chroma: ChromaPlan,
    pub(crate) sessions: SessionsPlan,
}

/// One command, asked of everybody.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// `acme`, `streams`, or a number of pages.
    pub(crate) files: String,
    /// For docsh, the file of `streams` that is its stdin.
    pub(crate) stdin: Option<String>,
    pub(crate) docsh: String,
    pub(crate) bash: String,
    pub(crate) rg: Option<String>,
    /// For just-bash and bashkit, where bash's command names a program that they call otherwise.
    pub(crate) others: Option<String>,
    /// The most that docsh's time may be, by peer, as a ratio to the peer's.
    #[serde(default)]
    pub(crate) target: BTreeMap<String, f64>,
    /// The most memory that docsh may hold, in MiB.
    pub(crate) memory: Option<u64>,
    /// docsh is to refuse, with status 126 and this in its message; the times then compare nothing.
    pub(crate) stops: Option<String>,
}

impl Row {
    /// The name, and what it is about.
    pub(crate) fn title(&self) -> String {
        match self.files.parse::<usize>() {
            Ok(pages) => format!("`{}`, {} pages", self.name, grouped(pages)),
            Err(_) if self.files == "streams" => self.name.clone(),
            Err(_) => format!("`{}`", self.name),
        }
    }
}

/// One search of a site in Chroma.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChromaPlan {
    pub(crate) pages: usize,
    pub(crate) docsh: String,
    /// The most that a process with a warm cache may take, as a ratio to the same over the embedded file.
    pub(crate) warm: f64,
    /// The most that one with no cache may take, as a ratio to a bare HTTP client that makes the same requests.
    pub(crate) cold: f64,
}

/// Sessions of one process.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SessionsPlan {
    /// How long a new one may take, in µs.
    pub(crate) new: f64,
    /// How many are alive at once.
    pub(crate) live: usize,
    /// How much memory they may take, in MB.
    pub(crate) memory: f64,
}

/// `10000` as `10,000`.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    groups.join(",")
}
