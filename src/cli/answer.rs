//! One run for a program: its output recorded up to a limit, and what of it is shown.
use super::{Refusal, cap, host, observe::Watch};
use crate::shell::{Ended, Shell};
use docsh_builtins::{Cancel, Cost, Input, Output, Sink, Status, Stdio, Stop};
use parking_lot::Mutex;
use serde::Serialize;
use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// Bytes of output that one request may make, unless configured.
pub const OUTPUT: u64 = 10 << 20;

/// What a program is told of a run.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// Its output as shown.
    pub stdout: String,
    /// Its messages as shown.
    pub stderr: String,
    /// Its status.
    pub exit_code: u8,
    /// What is not shown.
    pub truncated: Truncated,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// The folder that it ended in.
    pub cwd: String,
    /// What it cost.
    pub stats: Stats,
}

/// Bytes that are missing in the middle of each stream.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Truncated {
    /// Of the output.
    pub stdout: usize,
    /// Of the messages.
    pub stderr: usize,
}

/// What a run cost; see [`Cost`].
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    requests: u64,
    pages_read: u64,
    cache_hits: u64,
    bytes: u64,
}

impl From<Cost> for Stats {
    fn from(cost: Cost) -> Stats {
        let Cost { requests, pages_read, cache_hits, bytes } = cost;
        Stats { requests, pages_read, cache_hits, bytes }
    }
}

impl Answer {
    /// Nothing was run.
    pub fn refused(refusal: &Refusal, cwd: &str) -> Answer {
        Answer {
            stdout: String::new(),
            stderr: format!("docsh: {}\n", refusal.message),
            exit_code: refusal.status,
            truncated: Truncated::default(),
            duration_ms: 0,
            cwd: cwd.to_string(),
            stats: Stats::default(),
        }
    }
}

/// How a program's command is run.
pub struct Terms {
    /// Its input.
    pub stdin: Input,
    /// Its time, already part of `cancel`; for the message.
    pub time: Option<Duration>,
    /// The most bytes of output.
    pub output: Option<u64>,
    /// Bytes shown of each stream.
    pub shown: usize,
    /// Whether the session ends with it.
    pub is_last: bool,
}

/// Run `command`; the answer, and whether it ended the session.
pub fn run(shell: &mut Shell, command: &str, terms: Terms, watch: Watch, cancel: &Cancel) -> (Answer, bool) {
    let record = Arc::new(Record::new(terms.output.unwrap_or(OUTPUT), cancel));
    let (stdout, out) = record.stream();
    let (stderr, err) = record.stream();
    let io = Stdio { stdin: terms.stdin, stdout, stderr: stderr.unbuffered() };
    let ended = shell.run(command, 1, io, cancel);
    let is_over = terms.is_last || matches!(ended, Ended::Exited(_));
    let status: Status = if is_over { shell.finish(ended) } else { ended.status() };
    let cwd = shell.session().cwd.to_string();
    let mut err = std::mem::take(&mut *err.0.lock());
    let why = match ended {
        _ if record.is_full() => Some(format!("output limit of {} MiB reached", record.limit >> 20)),
        // A limit has been named where it was reached.
        Ended::Stopped(Stop::OverLimit) => None,
        Ended::Stopped(stop) => Some(host::stop_message(stop, terms.time)),
        _ => None,
    };
    if let Some(why) = why {
        err.extend_from_slice(format!("docsh: {why}\n").as_bytes());
    }
    let stdout = cap::cap(&std::mem::take(&mut *out.0.lock()), terms.shown, &cwd);
    let stderr = cap::cap(&err, terms.shown, &cwd);
    let (took, cost) = watch.end(status, cancel);
    let answer = Answer {
        stdout: stdout.text,
        stderr: stderr.text,
        exit_code: status.0,
        truncated: Truncated { stdout: stdout.missing, stderr: stderr.missing },
        duration_ms: took.as_millis() as u64,
        cwd,
        stats: cost.into(),
    };
    (answer, is_over)
}

/// The output of one request, counted over both streams; past its limit the run is stopped.
struct Record {
    left: Mutex<u64>,
    overflowed: AtomicBool,
    limit: u64,
    cancel: Cancel,
}

impl Record {
    fn new(limit: u64, cancel: &Cancel) -> Record {
        Record { left: Mutex::new(limit), overflowed: AtomicBool::new(false), limit, cancel: cancel.clone() }
    }

    fn stream(self: &Arc<Record>) -> (Output, Arc<Recorded>) {
        let recorded = Arc::new(Recorded(Mutex::default(), self.clone()));
        (Output::new(recorded.clone()), recorded)
    }

    fn is_full(&self) -> bool {
        self.overflowed.load(Ordering::Relaxed)
    }
}

/// One stream of a [`Record`].
struct Recorded(Mutex<Vec<u8>>, Arc<Record>);

impl Sink for Recorded {
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let fits = {
            let mut left = self.1.left.lock();
            let fits = (bytes.len() as u64).min(*left);
            *left -= fits;
            fits as usize
        };
        self.0.lock().extend_from_slice(&bytes[..fits]);
        if fits < bytes.len() {
            self.1.overflowed.store(true, Ordering::Relaxed);
            self.1.cancel.stop(Stop::OutputFull);
            return Err(Stop::OutputFull.into());
        }
        Ok(())
    }
}
