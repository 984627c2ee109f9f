//! `docsh` at a terminal: a prompt, an editor for the lines, and a session that survives Ctrl-C.
//!
//! A line is read ([`lines`]), with completions, colours and hints from the shell ([`assist`]), kept ([`history`]) and
//! run. At the prompt the editor takes Ctrl-C as a key; while a command runs it is a signal that stops it.
mod assist;
mod banner;
mod colour;
mod completion;
mod history;
mod lines;

pub use completion::complete;

use super::{
    Refusal,
    flags::{self, Flags},
    host,
    observe::Watch,
    open,
    open::Visit,
    terminal,
};
use crate::shell::{Ended, Mode, Shell};
use docsh_builtins::{Cancel, Limits, Session, Status, Stop};
use lines::{Line, Lines};
use std::{cell::RefCell, rc::Rc};

/// What an interactive shell knows before its first line; the tools colour only what a terminal shows.
const START: &str = "alias ls='ls --color=auto' grep='grep --color=auto' egrep='egrep --color=auto' \
                     fgrep='fgrep --color=auto'";

/// Read and run lines until the user leaves.
pub fn run(flags: &Flags) -> Result<Status, Refusal> {
    let config = open::configuration(flags)?;
    let limits = flags::limits(&config, flags.timeout)?;
    let limits = Limits { time: flags.timeout.and(limits.time), ..limits };
    let signals = Cancel::new();
    let visit = Rc::new(Visit::open(&flags.visiting, &config, false, &signals)?.with_scratch(flags.scratch));
    let mut session = open::session(&*visit.tree(), flags.cwd.as_deref())?;
    host::name_terminal(&mut session);
    prompt_with(&mut session, &visit.name);
    let shell = Rc::new(RefCell::new(Shell::new(visit.tree(), limits.clone(), session, Mode::Interactive)));
    let history = history::file(&visit.name).filter(|_| !flags.restricted);
    let mut lines = Lines::open(shell.clone(), visit.clone(), history)
        .map_err(|error| Refusal::usage(format_args!("cannot use this terminal: {error}")))?;
    host::stop_on_signals(&signals).map_err(Refusal::usage)?;
    if host::stderr_is_terminal() {
        host::say(&banner::text(&visit));
    }
    let mut ended = shell.borrow_mut().run(START, 1, host::streams_at_prompt(&signals), &signals);
    loop {
        tell_size(shell.borrow_mut().session_mut());
        let line = lines.read(&signals);
        match line.map_err(|error| Refusal::usage(format_args!("cannot read from this terminal: {error}")))? {
            Line::Typed(line) => {
                signals.reset();
                let watch = Watch::start(flags.trace);
                let mut shell = shell.borrow_mut();
                shell.revisit(visit.renew(&signals)?);
                let cancel = limits.time.map_or(signals.clone(), |time| signals.within(time));
                tell_size(shell.session_mut());
                ended = shell.run(&line, 1, host::streams_at_prompt(&cancel), &cancel);
                watch.end(ended.status(), &cancel);
                if !goes_on(ended, &limits) {
                    break;
                }
            }
            Line::Dropped => {
                ended = Ended::Ran(Status(Stop::Interrupted.status()));
                shell.borrow_mut().session_mut().status = ended.status().0;
            }
            Line::End => break,
        }
        signals.reset();
    }
    let status = shell.borrow_mut().finish(ended);
    Ok(status)
}

/// Whether there is a next prompt after a run that ended like this; it gets a line of its own.
fn goes_on(ended: Ended, limits: &Limits) -> bool {
    match ended {
        Ended::Ran(_) | Ended::Stopped(Stop::Abandoned | Stop::OutputFull | Stop::OverLimit) => true,
        Ended::Stopped(Stop::Interrupted) => {
            host::say("\n");
            true
        }
        Ended::Stopped(Stop::TimedOut) => {
            host::say_why_stopped(ended, limits.time);
            true
        }
        // Whoever ended us, or took the terminal away, wants no more prompts.
        Ended::Stopped(Stop::Terminated | Stop::HungUp | Stop::OutputGone) | Ended::Exited(_) => false,
    }
}

/// The prompts of a fresh session: where the visitor is, in which site.
fn prompt_with(session: &mut Session, site: &str) {
    let mut name = String::new();
    for c in site.chars().filter(|c| !c.is_control()) {
        match c {
            // Once for the prompt's escapes, and once for its expansions.
            '\\' => name.push_str("\\\\\\\\"),
            '$' | '`' => name.extend(['\\', '\\', c]),
            c => name.push(c),
        }
    }
    for (variable, value) in [("PS1", format!("{name}:\\w$ ")), ("PS2", "> ".to_string())] {
        // A fresh session has no readonly variables of these names.
        let _ = session.vars.set(variable, value);
    }
}

/// Keep `COLUMNS` and `LINES` what the window is now, as bash does.
fn tell_size(session: &mut Session) {
    let (columns, rows) = terminal::size();
    for (variable, value) in [("COLUMNS", columns), ("LINES", rows)] {
        // Who made it readonly wants it to stay.
        let _ = session.vars.set(variable, value.to_string());
    }
}
