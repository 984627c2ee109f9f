//! Numbers in text: the one a string begins with, and whether it is one as a whole.

/// The number that `text` begins with, 0 when there is none.
pub(super) fn to_number(text: &[u8]) -> f64 {
    let start = text.iter().position(|byte| !is_blank(*byte)).unwrap_or(text.len());
    prefix(&text[start..]).0
}

/// The number that `text` is, blanks around it aside.
pub(super) fn looks_numeric(text: &[u8]) -> Option<f64> {
    let first = text.iter().position(|byte| !is_blank(*byte))?;
    let text = &text[first..];
    if !matches!(text[0], b'0'..=b'9' | b'+' | b'-' | b'.') {
        return None;
    }
    let (number, length) = prefix(text);
    (length > 0 && text[length..].iter().all(|byte| is_blank(*byte))).then_some(number)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 11 | 12)
}

/// The decimal number at the start of `text` and its length; `+inf`, `-nan` and the like only with their sign.
pub(super) fn prefix(text: &[u8]) -> (f64, usize) {
    let mut at = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let negative = text.first() == Some(&b'-');
    let sign = |number: f64| if negative { -number } else { number };
    let mut whole: u64 = 0;
    let from = at;
    while let Some(digit) = text.get(at).filter(|byte| byte.is_ascii_digit()) {
        whole = whole.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
        at += 1;
    }
    let digits = at - from;
    let is_short = digits > 0 && digits <= 15;
    if is_short && !matches!(text.get(at), Some(b'.' | b'e' | b'E')) {
        return (sign(whole as f64), at);
    }
    if digits == 0 && at == 1 && text.len() >= 4 {
        let word = text[1..4].to_ascii_lowercase();
        let ends = text.get(4).is_none_or(|byte| !byte.is_ascii_alphanumeric());
        match &word[..] {
            b"inf" if ends => return (sign(f64::INFINITY), 4),
            b"nan" if ends => return (f64::NAN.copysign(if negative { -1.0 } else { 1.0 }), 4),
            _ => {}
        }
    }
    let mut fraction = 0;
    if text.get(at) == Some(&b'.') {
        fraction = text[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits + fraction > 0 {
            at += 1 + fraction;
        }
    }
    if digits + fraction == 0 {
        return (0.0, 0);
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let signed = usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        let exponent = text[at + 1 + signed..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if exponent > 0 {
            at += 1 + signed + exponent;
        }
    }
    let number = std::str::from_utf8(&text[..at]).ok().and_then(|text| text.parse().ok());
    (number.unwrap_or(0.0), at)
}

/// The number of `strtonum`, and of a program's text: `0x1F` and `017` are read too.
pub(super) fn any_base(text: &[u8]) -> f64 {
    let start = text.iter().position(|byte| !is_blank(*byte)).unwrap_or(text.len());
    let text = &text[start..];
    let (negative, unsigned) = match text.first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let in_base = |digits: &[u8], base: u32| {
        let values = digits.iter().map_while(|byte| char::from(*byte).to_digit(base));
        let number = values.fold(0.0, |number, digit| number * f64::from(base) + f64::from(digit));
        if negative { -number } else { number }
    };
    match unsigned {
        [b'0', b'x' | b'X', rest @ ..] if rest.first().is_some_and(u8::is_ascii_hexdigit) => in_base(rest, 16),
        [b'0', rest @ ..] => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let is_decimal = rest[..digits].iter().any(|digit| *digit > b'7')
                || matches!(rest.get(digits), Some(b'.' | b'e' | b'E'));
            if digits == 0 || is_decimal { prefix(text).0 } else { in_base(rest, 8) }
        }
        _ => prefix(text).0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_as_far_as_it_goes() {
        assert_eq!(to_number(b" 12abc"), 12.0);
        assert_eq!(to_number(b"-.5e1x"), -5.0);
        assert_eq!(to_number(b"1e"), 1.0);
        assert_eq!(to_number(b"0x1A"), 0.0);
        assert_eq!(to_number(b"inf"), 0.0);
        assert_eq!(to_number(b"-inf"), f64::NEG_INFINITY);
        assert_eq!(to_number(b"."), 0.0);
        assert_eq!(to_number(b"12345678901234567890"), 12345678901234567890.0);
    }

    #[test]
    fn only_a_whole_number_looks_numeric() {
        assert_eq!(looks_numeric(b" 10 "), Some(10.0));
        assert_eq!(looks_numeric(b"1e3"), Some(1000.0));
        assert_eq!(looks_numeric(b"10x"), None);
        assert_eq!(looks_numeric(b""), None);
        assert_eq!(looks_numeric(b"+"), None);
        assert_eq!(looks_numeric(b"0x10"), None);
    }

    #[test]
    fn other_bases_are_asked_for() {
        assert_eq!(any_base(b"0x1F"), 31.0);
        assert_eq!(any_base(b"-017"), -15.0);
        assert_eq!(any_base(b"018"), 18.0);
        assert_eq!(any_base(b"0.5"), 0.5);
        assert_eq!(any_base(b"0"), 0.0);
    }
}
