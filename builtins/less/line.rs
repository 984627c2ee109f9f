//! A line as it stands on a screen: folded to its width, tabs spread, control characters visible, colours kept.
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// Columns between tab stops.
const TAB: usize = 8;
const REVERSE: &str = "\u{1b}[7m";
const NOT_REVERSE: &str = "\u{1b}[27m";
const RESET: &str = "\u{1b}[m";

/// `line` in rows of at most `columns` columns, with `marked` places in reverse. There is at least one row.
///
/// Of escape sequences only those that choose colours (`ESC [ … m`) take effect, and grep's `ESC [ K` is dropped: no
/// text steers the terminal.
pub(super) fn rows(line: &[u8], columns: usize, marked: &[Range<usize>]) -> Vec<String> {
    let mut rows =
        Rows { columns: columns.max(1), done: Vec::new(), row: String::new(), column: 0, colours: String::new() };
    let is_marked = |at: usize| marked.iter().any(|range| range.contains(&at));
    let (mut at, mut reversed) = (0, false);
    for chunk in line.utf8_chunks() {
        let text = chunk.valid();
        let mut skip_to = 0;
        for (offset, c) in text.char_indices() {
            if offset < skip_to {
                continue;
            }
            if is_marked(at + offset) != reversed {
                reversed = !reversed;
                rows.row.push_str(if reversed { REVERSE } else { NOT_REVERSE });
            }
            match (c, control_sequence(&text[offset..])) {
                ('\u{1b}', Some(length)) => {
                    rows.colour(&text[offset..offset + length]);
                    skip_to = offset + length;
                }
                ('\t', _) => {
                    for _ in 0..TAB - rows.column % TAB {
                        rows.put(' ');
                    }
                }
                (c, _) if c.is_control() => visible(c).chars().for_each(|c| rows.put(c)),
                (c, _) => rows.put(c),
            }
        }
        at += text.len();
        for byte in chunk.invalid() {
            format!("<{byte:02X}>").chars().for_each(|c| rows.put(c));
        }
        at += chunk.invalid().len();
    }
    if reversed {
        rows.row.push_str(NOT_REVERSE);
    }
    rows.finish()
}

/// `c` as a caret and a letter, or as its code.
fn visible(c: char) -> String {
    match u32::from(c) {
        code @ 0..=31 => format!("^{}", char::from(code as u8 + b'@')),
        127 => "^?".to_string(),
        code => format!("<{code:02X}>"),
    }
}

/// The length of the sequence at the start of `text`, if it is one that a text may use.
fn control_sequence(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let length = parameters.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    parameters[length..].starts_with(['m', 'K']).then_some(length + 3)
}

struct Rows {
    columns: usize,
    done: Vec<String>,
    row: String,
    column: usize,
    /// The sequences since colours were last reset: a new row begins with them.
    colours: String,
}

impl Rows {
    fn put(&mut self, c: char) {
        let width = c.width().unwrap_or(0);
        if self.column + width > self.columns {
            self.end_row();
        }
        self.row.push(c);
        self.column += width;
    }

    fn colour(&mut self, sequence: &str) {
        if sequence.ends_with('K') {
            return;
        }
        self.row.push_str(sequence);
        match sequence {
            "\u{1b}[m" | "\u{1b}[0m" => self.colours.clear(),
            sequence => self.colours.push_str(sequence),
        }
    }

    fn end_row(&mut self) {
        if !self.colours.is_empty() {
            self.row.push_str(RESET);
        }
        let next = self.colours.clone();
        self.done.push(std::mem::replace(&mut self.row, next));
        self.column = 0;
    }

    fn finish(mut self) -> Vec<String> {
        self.end_row();
        self.done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str, columns: usize) -> Vec<String> {
        rows(line.as_bytes(), columns, &[]).iter().map(|row| row.replace('\u{1b}', "^[")).collect()
    }

    #[test]
    fn long_lines_are_folded() {
        assert_eq!(shown("abcdef", 4), ["abcd", "ef"]);
        assert_eq!(shown("", 4), [""]);
        assert_eq!(shown("a\tb", 20), ["a       b"]);
        assert_eq!(shown("日本語", 4), ["日本", "語"]);
    }

    #[test]
    fn colours_are_kept_and_nothing_else() {
        let coloured = shown("\u{1b}[31m\u{1b}[Kabcd\u{1b}[m\u{1b}[Ke", 2);
        assert_eq!(coloured, ["^[[31mab^[[m", "^[[31mcd^[[m", "e"]);
        assert_eq!(shown("\u{1b}[2Jx\u{7}\r", 20), ["^[[2Jx^G^M"]);
    }

    #[test]
    fn bytes_that_are_no_text_are_shown() {
        assert_eq!(rows(b"a\xffb", 20, &[]), ["a<FF>b"]);
    }

    #[test]
    fn marks_are_reversed() {
        assert_eq!(rows(b"one two", 20, &[0..3, 4..7]), ["\u{1b}[7mone\u{1b}[27m \u{1b}[7mtwo\u{1b}[27m"]);
    }
}
