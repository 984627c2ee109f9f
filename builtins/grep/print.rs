//! What is printed of a line, byte for byte as GNU grep prints it.
use super::{
    colour::{self, paint},
    options::Settings,
};
use crate::{
    Result,
    pattern::{Haystack, Pattern},
    scan::{Binary, Line, Sink, next_char},
};
use std::{io::Write, ops::Range};

/// The printer of one file's lines.
pub(super) struct Printer<'p> {
    settings: &'p Settings,
    pattern: &'p Pattern,
    /// The name to print; `None` when lines have no name before them.
    name: Option<&'p str>,
    /// The width of numbers under `-T`.
    width: usize,
    /// Whether anything was printed of any file: then groups are separated.
    printed: &'p mut bool,
    out: &'p mut dyn Write,
    /// A line that is not UTF-8 was kept back.
    pub(super) kept_back: bool,
}

impl<'p> Printer<'p> {
    /// `size` is that of the file, where it is known.
    pub(super) fn new(
        settings: &'p Settings,
        pattern: &'p Pattern,
        name: Option<&'p str>,
        size: Option<u64>,
        printed: &'p mut bool,
        out: &'p mut dyn Write,
    ) -> Printer<'p> {
        let largest = size.map_or(i64::MAX as u64, |size| size.saturating_add(u64::from(settings.rules.numbers)));
        let width = if settings.tab { largest.to_string().len() } else { 0 };
        Printer { settings, pattern, name, width, printed, out, kept_back: false }
    }

    fn end_line(&mut self) -> Result<()> {
        self.out.write_all(if self.settings.rules.null_data { b"\0" } else { b"\n" })?;
        if self.settings.line_buffered {
            self.out.flush()?;
        }
        Ok(())
    }

    /// What stands before a line or a match: name, line number, offset. `false`: it is not UTF-8 and is kept back.
    fn head(&mut self, line: &Line<'_>, part: Range<usize>) -> Result<bool> {
        let s = self.settings;
        let mark = if line.selected { b":" } else { b"-" };
        if s.rules.binary != Binary::Text && std::str::from_utf8(&line.block[part.clone()]).is_err() {
            self.kept_back = true;
            return Ok(false);
        }
        if let Some(name) = self.name {
            paint(self.out, s.colour, colour::NAME, name.as_bytes())?;
            match s.null_after_name {
                true => self.out.write_all(b"\0")?,
                false => paint(self.out, s.colour, colour::SEPARATOR, mark)?,
            }
        }
        if s.rules.numbers {
            self.number(line.number, mark)?;
        }
        if s.offset {
            self.number(line.base + part.start as u64, mark)?;
        }
        if s.tab && (self.name.is_some() || s.rules.numbers || s.offset) && !part.is_empty() {
            self.out.write_all(b"\t")?;
        }
        Ok(true)
    }

    fn number(&mut self, number: u64, mark: &[u8]) -> Result<()> {
        let text = format!("{number:width$}", width = self.width);
        paint(self.out, self.settings.colour, colour::NUMBER, text.as_bytes())?;
        paint(self.out, self.settings.colour, colour::SEPARATOR, mark)?;
        Ok(())
    }

    /// The matches of a line, alone or with what stands between them.
    fn matches(&mut self, line: &Line<'_>) -> Result<()> {
        let s = self.settings;
        let text = line.text();
        let haystack = Haystack::new(text);
        let (mut at, mut shown) = (0, 0);
        while at < text.len()
            && let Some(found) = self.pattern.find_in(&haystack, at)?
        {
            if found.is_empty() {
                at = next_char(text, found.start);
                continue;
            }
            if s.only_matching {
                let part = line.range.start + found.start..line.range.start + found.end;
                if !self.head(line, part)? {
                    return Ok(());
                }
            } else {
                self.out.write_all(&text[shown..found.start])?;
            }
            paint(self.out, s.colour, colour::MATCH, &text[found.clone()])?;
            if s.only_matching {
                self.end_line()?;
            }
            at = found.end;
            shown = found.end;
        }
        if !s.only_matching {
            self.out.write_all(&text[shown..])?;
            self.end_line()?;
        }
        Ok(())
    }
}

impl Sink for Printer<'_> {
    fn line(&mut self, line: &Line<'_>) -> Result<bool> {
        let s = self.settings;
        let matching = line.selected != s.rules.invert;
        *self.printed = true;
        if s.only_matching {
            if matching {
                self.matches(line)?;
            }
            return Ok(true);
        }
        if !self.head(line, line.range.clone())? {
            return Ok(false);
        }
        if s.colour && matching {
            self.matches(line)?;
        } else {
            self.out.write_all(line.text())?;
            self.end_line()?;
        }
        Ok(true)
    }

    fn gap(&mut self) -> Result<()> {
        if let Some(separator) = &self.settings.separator
            && *self.printed
        {
            paint(self.out, self.settings.colour, colour::SEPARATOR, separator.as_bytes())?;
            self.out.write_all(b"\n")?;
        }
        Ok(())
    }

    fn wait(&mut self) -> Result<()> {
        // What was found is seen before more is waited for.
        Ok(self.out.flush()?)
    }
}
