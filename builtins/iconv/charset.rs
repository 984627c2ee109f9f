//! Character sets: bytes to characters and back, one at a time.
use encoding_rs::{DecoderResult, Encoding};

/// A character set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Charset {
    Ascii,
    Latin1,
    Utf8,
    /// Two bytes, and four for characters beyond the first 65,536.
    Utf16(Marks),
    /// Two bytes, and nothing beyond.
    Ucs2(Marks),
    /// Four bytes.
    Utf32(Marks),
    /// Whatever `encoding_rs` knows.
    Other(&'static Encoding),
}

/// The order of bytes, and whether a mark at the beginning tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marks {
    /// A mark is written, and believed when read.
    Marked,
    /// The low byte first.
    Little,
    /// The high byte first.
    Big,
}

/// What stands next in the text.
pub(super) enum Next {
    Character(char),
    Illegal,
    /// The text ends within a character.
    Incomplete,
    End,
}

/// Names, as glibc lists them.
const NAMES: &[(&str, Charset)] = &[
    ("ASCII", Charset::Ascii),
    ("US-ASCII", Charset::Ascii),
    ("ANSI_X3.4-1968", Charset::Ascii),
    ("646", Charset::Ascii),
    ("ISO-8859-1", Charset::Latin1),
    ("ISO8859-1", Charset::Latin1),
    ("ISO88591", Charset::Latin1),
    ("LATIN1", Charset::Latin1),
    ("L1", Charset::Latin1),
    ("UTF-8", Charset::Utf8),
    ("UTF8", Charset::Utf8),
    ("UTF-16", Charset::Utf16(Marks::Marked)),
    ("UTF16", Charset::Utf16(Marks::Marked)),
    ("UTF-16LE", Charset::Utf16(Marks::Little)),
    ("UTF-16BE", Charset::Utf16(Marks::Big)),
    ("UTF16LE", Charset::Utf16(Marks::Little)),
    ("UTF16BE", Charset::Utf16(Marks::Big)),
    ("UNICODE", Charset::Ucs2(Marks::Marked)),
    ("UCS-2", Charset::Ucs2(Marks::Little)),
    ("UCS2", Charset::Ucs2(Marks::Little)),
    ("UCS-2LE", Charset::Ucs2(Marks::Little)),
    ("UCS-2BE", Charset::Ucs2(Marks::Big)),
    ("UTF-32", Charset::Utf32(Marks::Marked)),
    ("UTF32", Charset::Utf32(Marks::Marked)),
    ("UTF-32LE", Charset::Utf32(Marks::Little)),
    ("UTF-32BE", Charset::Utf32(Marks::Big)),
    ("UTF32LE", Charset::Utf32(Marks::Little)),
    ("UTF32BE", Charset::Utf32(Marks::Big)),
    ("UCS-4", Charset::Utf32(Marks::Big)),
    ("UCS4", Charset::Utf32(Marks::Big)),
    ("UCS-4LE", Charset::Utf32(Marks::Little)),
    ("UCS-4BE", Charset::Utf32(Marks::Big)),
    ("ISO-8859-2", Charset::Other(encoding_rs::ISO_8859_2)),
    ("LATIN2", Charset::Other(encoding_rs::ISO_8859_2)),
    ("ISO-8859-3", Charset::Other(encoding_rs::ISO_8859_3)),
    ("ISO-8859-4", Charset::Other(encoding_rs::ISO_8859_4)),
    ("ISO-8859-5", Charset::Other(encoding_rs::ISO_8859_5)),
    ("ISO-8859-6", Charset::Other(encoding_rs::ISO_8859_6)),
    ("ISO-8859-7", Charset::Other(encoding_rs::ISO_8859_7)),
    ("ISO-8859-8", Charset::Other(encoding_rs::ISO_8859_8)),
    ("ISO-8859-10", Charset::Other(encoding_rs::ISO_8859_10)),
    ("ISO-8859-13", Charset::Other(encoding_rs::ISO_8859_13)),
    ("ISO-8859-14", Charset::Other(encoding_rs::ISO_8859_14)),
    ("ISO-8859-15", Charset::Other(encoding_rs::ISO_8859_15)),
    ("LATIN-9", Charset::Other(encoding_rs::ISO_8859_15)),
    ("ISO-8859-16", Charset::Other(encoding_rs::ISO_8859_16)),
    ("CP1250", Charset::Other(encoding_rs::WINDOWS_1250)),
    ("WINDOWS-1250", Charset::Other(encoding_rs::WINDOWS_1250)),
    ("CP1251", Charset::Other(encoding_rs::WINDOWS_1251)),
    ("WINDOWS-1251", Charset::Other(encoding_rs::WINDOWS_1251)),
    ("CP1252", Charset::Other(encoding_rs::WINDOWS_1252)),
    ("WINDOWS-1252", Charset::Other(encoding_rs::WINDOWS_1252)),
    ("CP1253", Charset::Other(encoding_rs::WINDOWS_1253)),
    ("WINDOWS-1253", Charset::Other(encoding_rs::WINDOWS_1253)),
    ("CP1254", Charset::Other(encoding_rs::WINDOWS_1254)),
    ("WINDOWS-1254", Charset::Other(encoding_rs::WINDOWS_1254)),
    ("CP1255", Charset::Other(encoding_rs::WINDOWS_1255)),
    ("WINDOWS-1255", Charset::Other(encoding_rs::WINDOWS_1255)),
    ("CP1256", Charset::Other(encoding_rs::WINDOWS_1256)),
    ("WINDOWS-1256", Charset::Other(encoding_rs::WINDOWS_1256)),
    ("CP1257", Charset::Other(encoding_rs::WINDOWS_1257)),
    ("WINDOWS-1257", Charset::Other(encoding_rs::WINDOWS_1257)),
    ("CP1258", Charset::Other(encoding_rs::WINDOWS_1258)),
    ("WINDOWS-1258", Charset::Other(encoding_rs::WINDOWS_1258)),
    ("CP866", Charset::Other(encoding_rs::IBM866)),
    ("IBM866", Charset::Other(encoding_rs::IBM866)),
    ("KOI8-R", Charset::Other(encoding_rs::KOI8_R)),
    ("KOI8-U", Charset::Other(encoding_rs::KOI8_U)),
    ("MACINTOSH", Charset::Other(encoding_rs::MACINTOSH)),
    ("CP932", Charset::Other(encoding_rs::SHIFT_JIS)),
    ("SHIFT-JIS", Charset::Other(encoding_rs::SHIFT_JIS)),
    ("SHIFT_JIS", Charset::Other(encoding_rs::SHIFT_JIS)),
    ("SJIS", Charset::Other(encoding_rs::SHIFT_JIS)),
    ("EUC-JP", Charset::Other(encoding_rs::EUC_JP)),
    ("EUC-KR", Charset::Other(encoding_rs::EUC_KR)),
    ("CP949", Charset::Other(encoding_rs::EUC_KR)),
    ("UHC", Charset::Other(encoding_rs::EUC_KR)),
    ("BIG5", Charset::Other(encoding_rs::BIG5)),
    ("GBK", Charset::Other(encoding_rs::GBK)),
    ("CP936", Charset::Other(encoding_rs::GBK)),
    ("GB2312", Charset::Other(encoding_rs::GBK)),
    ("GB18030", Charset::Other(encoding_rs::GB18030)),
];

