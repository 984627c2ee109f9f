//! The 80-bit floating point numbers (64 bits of mantissa) in which bash's `printf` and GNU's `seq` and `numfmt` count.
//!
//! Text is read to the nearest number and written exactly, by whole-number arithmetic, as C's `strtold` and `printf`
//! do.
mod arithmetic;
mod nearest;
mod read;
mod write;

pub(crate) use arithmetic::Rounding;
use nearest::nearest;
use num_bigint::BigUint;
use std::cmp::Ordering;
pub(crate) use write::Style;

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

/// The lowest bit that exists has this exponent; nothing has more decimals than its negative.
const LOWEST: i32 = -16445;
impl Extended {
    /// 0.
    pub(crate) const ZERO: Extended =
        Extended { negative: false, magnitude: Magnitude::Finite { mantissa: 0, exponent: 0 } };

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
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
