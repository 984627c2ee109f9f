//! The forms with context: the old one (`-c`) and the unified one (`-u`).
use super::{
    options::Style,
    pair::{Colour, Marked, Printer},
};
use crate::Result;
use std::{io::Write, ops::Range};

/// Print all hunks: changes whose contexts meet share one.
pub(super) fn print(printer: &mut Printer<'_>, changes: &[Marked]) -> Result<()> {
    let context = printer.options.context;
    let mut rest = changes;
    while !rest.is_empty() {
        let mut count = 1;
        while let Some((next, passed_over)) = rest.get(count) {
            let (last, _) = &rest[count - 1];
            let gap = next.old - (last.old + last.deleted);
            let most = if *passed_over { context } else { context.saturating_mul(2).saturating_add(1) };
            if gap >= most {
                break;
            }
            count += 1;
        }
        let (hunk, after) = rest.split_at(count);
        rest = after;
        if hunk.iter().all(|(_, passed_over)| *passed_over) {
            continue;
        }
        printer.begin()?;
        match printer.options.style {
            Style::Unified => unified(printer, hunk)?,
            _ => copied(printer, hunk)?,
        }
    }
    Ok(())
}

/// The lines of both files that a hunk shows.
fn shown(printer: &Printer<'_>, hunk: &[Marked]) -> (Range<usize>, Range<usize>) {
    let context = printer.options.context;
    let (first, last) = (hunk[0].0, hunk[hunk.len() - 1].0);
    let [old, new] = printer.files.map(|file| file.text.len());
    // Both begin as far before the first change, and end as far after the last.
    let before = context.min(first.old).min(first.new);
    let end_old = (last.old + last.deleted).saturating_add(context).min(old);
    let end_new = (last.new + last.inserted).saturating_add(context).min(new);
    (first.old - before..end_old, first.new - before..end_new)
}

/// ` function`, the last line before the hunk that matches `-F`.
fn function(printer: &Printer<'_>, before: usize) -> Result<Vec<u8>> {
    let Some(pattern) = &printer.options.function else {
        return Ok(Vec::new());
    };
    for number in (0..before).rev() {
        let line = printer.files[0].text.line(number);
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        if pattern.is_match(text)? {
            let start = text.trim_ascii_start();
            let cut = &start[..start.len().min(40)];
            return Ok([b" ", cut.trim_ascii_end()].concat());
        }
    }
    Ok(Vec::new())
}

fn unified(printer: &mut Printer<'_>, hunk: &[Marked]) -> Result<()> {
    let (old, new) = shown(printer, hunk);
    let range = |lines: &Range<usize>| match lines.len() {
        0 => format!("{},0", lines.start),
        1 => (lines.start + 1).to_string(),
        count => format!("{},{count}", lines.start + 1),
    };
    printer.coloured(Colour::Place, format_args!("@@ -{} +{} @@", range(&old), range(&new)))?;
    let function = function(printer, old.start)?;
    printer.out.write_all(&function)?;
    printer.out.write_all(b"\n")?;
    // With `-T` the tab is all the mark that common lines have.
    let mark = if printer.options.initial_tab { "" } else { " " };
    let mut at = old.start;
    for (change, _) in hunk {
        context(printer, at..change.old, 0, mark, None)?;
        for number in change.old..change.old + change.deleted {
            printer.line(0, number, "-", Some(Colour::Deleted))?;
        }
        for number in change.new..change.new + change.inserted {
            printer.line(1, number, "+", Some(Colour::Added))?;
        }
        at = change.old + change.deleted;
    }
    context(printer, at..old.end, 0, mark, None)
}

fn context(
    printer: &mut Printer<'_>,
    lines: Range<usize>,
    side: usize,
    mark: &str,
    colour: Option<Colour>,
) -> Result<()> {
    for number in lines {
        printer.line(side, number, mark, colour)?;
    }
    Ok(())
}

fn copied(printer: &mut Printer<'_>, hunk: &[Marked]) -> Result<()> {
    let (old, new) = shown(printer, hunk);
    let range = |lines: &Range<usize>| match lines.len() {
        0 | 1 => lines.end.to_string(),
        _ => format!("{},{}", lines.start + 1, lines.end),
    };
    let function = function(printer, old.start)?;
    printer.out.write_all(b"***************")?;
    printer.out.write_all(&function)?;
    printer.out.write_all(b"\n")?;
    printer.coloured(Colour::Place, format_args!("*** {} ****", range(&old)))?;
    printer.out.write_all(b"\n")?;
    // A part without its own changes is not repeated.
    if hunk.iter().any(|(change, _)| change.deleted > 0) {
        let mut at = old.start;
        for (change, _) in hunk {
            context(printer, at..change.old, 0, " ", Some(Colour::Deleted))?;
            at = change.old + change.deleted;
            let mark = if change.inserted > 0 { "!" } else { "-" };
            for number in change.old..at {
                printer.line(0, number, mark, Some(Colour::Deleted))?;
            }
        }
        context(printer, at..old.end, 0, " ", Some(Colour::Deleted))?;
    }
    printer.coloured(Colour::Place, format_args!("--- {} ----", range(&new)))?;
    printer.out.write_all(b"\n")?;
    if hunk.iter().any(|(change, _)| change.inserted > 0) {
        let mut at = new.start;
        for (change, _) in hunk {
            context(printer, at..change.new, 1, " ", Some(Colour::Added))?;
            at = change.new + change.inserted;
            let mark = if change.deleted > 0 { "!" } else { "+" };
            for number in change.new..at {
                printer.line(1, number, mark, Some(Colour::Added))?;
            }
        }
        context(printer, at..new.end, 1, " ", Some(Colour::Added))?;
    }
    Ok(())
}
