//! Numbers from text, as C's `strtold` reads them: decimal, hexadecimal, `inf` and `nan`.
use super::{
    Extended, Magnitude,
    nearest::{nearest, power_of_ten},
};
use num_bigint::BigUint;

impl Extended {
    /// The number that `text` begins with, and how many bytes it takes: 0 when there is none.
    pub(crate) fn parse(text: &str) -> (Extended, usize) {
        let trimmed = text.trim_start_matches([' ', '\t', '\n', '\u{b}', '\u{c}', '\r']);
        let unsigned = trimmed.strip_prefix(['+', '-']).unwrap_or(trimmed);
        let negative = trimmed.starts_with('-');
        let begun = |word: &str| {
            unsigned.len() >= word.len() && unsigned.as_bytes()[..word.len()].eq_ignore_ascii_case(word.as_bytes())
        };
        let (magnitude, length) = if begun("0x") && hex(&unsigned[2..]).1 > 0 {
            let (magnitude, length) = hex(&unsigned[2..]);
            (magnitude, length + 2)
        } else if begun("infinity") {
            (Magnitude::Infinite, 8)
        } else if begun("inf") {
            (Magnitude::Infinite, 3)
        } else if begun("nan") {
            (Magnitude::Nan, 3)
        } else {
            decimal(unsigned)
        };
        match length {
            0 => (Extended::ZERO, 0),
            _ => (Extended { negative, magnitude }, text.len() - unsigned.len() + length),
        }
    }
}

/// A decimal number, and its length; 0 when there is none.
fn decimal(text: &str) -> (Magnitude, usize) {
    let bytes = text.as_bytes();
    let mut digits = String::new();
    let mut scale: i64 = 0;
    let mut sticky = false;
    let (mut at, mut seen, mut point) = (0, false, false);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'0'..=b'9' => {
                seen = true;
                scale -= i64::from(point);
                if digits.len() < 5000 {
                    if byte != b'0' || !digits.is_empty() {
                        digits.push(char::from(byte));
                    }
                } else {
                    scale += 1;
                    sticky |= byte != b'0';
                }
            }
            b'.' if !point => point = true,
            _ => break,
        }
        at += 1;
    }
    if !seen {
        return (Magnitude::Nan, 0);
    }
    let (power, length) = exponent(&text[at..], 'e');
    scale = scale.saturating_add(power);
    at += length;
    let zero = Magnitude::Finite { mantissa: 0, exponent: 0 };
    let Some(number) = BigUint::parse_bytes(digits.as_bytes(), 10) else {
        return (zero, at);
    };
    let magnitude = digits.len() as i64 + scale;
    let value = match scale {
        _ if magnitude > 5000 => Magnitude::Infinite,
        _ if magnitude < -5000 => zero,
        0.. => nearest(&(number * power_of_ten(scale as usize)), &BigUint::from(1u8), sticky),
        _ => nearest(&number, &power_of_ten(scale.unsigned_abs() as usize), sticky),
    };
    (value, at)
}

/// A hexadecimal number behind its `0x`, and its length; 0 when there is none.
fn hex(text: &str) -> (Magnitude, usize) {
    let mut number = BigUint::ZERO;
    let mut scale: i64 = 0;
    let (mut at, mut seen, mut point) = (0, 0, false);
    for c in text.chars() {
        match c.to_digit(16) {
            Some(digit) => {
                seen += 1;
                if seen > 5000 {
                    scale += if point { 0 } else { 4 };
                } else {
                    number = (number << 4u8) + digit;
                    scale -= if point { 4 } else { 0 };
                }
            }
            None if c == '.' && !point => point = true,
            None => break,
        }
        at += 1;
    }
    if seen == 0 {
        return (Magnitude::Nan, 0);
    }
    let (power, length) = exponent(&text[at..], 'p');
    scale = scale.saturating_add(power);
    let one = BigUint::from(1u8);
    let value = match number.bits() as i64 + scale {
        _ if number.bits() == 0 => Magnitude::Finite { mantissa: 0, exponent: 0 },
        17000.. => Magnitude::Infinite,
        ..-17000 => Magnitude::Finite { mantissa: 0, exponent: 0 },
        _ if scale >= 0 => nearest(&(number << scale as u64), &one, false),
        _ => nearest(&number, &(one << scale.unsigned_abs()), false),
    };
    (value, at + length)
}

/// `e+12`, and its length; 0 and 0 when there is none.
fn exponent(text: &str, mark: char) -> (i64, usize) {
    let Some(rest) = text.strip_prefix([mark, mark.to_ascii_uppercase()]) else {
        return (0, 0);
    };
    let unsigned = rest.strip_prefix(['+', '-']).unwrap_or(rest);
    let length = unsigned.bytes().take_while(u8::is_ascii_digit).count();
    if length == 0 {
        return (0, 0);
    }
    let value = unsigned[..length].parse().unwrap_or(1_000_000_000).min(1_000_000_000);
    let value = if rest.starts_with('-') { -value } else { value };
    (value, text.len() - unsigned.len() + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_ends_where_it_ends() {
        let length = |text| Extended::parse(text).1;
        assert_eq!(
            [length("12abc"), length("1e"), length("1e+5x"), length("abc"), length(" -.5"), length(".")],
            [2, 1, 4, 0, 4, 0]
        );
        assert_eq!([length("infinite"), length("nanx"), length("0x"), length("0x.g")], [3, 3, 1, 1]);
    }
}
