//! The corpus of `fixtures/oracle`: 1,502 commands and 96 reported faults, each run by the built binary and compared
//! with what the real tools answered (stdout and status; of stderr only whether there is any).
//!
//! Every run prints a table by group and the ids that fail. All must pass but those that [`OPEN`] names, and those must
//! not. `DOCSH_ORACLE=grep,nav-018` runs only these groups or ids, and shows each failure whole.
use crate::support::{
    docsh::{Answer, Docsh},
    tree,
};
use base64::Engine;
use serde::Deserialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    io::Write as _,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Instant,
};

/// What docsh does not answer as the real tools did, and why.
const OPEN: &[(&str, &str)] = &[
    ("expand-014", "its messages begin with its own name"),
    ("expand-075", "$0 is its own name"),
    ("lang-062", "its messages begin with its own name"),
    ("lang-066", "its messages begin with its own name"),
    ("lang-136", "its messages begin with its own name"),
    ("lang-142", "$0 is its own name"),
    ("lang-206", "coproc is refused"),
    ("lang-218", "its messages begin with its own name"),
    ("nav-124", "its messages begin with its own name"),
    ("sed-079", "sed --debug is refused"),
    ("write-006", "its messages begin with its own name"),
];

/// How many failing ids of a group the table names.
const SHOWN: usize = 50;

#[derive(Deserialize)]
struct Command {
    id: String,
    group: String,
    cmd: String,
}

#[derive(Deserialize)]
struct Truth {
    id: String,
    #[serde(flatten)]
    answer: Expected,
    /// Unknown for the reported faults.
    stderr: Option<String>,
    order: Order,
    alt: Option<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    #[serde(deserialize_with = "base64")]
    stdout: Vec<u8>,
    status: i32,
}

/// How much of the order of lines is the command's own.
#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Order {
    Fixed,
    Lines,
    Any,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    cmd: String,
    files: BTreeMap<String, String>,
    expect_stdout: String,
    expect_status: i32,
}

/// One command with everything that judges it.
struct Trial {
    group: String,
    id: String,
    cmd: String,
    /// A tree of its own; none is the corpus's.
    files: Option<BTreeMap<String, String>>,
    truth: Truth,
}

struct Failure {
    id: String,
    story: String,
}

#[derive(Default)]
struct Tally {
    run: usize,
    passed: usize,
    stderr_agrees: usize,
    stderr_known: usize,
    slowest: std::time::Duration,
    failures: Vec<Failure>,
}

#[test]
fn all_is_answered_as_the_real_tools_did_but_what_is_open() {
    let only = std::env::var("DOCSH_ORACLE").ok();
    let start = Instant::now();
    let trials: Vec<Trial> =
        corpus().into_iter().chain(cases()).filter(|trial| chosen(trial, only.as_deref())).collect();
    assert!(!trials.is_empty(), "DOCSH_ORACLE names no group and no id of the corpus");
    let tallies = run(&trials);
    report(&tallies, only.is_some(), start);
    if only.is_none() {
        let failures = tallies.values().flat_map(|tally| &tally.failures);
        let failed: BTreeSet<&str> = failures.map(|failure| failure.id.as_str()).collect();
        let open: BTreeSet<&str> = OPEN.iter().map(|(id, _)| *id).collect();
        assert_eq!(failed, open);
    }
}

fn corpus() -> Vec<Trial> {
    let mut truths: BTreeMap<String, Truth> =
        records::<Truth>("truth.jsonl").into_iter().map(|truth| (truth.id.clone(), truth)).collect();
    let mut trials = Vec::new();
    for file in fs::read_dir(tree::repository("fixtures/oracle/corpus")).expect("the corpus") {
        let name = file.unwrap().file_name().into_string().unwrap();
        for Command { id, group, cmd } in records(&format!("corpus/{name}")) {
            let truth = truths.remove(&id).unwrap_or_else(|| panic!("truth.jsonl has no {id}"));
            trials.push(Trial { group, id, cmd, files: None, truth });
        }
    }
    assert!(truths.is_empty(), "truths without a command: {:?}", truths.keys());
    trials.sort_by(|a, b| a.id.cmp(&b.id));
    trials
}

fn cases() -> Vec<Trial> {
    let trial = |case: Case| Trial {
        group: "cases".into(),
        id: case.id.clone(),
        cmd: case.cmd,
        files: Some(case.files),
        truth: Truth {
            id: case.id,
            answer: Expected { stdout: case.expect_stdout.into_bytes(), status: case.expect_status },
            stderr: None,
            order: Order::Fixed,
            alt: None,
        },
    };
    records::<Case>("cases.jsonl").into_iter().map(trial).collect()
}

/// The records of a file of the fixture, one a line.
fn records<T: serde::de::DeserializeOwned>(file: &str) -> Vec<T> {
    let path = tree::repository("fixtures/oracle").join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{file}: {error}"))).collect()
}

fn base64<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(from)?;
    base64::engine::general_purpose::STANDARD.decode(text).map_err(serde::de::Error::custom)
}

fn chosen(trial: &Trial, only: Option<&str>) -> bool {
    only.is_none_or(|only| only.split(',').any(|name| name == trial.group || name == trial.id))
}

