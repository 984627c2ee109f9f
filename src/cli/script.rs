//! `docsh < script`: commands from a stdin that is no terminal, line by line.
//!
//! A line runs as soon as it is complete, so a program that keeps a pipe open gets its answers as it asks. Commands
//! that read stdin read what follows their own line, as in bash.
use super::{
    Refusal,
    flags::Flags,
    host,
    observe::Watch,
    open::{self, Start},
};
use crate::{
    shell::{Ended, Mode, Shell},
    syntax::{Completeness, ParseOptions, completeness},
};
use docsh_builtins::{Input, Status, Stop};
use std::io::{self, BufRead};

/// A command of more bytes than this is not looked at after every line, while more lines are at hand: asking whether it
/// is complete costs reading all of it.
const LONG: usize = 8 * 1024;

/// Run stdin to its end.
pub fn run(flags: &Flags) -> Result<Status, Refusal> {
    let Start { visit, fs, session, limits, cancel, .. } = open::start(flags)?;
    let time = limits.time;
    let io = host::streams(&cancel);
    let mut shell = Shell::new(fs, limits, session, Mode::Script);
    let mut ended = Ended::Ran(Status::OK);
    let mut line = 1;
    loop {
        let (text, more) = match next_command(&mut io.stdin.clone()) {
            Ok(command) => command,
            Err(error) => match Stop::of(&error) {
                Some(stop) => {
                    ended = Ended::Stopped(stop);
                    break;
                }
                None => return Err(Refusal::usage(format_args!("cannot read the script: {error}"))),
            },
        };
        if !text.is_empty() {
            let watch = Watch::start(flags.trace);
            ended = shell.run(&String::from_utf8_lossy(&text), line, io.clone(), &cancel);
            watch.end(ended.status(), &cancel);
        }
        if !more || !matches!(ended, Ended::Ran(_)) {
            break;
        }
        line += text.iter().filter(|byte| **byte == b'\n').count() as u32;
    }
    host::say_why_stopped(ended, time);
    let status = shell.finish(ended);
    visit.tell_trouble();
    Ok(status)
}

/// The lines of the next command, and whether more may follow. The handle is the caller's last use of stdin before the
/// command reads on from here.
fn next_command(stdin: &mut Input) -> io::Result<(Vec<u8>, bool)> {
    let mut text = Vec::new();
    let mut looked_at = 0;
    loop {
        let at_hand = stdin.fill_buf()?;
        if at_hand.is_empty() {
            return Ok((text, false));
        }
        let end = memchr::memchr(b'\n', at_hand).map_or(at_hand.len(), |end| end + 1);
        let is_whole = at_hand[end - 1] == b'\n';
        let is_last_at_hand = end == at_hand.len();
        text.extend_from_slice(&at_hand[..end]);
        stdin.consume(end);
        let is_due = text.len() < LONG || is_last_at_hand || text.len() - looked_at > looked_at / 8;
        if !is_whole || !is_due {
            continue;
        }
        looked_at = text.len();
        let script = String::from_utf8_lossy(&text);
        if completeness(&script, &ParseOptions { extglob: true, aliases: None }) != Completeness::Incomplete {
            return Ok((text, true));
        }
    }
}
