//! The 80-bit floating point numbers (64 bits of mantissa) in which bash's `printf` and GNU's `seq` and `numfmt` count.
//!
//! Text is read to the nearest number and written exactly, by whole-number arithmetic, as C's `strtold` and `printf`
//! do.
mod arithmetic;

pub(crate) use arithmetic::Rounding;
use num_bigint::BigUint;
use std::cmp::Ordering;

/// A number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extended {
    negative: bool,
    magnitude: Magnitude,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Magnitude {
    /// `mantissa * 2^exponent`; the mantissa's highest bit is set, unless the number is zero or tiny.
    Finite {
        mantissa: u64,
        exponent: i32,
    },
    Infinite,
    Nan,
}

/// How a number is written: the flags and the precision of a `printf` directive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Style {
    /// `+`
    pub(crate) plus: bool,
    /// A blank.
    pub(crate) space: bool,
    /// `#`
    pub(crate) alternate: bool,
    /// `.NUM`
    pub(crate) precision: Option<usize>,
}

/// The lowest bit that exists has this exponent; nothing has more decimals than its negative.
const LOWEST: i32 = -16445;
/// A number whose highest bit is at or above this exponent is infinite.
const HIGHEST: i32 = 16384;

impl Extended {
    /// 0.
    pub(crate) const ZERO: Extended =
        Extended { negative: false, magnitude: Magnitude::Finite { mantissa: 0, exponent: 0 } };

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

    /// The nearest number to a whole one.
    pub(crate) fn from_integer(value: i128) -> Extended {
        let magnitude = nearest(&BigUint::from(value.unsigned_abs()), &BigUint::from(1u8), false);
        Extended { negative: value < 0, magnitude }
    }

    /// The number in C's `long double` of 10 bytes: 64 bits of mantissa, 15 of exponent, a sign.
    pub(crate) fn from_bits(mantissa: u64, sign_and_exponent: u16) -> Extended {
        let exponent = i32::from(sign_and_exponent & 0x7fff);
        let magnitude = match (exponent, mantissa >> 63) {
            (0x7fff, _) if mantissa << 1 == 0 && mantissa != 0 => Magnitude::Infinite,
            (0x7fff, _) | (1.., 0) => Magnitude::Nan,
            _ => Magnitude::Finite { mantissa, exponent: exponent.max(1) - 16383 - 63 },
        };
        Extended { negative: sign_and_exponent >> 15 == 1, magnitude }
    }

    /// Exactly the same number.
    pub(crate) fn from_f64(value: f64) -> Extended {
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        let magnitude = match exponent {
            0x7ff if fraction == 0 => Magnitude::Infinite,
            0x7ff => Magnitude::Nan,
            0 if fraction == 0 => Magnitude::Finite { mantissa: 0, exponent: 0 },
            _ => {
                let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
                let shift = mantissa.leading_zeros();
                Magnitude::Finite { mantissa: mantissa << shift, exponent: exponent.max(1) - 1075 - shift as i32 }
            }
        };
        Extended { negative: bits >> 63 == 1, magnitude }
    }

    /// Neither infinite nor no number.
    pub(crate) fn is_finite(&self) -> bool {
        matches!(self.magnitude, Magnitude::Finite { .. })
    }

    /// Their order; no number comes before every number.
    pub(crate) fn total_order(&self, other: &Extended) -> Ordering {
        let signed = |number: &Extended, order: Ordering| if number.negative { order.reverse() } else { order };
        match (self.magnitude, other.magnitude) {
            (Magnitude::Nan, Magnitude::Nan) => Ordering::Equal,
            (Magnitude::Nan, _) => Ordering::Less,
            (_, Magnitude::Nan) => Ordering::Greater,
            _ if self.is_zero() && other.is_zero() => Ordering::Equal,
            _ if self.is_zero() => signed(other, Ordering::Less),
            _ if other.is_zero() => signed(self, Ordering::Greater),
            _ if self.negative != other.negative => other.negative.cmp(&self.negative),
            (Magnitude::Infinite, Magnitude::Infinite) => Ordering::Equal,
            (Magnitude::Infinite, _) => signed(self, Ordering::Greater),
            (_, Magnitude::Infinite) => signed(self, Ordering::Less),
            (Magnitude::Finite { mantissa: a, exponent: i }, Magnitude::Finite { mantissa: b, exponent: j }) => {
                let highest = |mantissa: u64, exponent: i32| exponent - mantissa.leading_zeros() as i32;
                let aligned = |mantissa: u64| mantissa << mantissa.leading_zeros();
                signed(self, highest(a, i).cmp(&highest(b, j)).then(aligned(a).cmp(&aligned(b))))
            }
        }
    }