/// Run them on as many threads as there are cores.
fn run(trials: &[Trial]) -> BTreeMap<String, Tally> {
    let tree = tree::copy_of("fixtures/oracle/tree");
    let empty = tempfile::tempdir().unwrap();
    let next = AtomicUsize::new(0);
    let tallies = Mutex::new(BTreeMap::<String, Tally>::new());
    let work = || {
        while let Some(trial) = trials.get(next.fetch_add(1, Ordering::Relaxed)) {
            let answer = match &trial.files {
                None => ask(tree.path(), empty.path(), &trial.cmd),
                Some(files) => {
                    let own = tree::literal(files.iter().map(|(path, text)| (path.as_str(), text.as_str())));
                    ask(own.path(), empty.path(), &trial.cmd)
                }
            };
            let mut tallies = tallies.lock().unwrap();
            let tally = tallies.entry(trial.group.clone()).or_default();
            tally.run += 1;
            if let Some(stderr) = &trial.truth.stderr {
                tally.stderr_known += 1;
                tally.stderr_agrees += usize::from(answer.stderr.is_empty() == stderr.is_empty());
            }
            tally.slowest = tally.slowest.max(answer.took);
            if passes(&trial.truth, &answer) {
                tally.passed += 1;
            } else {
                tally.failures.push(Failure { id: trial.id.clone(), story: story(trial, &answer) });
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(work);
        }
    });
    let mut tallies = tallies.into_inner().unwrap();
    for tally in tallies.values_mut() {
        tally.failures.sort_by(|a, b| a.id.cmp(&b.id));
    }
    tallies
}

fn ask(tree: &Path, cwd: &Path, cmd: &str) -> Answer {
    Docsh::new(["--dir".as_ref(), tree.as_os_str(), "-c".as_ref(), cmd.as_ref()]).current_dir(cwd).run()
}

fn passes(truth: &Truth, answer: &Answer) -> bool {
    let is = |expected: &Expected| expected.stdout == answer.stdout && expected.status == answer.status;
    is(&truth.answer)
        || truth.alt.as_ref().is_some_and(is)
        || truth.order == Order::Lines
            && answer.status == truth.answer.status
            && sorted_lines(&answer.stdout) == sorted_lines(&truth.answer.stdout)
}

fn sorted_lines(bytes: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    lines.sort_unstable();
    lines
}

/// A failure as its mender wants to read it: the command, and the first place where the answers part.
fn story(trial: &Trial, answer: &Answer) -> String {
    let (want, got) = (&trial.truth.answer.stdout, &answer.stdout);
    let parts_at = want.iter().zip(got).position(|(a, b)| a != b).unwrap_or(want.len().min(got.len()));
    let line = want[..parts_at].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let from_there = |bytes: &[u8]| {
        let end = bytes.len().min(line + 400);
        String::from_utf8_lossy(&bytes[line.min(end)..end]).into_owned()
    };
    let mut story = format!("--- {}\n$ {}\n", trial.id, trial.cmd);
    let ended = if answer.timed_out { "no end after ten seconds".into() } else { format!("status {}", answer.status) };
    let _ = writeln!(story, "{ended}, want {}", trial.truth.answer.status);
    if want != got {
        let _ = writeln!(story, "from byte {line}\nwant {:?}\ngot  {:?}", from_there(want), from_there(got));
    }
    let _ = write!(story, "stderr {:?}", answer.complaints());
    if let Some(stderr) = &trial.truth.stderr {
        let _ = write!(story, ", want {stderr:?}");
    }
    story
}

/// The table. It goes to the terminal even when the test passes, so not by `println!`, which the harness keeps.
fn report(tallies: &BTreeMap<String, Tally>, whole: bool, start: Instant) {
    let mut text =
        format!("\n{:8} {:>5} {:>5} {:>7} {:>8} {:>9}\n", "group", "run", "pass", "pass%", "stderr%", "slowest");
    let percent = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
    let (mut run, mut passed) = (0, 0);
    for (group, tally) in tallies {
        (run, passed) = (run + tally.run, passed + tally.passed);
        let _ = writeln!(
            text,
            "{group:8} {:5} {:5} {:6.1}% {:7.1}% {:6} ms",
            tally.run,
            tally.passed,
            percent(tally.passed, tally.run),
            percent(tally.stderr_agrees, tally.stderr_known),
            tally.slowest.as_millis()
        );
    }
    let seconds = start.elapsed().as_secs_f64();
    let _ = writeln!(text, "{:8} {run:5} {passed:5} {:6.1}% in {seconds:.1} s", "all", percent(passed, run));
    for (group, tally) in tallies.iter().filter(|(_, tally)| !tally.failures.is_empty()) {
        if whole {
            tally.failures.iter().for_each(|failure| text += &format!("{}\n", failure.story));
        } else {
            let ids: Vec<&str> = tally.failures.iter().map(|failure| failure.id.as_str()).take(SHOWN).collect();
            let more = tally.failures.len() - ids.len();
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            let _ = writeln!(text, "{group} fails: {}{rest}", ids.join(" "));
        }
    }
    let _ = std::io::stderr().write_all(text.as_bytes());
}
