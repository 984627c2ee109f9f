//! The pages of a file, or of files side by side.
//!
//! A page is set row by row; each column of it gives a piece of its text to a row, until its lines for this page are
//! used up, a form feed holds it until the next page, or its file ends.
mod row;
mod skip;
mod store;

use super::{
    Title,
    feed::{Ending, Feed, Piece},
    layout::{FOOT, Fill, Layout, Numbers},
    pen::Pen,
    unreadable,
};
use crate::{Cancel, Output, Purse, Result};
use std::mem;

/// Bytes that a column takes.
pub(super) const COLUMN_SIZE: usize = size_of::<Column>();

/// What a column has to give.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// A form feed was met while the page was stored; the page is still to be printed.
    Fed,
    /// A form feed was met: there is nothing more on this page.
    Held,
    Closed,
}

struct Column {
    state: State,
    /// Lines that it has still to print on this page.
    left: i64,
    /// Its page was printed to the last line.
    was_full: bool,
    /// Of the stored lines: its next one, and how many it has.
    next: usize,
    stored: usize,
}

/// How far [`Pages::turn_to`] came.
pub(super) enum Turned {
    There,
    /// There is nothing to print.
    Nothing,
    /// There are only so many pages.
    Beyond(u64),
}

/// What a row has become so far.
#[derive(Default)]
struct Row {
    /// Something was printed, so that the row needs its newline.
    printed: bool,
    /// It has no text yet.
    empty: bool,
    /// Columns without text before its first text are still to be filled with blanks.
    align: bool,
    /// Its last piece was nothing but a form feed.
    bare_form_feed: bool,
}

pub(super) struct Pages<'p> {
    layout: &'p Layout,
    title: &'p Title,
    pen: Pen<'p>,
    /// Pays for what is stored.
    memory: Purse,
    cancel: &'p Cancel,
    /// One for each column when files are side by side; else one for all.
    feeds: Vec<Feed>,
    columns: Vec<Column>,
    /// Files, or columns, that can be read on.
    readable: i64,
    stored: Vec<store::Cell>,
    row: Row,
    page: u64,
    /// The number of the next line.
    line: i32,
    /// This page's head is still to be printed.
    head_due: bool,
    /// A form feed is to end this page.
    form_feed_due: bool,
}

