//! What is wrong with a text, in bash's words.
use docsh_builtins::Status;
use std::{error, fmt};

/// A text that is no script, or not yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The line bash would name, from 1 (or from the reader's first line).
    pub line: u32,
    /// The byte in that line at which it shows, from 1.
    pub column: u32,
    /// bash's message, without the prefix that names the shell and the line.
    pub message: String,
    /// The text ended too early: with more lines it may become a script.
    pub incomplete: bool,
    /// The line as written, which bash shows under `near unexpected token`.
    pub source: Option<String>,
    /// It is no script because it is nested too deeply, or too long.
    pub beyond_limit: bool,
}

impl SyntaxError {
    /// The status of a shell that met it: 2, or 126 at a limit.
    pub fn status(&self) -> Status {
        if self.beyond_limit { Status(126) } else { Status(2) }
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl error::Error for SyntaxError {}

/// Something that bash accepts and grumbles about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The line bash would name.
    pub line: u32,
    /// What follows `warning: `.
    pub message: String,
}
