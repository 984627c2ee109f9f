//! Numbers as text: `print` of a number, and the floating conversions of C's `printf`.
use std::io::Write;

/// Append `number`: integers in full, all else by `format` (`CONVFMT` or `OFMT`).
pub(super) fn write(number: f64, format: &[u8], out: &mut Vec<u8>) {
    if number.abs() < 1e15 && number as i64 as f64 == number {
        integer(number as i64, out);
    } else if !number.is_finite() {
        out.extend_from_slice(special(number).as_bytes());
    } else if number.fract() == 0.0 {
        let _ = write!(out, "{number:.0}");
    } else if format == b"%.6g" {
        out.extend_from_slice(general(number, 6, false, false).as_bytes());
    } else {
        out.extend_from_slice(&super::format::number(format, number));
    }
}

fn integer(number: i64, out: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        at -= 1;
        digits[at] = b'-';
    }
    out.extend_from_slice(&digits[at..]);
}

/// Infinity and NaN, always with their sign.
pub(super) fn special(number: f64) -> &'static str {
    match (number.is_nan(), number.is_sign_negative()) {
        (true, true) => "-nan",
        (true, false) => "+nan",
        (false, true) => "-inf",
        (false, false) => "+inf",
    }
}

/// Digits behind the point beyond which all are zero: no double has more.
const DIGITS: usize = 1100;

/// `%e` of a finite number.
pub(super) fn exponential(number: f64, precision: usize, alternate: bool) -> String {
    let text = format!("{number:.*e}", precision.min(DIGITS));
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let zeros = "0".repeat(precision.saturating_sub(DIGITS));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let point = if alternate && precision == 0 { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}{zeros}{point}e{sign}{:02}", exponent.abs())
}

/// `%f` of a finite number.
pub(super) fn fixed(number: f64, precision: usize, alternate: bool) -> String {
    let point = if alternate && precision == 0 { "." } else { "" };
    format!("{number:.*}{}{point}", precision.min(DIGITS), "0".repeat(precision.saturating_sub(DIGITS)))
}

/// `%g` of a finite number.
pub(super) fn general(number: f64, precision: usize, alternate: bool, upper: bool) -> String {
    let precision = precision.max(1);
    let shortest = format!("{number:.*e}", (precision - 1).min(DIGITS));
    let exponent: i32 = shortest.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let text = if exponent < -4 || exponent >= precision as i32 {
        exponential(number, precision - 1, alternate)
    } else {
        fixed(number, (precision as i32 - 1 - exponent).max(0) as usize, alternate)
    };
    let (mantissa, tail) = match text.find('e') {
        Some(at) => text.split_at(at),
        None => (text.as_str(), ""),
    };
    let mantissa = match !alternate && mantissa.contains('.') {
        true => mantissa.trim_end_matches('0').trim_end_matches('.'),
        false => mantissa,
    };
    let text = format!("{mantissa}{tail}");
    if upper { text.to_uppercase() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(number: f64) -> String {
        let mut out = Vec::new();
        write(number, b"%.6g", &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn integers_are_in_full_and_the_rest_has_six_digits() {
        assert_eq!(print(1e6), "1000000");
        assert_eq!(print(-7.0), "-7");
        assert_eq!(print(1e17), "100000000000000000");
        assert_eq!(print(0.1 + 0.2), "0.3");
        assert_eq!(print(1.0 / 3.0), "0.333333");
        assert_eq!(print(1234567.5), "1.23457e+06");
        assert_eq!(print(1e-5), "1e-05");
        assert_eq!(print(-0.0), "0");
        assert_eq!(print(f64::INFINITY), "+inf");
    }
}
