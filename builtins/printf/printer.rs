//! The format, printed once or again: text and escapes as they come, and each directive with the arguments it takes.
use super::directive::{self, Directive, Size};
use crate::{
    Call, Moment, Result, Status,
    escape::{self, Decoded, Dialect},
    quote,
};
use std::{io::Write, slice::Iter};

/// One run of `printf`.
pub(super) struct Printer<'a, 'b> {
    pub(super) call: &'a mut Call<'b>,
    arguments: Iter<'b, String>,
    out: Vec<u8>,
    pub(super) status: Status,
    /// The bytes of `out` that have been accounted for.
    taken: usize,
}

/// Whether the output goes on.
#[derive(PartialEq)]
enum Flow {
    On,
    /// After `\c`, and after a directive that cannot be read.
    Stop,
}

impl<'a, 'b> Printer<'a, 'b> {
    pub(super) fn new(call: &'a mut Call<'b>, arguments: &'b [String]) -> Self {
        Printer { call, arguments: arguments.iter(), out: Vec::new(), status: Status::OK, taken: 0 }
    }

    /// Print `format` for as long as it takes arguments, and answer what was printed, unless it is `written` at once.
    pub(super) fn print(mut self, format: &str, written: bool) -> Result<(Vec<u8>, Status)> {
        loop {
            let before = self.arguments.len();
            let flow = self.pass(format)?;
            if written {
                self.hand_on()?;
            }
            if flow == Flow::Stop || self.arguments.len() == 0 || self.arguments.len() == before {
                return Ok((self.out, self.status));
            }
        }
    }

    /// The format once, with the arguments that it takes.
    fn pass(&mut self, format: &str) -> Result<Flow> {
        let mut rest = format;
        while let Some(at) = rest.find(['%', '\\']) {
            self.out.extend_from_slice(&rest.as_bytes()[..at]);
            let is_escape = rest[at..].starts_with('\\');
            rest = &rest[at + 1..];
            if is_escape {
                let (length, decoded) = escape::decode(rest, Dialect::Format, &mut self.out);
                self.note(&decoded)?;
                rest = &rest[length..];
                continue;
            }
            if let Some(after) = rest.strip_prefix('%') {
                self.out.push(b'%');
                rest = after;
                continue;
            }
            match Directive::read(rest) {
                Ok((directive, length)) => {
                    rest = &rest[length..];
                    if self.directive(&directive)? == Flow::Stop {
                        return Ok(Flow::Stop);
                    }
                }
                Err(directive::Wrong::Missing) => {
                    return self.broken(format_args!("`%{rest}': missing format character"));
                }
                Err(directive::Wrong::Time(found)) => {
                    self.hand_on()?;
                    self.call.warn(format_args!("warning: `{found}': invalid time format specification"))?;
                    self.out.extend_from_slice(b"%(");
                    rest = &rest[rest.find('(').map_or(0, |at| at + 1)..];
                }
            }
        }
        self.out.extend_from_slice(rest.as_bytes());
        Ok(Flow::On)
    }

    fn directive(&mut self, directive: &Directive<'_>) -> Result<Flow> {
        let (mut width, mut left) = (self.size(directive.width)?.unwrap_or(0), directive.left);
        if width < 0 {
            (width, left) = (-width, true);
        }
        let precision = match directive.precision {
            None => None,
            Some(size) => self.size(size)?.and_then(|precision| usize::try_from(precision).ok()),
        };
        let width = usize::try_from(width).unwrap_or(usize::MAX);
        self.account(width.saturating_add(precision.unwrap_or(0)))?;
        let filled = Directive { left, ..*directive };
        match directive.letter {
            'T' if directive.time.is_none() => return self.broken(format_args!("`T': invalid format character")),
            's' | 'c' | 'q' | 'Q' | 'b' | 'T' => return self.text(&filled, width, precision),
            'n' => self.count(),
            'd' | 'i' => {
                let value = self.integer(i128::from(i64::MIN), i128::from(i64::MAX))?;
                filled.integer(value, width, precision, &mut self.out);
            }
            'o' | 'u' | 'x' | 'X' => {
                let value = self.integer(-i128::from(u64::MAX), i128::from(u64::MAX))?;
                // Negative numbers wrap, as C's unsigned ones do.
                filled.integer(i128::from(value as u64), width, precision, &mut self.out);
            }
            'a' | 'e' | 'f' | 'g' | 'A' | 'E' | 'F' | 'G' => {
                let number = self.float()?;
                filled.float(number, width, precision, &mut self.out);
            }
            letter => return self.broken(format_args!("`{letter}': invalid format character")),
        }
        Ok(Flow::On)
    }

