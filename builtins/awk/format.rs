//! `printf` and `sprintf`.
use super::{float, value::Value};
use crate::successive::character;
use std::fmt;

/// What is wrong with a format or its arguments.
#[derive(Debug)]
pub(super) enum FormatError {
    /// There are fewer arguments than conversions.
    Shortage {
        /// The whole format.
        format: Vec<u8>,
        /// Where the conversion ends that has none.
        at: usize,
    },
    /// A width or precision that nobody can mean.
    TooWide(usize),
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (format, at) = match self {
            FormatError::Shortage { format, at } => (format, *at),
            FormatError::TooWide(width) => return write!(f, "a field of {width} is wider than the limit of {LONGEST}"),
        };
        let before = " ".repeat(String::from_utf8_lossy(&format[..at.min(format.len())]).chars().count());
        let format = String::from_utf8_lossy(format);
        write!(f, "not enough arguments to satisfy format string\n\t`{format}'\n\t{before}^ ran out for this one")
    }
}

/// One conversion.
#[derive(Default)]
struct Directive {
    left: bool,
    plus: bool,
    space: bool,
    zero: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
}

/// Write `arguments` by `format`; numbers become strings by `convfmt`.
pub(super) fn format(format: &[u8], arguments: &[Value], convfmt: &[u8]) -> Result<Vec<u8>, FormatError> {
    let mut out = Vec::with_capacity(format.len() + 16);
    let mut next = 0;
    let mut at = 0;
    while let Some(length) = memchr::memchr(b'%', &format[at..]) {
        out.extend_from_slice(&format[at..at + length]);
        at += length;
        let start = at;
        at += 1;
        let shortage = |at: usize| FormatError::Shortage { format: format.to_vec(), at };
        let mut directive = Directive::default();
        // `%2$s`: the place of the argument is given.
        let mut chosen = position(format, &mut at);
        let mut take = |at: usize, chosen: Option<usize>| {
            let place = chosen.unwrap_or_else(|| {
                next += 1;
                next - 1
            });
            arguments.get(place).ok_or_else(|| shortage(at))
        };
        while let Some(flag) = format.get(at) {
            match flag {
                b'-' => directive.left = true,
                b'+' => directive.plus = true,
                b' ' => directive.space = true,
                b'0' => directive.zero = true,
                b'#' => directive.alternate = true,
                b'\'' => {}
                _ => break,
            }
            at += 1;
        }
        if format.get(at) == Some(&b'*') {
            at += 1;
            let place = position(format, &mut at);
            let width = take(at - 1, place)?.number();
            directive.left |= width < 0.0;
            directive.width = width.abs() as usize;
        } else {
            directive.width = number_at(format, &mut at).unwrap_or(0);
        }
        if format.get(at) == Some(&b'.') {
            at += 1;
            if format.get(at) == Some(&b'*') {
                at += 1;
                let place = position(format, &mut at);
                let precision = take(at - 1, place)?.number();
                directive.precision = (precision >= 0.0).then_some(precision as usize);
            } else {
                directive.precision = Some(number_at(format, &mut at).unwrap_or(0));
            }
        }
        let widest = directive.width.max(directive.precision.unwrap_or(0));
        if widest > LONGEST {
            return Err(FormatError::TooWide(widest));
        }
        while matches!(format.get(at), Some(b'h' | b'l' | b'L' | b'q' | b'j' | b'z' | b't')) {
            at += 1;
        }
        let Some(&letter) = format.get(at) else {
            out.extend_from_slice(&format[start..]);
            return Ok(out);
        };
        at += 1;
        match letter {
            b'%' => out.push(b'%'),
            b'c' => {
                let character = first_character(take(at - 1, chosen.take())?);
                directive.pad(&character, &mut out);
            }
            b's' => {
                let text = take(at - 1, chosen.take())?.to_text(convfmt);
                let end = directive.precision.map_or(text.len(), |precision| prefix(&text, precision));
                directive.pad(&text[..end], &mut out);
            }
            b'd' | b'i' | b'o' | b'x' | b'X' | b'u' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
                let number = take(at - 1, chosen.take())?.number();
                directive.number(letter, number, &mut out);
            }
            _ => out.extend_from_slice(&format[start..at]),
        }
    }
    out.extend_from_slice(&format[at..]);
    Ok(out)
}

/// No field is wider than this.
const LONGEST: usize = 1 << 20;

