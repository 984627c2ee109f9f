//! Lines set in columns of one width, which is a multiple of a tab's.
use crate::{Call, Result, width};
use std::io::Write;

/// Which way the lines run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Down a column, then the next.
    Down,
    /// Across a row, then the next.
    Across,
}

/// Columns from one tab stop to the next.
const TAB: usize = 8;

/// Print `lines` in as many columns as `screen` holds, by tabs.
pub(super) fn print(call: &mut Call<'_>, lines: &[String], screen: usize, order: Order) -> Result<()> {
    let longest = lines.iter().map(|line| width::of(line)).max().unwrap_or(0);
    let each = stop_after(longest);
    let columns = match order {
        _ if longest >= screen => 1,
        // Where not even one column fits, rows never end.
        Order::Across if screen < each => lines.len().max(1),
        _ => (screen / each).max(1),
    };
    let rows = lines.len().div_ceil(columns);
    for row in 0..rows {
        call.cancel.check()?;
        let mut at = 0;
        for column in 0..columns {
            let index = match order {
                Order::Down => row + column * rows,
                Order::Across => row * columns + column,
            };
            let Some(line) = lines.get(index) else { break };
            while at < column * each {
                call.stdout.write_all(b"\t")?;
                at = stop_after(at);
            }
            call.stdout.write_all(line.as_bytes())?;
            at += width::of(line);
        }
        // Rows end where the last of them has something to end.
        if order == Order::Down || columns == 1 || row + 1 < rows || at > 0 {
            call.stdout.write_all(b"\n")?;
        }
    }
    Ok(())
}

fn stop_after(column: usize) -> usize {
    column - column % TAB + TAB
}
