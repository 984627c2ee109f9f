//! Scripts that mean harm, or are merely wrong: `fixtures/hostile/*.sh`. Under a deadline of one second each must end
//! soon after it, take less than 300 MB, and answer the status and the message that its head names.
//!
//! A head is lines of `# ends: STATUS [MESSAGE]`. A slow machine may meet the deadline before the limit that a script
//! is about: then the script is run again with time enough for its limit. What a script takes is counted in processor
//! time, of which other work on the machine takes nothing.
use crate::support::{docsh::Docsh, tree::repository};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

/// The deadline of a script, in seconds.
const DEADLINE: u32 = 1;
/// A deadline, in seconds, before which any limit is reached.
const DISTANT: u32 = 30;
/// The processor time that a script may take under [`DEADLINE`], in seconds: three seconds of two processors.
const LONGEST: f64 = 6.0;
/// How long after its deadline a run must have ended, on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(20);
/// The most memory that a process may have had, in KiB.
const MOST: u64 = 300_000_000 / 1024;
/// Fewer scripts than these are not all of them.
const AT_LEAST: usize = 60;
/// Bytes of messages after which a script has gone on complaining.
const LOUD: usize = 8 << 20;

#[test]
fn hostile_scripts_end_within_their_limits() {
    let mut scripts: Vec<PathBuf> =
        fs::read_dir(repository("fixtures/hostile")).unwrap().map(|entry| entry.unwrap().path()).collect();
    scripts.sort();
    assert!(scripts.len() >= AT_LEAST, "{} scripts", scripts.len());
    let next = AtomicUsize::new(0);
    let look = || {
        let mut faults = Vec::new();
        while let Some(script) = scripts.get(next.fetch_add(1, Ordering::Relaxed)) {
            faults.extend(run(script).map(|fault| format!("{}: {fault}", script.display())));
        }
        faults
    };
    let faults: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(look)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// One way in which a script may end.
struct End<'t> {
    status: i32,
    message: &'t str,
}

fn ends(text: &str) -> Vec<End<'_>> {
    let heads = text.lines().filter_map(|line| line.strip_prefix("# ends: "));
    heads
        .map(|head| {
            let (status, message) = head.split_once(' ').unwrap_or((head, ""));
            End { status: status.parse().expect("a status"), message }
        })
        .collect()
}

/// What became of a script under a deadline.
struct Outcome {
    status: i32,
    said: String,
    /// Processor time, in seconds.
    seconds: f64,
    /// The most memory, in KiB.
    memory: u64,
}

impl Outcome {
    fn is_one_of(&self, ends: &[End<'_>]) -> bool {
        ends.iter().any(|end| end.status == self.status && self.said.contains(end.message))
    }
}

/// The outcome of `text`; none when it had not ended long after its deadline.
fn run_until(deadline: u32, text: &str) -> Option<Outcome> {
    let report = tempfile::NamedTempFile::new().unwrap();
    // GNU time knows what its child has taken.
    let mut command = Command::new("time");
    command.args(["--quiet", "--format=%M %U %S", "--output"]).arg(report.path());
    command.args([env!("CARGO_BIN_EXE_docsh"), "--timeout", &deadline.to_string(), "-c", text]);
    let patience = Duration::from_secs(deadline.into()) + PATIENCE;
    let answer = Docsh::from_command(command).deadline(patience).run();
    let report = fs::read_to_string(report.path()).unwrap();
    let taken: Vec<f64> = report.split_whitespace().map(|number| number.parse().expect("a number")).collect();
    let [memory, user, system] = taken[..] else { return None };
    Some(Outcome { status: answer.status, said: answer.complaints(), seconds: user + system, memory: memory as u64 })
}

/// Run `script`, and say what is wrong with how it ended.
fn run(script: &Path) -> Option<String> {
    let text = fs::read_to_string(script).unwrap();
    let ends = ends(&text);
    assert!(!ends.is_empty(), "{}: no `# ends:`", script.display());
    let Some(first) = run_until(DEADLINE, &text) else { return Some("has not ended".to_string()) };
    if first.seconds > LONGEST {
        return Some(format!("took {:?} s", first.seconds));
    }
    let is_late = first.status == 124 && first.said.contains("time limit") && !first.is_one_of(&ends);
    let outcome = match is_late.then(|| run_until(DISTANT, &text)) {
        None => first,
        Some(Some(second)) => second,
        Some(None) => return Some("has not ended, with more time".to_string()),
    };
    if !outcome.is_one_of(&ends) {
        return Some(format!("status {}: {:?}", outcome.status, begin(&outcome.said)));
    }
    if outcome.memory > MOST {
        return Some(format!("took {} MiB", outcome.memory >> 10));
    }
    let panicked = outcome.said.contains("panicked");
    let loud = panicked || outcome.said.len() > LOUD;
    loud.then(|| format!("{} bytes of messages: {:?}", outcome.said.len(), begin(&outcome.said)))
}

/// As much of `text` as is read.
fn begin(text: &str) -> String {
    text.chars().take(300).collect()
}
