//! Backslash escapes as bash's `echo -e` and `printf` read them.

/// Whose escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// `echo -e`: octal is `\0nnn`, `\c` ends the output.
    Echo,
    /// `printf`'s format: octal is `\nnn`; `\"`, `\'` and `\?` lose their backslash.
    Format,
    /// The argument of `%b`: octal is `\nnn` or `\0nnn`, `\c` ends the output.
    Argument,
}

/// What came of an escape.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Decoded {
    /// It was written.
    Written,
    /// `\c`: nothing more may be written.
    Stop,
    /// `\x` or `\u` without a digit: it was written as it stands; the letter and the kind of digit missing are for a
    /// warning.
    Missing(char, &'static str),
}

/// Decode the escape that `text` begins with, after its backslash, onto `out`; gives how many bytes of `text` it took.
pub(crate) fn decode(text: &str, dialect: Dialect, out: &mut Vec<u8>) -> (usize, Decoded) {
    let Some(letter) = text.chars().next() else {
        out.push(b'\\');
        return (0, Decoded::Written);
    };
    let plain = match letter {
        'a' => Some(7),
        'b' => Some(8),
        'e' | 'E' => Some(27),
        'f' => Some(12),
        'n' => Some(b'\n'),
        'r' => Some(b'\r'),
        't' => Some(b'\t'),
        'v' => Some(11),
        '\\' => Some(b'\\'),
        '"' | '\'' | '?' if dialect == Dialect::Format => Some(letter as u8),
        _ => None,
    };
    if let Some(byte) = plain {
        out.push(byte);
        return (1, Decoded::Written);
    }
    match letter {
        'c' if dialect != Dialect::Format => (1, Decoded::Stop),
        '0'..='7' if dialect != Dialect::Echo || letter == '0' => {
            let skip = usize::from(letter == '0' && dialect != Dialect::Format);
            let (value, length) = digits(&text[skip..], 8, 3);
            out.push(value as u8);
            (skip + length, Decoded::Written)
        }
        'x' => match digits(&text[1..], 16, 2) {
            (_, 0) => missing(letter, "hex", out),
            (value, length) => {
                out.push(value as u8);
                (1 + length, Decoded::Written)
            }
        },
        'u' | 'U' => match digits(&text[1..], 16, if letter == 'u' { 4 } else { 8 }) {
            (_, 0) => missing(letter, "unicode", out),
            (value, length) => {
                encode(value, out);
                (1 + length, Decoded::Written)
            }
        },
        _ => {
            out.push(b'\\');
            out.extend_from_slice(letter.to_string().as_bytes());
            (letter.len_utf8(), Decoded::Written)
        }
    }
}

fn missing(letter: char, kind: &'static str, out: &mut Vec<u8>) -> (usize, Decoded) {
    out.extend([b'\\', letter as u8]);
    (1, Decoded::Missing(letter, kind))
}

/// The number that `text` begins with, of at most `most` digits, and its length.
fn digits(text: &str, base: u32, most: usize) -> (u32, usize) {
    let digits = text.chars().take(most).map_while(|c| c.to_digit(base));
    digits.fold((0, 0), |(value, length), digit| (value * base + digit, length + 1))
}

/// A code point in UTF-8; those beyond Unicode in the same manner, as bash does.
fn encode(value: u32, out: &mut Vec<u8>) {
    if let Some(c) = char::from_u32(value) {
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        return;
    }
    let follow = |shift: u32| 0x80 | (value >> shift & 0x3f) as u8;
    match value {
        0..0x1_0000 => out.extend([0xe0 | (value >> 12) as u8, follow(6), follow(0)]),
        0x1_0000..0x20_0000 => out.extend([0xf0 | (value >> 18) as u8, follow(12), follow(6), follow(0)]),
        0x20_0000..0x400_0000 => out.extend([0xf8 | (value >> 24) as u8, follow(18), follow(12), follow(6), follow(0)]),
        0x400_0000..0x8000_0000 => {
            out.extend([0xfc | (value >> 30) as u8, follow(24), follow(18), follow(12), follow(6), follow(0)]);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, dialect: Dialect) -> String {
        let mut out = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find('\\') {
            out.extend_from_slice(&rest.as_bytes()[..at]);
            let (length, decoded) = decode(&rest[at + 1..], dialect, &mut out);
            if decoded == Decoded::Stop {
                return String::from_utf8_lossy(&out).into_owned();
            }
            rest = &rest[at + 1 + length..];
        }
        out.extend_from_slice(rest.as_bytes());
        String::from_utf8_lossy(&out).into_owned()
    }

    #[test]
    fn each_dialect_has_its_octals() {
        assert_eq!(all(r"\101 \0101", Dialect::Echo), r"\101 A");
        assert_eq!(all(r"\101 \0101", Dialect::Format), "A \u{8}1");
        assert_eq!(all(r"\101 \0101", Dialect::Argument), "A A");
    }

    #[test]
    fn the_rest_is_the_same() {
        assert_eq!(all(r"\x41\u00e9\U1F600\q\\", Dialect::Echo), r"Aé😀\q\");
        assert_eq!(all(r#"\"\'\?"#, Dialect::Format), r#""'?"#);
        assert_eq!(all(r#"\"\'\?"#, Dialect::Argument), r#"\"\'\?"#);
        assert_eq!(all(r"a\cb", Dialect::Argument), "a");
        assert_eq!(all(r"a\cb", Dialect::Format), r"a\cb");
        assert_eq!(all(r"end\", Dialect::Echo), r"end\");
    }
}
