//! Writes values as jq prints them: indented, sorted, coloured, or all in ASCII.
use super::{
    draft::{Draft, Sink},
    evaluate::{Result, Stop},
    meter::deeper,
    number,
    value::{Object, Value},
};
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

/// Values inside each other that are written, at most; the place of what is deeper is marked.
const DEPTH: usize = 256;
const TOO_DEEP: &str = "<skipped: too deep>";

const RESET: &str = "\x1b[0m";
/// The colour of an object's keys.
const KEY: &str = "\x1b[1;34m";

/// The value on one line.
pub(super) fn compact(value: &Value) -> Result<String> {
    let mut text = Draft::default();
    write(value, &Style::default(), &mut text)?;
    Ok(text.into_string())
}

/// The value for a message: cut to eleven bytes when it is long.
pub(super) fn excerpt(value: &Value) -> String {
    let mut excerpt = Excerpt(String::new());
    // An excerpt that is full ends the writing.
    let _ = write(value, &Style::default(), &mut excerpt);
    let Excerpt(text) = excerpt;
    if text.len() <= Excerpt::LONGEST {
        return text;
    }
    let mut end = Excerpt::LONGEST - "...".len();
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}...", &text[..end])
}

/// The beginning of a text, and a little more when there is more.
struct Excerpt(String);

impl Excerpt {
    const LONGEST: usize = 14;
}

impl Sink for Excerpt {
    fn put(&mut self, piece: &str) -> Result {
        let cut = piece.chars().take(Excerpt::LONGEST + 1);
        self.0.extend(cut);
        if self.0.len() > Excerpt::LONGEST { Err(Stop::Error(Value::Null)) } else { Ok(()) }
    }
}

/// Write the value to `sink`.
pub(super) fn write(value: &Value, style: &Style, sink: &mut dyn Sink) -> Result {
    Writer { style, sink }.value(value, 0)
}

struct Writer<'w> {
    style: &'w Style,
    sink: &'w mut dyn Sink,
}

impl Writer<'_> {
    fn value(&mut self, value: &Value, depth: usize) -> Result {
        let colour = colour(value);
        self.paint(colour)?;
        match value {
            _ if depth > DEPTH => self.sink.put(TOO_DEEP)?,
            Value::Null => self.sink.put("null")?,
            Value::Bool(truth) => self.sink.put(if *truth { "true" } else { "false" })?,
            Value::Number(number) => match &number.written {
                Some(written) => self.sink.put(written)?,
                None => self.sink.put(&number::print(number.value))?,
            },
            Value::Text(text) => quoted(&text.text, self.style.ascii, self.sink)?,
            Value::Array(array) if array.items().is_empty() => self.sink.put("[]")?,
            Value::Array(array) => self.array(array.items(), colour, depth)?,
            Value::Object(object) if object.members().is_empty() => self.sink.put("{}")?,
            Value::Object(object) => self.object(object, colour, depth)?,
        }
        self.paint(RESET)
    }

    fn array(&mut self, items: &[Value], colour: &str, depth: usize) -> Result {
        self.sink.put("[")?;
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.sink.put(",")?;
            }
            self.line(depth + 1)?;
            deeper(|| self.value(item, depth + 1))?;
            self.paint(colour)?;
        }
        self.line(depth)?;
        self.paint(colour)?;
        self.sink.put("]")
    }

    fn object(&mut self, object: &Object, colour: &str, depth: usize) -> Result {
        self.sink.put("{")?;
        let sorted = self.style.sort;
        let mut first = true;
        let mut member = |key: &str, value: &Value| {
            if !std::mem::take(&mut first) {
                self.sink.put(",")?;
            }
            self.line(depth + 1)?;
            self.member(key, value, colour, depth)
        };
        if sorted {
            let keys = object.keys();
            let mut members = keys.iter().filter_map(|key| Some((key, object.get(key)?)));
            members.try_for_each(|(key, value)| member(key, value))?;
        } else {
            object.members().iter().try_for_each(|(key, value)| member(key, value))?;
        }
        self.line(depth)?;
        self.paint(colour)?;
        self.sink.put("}")
    }

    fn member(&mut self, key: &str, value: &Value, colour: &str, depth: usize) -> Result {
        self.paint(RESET)?;
        self.paint(KEY)?;
        quoted(key, self.style.ascii, self.sink)?;
        self.paint(RESET)?;
        self.paint(colour)?;
        self.sink.put(if self.style.indent.is_some() { ": " } else { ":" })?;
        self.paint(RESET)?;
        deeper(|| self.value(value, depth + 1))?;
        self.paint(colour)
    }

    /// Begin a line, where values have several.
    fn line(&mut self, depth: usize) -> Result {
        let Some(indent) = &self.style.indent else { return Ok(()) };
        self.sink.put("\n")?;
        (0..depth).try_for_each(|_| self.sink.put(indent))
    }

    fn paint(&mut self, colour: &str) -> Result {
        if self.style.colour { self.sink.put(colour) } else { Ok(()) }
    }
}

fn colour(value: &Value) -> &'static str {
    match value {
        Value::Null => "\x1b[0;90m",
        Value::Bool(_) | Value::Number(_) => "\x1b[0;39m",
        Value::Text(_) => "\x1b[0;32m",
        Value::Array(_) | Value::Object(_) => "\x1b[1;39m",
    }
}

/// A string in quotes.
pub(super) fn quoted(text: &str, ascii: bool, sink: &mut dyn Sink) -> Result {
    sink.put("\"")?;
    let is_odd = |c: char| matches!(c, '"' | '\\' | '\0'..='\u{1f}' | '\u{7f}') || (ascii && !c.is_ascii());
    let mut rest = text;
    while let Some(place) = rest.find(is_odd) {
        let (before, odd) = rest.split_at(place);
        sink.put(before)?;
        let mut chars = odd.chars();
        if let Some(c) = chars.next() {
            escape(c, sink)?;
        }
        rest = chars.as_str();
    }
    sink.put(rest)?;
    sink.put("\"")
}

fn escape(c: char, sink: &mut dyn Sink) -> Result {
    match c {
        '"' => sink.put("\\\""),
        '\\' => sink.put("\\\\"),
        '\n' => sink.put("\\n"),
        '\t' => sink.put("\\t"),
        '\r' => sink.put("\\r"),
        '\u{8}' => sink.put("\\b"),
        '\u{c}' => sink.put("\\f"),
        c => c.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| sink.put(&format!("\\u{unit:04x}"))),
    }
}
