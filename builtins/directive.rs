//! `%` directives with printf's flags, width and precision, as `stat -c` and `find -printf` have them.

/// Flags, width and precision of one directive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Directive {
    flags: String,
    width: usize,
    precision: Option<usize>,
}

impl Directive {
    /// Widths and precisions beyond this are cut: nobody means them, and they cost memory.
    const WIDEST: usize = 1 << 20;

    /// What stands after the `%` at the start of `text`, and what is left behind it.
    pub(crate) fn read(text: &str) -> (Directive, &str) {
        let rest = text.trim_start_matches(['-', '+', ' ', '#', '0', '\'', 'I']);
        let flags = text[..text.len() - rest.len()].to_string();
        let (width, rest) = number(rest);
        let (precision, rest) = match rest.strip_prefix('.') {
            Some(rest) => {
                let (precision, rest) = number(rest);
                (Some(precision), rest)
            }
            None => (None, rest),
        };
        (Directive { flags, width, precision }, rest)
    }

    /// Digits asked for behind a point.
    pub(crate) fn precision(&self) -> Option<usize> {
        self.precision
    }

    /// Whether the alternative form is asked for: a leading zero of an octal number.
    pub(crate) fn is_alternative(&self) -> bool {
        self.flags.contains('#')
    }

    /// A text: cut to the precision, padded to the width.
    pub(crate) fn text(&self, text: &str) -> String {
        let cut: String = text.chars().take(self.precision.unwrap_or(usize::MAX)).collect();
        self.pad(String::new(), cut, ' ')
    }

    /// A number that is written already: signed and padded, with zeros when they are asked for.
    pub(crate) fn number(&self, digits: &str) -> String {
        let (minus, digits) = match digits.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None if self.flags.contains('+') => ("+", digits),
            None if self.flags.contains(' ') => (" ", digits),
            None => ("", digits),
        };
        let zeros = self.precision.unwrap_or(0).saturating_sub(digits.len());
        let filler = if self.flags.contains('0') && self.precision.is_none() { '0' } else { ' ' };
        self.pad(minus.to_string(), "0".repeat(zeros) + digits, filler)
    }

    /// The same for a number whose precision has been spent on its fraction.
    pub(crate) fn fraction(&self, digits: &str) -> String {
        Directive { precision: None, ..self.clone() }.number(digits)
    }

    fn pad(&self, sign: String, body: String, filler: char) -> String {
        let missing = self.width.saturating_sub(sign.len() + body.len());
        let padding = |filler: char| filler.to_string().repeat(missing);
        match (self.flags.contains('-'), filler) {
            (true, _) => sign + &body + &padding(' '),
            (false, '0') => sign + &padding('0') + &body,
            (false, _) => padding(' ') + &sign + &body,
        }
    }
}

fn number(text: &str) -> (usize, &str) {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let value = text[..text.len() - rest.len()].parse().unwrap_or(0);
    (Directive::WIDEST.min(value), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_numbers_are_padded() {
        let show = |spec: &str, value: &str| Directive::read(spec).0.number(value);
        assert_eq!([show("10", "42"), show("-5", "42"), show("05", "-42")], ["        42", "42   ", "-0042"]);
        assert_eq!([show("+", "42"), show(".4", "42"), show("6.4", "42")], ["+42", "0042", "  0042"]);
        assert_eq!(Directive::read("5.2n").0.text("auth"), "   au");
        assert_eq!(Directive::read("-#10.3Y%").1, "Y%");
    }
}
