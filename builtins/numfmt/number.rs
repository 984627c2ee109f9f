//! Numbers as people write them: digits, and a letter that scales them.
use super::options::Options;
use crate::{curly, extended::Extended};
use std::cmp::Ordering;

/// What the letters mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// None may stand there.
    None,
    /// `K` is 1000, `Ki` is 1024.
    Auto,
    /// `K` is 1000.
    Si,
    /// `K` is 1024.
    Iec,
    /// `Ki` is 1024.
    IecI,
}

impl Scale {
    pub(super) fn base(self) -> i128 {
        if matches!(self, Scale::Iec | Scale::IecI) { 1024 } else { 1000 }
    }
}

/// A number, and how many decimals it was given with.
pub(super) struct Number {
    pub(super) value: Extended,
    pub(super) decimals: usize,
}

/// A letter for each power of the base.
pub(super) const LETTERS: &str = "KMGTPEZYRQ";

/// More digits than this are refused.
const MOST_DIGITS: usize = 33;

/// Read a field; the error is the whole message.
pub(super) fn read(text: &str, options: &Options) -> Result<Number, String> {
    let negative = text.starts_with('-');
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, rest) = digits(unsigned);
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => {
            let (fraction, rest) = digits(rest);
            (Some(fraction), rest)
        }
        None => (None, rest),
    };
    if fraction.unwrap_or(whole).is_empty() {
        return Err(format!("invalid number: {}", curly(text)));
    }
    let significant = |digits: &str| digits.trim_start_matches('0').len();
    if significant(whole) > MOST_DIGITS || fraction.is_some_and(|fraction| significant(fraction) > MOST_DIGITS) {
        return Err(format!("value too large to be converted: {}", curly(text)));
    }
    let mut value = integer(whole);
    let mut decimals = 0;
    if let Some(fraction) = fraction {
        decimals = fraction.len();
        value = value + integer(fraction) / power(10, decimals);
    }
    // There is no negative zero.
    if negative && value.total_order(&Extended::ZERO) != Ordering::Equal {
        value = -value;
    }
    let suffix = suffix(text, rest, options.from)?;
    if suffix.is_none() && options.from == Scale::IecI {
        return Err(format!("missing 'i' suffix in input: {} (e.g Ki/Mi/Gi)", curly(text)));
    }
    if let Some((factor, rest)) = suffix {
        if !rest.is_empty() {
            return Err(format!("invalid suffix in input {}: {}", curly(text), curly(rest)));
        }
        value = value * factor;
        decimals = 0;
    }
    if options.units != (1, 1) {
        let (from, to) = options.units;
        value = value * Extended::from_integer(from.into()) / Extended::from_integer(to.into());
    }
    Ok(Number { value, decimals })
}

/// The factor that the letter after the digits stands for, and what follows it; `None` where there is none.
fn suffix<'a>(text: &str, rest: &'a str, scale: Scale) -> Result<Option<(Extended, &'a str)>, String> {
    if rest.is_empty() {
        return Ok(None);
    }
    let rest = rest.trim_start_matches([' ', '\t']);
    let Some(letter) = rest.chars().next() else { return Ok(None) };
    let letter = if letter == 'k' { 'K' } else { letter };
    let Some(at) = LETTERS.find(letter) else {
        return Err(format!("invalid suffix in input: {}", curly(text)));
    };
    if scale == Scale::None {
        return Err(format!("rejecting suffix in input: {} (consider using --from)", curly(text)));
    }
    let after = &rest[1..];
    let (base, after) = match (scale, after.strip_prefix('i')) {
        (Scale::Auto | Scale::IecI, Some(after)) => (1024, after),
        (Scale::IecI, None) => {
            return Err(format!("missing 'i' suffix in input: {} (e.g Ki/Mi/Gi)", curly(text)));
        }
        _ => (scale.base(), after),
    };
    Ok(Some((power(base, at + 1), after.trim_end_matches([' ', '\t', '\n']))))
}

fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

/// Digit by digit, each step rounded.
fn integer(digits: &str) -> Extended {
    let ten = Extended::from_integer(10);
    digits.bytes().fold(Extended::ZERO, |value, digit| value * ten + Extended::from_integer((digit - b'0').into()))
}

/// `base` multiplied by itself.
pub(super) fn power(base: i128, exponent: usize) -> Extended {
    let base = Extended::from_integer(base);
    (0..exponent).fold(Extended::from_integer(1), |power, _| power * base)
}