/// Every name, sorted.
pub(super) fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    names
}

impl Charset {
    pub(super) fn named(name: &str) -> Option<Charset> {
        NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, charset)| *charset)
    }

    pub(super) fn decoder(self, text: &[u8]) -> Decoder<'_> {
        Decoder { charset: self, text, at: 0, decoded: Vec::new() }
    }

    pub(super) fn encoder(self) -> Encoder {
        Encoder { charset: self, begun: false }
    }
}

/// Reads characters.
pub(super) struct Decoder<'a> {
    charset: Charset,
    text: &'a [u8],
    at: usize,
    /// Characters of `encoding_rs` that stand next, the last first: some bytes make two.
    decoded: Vec<char>,
}

impl Decoder<'_> {
    /// Bytes read.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn next(&mut self) -> Next {
        if let Some(character) = self.decoded.pop() {
            return Next::Character(character);
        }
        let Some(&first) = self.text.get(self.at) else { return Next::End };
        match self.charset {
            Charset::Ascii if first < 0x80 => self.take(1, Some(char::from(first))),
            Charset::Ascii => self.take(1, None),
            Charset::Latin1 => self.take(1, Some(char::from(first))),
            Charset::Utf8 => self.utf8(),
            Charset::Utf16(marks) => self.utf16(marks, true),
            Charset::Ucs2(marks) => self.utf16(marks, false),
            Charset::Utf32(marks) => self.utf32(marks),
            Charset::Other(encoding) => self.other(encoding),
        }
    }

    fn take(&mut self, length: usize, character: Option<char>) -> Next {
        self.at += length;
        character.map_or(Next::Illegal, Next::Character)
    }

    fn utf8(&mut self) -> Next {
        let rest = &self.text[self.at..];
        let rest = &rest[..rest.len().min(4)];
        match rest.utf8_chunks().next() {
            Some(chunk) if !chunk.valid().is_empty() => {
                let character = chunk.valid().chars().next();
                self.take(character.map_or(1, char::len_utf8), character)
            }
            Some(chunk) => match std::str::from_utf8(chunk.invalid()) {
                Err(error) if error.error_len().is_none() && chunk.invalid().len() == self.text.len() - self.at => {
                    Next::Incomplete
                }
                _ => self.take(1, None),
            },
            None => Next::End,
        }
    }

    /// The mark at the beginning, and the order that it tells; the low byte comes first where there is none.
    fn order(&mut self, marks: Marks, width: usize) -> bool {
        let (little, big): (&[u8], &[u8]) = match width {
            2 => (&[0xff, 0xfe], &[0xfe, 0xff]),
            _ => (&[0xff, 0xfe, 0, 0], &[0, 0, 0xfe, 0xff]),
        };
        match marks {
            Marks::Little => true,
            Marks::Big => false,
            Marks::Marked => {
                let is_big = self.text.starts_with(big);
                if self.at == 0 && (is_big || self.text.starts_with(little)) {
                    self.at = width;
                }
                !is_big
            }
        }
    }

    fn utf16(&mut self, marks: Marks, pairs: bool) -> Next {
        let little = self.order(marks, 2);
        let unit = |at: usize| {
            let bytes: [u8; 2] = self.text.get(at..at + 2)?.try_into().ok()?;
            Some(if little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
        };
        if self.at == self.text.len() {
            return Next::End;
        }
        let Some(first) = unit(self.at) else { return Next::Incomplete };
        match first {
            0xd800..=0xdbff if pairs => match unit(self.at + 2) {
                None => Next::Incomplete,
                Some(second) => match char::decode_utf16([first, second]).next() {
                    Some(Ok(character)) => self.take(4, Some(character)),
                    _ => self.take(2, None),
                },
            },
            _ => self.take(2, char::from_u32(first.into())),
        }
    }

    fn utf32(&mut self, marks: Marks) -> Next {
        let little = self.order(marks, 4);
        if self.at == self.text.len() {
            return Next::End;
        }
        let bytes = self.text.get(self.at..self.at + 4).and_then(|bytes| <[u8; 4]>::try_from(bytes).ok());
        let Some(bytes) = bytes else { return Next::Incomplete };
        self.take(4, char::from_u32(if little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) }))
    }

    /// The fewest bytes that make a character.
    fn other(&mut self, encoding: &'static Encoding) -> Next {
        let rest = &self.text[self.at..];
        for length in 1..=rest.len().min(4) {
            let mut text = String::with_capacity(16);
            let mut decoder = encoding.new_decoder_without_bom_handling();
            let (result, _) = decoder.decode_to_string_without_replacement(&rest[..length], &mut text, true);
            if matches!(result, DecoderResult::InputEmpty) {
                if text.chars().any(|character| is_hole(encoding, character)) {
                    break;
                }
                self.at += length;
                self.decoded = text.chars().rev().collect();
                return self.decoded.pop().map_or(Next::Illegal, Next::Character);
            }
        }
        self.take(1, None)
    }
}

