//! The functions of strings. They count characters.
use super::{
    array::Element,
    ast::{Expr, Place},
    evaluate::SHARE,
    interpreter::Interpreter,
    record::{self, Splitter},
    value::{Slot, Text, Value},
};
use crate::{
    Result,
    limits::Growth,
    pattern::{Captures, Pattern},
    successive::{Successive, character},
};
use std::{ops::Range, rc::Rc};

/// Matches between two looks at the deadline.
const MATCHES: u64 = 1 << 12;

/// A piece of a replacement.
enum Piece {
    Text(Vec<u8>),
    Group(usize),
}

impl Piece {
    /// What it is for the match `found` in `text`.
    fn of<'t>(&'t self, text: &'t [u8], found: &Range<usize>, captures: Option<&Captures>) -> &'t [u8] {
        match self {
            Piece::Text(text) => text,
            Piece::Group(0) => &text[found.clone()],
            Piece::Group(n) => captures.and_then(|captures| captures.get(*n)).map_or(b"", |group| &text[group]),
        }
    }
}

impl<'p> Interpreter<'p, '_, '_> {
    pub(super) fn length(&mut self, arguments: &'p [Expr]) -> Result<f64> {
        let Some(argument) = arguments.first() else { return Ok(characters(self.record.whole()) as f64) };
        if let Expr::Whole(_) = argument {
            return Ok(match self.slot_of(argument)? {
                Slot::Array(array) => array.borrow().len() as f64,
                Slot::Value(value) => characters(&value.to_text(&self.specials.convfmt)) as f64,
                Slot::Untyped(_) => 0.0,
            });
        }
        let mut text = self.buffer();
        self.text(argument, &mut text)?;
        let length = characters(&text);
        self.give_back(text);
        Ok(length as f64)
    }

    pub(super) fn substr(&mut self, arguments: &'p [Expr]) -> Result<Value> {
        let mut text = self.buffer();
        self.text(&arguments[0], &mut text)?;
        let start = self.number(&arguments[1])?.trunc().max(1.0);
        let length = match arguments.get(2) {
            Some(length) => self.number(length)?.trunc(),
            None => f64::INFINITY,
        };
        let skip = if start.is_nan() { 0 } else { (start - 1.0).min(usize::MAX as f64) as usize };
        let part = if length >= 1.0 {
            let from = forward(&text, 0, skip);
            let to = if length.is_finite() { forward(&text, from, length as usize) } else { text.len() };
            Value::text(&text[from..to])
        } else {
            Value::text("")
        };
        self.give_back(text);
        Ok(part)
    }

    pub(super) fn index(&mut self, arguments: &'p [Expr]) -> Result<f64> {
        let text = self.string(&arguments[0])?;
        let part = self.string(&arguments[1])?;
        let found = memchr::memmem::find(&text, &part);
        Ok(found.map_or(0.0, |at| characters(&text[..at]) as f64 + 1.0))
    }

    pub(super) fn change_case(&mut self, arguments: &'p [Expr], upper: bool) -> Result<Value> {
        let text = self.string(&arguments[0])?;
        if text.is_ascii() {
            let changed = if upper { text.to_ascii_uppercase() } else { text.to_ascii_lowercase() };
            return Ok(Value::text(changed));
        }
        let mut changed = Vec::with_capacity(text.len());
        for chunk in text.utf8_chunks() {
            for c in chunk.valid().chars() {
                let mut bytes = [0; 4];
                let c = if upper { single(c, c.to_uppercase()) } else { single(c, c.to_lowercase()) };
                changed.extend_from_slice(c.encode_utf8(&mut bytes).as_bytes());
            }
            changed.extend_from_slice(chunk.invalid());
        }
        Ok(Value::text(changed))
    }

    /// The pattern that an argument means.
    fn pattern(&mut self, argument: &'p Expr) -> Result<Rc<Pattern>> {
        match argument {
            Expr::MatchRecord(constant) | Expr::TypedRegex(constant) => self.constant(constant),
            other => {
                let value = self.eval(other)?;
                self.value_regex(&value)
            }
        }
    }

    pub(super) fn match_(&mut self, arguments: &'p [Expr]) -> Result<f64> {
        let text = self.string(&arguments[0])?;
        let pattern = self.pattern(&arguments[1])?;
        let array = match arguments.get(2) {
            Some(array) => Some(self.array_argument("match", array)?),
            None => None,
        };
        let mut captures = pattern.captures();
        let found = pattern.captures_at(&text, 0, &mut captures)?;
        let place = captures.get(0).filter(|_| found);
        let start = |range: &Range<usize>| characters(&text[..range.start]) as f64 + 1.0;
        let length = |range: &Range<usize>| characters(&text[range.clone()]) as f64;
        self.specials.rstart = place.as_ref().map_or(0.0, start);
        self.specials.rlength = place.as_ref().map_or(-1.0, length);
        if let Some(array) = array {
            let mut array = array.borrow_mut();
            array.clear();
            let count = if found { captures.len() } else { 0 };
            for group in 0..count {
                let Some(range) = captures.get(group) else { continue };
                let mut key = group.to_string().into_bytes();
                array.put(&self.call.memory, &key, Value::input(&text[range.clone()]))?;
                key.extend_from_slice(&self.specials.subsep);
                for (what, number) in [(&b"start"[..], start(&range)), (b"length", length(&range))] {
                    array.put(&self.call.memory, &[&key, what].concat(), Value::Number(number))?;
                }
            }
        }
        Ok(self.specials.rstart)
    }

