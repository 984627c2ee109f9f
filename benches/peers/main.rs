//! docsh beside bash and the GNU tools, ripgrep, just-bash and bashkit on the same files, alternately in one run.
//!
//! `cargo bench --bench peers` writes the files (`benches/corpus.rs`), asks what `benches/rows.toml` says, and prints a
//! table of medians as Markdown; the same is in `results.json`, whose place it says. Words behind `--` choose rows by
//! parts of their titles, or `sessions` and `chroma`; the other rows keep what they came to before. Times are wall
//! clock of whole processes with a warm page cache, a ratio is the median of the rounds' ratios, memory is the most
//! that a process held. Nothing is asserted. `benches/install-peers` installs the peers that a machine does not have,
//! `tests/run services` the Chroma server; what is missing is said.
#![allow(missing_docs, reason = "a program, not a library")]
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "it starts processes and reports"
)]
mod chroma;
mod contest;
#[allow(dead_code, reason = "another benchmark uses the rest of it")]
#[path = "../corpus.rs"]
mod corpus;
mod place;
mod process;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../tests/support/proxy.rs"]
mod proxy;
mod report;
mod rows;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../tests/support/service.rs"]
mod service;
mod sessions;

use contest::Outcome;
use place::Place;
use rows::Plan;
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs, io,
    process::{Command, Stdio},
};

/// The site whose sessions are counted.
const SESSIONS_OVER: &str = "10000";

/// Everything that was measured.
#[derive(Default, Serialize, Deserialize)]
struct Results {
    rows: BTreeMap<String, Outcome>,
    sessions: Option<sessions::Sessions>,
    chroma: Option<chroma::Searches>,
}

fn main() -> io::Result<()> {
    let plan: Plan = toml::from_str(include_str!("../rows.toml")).map_err(io::Error::other)?;
    let place = Place::new()?;
    let words: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    // Parts of the work have processes of their own: on some kernels a child seems to be as large as its parent was.
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--prepare", files] => return place.prepare(files),
        ["--sessions"] => {
            let measured = sessions::measure(&place.site(SESSIONS_OVER), &plan.sessions);
            println!("{}", serde_json::to_string(&measured)?);
            return Ok(());
        }
        _ => {}
    }
    let file = place.join("results.json");
    let known = fs::read(&file).ok().filter(|_| !words.is_empty());
    let mut results: Results = known.and_then(|json| serde_json::from_slice(&json).ok()).unwrap_or_default();
    let is_wanted = |title: &str| words.is_empty() || words.iter().any(|word| title.contains(word.as_str()));

    let wanted: Vec<_> = plan.row.iter().filter(|row| is_wanted(&row.title())).collect();
    let mut files: BTreeSet<&str> = wanted.iter().map(|row| row.files.as_str()).collect();
    let pages = plan.chroma.pages.to_string();
    files.extend(is_wanted("chroma").then_some(pages.as_str()));
    files.extend(is_wanted("sessions").then_some(SESSIONS_OVER));
    for files in files {
        part(&["--prepare", files])?;
    }
    for row in wanted {
        let outcome = contest::hold(row, &place);
        results.rows.insert(row.title(), outcome);
    }
    if is_wanted("sessions") {
        results.sessions = Some(serde_json::from_slice(&part(&["--sessions"])?)?);
    }
    if is_wanted("chroma") && chroma::is_there() {
        results.chroma = Some(chroma::measure(&plan.chroma, &place)?);
    }
    fs::write(&file, serde_json::to_vec_pretty(&results)?)?;

    let rows: Vec<&Outcome> = plan.row.iter().filter_map(|row| results.rows.get(&row.title())).collect();
    println!("{}", report::rows(&rows));
    println!("{}", report::sessions_and_chroma(results.sessions.as_ref(), results.chroma.as_ref(), &plan));
    for (name, version) in place.versions() {
        println!("- {name}: {version}");
    }
    if let Some(lto) = option_env!("CARGO_PROFILE_RELEASE_LTO") {
        println!("- built with CARGO_PROFILE_RELEASE_LTO={lto}, not as released");
    }
    println!("\nJSON: {}", file.display());
    Ok(())
}

/// A part of the work, done by a process of its own; what it prints.
fn part(words: &[&str]) -> io::Result<Vec<u8>> {
    let output = Command::new(env::current_exe()?).args(words).stderr(Stdio::inherit()).output()?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(io::Error::other(format!("{words:?}: {}", output.status)))
    }
}