/// Whether `character` is one of those that `encoding_rs`, as browsers do, has for bytes that a code page of Windows
/// leaves open.
fn is_hole(encoding: &'static Encoding, character: char) -> bool {
    ('\u{80}'..='\u{9f}').contains(&character) && encoding.name().starts_with("windows-")
}

/// Writes characters.
pub(super) struct Encoder {
    charset: Charset,
    /// Something has been written: the mark stands before it.
    begun: bool,
}

impl Encoder {
    /// Write `character`; `false` where the character set lacks it.
    pub(super) fn encode(&mut self, character: char, out: &mut Vec<u8>) -> bool {
        let code = u32::from(character);
        match self.charset {
            Charset::Ascii => narrow(code, 0x80, out),
            Charset::Latin1 => narrow(code, 0x100, out),
            Charset::Utf8 => {
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                true
            }
            Charset::Ucs2(_) if code > 0xffff => false,
            Charset::Utf16(marks) | Charset::Ucs2(marks) => {
                self.mark(marks, &[0xff, 0xfe], out);
                for unit in character.encode_utf16(&mut [0; 2]) {
                    out.extend(if marks == Marks::Big { unit.to_be_bytes() } else { unit.to_le_bytes() });
                }
                true
            }
            Charset::Utf32(marks) => {
                self.mark(marks, &[0xff, 0xfe, 0, 0], out);
                out.extend(if marks == Marks::Big { code.to_be_bytes() } else { code.to_le_bytes() });
                true
            }
            Charset::Other(encoding) if is_hole(encoding, character) => false,
            Charset::Other(encoding) => {
                let mut text = [0; 4];
                let (bytes, _, unmappable) = encoding.encode(character.encode_utf8(&mut text));
                if !unmappable {
                    out.extend_from_slice(&bytes);
                }
                !unmappable
            }
        }
    }

    fn mark(&mut self, marks: Marks, mark: &[u8], out: &mut Vec<u8>) {
        if marks == Marks::Marked && !self.begun {
            out.extend_from_slice(mark);
        }
        self.begun = true;
    }
}

fn narrow(code: u32, limit: u32, out: &mut Vec<u8>) -> bool {
    if code < limit {
        out.push(code as u8);
    }
    code < limit
}