    pub(super) fn split(&mut self, arguments: &'p [Expr]) -> Result<f64> {
        let text = self.string(&arguments[0])?;
        let splitter = match arguments.get(2) {
            None => self.field_splitter()?,
            Some(Expr::MatchRecord(constant) | Expr::TypedRegex(constant)) => Splitter::Regex(self.constant(constant)?),
            Some(other) => match self.eval(other)? {
                Value::Regex(regex) => Splitter::Regex(regex.pattern.clone()),
                value => {
                    let text = value.to_text(&self.specials.convfmt);
                    self.splitter(&text, false)?
                }
            },
        };
        self.fill("split", &text, arguments, |text, push| record::split(text, &splitter, push))
    }

    pub(super) fn patsplit(&mut self, arguments: &'p [Expr]) -> Result<f64> {
        let text = self.string(&arguments[0])?;
        let pattern = match arguments.get(2) {
            Some(pattern) => self.pattern(pattern)?,
            None => {
                let fpat = self.special(super::ast::Special::Fpat)?;
                self.value_regex(&fpat)?
            }
        };
        let splitter = Splitter::Content(pattern);
        self.fill("patsplit", &text, arguments, |text, push| record::split(text, &splitter, push))
    }

    /// Put the fields of `text` into the array of argument 1, and what separates them into that of argument 3.
    fn fill(
        &mut self,
        function: &str,
        text: &Text,
        arguments: &'p [Expr],
        split: impl FnOnce(&[u8], &mut dyn FnMut(Range<usize>, Range<usize>) -> Result<()>) -> Result<()>,
    ) -> Result<f64> {
        let array = self.array_argument(function, &arguments[1])?;
        let separators = match arguments.get(3) {
            Some(argument) => Some(self.array_argument(function, argument)?),
            None => None,
        };
        let mut parts = Vec::new();
        let mut purse = self.call.memory.another();
        let cancel = &self.call.cancel;
        split(text, &mut |field, separator| {
            if parts.len() == parts.capacity() {
                cancel.check()?;
                let more = parts.len().max(64);
                purse.take(more * size_of::<(Range<usize>, Range<usize>)>())?;
                parts.reserve_exact(more);
            }
            parts.push((field, separator));
            Ok(())
        })?;
        {
            let mut array = array.borrow_mut();
            array.clear();
            for (at, (field, _)) in parts.iter().enumerate() {
                if at.is_multiple_of(MATCHES as usize) {
                    cancel.check()?;
                }
                let key = (at + 1).to_string();
                array.put(&self.call.memory, key.as_bytes(), Value::input(&text[field.clone()]))?;
            }
        }
        if let Some(separators) = separators {
            let mut separators = separators.borrow_mut();
            separators.clear();
            let before = parts.first().map_or(text.len(), |(first, _)| first.start);
            if (before > 0 && !parts.is_empty()) || function == "patsplit" {
                separators.put(&self.call.memory, b"0", Value::text(&text[..before]))?;
            }
            for (at, (field, separator)) in parts.iter().enumerate() {
                let is_last = at + 1 == parts.len();
                let separator = if is_last { field.end..text.len() } else { separator.clone() };
                if !is_last || !separator.is_empty() || function == "patsplit" {
                    let key = (at + 1).to_string();
                    separators.put(&self.call.memory, key.as_bytes(), Value::text(&text[separator]))?;
                }
            }
        }
        Ok(parts.len() as f64)
    }

    /// `sub`, or with `all` `gsub`.
    pub(super) fn sub(&mut self, arguments: &'p [Expr], all: bool) -> Result<f64> {
        let pattern = self.pattern(&arguments[0])?;
        let replacement = self.string(&arguments[1])?;
        let target = match arguments.get(2) {
            Some(target) => self.string(target)?,
            None => Rc::new(self.record.whole().to_vec()),
        };
        let pieces = pieces(&replacement, false);
        let mut count = 0.0;
        let replaced = self.replace(&pattern, &pieces, &target, |_| {
            count += 1.0;
            (true, all)
        })?;
        let Some(replaced) = replaced else {
            // To name a field as a place is enough to make it one.
            if let Some(Expr::Get(Place::Field(field))) = arguments.get(2) {
                let field = self.field_index(field)?;
                self.call.memory.take(field / 8)?;
                self.record.reach(field)?;
            }
            return Ok(0.0);
        };
        let value = Value::text(replaced);
        match arguments.get(2) {
            None => self.record.set(&value.to_text(b"")),
            Some(Expr::Whole(path)) => self.assign_path(path, value)?,
            Some(Expr::Get(place @ (Place::Field(_) | Place::Special(_)))) => self.assign(place, value)?,
            // What is no place is not changed.
            Some(_) => {}
        }
        Ok(count)
    }

