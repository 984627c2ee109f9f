//! Counts and sizes as GNU's tools read them: decimal digits and, where the command allows them, a multiplier
//! (`b` 512, `kB` 1000, `K` or `KiB` 1024, … `Q`).
use std::fmt;

/// Why a word is not a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Malformed {
    /// It does not begin with a number, or something follows it.
    Invalid,
    /// It is larger than 64 bits hold.
    Overflow,
}

impl fmt::Display for Malformed {
    /// What follows the quoted word in a message: nothing, or `: Value too large for defined data type`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Malformed::Invalid => Ok(()),
            Malformed::Overflow => f.write_str(": Value too large for defined data type"),
        }
    }
}

/// Multipliers of `head`, `tail` and their kind.
pub(crate) const MULTIPLIERS: &str = "bkKmMGTPEZYRQ0";

/// Read `text` as a count; `multipliers` are the letters that may follow (`0` among them allows `kB` and `KiB`).
pub(crate) fn parse(text: &str, multipliers: &str) -> Result<u64, Malformed> {
    let text = text.trim_start_matches([' ', '\t', '\n', '\u{b}', '\u{c}', '\r']);
    let text = text.strip_prefix('+').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit())).unwrap_or(text);
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, suffix) = text.split_at(digits);
    let mut letters = suffix.chars();
    let letter = letters.next();
    if digits.is_empty() && !letter.is_some_and(|letter| letter != '0' && multipliers.contains(letter)) {
        return Err(Malformed::Invalid);
    }
    let count = if digits.is_empty() { Some(1) } else { digits.parse::<u64>().ok() };
    let factor = match letter {
        None => Some(1),
        Some(letter) if letter != '0' && multipliers.contains(letter) => {
            let base = match (multipliers.contains('0'), letters.as_str()) {
                (_, "") | (true, "iB") => 1024,
                (true, "B" | "D") => 1000,
                _ => return Err(Malformed::Invalid),
            };
            multiplier(letter, base)
        }
        Some(_) => return Err(Malformed::Invalid),
    };
    match (count, factor) {
        (Some(0), _) => Ok(0),
        (Some(count), Some(factor)) => count.checked_mul(factor).ok_or(Malformed::Overflow),
        _ => Err(Malformed::Overflow),
    }
}

/// The same in C's notation: `0x` begins a hexadecimal number, `0` an octal one.
pub(crate) fn parse_in_c(text: &str, multipliers: &str) -> Result<u64, Malformed> {
    let hex = text.strip_prefix("0x").or(text.strip_prefix("0X"));
    let (digits, base) = match hex {
        Some(digits) => (digits, 16),
        None if text.len() > 1 && text.starts_with('0') => (text, 8),
        None => return parse(text, multipliers),
    };
    // `b` is a digit where it can be one.
    let length = digits.find(|c: char| !c.is_digit(base)).unwrap_or(digits.len());
    let value = u64::from_str_radix(&digits[..length], base).map_err(|_| Malformed::Invalid)?;
    if digits[length..].starts_with(|c: char| c.is_ascii_digit()) {
        return Err(Malformed::Invalid);
    }
    parse(&format!("{value}{}", &digits[length..]), multipliers)
}

fn multiplier(letter: char, base: u64) -> Option<u64> {
    let power = match letter {
        'b' => return Some(512),
        'c' => return Some(1),
        'w' => return Some(2),
        'B' => return Some(1024),
        letter => "KMGTPEZYRQ".find(letter.to_ascii_uppercase())? as u32 + 1,
    };
    base.checked_pow(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_with_multipliers() {
        let read = |text| parse(text, MULTIPLIERS);
        assert_eq!(read("12"), Ok(12));
        assert_eq!(read(" +5"), Ok(5));
        assert_eq!(read("2b"), Ok(1024));
        assert_eq!(read("1kB"), Ok(1000));
        assert_eq!(read("1KiB"), Ok(1024));
        assert_eq!(read("k"), Ok(1024));
        assert_eq!(read("3M"), Ok(3 << 20));
        assert_eq!(read("0Q"), Ok(0));
    }

    #[test]
    fn what_is_not_a_count() {
        let read = |text| parse(text, MULTIPLIERS);
        for word in ["", "abc", "-1", "5x", "5kX", "1.5", "0x10"] {
            assert_eq!(read(word), Err(Malformed::Invalid), "{word}");
        }
        assert_eq!(read("99999999999999999999"), Err(Malformed::Overflow));
        assert_eq!(read("1Z"), Err(Malformed::Overflow));
        assert_eq!(parse("5k", ""), Err(Malformed::Invalid));
    }

    #[test]
    fn counts_in_the_notation_of_c() {
        let all = ["0x1f", "010", "0", "12k", "0x2k", "08"].map(|text| parse_in_c(text, MULTIPLIERS).ok());
        assert_eq!(all, [Some(31), Some(8), Some(0), Some(12 << 10), Some(2 << 10), None]);
    }
}
