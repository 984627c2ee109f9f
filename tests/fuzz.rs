//! Random scripts over the bundled site: no panic, no hang past the deadline, no memory beyond the limit.
//!
//! Scripts are made of what stands in `fixtures/`: the snippets of the syntax corpus, the command lines of the oracle,
//! the hostile scripts, cut up, joined and wrapped. They follow from `DOCSH_FUZZ_SEED` (1) and a number, so that a
//! fault comes back; `DOCSH_FUZZ_SECONDS` (60) says for how long. A batch of them shares one session of `--jsonl`,
//! where state piles up as it does with a program that keeps asking.
use crate::{support::tree::repository, syntax::snippets};
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

/// Scripts of one session.
const BATCH: u64 = 40;
/// How long one script may run.
const DEADLINE: Duration = Duration::from_millis(250);
/// How long its answer may take, on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(30);
/// The most memory that a session may have had, in KiB: stages of the script before may still be ending.
const MOST: u64 = 600 << 10;
/// Whatever the clock says, fewer scripts than these are no test.
const AT_LEAST: u64 = 200;
/// Bytes of a script, at most.
const LONGEST: usize = 2000;

#[test]
fn random_scripts_end_and_do_not_panic() {
    let seed = setting("DOCSH_FUZZ_SEED").unwrap_or(1);
    let end = Instant::now() + Duration::from_secs(setting("DOCSH_FUZZ_SECONDS").unwrap_or(60));
    let corpus = corpus();
    assert!(corpus.len() > 2000, "{} snippets", corpus.len());
    let (next, done, peak) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let faults = Mutex::new(Vec::new());
    let work = || {
        while Instant::now() < end || done.load(Ordering::Relaxed) < AT_LEAST {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            let scripts = (first..first + BATCH).map(|number| {
                let mut random = fastrand::Rng::with_seed(seed.wrapping_mul(1_000_003) ^ number);
                script(&mut random, &corpus)
            });
            match session(scripts) {
                Ok(memory) => drop(peak.fetch_max(memory, Ordering::Relaxed)),
                Err(fault) => faults.lock().unwrap().push(fault),
            }
            done.fetch_add(BATCH, Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(work);
        }
    });
    let (done, peak) = (done.into_inner(), peak.into_inner() >> 10);
    let _ = writeln!(std::io::stderr(), "{done} random scripts run, {peak} MiB at most");
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

fn setting(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name}={value}: not a number")))
}

/// What scripts are made of.
fn corpus() -> Vec<String> {
    let mut corpus = snippets();
    for file in files("fixtures/oracle/corpus") {
        for line in file.lines() {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            corpus.extend(case["cmd"].as_str().map(str::to_owned));
        }
    }
    corpus.extend(files("fixtures/hostile"));
    corpus
}

