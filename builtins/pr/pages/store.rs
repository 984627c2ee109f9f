//! Pages whose columns are filled downwards: a page is read whole, and its lines are dealt out to the columns.
use super::{Pages, State};
use crate::{
    Purse, Result,
    pr::text::{Clump, Text},
};

/// A line as it stands in its column.
pub(super) struct Cell {
    text: Vec<u8>,
    /// Columns that it takes.
    width: i64,
}

impl Pages<'_> {
    /// Read a page.
    pub(super) fn store(&mut self) -> Result<()> {
        self.stored.clear();
        self.memory = self.memory.another();
        for column in &mut self.columns {
            column.stored = 0;
        }
        'page: for at in 0..self.columns.len() {
            for _ in 0..self.layout.body {
                if self.readable <= 0 || self.columns[at].state != State::Open {
                    break 'page;
                }
                self.store_line(at)?;
            }
        }
        self.balance();
        Ok(())
    }

    fn store_line(&mut self, at: usize) -> Result<()> {
        let piece = self.read(at)?;
        let mut cell = Cell { text: Vec::new(), width: 0 };
        let mut paid = 0;
        if !piece.is_bare() {
            let layout = self.layout;
            let mut text = Text::new(layout, &piece.text);
            let first = text.next();
            // A line that begins with what is wider than the column is empty.
            if first.is_some() || piece.text.is_empty() {
                if let Some(numbers) = layout.numbers {
                    cell.text = self.count_line(numbers);
                    cell.text.extend(numbers.gap());
                    text.add_number(numbers);
                }
                for clump in first.into_iter().chain(text.by_ref()) {
                    paid += cell.put(clump, &mut self.memory)?;
                }
            }
            cell.width = text.width;
        }
        self.form_feed_due |= piece.ending == super::Ending::FormFeed && self.layout.keeps_form_feeds;
        self.end_piece(at, piece.ending);
        if self.columns[at].state == State::Open || !cell.text.is_empty() {
            self.memory.take(size_of::<Cell>() + cell.text.len() - paid)?;
            self.columns[at].stored += 1;
            self.stored.push(cell);
        }
        Ok(())
    }

    /// Deal out what is stored.
    fn balance(&mut self) {
        let (each, more) = (self.stored.len() / self.columns.len(), self.stored.len() % self.columns.len());
        let mut next = 0;
        for (at, column) in self.columns.iter_mut().enumerate() {
            column.next = next;
            column.stored = each + usize::from(at < more);
            next += column.stored;
        }
    }

    /// Print the next line of column `at`.
    pub(super) fn print_stored(&mut self, at: usize) -> Result<()> {
        let line = self.columns[at].next;
        self.columns[at].next += 1;
        self.row.printed = true;
        if self.head_due {
            self.print_head()?;
        }
        if self.columns[at].state == State::Fed {
            for column in &mut self.columns {
                column.state = State::Held;
            }
            if self.columns[0].left <= 0 {
                // Nothing but a head.
                self.row.printed = self.layout.framed;
                return Ok(());
            }
        }
        self.go_to(at)?;
        let Some(cell) = self.stored.get(line) else { return Ok(()) };
        cell.text.iter().try_for_each(|byte| self.pen.put(*byte))?;
        if self.pen.blanks == 0 {
            // Bytes that do not print may have been counted otherwise.
            let start = self.layout.start_of(at);
            let is_first = start - self.layout.between() == self.layout.margin;
            self.pen.at = start + cell.width - if is_first { self.layout.between() } else { 0 };
        }
        Ok(())
    }
}

impl Cell {
    /// Add `clump`. Blanks, of which there may be any number, are paid for first; how many bytes is the answer.
    fn put(&mut self, clump: Clump, memory: &mut Purse) -> Result<usize> {
        match clump {
            Clump::Bytes(bytes, length) => {
                self.text.extend_from_slice(&bytes[..length]);
                Ok(0)
            }
            Clump::Blanks(count) => {
                let count = count as usize;
                memory.take(count)?;
                self.text.resize(self.text.len() + count, b' ');
                Ok(count)
            }
        }
    }
}
