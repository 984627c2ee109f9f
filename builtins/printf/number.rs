//! Arguments that stand for numbers, in C's notation or as `'x`: what cannot be read is reported, and what it begins
//! with counts.
use super::printer::Printer;
use crate::{Result, Status, extended::Extended};

impl Printer<'_, '_> {
    /// The next argument as a whole number between `least` and `most`.
    pub(super) fn integer(&mut self, least: i128, most: i128) -> Result<i128> {
        let text = self.argument();
        if let Some(value) = code_point(text) {
            return Ok(value);
        }
        let (value, rest) = whole_number(text);
        if !rest.is_empty() {
            self.invalid(text)?;
        }
        if value < least || value > most {
            self.call.warn(format_args!("warning: {text}: Numerical result out of range"))?;
        }
        Ok(value.clamp(least, most))
    }

    /// The next argument as a number with a fraction.
    pub(super) fn float(&mut self) -> Result<Extended> {
        let text = self.argument();
        if let Some(value) = code_point(text) {
            return Ok(Extended::from_integer(value));
        }
        let (value, length) = Extended::parse(text);
        if length < text.len() {
            self.invalid(text)?;
        } else if !value.is_finite() && text.contains(|c: char| c.is_ascii_digit()) {
            self.call.warn(format_args!("warning: {text}: Numerical result out of range"))?;
        }
        Ok(value)
    }

    fn invalid(&mut self, text: &str) -> Result<()> {
        let mut start = text.chars();
        let kind = match (start.next(), start.next()) {
            (Some('0'), Some('0'..='9')) => "octal ",
            (Some('0'), Some('x')) => "hex ",
            _ => "",
        };
        self.status = Status::FAILURE;
        self.call.warn(format_args!("{text}: invalid {kind}number"))
    }
}

/// The code point that `'x` or `"x` stands for.
fn code_point(text: &str) -> Option<i128> {
    let rest = text.strip_prefix(['\'', '"'])?;
    Some(rest.chars().next().map_or(0, |c| i128::from(u32::from(c))))
}

/// The number that `text` begins with in C's notation, and what follows it.
fn whole_number(text: &str) -> (i128, &str) {
    let trimmed = text.trim_start_matches([' ', '\t', '\n', '\u{b}', '\u{c}', '\r']);
    let unsigned = trimmed.strip_prefix(['+', '-']).unwrap_or(trimmed);
    let hex = unsigned.strip_prefix("0x").or(unsigned.strip_prefix("0X"));
    let (digits, base) = match hex {
        Some(digits) if digits.starts_with(|c: char| c.is_ascii_hexdigit()) => (digits, 16),
        _ if unsigned.starts_with('0') => (unsigned, 8),
        _ => (unsigned, 10),
    };
    let length = digits.find(|c: char| !c.is_digit(base)).unwrap_or(digits.len());
    if length == 0 {
        return (0, text);
    }
    let value = i128::from_str_radix(&digits[..length], base).unwrap_or(i128::MAX);
    (if trimmed.starts_with('-') { -value } else { value }, &digits[length..])
}
