//! Which lines a command applies to.
use super::{
    exec::Machine,
    script::{Address, Command, End, Lines, Regex},
};
use crate::{Error, Result};

/// How far a range has come.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// Its first line is looked for.
    Waiting,
    /// Lines up to this number, or (`None`) until its end matches.
    Active(Option<u64>),
    /// It is over, and its first address was a line number, which will not come again.
    Over,
}

impl Progress {
    /// `0,/re/` has begun before the first line.
    pub(super) fn at_start(command: &Command) -> Progress {
        match &command.lines {
            Lines::Range(Address::Number(0), _) => Progress::Active(None),
            _ => Progress::Waiting,
        }
    }

    fn ended(from: &Address) -> Progress {
        match from {
            Address::Number(_) => Progress::Over,
            _ => Progress::Waiting,
        }
    }
}

impl<'m> Machine<'m, '_> {
    /// Whether the command `at` applies to this line, `!` left aside.
    pub(super) fn selects(&mut self, at: usize, command: &'m Command) -> Result<bool> {
        match &command.lines {
            Lines::All => Ok(true),
            Lines::At(address) => self.is_at(address),
            Lines::Range(from, end) => self.in_range(at, from, end),
        }
    }

    fn in_range(&mut self, at: usize, from: &'m Address, end: &'m End) -> Result<bool> {
        let line = self.input.number;
        match self.ranges[at] {
            Progress::Over => return Ok(false),
            Progress::Active(Some(last)) => {
                if line >= last {
                    self.ranges[at] = Progress::ended(from);
                }
                // One whose end `n` or `N` has jumped past is over: without this line where the end is a number, and
                // with it where the end was counted.
                return Ok(line <= last || !matches!(end, End::Number(_)));
            }
            Progress::Active(None) => {
                let ends = match end {
                    End::Last => self.input.is_last(self.call)?,
                    End::Regex(regex) => self.matches(regex)?,
                    End::Step(first, step) => is_step(line, *first, *step),
                    End::Number(_) | End::After(_) | End::Multiple(_) => true,
                };
                if ends {
                    self.ranges[at] = Progress::ended(from);
                }
                return Ok(true);
            }
            Progress::Waiting => {
                if !self.begins(from, end)? {
                    return Ok(false);
                }
            }
        }
        let last = match end {
            End::Number(number) => Some(*number),
            End::After(count) => Some(line.saturating_add(*count)),
            End::Multiple(0) => Some(line),
            // A line that is a multiple itself reaches for the next one, as GNU's does against its manual.
            End::Multiple(step) => Some((line / step + 1).saturating_mul(*step)),
            End::Step(first, step) if is_step(line, *first, *step) => Some(line),
            End::Step(..) | End::Last | End::Regex(_) => None,
        };
        self.ranges[at] = match last {
            Some(last) if last <= line => Progress::ended(from),
            last => Progress::Active(last),
        };
        Ok(true)
    }

    /// Whether a range begins here. A number that `n` or `N` has jumped past begins it late, unless its end is past
    /// too.
    fn begins(&mut self, from: &'m Address, end: &'m End) -> Result<bool> {
        let line = self.input.number;
        match (from, end) {
            (Address::Number(first), End::Number(last)) if line > *last => Ok(line == *first),
            (Address::Number(first), _) => Ok(line >= *first),
            _ => self.is_at(from),
        }
    }

    fn is_at(&mut self, address: &'m Address) -> Result<bool> {
        let line = self.input.number;
        match address {
            Address::Number(number) => Ok(line == *number),
            Address::Step(first, step) => Ok(is_step(line, *first, *step)),
            Address::Last => self.input.is_last(self.call),
            Address::Regex(regex) => self.matches(regex),
        }
    }

    fn matches(&mut self, regex: &'m Regex) -> Result<bool> {
        let regex = self.regex(regex)?;
        regex.is_match(&self.pattern.text).map_err(Error::from)
    }
}

fn is_step(line: u64, first: u64, step: u64) -> bool {
    line >= first && (line - first).is_multiple_of(step)
}
