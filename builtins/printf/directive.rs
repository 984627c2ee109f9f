//! One directive of a format: its flags and sizes, and the padding that they ask for.
use crate::{
    extended::{Extended, Style},
    pad,
};

/// `%` up to its letter.
#[derive(Clone, Copy)]
pub(crate) struct Directive<'a> {
    pub(crate) left: bool,
    pub(crate) plus: bool,
    pub(crate) space: bool,
    pub(crate) zero: bool,
    pub(crate) alternate: bool,
    pub(crate) width: Size,
    pub(crate) precision: Option<Size>,
    /// `T` for `%(time)T`.
    pub(crate) letter: char,
    /// The format between the brackets of `%(time)T`; a bare `%T` has none.
    pub(crate) time: Option<&'a str>,
}

/// A width or a precision.
#[derive(Clone, Copy)]
pub(crate) enum Size {
    None,
    Given(i64),
    /// `*`
    Argument,
}

/// Why a directive cannot be read.
pub(crate) enum Wrong {
    /// The format ends within it.
    Missing,
    /// `%(time)` without its `T`, but with this.
    Time(char),
}

impl Directive<'_> {
    /// The directive whose `%` stands before `text`, and its length in `text`.
    pub(crate) fn read(text: &str) -> Result<(Directive<'_>, usize), Wrong> {
        let flags = text.trim_start_matches(['#', '\'', '-', '+', ' ', '0']);
        let has = |flag| text[..text.len() - flags.len()].contains(flag);
        let (width, rest) = Size::read(flags);
        let (precision, rest) = match rest.strip_prefix('.') {
            Some(rest) => match Size::read(rest) {
                (Size::None, rest) => (Some(Size::Given(0)), rest),
                (size, rest) => (Some(size), rest),
            },
            None => (None, rest),
        };
        let mut rest = rest.trim_start_matches(['h', 'j', 'l', 'L', 't', 'z']);
        let mut time = None;
        if let Some(inside) = rest.strip_prefix('(') {
            let Some(end) = inside.find(')') else {
                return Err(Wrong::Time(inside.chars().next_back().unwrap_or('(')));
            };
            (time, rest) = (Some(&inside[..end]).filter(|time| !time.is_empty()).or(Some("%X")), &inside[end + 1..]);
            if !rest.starts_with('T') {
                return Err(Wrong::Time(rest.chars().next().unwrap_or(')')));
            }
        }
        let letter = rest.chars().next().ok_or(Wrong::Missing)?;
        let directive = Directive {
            left: has('-'),
            plus: has('+'),
            space: has(' '),
            zero: has('0'),
            alternate: has('#'),
            width,
            precision,
            letter,
            time,
        };
        Ok((directive, text.len() - rest.len() + letter.len_utf8()))
    }

    /// `body` in `width` columns of one byte.
    pub(crate) fn pad(&self, body: &[u8], width: usize, out: &mut Vec<u8>) {
        let blanks = width.saturating_sub(body.len());
        if !self.left {
            out.resize(out.len() + blanks, b' ');
        }
        out.extend_from_slice(body);
        if self.left {
            out.resize(out.len() + blanks, b' ');
        }
    }

    /// A whole number by `d`, `i`, `u`, `o`, `x` or `X`.
    pub(crate) fn integer(&self, value: i128, width: usize, precision: Option<usize>, out: &mut Vec<u8>) {
        let magnitude = value.unsigned_abs();
        let digits = match self.letter {
            'o' => format!("{magnitude:o}"),
            'x' => format!("{magnitude:x}"),
            'X' => format!("{magnitude:X}"),
            _ => magnitude.to_string(),
        };
        let digits = match precision {
            Some(0) if magnitude == 0 => String::new(),
            Some(precision) => pad::before(&digits, precision, '0'),
            None => digits,
        };
        let prefix = match self.letter {
            'd' | 'i' if value < 0 => "-",
            'd' | 'i' if self.plus => "+",
            'd' | 'i' if self.space => " ",
            'o' if self.alternate && !digits.starts_with('0') => "0",
            'x' if self.alternate && magnitude != 0 => "0x",
            'X' if self.alternate && magnitude != 0 => "0X",
            _ => "",
        };
        self.number(prefix, &digits, width, self.zero && precision.is_none(), out);
    }

    /// A number with a fraction by one of `aefgAEFG`.
    pub(crate) fn float(&self, value: Extended, width: usize, precision: Option<usize>, out: &mut Vec<u8>) {
        let style = Style { plus: self.plus, space: self.space, alternate: self.alternate, precision };
        let text = value.format(self.letter, style);
        let digits = text.trim_start_matches(['-', '+', ' ']);
        let sign = &text[..text.len() - digits.len()];
        let (prefix, digits) = match digits.get(..2) {
            Some("0x" | "0X") => (format!("{sign}{}", &digits[..2]), &digits[2..]),
            _ => (sign.to_string(), digits),
        };
        self.number(&prefix, digits, width, self.zero && value.is_finite(), out);
    }

    fn number(&self, prefix: &str, digits: &str, width: usize, zero: bool, out: &mut Vec<u8>) {
        let room = width.saturating_sub(prefix.len());
        let text = match zero && !self.left {
            true => format!("{prefix}{}{digits}", "0".repeat(room.saturating_sub(digits.len()))),
            false => format!("{prefix}{digits}"),
        };
        self.pad(text.as_bytes(), width, out);
    }
}

impl Size {
    fn read(text: &str) -> (Size, &str) {
        if let Some(rest) = text.strip_prefix('*') {
            return (Size::Argument, rest);
        }
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        match &text[..text.len() - rest.len()] {
            "" => (Size::None, rest),
            digits => (Size::Given(digits.parse().unwrap_or(i64::MAX)), rest),
        }
    }
}
