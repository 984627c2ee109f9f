//! Decimals of any size, exact.
use num_bigint::BigInt;

/// `digits / 10^decimals`, or without end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    digits: BigInt,
    decimals: usize,
    /// Larger (or, when the digits are negative, smaller) than any number.
    is_infinite: bool,
    /// Zero with a minus sign, as it was typed: what is counted is none.
    is_negative_zero: bool,
}

impl From<i64> for Decimal {
    fn from(value: i64) -> Decimal {
        Decimal { digits: value.into(), ..Decimal::ZERO }
    }
}

impl Decimal {
    /// No number has more digits behind the point, or more zeros before it.
    const MOST: i64 = 4096;

    const ZERO: Decimal = Decimal { digits: BigInt::ZERO, decimals: 0, is_infinite: false, is_negative_zero: false };

    /// Read `-1.50`, `1e3`, `0x1f` or `inf`.
    pub(super) fn read(text: &str) -> Option<Decimal> {
        let text = text.trim_start();
        let (is_negative, body) = match text.strip_prefix('-') {
            Some(body) => (true, body),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let signed = |digits: BigInt| if is_negative { -digits } else { digits };
        if body.eq_ignore_ascii_case("inf") || body.eq_ignore_ascii_case("infinity") {
            return Some(Decimal { digits: signed(1.into()), is_infinite: true, ..Decimal::ZERO });
        }
        if let Some(hex) = body.strip_prefix("0x").or_else(|| body.strip_prefix("0X")) {
            let digits = BigInt::parse_bytes(hex.as_bytes(), 16).filter(|_| !hex.starts_with(['-', '+']))?;
            return Some(Decimal { digits: signed(digits), ..Decimal::ZERO });
        }
        let (number, exponent) = match body.find(['e', 'E']) {
            Some(at) => (&body[..at], body[at + 1..].parse::<i64>().ok()?),
            None => (body, 0),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let all = format!("{whole}{fraction}");
        if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) || exponent.abs() > Decimal::MOST {
            return None;
        }
        let digits = BigInt::parse_bytes(all.as_bytes(), 10)?;
        let decimals = fraction.len() as i64 - exponent;
        let (digits, decimals) = match usize::try_from(decimals) {
            Ok(decimals) => (digits, decimals),
            Err(_) => (digits * BigInt::from(10).pow(decimals.unsigned_abs() as u32), 0),
        };
        let is_negative_zero = is_negative && digits == BigInt::ZERO;
        Some(Decimal { digits: signed(digits), decimals, is_negative_zero, ..Decimal::ZERO })
    }

    pub(super) fn decimals(&self) -> usize {
        self.decimals
    }

    pub(super) fn is_zero(&self) -> bool {
        self.digits == BigInt::ZERO && !self.is_infinite
    }

    fn scaled(&self, decimals: usize) -> BigInt {
        match decimals.checked_sub(self.decimals) {
            Some(0) => self.digits.clone(),
            Some(more) => &self.digits * BigInt::from(10).pow(more as u32),
            None => &self.digits / BigInt::from(10).pow((self.decimals - decimals) as u32),
        }
    }

    pub(super) fn plus(&self, step: &Decimal) -> Decimal {
        let decimals = self.decimals.max(step.decimals);
        let digits = self.scaled(decimals) + step.scaled(decimals);
        Decimal { digits, decimals, is_infinite: self.is_infinite || step.is_infinite, ..Decimal::ZERO }
    }

    /// Whether it lies behind `last` when one counts by `step`.
    pub(super) fn is_past(&self, last: &Decimal, step: &Decimal) -> bool {
        let goes_up = step.digits > BigInt::ZERO;
        if last.is_infinite || self.is_infinite {
            let ahead = if last.is_infinite { last.digits > BigInt::ZERO } else { self.digits <= BigInt::ZERO };
            return goes_up != ahead;
        }
        let decimals = self.decimals.max(last.decimals);
        let (here, end) = (self.scaled(decimals), last.scaled(decimals));
        if goes_up { here > end } else { here < end }
    }

    /// With so many digits behind the point, and zeros before it up to `width`.
    pub(super) fn show(&self, decimals: usize, width: usize) -> String {
        if self.is_infinite {
            return if self.digits > BigInt::ZERO { "inf".to_string() } else { "-inf".to_string() };
        }
        let scaled = self.scaled(decimals);
        let sign = if scaled < BigInt::ZERO || self.is_negative_zero { "-" } else { "" };
        let mut digits = scaled.magnitude().to_string();
        if digits.len() <= decimals {
            digits = "0".repeat(decimals + 1 - digits.len()) + &digits;
        }
        if decimals > 0 {
            digits.insert(digits.len() - decimals, '.');
        }
        let zeros = width.saturating_sub(sign.len() + digits.len());
        format!("{sign}{}{digits}", "0".repeat(zeros))
    }
}
