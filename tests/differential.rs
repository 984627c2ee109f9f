//! Random command lines over the example site, answered by docsh and by the real tools of this machine: stdout and
//! status must agree. The corpus of `fixtures/oracle` is what people type; this is what nobody thought of.
//!
//! The lines follow from `DOCSH_DIFF_SEED` (1) and a number, so that a failure comes back: `DOCSH_DIFF_RUNS` (3,000) of
//! them, or as many as `DOCSH_DIFF_SECONDS` (60) allow; `DOCSH_DIFF_TOOLS=grep,sed` takes only these. Many lines share
//! one process of each shell, since starting processes would be most of the work.
//!
//! No line uses what differs between the releases of Debian that CI runs on.
mod lines;
mod patterns;

use crate::support::{docsh::Docsh, tree};
use lines::Line;
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    io::Write as _,
    path::Path,
    process::Command,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// Lines of one process.
const BATCH: u64 = 50;

/// How many differences are shown whole.
const SHOWN: usize = 25;

/// Whatever the clock says, fewer lines than these are no test.
const AT_LEAST: u64 = 500;

/// Begins the line that ends a command's answer; no fixture holds it.
const MARK: char = '\u{1e}';

/// What one line answered: stdout and status, or nothing where the process ended before.
type Answer = Option<(Vec<u8>, i32)>;

struct Difference {
    number: u64,
    tool: &'static str,
    story: String,
}

#[test]
fn docsh_answers_as_the_real_tools() {
    let seed = setting("DOCSH_DIFF_SEED").unwrap_or(1);
    let runs = setting("DOCSH_DIFF_RUNS").unwrap_or(3000);
    let deadline = Instant::now() + Duration::from_secs(setting("DOCSH_DIFF_SECONDS").unwrap_or(60));
    let only = std::env::var("DOCSH_DIFF_TOOLS").ok();
    let world = World::new(only.as_deref());

    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let differences = Mutex::new(Vec::new());
    let work = || {
        loop {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            let late = Instant::now() >= deadline && done.load(Ordering::Relaxed) >= AT_LEAST.min(runs);
            if first >= runs || late {
                return;
            }
            let batch: Vec<(u64, Line)> =
                (first..runs.min(first + BATCH)).map(|number| (number, world.line(seed, number))).collect();
            differences.lock().unwrap().extend(world.compare(&batch));
            done.fetch_add(batch.len() as u64, Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(work);
        }
    });

    let done = done.into_inner();
    let _ = writeln!(std::io::stderr(), "{done} random command lines compared with the real tools");
    let mut differences = differences.into_inner().unwrap();
    differences.sort_by_key(|difference| difference.number);
    assert!(differences.is_empty(), "{}", report(&differences, done));
}

fn setting(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name}={value}: not a number")))
}

fn report(differences: &[Difference], done: u64) -> String {
    let mut by_tool = BTreeMap::new();
    for difference in differences {
        *by_tool.entry(difference.tool).or_insert(0) += 1;
    }
    let mut text = format!("{} of {done} lines differ: {by_tool:?}\n", differences.len());
    for difference in differences.iter().take(SHOWN) {
        text += &difference.story;
    }
    text
}

/// The tree that the lines run in, and the names in it.
struct World {
    tree: tempfile::TempDir,
    files: Vec<String>,
    tools: Vec<lines::Tool>,
}

impl World {
    fn new(only: Option<&str>) -> World {
        let tree = tree::copy_of("fixtures/acme");
        lines::add_data(tree.path());
        let mut files = Vec::new();
        collect(tree.path(), "", &mut files);
        files.sort();
        let tools: Vec<lines::Tool> = lines::TOOLS
            .iter()
            .copied()
            .filter(|(name, _)| only.is_none_or(|only| only.split(',').any(|word| word == *name)))
            .collect();
        assert!(!tools.is_empty(), "DOCSH_DIFF_TOOLS names none of {:?}", lines::TOOLS.map(|(name, _)| name));
        World { tree, files, tools }
    }

    fn line(&self, seed: u64, number: u64) -> Line {
        let mut random = fastrand::Rng::with_seed(seed.wrapping_mul(1_000_003) ^ number);
        let (tool, make) = self.tools[random.usize(..self.tools.len())];
        make(&mut lines::Maker::new(tool, &mut random, &self.files))
    }

