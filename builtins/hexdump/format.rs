//! The language of `-e`: units of `[TIMES][/BYTES] "TEXT"`, where a text holds one directive or several.
use super::unit::{Part, Shows, Unit};
use crate::{Error, Result, printf::directive::Directive};

/// A format as it is written, its escapes decoded.
pub(super) struct Source(Vec<Written>);

struct Written {
    times: Option<usize>,
    bytes: Option<usize>,
    text: String,
}

impl Source {
    pub(super) fn read(text: &str) -> Result<Source> {
        let bad = || Error::failed(format!("bad format {{{text}}}"));
        let mut units = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let (times, after) = digits(rest).ok_or_else(bad)?;
            rest = after.trim_start();
            let mut bytes = None;
            if let Some(after) = rest.strip_prefix('/') {
                let (count, after) = digits(after.trim_start()).ok_or_else(bad)?;
                if count.is_none() {
                    return Err(bad());
                }
                (bytes, rest) = (count, after.trim_start());
            }
            let (text, after) = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')).ok_or_else(bad)?;
            // What follows must be apart.
            if !after.is_empty() && !after.starts_with(char::is_whitespace) {
                return Err(bad());
            }
            units.push(Written { times, bytes, text: unescape(text) });
            rest = after.trim_start();
        }
        Ok(Source(units))
    }
}

/// The number that `text` begins with, if it does, and what follows; `None` for one that is too large.
fn digits(text: &str) -> Option<(Option<usize>, &str)> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    match &text[..text.len() - rest.len()] {
        "" => Some((None, rest)),
        digits => Some((Some(digits.parse().ok()?), rest)),
    }
}

fn unescape(text: &str) -> String {
    let mut plain = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let escaped = if letter == '\\' { letters.next() } else { None };
        plain.push(match escaped {
            None => letter,
            Some('a') => '\u{7}',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('v') => '\u{b}',
            Some(other) => other,
        });
    }
    plain
}

/// All formats of a run.
pub(super) struct Format<'a> {
    /// Bytes of a block: what the longest of the formats takes.
    pub(super) block: usize,
    lines: Vec<Vec<Unit<'a>>>,
    /// The unit that shows the address behind the last byte.
    end: Option<Unit<'a>>,
}

