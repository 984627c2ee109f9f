//! Keys: found in a line, read once into a [`Slot`], and compared.
use super::options::{Counted, Key, Kind, Options};
use crate::{Call, Error, Output, Result, Status, curly, extended::Extended, quoted_if_odd, version};
use md5::{Digest, Md5};
use std::{
    cmp::Ordering,
    io::{Read, Write},
};

/// How lines are compared.
pub(super) struct Rules {
    pub(super) keys: Vec<Key>,
    separator: Option<u8>,
    reverse: bool,
    /// Lines whose keys are equal are equal.
    pub(super) keys_only: bool,
    pub(super) unique: bool,
    debug: bool,
    salt: [u8; 16],
}

/// A key of one line, ready to be compared.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    /// Where it lies.
    Text(usize, usize),
    Number(Number),
    /// A number and the power of its unit, with the sign of the number.
    Human(i8, Number),
    /// `None` where there is no number.
    General(Option<Extended>),
    Month(u8),
    Random([u8; 16], usize, usize),
}

/// A decimal number of any length: where its digits lie, and as many of them as a word holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Number {
    negative: bool,
    /// Digits before the point, without leading zeros.
    whole: (usize, usize),
    /// The first 19 of them.
    lead: u64,
    /// Digits after the point, without trailing zeros.
    fraction: (usize, usize),
    /// What follows it.
    end: usize,
}

