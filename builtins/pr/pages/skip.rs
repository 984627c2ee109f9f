//! The pages before the first that is printed.
use super::{Ending, Fill, Pages, State, Turned};
use crate::Result;

impl Pages<'_> {
    /// Pass over the pages before number `first`; the lines that have numbers are counted where `counts` says so.
    pub(in crate::pr) fn turn_to(&mut self, first: u64, counts: bool) -> Result<Turned> {
        let mut page = 1;
        while page < first {
            for line in 1..=self.layout.body {
                let is_last = line == self.layout.body;
                if !self.columns.iter().any(|column| column.state == State::Open) {
                    break;
                }
                for at in 0..self.columns.len() {
                    if self.columns[at].state == State::Open {
                        self.skip_line(at, is_last, counts)?;
                    }
                }
            }
            if self.layout.fill == Fill::Down {
                for column in self.columns.iter_mut().filter(|column| column.state != State::Closed) {
                    column.state = State::Held;
                }
            }
            self.let_go();
            if self.readable < 1 {
                return Ok(Turned::Beyond(page));
            }
            if self.columns.iter().all(|column| column.state == State::Closed) {
                return Ok(Turned::Nothing);
            }
            page += 1;
        }
        Ok(Turned::There)
    }

    fn skip_line(&mut self, at: usize, is_last: bool, counts: bool) -> Result<()> {
        let piece = self.read(at)?;
        if is_last {
            let is_parallel = self.layout.fill == Fill::Parallel;
            match piece.ending == Ending::FormFeed && !is_parallel {
                true => self.columns.iter_mut().for_each(|column| column.was_full = false),
                false => self.columns[at].was_full = piece.ending != Ending::FormFeed,
            }
        }
        self.end_piece(at, piece.ending);
        let is_counted = self.layout.numbers_at(at).is_some() && !(piece.is_bare() && piece.ending == Ending::FormFeed);
        if counts && is_counted {
            self.line = self.line.wrapping_add(1);
        }
        Ok(())
    }
}
