//! Quotes: `'…'`, `"…"`, `$'…'`, and the text of here-documents and arithmetic, which is read as if in double quotes.
use super::source::{Res, Source};
use super::words::Parts;
use crate::syntax::ast::Part;
use crate::syntax::outline::Class;

/// The quotes around an expansion, as far as they change how its inside is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::syntax) enum Quotes {
    /// None.
    None,
    /// `"…"`, and arithmetic.
    Double,
    /// A here-document.
    Document,
}

/// Text that is read as if in double quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::syntax) enum Quoted {
    /// Up to the `"` that closes it.
    String,
    /// A here-document or a prompt: a `"` is a character.
    Document,
    /// Arithmetic: a `"` begins a string, and means nothing else.
    Arithmetic,
    /// The word of `${name:-word}` within the given quotes.
    Operand(Quotes),
}

impl Source<'_> {
    /// At `'`.
    pub(super) fn single_quoted(&mut self) -> Res<String> {
        let open = self.pos;
        let begun = self.begin(Class::Quoted);
        let inside = &self.rest()[1..];
        let Some(length) = memchr::memchr(b'\'', inside.as_bytes()) else { return Err(self.unclosed(open, "'")) };
        self.pos += length + 2;
        self.end(begun);
        Ok(inside[..length].to_owned())
    }

    /// At `"`.
    pub(super) fn double_quoted(&mut self) -> Res<Part> {
        let open = self.pos;
        let begun = self.begin(Class::Quoted);
        self.pos += 1;
        let parts = self.quoted_parts(Quoted::String, &mut |c| c == '"')?;
        if !self.eat("\"") {
            return Err(self.unclosed(open, "\""));
        }
        self.end(begun);
        Ok(Part::DoubleQuoted(parts))
    }

    /// Parts of quoted text, until `stop` says so of a character, or until the text ends.
    pub(in crate::syntax) fn quoted_parts(
        &mut self,
        style: Quoted,
        stop: &mut dyn FnMut(char) -> bool,
    ) -> Res<Vec<Part>> {
        // In an operand text is literal whatever the quotes around it turn into.
        let text: fn(String) -> Part = if matches!(style, Quoted::Operand(_)) { Part::Quoted } else { Part::Lit };
        let quotes = match style {
            Quoted::Document => Quotes::Document,
            Quoted::Operand(quotes) => quotes,
            Quoted::String | Quoted::Arithmetic => Quotes::Double,
        };
        let mut parts = Parts::default();
        // bash pairs the single quotes of an operand, so that `}` may stand between them, and then keeps them.
        let mut single = None;
        while let Some(c) = self.peek() {
            if single.is_none() && stop(c) {
                break;
            }
            self.room_for(parts.len())?;
            match c {
                '\\' => {
                    self.pos += 1;
                    match self.peek() {
                        Some('\n') => self.pos += 1,
                        Some(c) if is_escapable(c, style) => {
                            self.pos += 1;
                            parts.text(c);
                        }
                        _ => parts.text('\\'),
                    }
                }
                '$' if style == Quoted::Operand(Quotes::Double)
                    && single.is_none()
                    && self.rest().starts_with("$'") =>
                {
                    let decoded = self.ansi_c()?;
                    parts.str(&decoded);
                }
                '$' | '`' => match self.dollar(quotes)? {
                    Some(part) => {
                        parts.flush(text);
                        parts.part(part);
                    }
                    None => parts.text('$'),
                },
                '\'' if matches!(style, Quoted::Operand(_)) => {
                    single = if single.is_none() { Some(self.pos) } else { None };
                    self.pos += 1;
                    parts.text(c);
                }
                '"' if single.is_some() => self.pos += 1,
                '"' if style != Quoted::Document => {
                    let string = self.double_quoted()?;
                    parts.flush(text);
                    parts.part(string);
                }
                c => {
                    self.bump();
                    parts.text(c);
                }
            }
        }
        if let Some(open) = single {
            return Err(self.unclosed(open, "'"));
        }
        parts.flush(text);
        let parts = parts.finish();
        self.count(parts.len())?;
        Ok(parts)
    }

    /// At `$'`: the text it stands for. A NUL ends it, since bash's strings cannot hold one.
    pub(super) fn ansi_c(&mut self) -> Res<String> {
        let open = self.pos + 1;
        let begun = self.begin(Class::Quoted);
        self.pos += 2;
        let mut bytes = Vec::new();
        loop {
            match self.bump() {
                None => return Err(self.unclosed(open, "'")),
                Some('\'') => break,
                Some('\\') => match self.bump() {
                    None => return Err(self.unclosed(open, "'")),
                    Some(c) => self.ansi_c_escape(c, &mut bytes),
                },
                Some(c) => push(&mut bytes, c),
            }
        }
        self.end(begun);
        let end = memchr::memchr(0, &bytes).unwrap_or(bytes.len());
        Ok(String::from_utf8_lossy(&bytes[..end]).into_owned())
    }

    /// After `\c` of a `$'…'`.
    fn ansi_c_escape(&mut self, c: char, bytes: &mut Vec<u8>) {
        match c {
            'a' => bytes.push(7),
            'b' => bytes.push(8),
            'e' | 'E' => bytes.push(27),
            'f' => bytes.push(12),
            'n' => bytes.push(b'\n'),
            'r' => bytes.push(b'\r'),
            't' => bytes.push(b'\t'),
            'v' => bytes.push(11),
            '\\' | '\'' | '"' | '?' => push(bytes, c),
            '0'..='7' => {
                self.pos -= 1;
                let value = self.digits(8, 3).unwrap_or_default();
                bytes.push(value as u8);
            }
            'x' => {
                let braced = self.eat("{");
                match self.digits(16, if braced { 8 } else { 2 }) {
                    Some(value) => bytes.push(value as u8),
                    None => bytes.extend(if braced { "\\x{" } else { "\\x" }.bytes()),
                }
                if braced {
                    self.eat("}");
                }
            }
            'u' | 'U' => match self.digits(16, if c == 'u' { 4 } else { 8 }) {
                Some(value) => push(bytes, char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER)),
                None => bytes.extend(['\\', c].into_iter().map(|c| c as u8)),
            },
            'c' => match self.bump() {
                Some(c) if c.is_ascii() => bytes.push(c.to_ascii_uppercase() as u8 & 0x1f),
                Some(c) => push(bytes, c),
                None => bytes.extend(b"\\c"),
            },
            c => {
                bytes.push(b'\\');
                push(bytes, c);
            }
        }
    }

    /// Up to `most` digits; `None` if there is none.
    fn digits(&mut self, radix: u32, most: usize) -> Option<u32> {
        let mut value = None;
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(radix)) else { break };
            value = Some(value.unwrap_or(0u32).wrapping_mul(radix).wrapping_add(digit));
            self.pos += 1;
        }
        value
    }
}

/// Whether a `\` before `c` quotes it.
fn is_escapable(c: char, style: Quoted) -> bool {
    match c {
        '$' | '`' | '\\' => true,
        '"' => style != Quoted::Document,
        '}' => matches!(style, Quoted::Operand(_)),
        _ => false,
    }
}

fn push(bytes: &mut Vec<u8>, c: char) {
    bytes.extend(c.encode_utf8(&mut [0; 4]).bytes());
}
