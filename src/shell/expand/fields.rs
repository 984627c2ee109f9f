//! Fields in the making: what a word's parts become, piece by piece.
//!
//! A field remembers which of its bytes were quoted, since a pattern needs to know. Splitting is a state machine over
//! the pieces, so a field may begin in one expansion and end in the next.
use super::{
    split::{Cut, Ifs},
    too_many,
};
use crate::shell::{interp::Interp, jump::Outcome};
use docsh_builtins::{Error, Purse};
use std::ops::Range;

/// Bytes of a word that need not be paid for.
const SHORT: usize = 4096;

/// A finished field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Field {
    /// Its text, without quotes.
    pub text: String,
    /// The parts of the text that were quoted, in order, none next to another.
    quoted: Vec<Range<usize>>,
}

impl Field {
    fn push(&mut self, text: &str, quoted: bool) {
        let start = self.text.len();
        self.text.push_str(text);
        if !quoted || text.is_empty() {
            return;
        }
        match self.quoted.last_mut() {
            Some(last) if last.end == start => last.end = self.text.len(),
            _ => self.quoted.push(start..self.text.len()),
        }
    }

    /// The text in pieces, and whether each was quoted.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (&str, bool)> {
        let ends = self.quoted.iter().map(|range| (range.start, range.end)).chain([(self.text.len(), self.text.len())]);
        let mut at = 0;
        ends.flat_map(move |(start, end)| {
            let plain = &self.text[at..start];
            at = end;
            [(plain, false), (&self.text[start..end], true)]
        })
        .filter(|(text, _)| !text.is_empty())
    }

    /// As a pattern: what was quoted is escaped where it would mean something.
    pub(super) fn pattern(&self) -> String {
        if self.quoted.is_empty() {
            return self.text.clone();
        }
        let mut pattern = String::with_capacity(self.text.len() + 8);
        for (text, quoted) in self.pieces() {
            match quoted {
                false => pattern.push_str(text),
                true => escape(text, &mut pattern),
            }
        }
        pattern
    }

    /// Whether anything in it asks for pathname expansion.
    pub(super) fn is_glob(&self, extglob: bool) -> bool {
        let mut bracket = false;
        let mut operator = false;
        for (text, quoted) in self.pieces() {
            if quoted {
                operator = false;
                continue;
            }
            let mut chars = text.chars();
            while let Some(c) = chars.next() {
                match c {
                    '*' | '?' => return true,
                    '[' => bracket = true,
                    ']' if bracket => return true,
                    '(' if operator => return true,
                    '\\' => drop(chars.next()),
                    _ => {}
                }
                operator = extglob && matches!(c, '+' | '@' | '!');
            }
        }
        false
    }
}

/// `text` as a pattern that matches only itself.
fn escape(text: &str, pattern: &mut String) {
    for c in text.chars() {
        if c.is_ascii_punctuation() && c != '/' {
            pattern.push('\\');
        }
        pattern.push(c);
    }
}

/// How pieces become fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Unquoted expansions are cut at `IFS`; `"$@"` is a field an element.
    Split,
    /// All is one field.
    Joined,
}

/// The delimiter that ended the field before the one being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Nothing,
    White,
    Hard,
}

/// The fields of one word.
pub(super) struct Fields {
    mode: Mode,
    ifs: Ifs,
    done: Vec<Field>,
    current: Option<Field>,
    before: Before,
    bytes: usize,
    most_words: usize,
    paid: Purse,
    /// Why nothing more is taken.
    full: Option<Error>,
    /// An empty `"$@"` was met: the double quotes around it may be no field at all.
    pub(super) hollow: bool,
}

impl Fields {
    pub(super) fn new(shell: &Interp, mode: Mode) -> Fields {
        Fields {
            mode,
            ifs: Ifs::of(&shell.env.session),
            done: Vec::new(),
            current: None,
            before: Before::Nothing,
            bytes: 0,
            most_words: shell.world.limits.words,
            paid: shell.world.memory.purse(),
            full: None,
            hollow: false,
        }
    }

    /// The `IFS` that cuts and joins.
    pub(super) fn ifs(&self) -> &Ifs {
        &self.ifs
    }

    pub(super) fn is_joined(&self) -> bool {
        self.mode == Mode::Joined
    }

    /// How much there is: a number that grows with every piece.
    pub(super) fn extent(&self) -> (usize, bool, usize) {
        (self.done.len(), self.current.is_some(), self.bytes)
    }

    /// What is made so far, or the message of the limit that was reached.
    pub(super) fn finish(mut self, shell: &Interp) -> Outcome<Vec<Field>> {
        if let Some(limit) = self.full {
            return shell.over_limit(limit);
        }
        self.done.extend(self.current.take());
        too_many(shell, self.done.len())?;
        Ok(self.done)
    }

    /// Whether a limit has been reached: nothing more is taken, and [`Fields::finish`] will say so.
    fn is_full(&mut self, more: usize) -> bool {
        self.bytes = self.bytes.saturating_add(more);
        // Twice: as it was found, and in its field. What is short is not worth counting.
        let owed = self.bytes.saturating_mul(2).saturating_sub(self.paid.held() as usize);
        if owed > SHORT && self.full.is_none() {
            self.full = self.paid.take(owed).err();
        }
        self.full.is_some() || self.done.len() > self.most_words
    }

    /// There is a field here, even if it is empty.
    pub(super) fn mark(&mut self) {
        self.current.get_or_insert_default();
        self.before = Before::Nothing;
    }

    /// Quoted text: neither cut nor a pattern. An empty one makes no field by itself.
    pub(super) fn quoted(&mut self, text: &str) {
        self.add(text, true);
    }

    /// Unquoted text of the word itself: not cut, but a pattern.
    pub(super) fn literal(&mut self, text: &str) {
        self.add(text, false);
    }

    fn add(&mut self, text: &str, quoted: bool) {
        if !text.is_empty() && !self.is_full(text.len()) {
            self.current.get_or_insert_default().push(text, quoted);
            self.before = Before::Nothing;
        }
    }

    /// The result of an unquoted expansion: cut, and a pattern.
    pub(super) fn split(&mut self, text: &str) {
        if self.mode == Mode::Joined || self.ifs.is_empty() {
            return self.literal(text);
        }
        if self.is_full(text.len()) {
            return;
        }
        let mut start = 0;
        for (at, c) in text.char_indices() {
            let cut = self.ifs.cut(c);
            if cut == Cut::No {
                continue;
            }
            self.piece(&text[start..at]);
            start = at + c.len_utf8();
            self.cut(cut);
            if self.done.len() > self.most_words {
                return;
            }
        }
        self.piece(&text[start..]);
    }

    fn piece(&mut self, text: &str) {
        if !text.is_empty() {
            self.current.get_or_insert_default().push(text, false);
            self.before = Before::Nothing;
        }
    }

    fn cut(&mut self, cut: Cut) {
        match (self.current.take(), cut) {
            (Some(field), _) => {
                self.done.push(field);
                self.before = if cut == Cut::White { Before::White } else { Before::Hard };
            }
            (None, Cut::Hard) => {
                // After white space it is a part of the same delimiter.
                if self.before != Before::White {
                    self.done.push(Field::default());
                }
                self.before = Before::Hard;
            }
            (None, _) => {}
        }
    }

    /// The field so far is complete; the next piece begins another.
    pub(super) fn end_field(&mut self) {
        self.done.extend(self.current.take());
        self.before = Before::Nothing;
    }
}