type Line<'a> = (&'a [u8], &'a [Slot]);

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

    /// How many keys there are; with none, lines are compared whole.
    pub(super) fn keys(&self) -> usize {
        self.keys.len()
    }

    /// A number that orders lines as their first key does, as far as it goes: the first eight bytes of the text.
    pub(super) fn head(&self, line: &[u8], slots: &[Slot]) -> u64 {
        let (text, reverse) = match (self.keys.first(), slots.first()) {
            (None, _) => (line, self.reverse),
            (Some(key), Some(Slot::Text(start, end)))
                if key.counted == Counted::All && !key.fold && key.kind() == Kind::Text =>
            {
                (&line[*start..*end], key.reverse)
            }
            _ => return 0,
        };
        let mut head = [0; 8];
        let length = text.len().min(8);
        head[..length].copy_from_slice(&text[..length]);
        let head = u64::from_be_bytes(head);
        if reverse { !head } else { head }
    }

    /// The keys of `line`.
    pub(super) fn slots(&self, line: &[u8]) -> Vec<Slot> {
        self.keys.iter().map(|key| self.slot(key, line)).collect()
    }

    /// Write a line as it is asked for.
    pub(super) fn write(&self, line: &[u8], end: u8, out: &mut Output) -> Result<()> {
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
        let last = match self.slot(key, line) {
            Slot::Number(_) => Number::read(line, first, end).end_of_digits(line, first),
            Slot::Human(..) => {
                let last = Number::read(line, first, end).end_of_digits(line, first);
                let has_unit = last > first && line[..end].get(last).is_some_and(|byte| unit(*byte).is_some());
                last + usize::from(has_unit)
            }
            Slot::General(_) => first + Extended::parse(&String::from_utf8_lossy(&line[first..end])).1,
            Slot::Month(0) => first,
            Slot::Month(_) => first + MONTH,
            Slot::Text(..) | Slot::Random(..) => end,
        };
        (first, last)
    }

    fn bounds(&self, key: &Key, line: &[u8]) -> (usize, usize) {
        let start = self.start_of(key, line);
        let end = key.end.map_or(line.len(), |end| self.end_of(end, key.end_blanks, line)).max(start);
        (start, end)
    }

    fn slot(&self, key: &Key, line: &[u8]) -> Slot {
        let (start, end) = self.bounds(key, line);
        let text = &line[start..end];
        match key.kind() {
            Kind::Text | Kind::Version => Slot::Text(start, end),
            Kind::Numeric => Slot::Number(Number::read(line, start, end)),
            Kind::Human => {
                let number = Number::read(line, start, end);
                let letter = line[..end].get(number.end).copied();
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
            Kind::Random => {
                let mut hash = Md5::new_with_prefix(self.salt);
                hash.update(counted(key, text).collect::<Vec<u8>>());
                // As strxfrm ends what it makes of a key.
                hash.update([0]);
                Slot::Random(hash.finalize().into(), start, end)
            }
        }
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
    pub(super) fn compare(&self, a: Line<'_>, b: Line<'_>) -> Ordering {
        let by_keys = self.compare_keys(a, b);
        if by_keys != Ordering::Equal || (self.keys_only && !self.keys.is_empty()) {
            return by_keys;
        }
        let order = a.0.cmp(b.0);
        if self.reverse { order.reverse() } else { order }
    }

    fn compare_keys(&self, (a, slots_a): Line<'_>, (b, slots_b): Line<'_>) -> Ordering {
        for ((key, slot_a), slot_b) in self.keys.iter().zip(slots_a).zip(slots_b) {
            let order = compare_slots(key, (a, slot_a), (b, slot_b));
            if order != Ordering::Equal {
                return if key.reverse { order.reverse() } else { order };
            }
        }
        Ordering::Equal
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

fn compare_slots(key: &Key, (a, slot_a): (&[u8], &Slot), (b, slot_b): (&[u8], &Slot)) -> Ordering {
    match (slot_a, slot_b) {
        (Slot::Text(from_a, to_a), Slot::Text(from_b, to_b)) => {
            let (a, b) = (&a[*from_a..*to_a], &b[*from_b..*to_b]);
            match (key.kind(), key.counted == Counted::All && !key.fold) {
                (Kind::Version, true) => version::compare(a, b),
                (Kind::Version, false) => {
                    let (a, b): (Vec<u8>, Vec<u8>) = (counted(key, a).collect(), counted(key, b).collect());
                    version::compare(&a, &b)
                }
                (_, true) => a.cmp(b),
                (_, false) => counted(key, a).cmp(counted(key, b)),
            }
        }
        (Slot::Number(x), Slot::Number(y)) => x.compare(a, y, b),
        (Slot::Human(power_x, x), Slot::Human(power_y, y)) => power_x.cmp(power_y).then_with(|| x.compare(a, y, b)),
        (Slot::General(x), Slot::General(y)) => match (x, y) {
            (Some(x), Some(y)) => x.total_order(y),
            (x, y) => x.is_some().cmp(&y.is_some()),
        },
        (Slot::Month(x), Slot::Month(y)) => x.cmp(y),
        (Slot::Random(x, from_a, to_a), Slot::Random(y, from_b, to_b)) => {
            x.cmp(y).then_with(|| counted(key, &a[*from_a..*to_a]).cmp(counted(key, &b[*from_b..*to_b])))
        }
        // Both lines have their slots from the same keys.
        _ => Ordering::Equal,
    }
}

/// The bytes of a key that count, folded as the key says.
fn counted<'a>(key: &Key, text: &'a [u8]) -> impl Iterator<Item = u8> + use<'a> {
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

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n')
}

fn skip(line: &[u8], mut at: usize, wanted: impl Fn(u8) -> bool) -> usize {
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

impl Number {
    /// The number that `line[start..end]` begins with after blanks.
    fn read(line: &[u8], start: usize, end: usize) -> Number {
        let line = &line[..end];
        let digit = |byte: u8| byte.is_ascii_digit();
        let mut at = skip(line, start, is_blank);
        let negative = line.get(at) == Some(&b'-');
        at += usize::from(negative);
        let first = skip(line, at, |byte| byte == b'0');
        at = skip(line, first, digit);
        let whole = (first, at);
        let lead = line[first..at.min(first + 19)].iter().fold(0, |sum: u64, byte| sum * 10 + u64::from(byte - b'0'));
        let mut fraction = (at, at);
        if line.get(at) == Some(&b'.') {
            let after = skip(line, at + 1, digit);
            let zeros = line[at + 1..after].iter().rev().take_while(|byte| **byte == b'0').count();
            fraction = (at + 1, after - zeros);
            at = after;
        }
        let mut number = Number { negative, whole, lead, fraction, end: at };
        number.negative &= !number.is_zero();
        number
    }

    /// Where the number ends that was read from `start`, or `start` where there is none.
    fn end_of_digits(&self, line: &[u8], start: usize) -> usize {
        match line[start..self.end].iter().any(u8::is_ascii_digit) {
            true => self.end,
            false => start,
        }
    }

    fn is_zero(&self) -> bool {
        let digits = |(start, end)| start == end;
        digits(self.whole) && digits(self.fraction)
    }

    fn compare(&self, a: &[u8], other: &Number, b: &[u8]) -> Ordering {
        if self.negative != other.negative {
            return other.negative.cmp(&self.negative);
        }
        let digits = |(start, end): (usize, usize)| end - start;
        let order = digits(self.whole)
            .cmp(&digits(other.whole))
            .then(self.lead.cmp(&other.lead))
            .then_with(|| a[self.whole.0..self.whole.1].cmp(&b[other.whole.0..other.whole.1]))
            .then_with(|| a[self.fraction.0..self.fraction.1].cmp(&b[other.fraction.0..other.fraction.1]));
        if self.negative { order.reverse() } else { order }
    }
}
