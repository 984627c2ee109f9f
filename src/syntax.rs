//! Text to tree: bash's grammar, on conch-parser's, behind our own lexer. No conch type leaves this folder.
//!
//! [`Reader`] reads scripts as bash does; [`parse`] and its siblings read what is met while one runs; [`completeness`]
//! tells a prompt whether to ask for another line. Nothing here expands, evaluates or runs anything.
pub mod ast;
mod builder;
mod error;
mod lexer;
pub mod outline;
pub mod print;
mod reader;
#[cfg(test)]
mod tests;

pub use error::{SyntaxError, Warning};
pub use reader::Reader;

use ast::{Assignment, CommandKind, Part, Script, Word};
use lexer::{Arena, Extent, Notes, Quoted, Res, Source, read};
use std::collections::HashMap;

/// How deeply constructs may nest.
pub const MAX_DEPTH: u32 = 100;

/// How many words, parts of words and separators one command may have, with all that it contains. It bounds what a tree
/// takes, at most some hundred times its text.
pub const MAX_PIECES: usize = 250_000;

/// What the shell's state changes about parsing.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParseOptions<'a> {
    /// `shopt -s extglob`: `@(a|b)` is a pattern outside `[[ ]]`, too.
    pub extglob: bool,
    /// The aliases, when they are expanded at all.
    pub aliases: Option<&'a HashMap<String, String>>,
}

/// Reads `text` with `read`, and what is to be noted about it.
fn with_source<T>(
    text: &str,
    options: &ParseOptions<'_>,
    read: impl FnOnce(&mut Source<'_>) -> Res<T>,
) -> (Res<T>, Notes) {
    with_notes(text, options, Notes::default(), read)
}

/// The same, noting what `notes` asks for.
fn with_notes<T>(
    text: &str,
    options: &ParseOptions<'_>,
    notes: Notes,
    read: impl FnOnce(&mut Source<'_>) -> Res<T>,
) -> (Res<T>, Notes) {
    let arena = Arena::default();
    let mut source = Source::new(text, 0, 1, *options, &arena);
    source.notes = notes;
    let result = with_stack(|| read(&mut source));
    (result, source.notes)
}

/// Runs `read` on a stack that holds [`MAX_DEPTH`] levels, however little the caller has left.
fn with_stack<T>(read: impl FnOnce() -> T) -> T {
    const LEVEL: usize = if cfg!(debug_assertions) { 40 << 10 } else { 10 << 10 };
    const ENOUGH: usize = LEVEL * MAX_DEPTH as usize;
    crate::stack::with_room(ENOUGH, 2 * ENOUGH, read)
}

/// All of `text` at once: the bodies of traps and functions, and whatever is never read line by line.
pub fn parse(text: &str, options: &ParseOptions<'_>) -> Result<Script, SyntaxError> {
    with_source(text, options, |source| read(source, Extent::All)).0
}

/// `text` as if it stood between double quotes, where a `"` is only a character: prompts, `${x@P}`, arithmetic.
pub fn parse_double_quoted(text: &str) -> Result<Word, SyntaxError> {
    let read = |source: &mut Source<'_>| source.quoted_parts(Quoted::Document, &mut |_| false);
    with_source(text, &ParseOptions::default(), read).0.map(|parts| Word(vec![Part::DoubleQuoted(parts)]))
}

/// The subscript of `name[text]`, met while running.
pub fn parse_subscript(text: &str) -> Result<Word, SyntaxError> {
    with_source(text, &ParseOptions::default(), |source| source.whole_subscript()).0
}

/// `name=(…)`, whose list is met as text while running; `None` when it is none.
pub fn parse_list(name: &str, list: &str) -> Option<Assignment> {
    let script = parse(&format!("{name}={list}"), &ParseOptions::default()).ok()?;
    let [item] = &*script else { return None };
    let [command] = item.list.first.commands.as_slice() else { return None };
    match &command.kind {
        CommandKind::Simple(simple) if simple.words.is_empty() => match simple.assignments.as_slice() {
            [assignment] => Some(assignment.clone()),
            _ => None,
        },
        _ => None,
    }
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
    match with_source(text, options, |source| read(source, Extent::All)) {
        (Ok(_), notes) if notes.unfinished => Completeness::Incomplete,
        (Ok(_), _) => Completeness::Complete,
        (Err(error), notes) if error.incomplete || notes.unfinished => Completeness::Incomplete,
        (Err(error), _) => Completeness::Wrong(error),
    }
}
