//! What the values of options say: measures, tabs, ranges of pages.
use crate::{Error, Result, curly, number};

/// A number of lines or characters, at least `least`; `what` begins the message.
pub(super) fn measure(text: &str, least: i64, what: &str) -> Result<i64> {
    let wrong = |why: &str| Err(Error::failed(format!("{what}: {}{why}", curly(text))));
    let (digits, sign) = text.strip_prefix('-').map_or((text, 1), |digits| (digits, -1));
    match number::parse(digits, "") {
        Err(number::Malformed::Invalid) => wrong(""),
        Ok(count) if i64::try_from(count).is_ok_and(|count| count <= i32::MAX.into()) => {
            let value = sign * count as i64;
            if value < least { wrong(": Numerical result out of range") } else { Ok(value) }
        }
        _ => wrong(": Value too large for defined data type"),
    }
}

/// A number of columns.
pub(super) fn column_count(text: &str) -> Result<usize> {
    Ok(measure(text, 1, "invalid number of columns")? as usize)
}

/// `[CHAR[WIDTH]]` of the option `letter`.
pub(super) fn read_tab(letter: char, text: Option<&str>, byte: &mut u8, width: &mut i64) -> Result<()> {
    let text = text.unwrap_or_default().as_bytes();
    let digits = match text.split_first() {
        Some((first, rest)) if !first.is_ascii_digit() => {
            *byte = *first;
            rest
        }
        _ => text,
    };
    if digits.is_empty() {
        return Ok(());
    }
    let digits = String::from_utf8_lossy(digits);
    let wrong = |why: &str| {
        let what = format!("'-{letter}' extra characters or invalid number in the argument");
        Err(Error::usage(format!("{what}: {}{why}", curly(&digits))))
    };
    match number::parse(&digits, "") {
        Ok(0) | Err(number::Malformed::Invalid) => wrong(""),
        Ok(count) if count <= i32::MAX as u64 => {
            *width = count as i64;
            Ok(())
        }
        _ => wrong(": Value too large for defined data type"),
    }
}

/// `FIRST[:LAST]`; none when it is a number, or two, but no range.
pub(super) fn page_range(text: &str, option: &str) -> Result<Option<(u64, u64)>> {
    let argument = match option {
        "+" => "+ argument",
        _ => "--pages argument",
    };
    // A number, and what follows it.
    let leading = |digits: &'_ str| -> Result<(u64, usize)> {
        let length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        match number::parse(&digits[..length], "") {
            Ok(page) => Ok((page, length)),
            Err(number::Malformed::Invalid) => Err(Error::failed(format!("invalid {argument} '{text}'"))),
            Err(number::Malformed::Overflow) => Err(Error::failed(format!("{argument} '{text}' too large"))),
        }
    };
    let (first, length) = leading(text)?;
    let last = match text[length..].strip_prefix(':') {
        None if length < text.len() => return Ok(None),
        None => u64::MAX,
        Some(rest) => {
            let (last, length) = leading(rest)?;
            if length < rest.len() {
                return Err(Error::failed(format!("invalid suffix in {argument} '{text}'")));
            }
            last
        }
    };
    Ok((first > 0 && first <= last).then_some((first, last)))
}
