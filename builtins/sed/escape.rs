//! The backslash sequences that stand for one byte, wherever they occur in a script.

/// What follows a backslash.
pub(super) enum Escape {
    /// This byte, written with so many bytes after the backslash.
    Byte(u8, usize),
    /// `\c\x`, which may not be.
    Recursive,
    /// Nothing of the kind.
    No,
}

/// Read `rest`, the bytes after a backslash: `a f n r t v`, `cX`, `dNNN`, `oNNN`, `xHH`.
pub(super) fn escape(rest: &[u8]) -> Escape {
    let Some(&letter) = rest.first() else { return Escape::No };
    match letter {
        b'a' => Escape::Byte(7, 1),
        b'f' => Escape::Byte(12, 1),
        b'n' => Escape::Byte(b'\n', 1),
        b'r' => Escape::Byte(b'\r', 1),
        b't' => Escape::Byte(b'\t', 1),
        b'v' => Escape::Byte(11, 1),
        b'c' => match rest.get(1) {
            None => Escape::Byte(b'\\', 1),
            Some(b'\\') if rest.get(2) == Some(&b'\\') => Escape::Byte(b'\\' ^ 0x40, 3),
            Some(b'\\') => Escape::Recursive,
            Some(byte) => Escape::Byte(byte.to_ascii_uppercase() ^ 0x40, 2),
        },
        b'd' => number(&rest[1..], 10, 3),
        b'o' => number(&rest[1..], 8, 3),
        b'x' => number(&rest[1..], 16, 2),
        _ => Escape::No,
    }
}

fn number(digits: &[u8], base: u32, most: usize) -> Escape {
    let values = digits.iter().take(most).map_while(|&byte| char::from(byte).to_digit(base));
    let (value, count) = values.fold((0, 0), |(value, count), digit| (value * base + digit, count + 1));
    // Past 255 the high bits fall off, as in C.
    if count == 0 { Escape::No } else { Escape::Byte(value as u8, count + 1) }
}
