//! Two columns, `-y`: both files whole, with a mark between lines that differ.
use super::pair::{Marked, Printer};
use crate::Result;
use std::io::Write;
use unicode_width::UnicodeWidthChar;

/// The least columns between the halves.
const GUTTER: usize = 3;

/// Where the columns are.
struct Columns {
    half: usize,
    second: usize,
    tab: usize,
    expand: bool,
}

impl Columns {
    /// The widest halves, then the widest gutter, that fit; the second half begins at a tab stop.
    fn new(width: usize, tab: usize, expand: bool) -> Columns {
        let step = if expand { 1 } else { tab };
        let both = step + GUTTER;
        let wished = (width >> 1) + (both >> 1) + (width & both & 1);
        let second = wished - wished % step;
        let half = if second <= GUTTER || width <= second { 0 } else { (second - GUTTER).min(width - second) };
        Columns { half, second: if half > 0 { second } else { width }, tab, expand }
    }

    /// Tabs and blanks from column `from` to column `to`.
    fn fill(&self, mut from: usize, to: usize, out: &mut Vec<u8>) -> usize {
        if !self.expand {
            let mut stop = from + self.tab - from % self.tab;
            while stop <= to {
                out.push(b'\t');
                from = stop;
                stop += self.tab;
            }
        }
        out.extend(std::iter::repeat_n(b' ', to.saturating_sub(from)));
        to
    }

    /// As much of `line` as a half has room for; gives the column it ends at.
    fn half_line(&self, line: &[u8], indent: usize, out: &mut Vec<u8>) -> usize {
        let bound = self.half;
        // Where the text is, and where the cursor is: a tab that does not fit moves only the first.
        let (mut place, mut column) = (0, 0);
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        for chunk in text.utf8_chunks() {
            for c in chunk.valid().chars() {
                match c {
                    '\t' => {
                        let spaces = self.tab - place % self.tab;
                        if place == column {
                            let stop = column + spaces;
                            if self.expand {
                                let stop = stop.min(bound);
                                out.extend(std::iter::repeat_n(b' ', stop.saturating_sub(column)));
                                column = column.max(stop);
                            } else if stop < bound {
                                column = stop;
                                out.push(b'\t');
                            }
                        }
                        place += spaces;
                    }
                    '\r' => {
                        out.push(b'\r');
                        self.fill(0, indent, out);
                        (place, column) = (0, 0);
                    }
                    '\x08' => {
                        if place > 0 {
                            place -= 1;
                            if place < bound {
                                if column <= place {
                                    out.extend(std::iter::repeat_n(b' ', place - column));
                                } else {
                                    out.push(b'\x08');
                                }
                                column = place;
                            }
                        }
                    }
                    c if c.is_control() => {
                        if place < bound {
                            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                        }
                    }
                    c => {
                        place += c.width().unwrap_or(0);
                        if place <= bound {
                            column = place;
                            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                        }
                    }
                }
            }
            if place < bound {
                out.extend_from_slice(chunk.invalid());
            }
        }
        column
    }
}

pub(super) fn print(printer: &mut Printer<'_>, changes: &[Marked]) -> Result<()> {
    let options = printer.options;
    let columns = Columns::new(options.width, options.ignored.tab_size, options.expand_tabs);
    let lengths = printer.files.map(|file| file.text.len());
    let (mut old, mut new) = (0, 0);
    for (change, _) in changes {
        common(printer, &columns, (old, change.old), (new, change.new))?;
        (old, new) = (change.old + change.deleted, change.new + change.inserted);
        let paired = change.deleted.min(change.inserted);
        for at in 0..paired {
            row(printer, &columns, Some(change.old + at), '|', Some(change.new + at))?;
        }
        for at in change.new + paired..new {
            row(printer, &columns, None, '>', Some(at))?;
        }
        for at in change.old + paired..old {
            row(printer, &columns, Some(at), '<', None)?;
        }
    }
    common(printer, &columns, (old, lengths[0]), (new, lengths[1]))
}

/// Lines that are the same on both sides.
fn common(printer: &mut Printer<'_>, columns: &Columns, old: (usize, usize), new: (usize, usize)) -> Result<()> {
    if printer.options.no_common {
        return Ok(());
    }
    for at in 0..(old.1 - old.0).max(new.1 - new.0) {
        let left = Some(old.0 + at).filter(|at| *at < old.1);
        let right = Some(new.0 + at).filter(|at| *at < new.1);
        match printer.options.left_column {
            true => row(printer, columns, left, '(', None)?,
            false => row(printer, columns, left, ' ', right)?,
        }
    }
    Ok(())
}

fn row(
    printer: &mut Printer<'_>,
    columns: &Columns,
    left: Option<usize>,
    mut mark: char,
    right: Option<usize>,
) -> Result<()> {
    printer.begin()?;
    let [left, right] = [(0, left), (1, right)]
        .map(|(side, at): (usize, Option<usize>)| at.map(|at| printer.files[side].text.line(at)));
    let mut out = Vec::new();
    let mut column = 0;
    let mut newline = false;
    if let Some(line) = left {
        newline |= line.ends_with(b"\n");
        column = columns.half_line(line, 0, &mut out);
    }
    if mark != ' ' {
        column = columns.fill(column, (columns.half + columns.second - 1) / 2, &mut out) + 1;
        if mark == '|' && newline != right.is_some_and(|line| line.ends_with(b"\n")) {
            mark = if newline { '/' } else { '\\' };
        }
        out.push(mark as u8);
    }
    if let Some(line) = right {
        newline |= line.ends_with(b"\n");
        if line != b"\n" {
            columns.fill(column, columns.second, &mut out);
            columns.half_line(line, columns.second, &mut out);
        }
    }
    if newline {
        out.push(b'\n');
    }
    printer.out.write_all(&out)?;
    Ok(())
}
