//! `--json` and `--jsonl`: answers for programs.
//!
//! An answer is one line, always, also on failure; the process exits with the command's status. With `--jsonl` a
//! program keeps one session and asks a line at a time: `{"id","command","cwd"?,"stdin"?,"timeoutMs"?}`.
use super::{Refusal, cap, flags::Flags, host, open, open::Visit};
use crate::shell::{Ended, Mode, Shell};
use docsh_builtins::{Cancel, Input, Limits, Output, Sink, Status, Stdio, Stop};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::{
    io::{self, BufRead, Write},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// Bytes of output that one request may make.
const OUTPUT: u64 = 10 << 20;

/// One line of `--jsonl`'s input.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Request {
    #[serde(default)]
    id: serde_json::Value,
    command: String,
    cwd: Option<String>,
    stdin: Option<String>,
    timeout_ms: Option<u64>,
}

/// One line of output.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<serde_json::Value>,
    stdout: String,
    stderr: String,
    exit_code: u8,
    truncated: Truncated,
    duration_ms: u64,
    cwd: String,
}

/// Bytes that are missing in the middle of each stream.
#[derive(Serialize, Default)]
struct Truncated {
    stdout: usize,
    stderr: usize,
}

impl Answer {
    fn refused(id: Option<serde_json::Value>, refusal: &Refusal, cwd: &str) -> Answer {
        Answer {
            id,
            stdout: String::new(),
            stderr: format!("docsh: {}\n", refusal.message),
            exit_code: refusal.status,
            truncated: Truncated::default(),
            duration_ms: 0,
            cwd: cwd.to_string(),
        }
    }

    fn print(&self) {
        // An answer that cannot be written has nobody to read it; the process ends by its own status.
        if let Ok(mut line) = serde_json::to_vec(self) {
            line.push(b'\n');
            let mut stdout = io::stdout().lock();
            let _ = stdout.write_all(&line).and_then(|()| stdout.flush());
        }
    }
}

/// `docsh --json -c COMMAND`
pub fn one(flags: &Flags, command: &str) -> Status {
    let answer = match Server::open(flags) {
        Ok(mut server) => server.run(None, command, Input::empty(), None, true),
        Err(refusal) => Answer::refused(None, &refusal, "/"),
    };
    answer.print();
    Status(answer.exit_code)
}

/// `docsh --jsonl`: until stdin ends, or a command ends the session.
pub fn many(flags: &Flags) -> Result<Status, Refusal> {
    let mut server = Server::open(flags)?;
    // Through the pump, so that a signal ends the waiting for a request as it ends a run.
    let mut requests = host::streams(&server.signals).stdin;
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match requests.read_until(b'\n', &mut bytes) {
            Ok(0) => break,
            Ok(_) if bytes.trim_ascii().is_empty() => continue,
            Ok(_) => {}
            Err(error) => match Stop::of(&error) {
                Some(stop) => return Ok(Status(stop.status())),
                None => return Err(Refusal::usage(format_args!("cannot read requests: {error}"))),
            },
        }
        match serde_json::from_slice::<Request>(&bytes) {
            Ok(request) => {
                let answer = server.answer(request);
                answer.print();
                if server.over {
                    break;
                }
            }
            Err(error) => {
                // Whoever asked still finds the answer by its id, if there is one to be found.
                let id =
                    serde_json::from_slice::<serde_json::Value>(&bytes).ok().and_then(|value| value.get("id").cloned());
                let refusal = Refusal::usage(format_args!("not a request: {error}"));
                Answer::refused(id, &refusal, &server.cwd()).print();
            }
        }
    }
    Ok(Status::OK)
}

/// A session that answers requests.
struct Server {
    visit: Visit,
    shell: Shell,
    limits: Limits,
    signals: Cancel,
    shown: usize,
    over: bool,
}

impl Server {
    fn open(flags: &Flags) -> Result<Server, Refusal> {
        let limits = flags.limits()?;
        let limits = Limits { output: limits.output.or(Some(OUTPUT)), ..limits };
        let signals = Cancel::new();
        host::stop_on_signals(&signals).map_err(Refusal::usage)?;
        let opening = limits.time.map_or(signals.clone(), |time| signals.within(time));
        let visit = Visit::open(flags, &opening)?;
        let fs = visit.tree();
        let session = open::session(&*fs, flags)?;
        let shell = Shell::new(fs, limits.clone(), session, Mode::Command);
        Ok(Server { visit, shell, limits, signals, shown: flags.max_output.unwrap_or(cap::SHOWN), over: false })
    }

    fn cwd(&self) -> String {
        self.shell.session().cwd.to_string()
    }

    fn answer(&mut self, request: Request) -> Answer {
        match self.visit.renew(&self.signals) {
            Ok(fs) => self.shell.revisit(fs),
            Err(refusal) => return Answer::refused(Some(request.id), &refusal, &self.cwd()),
        }
        if let Some(cwd) = &request.cwd
            && let Err(refusal) = open::change_folder(&mut self.shell, cwd)
        {
            return Answer::refused(Some(request.id), &refusal, &self.cwd());
        }
        let stdin = request.stdin.map_or_else(Input::empty, |text| Input::bytes(text.into_bytes()));
        // A request may shorten the operator's limit, not stretch it.
        let asked = request.timeout_ms.map(Duration::from_millis);
        let time = asked.map(|asked| self.limits.time.map_or(asked, |limit| asked.min(limit)));
        self.run(Some(request.id), &request.command, stdin, time, false)
    }

    fn run(
        &mut self,
        id: Option<serde_json::Value>,
        command: &str,
        stdin: Input,
        time: Option<Duration>,
        last: bool,
    ) -> Answer {
        let started = Instant::now();
        let cancel = match time.or(self.limits.time) {
            Some(time) => self.signals.within(time),
            None => self.signals.part(),
        };
        let record = Arc::new(Record::new(self.limits.output.unwrap_or(u64::MAX), &cancel));
        let (stdout, out) = record.stream();
        let (stderr, err) = record.stream();
        let ended = self.shell.run(command, 1, Stdio { stdin, stdout, stderr: stderr.unbuffered() }, &cancel);
        self.over = matches!(ended, Ended::Exited(_));
        let status = if last || self.over { self.shell.finish(ended) } else { ended.status() };
        let cwd = self.cwd();
        let mut err = std::mem::take(&mut *err.0.lock());
        if record.is_full() {
            let line = format!("docsh: output limit of {} MiB reached\n", record.limit >> 20);
            err.extend_from_slice(line.as_bytes());
        } else if let Ended::Stopped(stop) = ended {
            err.extend_from_slice(
                format!("docsh: {}\n", host::stop_message(stop, time.or(self.limits.time))).as_bytes(),
            );
        }
        let stdout = cap::cap(&std::mem::take(&mut *out.0.lock()), self.shown, &cwd);
        let stderr = cap::cap(&err, self.shown, &cwd);
        Answer {
            id,
            stdout: stdout.text,
            stderr: stderr.text,
            exit_code: status.0,
            truncated: Truncated { stdout: stdout.missing, stderr: stderr.missing },
            duration_ms: started.elapsed().as_millis() as u64,
            cwd,
        }
    }
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
