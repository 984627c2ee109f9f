//! Assignments: `name=value`, `name[index]+=value`, `name=( … )`.
use super::params::unnested;
use super::source::{Res, Source, is_meta, name_length};
use super::words::Unquoted;
use crate::syntax::ast::{ArrayItem, AssignedValue, Assignment, Part, Word};

/// What may be assigned where a word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assignable {
    /// Nothing: it is only a word.
    No,
    /// An argument of `command export` and its like: text.
    Text,
    /// An argument of `declare` and its like: text or an array.
    Argument,
    /// A word where a command may begin: text or an array, and its subscript may hold blanks.
    Prefix,
}

/// A word, or the assignment that it turned out to be.
#[derive(Debug)]
pub(super) enum WordOrAssignment {
    Word(Word),
    Assignment(Assignment),
}

impl Source<'_> {
    /// The word here, which may be an assignment.
    pub(super) fn word_or_assignment(&mut self, assignable: Assignable) -> Res<WordOrAssignment> {
        let length = if assignable == Assignable::No { 0 } else { name_length(self.rest()) };
        let name = &self.rest()[..length];
        if length > 0 && self.rest()[length..].starts_with("\\\n") {
            return self.interrupted_name(assignable);
        }
        let mut before = Vec::new();
        let mut index = None;
        match self.rest().as_bytes()[length..] {
            [b'=', ..] | [b'+', b'=', ..] if length > 0 => self.pos += length,
            [b'[', ..] if length > 0 => {
                self.pos += length;
                let parts = self.subscript(assignable)?;
                match (self.rest().as_bytes(), parts) {
                    ([b'=', ..] | [b'+', b'=', ..], Subscript::Closed(parts)) => index = Some(Word(parts)),
                    (_, parts) => before = parts.into_word(name),
                }
            }
            _ => return self.word().map(WordOrAssignment::Word),
        }
        if !before.is_empty() {
            before.extend(self.word()?.0);
            return Ok(WordOrAssignment::Word(Word(joined(before))));
        }
        let append = self.eat("+");
        self.pos += 1;
        let value = self.assigned(assignable)?;
        Ok(WordOrAssignment::Assignment(Assignment { name: name.to_owned(), index, append, value }))
    }

    /// At a name that a continuation interrupts, or ends.
    fn interrupted_name(&mut self, assignable: Assignable) -> Res<WordOrAssignment> {
        let start = self.pos;
        let name = self.name();
        if !(self.rest().starts_with('=') || self.rest().starts_with("+=")) {
            self.pos = start;
            return self.word().map(WordOrAssignment::Word);
        }
        let append = self.eat("+");
        self.pos += 1;
        let value = self.assigned(assignable)?;
        Ok(WordOrAssignment::Assignment(Assignment { name, index: None, append, value }))
    }

    /// After the `=`.
    fn assigned(&mut self, assignable: Assignable) -> Res<AssignedValue> {
        if self.peek() == Some('(') && assignable != Assignable::Text {
            return self.deeper(Self::array).map(AssignedValue::Array);
        }
        self.word().map(AssignedValue::Word)
    }

    /// At `[`: what may be a subscript. Where a command may begin it is read to its `]` in any case, as bash does.
    fn subscript(&mut self, assignable: Assignable) -> Res<Subscript> {
        if assignable == Assignable::Prefix {
            return Ok(Subscript::Closed(self.index()?.0));
        }
        self.pos += 1;
        let mut nest = 0;
        let stop = &mut |c, _: &str| unnested(c, ('[', ']'), &mut nest) || is_meta(c);
        let parts = self.parts(Unquoted::PLAIN, stop)?;
        Ok(if self.eat("]") { Subscript::Closed(parts) } else { Subscript::Open(parts) })
    }

    /// At the `(` of an array.
    fn array(&mut self) -> Res<Vec<ArrayItem>> {
        let open = self.pos;
        self.pos += 1;
        let mut items = Vec::new();
        loop {
            self.blank_lines();
            match self.peek() {
                None => return Err(self.unclosed(open, ")")),
                Some(')') => {
                    self.pos += 1;
                    return Ok(items);
                }
                Some('[') => items.push(self.keyed_item()?),
                Some(_) => {
                    let value = self.word()?;
                    if value.0.is_empty() {
                        return Err(self.unexpected_here());
                    }
                    items.push(ArrayItem { key: None, append: false, value });
                }
            }
        }
    }

    /// At the `[` of `[key]=word`, unless that is a pattern.
    fn keyed_item(&mut self) -> Res<ArrayItem> {
        let key = self.index()?;
        let append = self.rest().starts_with("+=");
        if append || self.peek() == Some('=') {
            self.pos += 1 + usize::from(append);
            return Ok(ArrayItem { key: Some(key), append, value: self.word()? });
        }
        let mut parts = Subscript::Closed(key.0).into_word("");
        parts.extend(self.word()?.0);
        Ok(ArrayItem { key: None, append: false, value: Word(joined(parts)) })
    }
}

/// What stood in brackets, and whether the `]` was there.
enum Subscript {
    Closed(Vec<Part>),
    Open(Vec<Part>),
}

impl Subscript {
    /// It was none, but the middle of a word that begins with `name`.
    fn into_word(self, name: &str) -> Vec<Part> {
        let (parts, close) = match self {
            Subscript::Closed(parts) => (parts, "]"),
            Subscript::Open(parts) => (parts, ""),
        };
        let mut word = vec![Part::Lit(format!("{name}["))];
        word.extend(parts);
        word.push(Part::Lit(close.to_owned()));
        word
    }
}

/// The parts with neighbouring text put together, as [`Source::word`] would have read them.
fn joined(parts: Vec<Part>) -> Vec<Part> {
    let mut joined: Vec<Part> = Vec::with_capacity(parts.len());
    for part in parts {
        match (joined.last_mut(), part) {
            (Some(Part::Lit(text)), Part::Lit(more)) => text.push_str(&more),
            (_, Part::Lit(text)) if text.is_empty() => {}
            (_, part) => joined.push(part),
        }
    }
    joined
}