impl<'p> Pages<'p> {
    pub(super) fn new(
        layout: &'p Layout,
        title: &'p Title,
        feeds: Vec<Feed>,
        out: &'p mut Output,
        memory: Purse,
        cancel: &'p Cancel,
    ) -> Pages<'p> {
        let column = || Column { state: State::Open, left: 0, was_full: false, next: 0, stored: 0 };
        Pages {
            layout,
            title,
            pen: Pen::new(out, layout.output_tab, layout.unexpand),
            memory,
            cancel,
            readable: feeds.len() as i64,
            feeds,
            columns: std::iter::repeat_with(column).take(layout.columns).collect(),
            stored: Vec::new(),
            row: Row::default(),
            page: 1,
            line: layout.start,
            head_due: false,
            form_feed_due: false,
        }
    }

    /// Print the pages from number `first`, at which the text is, to number `last`.
    pub(super) fn print(&mut self, first: u64, last: u64) -> Result<()> {
        self.page = first;
        while self.print_page()? && self.page < last {
            self.page += 1;
            self.let_go();
        }
        Ok(())
    }

    /// Print a page; false when there was none.
    fn print_page(&mut self) -> Result<bool> {
        self.begin_page()?;
        if !self.has_more() {
            return Ok(false);
        }
        self.head_due |= self.layout.framed;
        let mut any = false;
        let mut left = self.layout.body * if self.layout.double { 2 } else { 1 };
        self.row.printed = false;
        while left > 0 && self.has_more() {
            any |= self.print_row()?;
            if self.row.printed {
                self.pen.raw(b"\n")?;
                left -= 1;
            }
            if !self.has_more() && !self.layout.framed {
                break;
            }
            if self.layout.double && any {
                self.pen.raw(b"\n")?;
                left -= 1;
            }
        }
        if left == 0 {
            for column in self.columns.iter_mut().filter(|column| column.state == State::Open) {
                column.was_full = true;
            }
        }
        if any && self.layout.framed {
            match self.layout.form_feed {
                true => self.pen.raw(b"\x0c")?,
                false => self.pen.repeat(b'\n', left + FOOT)?,
            }
        } else if self.layout.keeps_form_feeds && self.form_feed_due {
            self.pen.raw(b"\x0c")?;
            self.form_feed_due = false;
        }
        Ok(true)
    }

    /// Say how many lines each column has for this page.
    fn begin_page(&mut self) -> Result<()> {
        if self.layout.fill == Fill::Down {
            self.store()?;
        }
        for column in &mut self.columns {
            column.left = match (self.layout.fill, column.state) {
                (Fill::Down, _) => column.stored as i64,
                (_, State::Open) => self.layout.body,
                _ => 0,
            };
        }
        Ok(())
    }

    /// Whether a column can still print on this page.
    fn has_more(&self) -> bool {
        let stores = self.layout.fill == Fill::Down;
        self.columns.iter().any(|column| {
            matches!(column.state, State::Open | State::Fed) || stores && column.stored > 0 && column.left > 0
        })
    }

    /// The next page: what was held may go on.
    fn let_go(&mut self) {
        for column in self.columns.iter_mut().filter(|column| column.state == State::Held) {
            column.state = State::Open;
            self.readable += 1;
        }
        if self.layout.fill == Fill::Down {
            self.readable = i64::from(self.columns[0].state != State::Closed);
        }
    }

    /// A piece of column `at` ended so.
    fn end_piece(&mut self, at: usize, ending: Ending) {
        let state = match (ending, self.layout.fill) {
            (Ending::Newline, _) => return,
            (Ending::FormFeed, Fill::Down) => State::Fed,
            (Ending::FormFeed, _) => State::Held,
            (Ending::File, _) => State::Closed,
        };
        self.readable -= 1;
        let is_parallel = self.layout.fill == Fill::Parallel;
        for (other, column) in self.columns.iter_mut().enumerate() {
            if is_parallel && other != at {
                continue;
            }
            column.state = state;
            let keeps = match ending {
                Ending::File => !is_parallel && column.stored > 0,
                _ => other != at,
            };
            if !keeps {
                column.left = 0;
            }
        }
    }

    fn print_head(&mut self) -> Result<()> {
        self.pen.at = 0;
        self.pen.pad_to(self.layout.margin)?;
        self.pen.settle()?;
        self.pen.raw(b"\n\n")?;
        self.pen.repeat(b' ', self.layout.margin)?;
        let Title { date, text } = self.title;
        let page = format!("Page {}", self.page);
        let (before, after) = self.title.blanks(&page, self.layout.width);
        self.pen.raw(date.as_bytes())?;
        self.pen.repeat(b' ', before)?;
        self.pen.raw(text.as_bytes())?;
        self.pen.repeat(b' ', after)?;
        self.pen.raw(page.as_bytes())?;
        self.pen.raw(b"\n\n\n")?;
        self.head_due = false;
        self.pen.at = 0;
        Ok(())
    }

    /// The next piece of column `at`.
    fn read(&mut self, at: usize) -> Result<Piece> {
        self.cancel.check()?;
        let after_full_page = mem::take(&mut self.columns[at].was_full);
        let feed = &mut self.feeds[if self.layout.fill == Fill::Parallel { at } else { 0 }];
        feed.next(after_full_page).map_err(|error| unreadable(&feed.name, error))
    }

    /// The next line's number, without what separates it, and the next line has the next one.
    fn count_line(&mut self, numbers: Numbers) -> Vec<u8> {
        let text = self.line.to_string();
        self.line = self.line.wrapping_add(1);
        // Of a long number, what changes is told.
        let told = &text.as_bytes()[text.len().saturating_sub(numbers.digits)..];
        let mut number = vec![b' '; numbers.digits - told.len()];
        number.extend_from_slice(told);
        number
    }
}
