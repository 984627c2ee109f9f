//! Text to tree: bash's grammar, on conch-parser's, behind our own lexer. No conch type leaves this folder.
pub mod ast;
mod error;
pub mod print;

pub use error::{SyntaxError, Warning};

use ast::{Script, Word};
use std::collections::HashMap;

/// How deeply constructs may nest.
pub const MAX_DEPTH: u32 = 100;

/// What the shell's state changes about parsing.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParseOptions<'a> {
    /// `shopt -s extglob`: `@(a|b)` is a pattern outside `[[ ]]`, too.
    pub extglob: bool,
    /// The aliases, when they are expanded at all.
    pub aliases: Option<&'a HashMap<String, String>>,
}

/// Reads a text one complete command line at a time, as bash does: a line is parsed whole before any of it runs, and
/// the next one only after it ran. A command that spans lines counts as one.
#[derive(Debug)]
pub struct Reader<'t> {
    text: &'t str,
    line: u32,
    offset: usize,
    warnings: Vec<Warning>,
}

impl<'t> Reader<'t> {
    /// Reads `text`, whose first line is called `first_line`.
    pub fn new(text: &'t str, first_line: u32) -> Reader<'t> {
        Reader { text, line: first_line, offset: 0, warnings: Vec::new() }
    }

    /// The commands of the next line that has any; `None` at the end. After an error there is no next line.
    pub fn next(&mut self, options: &ParseOptions<'_>) -> Result<Option<Script>, SyntaxError> {
        let script = parse(&self.text[self.offset..], options);
        self.offset = self.text.len();
        script.map(|script| Some(script).filter(|script| !script.is_empty()))
    }

    /// The line that is read next.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// How many bytes have been read so far.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// What bash would have warned about since the last call.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }
}

fn not_yet(message: &str) -> SyntaxError {
    SyntaxError { line: 1, column: 1, message: message.into(), incomplete: false, source: None, too_deep: false }
}

/// All of `text` at once: the bodies of traps and functions, and whatever is never read line by line.
pub fn parse(text: &str, _: &ParseOptions<'_>) -> Result<Script, SyntaxError> {
    Err(not_yet(text))
}

/// `text` as if it stood between double quotes, where a `"` is only a character: prompts, `${x@P}`, arithmetic.
pub fn parse_double_quoted(text: &str) -> Result<Word, SyntaxError> {
    Err(not_yet(text))
}

/// The subscript of `name[text]`, met while running.
pub fn parse_subscript(text: &str) -> Result<Word, SyntaxError> {
    Err(not_yet(text))
}

/// What a reader of lines must know about what it has read so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// A script (or nothing).
    Complete,
    /// Another line must follow: an open quote, `for` without `done`, a here-document, a trailing `\`, `|` or `&&`.
    Incomplete,
    /// No line can mend it.
    Wrong(SyntaxError),
}

/// Whether `text` can run or wants another line.
pub fn completeness(text: &str, options: &ParseOptions<'_>) -> Completeness {
    match parse(text, options) {
        Ok(_) => Completeness::Complete,
        Err(error) if error.incomplete => Completeness::Incomplete,
        Err(error) => Completeness::Wrong(error),
    }
}
