//! A row of a page: what each column gives to it.
use super::{Ending, Fill, Pages, Row, State};
use crate::{
    Result,
    pr::{
        layout::Numbers,
        text::{Clump, Text},
    },
};

impl Pages<'_> {
    /// Print a row; whether anything was printed.
    pub(super) fn print_row(&mut self) -> Result<bool> {
        self.cancel.check()?;
        self.pen.begin_line();
        self.row = Row { empty: true, ..Row::default() };
        let mut any = false;
        let is_parallel = self.layout.fill == Fill::Parallel;
        for at in 0..self.columns.len() {
            let mut has_ended = true;
            if self.columns[at].left > 0 || self.columns[at].state == State::Fed {
                self.row.bare_form_feed = false;
                match self.layout.fill {
                    Fill::Down => self.print_stored(at)?,
                    _ => self.print_line(at)?,
                }
                any |= self.row.printed;
                self.columns[at].left -= 1;
                if self.columns[at].left <= 0 && !self.has_more() {
                    break;
                }
                has_ended = match self.columns[at].state {
                    State::Closed => true,
                    State::Held => self.row.bare_form_feed || self.row.empty,
                    _ => false,
                };
            }
            if is_parallel && has_ended {
                match self.row.empty {
                    true => self.row.align = true,
                    false => self.align(at)?,
                }
            }
            if self.layout.separator.is_some() {
                self.pen.separators += 1;
            }
        }
        Ok(any)
    }

    /// Print a line of column `at`, straight from its file.
    fn print_line(&mut self, at: usize) -> Result<()> {
        let piece = self.read(at)?;
        if piece.is_bare() && piece.ending == Ending::FormFeed {
            self.row.bare_form_feed = true;
            if self.head_due {
                self.row.printed = true;
                self.print_head()?;
            } else if self.layout.keeps_form_feeds {
                self.form_feed_due = true;
            }
        } else if !piece.is_bare() {
            let layout = self.layout;
            let mut text = Text::new(layout, &piece.text);
            let first = text.next();
            // A line that begins with what is wider than the column is none.
            if first.is_some() || piece.text.is_empty() {
                self.begin_text(at)?;
                if let Some(numbers) = layout.numbers_at(at) {
                    self.put_number(numbers)?;
                    text.add_number(numbers);
                }
                self.row.empty = false;
                for clump in first.into_iter().chain(text) {
                    self.put(clump)?;
                }
            }
            self.form_feed_due |= piece.ending == Ending::FormFeed && layout.keeps_form_feeds;
        }
        self.end_piece(at, piece.ending);
        Ok(())
    }

    /// All that comes before the text of column `at`.
    fn begin_text(&mut self, at: usize) -> Result<()> {
        self.row.printed = true;
        if self.head_due {
            self.print_head()?;
        }
        if self.row.align && self.layout.fill == Fill::Parallel {
            for before in 0..std::mem::take(&mut self.pen.separators) {
                self.align(before)?;
                self.pen.separators += 1;
            }
            self.pen.blanks = if self.layout.truncate { self.layout.column } else { 0 };
            self.row.align = false;
        }
        self.go_to(at)
    }

    /// Go to where the text of column `at` begins.
    pub(super) fn go_to(&mut self, at: usize) -> Result<()> {
        let start = self.layout.start_of(at) - self.layout.between();
        if start > 0 {
            self.pen.pad_to(start)?;
        }
        match &self.layout.separator {
            Some(text) => self.pen.separate(text),
            None => Ok(()),
        }
    }

    /// Column `at`, which has no text in this row.
    fn align(&mut self, at: usize) -> Result<()> {
        self.go_to(at)?;
        match self.layout.numbers_at(at) {
            Some(numbers) => self.put_number(numbers),
            None => Ok(()),
        }
    }

    fn put_number(&mut self, numbers: Numbers) -> Result<()> {
        let number = self.count_line(numbers);
        if self.columns.len() == 1 {
            return self.pen.put_number(&number, numbers);
        }
        number.iter().chain(&numbers.gap()).try_for_each(|byte| self.pen.put(*byte))
    }

    fn put(&mut self, clump: Clump) -> Result<()> {
        match clump {
            Clump::Blanks(count) => self.pen.put_blanks(count),
            Clump::Bytes(bytes, length) => bytes[..length].iter().try_for_each(|byte| self.pen.put(*byte)),
        }
    }
}
