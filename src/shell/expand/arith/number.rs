//! Integer constants: `10`, `010`, `0x1f`, `2#101`, `64#@_`.

/// What is wrong with a constant, in bash's words.
pub(super) type Wrong = &'static str;

/// The value of `text`, a run of letters, digits, `#`, `@` and `_` that begins with a digit.
pub(super) fn parse(text: &str) -> Result<i64, Wrong> {
    if let Some(value) = plain(text) {
        return Ok(value);
    }
    let (base, digits) = match text.split_once('#') {
        Some((base, digits)) => {
            if base.starts_with('0') {
                return Err("invalid number");
            }
            let base = digits_of(base, 10)?;
            match base {
                2..=64 if digits.is_empty() => return Err("invalid integer constant"),
                2..=64 => (base, digits),
                _ => return Err("invalid arithmetic base"),
            }
        }
        None => match text.strip_prefix('0') {
            None => (10, text),
            Some(rest) => match rest.strip_prefix(['x', 'X']) {
                Some(digits) => (16, digits),
                None => (8, rest),
            },
        },
    };
    digits_of(digits, base)
}

fn digits_of(text: &str, base: i64) -> Result<i64, Wrong> {
    text.chars().try_fold(0i64, |value, c| {
        let digit = match c {
            '0'..='9' => c as i64 - '0' as i64,
            'a'..='z' => c as i64 - 'a' as i64 + 10,
            'A'..='Z' if base <= 36 => c as i64 - 'A' as i64 + 10,
            'A'..='Z' => c as i64 - 'A' as i64 + 36,
            '@' => 62,
            '_' => 63,
            _ => return Err("invalid number"),
        };
        match digit < base {
            true => Ok(value.wrapping_mul(base).wrapping_add(digit)),
            false => Err("value too great for base"),
        }
    })
}

/// The value of a decimal of at most 18 digits, which most texts are; `None` when a closer look is needed.
pub(super) fn plain(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let simple = (1..=18).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits.len() == 1 || !digits.starts_with('0'));
    if simple { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_have_bases() {
        let values = ["0", "010", "0x1F", "2#101", "16#fF", "36#zZ", "64#_", "64#@", "64#Z", "0x"].map(parse);
        assert_eq!(values, [0, 8, 31, 5, 255, 1295, 63, 62, 61, 0].map(Ok));
    }

    #[test]
    fn large_constants_wrap() {
        assert_eq!(parse("99999999999999999999"), Ok(7_766_279_631_452_241_919));
        assert_eq!(parse("0xffffffffffffffff"), Ok(-1));
    }

    #[test]
    fn wrong_constants_are_named() {
        assert_eq!(parse("08"), Err("value too great for base"));
        assert_eq!(parse("12abc"), Err("value too great for base"));
        assert_eq!(parse("2#"), Err("invalid integer constant"));
        assert_eq!(parse("65#1"), Err("invalid arithmetic base"));
        assert_eq!(parse("1#1"), Err("invalid arithmetic base"));
    }
}
