//! Sums, products and quotients, each rounded to 64 bits, and rounding to whole numbers.
use super::{Extended, Magnitude, nearest};
use num_bigint::BigUint;
use std::ops::{Add, Div, Mul, Neg};

/// Which whole number stands for one with decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// Towards positive infinity.
    Up,
    /// Towards negative infinity.
    Down,
    /// The one with the larger magnitude.
    FromZero,
    /// The one with the smaller magnitude.
    TowardsZero,
    /// The nearer one; halves from zero.
    Nearest,
}

impl Extended {
    /// The whole number that stands for it.
    pub(crate) fn rounded(self, rounding: Rounding) -> Extended {
        let Some((over, under)) = self.fraction() else { return self };
        let whole = &over / &under;
        let rest = over - &whole * &under;
        let up = rest.bits() > 0
            && match rounding {
                Rounding::Up => !self.negative,
                Rounding::Down => self.negative,
                Rounding::FromZero => true,
                Rounding::TowardsZero => false,
                Rounding::Nearest => rest * 2u8 >= under,
            };
        self.with(&if up { whole + 1u8 } else { whole }, &BigUint::from(1u8))
    }

    /// Its magnitude, `over / under`; `None` for what is not finite.
    fn fraction(&self) -> Option<(BigUint, BigUint)> {
        let Magnitude::Finite { mantissa, exponent } = self.magnitude else { return None };
        let (mantissa, one) = (BigUint::from(mantissa), BigUint::from(1u8));
        Some(match exponent {
            0.. => (mantissa << exponent as u32, one),
            _ => (mantissa, one << exponent.unsigned_abs()),
        })
    }

    /// The number nearest to `over / under`, with its own sign.
    fn with(self, over: &BigUint, under: &BigUint) -> Extended {
        Extended { negative: self.negative, magnitude: nearest(over, under, false) }
    }

    const NAN: Extended = Extended { negative: false, magnitude: Magnitude::Nan };
}

impl Neg for Extended {
    type Output = Extended;

    fn neg(self) -> Extended {
        Extended { negative: !self.negative, ..self }
    }
}

/// Between finite numbers; anything else gives no number.
impl Add for Extended {
    type Output = Extended;

    fn add(self, other: Extended) -> Extended {
        let (Some((a, i)), Some((b, j))) = (self.fraction(), other.fraction()) else { return Extended::NAN };
        let (a, b, under) = (a * &j, b * &i, i * j);
        match self.negative == other.negative {
            true => self.with(&(a + b), &under),
            false if a >= b => self.with(&(a - b), &under),
            false => other.with(&(b - a), &under),
        }
    }
}

/// Between finite numbers; anything else gives no number.
impl Mul for Extended {
    type Output = Extended;

    fn mul(self, other: Extended) -> Extended {
        let (Some((a, i)), Some((b, j))) = (self.fraction(), other.fraction()) else { return Extended::NAN };
        Extended { negative: self.negative != other.negative, magnitude: nearest(&(a * b), &(i * j), false) }
    }
}

/// Between finite numbers, by what is not 0; anything else gives no number.
impl Div for Extended {
    type Output = Extended;

    fn div(self, other: Extended) -> Extended {
        let (Some((a, i)), Some((b, j))) = (self.fraction(), other.fraction()) else { return Extended::NAN };
        if b.bits() == 0 {
            return Extended::NAN;
        }
        Extended { negative: self.negative != other.negative, magnitude: nearest(&(a * j), &(i * b), false) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extended::Style;

    fn number(text: &str) -> Extended {
        Extended::parse(text).0
    }

    fn shown(number: Extended) -> String {
        number.format('f', Style { precision: Some(22), ..Style::default() })
    }

    #[test]
    fn results_have_64_bits() {
        assert_eq!(shown(number("1") / number("3")), "0.3333333333333333333424");
        assert_eq!(shown(number("0.1") + number("0.2")), "0.3000000000000000000108");
        assert_eq!(shown(number("-1.5") * number("3")), "-4.5000000000000000000000");
        assert_eq!(shown(number("2") + number("-5")), "-3.0000000000000000000000");
        assert_eq!(shown(number("1") / number("0")), "nan");
    }

    #[test]
    fn whole_numbers_are_chosen_by_the_rounding() {
        let round = |text, rounding| number(text).rounded(rounding).format('f', Style::default());
        assert_eq!(round("1.2", Rounding::Up), "2.000000");
        assert_eq!(round("-1.2", Rounding::Up), "-1.000000");
        assert_eq!(round("-1.2", Rounding::Down), "-2.000000");
        assert_eq!(round("-1.2", Rounding::FromZero), "-2.000000");
        assert_eq!(round("1.9", Rounding::TowardsZero), "1.000000");
        assert_eq!(round("2.5", Rounding::Nearest), "3.000000");
        assert_eq!(round("7", Rounding::FromZero), "7.000000");
    }
}
