//! `-f`: a text with one floating-point directive of `printf`.
use super::decimal::Decimal;
use crate::{
    curly,
    directive::Directive,
    extended::{Extended, Style},
};

/// A format: what stands before the number, its directive, what stands behind.
pub(super) struct Format {
    before: String,
    directive: Directive,
    letter: char,
    after: String,
}

impl Format {
    /// Read `text`; the error is a message.
    pub(super) fn read(text: &str) -> Result<Format, String> {
        let (before, rest) = plain(text);
        let Some(rest) = rest else { return Err(format!("format {} has no % directive", curly(text))) };
        let (directive, rest) = Directive::read(rest);
        let rest = rest.strip_prefix('L').unwrap_or(rest);
        let letter = match rest.chars().next() {
            Some(letter) if "aAeEfFgG".contains(letter) => letter,
            Some(letter) => return Err(format!("format {} has unknown %{letter} directive", curly(text))),
            None => return Err(format!("format {} ends in %", curly(text))),
        };
        match plain(&rest[1..]) {
            (after, None) => Ok(Format { before, directive, letter, after }),
            _ => Err(format!("format {} has too many % directives", curly(text))),
        }
    }

    pub(super) fn fill(&self, number: &Decimal) -> String {
        let (value, _) = Extended::parse(&number.show(number.decimals(), 0));
        let style = Style {
            alternate: self.directive.is_alternative(),
            precision: self.directive.precision(),
            ..Style::default()
        };
        let text = self.directive.fraction(&value.format(self.letter, style));
        format!("{}{text}{}", self.before, self.after)
    }
}

/// The text up to a directive, `%%` being a percent sign, and what stands behind the directive's own `%`.
fn plain(text: &str) -> (String, Option<&str>) {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        out += &rest[..at];
        rest = &rest[at + 1..];
        match rest.strip_prefix('%') {
            Some(tail) => {
                out.push('%');
                rest = tail;
            }
            None => return (out, Some(rest)),
        }
    }
    (out + rest, None)
}
