//! The table for the eye: widths first, then the rows.
use super::{
    options::{Options, PAGE},
    table::{Column, Row, Table},
};
use crate::{Call, Result, width};
use std::io::Write;
use unicode_width::UnicodeWidthChar;

/// A column that is shown, and its width.
struct Shown {
    column: Column,
    width: usize,
    /// Never narrower than its name.
    least: usize,
    /// The widest cell.
    most: usize,
    /// Some cells are much longer than the others, and widths were taken without them.
    extreme: bool,
}

pub(super) fn print(call: &mut Call<'_>, options: &Options, table: Table) -> Result<()> {
    let Table { columns, rows } = table;
    let named = columns.iter().any(|column| column.name.is_some());
    let shown: Vec<Column> = columns.into_iter().filter(|column| !column.hidden).collect();
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| shown.iter().map(|column| cell(row, column)).collect()).collect();
    let mut columns: Vec<Shown> =
        shown.into_iter().enumerate().map(|(at, column)| measure(column, &rows, at, None)).collect();
    fit(&mut columns, &rows, options);
    let names: Option<Vec<String>> = (options.header && named)
        .then(|| columns.iter().map(|shown| shown.column.name.clone().unwrap_or_default()).collect());
    let mut printed = 0;
    for row in &rows {
        call.cancel.check()?;
        if printed >= PAGE && options.header_repeats || printed == 0 {
            if let Some(names) = &names {
                print_row(call, options, &columns, names)?;
            }
            printed = 0;
        }
        printed += print_row(call, options, &columns, row)?;
    }
    Ok(())
}

/// The text of a cell, with the branches before it in the tree's column.
fn cell(row: &Row, column: &Column) -> String {
    let text = row.cell(column).unwrap_or_default();
    let Some((last, above)) = row.branch.split_last().filter(|_| column.tree) else { return text.to_string() };
    let above: String = above.iter().map(|last| if *last { "  " } else { "│ " }).collect();
    format!("{above}{}{text}", if *last { "└─" } else { "├─" })
}

/// The width of column `at`. A second look, with the `average` of the first, leaves out what is twice as long.
fn measure(column: Column, rows: &[Vec<String>], at: usize, average: Option<usize>) -> Shown {
    let name = column.name.as_deref().map(width::of);
    let mut shown = Shown { least: name.unwrap_or(0).max(1), column, width: 0, most: 0, extreme: average.is_some() };
    let (mut sum, mut count) = (0, 0);
    for row in rows {
        let length = width::of(&row[at]);
        shown.most = shown.most.max(length);
        if average.is_some_and(|average| average > 0 && length > average * 2) {
            continue;
        }
        sum += length;
        count += 1;
        shown.width = shown.width.max(length);
    }
    if shown.column.extremes && average.is_none() {
        let average = sum.checked_div(count).unwrap_or(0);
        if average > 0 && shown.most > average * 2 {
            shown.extreme = true;
        }
    }
    if shown.width < shown.least {
        shown.width = shown.least;
    }
    if shown.most == 0 && name.is_none() && shown.least == 1 && shown.width <= 1 {
        (shown.width, shown.least) = (0, 0);
    }
    shown
}

fn total(columns: &[Shown], options: &Options) -> usize {
    let separators = width::of(&options.output_separator) * columns.len().saturating_sub(1);
    columns.iter().map(|shown| shown.width).sum::<usize>() + separators
}

/// Bring the columns to the width of the screen, as far as what is asked of them allows.
fn fit(columns: &mut [Shown], rows: &[Vec<String>], options: &Options) {
    let screen = options.width;
    let mut wide = total(columns, options);
    let mut extremes = columns.iter().any(|shown| shown.extreme);
    if wide > screen && extremes {
        for (at, shown) in columns.iter_mut().enumerate().filter(|(_, shown)| shown.extreme) {
            let average = rows.iter().map(|row| width::of(&row[at])).sum::<usize>() / rows.len().max(1);
            let before = shown.width;
            *shown = measure(shown.column.clone(), rows, at, Some(average));
            if before <= shown.width {
                extremes = false;
            }
        }
        wide = total(columns, options);
    }
    if wide < screen {
        if extremes {
            for shown in columns.iter_mut().filter(|shown| shown.extreme) {
                let room = (screen - wide).min(shown.most.saturating_sub(shown.width));
                shown.width += room;
                wide += room;
            }
        }
        if options.maximal {
            let count = columns.len().max(1);
            for (at, shown) in columns.iter_mut().enumerate() {
                shown.width += (screen - wide) / count + usize::from(at < (screen - wide) % count);
            }
        } else if let Some(last) = columns.last_mut().filter(|last| !last.column.right) {
            last.width += screen - wide;
        }
        return;
    }
    // One column less at each turn, as long as there is one that may shrink.
    let mut shrunk = true;
    while wide > screen && shrunk {
        shrunk = false;
        for shown in columns.iter_mut() {
            let may = shown.column.truncated || shown.column.wrapped;
            if wide > screen && may && shown.width > shown.least {
                shown.width -= 1;
                wide -= 1;
                shrunk = true;
            }
        }
    }
}

/// Print one row, on as many lines as its cells take; gives their number.
fn print_row(call: &mut Call<'_>, options: &Options, columns: &[Shown], cells: &[String]) -> Result<usize> {
    let mut line = String::new();
    let mut lines = 1;
    let mut pending: Vec<&str> = vec![""; columns.len()];
    for (at, (shown, cell)) in columns.iter().zip(cells).enumerate() {
        let is_last = at + 1 == columns.len();
        let full = width::of(cell);
        let mut wide = shown.width;
        if is_last && full < wide && !options.maximal && (!shown.column.right || cell.is_empty()) {
            wide = full;
        }
        let mut text = &cell[..];
        if full > wide && (shown.column.truncated || shown.column.wrapped) {
            match shown.column.truncated {
                true => text = cut(cell, wide, 0).0,
                false => (text, pending[at]) = cut(cell, wide, 1),
            }
        }
        let blanks = " ".repeat(wide.saturating_sub(width::of(text)));
        match shown.column.right {
            true => line += &format!("{blanks}{text}"),
            false => line += &format!("{text}{blanks}"),
        }
        if is_last {
            break;
        }
        line += &options.output_separator;
        if width::of(text) > wide && !shown.column.right {
            // Too long for its column: the next one begins below.
            line.truncate(line.len() - options.output_separator.len());
            line.push('\n');
            lines += 1;
            for shown in &columns[..=at] {
                line += &" ".repeat(shown.width);
                line += &options.output_separator;
            }
        }
    }
    line.push('\n');
    while pending.iter().any(|text| !text.is_empty()) {
        lines += 1;
        for (at, shown) in columns.iter().enumerate() {
            let (head, tail) = cut(pending[at], shown.width, 1);
            pending[at] = tail;
            line += head;
            if at + 1 < columns.len() {
                line += &" ".repeat(shown.width.saturating_sub(width::of(head)));
                line += &options.output_separator;
            }
        }
        line.push('\n');
    }
    call.stdout.write_all(line.as_bytes())?;
    Ok(lines)
}

/// `text` cut where it has taken `columns` columns. The head has `least` characters at least: one, where the rest must
/// end.
fn cut(text: &str, columns: usize, least: usize) -> (&str, &str) {
    let mut taken = 0;
    let end = text.char_indices().find(|(at, character)| {
        taken += character.width().unwrap_or(0);
        taken > columns && *at >= least
    });
    text.split_at(end.map_or(text.len(), |(at, _)| at))
}
