//! Why control leaves a command other than by its end.
//!
//! Commands answer `Result<Status, Jump>`: `?` carries a jump outwards to whoever it is meant for. Whoever makes a
//! [`Jump::Discard`] or [`Jump::Exit`] has already said why on stderr.
use docsh_builtins::{Status, Stop};

/// A way out of nested commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Jump {
    /// `break N`: loops still to leave.
    Break(usize),
    /// `continue N`: loops to leave before the next turn.
    Continue(usize),
    /// `return N`: to the end of the function or sourced text.
    Return(Status),
    /// `exit`, `set -e`, a fatal error: to the end of this shell or subshell.
    Exit(Status),
    /// An error that drops the rest of the line being run (a bad substitution, division by 0, a readonly variable).
    Discard(Status),
    /// The run was stopped: to the end of everything.
    Stop(Stop),
}

impl From<Stop> for Jump {
    fn from(stop: Stop) -> Jump {
        Jump::Stop(stop)
    }
}

/// What running something answers.
pub type Outcome<T = Status> = Result<T, Jump>;
