//! `docsh -c COMMAND`: one run, its status the process's.
use super::{
    Refusal,
    flags::Flags,
    host,
    observe::Watch,
    open::{self, Start},
};
use crate::shell::{Mode, Shell};
use docsh_builtins::Status;

/// Run `command` with the flags' operands as `$0`, `$1`, …
pub fn run(flags: &Flags, command: &str) -> Result<Status, Refusal> {
    let watch = Watch::start(flags.trace);
    let Start { visit, fs, mut session, limits, cancel, .. } = open::start(flags)?;
    host::name_terminal(&mut session);
    if let Some((name, args)) = flags.operands.split_first() {
        session.name.clone_from(name);
        session.positional = args.to_vec();
    }
    let io = host::streams(&cancel);
    let time = limits.time;
    let mut shell = Shell::new(fs, limits, session, Mode::Command);
    let ended = shell.run(command, 1, io, &cancel);
    host::say_why_stopped(ended, time);
    let status = shell.finish(ended);
    visit.tell_trouble();
    watch.end(status, &cancel);
    Ok(status)
}