    /// A directive that prints text: at most `precision` bytes of it, in `width` columns.
    fn text(&mut self, directive: &Directive<'_>, width: usize, precision: Option<usize>) -> Result<Flow> {
        let cut = |bytes: &[u8]| bytes[..precision.unwrap_or(usize::MAX).min(bytes.len())].to_vec();
        let mut flow = Flow::On;
        let body = match directive.letter {
            'c' => vec![self.argument().bytes().next().unwrap_or(0)],
            'q' => cut(quote::for_shell(self.argument()).as_bytes()),
            'Q' => quote::for_shell(&String::from_utf8_lossy(&cut(self.argument().as_bytes()))).into_bytes(),
            'T' => cut(self.time(directive.time.unwrap_or_default())?.as_bytes()),
            'b' => {
                let decoded;
                (decoded, flow) = self.decoded()?;
                cut(&decoded)
            }
            _ => cut(self.argument().as_bytes()),
        };
        directive.pad(&body, width, &mut self.out);
        Ok(flow)
    }

    /// The moment that the next argument names, by `format`; -1 and -2 are now, and so is no argument.
    fn time(&mut self, format: &str) -> Result<String> {
        let seconds = match self.arguments.len() {
            0 => -1,
            _ => self.integer(i128::from(i64::MIN), i128::from(i64::MAX))? as i64,
        };
        let seconds = if (-2..0).contains(&seconds) { self.call.now() } else { seconds };
        Ok(Moment::utc(seconds).format(format))
    }

    /// `%n`: how much is printed goes to the variable that the next argument names.
    fn count(&mut self) {
        let name = self.argument();
        if !name.is_empty() && self.call.session.vars.set(name, self.out.len().to_string()).is_err() {
            self.status = Status::FAILURE;
        }
    }

    /// The format cannot be read on.
    fn broken(&mut self, message: std::fmt::Arguments<'_>) -> Result<Flow> {
        self.hand_on()?;
        self.call.warn(message)?;
        self.status = Status::FAILURE;
        Ok(Flow::Stop)
    }

    /// The next argument; where there is none, an empty one.
    pub(super) fn argument(&mut self) -> &'b str {
        self.arguments.next().map_or("", String::as_str)
    }

    /// A width or a precision, where it is given.
    fn size(&mut self, size: Size) -> Result<Option<i64>> {
        Ok(match size {
            Size::None => None,
            Size::Given(size) => Some(size),
            Size::Argument => Some(self.integer(i128::from(i32::MIN), i128::from(i32::MAX))? as i64),
        })
    }

    /// The next argument with its escapes decoded, for `%b`.
    fn decoded(&mut self) -> Result<(Vec<u8>, Flow)> {
        let mut rest = self.argument();
        let mut bytes = Vec::new();
        while let Some(at) = rest.find('\\') {
            bytes.extend_from_slice(&rest.as_bytes()[..at]);
            let (length, decoded) = escape::decode(&rest[at + 1..], Dialect::Argument, &mut bytes);
            if decoded == Decoded::Stop {
                return Ok((bytes, Flow::Stop));
            }
            self.note(&decoded)?;
            rest = &rest[at + 1 + length..];
        }
        bytes.extend_from_slice(rest.as_bytes());
        Ok((bytes, Flow::On))
    }

    /// Warn of an escape without its digits.
    fn note(&mut self, decoded: &Decoded) -> Result<()> {
        match decoded {
            Decoded::Missing(letter, kind) => self.call.warn(format_args!("missing {kind} digit for \\{letter}")),
            Decoded::Written | Decoded::Stop => Ok(()),
        }
    }

    /// Account for what is held, and for `more` that is about to come.
    fn account(&mut self, more: usize) -> Result<()> {
        let wanted = self.out.len().saturating_add(more);
        if wanted > 64 * 1024 && wanted > self.taken {
            self.call.memory.take(wanted - self.taken)?;
            self.taken = wanted;
        }
        Ok(())
    }

    /// Write what is held.
    fn hand_on(&mut self) -> Result<()> {
        self.call.stdout.write_all(&self.out)?;
        self.out.clear();
        self.call.memory.give(std::mem::take(&mut self.taken));
        Ok(())
    }
}