    /// A word below 2^63 that orders numbers as [`Extended::total_order`] does, as far as it goes: the sign, the
    /// exponent, 45 bits of the mantissa, and in the lowest bit whether there are others. When it is even, the number
    /// is known.
    pub(crate) fn rank(&self) -> u64 {
        const ZERO: u64 = 1 << 62;
        let size = match self.magnitude {
            Magnitude::Nan => return 0,
            Magnitude::Infinite => ZERO - 2,
            Magnitude::Finite { mantissa: 0, .. } => 0,
            Magnitude::Finite { mantissa, exponent } => {
                let shift = mantissa.leading_zeros();
                let highest = exponent - shift as i32 - LOWEST + u64::BITS as i32;
                let (bits, others) = (mantissa << shift >> 19, mantissa << shift << 45);
                (highest as u64) << 46 | bits << 1 | u64::from(others != 0)
            }
        };
        if self.negative { ZERO - size } else { ZERO + size }
    }

    fn is_zero(&self) -> bool {
        matches!(self.magnitude, Magnitude::Finite { mantissa: 0, .. })
    }

    /// Written by the directive `conversion`, one of `aefgAEFG`, without padding.
    pub(crate) fn format(&self, conversion: char, style: Style) -> String {
        let body = match self.magnitude {
            Magnitude::Infinite => "inf".to_string(),
            Magnitude::Nan => "nan".to_string(),
            Magnitude::Finite { mantissa, exponent } => {
                let precision = style.precision.unwrap_or(6);
                match conversion.to_ascii_lowercase() {
                    'a' => hexadecimal(mantissa, exponent, style),
                    'f' => fixed(mantissa, exponent, precision, style.alternate),
                    'e' => scientific(mantissa, exponent, precision, style.alternate),
                    _ => general(mantissa, exponent, precision.max(1), style.alternate),
                }
            }
        };
        let sign = match (self.negative, style.plus, style.space) {
            (true, ..) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            _ => "",
        };
        let text = format!("{sign}{body}");
        if conversion.is_ascii_uppercase() { text.to_ascii_uppercase() } else { text }
    }
}

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

fn power_of_ten(power: usize) -> BigUint {
    BigUint::from(10u8).pow(power as u32)
}

/// `over / under` rounded to 64 bits, ties to even; `sticky` stands for something below `over`'s last digit.
fn nearest(over: &BigUint, under: &BigUint, sticky: bool) -> Magnitude {
    if over.bits() == 0 {
        return Magnitude::Finite { mantissa: 0, exponent: 0 };
    }
    // The quotient's highest bit is at this exponent, or one above.
    let highest = over.bits() as i32 - under.bits() as i32 - 1;
    let mut lowest = (highest - 63).max(LOWEST);
    loop {
        let rounded = match lowest {
            0.. => divide(over, &(under << lowest as u32), sticky),
            _ => divide(&(over << lowest.unsigned_abs()), under, sticky),
        };
        if rounded.bits() > 64 {
            lowest += 1;
            continue;
        }
        let mantissa = rounded.iter_u64_digits().next().unwrap_or(0);
        if lowest + rounded.bits() as i32 > HIGHEST {
            return Magnitude::Infinite;
        }
        return Magnitude::Finite { mantissa, exponent: lowest };
    }
}

/// `over / under` rounded to a whole number, ties to even.
fn divide(over: &BigUint, under: &BigUint, sticky: bool) -> BigUint {
    let quotient = over / under;
    let twice = (over - &quotient * under) << 1u8;
    let up = match twice.cmp(under) {
        Ordering::Greater => true,
        Ordering::Equal => sticky || quotient.bit(0),
        Ordering::Less => false,
    };
    if up { quotient + 1u8 } else { quotient }
}

/// `mantissa * 2^exponent * 10^power`, rounded to a whole number.
fn scaled(mantissa: u64, exponent: i32, power: i64) -> BigUint {
    let mut over = BigUint::from(mantissa);
    let mut under = BigUint::from(1u8);
    match exponent {
        0.. => over <<= exponent as u32,
        _ => under <<= exponent.unsigned_abs(),
    }
    match power {
        0.. => over *= power_of_ten(power as usize),
        _ => under *= power_of_ten(power.unsigned_abs() as usize),
    }
    divide(&over, &under, false)
}

fn fixed(mantissa: u64, exponent: i32, precision: usize, point: bool) -> String {
    let exact = precision.min(LOWEST.unsigned_abs() as usize);
    let digits = scaled(mantissa, exponent, exact as i64).to_string();
    let digits = format!("{digits:0>width$}", width = exact + 1);
    let (whole, fraction) = digits.split_at(digits.len() - exact);
    let point = if precision > 0 || point { "." } else { "" };
    format!("{whole}{point}{fraction}{}", "0".repeat(precision - exact))
}

/// `count` significant digits, and the power of ten of the first.
fn significant(mantissa: u64, exponent: i32, count: usize) -> (String, i64) {
    if mantissa == 0 {
        return ("0".repeat(count), 0);
    }
    let exact = count.min(LOWEST.unsigned_abs() as usize + 5000);
    let highest = f64::from(exponent) + (mantissa as f64).log2();
    let mut power = (highest * std::f64::consts::LOG10_2).floor() as i64;
    loop {
        let digits = scaled(mantissa, exponent, exact as i64 - 1 - power).to_string();
        match digits.len().cmp(&exact) {
            Ordering::Less => power -= 1,
            Ordering::Greater => power += 1,
            Ordering::Equal => return (digits + &"0".repeat(count - exact), power),
        }
    }
}

