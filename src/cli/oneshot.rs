//! `docsh -c COMMAND`: one run, its status the process's.
use super::{
    Refusal,
    flags::{self, Flags},
    host,
    observe::Watch,
    open,
    open::Visit,
};
use crate::shell::{Mode, Shell};
use docsh_builtins::{Cancel, Status};

/// Run `command` with the flags' operands as `$0`, `$1`, …
pub fn run(flags: &Flags, command: &str) -> Result<Status, Refusal> {
    let watch = Watch::start(flags.trace);
    let config = open::configuration(flags)?;
    let limits = flags::limits(&config, flags.timeout)?;
    let signals = Cancel::new();
    host::stop_on_signals(&signals).map_err(Refusal::usage)?;
    let cancel = limits.time.map_or(signals.clone(), |time| signals.within(time));
    let visit = Visit::open(&flags.visiting, &config, &cancel)?.with_scratch(flags.scratch);
    let fs = visit.tree();
    let mut session = open::session(&*fs, flags.cwd.as_deref())?;
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
