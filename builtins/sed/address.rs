//! Reads the addresses before a command, and the regexes that are in them and in `s`.
use super::{
    parse::Parser,
    script::{Address, End, Lines, Regex},
};
use crate::{
    Result,
    pattern::{self, Pattern, Syntax},
};

/// The letters after a regex.
#[derive(Clone, Copy, Default)]
pub(super) struct Flags {
    pub(super) ignore_case: bool,
    pub(super) multiline: bool,
}

impl Parser<'_, '_> {
    pub(super) fn lines(&mut self, first: u8) -> Result<Lines> {
        let Some(from) = self.address(first)? else { return Ok(Lines::All) };
        let next = self.reader.next_nonblank();
        if next != Some(b',') {
            if matches!(from, Address::Number(0)) {
                return Err(self.reader.error("invalid usage of line address 0"));
            }
            self.put_back(next);
            return Ok(Lines::At(from));
        }
        let Some(end) = self.end()? else { return Err(self.reader.error("unexpected `,'")) };
        if matches!(from, Address::Number(0)) && (self.options.posix || !matches!(end, End::Regex(_))) {
            self.reader.next_nonblank();
            return Err(self.reader.error("invalid usage of line address 0"));
        }
        Ok(Lines::Range(from, end))
    }

    /// The address that begins with `first`, if one does.
    fn address(&mut self, first: u8) -> Result<Option<Address>> {
        Ok(Some(match first {
            b'/' => Address::Regex(self.address_regex(b'/')?),
            b'\\' => match self.reader.next() {
                Some(delimiter) => Address::Regex(self.address_regex(delimiter)?),
                None => return Err(self.reader.error("unterminated address regex")),
            },
            b'0'..=b'9' => {
                let number = self.number(first);
                match self.step() {
                    Some(step) => Address::Step(number, step),
                    None => Address::Number(number),
                }
            }
            b'$' => Address::Last,
            b'+' | b'~' if !self.options.posix => {
                if let Some(digit) = self.reader.next_nonblank() {
                    if digit.is_ascii_digit() {
                        self.number(digit);
                    } else {
                        self.reader.back();
                    }
                }
                return Err(self.reader.error("invalid usage of +N or ~N as first address"));
            }
            _ => return Ok(None),
        }))
    }

    /// The second address of a range, if there is one.
    fn end(&mut self) -> Result<Option<End>> {
        let Some(first) = self.reader.next_nonblank() else { return Ok(None) };
        if matches!(first, b'+' | b'~') && !self.options.posix {
            let Some(digit) = self.reader.next_nonblank() else { return Ok(None) };
            if !digit.is_ascii_digit() {
                return Ok(None);
            }
            let number = self.number(digit);
            return Ok(Some(if first == b'+' { End::After(number) } else { End::Multiple(number) }));
        }
        Ok(self.address(first)?.map(|address| match address {
            Address::Number(number) => End::Number(number),
            Address::Step(first, step) => End::Step(first, step),
            Address::Last => End::Last,
            Address::Regex(pattern) => End::Regex(pattern),
        }))
    }

    /// `~STEP` after a number; a step of 0 is none.
    fn step(&mut self) -> Option<u64> {
        if self.options.posix {
            return None;
        }
        self.reader.skip(|byte| byte == b' ' || byte == b'\t');
        if self.reader.peek() != Some(b'~') {
            return None;
        }
        self.reader.next();
        match self.reader.next_nonblank() {
            Some(digit) if digit.is_ascii_digit() => Some(self.number(digit)).filter(|&step| step > 0),
            other => {
                self.put_back(other);
                None
            }
        }
    }

    fn address_regex(&mut self, delimiter: u8) -> Result<Regex> {
        let Some(text) = self.until(delimiter, true) else {
            return Err(self.reader.error("unterminated address regex"));
        };
        let mut flags = Flags::default();
        loop {
            match self.reader.next_nonblank() {
                Some(b'I') if !self.options.posix => flags.ignore_case = true,
                Some(b'M') if !self.options.posix => flags.multiline = true,
                other => {
                    self.put_back(other);
                    return self.regex(&text, flags);
                }
            }
        }
    }

    pub(super) fn regex(&self, text: &[u8], flags: Flags) -> Result<Regex> {
        if text.is_empty() {
            return match flags.ignore_case || flags.multiline {
                true => Err(self.reader.error("cannot specify modifiers on empty regexp")),
                false => Ok(None),
            };
        }
        let options = pattern::Options {
            ignore_case: flags.ignore_case,
            // Lines end with what ends a line: with -z the newlines inside of one are no places to anchor at.
            anchors_at_newlines: flags.multiline && self.options.delimiter == b'\n',
            size: self.call.limits.regex,
            ..pattern::Options::default()
        };
        let syntax = match (self.options.extended, self.options.posix) {
            (true, _) => Syntax::SED_EXTENDED,
            (false, true) => Syntax::SED_POSIX,
            (false, false) => Syntax::SED,
        };
        let regex = Pattern::posix(&String::from_utf8_lossy(text), syntax, options);
        regex.map(Some).map_err(|error| self.reader.error(error.to_string()))
    }
}
