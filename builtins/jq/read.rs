//! Reads JSON texts, one value after the other, with jq's words for what is wrong with them.
use super::{
    number,
    value::{Array, Number, Object, Value},
};
use std::rc::Rc;

/// Values inside each other, at most.
const DEPTH: usize = 10_000;

/// A mistake in the text.
#[derive(Clone, Debug)]
pub(super) struct Mistake(pub(super) String);

/// An array or object that is not complete yet.
enum Open {
    Array(Array),
    /// An object, and the key whose value comes next.
    Object(Object, Option<Rc<str>>),
}

/// What [`Parser::next`] finds.
pub(super) enum Next {
    Value(Value),
    /// Nothing more can be told before more text is there.
    NeedMore,
    End,
}

/// Reads values from a text that may come piece by piece, as jq does: a value ends where the next thing begins.
#[derive(Default)]
pub(super) struct Parser {
    text: Rc<Vec<u8>>,
    at: usize,
    /// Whether all of the text is there.
    whole: bool,
    line: usize,
    column: usize,
    open: Vec<Open>,
    /// A value that is complete, but not yet in its place.
    ready: Option<Value>,
    /// Whether something has been read.
    begun: bool,
}

impl Parser {
    pub(super) fn new() -> Parser {
        Parser { line: 1, ..Parser::default() }
    }

    /// Append text. Pieces end at the ends of lines, but for the last.
    pub(super) fn feed(&mut self, more: &[u8]) {
        // A byte order mark is no part of the text.
        let more = if self.begun { more } else { more.strip_prefix(b"\xef\xbb\xbf").unwrap_or(more) };
        self.begun = true;
        let text = Rc::make_mut(&mut self.text);
        text.drain(..self.at);
        self.at = 0;
        text.extend_from_slice(more);
    }

    /// How many bytes of the text it keeps.
    pub(super) fn kept(&self) -> usize {
        self.text.capacity()
    }

    /// No more text comes.
    pub(super) fn finish(&mut self) {
        self.whole = true;
    }

    /// How many lines have been read, counted as the stream is read: by whole lines.
    pub(super) fn lines_read(&self) -> usize {
        let on_line = self.column > 0 && memchr::memchr(b'\n', &self.text[self.at..]).is_some();
        self.line - 1 + usize::from(on_line)
    }

