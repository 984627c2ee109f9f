//! The functions of `bc -l`: computed with guard digits, cut off at the scale.
use super::number::{Number, power_of_ten};
use crate::{Cancel, Result};
use num_bigint::{BigInt, Sign};

/// Numbers with a fixed count of digits after the point.
struct Fixed<'a> {
    places: usize,
    unit: BigInt,
    cancel: &'a Cancel,
}

/// Digits beyond those that are asked for.
const GUARD: usize = 12;

/// The functions by the names that the language has for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Sine,
    Cosine,
    Arctangent,
    Logarithm,
    Exponential,
    Bessel,
}

impl Function {
    pub(super) fn named(name: &str) -> Option<Function> {
        Some(match name {
            "s" => Function::Sine,
            "c" => Function::Cosine,
            "a" => Function::Arctangent,
            "l" => Function::Logarithm,
            "e" => Function::Exponential,
            "j" => Function::Bessel,
            _ => return None,
        })
    }

    pub(super) fn parameters(self) -> usize {
        if self == Function::Bessel { 2 } else { 1 }
    }
}

/// The value of `function`, with `scale` digits after the point.
pub(super) fn value(function: Function, arguments: &[Number], scale: usize, cancel: &Cancel) -> Result<Number> {
    let Some(x) = arguments.last() else { return Ok(Number::default()) };
    let size = x.whole().magnitude().to_string().len();
    let at = |extra: usize| Fixed::new(scale + GUARD + extra, cancel);
    let (places, digits) = match function {
        Function::Exponential => {
            if x.is_zero() {
                return Ok(Number::new(power_of_ten(scale), scale));
            }
            // e^x has about x / 2.3 digits before the point.
            let before = u32::try_from(x.whole().magnitude()).unwrap_or(u32::MAX) as usize / 2 + size;
            if before > 1 << 20 {
                return if x.is_negative() { Ok(Number::new(0, scale)) } else { Err(super::machine::too_large()) };
            }
            let fixed = at(before);
            (fixed.places, fixed.exponential(&x.at_scale(fixed.places))?)
        }
        Function::Logarithm => {
            if x.is_negative() || x.is_zero() {
                let least = (BigInt::from(1u8) - power_of_ten(scale)) * power_of_ten(scale);
                return Ok(Number::new(least, scale));
            }
            let fixed = at(x.scale + size);
            (fixed.places, fixed.logarithm(&x.at_scale(fixed.places))?)
        }
        Function::Sine | Function::Cosine => {
            let fixed = at(size);
            let angle = x.at_scale(fixed.places);
            let angle = if function == Function::Sine { angle } else { angle + fixed.pi()? / 2 };
            (fixed.places, fixed.sine(&angle)?)
        }
        Function::Arctangent => {
            let fixed = at(size);
            (fixed.places, fixed.arctangent(&x.at_scale(fixed.places))?)
        }
        Function::Bessel => {
            let order = arguments[0].whole();
            let steps = u64::try_from(order.magnitude()).unwrap_or(u64::MAX);
            // Large terms of both signs cancel out: they need their own digits.
            let cancelled = u32::try_from(x.whole().magnitude()).unwrap_or(u32::MAX) as usize;
            if cancelled > 100_000 || steps > 100_000 {
                return Err(super::machine::too_large());
            }
            let fixed = at(size + cancelled);
            let bessel = fixed.bessel(steps, &x.at_scale(fixed.places))?;
            let odd = order.sign() == Sign::Minus && steps % 2 == 1;
            (fixed.places, if odd { -bessel } else { bessel })
        }
    };
    Ok(Number::new(digits, places).cut(scale))
}

