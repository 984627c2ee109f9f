//! Names in the headers of a patch, as `patch` reads them back.
use std::{borrow::Cow, fmt::Write as _};

/// `name` as it is, or between quotes like a string of C where it holds blanks, quotes, control characters or anything
/// beyond ASCII, which becomes octal bytes.
pub(super) fn escaped(name: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte > b' ' && byte.is_ascii() && !matches!(byte, b'"' | b'\\');
    if name.bytes().all(is_plain) {
        return Cow::Borrowed(name);
    }
    let mut text = String::from("\"");
    for byte in name.bytes() {
        match byte {
            b'"' | b'\\' => text.extend(['\\', char::from(byte)]),
            7..=13 => text.extend(['\\', char::from(b"abtnvfr"[usize::from(byte - 7)])]),
            b' '..=0x7f => text.push(char::from(byte)),
            byte => {
                let _ = write!(text, "\\{byte:03o}");
            }
        }
    }
    Cow::Owned(text + "\"")
}
