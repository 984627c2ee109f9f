//! Writes values as jq prints them: indented, sorted, coloured, or all in ASCII.
use super::{evaluate::Stop, number, value::Value};
use crate::{Error, Status};
use std::{fmt::Write, rc::Rc};

/// How values are written.
#[derive(Clone, Debug, Default)]
pub(super) struct Style {
    /// What a level is indented with; `None` keeps a value on one line.
    pub(super) indent: Option<String>,
    /// `-S`
    pub(super) sort: bool,
    /// `-a`
    pub(super) ascii: bool,
    /// `-C`
    pub(super) colour: bool,
}

/// A text that would be too long. Values share their parts, so a small value may be written at any length.
#[derive(Debug)]
pub(super) struct TooLong;

/// Bytes of one written value, at most.
const MOST: usize = 128 << 20;

impl From<TooLong> for Stop {
    fn from(_: TooLong) -> Stop {
        let message = format!("limit of {} MiB for one value reached", MOST >> 20);
        Stop::Fatal(Error::Failed(message, Status(126)))
    }
}

/// The value on one line.
pub(super) fn compact(value: &Value) -> Result<String, TooLong> {
    let mut text = String::new();
    write(value, &Style::default(), &mut text)?;
    Ok(text)
}

/// The value for a message: cut to eleven bytes when it is long.
pub(super) fn excerpt(value: &Value) -> String {
    let mut text = String::new();
    // Whether it is too long is seen from what there is.
    let _ = plain(value, &Style::default(), 0, 14, &mut text);
    if text.len() <= 14 {
        return text;
    }
    let mut end = 11;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}...", &text[..end])
}

/// Append the value.
pub(super) fn write(value: &Value, style: &Style, out: &mut String) -> Result<(), TooLong> {
    if style.colour { coloured(value, style, 0, out) } else { plain(value, style, 0, MOST, out) }
}

fn line(style: &Style, depth: usize, out: &mut String) {
    if let Some(indent) = &style.indent {
        out.push('\n');
        (0..depth).for_each(|_| out.push_str(indent));
    }
}

/// Values may be nested deeper than the stack allows.
fn deeper(write: impl FnOnce() -> Result<(), TooLong>) -> Result<(), TooLong> {
    stacker::maybe_grow(super::RED_ZONE, super::GROWTH, write)
}

fn members<'v>(object: &'v super::value::Object, style: &Style) -> Vec<(Rc<str>, &'v Value)> {
    if style.sort {
        return object.keys().into_iter().filter_map(|key| object.get(&key).map(|value| (key, value))).collect();
    }
    object.members().iter().map(|(key, value)| (key.clone(), value)).collect()
}

fn plain(value: &Value, style: &Style, depth: usize, most: usize, out: &mut String) -> Result<(), TooLong> {
    if out.len() > most {
        return Err(TooLong);
    }
    match value {
        Value::Array(array) if !array.items().is_empty() => {
            out.push('[');
            for (at, item) in array.items().iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                line(style, depth + 1, out);
                deeper(|| plain(item, style, depth + 1, most, out))?;
            }
            line(style, depth, out);
            out.push(']');
        }
        Value::Object(object) if !object.members().is_empty() => {
            out.push('{');
            for (at, (key, member)) in members(object, style).into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                line(style, depth + 1, out);
                quoted(&key, style.ascii, out);
                out.push_str(if style.indent.is_some() { ": " } else { ":" });
                deeper(|| plain(member, style, depth + 1, most, out))?;
            }
            line(style, depth, out);
            out.push('}');
        }
        scalar => self::scalar(scalar, style, out),
    }
    Ok(())
}

fn scalar(value: &Value, style: &Style, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Number(number) => match &number.written {
            Some(written) => out.push_str(written),
            None => out.push_str(&number::print(number.value)),
        },
        Value::Text(text) => quoted(&text.text, style.ascii, out),
        Value::Array(_) => out.push_str("[]"),
        Value::Object(_) => out.push_str("{}"),
    }
}

/// A string in quotes.
pub(super) fn quoted(text: &str, ascii: bool, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\0'..='\u{1f}' | '\u{7f}' => drop(write!(out, "\\u{:04x}", c as u32)),
            c if ascii && !c.is_ascii() => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

const RESET: &str = "\x1b[0m";
/// The colour of an object's keys.
const KEY: &str = "\x1b[1;34m";

fn colour(value: &Value) -> &'static str {
    match value {
        Value::Null => "\x1b[0;90m",
        Value::Bool(_) | Value::Number(_) => "\x1b[0;39m",
        Value::Text(_) => "\x1b[0;32m",
        Value::Array(_) | Value::Object(_) => "\x1b[1;39m",
    }
}

fn coloured(value: &Value, style: &Style, depth: usize, out: &mut String) -> Result<(), TooLong> {
    if out.len() > MOST {
        return Err(TooLong);
    }
    let colour = colour(value);
    out.push_str(colour);
    match value {
        Value::Array(array) if !array.items().is_empty() => {
            out.push('[');
            for (at, item) in array.items().iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                line(style, depth + 1, out);
                deeper(|| coloured(item, style, depth + 1, out))?;
                out.push_str(colour);
            }
            line(style, depth, out);
            out.push_str(colour);
            out.push(']');
        }
        Value::Object(object) if !object.members().is_empty() => {
            out.push('{');
            for (at, (key, member)) in members(object, style).into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                line(style, depth + 1, out);
                out.push_str(RESET);
                out.push_str(KEY);
                quoted(&key, style.ascii, out);
                out.push_str(RESET);
                out.push_str(colour);
                out.push_str(if style.indent.is_some() { ": " } else { ":" });
                out.push_str(RESET);
                deeper(|| coloured(member, style, depth + 1, out))?;
                out.push_str(colour);
            }
            line(style, depth, out);
            out.push_str(colour);
            out.push('}');
        }
        scalar => self::scalar(scalar, style, out),
    }
    out.push_str(RESET);
    Ok(())
}
