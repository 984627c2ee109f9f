//! `trap`: what runs when the shell ends, fails, is interrupted, or takes a step.
use super::{
    interp::Interp,
    jump::{Jump, Outcome},
};
use docsh_builtins::{Cancel, Status};
use std::{collections::BTreeMap, time::Duration};

/// How long the EXIT action of a shell that was told to end may take.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Something a shell can be told to react to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    /// The shell ends (signal 0).
    Exit,
    /// A signal by its number. Only INT, TERM and HUP ever come, from outside.
    Signal(u8),
    /// Before each simple command.
    Debug,
    /// A command failed where `set -e` would look.
    Err,
    /// A function or sourced text returned.
    Return,
}

/// Linux's signals, by number from 1.
pub const SIGNALS: [&str; 31] = [
    "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM",
    "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO",
    "PWR", "SYS",
];

/// All signals with their numbers, five a line.
pub fn signal_table() -> String {
    let signals = SIGNALS.iter().enumerate();
    let text: String = signals
        .map(|(at, name)| format!("{:>2}) SIG{name}{}", at + 1, if at % 5 == 4 { '\n' } else { '\t' }))
        .collect();
    format!("{}\n", text.trim_end())
}

impl Event {
    /// The event a user calls `name`: a number, `INT` or `SIGINT`, `EXIT`, `ERR`, …
    pub fn named(name: &str) -> Option<Event> {
        if let Ok(number) = name.parse::<u8>() {
            return match number {
                0 => Some(Event::Exit),
                number if usize::from(number) <= SIGNALS.len() => Some(Event::Signal(number)),
                _ => None,
            };
        }
        let name = name.to_ascii_uppercase();
        match name.strip_prefix("SIG").unwrap_or(&name) {
            "EXIT" => Some(Event::Exit),
            "DEBUG" => Some(Event::Debug),
            "ERR" => Some(Event::Err),
            "RETURN" => Some(Event::Return),
            name => SIGNALS.iter().position(|known| *known == name).map(|at| Event::Signal(at as u8 + 1)),
        }
    }

    /// As `trap -p` prints it.
    pub fn name(self) -> String {
        match self {
            Event::Exit => "EXIT".to_string(),
            Event::Debug => "DEBUG".to_string(),
            Event::Err => "ERR".to_string(),
            Event::Return => "RETURN".to_string(),
            Event::Signal(number) => format!("SIG{}", SIGNALS[usize::from(number) - 1]),
        }
    }
}

/// The actions set, by event; an empty action ignores the event.
#[derive(Debug, Clone, Default)]
pub struct Traps(pub BTreeMap<Event, String>);

impl Traps {
    /// What a subshell starts with: it inherits what is ignored, nothing else. `ERR`, `DEBUG` and `RETURN` stay where
    /// `set -E` and `set -T` say so.
    pub fn inherited(&self, errtrace: bool, functrace: bool) -> Traps {
        let stays = |event: &Event, action: &String| match event {
            Event::Err => errtrace,
            Event::Debug | Event::Return => functrace,
            Event::Exit | Event::Signal(_) => action.is_empty(),
        };
        Traps(self.0.iter().filter(|(event, action)| stays(event, action)).map(|(e, a)| (*e, a.clone())).collect())
    }
}

impl Interp {
    /// Take away what a function does not inherit, until it returns: `ERR` without `set -E`, `DEBUG` and `RETURN`
    /// without `set -T`.
    pub fn withhold_traps(&mut self) -> BTreeMap<Event, String> {
        let (errtrace, functrace) = (self.env.options.set.errtrace, self.env.options.set.functrace);
        let withheld = |event: &Event| match event {
            Event::Err => !errtrace,
            Event::Debug | Event::Return => !functrace,
            Event::Exit | Event::Signal(_) => false,
        };
        self.env.traps.0.extract_if(.., |event, _| withheld(event)).collect()
    }

    /// Run the action of `event`, if one is set. It sees `$?` as it is, and leaves it so; an `exit` in it counts.
    pub fn run_trap(&mut self, event: Event) -> Outcome<()> {
        if self.in_trap && event != Event::Exit {
            return Ok(());
        }
        let Some(action) = self.env.traps.0.get(&event).filter(|action| !action.is_empty()).cloned() else {
            return Ok(());
        };
        let status = self.env.session.status;
        let was = std::mem::replace(&mut self.in_trap, true);
        let result = self.run_text(&action, self.env.line);
        self.in_trap = was;
        self.env.session.status = status;
        result.map(drop)
    }

    /// The run was stopped: what follows is its EXIT action, which has a moment of its own.
    pub fn begin_last_words(&mut self) {
        self.cancel = Cancel::new().within(LAST_WORDS);
        self.world.run.lock().cancel = self.cancel.clone();
    }

    /// The end of this shell: its EXIT action, then `status`, unless the action exits with its own.
    pub fn run_exit_trap(&mut self, status: Status) -> Status {
        if !self.env.traps.0.contains_key(&Event::Exit) {
            return status;
        }
        self.env.session.status = status.0;
        let result = self.run_trap(Event::Exit);
        self.env.traps.0.remove(&Event::Exit);
        match result {
            Err(Jump::Exit(status)) => status,
            Err(Jump::Stop(stop)) => Status(stop.status()),
            _ => status,
        }
    }
}