    /// The next value.
    pub(super) fn next(&mut self) -> Result<Next, Mistake> {
        loop {
            if self.open.is_empty()
                && let Some(value) = self.ready.take()
            {
                return Ok(Next::Value(value));
            }
            let place = (self.at, self.line, self.column);
            let Some(byte) = self.take() else {
                return match (self.whole, self.open.is_empty()) {
                    (false, _) => Ok(Next::NeedMore),
                    (true, true) => Ok(Next::End),
                    (true, false) => self.mistake("Unfinished JSON term at EOF"),
                };
            };
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | 0x1e => {}
                b'"' => match self.string()? {
                    Some(text) => self.value(Value::text(text))?,
                    None => {
                        (self.at, self.line, self.column) = place;
                        return Ok(Next::NeedMore);
                    }
                },
                b'[' | b'{' | b':' | b',' | b']' | b'}' => self.sign(byte)?,
                _ => self.literal()?,
            }
        }
    }

    fn mistake<T>(&self, message: &str) -> Result<T, Mistake> {
        Err(Mistake(format!("{message} at line {}, column {}", self.line, self.column)))
    }

    fn take(&mut self) -> Option<u8> {
        let byte = *self.text.get(self.at)?;
        self.at += 1;
        if byte == b'\n' {
            self.line += 1;
            self.column = 0;
        } else {
            self.column += 1;
        }
        Some(byte)
    }

    fn value(&mut self, value: Value) -> Result<(), Mistake> {
        if self.ready.is_some() {
            return self.mistake("Expected separator between values");
        }
        self.ready = Some(value);
        Ok(())
    }

    fn sign(&mut self, sign: u8) -> Result<(), Mistake> {
        match sign {
            b'[' | b'{' => {
                if self.ready.is_some() {
                    return self.mistake("Expected separator between values");
                }
                if self.open.len() >= DEPTH {
                    return self.mistake("Exceeds depth limit for parsing");
                }
                self.open.push(match sign {
                    b'[' => Open::Array(Array::default()),
                    _ => Open::Object(Object::default(), None),
                });
            }
            b':' => match (self.open.last_mut(), self.ready.take()) {
                (Some(Open::Object(_, key @ None)), Some(Value::Text(text))) => *key = Some(text.text.as_str().into()),
                (Some(Open::Object(_, None)), Some(_)) => return self.mistake("Object keys must be strings"),
                (Some(Open::Object(_, Some(_))), Some(_)) => return self.mistake("':' should follow a key"),
                (Some(Open::Object(..)), None) => return self.mistake("Expected string key before ':'"),
                _ => return self.mistake("':' not as part of an object"),
            },
            b',' => match (self.open.last_mut(), self.ready.take()) {
                (_, None) => return self.mistake("Expected value before ','"),
                (Some(Open::Array(array)), Some(value)) => array.change(|items| items.push(value)),
                (Some(Open::Object(object, key)), Some(value)) => match key.take() {
                    Some(key) => object.insert(key, value),
                    None => return self.mistake("Objects must consist of key:value pairs"),
                },
                (None, _) => return self.mistake("',' should separate object elements or array elements"),
            },
            b']' => match (self.open.pop(), self.ready.take()) {
                (Some(Open::Array(mut array)), value) => {
                    if value.is_none() && !array.items().is_empty() {
                        return self.mistake("Expected another array element");
                    }
                    array.change(|items| items.extend(value));
                    self.ready = Some(Value::Array(Rc::new(array)));
                }
                _ => return self.mistake("Unmatched ']'"),
            },
            _ => match (self.open.pop(), self.ready.take()) {
                (Some(Open::Object(mut object, Some(key))), Some(value)) => {
                    object.insert(key, value);
                    self.ready = Some(Value::Object(Rc::new(object)));
                }
                (Some(Open::Object(object, None)), None) if object.members().is_empty() => {
                    self.ready = Some(Value::Object(Rc::new(object)));
                }
                (Some(Open::Object(_, None)), None) => return self.mistake("Expected another key-value pair"),
                (Some(Open::Object(..)), _) => return self.mistake("Objects must consist of key:value pairs"),
                _ => return self.mistake("Unmatched '}'"),
            },
        }
        Ok(())
    }

    /// `true`, a number, or what was meant to be one; its first byte has been taken.
    fn literal(&mut self) -> Result<(), Mistake> {
        let start = self.at - 1;
        while let Some(byte) = self.text.get(self.at)
            && !matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'[' | b'{' | b':' | b',' | b']' | b'}' | 0x1e)
        {
            self.at += 1;
            self.column += 1;
        }
        let source = self.text.clone();
        let text = &source[start..self.at];
        let value = match text {
            b"null" => Value::Null,
            b"true" => Value::Bool(true),
            b"false" => Value::Bool(false),
            b"nan" => Value::number(f64::NAN),
            b"NaN" => Value::number(f64::NAN),
            _ => match std::str::from_utf8(text).ok().and_then(number::read) {
                Some((value, written)) => Value::Number(Number { value, written: written.map(Rc::from) }),
                None => {
                    let message = match text.first() {
                        Some(b't' | b'f' | b'n') if text.iter().all(u8::is_ascii_alphabetic) => "Invalid literal",
                        _ => "Invalid numeric literal",
                    };
                    // jq notices at the byte behind it.
                    if self.take().is_none() {
                        return self.mistake(&format!("{message} at EOF"));
                    }
                    return self.mistake(message);
                }
            },
        };
        self.value(value)
    }

    /// The rest of a string, whose first quote has been taken; `None` when more of it is to come.
    fn string(&mut self) -> Result<Option<String>, Mistake> {
        let source = self.text.clone();
        let mut bytes = Vec::new();
        loop {
            let rest = &source[self.at..];
            let Some(length) = memchr::memchr2(b'"', b'\\', rest) else {
                if !self.whole {
                    return Ok(None);
                }
                while self.take().is_some() {}
                return self.mistake("Unfinished string at EOF");
            };
            bytes.extend_from_slice(&rest[..length]);
            let newlines = rest[..length].iter().filter(|byte| **byte == b'\n').count();
            if newlines > 0 {
                self.line += newlines;
                self.column = length - memchr::memrchr(b'\n', &rest[..length]).map_or(0, |at| at + 1);
            } else {
                self.column += length;
            }
            self.at += length;
            if self.take() == Some(b'"') {
                break;
            }
            self.escape(&mut bytes)?;
        }
        // What is no UTF-8 becomes the replacement character.
        let lossy = |error: std::string::FromUtf8Error| String::from_utf8_lossy(error.as_bytes()).into_owned();
        Ok(Some(String::from_utf8(bytes).unwrap_or_else(lossy)))
    }

    fn escape(&mut self, bytes: &mut Vec<u8>) -> Result<(), Mistake> {
        let Some(letter) = self.take() else { return self.mistake("Unfinished string at EOF") };
        bytes.push(match letter {
            b'"' | b'\\' | b'/' => letter,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let first = self.unit()?;
                let mut code = u32::from(first);
                if (0xd800..0xdc00).contains(&first) && self.text[self.at..].starts_with(b"\\u") {
                    let (at, column) = (self.at, self.column);
                    self.take();
                    self.take();
                    let second = self.unit()?;
                    if (0xdc00..0xe000).contains(&second) {
                        code = 0x10000 + ((code - 0xd800) << 10) + (u32::from(second) - 0xdc00);
                    } else {
                        (self.at, self.column) = (at, column);
                    }
                }
                let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            _ => return self.mistake("Invalid escape"),
        });
        Ok(())
    }

    fn unit(&mut self) -> Result<u16, Mistake> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.take().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else { return self.mistake("Invalid escape") };
            unit = unit * 16 + digit as u16;
        }
        Ok(unit)
    }
}

/// The one value of a text.
pub(super) fn single(text: &str) -> Result<Value, Mistake> {
    let mut parser = Parser::new();
    parser.feed(text.as_bytes());
    parser.finish();
    let Next::Value(value) = parser.next()? else { return Err(Mistake("Expected JSON value".to_string())) };
    match parser.next()? {
        Next::Value(_) => Err(Mistake("Unexpected extra JSON values".to_string())),
        _ => Ok(value),
    }
}

/// All values of a text.
pub(super) fn all(text: &[u8]) -> Result<Vec<Value>, Mistake> {
    let mut parser = Parser::new();
    parser.feed(text);
    parser.finish();
    let mut values = Vec::new();
    while let Next::Value(value) = parser.next()? {
        values.push(value);
    }
    Ok(values)
}