/// A number by a format like `%.2f` (`CONVFMT`, `OFMT`).
pub(super) fn number(conversion: &[u8], number: f64) -> Vec<u8> {
    format(conversion, &[Value::Number(number)], b"%.6g").unwrap_or_default()
}

/// `N$` at `at`, as an index.
fn position(format: &[u8], at: &mut usize) -> Option<usize> {
    let digits = format[*at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 || format.get(*at + digits) != Some(&b'$') {
        return None;
    }
    let place = number_at(format, at)?;
    *at += 1;
    Some(place.saturating_sub(1))
}

fn number_at(format: &[u8], at: &mut usize) -> Option<usize> {
    let digits = format[*at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&format[*at..*at + digits]).ok()?.parse().ok();
    *at += digits;
    number
}

/// What `%c` makes of a value: the character of that number, or the first one of a string.
fn first_character(value: &Value) -> Vec<u8> {
    let number = match value {
        Value::Number(number) => Some(*number),
        Value::Unset | Value::Missing => Some(0.0),
        Value::Input(_) => value.comparable(),
        _ => None,
    };
    match number {
        Some(number) => match char::from_u32(number as u32).filter(|_| number >= 0.0) {
            Some(c) => c.to_string().into_bytes(),
            None => vec![number as i64 as u8],
        },
        None => {
            let text = value.to_text(b"%.6g");
            // As C prints the byte that ends an empty string.
            if text.is_empty() { vec![0] } else { text[..character(&text).min(text.len())].to_vec() }
        }
    }
}

/// The length of the first `count` characters.
fn prefix(text: &[u8], count: usize) -> usize {
    let mut at = 0;
    for _ in 0..count {
        if at >= text.len() {
            break;
        }
        at += character(&text[at..]);
    }
    at
}

impl Directive {
    fn pad(&self, text: &[u8], out: &mut Vec<u8>) {
        let length = text.utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len()).sum();
        let blanks = self.width.saturating_sub(length);
        if !self.left {
            out.extend(std::iter::repeat_n(b' ', blanks));
        }
        out.extend_from_slice(text);
        if self.left {
            out.extend(std::iter::repeat_n(b' ', blanks));
        }
    }

    fn number(&self, letter: u8, number: f64, out: &mut Vec<u8>) {
        if !number.is_finite() {
            let text = float::special(number);
            return self.pad(text.as_bytes(), out);
        }
        let precision = self.precision.unwrap_or(6);
        let (digits, is_whole) = match letter {
            b'd' | b'i' => (whole(number.abs(), 10), true),
            b'u' | b'o' | b'x' | b'X' => {
                let base = match letter {
                    b'u' => 10,
                    b'o' => 8,
                    _ => 16,
                };
                (self.unsigned(number, base, letter == b'X'), true)
            }
            b'e' => (float::exponential(number.abs(), precision, self.alternate), false),
            b'E' => (float::exponential(number.abs(), precision, self.alternate).to_uppercase(), false),
            b'f' | b'F' => (float::fixed(number.abs(), precision, self.alternate), false),
            b'g' | b'G' => (float::general(number.abs(), precision, self.alternate, letter == b'G'), false),
            _ => (hexadecimal(number.abs(), self.precision, letter == b'A'), false),
        };
        let is_negative = match letter {
            b'd' | b'i' => number <= -1.0,
            b'u' | b'o' | b'x' | b'X' => false,
            _ => number.is_sign_negative(),
        };
        let is_signed = !matches!(letter, b'u' | b'o' | b'x' | b'X');
        let mut sign = match (is_negative, self.plus && is_signed, self.space && is_signed) {
            (true, ..) => "-".to_string(),
            (false, true, _) => "+".to_string(),
            (false, false, true) => " ".to_string(),
            _ => String::new(),
        };
        let mut digits = digits;
        if is_whole && let Some(precision) = self.precision {
            if digits.len() < precision {
                digits.insert_str(0, &"0".repeat(precision - digits.len()));
            }
            if precision == 0 && digits == "0" {
                digits.clear();
            }
        }
        if self.alternate && number != 0.0 {
            match letter {
                b'x' => sign = "0x".to_string(),
                b'X' => sign = "0X".to_string(),
                b'o' if !digits.starts_with('0') => digits.insert(0, '0'),
                _ => {}
            }
        }
        if self.zero && !self.left && !(is_whole && self.precision.is_some()) {
            let zeros = self.width.saturating_sub(sign.len() + digits.len());
            sign.push_str(&"0".repeat(zeros));
        }
        self.pad(format!("{sign}{digits}").as_bytes(), out);
    }

    /// `%u`, `%o`, `%x`: negative numbers are those of 64 bits that C would make of them.
    fn unsigned(&self, number: f64, base: u32, upper: bool) -> String {
        let number = number.trunc();
        let text = if number < 0.0 { digits_of(u128::from(number as i64 as u64), base) } else { whole(number, base) };
        if upper { text.to_uppercase() } else { text }
    }
}

