//! Keys: found in a line, read into a [`Slot`], and compared.
use super::{
    number::Number,
    options::{Counted, Key, Kind, Options},
};
use crate::{Call, Error, Result, Status, curly, extended::Extended, quoted_if_odd, version};
use md5::{Digest, Md5};
use std::{
    cmp::Ordering,
    io::{Read, Write},
};

/// How lines are compared.
pub(super) struct Rules {
    pub(super) keys: Vec<Key>,
    separator: Option<u8>,
    /// Whole lines are compared in reverse.
    pub(super) reverse: bool,
    /// Lines whose keys are equal are equal.
    keys_only: bool,
    pub(super) unique: bool,
    debug: bool,
    salt: [u8; 16],
}

/// A key of one line, ready to be compared.
#[derive(Clone, Debug)]
pub(super) enum Slot<'l> {
    Text(&'l [u8]),
    Number(Number<'l>),
    /// A number and the power of its unit, with the sign of the number.
    Human(i8, Number<'l>),
    /// `None` where there is no number.
    General(Option<Extended>),
    Month(u8),
    /// A text that is ordered by its hash.
    Random(&'l [u8]),
}

impl Rules {
    pub(super) fn new(options: &Options, call: &Call<'_>) -> Result<Rules> {
        let mut salt = [0; 16];
        if options.keys.iter().any(|key| key.kind() == Kind::Random) {
            salt = read_salt(options, call)?;
        }
        Ok(Rules {
            keys: options.keys.clone(),
            separator: options.separator,
            reverse: options.reverse,
            keys_only: options.stable || options.unique,
            unique: options.unique,
            debug: options.debug,
            salt,
        })
    }

    /// Write a line as it is asked for.
    pub(super) fn write(&self, line: &[u8], end: u8, out: &mut dyn Write) -> Result<()> {
        if self.debug {
            return self.write_marked(line, out);
        }
        out.write_all(line)?;
        out.write_all(&[end])?;
        Ok(())
    }

    /// Where the part of a key lies that is compared.
    pub(super) fn span(&self, key: &Key, line: &[u8]) -> (usize, usize) {
        let (start, end) = self.bounds(key, line);
        if !(key.is_numeric() || key.start_blanks || key.kind() == Kind::Month) {
            return (start, end);
        }
        let first = skip(&line[..end], start, is_blank);
        let text = &line[first..end];
        let length = match self.slot(key, line) {
            Slot::Number(number) => number.length,
            Slot::Human(_, number) => {
                let has_unit = number.length > 0 && text.get(number.length).is_some_and(|byte| unit(*byte).is_some());
                number.length + usize::from(has_unit)
            }
            Slot::General(_) => Extended::parse(&String::from_utf8_lossy(text)).1,
            Slot::Month(0) => 0,
            Slot::Month(_) => MONTH,
            Slot::Text(_) | Slot::Random(_) => text.len(),
        };
        (first, first + length)
    }

    fn bounds(&self, key: &Key, line: &[u8]) -> (usize, usize) {
        let start = self.start_of(key, line);
        let end = key.end.map_or(line.len(), |end| self.end_of(end, key.end_blanks, line)).max(start);
        (start, end)
    }

    /// The key of `line`.
    pub(super) fn slot<'l>(&self, key: &Key, line: &'l [u8]) -> Slot<'l> {
        let (start, end) = self.bounds(key, line);
        let text = &line[start..end];
        match key.kind() {
            Kind::Text | Kind::Version => Slot::Text(text),
            Kind::Numeric => Slot::Number(Number::read(text)),
            Kind::Human => {
                let number = Number::read(text);
                let letter = number.after.first().copied();
                let letter = if key.fold { letter.map(|letter| letter.to_ascii_uppercase()) } else { letter };
                let power = letter.and_then(unit).unwrap_or(0);
                let power = if number.is_zero() { 0 } else { power };
                Slot::Human(if number.negative { -power } else { power }, number)
            }
            Kind::General => {
                let text = String::from_utf8_lossy(text);
                let (number, length) = Extended::parse(&text);
                Slot::General((length > 0).then_some(number))
            }
            Kind::Month => Slot::Month(month(text)),
            Kind::Random => Slot::Random(text),
        }
    }

    /// What orders a text of `-R`.
    pub(super) fn hash(&self, key: &Key, text: &[u8]) -> [u8; 16] {
        let mut hash = Md5::new_with_prefix(self.salt);
        hash.update(counted(key, text).collect::<Vec<u8>>());
        // As strxfrm ends what it makes of a key.
        hash.update([0]);
        hash.finalize().into()
    }

    fn start_of(&self, key: &Key, line: &[u8]) -> usize {
        let (fields, bytes) = key.start;
        let mut at = self.skip_fields(fields, line, true);
        if key.start_blanks {
            at = skip(line, at, is_blank);
        }
        at.saturating_add(bytes).min(line.len())
    }

    fn end_of(&self, (fields, bytes): (usize, usize), blanks: bool, line: &[u8]) -> usize {
        let mut at = self.skip_fields(fields, line, bytes > 0);
        if bytes > 0 {
            if blanks {
                at = skip(line, at, is_blank);
            }
            at = at.saturating_add(bytes).min(line.len());
        }
        at
    }

    /// Past `fields` fields; past the separator after the last of them as well when `beyond`.
    fn skip_fields(&self, fields: usize, line: &[u8], beyond: bool) -> usize {
        let mut at = 0;
        for left in (0..fields).rev() {
            if at >= line.len() {
                break;
            }
            match self.separator {
                Some(separator) => {
                    at = memchr::memchr(separator, &line[at..]).map_or(line.len(), |found| at + found);
                    if at < line.len() && (left > 0 || beyond) {
                        at += 1;
                    }
                }
                None => at = skip(line, skip(line, at, is_blank), |byte| !is_blank(byte)),
            }
        }
        at
    }

    /// The order of two lines.
    pub(super) fn compare(&self, a: &[u8], b: &[u8]) -> Ordering {
        for key in &self.keys {
            let order = self.compare_slots(key, &self.slot(key, a), &self.slot(key, b));
            if order != Ordering::Equal {
                return if key.reverse { order.reverse() } else { order };
            }
        }
        if self.compares_lines() {
            let order = a.cmp(b);
            return if self.reverse { order.reverse() } else { order };
        }
        Ordering::Equal
    }

    fn compare_slots(&self, key: &Key, a: &Slot<'_>, b: &Slot<'_>) -> Ordering {
        match (a, b) {
            (Slot::Text(a), Slot::Text(b)) => match (key.kind(), key.is_plain()) {
                (Kind::Version, true) => version::compare(a, b),
                (Kind::Version, false) => {
                    let (a, b): (Vec<u8>, Vec<u8>) = (counted(key, a).collect(), counted(key, b).collect());
                    version::compare(&a, &b)
                }
                (_, true) => a.cmp(b),
                (_, false) => counted(key, a).cmp(counted(key, b)),
            },
            (Slot::Number(a), Slot::Number(b)) => a.compare(b),
            (Slot::Human(power_a, a), Slot::Human(power_b, b)) => power_a.cmp(power_b).then_with(|| a.compare(b)),
            (Slot::General(a), Slot::General(b)) => match (a, b) {
                (Some(a), Some(b)) => a.total_order(b),
                (a, b) => a.is_some().cmp(&b.is_some()),
            },
            (Slot::Month(a), Slot::Month(b)) => a.cmp(b),
            (Slot::Random(a), Slot::Random(b)) => match counted(key, a).cmp(counted(key, b)) {
                Ordering::Equal => Ordering::Equal,
                order => self.hash(key, a).cmp(&self.hash(key, b)).then(order),
            },
            // Both lines have their slots from the same key.
            _ => Ordering::Equal,
        }
    }

    /// Whether lines whose keys are equal are compared whole.
    pub(super) fn compares_lines(&self) -> bool {
        self.keys.is_empty() || !self.keys_only
    }
}

fn read_salt(options: &Options, call: &Call<'_>) -> Result<[u8; 16]> {
    let mut salt = [0; 16];
    match &options.random_source {
        None => {
            use std::hash::{BuildHasher, RandomState};
            for half in salt.chunks_exact_mut(8) {
                half.copy_from_slice(&RandomState::new().hash_one(0).to_ne_bytes());
            }
        }
        Some(file) => {
            let failed = |what: &str, error: &dyn std::fmt::Display| {
                Error::Failed(format!("{what}: {}: {error}", quoted_if_odd(file)), Status(2))
            };
            let mut input = call.open(file).map_err(|error| failed("open failed", &error))?;
            if input.read_exact(&mut salt).is_err() {
                call.cancel.check()?;
                return Err(Error::Failed(format!("{}: end of file", curly(file)), Status(2)));
            }
        }
    }
    Ok(salt)
}

/// The bytes of a key that count, folded as the key says.
pub(super) fn counted<'a>(key: &Key, text: &'a [u8]) -> impl Iterator<Item = u8> + use<'a> {
    let (which, fold) = (key.counted, key.fold);
    text.iter()
        .copied()
        .filter(move |byte| match which {
            Counted::All => true,
            Counted::Dictionary => is_blank(*byte) || byte.is_ascii_alphanumeric(),
            Counted::Printable => (b' '..=b'~').contains(byte),
        })
        .map(move |byte| if fold { byte.to_ascii_uppercase() } else { byte })
}

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n')
}

pub(super) fn skip(line: &[u8], mut at: usize, wanted: impl Fn(u8) -> bool) -> usize {
    while line.get(at).is_some_and(|byte| wanted(*byte)) {
        at += 1;
    }
    at
}

/// The power of a unit by its letter.
fn unit(letter: u8) -> Option<i8> {
    match letter {
        b'k' => Some(1),
        letter => b"KMGTPEZYRQ".iter().position(|unit| *unit == letter).map(|at| at as i8 + 1),
    }
}

/// Bytes of the name of a month.
const MONTH: usize = 3;

fn month(text: &[u8]) -> u8 {
    const NAMES: [&[u8; MONTH]; 12] =
        [b"JAN", b"FEB", b"MAR", b"APR", b"MAY", b"JUN", b"JUL", b"AUG", b"SEP", b"OCT", b"NOV", b"DEC"];
    let text = &text[skip(text, 0, is_blank)..];
    let Some(name) = text.get(..MONTH) else { return 0 };
    NAMES.iter().position(|month| month.eq_ignore_ascii_case(name)).map_or(0, |at| at as u8 + 1)
}
