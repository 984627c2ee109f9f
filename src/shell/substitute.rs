//! `$( )`, `<( )` and `>( )`: commands whose output or input is part of another command.
use super::{
    interp::Interp,
    jump::Outcome,
    pipe::{Collector, pipe},
};
use crate::syntax::ast::{CommandKind, Item, RedirectFd, RedirectKind, Script, Word};
use docsh_builtins::{Input, InputKind, Output, Status, Stream};
use std::thread::JoinHandle;

/// A running `<( )` or `>( )`.
pub struct Process {
    fd: u16,
    /// A `>( )` is waited for, so that its output is complete when the command is.
    waited: Option<JoinHandle<Status>>,
}

/// The highest descriptor that a process substitution gets; as bash's.
const HIGHEST_FD: u16 = 63;

impl Interp {
    /// What `script` writes to its stdout, run in a subshell, and its status.
    pub fn capture(&mut self, script: &Script) -> Outcome<(Vec<u8>, Status)> {
        self.deeper(|shell| match lone_file(script) {
            Some(word) => shell.read_file(word),
            None => shell.capture_output(script),
        })
    }

    fn capture_output(&mut self, script: &Script) -> Outcome<(Vec<u8>, Status)> {
        let mut shell = self.fork()?;
        if !(self.env.options.shopt.inherit_errexit || self.env.options.set.posix) {
            shell.env.options.set.errexit = false;
        }
        let collector = Collector::new(self.world.memory.purse());
        shell.env.fds.insert(1, Stream::Output(Output::new(collector.clone())));
        // What its jobs write belongs to the substitution, as whoever reads a pipe waits for its last writer.
        let status = shell.run_to_end(|shell| {
            let status = shell.script(script)?;
            shell.wait_for_all()?;
            Ok(status)
        })?;
        drop(shell);
        match collector.take() {
            Some(bytes) => Ok(self.substituted(bytes, status)),
            None => {
                let limit = self.world.limits.memory >> 20;
                self.over_limit(format_args!("command substitution: memory limit of {limit} MiB reached"))
            }
        }
    }

    fn substituted(&mut self, bytes: Vec<u8>, status: Status) -> (Vec<u8>, Status) {
        self.substitution = Some(status);
        (bytes, status)
    }

    /// `$(< file)`
    fn read_file(&mut self, word: &Word) -> Outcome<(Vec<u8>, Status)> {
        let Some(mut input) = self.open_target(word)? else {
            return Ok(self.substituted(Vec::new(), Status::FAILURE));
        };
        Ok(match self.read_whole(&mut input)? {
            Ok(bytes) => self.substituted(bytes, Status::OK),
            Err(error) => {
                self.complain(error);
                self.substituted(Vec::new(), Status::FAILURE)
            }
        })
    }

    /// Start `script` beside the command that is being expanded, and give the name of the file that leads to it.
    pub fn process_substitution(&mut self, input: bool, script: &Script) -> Outcome<String> {
        let (reader, writer) = pipe(&self.cancel);
        let reader = Stream::Input(Input::new(reader, InputKind::Pipe));
        let writer = Stream::Output(Output::new(writer));
        let mut shell = self.fork()?;
        let ours = match input {
            true => {
                shell.env.fds.insert(1, writer);
                reader
            }
            false => {
                shell.env.fds.insert(0, reader);
                writer
            }
        };
        let script = script.clone();
        let thread = self.spawn(move || shell.run_stage(|shell| shell.script(&script)))?;
        let Some(fd) = (10..=HIGHEST_FD).rev().find(|fd| !self.env.fds.contains_key(fd)) else {
            return self.over_limit("too many process substitutions at once");
        };
        self.env.fds.insert(fd, ours);
        self.processes.push(Process { fd, waited: (!input).then_some(thread) });
        Ok(format!("/dev/fd/{fd}"))
    }

    /// The command that had process substitutions is done: close the ones begun since `mark`.
    pub fn close_processes(&mut self, mark: usize) {
        for process in self.processes.drain(mark..) {
            self.env.fds.remove(&process.fd);
            if let Some(thread) = process.waited {
                // Its status goes nowhere, as in bash.
                let _ = thread.join();
            }
        }
    }
}

/// The file of a script that is nothing but `< file`.
fn lone_file(script: &[Item]) -> Option<&Word> {
    let [item] = script else { return None };
    let pipeline = &item.list.first;
    let [command] = pipeline.commands.as_slice() else { return None };
    let CommandKind::Simple(simple) = &command.kind else { return None };
    let plain = !item.background && item.list.rest.is_empty() && !pipeline.negated && pipeline.timed.is_none();
    match simple.redirects.as_slice() {
        [redirect] if plain && simple.words.is_empty() && simple.assignments.is_empty() => match &redirect.kind {
            RedirectKind::Read(word) if redirect.fd == RedirectFd::Default => Some(word),
            _ => None,
        },
        _ => None,
    }
}