fn scientific(mantissa: u64, exponent: i32, precision: usize, point: bool) -> String {
    let (digits, power) = significant(mantissa, exponent, precision + 1);
    let point = if precision > 0 || point { "." } else { "" };
    let sign = if power < 0 { '-' } else { '+' };
    format!("{}{point}{}e{sign}{:02}", &digits[..1], &digits[1..], power.abs())
}

fn general(mantissa: u64, exponent: i32, precision: usize, keep_zeros: bool) -> String {
    let (_, power) = significant(mantissa, exponent, precision);
    let text = if power < -4 || power >= precision as i64 {
        scientific(mantissa, exponent, precision - 1, keep_zeros)
    } else {
        fixed(mantissa, exponent, (precision as i64 - 1 - power) as usize, keep_zeros)
    };
    if keep_zeros || !text.contains('.') {
        return text;
    }
    let (number, power) = text.split_at(text.find('e').unwrap_or(text.len()));
    format!("{}{power}", number.trim_end_matches('0').trim_end_matches('.'))
}

/// As the x87 shows it: the highest four bits before the point.
fn hexadecimal(mantissa: u64, exponent: i32, style: Style) -> String {
    let mut power = if mantissa == 0 { 0 } else { exponent + 60 };
    let mut value = u128::from(mantissa);
    let mut places = 15;
    match style.precision {
        Some(precision) if precision < 15 => {
            let cut = 4 * (15 - precision as u32);
            let rest = value & ((1 << cut) - 1);
            value >>= cut;
            let half = 1 << (cut - 1);
            if rest > half || (rest == half && value & 1 == 1) {
                value += 1;
            }
            places = precision;
            if value >> (4 * places + 4) != 0 {
                value >>= 4;
                power += 4;
            }
        }
        Some(precision) => places = precision,
        None => {}
    }
    let kept = places.min(15);
    let digits = format!("{value:0width$x}", width = kept + 1);
    let mut fraction = format!("{}{}", &digits[1..], "0".repeat(places - kept));
    if style.precision.is_none() {
        fraction.truncate(fraction.trim_end_matches('0').len());
    }
    let point = if fraction.is_empty() && !style.alternate { "" } else { "." };
    format!("0x{}{point}{fraction}p{power:+}", &digits[..1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, conversion: char, precision: Option<usize>) -> String {
        Extended::parse(text).0.format(conversion, Style { precision, ..Style::default() })
    }

    #[test]
    fn text_is_read_to_64_bits_and_written_exactly() {
        assert_eq!(shown("0.1", 'f', Some(25)), "0.1000000000000000000013553");
        assert_eq!(shown("3.14159", 'f', Some(1)), "3.1");
        assert_eq!(shown("2.5", 'f', Some(0)), "2");
        assert_eq!(shown("-1e-30", 'f', None), "-0.000000");
        assert_eq!(shown("1e4000", 'e', Some(2)), "1.00e+4000");
        assert_eq!(shown("1e5000", 'g', None), "inf");
        assert_eq!(shown("0x1.8p1", 'g', None), "3");
        assert_eq!(shown("18446744073709551615", 'f', Some(0)), "18446744073709551615");
    }

    #[test]
    fn the_general_form_is_the_shorter() {
        for (text, expected) in
            [("0.0001", "0.0001"), ("0.00001", "1e-05"), ("1000000", "1e+06"), ("123456.7", "123457")]
        {
            assert_eq!(shown(text, 'g', None), expected);
        }
        assert_eq!(shown("999999.5", 'g', None), "1e+06");
        assert_eq!(shown("0", 'g', None), "0");
        assert_eq!(shown("12345.678", 'E', None), "1.234568E+04");
    }

    #[test]
    fn ranks_are_in_the_order_of_their_numbers() {
        let texts = [
            "nan", "-inf", "-1e4000", "-1.5", "-1", "-1e-4940", "0", "1e-4950", "1e-4940", "0.1", "1", "1.5", "1e4000",
            "inf",
        ];
        let numbers: Vec<Extended> = texts.iter().map(|text| Extended::parse(text).0).collect();
        assert!(numbers.is_sorted_by(|a, b| a.total_order(b) == Ordering::Less));
        assert!(numbers.is_sorted_by(|a, b| a.rank() < b.rank()));
        assert_eq!(Extended::parse("-0").0.rank(), Extended::ZERO.rank());
        let is_known = |text: &str| Extended::parse(text).0.rank().is_multiple_of(2);
        assert!(["nan", "-inf", "0", "-1", "3e10", "0.5"].into_iter().all(is_known));
        assert!(!["0.1", "-0.1", "1e4000", "12345678901234567"].into_iter().any(is_known));
    }

    #[test]
    fn hexadecimal_as_the_x87() {
        assert_eq!(shown("1", 'a', None), "0x8p-3");
        assert_eq!(shown("3.14", 'a', None), "0xc.8f5c28f5c28f5c3p-2");
        assert_eq!(shown("3.14", 'a', Some(2)), "0xc.8fp-2");
        assert_eq!(shown("0", 'a', None), "0x0p+0");
    }

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
