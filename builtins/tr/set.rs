//! The strings of `tr`: escapes, ranges, classes and repeats.
use crate::{Call, Error, Result, curly};

/// One part of a string.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Byte(u8),
    Range(u8, u8),
    Class(Class),
    /// `[=c=]`
    Equivalent(u8),
    /// `[c*n]`; 0 fills up what is needed.
    Repeat(u8, usize),
}

/// A named class of bytes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Class {
    Lower,
    Upper,
    Other(fn(&u8) -> bool),
}

impl Class {
    fn named(name: &str) -> Option<Class> {
        Some(match name {
            "alnum" => Class::Other(u8::is_ascii_alphanumeric),
            "alpha" => Class::Other(u8::is_ascii_alphabetic),
            "blank" => Class::Other(|byte| matches!(byte, b' ' | b'\t')),
            "cntrl" => Class::Other(u8::is_ascii_control),
            "digit" => Class::Other(u8::is_ascii_digit),
            "graph" => Class::Other(u8::is_ascii_graphic),
            "lower" => Class::Lower,
            "print" => Class::Other(|byte| (b' '..=b'~').contains(byte)),
            "punct" => Class::Other(u8::is_ascii_punctuation),
            "space" => Class::Other(|byte| matches!(byte, b' ' | 9..=13)),
            "upper" => Class::Upper,
            "xdigit" => Class::Other(u8::is_ascii_hexdigit),
            _ => return None,
        })
    }

    /// Its bytes, in order.
    pub(super) fn bytes(self) -> Vec<u8> {
        let is = match self {
            Class::Lower => u8::is_ascii_lowercase,
            Class::Upper => u8::is_ascii_uppercase,
            Class::Other(is) => is,
        };
        (0..=255).filter(is).collect()
    }
}

/// A byte, and whether a backslash took its special meaning.
type Unquoted = Vec<(u8, bool)>;

fn unquote(call: &mut Call<'_>, text: &str) -> Result<Unquoted> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            out.push((bytes[at], false));
            at += 1;
            continue;
        }
        at += 1;
        let byte = match bytes.get(at) {
            None => {
                call.warn("warning: an unescaped backslash at end of string is not portable")?;
                out.push((b'\\', false));
                break;
            }
            Some(b'a') => 7,
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'v') => 11,
            Some(b'0'..=b'7') => {
                let (mut value, mut length) = (0u32, 0);
                while length < 3
                    && let Some(digit @ b'0'..=b'7') = bytes.get(at + length)
                {
                    let next = value * 8 + u32::from(digit - b'0');
                    if next > 255 {
                        let octal = &text[at..at + 3];
                        let (first, second) = octal.split_at(2);
                        call.warn(format_args!(
                            "warning: the ambiguous octal escape \\{octal} is being\n\tinterpreted as the 2-byte sequence \\0{first}, {second}"
                        ))?;
                        break;
                    }
                    value = next;
                    length += 1;
                }
                at += length - 1;
                value as u8
            }
            Some(byte) => *byte,
        };
        out.push((byte, true));
        at += 1;
    }
    Ok(out)
}

/// Take a string apart.
pub(super) fn parse(call: &mut Call<'_>, text: &str) -> Result<Vec<Part>> {
    let bytes = unquote(call, text)?;
    let mut parts = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if let Some((part, length)) = bracketed(&bytes[at..])? {
            parts.push(part);
            at += length;
        } else if is(&bytes, at + 1, b'-') && at + 2 < bytes.len() {
            let (first, last) = (bytes[at].0, bytes[at + 2].0);
            if first > last {
                let (first, last) = (shown(first), shown(last));
                let message = format!("range-endpoints of '{first}-{last}' are in reverse collating sequence order");
                return Err(Error::failed(message));
            }
            parts.push(Part::Range(first, last));
            at += 3;
        } else {
            parts.push(Part::Byte(bytes[at].0));
            at += 1;
        }
    }
    Ok(parts)
}

fn is(bytes: &[(u8, bool)], at: usize, byte: u8) -> bool {
    bytes.get(at) == Some(&(byte, false))
}

fn shown(byte: u8) -> String {
    if (b' '..=b'~').contains(&byte) { char::from(byte).to_string() } else { format!("\\{byte:03o}") }
}

/// `[:class:]`, `[=c=]` or `[c*n]` and its length; `None` when a `[` is only that.
fn bracketed(bytes: &[(u8, bool)]) -> Result<Option<(Part, usize)>> {
    if !is(bytes, 0, b'[') {
        return Ok(None);
    }
    for mark in [b':', b'='] {
        if !is(bytes, 1, mark) {
            continue;
        }
        let Some(end) = (2..bytes.len()).find(|&at| is(bytes, at, mark) && is(bytes, at + 1, b']')) else {
            continue;
        };
        let inside: Vec<u8> = bytes[2..end].iter().map(|(byte, _)| *byte).collect();
        let name = String::from_utf8_lossy(&inside).into_owned();
        let part = match (mark, inside.as_slice()) {
            (b':', []) => return Err(Error::failed("missing character class name '[::]'")),
            (_, []) => return Err(Error::failed("missing equivalence class character '[==]'")),
            (b'=', [byte]) => Some(Part::Equivalent(*byte)),
            (b'=', _) => None,
            _ => Class::named(&name).map(Part::Class),
        };
        return match (part, repeat(bytes)?) {
            (Some(part), _) => Ok(Some((part, end + 2))),
            (None, Some(repeat)) => Ok(Some(repeat)),
            (None, None) if mark == b':' => Err(Error::failed(format!("invalid character class {}", curly(&name)))),
            (None, None) => Err(Error::failed(format!("{name}: equivalence class operand must be a single character"))),
        };
    }
    repeat(bytes)
}

fn repeat(bytes: &[(u8, bool)]) -> Result<Option<(Part, usize)>> {
    if !is(bytes, 2, b'*') {
        return Ok(None);
    }
    let Some(end) = (3..bytes.len()).find(|&at| is(bytes, at, b']')) else {
        return Ok(None);
    };
    let digits: String = bytes[3..end].iter().map(|(byte, _)| char::from(*byte)).collect();
    if digits.is_empty() {
        return Ok(Some((Part::Repeat(bytes[1].0, 0), end + 1)));
    }
    let base = if digits.starts_with('0') { 8 } else { 10 };
    match usize::from_str_radix(&digits, base) {
        Ok(count) if digits.chars().all(|c| c.is_ascii_digit()) => Ok(Some((Part::Repeat(bytes[1].0, count), end + 1))),
        _ => Err(Error::failed(format!("invalid repeat count {} in [c*n] construct", curly(&digits)))),
    }
}
