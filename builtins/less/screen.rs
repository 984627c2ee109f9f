//! What the pager shows: the rows from its place on, and below them what it has to say.
use super::{
    line::{self, rows},
    pager::{Pager, Place},
    search::matches,
};
use crate::Result;
use std::io::Write;

const TOP_LEFT: &str = "\u{1b}[H";
/// Clears the rest of a row.
pub(super) const CLEAR_ROW: &str = "\u{1b}[K";

impl Pager<'_, '_> {
    pub(super) fn write(&mut self, text: &str) -> Result<()> {
        self.call.stdout.write_all(text.as_bytes())?;
        Ok(self.call.stdout.flush()?)
    }

    /// Columns and rows of the window.
    fn window(&self) -> (usize, usize) {
        let (columns, rows) = self.call.stdout.terminal().map_or((80, 24), |window| (window.columns, window.rows));
        (usize::from(columns), usize::from(rows))
    }

    /// Rows of text on a screen: all but the last.
    pub(super) fn height(&self) -> usize {
        self.window().1.saturating_sub(1).max(1)
    }

    /// The rows of a line; none of a line that is not there.
    pub(super) fn rows(&mut self, number: usize) -> Result<Vec<String>> {
        let (columns, _) = self.window();
        let text = &mut self.texts[self.current];
        text.read(number + 1, &mut self.call.memory)?;
        let Some(bytes) = text.lines.get(number) else { return Ok(Vec::new()) };
        let marked = self.search.as_ref().map_or(Vec::new(), |(pattern, _)| matches(pattern, bytes));
        let label = if self.settings.numbers { format!("{:>7} ", number + 1) } else { String::new() };
        let mut rows = rows(bytes, columns.saturating_sub(label.len()), &marked);
        if self.settings.chop {
            rows.truncate(1);
        }
        for (at, row) in rows.iter_mut().enumerate().filter(|_| !label.is_empty()) {
            let label = if at == 0 { label.clone() } else { " ".repeat(label.len()) };
            row.insert_str(0, &label);
        }
        Ok(rows)
    }

    /// Up to `most` rows from the top of the screen on.
    fn rows_from_top(&mut self, most: usize) -> Result<Vec<String>> {
        let (mut shown, mut number, mut skip) = (Vec::new(), self.top.line, self.top.row);
        while shown.len() < most {
            let rows = self.rows(number)?;
            if rows.is_empty() {
                break;
            }
            shown.extend(rows.into_iter().skip(skip).take(most - shown.len()));
            (number, skip) = (number + 1, 0);
        }
        Ok(shown)
    }

    pub(super) fn draw(&mut self) -> Result<()> {
        let height = self.height();
        let mut rows = self.rows_from_top(height)?;
        let is_end = self.is_at_end()?;
        rows.resize(height, "~".to_string());
        let mut screen = String::from(TOP_LEFT);
        for row in rows {
            screen.push_str(&row);
            screen.push_str(CLEAR_ROW);
            screen.push('\n');
        }
        screen.push_str(&self.status_row(is_end));
        self.write(&screen)
    }

    fn status_row(&self, is_end: bool) -> String {
        let mut status = match (&self.message, is_end) {
            (Some(message), false) => message.clone(),
            (Some(message), true) => format!("{message} (END)"),
            (None, true) => "(END)".to_string(),
            (None, false) => self.settings.prompt.to_string(),
        };
        if is_end && let Some(next) = self.texts.get(self.current + 1) {
            status += &format!(" - Next: {}", next.name);
        }
        // The name of a file is not to steer the terminal, nor to be longer than its row.
        let (columns, _) = self.window();
        let shown = line::rows(status.as_bytes(), columns.saturating_sub(1), &[]).swap_remove(0);
        format!("\u{1b}[7m{shown}\u{1b}[m{CLEAR_ROW}")
    }

    /// Whether all of the rest is on the screen.
    pub(super) fn is_at_end(&mut self) -> Result<bool> {
        let height = self.height();
        Ok(self.rows_from_top(height + 1)?.len() <= height)
    }

    /// Whether all of the text is.
    pub(super) fn fits(&mut self) -> Result<bool> {
        Ok(self.top == Place::default() && self.is_at_end()?)
    }

    pub(super) fn print_all(&mut self) -> Result<()> {
        let height = self.height();
        let text: String = self.rows_from_top(height)?.iter().map(|row| format!("{row}\n")).collect();
        self.write(&text)
    }
}
