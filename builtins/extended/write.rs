//! Numbers as text, exactly, as the directives `aefgAEFG` of C's `printf` write them.
use super::{
    Extended, LOWEST, Magnitude,
    nearest::{divide, power_of_ten},
};
use num_bigint::BigUint;
use std::cmp::Ordering;

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

impl Extended {
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

/// By `f`: `precision` decimals, and a point where there are some or `point` asks for it.
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

/// By `e`: one digit, the decimals, and a power of ten.
fn scientific(mantissa: u64, exponent: i32, precision: usize, point: bool) -> String {
    let (digits, power) = significant(mantissa, exponent, precision + 1);
    let point = if precision > 0 || point { "." } else { "" };
    let sign = if power < 0 { '-' } else { '+' };
    format!("{}{point}{}e{sign}{:02}", &digits[..1], &digits[1..], power.abs())
}

/// By `g`: the shorter of the two, with `precision` significant digits.
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

/// By `a`, as the x87 shows it: the highest four bits before the point.
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
    fn hexadecimal_as_the_x87() {
        assert_eq!(shown("1", 'a', None), "0x8p-3");
        assert_eq!(shown("3.14", 'a', None), "0xc.8f5c28f5c28f5c3p-2");
        assert_eq!(shown("3.14", 'a', Some(2)), "0xc.8fp-2");
        assert_eq!(shown("0", 'a', None), "0x0p+0");
    }
}
