//! `@csv`, `@sh` and the other formats.
use super::{
    evaluate::{Result, Stop},
    value::Value,
    write::{compact, excerpt},
};
use std::fmt::Write;

/// How a value becomes a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Json,
    Csv,
    Tsv,
    Html,
    Uri,
    Sh,
    Base64,
    Base64d,
    Base32,
    Base32d,
}

impl Format {
    /// The format of a name like `@csv`.
    pub(super) fn named(name: &str) -> Option<Format> {
        Some(match name {
            "@text" => Format::Text,
            "@json" => Format::Json,
            "@csv" => Format::Csv,
            "@tsv" => Format::Tsv,
            "@html" => Format::Html,
            "@uri" => Format::Uri,
            "@sh" => Format::Sh,
            "@base64" => Format::Base64,
            "@base64d" => Format::Base64d,
            "@base32" => Format::Base32,
            "@base32d" => Format::Base32d,
            _ => return None,
        })
    }

    /// The string that this format makes of `value`.
    pub(super) fn apply(self, value: &Value) -> Result<String> {
        match self {
            Format::Text => text(value),
            Format::Json => Ok(compact(value)?),
            Format::Csv => row(value, "csv", ",", |text| format!("\"{}\"", text.replace('"', "\"\""))),
            Format::Tsv => row(value, "tsv", "\t", |text| {
                text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
            }),
            Format::Html => Ok(text(value)?.chars().fold(String::new(), |mut html, c| {
                match c {
                    '<' => html.push_str("&lt;"),
                    '>' => html.push_str("&gt;"),
                    '&' => html.push_str("&amp;"),
                    '\'' => html.push_str("&apos;"),
                    '"' => html.push_str("&quot;"),
                    c => html.push(c),
                }
                html
            })),
            Format::Uri => Ok(text(value)?.bytes().fold(String::new(), |mut uri, byte| {
                if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
                    uri.push(char::from(byte));
                } else {
                    let _ = write!(uri, "%{byte:02X}");
                }
                uri
            })),
            Format::Sh => {
                let alone = [value.clone()];
                let words = value.as_array().unwrap_or(&alone);
                let words: Result<Vec<String>> = words.iter().map(shell_word).collect();
                Ok(words?.join(" "))
            }
            Format::Base64 => Ok(encode(text(value)?.as_bytes(), BASE64, 6, 4)),
            Format::Base32 => Ok(encode(text(value)?.as_bytes(), BASE32, 5, 8)),
            Format::Base64d => decode(value, "base64", BASE64, 6),
            Format::Base32d => decode(value, "base32", BASE32, 5),
        }
    }
}

/// A string is itself, all else its JSON.
pub(super) fn text(value: &Value) -> Result<String> {
    match value {
        Value::Text(text) => Ok(text.text.clone()),
        other => Ok(compact(other)?),
    }
}

fn row(value: &Value, name: &str, separator: &str, quote: impl Fn(&str) -> String) -> Result<String> {
    let Some(cells) = value.as_array() else {
        let kind = value.kind();
        return Err(Stop::error(format!(
            "{kind} ({}) cannot be {name}-formatted, only an array can be",
            excerpt(value)
        )));
    };
    let cells: Result<Vec<String>> = cells
        .iter()
        .map(|cell| match cell {
            Value::Null => Ok(String::new()),
            Value::Text(text) => Ok(quote(&text.text)),
            Value::Bool(_) | Value::Number(_) => Ok(compact(cell)?),
            other => {
                let kind = other.kind();
                Err(Stop::error(format!("{kind} ({}) is not valid in a {name} row", excerpt(other))))
            }
        })
        .collect();
    Ok(cells?.join(separator))
}

fn shell_word(value: &Value) -> Result<String> {
    match value {
        Value::Text(text) => Ok(format!("'{}'", text.text.replace('\'', "'\\''"))),
        Value::Array(_) | Value::Object(_) => {
            let kind = value.kind();
            Err(Stop::error(format!("{kind} ({}) can not be escaped for shell", excerpt(value))))
        }
        other => Ok(compact(other)?),
    }
}

const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE32: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Digits of `bits` bits each, padded to groups of `group`.
fn encode(bytes: &[u8], digits: &[u8], bits: u32, group: usize) -> String {
    let mut text = String::new();
    let (mut buffer, mut filled) = (0u32, 0);
    for byte in bytes {
        buffer = buffer << 8 | u32::from(*byte);
        filled += 8;
        while filled >= bits {
            filled -= bits;
            text.push(char::from(digits[(buffer >> filled) as usize % digits.len()]));
        }
        buffer &= (1 << filled) - 1;
    }
    if filled > 0 {
        text.push(char::from(digits[(buffer << (bits - filled)) as usize % digits.len()]));
    }
    while !text.len().is_multiple_of(group) {
        text.push('=');
    }
    text
}

fn decode(value: &Value, name: &str, digits: &[u8], bits: u32) -> Result<String> {
    let text = text(value)?;
    let invalid = || {
        let kind = value.kind();
        Stop::error(format!("{kind} ({}) is not valid {name} data", excerpt(value)))
    };
    let trimmed = text.trim_end_matches('=');
    let mut bytes = Vec::new();
    let (mut buffer, mut filled) = (0u32, 0);
    for digit in trimmed.bytes() {
        let Some(place) = digits.iter().position(|known| *known == digit) else { return Err(invalid()) };
        buffer = buffer << bits | place as u32;
        filled += bits;
        if filled >= 8 {
            filled -= 8;
            bytes.push((buffer >> filled) as u8);
        }
        buffer &= (1 << filled) - 1;
    }
    // One digit holds no byte.
    if bytes.is_empty() && !trimmed.is_empty() {
        return Err(invalid());
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
