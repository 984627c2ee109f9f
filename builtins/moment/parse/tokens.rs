//! The items of a date text: numbers, words and signs.

/// One item of a date text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(Number),
    /// Letters, in lower case, without dots.
    Word(String),
    Sign(char),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    pub(super) value: i64,
    pub(super) digits: usize,
    /// Nanoseconds behind a point.
    pub(super) nanos: u32,
}

/// The nanoseconds of the digits behind a point.
pub(super) fn nanos(fraction: &str) -> Option<u32> {
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits: String = fraction.chars().chain("000000000".chars()).take(9).collect();
    digits.parse().ok()
}

/// The items of `text`; what stands in parentheses is none.
pub(super) fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let mut number = Number { value: rest[..end].parse().ok()?, digits: end, nanos: 0 };
            rest = &rest[end..];
            if let Some(fraction) = rest.strip_prefix(['.', ',']) {
                let end = fraction.find(|c: char| !c.is_ascii_digit()).unwrap_or(fraction.len());
                if end > 0 {
                    number.nanos = nanos(&fraction[..end])?;
                    rest = &fraction[end..];
                }
            }
            tokens.push(Token::Number(number));
        } else if c.is_ascii_alphabetic() {
            let end = rest.find(|c: char| !(c.is_ascii_alphabetic() || c == '.')).unwrap_or(rest.len());
            tokens.push(Token::Word(rest[..end].replace('.', "").to_ascii_lowercase()));
            rest = &rest[end..];
        } else if c == '(' {
            rest = rest.split_once(')')?.1;
        } else {
            match c {
                '+' | '-' | ':' | '/' => tokens.push(Token::Sign(c)),
                c if c.is_whitespace() || c == ',' => {}
                _ => return None,
            }
            rest = &rest[c.len_utf8()..];
        }
    }
    Some(tokens)
}
