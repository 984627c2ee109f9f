//! `@csv`, `@sh` and the other formats.
use super::{
    draft::{Draft, Sink},
    evaluate::{Result, Stop},
    functions::described,
    meter,
    value::Value,
    write::{Style, compact, write},
};

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
    /// The format of a name like `csv`.
    pub(super) fn named(name: &str) -> Option<Format> {
        Some(match name {
            "text" => Format::Text,
            "json" => Format::Json,
            "csv" => Format::Csv,
            "tsv" => Format::Tsv,
            "html" => Format::Html,
            "uri" => Format::Uri,
            "sh" => Format::Sh,
            "base64" => Format::Base64,
            "base64d" => Format::Base64d,
            "base32" => Format::Base32,
            "base32d" => Format::Base32d,
            _ => return None,
        })
    }

    /// The string that this format makes of `value`.
    pub(super) fn apply(self, value: &Value) -> Result<Value> {
        let mut out = Draft::default();
        match self {
            Format::Text => return text(value),
            Format::Json => write(value, &Style::default(), &mut out)?,
            Format::Csv => row(value, "csv", ",", &mut out, |cell, out| {
                out.put("\"")?;
                replaced(cell, &[('"', "\"\"")], out)?;
                out.put("\"")
            })?,
            Format::Tsv => row(value, "tsv", "\t", &mut out, |cell, out| {
                replaced(cell, &[('\\', "\\\\"), ('\t', "\\t"), ('\n', "\\n"), ('\r', "\\r")], out)
            })?,
            Format::Html => {
                let entities = [('<', "&lt;"), ('>', "&gt;"), ('&', "&amp;"), ('\'', "&apos;"), ('"', "&quot;")];
                replaced(bare(&text(value)?), &entities, &mut out)?;
            }
            Format::Uri => {
                let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(byte);
                let text = text(value)?;
                let parts = bare(&text).as_bytes().chunks(PART);
                for run in parts.flat_map(|part| part.chunk_by(|left, right| is_plain(left) == is_plain(right))) {
                    match std::str::from_utf8(run) {
                        Ok(plain) if is_plain(&run[0]) => out.put(plain)?,
                        _ => run.iter().try_for_each(|byte| out.put(&format!("%{byte:02X}")))?,
                    }
                }
            }
            Format::Sh => {
                let alone = std::slice::from_ref(value);
                for (at, word) in value.as_array().unwrap_or(alone).iter().enumerate() {
                    if at > 0 {
                        out.put(" ")?;
                    }
                    shell_word(word, &mut out)?;
                }
            }
            Format::Base64 => encode(bare(&text(value)?).as_bytes(), BASE64, 6, 4, &mut out)?,
            Format::Base32 => encode(bare(&text(value)?).as_bytes(), BASE32, 5, 8, &mut out)?,
            Format::Base64d => return decode(value, "base64", BASE64, 6),
            Format::Base32d => return decode(value, "base32", BASE32, 5),
        }
        Ok(out.into_value())
    }
}

/// A string is itself, all else its JSON.
pub(super) fn text(value: &Value) -> Result<Value> {
    match value {
        Value::Text(_) => Ok(value.clone()),
        other => Ok(Value::text(compact(other)?)),
    }
}

/// The text of what [`text`] has made.
fn bare(text: &Value) -> &str {
    text.as_text().unwrap_or_default()
}

/// Put `text`, and something else for some of its characters.
fn replaced(text: &str, replacements: &[(char, &str)], out: &mut Draft) -> Result {
    let mut rest = text;
    while let Some(place) = rest.find(|c| replacements.iter().any(|(replaced, _)| *replaced == c)) {
        let (before, odd) = rest.split_at(place);
        out.put(before)?;
        let mut chars = odd.chars();
        let odd = chars.next();
        let found = replacements.iter().find(|(replaced, _)| Some(*replaced) == odd);
        out.put(found.map_or("", |(_, replacement)| replacement))?;
        rest = chars.as_str();
    }
    out.put(rest)
}

fn row(
    value: &Value,
    name: &str,
    separator: &str,
    out: &mut Draft,
    quote: impl Fn(&str, &mut Draft) -> Result,
) -> Result {
    let Some(cells) = value.as_array() else {
        return Err(Stop::error(format!("{} cannot be {name}-formatted, only an array can be", described(value))));
    };
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            out.put(separator)?;
        }
        match cell {
            Value::Null => {}
            Value::Text(text) => quote(&text.text, out)?,
            Value::Bool(_) | Value::Number(_) => write(cell, &Style::default(), out)?,
            other => return Err(Stop::error(format!("{} is not valid in a {name} row", described(other)))),
        }
    }
    Ok(())
}

fn shell_word(value: &Value, out: &mut Draft) -> Result {
    match value {
        Value::Text(text) => {
            out.put("'")?;
            replaced(&text.text, &[('\'', "'\\''")], out)?;
            out.put("'")
        }
        Value::Array(_) | Value::Object(_) => {
            Err(Stop::error(format!("{} can not be escaped for shell", described(value))))
        }
        other => write(other, &Style::default(), out),
    }
}

/// Bytes that are looked at before somebody looks at the clock.
const PART: usize = 4096;

const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE32: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Put digits of `bits` bits each, padded to groups of `group`.
fn encode(bytes: &[u8], digits: &[u8], bits: u32, group: usize, out: &mut Draft) -> Result {
    // So many bytes make whole groups.
    for bytes in bytes.chunks(60) {
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
        out.put(&text)?;
    }
    Ok(())
}

fn decode(value: &Value, name: &str, digits: &[u8], bits: u32) -> Result<Value> {
    let text = text(value)?;
    let invalid = || Stop::error(format!("{} is not valid {name} data", described(value)));
    let trimmed = bare(&text).trim_end_matches('=');
    let mut bytes = Vec::new();
    let (mut buffer, mut filled) = (0u32, 0);
    for digit in trimmed.bytes() {
        meter::step()?;
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
    Ok(Value::text(String::from_utf8_lossy(&bytes)))
}
