//! Decimal numbers of any length, as `-n` and `-h` compare them.
use super::key::{is_blank, skip};
use std::{cmp::Ordering, iter};

/// A number, by its digits.
#[derive(Clone, Debug)]
pub(super) struct Number<'l> {
    pub(super) negative: bool,
    /// Digits before the point, without leading zeros.
    whole: &'l [u8],
    /// Digits after the point, without trailing zeros.
    fraction: &'l [u8],
    /// Bytes that it takes after the blanks before it: none where there is no digit.
    pub(super) length: usize,
    /// What follows it.
    pub(super) after: &'l [u8],
}

/// The bits of a head: the sign, how many digits there are before the point, the first digits, and whether there are
/// others.
pub(super) const HEAD_BITS: u32 = 1 + COUNT_BITS + DIGITS_BITS + 1;
const COUNT_BITS: u32 = 6;
const DIGITS_BITS: u32 = 50;
/// Digits that [`DIGITS_BITS`] hold.
const DIGITS: usize = 15;
/// A head tells no two numbers apart that have as many digits before the point, or more.
const MANY_DIGITS: usize = (1 << COUNT_BITS) - 1;
/// The sign of a head.
const POSITIVE: u64 = 1 << (HEAD_BITS - 1);

impl<'l> Number<'l> {
    /// The number that `text` begins with after blanks.
    pub(super) fn read(text: &'l [u8]) -> Number<'l> {
        let digit = |byte: u8| byte.is_ascii_digit();
        let first = skip(text, 0, is_blank);
        let is_signed = text.get(first) == Some(&b'-');
        let digits = first + usize::from(is_signed);
        let whole = skip(text, digits, |byte| byte == b'0');
        let mut end = skip(text, whole, digit);
        let whole = &text[whole..end];
        let mut fraction: &[u8] = &[];
        let mut has_digits = end > digits;
        if text.get(end) == Some(&b'.') {
            let after = skip(text, end + 1, digit);
            has_digits |= after > end + 1;
            let zeros = text[end + 1..after].iter().rev().take_while(|byte| **byte == b'0').count();
            fraction = &text[end + 1..after - zeros];
            end = after;
        }
        let length = if has_digits { end - first } else { 0 };
        let mut number = Number { negative: is_signed, whole, fraction, length, after: &text[end..] };
        number.negative &= !number.is_zero();
        number
    }

    pub(super) fn is_zero(&self) -> bool {
        self.whole.is_empty() && self.fraction.is_empty()
    }

    pub(super) fn compare(&self, other: &Number<'_>) -> Ordering {
        if self.negative != other.negative {
            return other.negative.cmp(&self.negative);
        }
        let order = self.whole.len().cmp(&other.whole.len());
        let order = order.then_with(|| self.whole.cmp(other.whole)).then_with(|| self.fraction.cmp(other.fraction));
        if self.negative { order.reverse() } else { order }
    }

    /// A word of [`HEAD_BITS`] that orders numbers as they are compared, as far as it goes.
    pub(super) fn head(&self) -> u64 {
        let size = if self.whole.len() < MANY_DIGITS {
            let digits = self.whole.iter().chain(self.fraction).map(|digit| u64::from(digit - b'0'));
            let first = digits.chain(iter::repeat(0)).take(DIGITS).fold(0, |sum, digit| sum * 10 + digit);
            let has_more = self.whole.len() + self.fraction.len() > DIGITS;
            (self.whole.len() as u64) << (DIGITS_BITS + 1) | first << 1 | u64::from(has_more)
        } else {
            POSITIVE - 1
        };
        if self.negative { POSITIVE - 1 - size } else { POSITIVE | size }
    }

    /// Whether numbers of this head are equal.
    pub(super) fn is_exact(head: u64) -> bool {
        let size = if head & POSITIVE == 0 { !head } else { head };
        size & 1 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_in_the_order_of_their_numbers() {
        let many = format!("1{}", "0".repeat(62));
        let more = format!("1{}", "0".repeat(70));
        let texts = [
            "-1234567890123456",
            "-1234567890123455.5",
            "-100",
            "-99.5",
            "-0.5",
            "-.25",
            "0",
            "0.05",
            "0.5",
            "7",
            "9.75",
            "10",
            "99",
            "123456789012345",
            "123456789012345.5",
            "1234567890123456",
            &many,
            &more,
        ];
        let heads: Vec<u64> = texts.iter().map(|text| Number::read(text.as_bytes()).head()).collect();
        assert!(heads.is_sorted());
        let differ: Vec<bool> = heads.windows(2).map(|pair| pair[0] != pair[1]).collect();
        assert_eq!(differ.iter().filter(|differ| !**differ).count(), 2);
        let exact = |text: &str| Number::is_exact(Number::read(text.as_bytes()).head());
        assert!(["0", "-0", "x", "-1.50", "123456789012345", "-0001.0"].iter().all(|text| exact(text)));
        assert!(["1234567890123456", "-123456789012345.5", &many].iter().all(|text| !exact(text)));
    }
}
