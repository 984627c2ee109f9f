//! The current record and its fields, split only as far as they are asked for.
use super::value::{Text, Value};
use crate::{
    Result,
    pattern::{Haystack, Pattern},
    successive::character,
};
use std::{ops::Range, rc::Rc};

/// How a text falls into fields.
#[derive(Clone)]
pub(super) enum Splitter {
    /// At runs of blanks and newlines; those around the text do not count.
    Blanks,
    /// At this byte; with the flag at newlines too.
    Byte(u8, bool),
    /// At matches.
    Regex(Rc<Pattern>),
    /// Every character is a field.
    Characters,
    /// Fields of so many characters, after so many that are skipped; none takes the rest.
    Widths(Rc<Vec<(usize, Option<usize>)>>),
    /// Fields are what matches.
    Content(Rc<Pattern>),
}

/// One field.
enum Field {
    /// A part of the record as it was read.
    Part(u32, u32),
    /// Assigned by the program.
    Set(Value, Text),
}

/// The record.
pub(super) struct Record {
    /// The record as it was read, or rebuilt.
    text: Vec<u8>,
    fields: Vec<Field>,
    /// Where splitting goes on; `None` when it is done.
    rest: Option<usize>,
    /// A field has changed since `text` was made.
    changed: bool,
    pub(super) splitter: Splitter,
    /// What separates the fields when the record is rebuilt.
    pub(super) ofs: Text,
    /// Whether there has been a record at all.
    begun: bool,
}

impl Record {
    pub(super) fn new() -> Record {
        Record {
            text: Vec::new(),
            fields: Vec::new(),
            rest: None,
            changed: false,
            splitter: Splitter::Blanks,
            ofs: Rc::new(b" ".to_vec()),
            begun: false,
        }
    }

    /// `$0 = text`
    pub(super) fn set(&mut self, text: &[u8]) {
        self.text.clear();
        self.text.extend_from_slice(text);
        self.begin();
    }

    /// The same with a buffer that is taken over; the one before is left in it.
    pub(super) fn swap(&mut self, text: &mut Vec<u8>) {
        std::mem::swap(&mut self.text, text);
        self.begin();
    }

    fn begin(&mut self) {
        self.begun = true;
        self.fields.clear();
        self.changed = false;
        self.rest = Some(0);
    }

    /// `$0`, rebuilt if a field has changed.
    pub(super) fn whole(&mut self) -> &[u8] {
        if self.changed {
            let mut text = Vec::with_capacity(self.text.len());
            for (at, field) in self.fields.iter_mut().enumerate() {
                if at > 0 {
                    text.extend_from_slice(&self.ofs);
                }
                let start = text.len() as u32;
                match field {
                    Field::Part(from, to) => {
                        text.extend_from_slice(&self.text[*from as usize..*to as usize]);
                        *field = Field::Part(start, text.len() as u32);
                    }
                    Field::Set(_, set) => text.extend_from_slice(set),
                }
            }
            self.text = text;
            self.changed = false;
            self.begun = true;
        }
        &self.text
    }

    /// `NF`
    pub(super) fn count(&mut self) -> Result<usize> {
        self.split(usize::MAX)?;
        Ok(self.fields.len())
    }

    /// The bytes of field `n`; `$0` is field 0.
    pub(super) fn field(&mut self, n: usize) -> Result<&[u8]> {
        if n == 0 {
            return Ok(self.whole());
        }
        self.split(n)?;
        Ok(match self.fields.get(n - 1) {
            None => b"",
            Some(Field::Part(from, to)) => &self.text[*from as usize..*to as usize],
            Some(Field::Set(_, text)) => text,
        })
    }

    /// The value of field `n`.
    pub(super) fn value(&mut self, n: usize) -> Result<Value> {
        if n > 0 {
            self.split(n)?;
            match self.fields.get(n - 1) {
                None => return Ok(Value::Missing),
                Some(Field::Set(value, _)) => return Ok(value.clone()),
                Some(Field::Part(..)) => {}
            }
        }
        if n == 0 && !self.begun && !self.changed {
            return Ok(Value::Missing);
        }
        Ok(Value::input(self.field(n)?))
    }

    /// The value that the program has given field `n`, if it has.
    pub(super) fn set_value(&mut self, n: usize) -> Result<Option<&Value>> {
        if n == 0 {
            return Ok(None);
        }
        self.split(n)?;
        Ok(match self.fields.get(n - 1) {
            Some(Field::Set(value, _)) => Some(value),
            _ => None,
        })
    }

    /// Whether there is a field `n`.
    pub(super) fn has(&mut self, n: usize) -> Result<bool> {
        self.split(n)?;
        Ok(n <= self.fields.len())
    }

    /// Let there be a field `n`; `$0` stays what it is.
    pub(super) fn reach(&mut self, n: usize) -> Result<()> {
        self.split(usize::MAX)?;
        while self.fields.len() < n {
            self.fields.push(Field::Part(0, 0));
        }
        Ok(())
    }

    /// `$n = value`, whose text is `text`; `n` is at least 1.
    pub(super) fn set_field(&mut self, n: usize, value: Value, text: Text) -> Result<()> {
        self.reach(n)?;
        self.fields[n - 1] = Field::Set(value, text);
        self.changed = true;
        Ok(())
    }

    /// `NF = count`
    pub(super) fn set_count(&mut self, count: usize) -> Result<()> {
        self.split(usize::MAX)?;
        self.fields.truncate(count);
        self.reach(count)?;
        self.changed = true;
        Ok(())
    }