impl Fixed<'_> {
    fn new(places: usize, cancel: &Cancel) -> Fixed<'_> {
        Fixed { places, unit: power_of_ten(places), cancel }
    }

    fn times(&self, a: &BigInt, b: &BigInt) -> BigInt {
        a * b / &self.unit
    }

    fn over(&self, a: &BigInt, b: &BigInt) -> BigInt {
        a * &self.unit / b
    }

    /// The sum of `first` and all terms that `next` makes of the one before, until they vanish.
    fn series(&self, first: BigInt, mut next: impl FnMut(&BigInt, u64) -> BigInt) -> Result<BigInt> {
        let mut sum = first.clone();
        let mut term = first;
        for step in 1.. {
            self.cancel.check()?;
            term = next(&term, step);
            if term.sign() == Sign::NoSign {
                break;
            }
            sum += &term;
        }
        Ok(sum)
    }

    fn exponential(&self, x: &BigInt) -> Result<BigInt> {
        // Halve until small, square as often.
        let mut halvings = 0;
        let mut small = x.clone();
        while small.magnitude() * 8u8 > *self.unit.magnitude() {
            small /= 2;
            halvings += 1;
        }
        // Each squaring doubles the error.
        let inner = Fixed::new(self.places + halvings / 3 + 4, self.cancel);
        let small = x * power_of_ten(inner.places - self.places) / (BigInt::from(1u8) << halvings);
        let mut value = inner.series(inner.unit.clone(), |term, step| inner.times(term, &small) / step)?;
        for _ in 0..halvings {
            self.cancel.check()?;
            value = inner.times(&value, &value);
        }
        Ok(value / power_of_ten(inner.places - self.places))
    }

    /// Of a positive number.
    fn logarithm(&self, x: &BigInt) -> Result<BigInt> {
        // x = m * 2^k with m about 1.
        let shift = x.bits() as i64 - self.unit.bits() as i64;
        let near = match shift {
            0.. => x >> shift as u64,
            _ => x << shift.unsigned_abs(),
        };
        let two = BigInt::from(2u8) * &self.unit;
        Ok(self.near_one(&near)? + if shift == 0 { BigInt::ZERO } else { self.near_one(&two)? * shift })
    }

    /// The logarithm of a number that is not far from 1: twice the inverse hyperbolic tangent of (x-1)/(x+1).
    fn near_one(&self, x: &BigInt) -> Result<BigInt> {
        let ratio = self.over(&(x - &self.unit), &(x + &self.unit));
        Ok(self.odd_powers(&ratio, &self.times(&ratio, &ratio))? * 2)
    }

    /// `x + x*square/3 + x*square^2/5 + …`
    fn odd_powers(&self, x: &BigInt, square: &BigInt) -> Result<BigInt> {
        let mut power = x.clone();
        self.series(x.clone(), |_, step| {
            power = self.times(&power, square);
            &power / (2 * step + 1)
        })
    }

    fn arctangent(&self, x: &BigInt) -> Result<BigInt> {
        // a(x) = 2 a(x / (1 + sqrt(1 + x^2))), until x is small.
        let mut small = x.clone();
        let mut doublings = 0;
        while small.magnitude() * 5u8 > *self.unit.magnitude() {
            let root = ((&self.unit * &self.unit) + &small * &small).sqrt();
            small = self.over(&small, &(&self.unit + root));
            doublings += 1;
        }
        let square = -self.times(&small, &small);
        Ok(self.odd_powers(&small, &square)? << doublings)
    }

    /// By Machin's formula.
    fn pi(&self) -> Result<BigInt> {
        let part = |under: u8| -> Result<BigInt> {
            let x = &self.unit / under;
            self.odd_powers(&x, &-self.times(&x, &x))
        };
        Ok(part(5)? * 16 - part(239)? * 4)
    }

    fn sine(&self, x: &BigInt) -> Result<BigInt> {
        let half_turn = self.pi()?;
        // The nearest multiple of half a turn is taken off; an odd one changes the sign.
        let half = if x.sign() == Sign::Minus { -&half_turn } else { half_turn.clone() };
        let turns: BigInt = (x * 2 + half) / (&half_turn * 2);
        let angle = x - &turns * &half_turn;
        let square = -self.times(&angle, &angle);
        let sine = self.series(angle, |term, step| self.times(term, &square) / ((2 * step) * (2 * step + 1)))?;
        Ok(if turns.bit(0) { -sine } else { sine })
    }

    fn bessel(&self, order: u64, x: &BigInt) -> Result<BigInt> {
        let half = x / 2;
        let mut first = self.unit.clone();
        for step in 1..=order {
            self.cancel.check()?;
            first = self.times(&first, &half) / step;
        }
        let square = -self.times(&half, &half);
        self.series(first, |term, step| self.times(term, &square) / step / (step + order))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    fn shown(function: Function, x: &str, scale: usize) -> String {
        let value = value(function, &[Number::parse(x, 10)], scale, &Cancel::new()).unwrap();
        value.show(&BigUint::from(10u8))
    }

    #[test]
    fn values_are_right_to_the_last_digit() {
        assert_eq!(shown(Function::Exponential, "1", 20), "2.71828182845904523536");
        assert_eq!(shown(Function::Logarithm, "2", 20), ".69314718055994530941");
        assert_eq!(shown(Function::Sine, "100", 20), "-.50636564110975879365");
        assert_eq!(shown(Function::Cosine, "0", 5), "1.00000");
        assert_eq!(shown(Function::Arctangent, "1", 20), ".78539816339744830961");
    }
}
