//! What the lexer hands to the builder behind the parser's back.
//!
//! The parser sees a word as a name that stands in for it, and knows neither lines nor `time`, `select` or `;&`. So the
//! lexer leaves what it has read in here, and the builder takes it out again.
use super::redirects::ReadRedirect;
use crate::syntax::ast::{Assignment, CaseEnd, Compound, TimeFormat, Word};
use std::collections::VecDeque;

/// No word that the parser looks for begins with it, nor is it a digit.
const STAND_IN: char = '@';

/// What a stand-in stands for.
#[derive(Debug)]
pub(in crate::syntax) enum Meaning {
    Word(Word),
    /// The name of a variable or function.
    Name(String),
    /// An assignment before the command's name.
    Assignment(Assignment),
    Redirect(ReadRedirect),
    /// `[[ ]]` or `(( ))`.
    Compound(Compound),
    /// A `time` or `!` with no command after it.
    Nothing,
}

/// Something that the lexer has read whole.
#[derive(Debug)]
pub(in crate::syntax) struct Slot {
    pub(in crate::syntax) meaning: Meaning,
    pub(in crate::syntax) line: u32,
    pub(in crate::syntax) prefix: Option<Prefix>,
}

/// What stands before a pipeline. Its first command carries it.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::syntax) struct Prefix {
    pub(in crate::syntax) negated: bool,
    pub(in crate::syntax) timed: Option<TimeFormat>,
}

/// A construct that begins and ends with reserved words or parentheses.
#[derive(Debug)]
pub(in crate::syntax) enum Construct {
    Brace,
    Subshell,
    If,
    Loop,
    Case(Vec<CaseEnd>),
    For,
    Select,
    ArithFor(Box<[Word; 3]>),
    /// `[[ ]]` or `(( ))` as a function's body, in braces for the parser's sake.
    Bare,
}

/// One that is closed.
#[derive(Debug)]
pub(in crate::syntax) struct Closed {
    pub(in crate::syntax) construct: Construct,
    pub(in crate::syntax) line: u32,
    pub(in crate::syntax) prefix: Option<Prefix>,
}

#[derive(Debug, Default)]
pub(in crate::syntax) struct Handover {
    slots: Vec<Option<Slot>>,
    /// In the order in which they closed, which is the one in which the parser reports them.
    closed: VecDeque<Closed>,
    /// The last newline was one of the text, not of an alias.
    pub(in crate::syntax) line_ended: bool,
}

impl Handover {
    /// The name that stands in for `slot`.
    pub(super) fn put(&mut self, slot: Slot) -> String {
        self.slots.push(Some(slot));
        format!("{STAND_IN}{}", self.slots.len() - 1)
    }

    /// What `name` stands for.
    pub(in crate::syntax) fn take(&mut self, name: &str) -> Option<Slot> {
        let number: usize = name.strip_prefix(STAND_IN)?.parse().ok()?;
        self.slots.get_mut(number)?.take()
    }

    pub(super) fn close(&mut self, closed: Closed) {
        self.closed.push_back(closed);
    }

    /// The construct that the parser has just read.
    pub(in crate::syntax) fn next_closed(&mut self) -> Option<Closed> {
        self.closed.pop_front()
    }
}
