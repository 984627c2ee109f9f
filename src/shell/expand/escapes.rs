//! The escapes of `$'…'`, for text that is met while running: `${x@E}`.

/// `text` with its escapes read. What follows a NUL is lost, as in bash.
pub(super) fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let Some(letter) = rest[at + 1..].chars().next() else {
            rest = &rest[at..];
            break;
        };
        let after = &rest[at + 1 + letter.len_utf8()..];
        rest = after;
        let byte = match letter {
            'a' => 7,
            'b' => 8,
            'e' | 'E' => 27,
            'f' => 12,
            'n' => b'\n',
            'r' => b'\r',
            't' => b'\t',
            'v' => 11,
            '\\' | '\'' | '"' | '?' => letter as u8,
            '0'..='7' => {
                let (value, left) = number(letter.to_digit(8).unwrap_or_default(), after, 8, 2);
                rest = left;
                value as u8
            }
            'x' => match number(0, after, 16, 2) {
                (_, left) if left.len() == after.len() => {
                    bytes.extend_from_slice(b"\\x");
                    continue;
                }
                (value, left) => {
                    rest = left;
                    value as u8
                }
            },
            'u' | 'U' => {
                let (value, left) = number(0, after, 16, if letter == 'u' { 4 } else { 8 });
                rest = left;
                match char::from_u32(value) {
                    Some(c) if left.len() < after.len() => {
                        bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                    }
                    _ => bytes.extend([b'\\', letter as u8]),
                }
                continue;
            }
            'c' => match after.chars().next() {
                Some(control) if control.is_ascii() => {
                    rest = &after[1..];
                    control as u8 & 0x1f
                }
                _ => b'c',
            },
            other => {
                bytes.push(b'\\');
                bytes.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
        };
        if byte == 0 {
            rest = "";
            break;
        }
        bytes.push(byte);
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

/// `first` followed by at most `most` digits of `text`, and what is left of it.
fn number(first: u32, text: &str, radix: u32, most: usize) -> (u32, &str) {
    let digits = text.chars().take(most).take_while(|c| c.is_digit(radix)).count();
    let value = text[..digits]
        .chars()
        .filter_map(|c| c.to_digit(radix))
        .fold(first, |sum, digit| sum.wrapping_mul(radix).wrapping_add(digit));
    (value, &text[digits..])
}
