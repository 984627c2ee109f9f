//! Numbers: as jq compares and prints them.
use std::cmp::Ordering;

/// jq's order of numbers: NaN is below all others.
pub(super) fn order(left: f64, right: f64) -> Ordering {
    match (left.is_nan(), right.is_nan()) {
        (true, _) => Ordering::Less,
        (false, true) => Ordering::Greater,
        _ => left.partial_cmp(&right).unwrap_or(Ordering::Equal),
    }
}

/// A number that was calculated: 17 digits at most, no more than needed. NaN is null, infinity the largest number.
pub(super) fn print(value: f64) -> String {
    if value.is_nan() {
        return "null".to_string();
    }
    let value = value.clamp(f64::MIN, f64::MAX);
    if value == 0.0 {
        return if value.is_sign_negative() { "-0".to_string() } else { "0".to_string() };
    }
    let shortest = format!("{:e}", value.abs());
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let digits = mantissa.replace('.', "");
    let sign = if value < 0.0 { "-" } else { "" };
    // The decimal point stands behind so many digits.
    let point = exponent.parse::<i32>().unwrap_or(0) + 1;
    let count = digits.len() as i32;
    let body = if point <= -4 || point > count + 15 {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        let exponent = point - 1;
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{first}{dot}{rest}e{sign}{:02}", exponent.abs())
    } else if point <= 0 {
        format!("0.{}{digits}", "0".repeat(-point as usize))
    } else if point >= count {
        format!("{digits}{}", "0".repeat((point - count) as usize))
    } else {
        let (whole, fraction) = digits.split_at(point as usize);
        format!("{whole}.{fraction}")
    };
    format!("{sign}{body}")
}

/// A number of a text, and how it is printed where [`print`] would lose what was written: `1.000` stays, `1.5e10`
/// becomes `1.5E+10`, as decimal arithmetic writes it. `None` when the text is no number.
pub(super) fn read(text: &str) -> Option<(f64, Option<String>)> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    if !unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        || !unsigned.contains(|c: char| c.is_ascii_digit())
    {
        return None;
    }
    let value: f64 = text.parse().ok()?;
    let written = decimal(text)?;
    // What is too large for a number is the largest one.
    let keeps = value.is_finite() && written != print(value);
    Some((value, keeps.then_some(written)))
}

/// The scientific notation of the General Decimal Arithmetic specification.
fn decimal(text: &str) -> Option<String> {
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text),
    };
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (&unsigned[..at], unsigned[at + 1..].parse::<i64>().ok()?),
        None => (unsigned, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    let digits = if digits.is_empty() { "0" } else { digits };
    let exponent = exponent.checked_sub(fraction.len() as i64)?;
    let adjusted = exponent + digits.len() as i64 - 1;
    if exponent <= 0 && adjusted >= -6 {
        let places = exponent.unsigned_abs() as usize;
        if places == 0 {
            return Some(format!("{sign}{digits}"));
        }
        let padded = format!("{}{digits}", "0".repeat((places + 1).saturating_sub(digits.len())));
        let (whole, fraction) = padded.split_at(padded.len() - places);
        return Some(format!("{sign}{whole}.{fraction}"));
    }
    let (first, rest) = digits.split_at(1);
    let dot = if rest.is_empty() { "" } else { "." };
    Some(format!("{sign}{first}{dot}{rest}E{adjusted:+}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calculated_numbers_are_short() {
        let printed = [1.0, 0.1, 1e15, 1e16, 1e17, 123e15, 1e-4, 1e-5, 10.0 / 3.0, 1.5e300, -0.001].map(print);
        let expected = [
            "1",
            "0.1",
            "1000000000000000",
            "1e+16",
            "1e+17",
            "123000000000000000",
            "0.0001",
            "1e-05",
            "3.3333333333333335",
            "1.5e+300",
            "-0.001",
        ];
        assert_eq!(printed, expected);
        assert_eq!(print(12345678901234567890.0), "12345678901234567000");
        assert_eq!(print(f64::INFINITY), "1.7976931348623157e+308");
        assert_eq!(print(f64::NAN), "null");
    }

    #[test]
    fn written_numbers_keep_their_digits() {
        let kept = |text| read(text).map(|(value, written)| written.unwrap_or_else(|| print(value)));
        assert_eq!(kept("1.000").as_deref(), Some("1.000"));
        assert_eq!(kept("1.5e10").as_deref(), Some("1.5E+10"));
        assert_eq!(kept("1e3").as_deref(), Some("1E+3"));
        assert_eq!(kept("12345678901234567890").as_deref(), Some("12345678901234567890"));
        assert_eq!(kept("0.00001").as_deref(), Some("0.00001"));
        assert_eq!(kept("1e-7").as_deref(), Some("1E-7"));
        assert_eq!(kept("-0").as_deref(), Some("-0"));
        assert_eq!(kept("007").as_deref(), Some("7"));
        assert_eq!(kept("1.2.3"), None);
        assert_eq!(kept("nan"), None);
    }
}
