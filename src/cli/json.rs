//! `--json` and `--jsonl`: answers for programs.
//!
//! An answer is one line, always, also on failure; the process exits with the command's status. With `--jsonl` a
//! program keeps one session and asks a line at a time: `{"id","command","cwd"?,"stdin"?,"timeoutMs"?}`.
use super::{
    Refusal,
    answer::{self, Answer, Terms},
    cap,
    flags::Flags,
    host,
    observe::Watch,
    open::{self, Start, Visit},
};
use crate::shell::{Mode, Shell};
use docsh_builtins::{Cancel, Input, Limits, Status, Stop};
use serde::{Deserialize, Serialize};
use std::{
    io::{self, BufRead, Write},
    time::Duration,
};

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
struct Line {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<serde_json::Value>,
    #[serde(flatten)]
    answer: Answer,
}

impl Line {
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
    let watch = Watch::start(flags.trace);
    let answer = match Server::open(flags) {
        Ok(mut server) => server.run(command, Input::empty(), None, true, watch),
        Err(refusal) => Answer::refused(&refusal, "/"),
    };
    let status = Status(answer.exit_code);
    Line { id: None, answer }.print();
    status
}

/// Answer `--json` where it did not come to a run.
pub fn refuse(refusal: &Refusal) -> Status {
    let answer = Answer::refused(refusal, "/");
    Line { id: None, answer }.print();
    Status(refusal.status)
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
                let id = Some(request.id.clone());
                let answer = server.answer(request).unwrap_or_else(|refusal| Answer::refused(&refusal, &server.cwd()));
                Line { id, answer }.print();
                if server.is_over {
                    break;
                }
            }
            Err(error) => {
                // Whoever asked still finds the answer by its id, if there is one to be found.
                let id =
                    serde_json::from_slice::<serde_json::Value>(&bytes).ok().and_then(|value| value.get("id").cloned());
                let refusal = Refusal::usage(format_args!("not a request: {error}"));
                Line { id, answer: Answer::refused(&refusal, &server.cwd()) }.print();
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
    trace: bool,
    is_over: bool,
}

impl Server {
    fn open(flags: &Flags) -> Result<Server, Refusal> {
        let Start { visit, fs, session, limits, signals, .. } = open::start(flags)?;
        let shell = Shell::new(fs, limits.clone(), session, Mode::Command);
        let shown = flags.max_output.unwrap_or(cap::SHOWN);
        Ok(Server { visit, shell, limits, signals, shown, trace: flags.trace, is_over: false })
    }

    fn cwd(&self) -> String {
        self.shell.session().cwd.to_string()
    }

    fn answer(&mut self, request: Request) -> Result<Answer, Refusal> {
        let watch = Watch::start(self.trace);
        let fs = self.visit.renew(&self.signals)?;
        self.shell.revisit(fs);
        if let Some(cwd) = &request.cwd {
            open::change_folder(&mut self.shell, cwd)?;
        }
        let stdin = request.stdin.map_or_else(Input::empty, |text| Input::bytes(text.into_bytes()));
        // A request may shorten the operator's limit, not stretch it; 0 is none of its own, as in `--timeout 0`.
        let asked = request.timeout_ms.filter(|time| *time > 0).map(Duration::from_millis);
        let time = asked.map(|asked| self.limits.time.map_or(asked, |limit| asked.min(limit)));
        Ok(self.run(&request.command, stdin, time, false, watch))
    }

    fn run(&mut self, command: &str, stdin: Input, time: Option<Duration>, is_last: bool, watch: Watch) -> Answer {
        let time = time.or(self.limits.time);
        let cancel = match time {
            Some(time) => self.signals.within(time),
            None => self.signals.part(),
        };
        let terms = Terms { stdin, time, output: self.limits.output, shown: self.shown, is_last };
        let (answer, is_over) = answer::run(&mut self.shell, command, terms, watch, &cancel);
        self.is_over = is_over;
        self.visit.tell_trouble();
        answer
    }
}