/// The whole part of a number that is not negative.
fn whole(number: f64, base: u32) -> String {
    if number < 1e30 {
        return digits_of(number as u128, base);
    }
    if base == 10 { format!("{:.0}", number.trunc()) } else { float::general(number, 6, false, false) }
}

fn digits_of(number: u128, base: u32) -> String {
    match base {
        8 => format!("{number:o}"),
        16 => format!("{number:x}"),
        _ => number.to_string(),
    }
}

/// `%a`
fn hexadecimal(number: f64, precision: Option<usize>, upper: bool) -> String {
    let bits = number.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    let mut mantissa = bits & ((1 << 52) - 1);
    let (mut lead, exponent) = match exponent {
        0 if mantissa == 0 => (0u64, 0),
        0 => (0, -1022),
        exponent => (1, exponent - 1023),
    };
    let mut digits = format!("{mantissa:013x}");
    match precision {
        Some(precision) if precision < 13 => {
            let drop = 4 * (13 - precision) as u32;
            let half = 1u64 << (drop - 1);
            let all = (lead << 52) | mantissa;
            let rest = all & ((1 << drop) - 1);
            let mut kept = all >> drop;
            if rest > half || (rest == half && kept & 1 == 1) {
                kept += 1;
            }
            let all = kept << drop;
            lead = all >> 52;
            mantissa = all & ((1 << 52) - 1);
            digits = format!("{mantissa:013x}");
            digits.truncate(precision);
        }
        Some(precision) => digits.push_str(&"0".repeat(precision - 13)),
        None => digits.truncate(digits.trim_end_matches('0').len()),
    }
    let point = if digits.is_empty() { "" } else { "." };
    let text = format!("0x{lead}{point}{digits}p{exponent:+}");
    if upper { text.to_uppercase() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(text: &str, arguments: &[Value]) -> String {
        match format(text.as_bytes(), arguments, b"%.6g") {
            Ok(text) => String::from_utf8(text).unwrap(),
            Err(shortage) => shortage.to_string(),
        }
    }

    #[test]
    fn numbers_as_c_prints_them() {
        let one = |text, number| print(text, &[Value::Number(number)]);
        assert_eq!(one("%5.2f|", 2.71001), " 2.71|");
        assert_eq!(one("%-6d|", 7.9), "7     |");
        assert_eq!(one("%03d", -7.0), "-07");
        assert_eq!(
            one("%+d % d", 7.0),
            "not enough arguments to satisfy format string\n\t`%+d % d'\n\t      ^ ran out for this one"
        );
        assert_eq!(one("%x", 255.0), "ff");
        assert_eq!(one("%#o", 8.0), "010");
        assert_eq!(one("%x", -1.0), "ffffffffffffffff");
        assert_eq!(one("%e", 12345.0), "1.234500e+04");
        assert_eq!(one("%g", 0.0001), "0.0001");
        assert_eq!(one("%g", 1e-5), "1e-05");
        assert_eq!(one("%#.3g", 1.0), "1.00");
        assert_eq!(one("%d", 1e18), "1000000000000000000");
        assert_eq!(one("%.3d", 5.0), "005");
        assert_eq!(one("%a", 1.0), "0x1p+0");
        assert_eq!(one("%c", 65.0), "A");
        assert_eq!(one("%z%", 65.0), "%");
    }

    #[test]
    fn strings_are_counted_in_characters() {
        assert_eq!(
            print("%-4s|%.2s|%c", &[Value::text("é"), Value::text("日本語"), Value::text("日本")]),
            "é   |日本|日"
        );
        assert_eq!(print("%2$s %1$s", &[Value::text("a"), Value::text("b")]), "b a");
        assert_eq!(print("%*d|%-*d|", &[3.0, 5.0, 3.0, 5.0].map(Value::Number)), "  5|5  |");
    }
}