    fn compare(&self, batch: &[(u64, Line)]) -> Vec<Difference> {
        let script: String = batch
            .iter()
            .map(|(number, line)| format!("{{ {}\n}} 2>/dev/null; printf '\\n{MARK}%s %s\\n' {number} $?\n", line.text))
            .collect();
        let mut bash = Command::new("bash");
        bash.args(["--norc", "-c", &script]);
        let real = Docsh::from_command(bash).current_dir(self.tree.path()).deadline(Duration::from_secs(60)).run();
        let ours = Docsh::new(["--dir".as_ref(), self.tree.path().as_os_str(), "-c".as_ref(), script.as_ref()]);
        let ours = ours.deadline(Duration::from_secs(60)).run();
        let (real, ours) = (answers(&real.stdout), answers(&ours.stdout));
        let mut differences = Vec::new();
        for (number, line) in batch {
            let want = real.get(number).cloned();
            assert!(want.is_some(), "bash itself did not get through: {}", line.text);
            let got = ours.get(number).cloned();
            if !agree(&want, &got, line.any_order) {
                differences.push(Difference {
                    number: *number,
                    tool: line.tool,
                    story: story(*number, line, &want, &got),
                });
            }
            if got.is_none() {
                // What follows never ran; one line is to blame, the first.
                break;
            }
        }
        differences
    }
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = format!("{prefix}{}", entry.file_name().into_string().unwrap());
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), &format!("{name}/"), files);
        } else {
            files.push(name);
        }
    }
}

/// Cut a batch's stdout at its marks.
fn answers(stdout: &[u8]) -> BTreeMap<u64, (Vec<u8>, i32)> {
    let mut answers = BTreeMap::new();
    let mut rest = stdout;
    let mark = format!("\n{MARK}");
    while let Some(at) = memchr::memmem::find(rest, mark.as_bytes()) {
        let after = &rest[at + mark.len()..];
        let Some(end) = after.iter().position(|&byte| byte == b'\n') else { break };
        let words = String::from_utf8_lossy(&after[..end]);
        let (number, status) = words.split_once(' ').expect("a mark holds a number and a status");
        answers.insert(number.parse().unwrap(), (rest[..at].to_vec(), status.parse().unwrap()));
        rest = &after[end + 1..];
    }
    answers
}

fn agree(want: &Answer, got: &Answer, any_order: bool) -> bool {
    let (Some((want, want_status)), Some((got, got_status))) = (want, got) else { return false };
    let same = want == got || any_order && sorted(want) == sorted(got);
    same && want_status == got_status
}

fn sorted(bytes: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n' || byte == 0).collect();
    lines.sort_unstable();
    lines
}

fn story(number: u64, line: &Line, want: &Answer, got: &Answer) -> String {
    let mut story = format!("--- {number}\n$ {}\n", line.text);
    let (Some((want, want_status)), Some((got, got_status))) = (want, got) else {
        story += "docsh never got past it\n";
        return story;
    };
    // Where any order will do, the orders say nothing: what is in only one of the two does.
    let (want, got) = if line.any_order { only_in_one(want, got) } else { (want.clone(), got.clone()) };
    let parts_at = want.iter().zip(&got).position(|(a, b)| a != b).unwrap_or(want.len().min(got.len()));
    let from = want[..parts_at].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let there = |bytes: &[u8]| {
        let end = bytes.len().min(from + 200);
        String::from_utf8_lossy(&bytes[from.min(end)..end]).into_owned()
    };
    let _ = writeln!(story, "want [{want_status}] {:?}\ngot  [{got_status}] {:?}", there(&want), there(&got));
    story
}

fn only_in_one(want: &[u8], got: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let (want, got) = (sorted(want), sorted(got));
    let missing = |from: &[&[u8]], others: &[&[u8]]| {
        let mut others = others.to_vec();
        let mut rest = Vec::new();
        for line in from {
            match others.binary_search(line) {
                Ok(at) => drop(others.remove(at)),
                Err(_) => rest.push(*line),
            }
        }
        rest.join(&b'\n')
    };
    (missing(&want, &got), missing(&got, &want))
}
