//! The values of options.
use crate::{Error, Result, Status};
use std::str::FromStr;

/// What is said of a value that is none of those an option has.
pub(super) fn unrecognized(key: &str, value: &str) -> Error {
    Error::Failed(format!("error parsing flag --{key}: choice '{value}' is unrecognized"), Status(2))
}

/// A number.
pub(super) fn number<N: FromStr>(key: &str, value: &str) -> Result<N> {
    value.parse().map_err(|_| {
        Error::Failed(format!("error parsing flag --{key}: value is not a valid number: {value:?}"), Status(2))
    })
}

/// A number of bytes with `K`, `M` or `G` behind it.
pub(super) fn size(key: &str, value: &str) -> Result<u64> {
    let (digits, shift) = match value.as_bytes().last() {
        Some(b'K') => (&value[..value.len() - 1], 10),
        Some(b'M') => (&value[..value.len() - 1], 20),
        Some(b'G') => (&value[..value.len() - 1], 30),
        _ => (value, 0),
    };
    Ok(number::<u64>(key, digits)?.saturating_mul(1 << shift))
}

/// `\n`, `\t`, `\xFF` in a separator.
pub(super) fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let code = rest.get(at + 2..at + 4).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        let (character, length) = match (rest.as_bytes().get(at + 1), code) {
            (Some(b'n'), _) => ('\n', 2),
            (Some(b't'), _) => ('\t', 2),
            (Some(b'r'), _) => ('\r', 2),
            (Some(b'0'), _) => ('\0', 2),
            (Some(b'\\'), _) => ('\\', 2),
            (Some(b'x'), Some(code)) if code.is_ascii() => (char::from(code), 4),
            _ => ('\\', 1),
        };
        out.push(character);
        rest = &rest[at + length..];
    }
    out + rest
}
