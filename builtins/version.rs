//! Version order: that of `ls -v` and `sort -V`, and the older one of `tree -v`.

use std::cmp::Ordering;

/// `a` against `b` as gnulib's `filevercmp` orders file names: runs of digits by their value, a suffix like `.tar.gz`
/// last, dot files first, `~` before everything.
pub fn compare(a: &[u8], b: &[u8]) -> Ordering {
    for special in [&b""[..], b".", b".."] {
        match (a == special, b == special) {
            (true, true) => return Ordering::Equal,
            (true, false) => return Ordering::Less,
            (false, true) => return Ordering::Greater,
            (false, false) => {}
        }
    }
    match (a[0] == b'.', b[0] == b'.') {
        (true, false) => return Ordering::Less,
        (false, true) => return Ordering::Greater,
        _ => {}
    }
    let (stem_a, stem_b) = (stem(a), stem(b));
    revisions(stem_a, stem_b).then_with(|| revisions(a, b))
}

/// `a` against `b` as glibc's `strverscmp` orders them: bytes, but runs of digits by their value, and those with
/// leading zeros as fractions.
pub fn compare_bytes(a: &[u8], b: &[u8]) -> Ordering {
    let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let digits = a[..common].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let start = common - digits;
    let is_digit = |text: &[u8], at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    let is_number = |text: &[u8]| is_digit(text, start) && text[start] != b'0';
    let here = |text: &[u8]| text.get(common).copied();
    if is_number(a) && is_number(b) {
        let length = |text: &[u8]| text[common..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        return length(a).cmp(&length(b)).then_with(|| here(a).cmp(&here(b)));
    }
    let are_zeros = digits > 0 && a[start..common].iter().all(|byte| *byte == b'0');
    if are_zeros && (is_digit(a, common) || is_digit(b, common)) {
        // A digit behind zeros makes a smaller fraction than anything else.
        let rank = |text: &[u8]| here(text).unwrap_or(0).wrapping_sub(b'0');
        return rank(a).cmp(&rank(b));
    }
    here(a).cmp(&here(b))
}

/// `name` without its suffix: `(\.[A-Za-z~][A-Za-z0-9~]*)*` at the end, but never its first byte.
fn stem(name: &[u8]) -> &[u8] {
    let letter = |at: usize| name.get(at).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'~');
    let (mut at, mut end) = (0, 0);
    while at < name.len() {
        at += 1;
        end = at;
        while name.get(at) == Some(&b'.') && letter(at + 1) {
            at += 2;
            while letter(at) || name.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
        }
    }
    &name[..end]
}

/// Order of a byte outside of numbers; the end of the name is -1.
fn rank(byte: Option<&u8>) -> i32 {
    match byte {
        None => -1,
        Some(b'~') => -2,
        Some(byte) if byte.is_ascii_digit() => 0,
        Some(byte) if byte.is_ascii_alphabetic() => i32::from(*byte),
        Some(byte) => i32::from(*byte) + 256,
    }
}

fn revisions(a: &[u8], b: &[u8]) -> Ordering {
    let (mut i, mut j) = (0, 0);
    let digit = |text: &[u8], at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    while i < a.len() || j < b.len() {
        while (i < a.len() && !digit(a, i)) || (j < b.len() && !digit(b, j)) {
            match rank(a.get(i)).cmp(&rank(b.get(j))) {
                Ordering::Equal => {}
                order => return order,
            }
            i += 1;
            j += 1;
        }
        let number = |text: &[u8], from: &mut usize| {
            while text.get(*from) == Some(&b'0') {
                *from += 1;
            }
            let start = *from;
            while digit(text, *from) {
                *from += 1;
            }
            start..*from
        };
        let (in_a, in_b) = (number(a, &mut i), number(b, &mut j));
        let order = in_a.len().cmp(&in_b.len()).then_with(|| a[in_a].cmp(&b[in_b]));
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_in_order_but_for_numbers() {
        // The example of strverscmp(3).
        let mut names = vec!["a2", "10", "000", "9", "_x", "09", "0", "a1", "01", "1", "010", "001", "a02", "00"];
        names.sort_by(|a, b| compare_bytes(a.as_bytes(), b.as_bytes()));
        assert_eq!(names, ["000", "001", "00", "01", "010", "09", "0", "1", "9", "10", "_x", "a02", "a1", "a2"]);
    }

    #[test]
    fn versions_in_order() {
        let mut names =
            vec!["a10", "a2", "b.tar.gz", "2.0.0-rc.1", "2.0.0", "a1.md", "a01.md", ".x", "1.10", "1.9", "a~", "a"];
        names.sort_by(|a, b| compare(a.as_bytes(), b.as_bytes()).then_with(|| a.cmp(b)));
        let expected =
            [".x", "1.9", "1.10", "2.0.0", "2.0.0-rc.1", "a~", "a", "a01.md", "a1.md", "a2", "a10", "b.tar.gz"];
        assert_eq!(names, expected);
    }
}
