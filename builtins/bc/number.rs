//! Decimal numbers: whole ones, and how many of their digits stand after the point. Results are cut off, never rounded.
use crate::pad;
use num_bigint::{BigInt, BigUint, Sign};
use std::cmp::Ordering;

/// `digits / 10^scale`
#[derive(Clone, Debug, Default)]
pub(super) struct Number {
    pub(super) digits: BigInt,
    pub(super) scale: usize,
}

pub(super) fn power_of_ten(exponent: usize) -> BigInt {
    BigInt::from(10u8).pow(exponent as u32)
}

impl Number {
    pub(super) fn new(digits: impl Into<BigInt>, scale: usize) -> Number {
        Number { digits: digits.into(), scale }
    }

    /// A constant as it is written in base `base`. Digits too large for the base count as its largest, unless they
    /// stand alone.
    pub(super) fn parse(text: &str, base: u32) -> Number {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        if base == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
            let digits = format!("{whole}{fraction}");
            return Number::new(digits.parse::<BigInt>().unwrap_or_default(), fraction.len());
        }
        let alone = text.len() == 1;
        let value = |text: &str| {
            text.chars()
                .filter_map(|digit| digit.to_digit(36))
                .fold(BigInt::ZERO, |value, digit| value * base + if alone { digit } else { digit.min(base - 1) })
        };
        let scale = fraction.len();
        let below = value(fraction) * power_of_ten(scale) / BigInt::from(base).pow(scale as u32);
        Number::new(value(whole) * power_of_ten(scale) + below, scale)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.digits.sign() == Sign::NoSign
    }

    pub(super) fn is_negative(&self) -> bool {
        self.digits.sign() == Sign::Minus
    }

    /// The digits it would have with `scale` of them after the point.
    pub(super) fn at_scale(&self, scale: usize) -> BigInt {
        match scale.cmp(&self.scale) {
            Ordering::Equal => self.digits.clone(),
            Ordering::Greater => &self.digits * power_of_ten(scale - self.scale),
            Ordering::Less => &self.digits / power_of_ten(self.scale - scale),
        }
    }

    /// No more than `scale` digits after the point.
    pub(super) fn cut(self, scale: usize) -> Number {
        if self.scale <= scale { self } else { Number::new(self.at_scale(scale), scale) }
    }

    pub(super) fn whole(&self) -> BigInt {
        self.at_scale(0)
    }

    pub(super) fn compare(&self, other: &Number) -> Ordering {
        let scale = self.scale.max(other.scale);
        self.at_scale(scale).cmp(&other.at_scale(scale))
    }

    pub(super) fn negative(self) -> Number {
        Number::new(-self.digits, self.scale)
    }

    pub(super) fn add(&self, other: &Number) -> Number {
        let scale = self.scale.max(other.scale);
        Number::new(self.at_scale(scale) + other.at_scale(scale), scale)
    }

    pub(super) fn subtract(&self, other: &Number) -> Number {
        self.add(&other.clone().negative())
    }

    pub(super) fn multiply(&self, other: &Number, scale: usize) -> Number {
        let product = Number::new(&self.digits * &other.digits, self.scale + other.scale);
        product.cut(scale.max(self.scale).max(other.scale))
    }

    /// `None` by 0.
    pub(super) fn divide(&self, other: &Number, scale: usize) -> Option<Number> {
        if other.is_zero() {
            return None;
        }
        let over = &self.digits * power_of_ten(scale + other.scale);
        let under = &other.digits * power_of_ten(self.scale);
        Some(Number::new(over / under, scale))
    }

    /// What division to `scale` digits leaves; `None` by 0.
    pub(super) fn remainder(&self, other: &Number, scale: usize) -> Option<Number> {
        let quotient = self.divide(other, scale)?;
        let full = self.scale.max(other.scale + scale);
        let product = Number::new(&quotient.digits * &other.digits, scale + other.scale);
        Some(Number::new(self.at_scale(full) - product.at_scale(full), full))
    }

    /// `None` for 0 to a negative power.
    pub(super) fn power(&self, exponent: i64, scale: usize) -> Option<Number> {
        let count = u32::try_from(exponent.unsigned_abs()).unwrap_or(u32::MAX);
        if count == 0 {
            return Some(Number::new(1, 0));
        }
        let power = Number::new(self.digits.pow(count), self.scale * count as usize);
        match exponent {
            ..0 => Number::new(1, 0).divide(&power, scale),
            _ => {
                let full = power.scale.min(scale.max(self.scale));
                Some(power.cut(full))
            }
        }
    }

    /// `None` of a negative number.
    pub(super) fn square_root(&self, scale: usize) -> Option<Number> {
        let one = Number::new(1, 0);
        match self.digits.sign() {
            Sign::Minus => None,
            Sign::NoSign => Some(Number::default()),
            Sign::Plus if self.compare(&one) == Ordering::Equal => Some(one),
            Sign::Plus => {
                let scale = scale.max(self.scale);
                Some(Number::new(self.at_scale(2 * scale).sqrt(), scale))
            }
        }
    }

    /// Digits that count: those before the point without leading zeros, and all after it.
    pub(super) fn length(&self) -> usize {
        let whole = self.whole();
        let before = if whole.sign() == Sign::NoSign { 0 } else { whole.magnitude().to_string().len() };
        (before + self.scale).max(1)
    }

    /// As it is written in base `base`: no zero before the point. Digits of bases above 16 are decimal numbers, each
    /// with a blank before it.
    pub(super) fn show(&self, base: &BigUint) -> String {
        let mut text = if self.is_negative() { "-".to_string() } else { String::new() };
        if self.is_zero() {
            return "0".to_string();
        }
        let magnitude = self.digits.magnitude();
        if *base == BigUint::from(10u8) {
            let digits = pad::before(&magnitude.to_string(), self.scale, '0');
            let (whole, fraction) = digits.split_at(digits.len() - self.scale);
            text += whole;
            if self.scale > 0 {
                text += &format!(".{fraction}");
            }
            return text;
        }
        let unit = power_of_ten(self.scale).magnitude().clone();
        let mut whole = magnitude / &unit;
        let mut fraction = magnitude % &unit;
        let width = (base - 1u8).to_string().len();
        let small = *base <= BigUint::from(16u8);
        let digit = |digit: &BigUint| match small {
            true => char::from_digit(u32::try_from(digit).unwrap_or(0), 16).unwrap_or('0').to_ascii_uppercase().into(),
            false => pad::before(&digit.to_string(), width, '0'),
        };
        let mut digits = Vec::new();
        while whole.bits() > 0 {
            digits.push(digit(&(&whole % base)));
            whole /= base;
        }
        let blank = if small { "" } else { " " };
        digits.iter().rev().for_each(|digit| text += &format!("{blank}{digit}"));
        if self.scale > 0 {
            text.push('.');
            let mut reached = BigUint::from(1u8);
            while reached < unit || reached == BigUint::from(1u8) {
                fraction *= base;
                let blank = if reached == BigUint::from(1u8) { "" } else { blank };
                text += &format!("{blank}{}", digit(&(&fraction / &unit)));
                fraction %= &unit;
                reached *= base;
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::parse(text, 10)
    }

    fn shown(number: Option<Number>) -> String {
        number.map_or("none".to_string(), |number| number.show(&BigUint::from(10u8)))
    }

    #[test]
    fn results_are_cut_off() {
        assert_eq!(shown(number("2").divide(&number("3"), 5)), ".66666");
        assert_eq!(shown(number("7.5").remainder(&number("2"), 0)), "1.5");
        assert_eq!(shown(number("1.23").multiply(&number("4.56"), 0).into()), "5.60");
        assert_eq!(shown(number("1.5").power(3, 0)), "3.3");
        assert_eq!(shown(number("2").power(-2, 4)), ".2500");
        assert_eq!(shown(number("2").square_root(4)), "1.4142");
        assert_eq!(shown(number("1").divide(&number("0"), 4)), "none");
    }

    #[test]
    fn bases_have_their_digits() {
        assert_eq!(number("255.5").show(&BigUint::from(16u8)), "FF.8");
        assert_eq!(number("1000.5").show(&BigUint::from(20u8)), " 02 10 00.10");
        assert_eq!(shown(Some(Number::parse("FF", 16))), "255");
        assert_eq!(shown(Some(Number::parse("A", 2))), "10");
        assert_eq!(shown(Some(Number::parse("1.8", 16))), "1.5");
    }
}
