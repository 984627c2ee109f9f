//! `docsh < script`: commands from a stdin that is no terminal, line by line.
//!
//! A line runs as soon as it is complete, so a program that keeps a pipe open gets its answers as it asks. Commands
//! that read stdin read what follows their own line, as in bash.
use super::{Refusal, flags::Flags, host, open, open::Visit};
use crate::{
    shell::{Ended, Mode, Shell},
    syntax::{Completeness, ParseOptions, completeness},
};
use docsh_builtins::{Cancel, Status};
use std::io::BufRead;

/// Run stdin to its end.
pub fn run(flags: &Flags) -> Result<Status, Refusal> {
    let limits = flags.limits()?;
    let signals = Cancel::new();
    host::stop_on_signals(&signals).map_err(Refusal::usage)?;
    let cancel = limits.time.map_or(signals.clone(), |time| signals.within(time));
    let fs = Visit::open(flags, &cancel)?.tree();
    let session = open::session(&*fs, flags)?;
    let io = host::streams(&cancel);
    let mut shell = Shell::new(fs, limits, session, Mode::Script);
    let mut ended = Ended::Ran(Status::OK);
    let (mut text, mut line) = (Vec::new(), 1);
    loop {
        let mut stdin = io.stdin.clone();
        let more = match stdin.read_until(b'\n', &mut text) {
            Ok(n) => n > 0,
            Err(_) => false,
        };
        drop(stdin); // the commands read on from here
        let script = String::from_utf8_lossy(&text);
        if more && completeness(&script, &ParseOptions { extglob: true, aliases: None }) == Completeness::Incomplete {
            continue;
        }
        if !script.is_empty() {
            ended = shell.run(&script, line, io.clone(), &cancel);
        }
        if !more || !matches!(ended, Ended::Ran(_)) {
            return Ok(shell.finish(ended));
        }
        line += text.iter().filter(|byte| **byte == b'\n').count() as u32;
        text.clear();
    }
}