    /// Make the fields that there are up to the nth.
    fn split(&mut self, n: usize) -> Result<()> {
        let Some(from) = self.rest else { return Ok(()) };
        if self.fields.len() >= n {
            return Ok(());
        }
        let fields = &mut self.fields;
        let missing = n - fields.len();
        let mut push = |part: Range<usize>| fields.push(Field::Part(part.start as u32, part.end as u32));
        self.rest = match &self.splitter {
            Splitter::Blanks => blanks(&self.text, from, missing, &mut push),
            Splitter::Byte(byte, false) => bytes(&self.text, from, *byte, missing, &mut push),
            splitter => {
                split(&self.text, splitter, |part, _| {
                    push(part);
                    Ok(())
                })?;
                None
            }
        };
        Ok(())
    }
}

/// Find up to `count` fields between blanks; the place to go on at, unless the text is through.
fn blanks(text: &[u8], mut at: usize, count: usize, push: &mut dyn FnMut(Range<usize>)) -> Option<usize> {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n');
    for _ in 0..count {
        at += text[at..].iter().position(|byte| !is_blank(byte))?;
        let end = text[at..].iter().position(is_blank).map_or(text.len(), |length| at + length);
        push(at..end);
        at = end;
    }
    Some(at)
}

/// The same between single bytes.
fn bytes(text: &[u8], mut at: usize, byte: u8, count: usize, push: &mut dyn FnMut(Range<usize>)) -> Option<usize> {
    if text.is_empty() {
        return None;
    }
    for _ in 0..count {
        match memchr::memchr(byte, &text[at..]) {
            Some(length) => {
                push(at..at + length);
                at += length + 1;
            }
            None => {
                push(at..text.len());
                return None;
            }
        }
    }
    Some(at)
}

/// Split all of `text`: each field, and the separator behind it (empty behind the last). An error of `push` ends it.
pub(super) fn split(
    text: &[u8],
    splitter: &Splitter,
    mut push: impl FnMut(Range<usize>, Range<usize>) -> Result<()>,
) -> Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    match splitter {
        Splitter::Blanks => {
            let (mut at, mut last) = (Some(0), None::<Range<usize>>);
            while let Some(from) = at {
                let mut part = None;
                at = blanks(text, from, 1, &mut |found| part = Some(found));
                let Some(part) = part else { break };
                if let Some(last) = last.replace(part.clone()) {
                    push(last.clone(), last.end..part.start)?;
                }
            }
            if let Some(last) = last {
                push(last.clone(), last.end..last.end)?;
            }
        }
        Splitter::Byte(byte, newlines) => {
            let mut from = 0;
            let is_end = |this: &u8| this == byte || (*newlines && *this == b'\n');
            while let Some(length) = text[from..].iter().position(is_end) {
                push(from..from + length, from + length..from + length + 1)?;
                from += length + 1;
            }
            push(from..text.len(), text.len()..text.len())?;
        }
        Splitter::Regex(pattern) => {
            let haystack = Haystack::new(text);
            let mut from = 0;
            loop {
                let mut found = pattern.find_in(&haystack, from)?;
                while let Some(empty) = found.as_ref().filter(|found| found.is_empty()) {
                    // What matches nothing separates nothing.
                    let next = empty.end + 1;
                    found = if next > text.len() { None } else { pattern.find_in(&haystack, next)? };
                }
                let Some(found) = found else { break };
                push(from..found.start, found.clone())?;
                from = found.end;
            }
            push(from..text.len(), text.len()..text.len())?;
        }
        Splitter::Characters => {
            let mut from = 0;
            while from < text.len() {
                let end = from + character(&text[from..]);
                push(from..end, end..end)?;
                from = end;
            }
        }
        Splitter::Widths(widths) => {
            let mut from = 0;
            for (skip, width) in widths.iter() {
                if from >= text.len() {
                    break;
                }
                from = forward(text, from, *skip);
                let end = width.map_or(text.len(), |width| forward(text, from, width));
                push(from..end, end..end)?;
                from = end;
            }
        }
        Splitter::Content(pattern) => {
            let mut last = None::<Range<usize>>;
            content(text, pattern, |field| match last.replace(field.clone()) {
                Some(last) => push(last.clone(), last.end..field.start),
                None => Ok(()),
            })?;
            if let Some(last) = last {
                push(last.clone(), last.end..text.len())?;
            }
        }
    }
    Ok(())
}

/// The fields that `FPAT` and `patsplit` find: matches; an empty one right behind a match is none.
pub(super) fn content(text: &[u8], pattern: &Pattern, mut push: impl FnMut(Range<usize>) -> Result<()>) -> Result<()> {
    let haystack = Haystack::new(text);
    let mut from = 0;
    let mut after_match = false;
    while from <= text.len() {
        let Some(found) = pattern.find_in(&haystack, from)? else { break };
        if !found.is_empty() {
            push(found.clone())?;
            from = found.end;
            after_match = true;
        } else if after_match && found.start == from {
            // This is the separator's place: the next field may begin behind it.
            from += 1;
            after_match = false;
        } else {
            push(found.clone())?;
            from = found.end + 1;
            after_match = false;
        }
    }
    Ok(())
}

fn forward(text: &[u8], mut from: usize, characters: usize) -> usize {
    for _ in 0..characters {
        if from >= text.len() {
            break;
        }
        from += character(&text[from..]);
    }
    from
}
