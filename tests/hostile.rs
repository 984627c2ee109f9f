//! Scripts that mean harm, or are merely wrong: `fixtures/hostile/*.sh`. Under a deadline of one second each must end
//! within three, take less than 300 MB, and answer the status and the message that its head names.
//!
//! A head is lines of `# ends: STATUS [MESSAGE]`. Where a slow machine may meet the deadline before the limit that a
//! script is about, both are named.
use crate::support::{docsh::Docsh, tree::repository};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

/// How long a script may take, its deadline and the end of the process included.
const LONGEST: Duration = Duration::from_secs(3);
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

/// Run `script`, and say what is wrong with how it ended.
fn run(script: &Path) -> Option<String> {
    let text = fs::read_to_string(script).unwrap();
    let ends = ends(&text);
    assert!(!ends.is_empty(), "{}: no `# ends:`", script.display());
    let report = tempfile::NamedTempFile::new().unwrap();
    // GNU time knows the most memory that its child had.
    let mut command = Command::new("time");
    command.args(["--quiet", "--format=%M", "--output"]).arg(report.path());
    command.args([env!("CARGO_BIN_EXE_docsh"), "--timeout", "1", "-c", &text]);
    let answer = Docsh::from_command(command).deadline(LONGEST * 4).run();
    let (said, status) = (answer.complaints(), answer.status);
    let memory: u64 = fs::read_to_string(report.path()).unwrap().trim().parse().unwrap_or(u64::MAX);
    let begin: String = said.chars().take(300).collect();
    if !ends.iter().any(|end| end.status == status && said.contains(end.message)) {
        return Some(format!("status {status}: {begin:?}"));
    }
    if answer.took > LONGEST {
        return Some(format!("took {:?}", answer.took));
    }
    if memory > MOST {
        return Some(format!("took {} MiB", memory >> 10));
    }
    let panicked = said.contains("panicked");
    (panicked || said.len() > LOUD).then(|| format!("{} bytes of messages: {begin:?}", said.len()))
}