fn files(folder: &str) -> Vec<String> {
    let mut paths: Vec<_> = fs::read_dir(repository(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// What a script may be broken with: what opens, what closes, what means something somewhere.
const TOKENS: &[&str] = &[
    "$(",
    ")",
    "`",
    "\"",
    "'",
    "$'",
    "${",
    "}",
    "${x//",
    "${!",
    "${#",
    "@",
    "[",
    "]",
    "[[ ",
    " ]]",
    "((",
    "))",
    "$((",
    "{",
    "{1..3}",
    "{a,",
    "|",
    "||",
    "&",
    "&&",
    ";",
    ";;",
    ";&",
    "\n",
    "\\",
    "\\\n",
    "<<E\n",
    "<<-'E'\n",
    "\nE\n",
    "<<<",
    "<(",
    ">(",
    ">&2",
    "2>&1",
    "3<",
    "<&-",
    "$@",
    "\"$@\"",
    "$*",
    "$?",
    "$1",
    "$_",
    "!",
    "*",
    "?",
    "+(",
    "!(",
    "~",
    "#",
    "=",
    "+=",
    "a[",
    "i",
    " in ",
    " do ",
    " done ",
    " then ",
    " fi ",
    " esac ",
    " case x in ",
    " for i ",
    " while ",
    " if ",
    " function f ",
    "f() ",
    " time ",
    " local ",
    " declare -A m ",
    " set -e ",
    " set -u ",
    " set -x ",
    " trap ",
    " exec ",
    " eval ",
    " return ",
    " break ",
    "é",
    "🎉",
    "\u{301}",
    "\0",
    "\u{7f}",
    "9223372036854775807",
    "-1",
    "08",
    "%s",
    "%99999d",
    ":-",
    ":1:",
    "^^",
    ",,",
    "@Q",
];

/// Constructs to put a script into; `%` is its place.
const FRAMES: &[&str] = &[
    "x=$(%)",
    "echo \"$(%)\"",
    "( % )",
    "{ %\n}",
    "if % ; then %\nfi",
    "for i in 1 2; do %\ndone",
    "while read -r x; do %\ndone < /index.mdx",
    "f() { %\n}; f a b",
    "( % ) & wait",
    "cat <(%)",
    "% | cat | head -3",
    "trap '%' EXIT ERR",
    "set -eu; %",
    "cat <<E\n$(%)\nE",
    "[[ -n $(%) ]]",
    "case $(%) in *) % ;; esac",
    "bash -c '%'",
    "eval '%'",
    "printf '%s' \"${x:-%}\"",
];

fn script(random: &mut fastrand::Rng, corpus: &[String]) -> String {
    let mut script = piece(random, corpus).to_owned();
    for _ in 0..random.usize(1..5) {
        script = change(random, corpus, &script);
        if script.len() > LONGEST {
            script = part(random, &script, LONGEST / 2).to_owned();
        }
    }
    script
}

fn piece<'c>(random: &mut fastrand::Rng, corpus: &'c [String]) -> &'c str {
    &corpus[random.usize(..corpus.len())]
}

fn change(random: &mut fastrand::Rng, corpus: &[String], script: &str) -> String {
    let other = piece(random, corpus);
    let (before, after) = script.split_at(place(random, script));
    match random.u8(..8) {
        // One after the other, or one within the other.
        0 => format!("{script}\n{other}"),
        1 => format!("{before}{other}{after}"),
        // The head of one, the tail of the other.
        2 => format!("{before}{}", &other[place(random, other)..]),
        3 => format!("{before}{}{after}", TOKENS[random.usize(..TOKENS.len())]),
        // Something is missing, or there twice.
        4 => format!("{before}{}", &after[place(random, after)..]),
        5 => format!("{before}{}{after}", part(random, script, 40)),
        6 => format!("{}{after}{before}", TOKENS[random.usize(..TOKENS.len())]),
        _ => FRAMES[random.usize(..FRAMES.len())].replace('%', script),
    }
}

/// Somewhere between two characters of `text`.
fn place(random: &mut fastrand::Rng, text: &str) -> usize {
    (0..=random.usize(..=text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// A part of `text` of `most` bytes or fewer.
fn part<'t>(random: &mut fastrand::Rng, text: &'t str, most: usize) -> &'t str {
    let rest = &text[place(random, text)..];
    let end = (0..=most.min(rest.len())).rev().find(|at| rest.is_char_boundary(*at)).unwrap_or(0);
    &rest[..end]
}

/// Run `scripts` in one session, or in a new one after each `exit`: the most memory that one had, or what went wrong.
fn session(scripts: impl Iterator<Item = String>) -> Result<u64, String> {
    let mut peak = 0;
    let mut server = Server::start();
    // Of the script before, stages may still have been ending.
    let mut before = String::new();
    for script in scripts {
        let mut asked = server.ask(&script);
        if let Ok(Asked::Over) = asked {
            server = Server::start();
            asked = server.ask(&script);
        }
        if !matches!(asked, Ok(Asked::Answered)) {
            return Err(format!("{asked:?}: {script:?}"));
        }
        let memory = server.memory();
        if memory > MOST {
            return Err(format!("{} MiB: {script:?}, after {before:?}", memory >> 10));
        }
        peak = peak.max(memory);
        before = script;
    }
    Ok(peak)
}

/// What became of a script.
#[derive(Debug)]
enum Asked {
    Answered,
    /// The session had ended before, by an `exit`.
    Over,
}

struct Server {
    child: Child,
    requests: ChildStdin,
    answers: mpsc::Receiver<String>,
}

impl Server {
    fn start() -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_docsh"));
        command.args(["--site", "acme", "--jsonl"]).env_clear().env("HOME", "/nonexistent");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the binary starts");
        let requests = child.stdin.take().expect("piped");
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, answers) = mpsc::channel();
        thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Server { child, requests, answers }
    }

    fn ask(&mut self, script: &str) -> Result<Asked, String> {
        let request = serde_json::json!({ "command": script, "timeoutMs": DEADLINE.as_millis() as u64 });
        // A session that has ended shows when its answer is waited for.
        let _ = writeln!(self.requests, "{request}");
        let answer = match self.answers.recv_timeout(PATIENCE) {
            Ok(answer) => answer,
            Err(mpsc::RecvTimeoutError::Timeout) => return Err("no answer".to_string()),
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                let status = self.child.wait().expect("a child to wait for");
                return if status.success() { Ok(Asked::Over) } else { Err(status.to_string()) };
            }
        };
        let answer: serde_json::Value = serde_json::from_str(&answer).map_err(|error| format!("no JSON: {error}"))?;
        let said = answer["stderr"].as_str().unwrap_or_default();
        if answer["exitCode"] == 70 || said.contains("panicked") {
            return Err(format!("a panic ({said})"));
        }
        Ok(Asked::Answered)
    }

    /// The most memory that the process has had so far, in KiB; 0 when it has ended.
    fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        peak.and_then(|peak| peak.trim_end_matches("kB").trim().parse().ok()).unwrap_or(0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
