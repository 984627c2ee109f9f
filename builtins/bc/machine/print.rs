//! What is printed: values by the base of the output, in lines that are broken where they are full.
use super::{Machine, Run};
use crate::{Call, bc::number::Number};
use std::io::Write;

impl Machine {
    /// Print a value, and remember it as the last.
    pub(super) fn print(&mut self, call: &mut Call<'_>, value: &Number) -> Run<()> {
        self.last = value.clone();
        let text = value.show(&self.obase);
        self.write(call, &text)
    }

    /// Print text, broken where a line is full.
    pub(super) fn write(&mut self, call: &mut Call<'_>, text: &str) -> Run<()> {
        let mut out = String::with_capacity(text.len() + 1);
        for character in text.chars() {
            if character == '\n' {
                self.column = 0;
            } else {
                self.column += 1;
                if self.line_length > 0 && self.column + 1 == self.line_length {
                    out += "\\\n";
                    self.column = 1;
                }
            }
            out.push(character);
        }
        call.stdout.write_all(out.as_bytes())?;
        Ok(())
    }
}

/// The text of `print`, its escapes read.
pub(super) fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match characters.next() {
            Some('a') => out.push('\u{7}'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('n') => out.push('\n'),
            Some('q') => out.push('"'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('\\') => out.push('\\'),
            _ => {}
        }
    }
    out
}