    pub(super) fn gensub(&mut self, arguments: &'p [Expr]) -> Result<Value> {
        let pattern = self.pattern(&arguments[0])?;
        let replacement = self.string(&arguments[1])?;
        let how = self.eval(&arguments[2])?;
        let target = match arguments.get(3) {
            Some(target) => self.string(target)?,
            None => Rc::new(self.record.whole().to_vec()),
        };
        let text = how.to_text(&self.specials.convfmt);
        let all = matches!(text.first(), Some(b'g' | b'G'));
        let wanted = how.number().trunc().max(1.0) as u64;
        let pieces = pieces(&replacement, true);
        let replaced = self.replace(&pattern, &pieces, &target, |nth| match all {
            true => (true, true),
            false => (nth == wanted, nth < wanted),
        })?;
        Ok(replaced.map_or(Value::Text(target), Value::text))
    }

    /// Replace matches in `text`. `choose` is told the number of each, and says whether to replace it and whether to
    /// look further. `None` when nothing was replaced.
    fn replace(
        &mut self,
        pattern: &Pattern,
        pieces: &[Piece],
        text: &[u8],
        mut choose: impl FnMut(u64) -> (bool, bool),
    ) -> Result<Option<Vec<u8>>> {
        let mut out = Vec::new();
        let (mut copied, mut nth, mut replaced) = (0, 0, false);
        let mut growth = Growth::new(&self.call.memory);
        let groups = pieces.iter().any(|piece| matches!(piece, Piece::Group(1..)));
        let mut captures = groups.then(|| pattern.captures());
        let mut matches = Successive::new(text);
        while let Some(found) = matches.next(pattern, captures.as_mut())? {
            nth += 1;
            let (this, further) = choose(nth);
            if this {
                replaced = true;
                let made = || pieces.iter().map(|piece| piece.of(text, &found, captures.as_ref()));
                let more: usize = made().map(<[u8]>::len).sum();
                growth.reach((out.len() + (found.start - copied) + more).saturating_mul(SHARE))?;
                out.extend_from_slice(&text[copied..found.start]);
                made().for_each(|made| out.extend_from_slice(made));
                copied = found.end;
            }
            if !further {
                break;
            }
            if nth.is_multiple_of(MATCHES) {
                self.call.cancel.check()?;
            }
        }
        if !replaced {
            return Ok(None);
        }
        out.extend_from_slice(&text[copied..]);
        Ok(Some(out))
    }

    /// How `split` without a separator splits: by `FS`, whatever else splits the fields.
    fn field_splitter(&mut self) -> Result<Splitter> {
        match &self.record.splitter {
            Splitter::Blanks => Ok(Splitter::Blanks),
            Splitter::Byte(byte, newlines) => Ok(Splitter::Byte(*byte, *newlines)),
            _ => {
                let fs = self.special(super::ast::Special::Fs)?.to_text(&self.specials.convfmt);
                self.splitter(&fs, false)
            }
        }
    }

    /// The value in the global array `place` at `key`.
    pub(super) fn global_element(&mut self, place: usize, key: &[u8]) -> Option<Value> {
        match self.global_array(place).borrow().get(key) {
            Some(Element::Value(value)) => Some(value.clone()),
            _ => None,
        }
    }
}

/// Take a replacement apart: `&` is the match, `\&` an ampersand; with `groups` (`gensub`) `\N` is a group.
fn pieces(replacement: &[u8], groups: bool) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut text = Vec::new();
    let mut at = 0;
    while let Some(&byte) = replacement.get(at) {
        let rest = &replacement[at..];
        let (group, literal, length): (Option<usize>, &[u8], usize) = match rest {
            [b'&', ..] => (Some(0), b"", 1),
            [b'\\', digit @ b'0'..=b'9', ..] if groups => (Some(usize::from(digit - b'0')), b"", 2),
            [b'\\', _, ..] if groups => (None, &rest[1..2], 2),
            [b'\\', b'\\', b'\\', b'&', ..] => (None, b"\\&", 4),
            [b'\\', b'\\', b'&', ..] => {
                text.push(b'\\');
                (Some(0), b"", 3)
            }
            [b'\\', b'&', ..] => (None, b"&", 2),
            _ => {
                text.push(byte);
                at += 1;
                continue;
            }
        };
        text.extend_from_slice(literal);
        if let Some(group) = group {
            if !text.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut text)));
            }
            pieces.push(Piece::Group(group));
        }
        at += length;
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    pieces
}

/// The number of characters; bytes that are none count for themselves.
fn characters(text: &[u8]) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len()).sum()
}

/// The place `count` characters on from `from`.
fn forward(text: &[u8], from: usize, count: usize) -> usize {
    if text.is_ascii() {
        return from.saturating_add(count).min(text.len());
    }
    let mut at = from;
    for _ in 0..count {
        if at >= text.len() {
            break;
        }
        at += character(&text[at..]);
    }
    at
}

/// C's `towupper` knows one character for one.
fn single(c: char, mut mapped: impl Iterator<Item = char>) -> char {
    match (mapped.next(), mapped.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}
