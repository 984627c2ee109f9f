//! Rounding: the 64 bits that are nearest to a fraction of whole numbers.
use super::{LOWEST, Magnitude};
use num_bigint::BigUint;
use std::cmp::Ordering;

/// A number whose highest bit is at or above this exponent is infinite.
const HIGHEST: i32 = 16384;

/// `over / under` rounded to 64 bits, ties to even; `sticky` stands for something below `over`'s last digit.
pub(super) fn nearest(over: &BigUint, under: &BigUint, sticky: bool) -> Magnitude {
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
pub(super) fn divide(over: &BigUint, under: &BigUint, sticky: bool) -> BigUint {
    let quotient = over / under;
    let twice = (over - &quotient * under) << 1u8;
    let up = match twice.cmp(under) {
        Ordering::Greater => true,
        Ordering::Equal => sticky || quotient.bit(0),
        Ordering::Less => false,
    };
    if up { quotient + 1u8 } else { quotient }
}

/// 10 to the `power`.
pub(super) fn power_of_ten(power: usize) -> BigUint {
    BigUint::from(10u8).pow(power as u32)
}
