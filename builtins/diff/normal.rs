//! The forms that show changes alone: the normal one, and those of `ed` and RCS.
use super::{
    options::Style,
    pair::{Colour, Marked, Printer},
};
use crate::Result;
use std::io::Write;

/// `first,last`, or one number, counted from 1; of no lines the line before them.
fn range(first: usize, count: usize) -> String {
    match count {
        0 => first.to_string(),
        1 => (first + 1).to_string(),
        count => format!("{},{}", first + 1, first + count),
    }
}

/// The normal, the forward `ed` and the RCS form.
pub(super) fn print(printer: &mut Printer<'_>, changes: &[Marked]) -> Result<()> {
    for (change, _) in changes.iter().filter(|(_, passed_over)| !passed_over) {
        printer.begin()?;
        let (old, new) = (range(change.old, change.deleted), range(change.new, change.inserted));
        let letter = match (change.deleted, change.inserted) {
            (_, 0) => 'd',
            (0, _) => 'a',
            _ => 'c',
        };
        match printer.options.style {
            Style::ForwardEd => {
                writeln!(printer.out, "{letter}{}", old.replace(',', " "))?;
                if change.inserted > 0 {
                    lines(printer, 1, change.new, change.inserted, "", None)?;
                    printer.out.write_all(b".\n")?;
                }
            }
            Style::Rcs => {
                if change.deleted > 0 {
                    writeln!(printer.out, "d{} {}", change.old + 1, change.deleted)?;
                }
                if change.inserted > 0 {
                    writeln!(printer.out, "a{} {}", change.old + change.deleted, change.inserted)?;
                    lines(printer, 1, change.new, change.inserted, "", None)?;
                }
            }
            _ => {
                printer.coloured(Colour::Place, format_args!("{old}{letter}{new}"))?;
                printer.out.write_all(b"\n")?;
                lines(printer, 0, change.old, change.deleted, "<", Some(Colour::Deleted))?;
                if letter == 'c' {
                    printer.out.write_all(b"---\n")?;
                }
                lines(printer, 1, change.new, change.inserted, ">", Some(Colour::Added))?;
            }
        }
    }
    Ok(())
}

fn lines(
    printer: &mut Printer<'_>,
    side: usize,
    first: usize,
    count: usize,
    mark: &str,
    colour: Option<Colour>,
) -> Result<()> {
    (first..first + count).try_for_each(|number| printer.line(side, number, mark, colour))
}

/// A script for `ed`: last change first, so that the numbers stay right.
pub(super) fn print_ed(printer: &mut Printer<'_>, changes: &[Marked]) -> Result<()> {
    for (change, _) in changes.iter().rev().filter(|(_, passed_over)| !passed_over) {
        printer.begin()?;
        let letter = match (change.deleted, change.inserted) {
            (_, 0) => 'd',
            (0, _) => 'a',
            _ => 'c',
        };
        writeln!(printer.out, "{}{letter}", range(change.old, change.deleted))?;
        if change.inserted == 0 {
            continue;
        }
        // A line that is a dot would end the text: it is written as two, and one of them taken away.
        let mut open = true;
        for number in change.new..change.new + change.inserted {
            if !open {
                printer.out.write_all(b"a\n")?;
                open = true;
            }
            if printer.files[1].text.line(number) == b".\n" {
                printer.out.write_all(b"..\n.\ns/.//\n")?;
                open = false;
            } else {
                printer.line(1, number, "", None)?;
            }
        }
        if open {
            printer.out.write_all(b".\n")?;
        }
    }
    Ok(())
}