impl<'a> Format<'a> {
    pub(super) fn new(sources: &'a [Source]) -> Result<Format<'a>> {
        let mut end = None;
        let mut lines = Vec::new();
        for Source(written) in sources {
            let mut line = Vec::new();
            for unit in written {
                let unit = read_unit(unit)?;
                match unit.parts.iter().any(|part| matches!(part.shows, Shows::End(_))) {
                    true => end = Some(unit),
                    false => line.push(unit),
                }
            }
            lines.push(line);
        }
        let taken = |line: &[Unit<'_>]| sum(line.iter().map(|unit| unit.bytes.saturating_mul(unit.times)));
        let block = lines.iter().map(|line| taken(line)).max().unwrap_or(0);
        for line in &mut lines {
            let missing = block - taken(line);
            if let Some(last) = line.last_mut().filter(|last| !last.counted && last.bytes > 0) {
                last.times += missing / last.bytes;
            }
            for unit in line.iter_mut().filter(|unit| unit.times > 1) {
                unit.drop_last_blank();
            }
        }
        Ok(Format { block, lines, end })
    }

    /// A block whose first `count` bytes are of the input, and which begins at `address`.
    pub(super) fn print(&self, block: &[u8], count: usize, address: u64, out: &mut Vec<u8>) {
        for line in &self.lines {
            let mut at = 0;
            for unit in line {
                unit.print(block, &mut at, count, address, out);
            }
        }
    }

    /// What stands behind the last block, which ends at `address`.
    pub(super) fn print_end(&self, address: u64, out: &mut Vec<u8>) {
        if let Some(unit) = &self.end {
            unit.print(&[], &mut 0, 0, address, out);
        }
    }
}

/// The sum of counts that may be absurd.
fn sum(counts: impl Iterator<Item = usize>) -> usize {
    counts.fold(0, usize::saturating_add)
}

fn read_unit(written: &Written) -> Result<Unit<'_>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    let mut rest = written.text.as_str();
    let mut conversions = 0;
    loop {
        let Some(at) = rest.find('%') else {
            match parts.last_mut() {
                // What follows a directive up to the next belongs to it.
                Some(part) => part.after = rest,
                None => parts.push(Part::text(rest)),
            }
            break;
        };
        let before = match parts.last_mut() {
            Some(part) => {
                part.after = &rest[..at];
                ""
            }
            None => &rest[..at],
        };
        let (part, length) = read_part(before, &rest[at + 1..], written.bytes)?;
        conversions += usize::from(part.bytes > 0);
        if conversions > 1 && written.bytes.is_some() {
            return Err(Error::failed("byte count with multiple conversion characters"));
        }
        parts.push(part);
        rest = &rest[at + 1 + length..];
    }
    let bytes = match written.bytes {
        Some(bytes) if conversions > 0 => bytes,
        _ => sum(parts.iter().map(|part| part.bytes)),
    };
    Ok(Unit { times: written.times.unwrap_or(1), counted: written.times.is_some(), bytes, parts })
}

/// The directive whose `%` stands before `text`, and its length.
fn read_part<'a>(before: &'a str, text: &'a str, asked: Option<usize>) -> Result<(Part<'a>, usize)> {
    // An underscore makes a letter mean something of hexdump's own.
    let spec = text.trim_start_matches(['-', '+', ' ', '#', '0']);
    let spec = spec.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let own = spec.starts_with('_');
    let letters = if own { &spec[1..] } else { spec };
    let bad = |name: &str| Error::failed(format!("bad conversion character %{name}"));
    let Some(letter) = letters.chars().next() else { return Err(bad(spec)) };
    let mut length = text.len() - letters.len() + letter.len_utf8();
    let radix = |letters: &str| match letters.chars().nth(1) {
        Some('d') => Ok('u'),
        Some(radix @ ('o' | 'x')) => Ok(radix),
        _ => Err(bad(&format!("_{}", letters.chars().take(2).collect::<String>()))),
    };
    let shows = match (own, letter) {
        (true, 'a' | 'A') => {
            length += 1;
            let radix = radix(letters)?;
            if letter == 'a' { Shows::Address(radix) } else { Shows::End(radix) }
        }
        (true, 'c') => Shows::Escaped,
        (true, 'p') => Shows::Printable,
        (true, 'u') => Shows::Named,
        (true, letter) => return Err(bad(&format!("_{letter}"))),
        (false, 'c') => Shows::Character,
        (false, 'd' | 'i') => Shows::Signed,
        (false, 'o' | 'u' | 'x' | 'X') => Shows::Unsigned(letter),
        (false, 'e' | 'E' | 'f' | 'G' | 'g') => Shows::Float,
        (false, 's') => Shows::Text,
        (false, letter) => return Err(bad(&letter.to_string())),
    };
    // The flags, the width and the precision are those of C; the letter that closes them is not always.
    let (directive, _) = Directive::read(text).map_err(|_| bad(spec))?;
    let mut part = Part::new(before, directive, shows);
    part.bytes = match (&part.shows, asked) {
        (Shows::Address(_) | Shows::End(_) | Shows::Nothing, _) => 0,
        (Shows::Character | Shows::Escaped | Shows::Printable | Shows::Named, None | Some(1)) => 1,
        (Shows::Signed | Shows::Unsigned(_), None) => 4,
        (Shows::Signed | Shows::Unsigned(_), Some(bytes @ (1 | 2 | 4 | 8))) => bytes,
        (Shows::Float, None) => 8,
        (Shows::Float, Some(bytes @ (4 | 8))) => bytes,
        (Shows::Text, Some(bytes)) => bytes,
        (Shows::Text, None) => match part.precision {
            Some(precision) => precision,
            None => return Err(Error::failed("%s requires a precision or a byte count")),
        },
        (_, Some(_)) => {
            let name = if own { format!("_{letter}") } else { letter.to_string() };
            return Err(Error::failed(format!("bad byte count for conversion character {name}")));
        }
    };
    Ok((part, length))
}
