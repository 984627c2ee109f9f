//! What is printed of a line, as ripgrep's standard printer does.
use super::{options::Settings, replace::expand};
use crate::{
    Result,
    pattern::Pattern,
    scan::{Line, Sink, next_char},
};
use std::{borrow::Cow, io::Write, ops::Range, slice};

/// ripgrep's default colours.
const PATH: &str = "\x1b[35m";
const NUMBER: &str = "\x1b[32m";
const PLAIN: &str = "";
const MATCH: &str = "\x1b[1m\x1b[31m";

/// The printer of one file's lines.
pub(super) struct Printer<'p> {
    settings: &'p Settings,
    pattern: &'p Pattern,
    /// The path to print; `None` when lines have no path.
    path: Option<&'p str>,
    /// Whether anything was printed of any file: then files are separated.
    printed: &'p mut bool,
    out: &'p mut dyn Write,
    has_begun: bool,
    /// Bytes printed, and matches found where they were looked for.
    pub(super) bytes: u64,
    pub(super) matches: u64,
    /// Selected lines, where a match may be of several.
    pub(super) lines: u64,
}

/// Something to be printed with what stands before it.
struct Part<'a> {
    text: &'a [u8],
    /// What is coloured in it.
    matches: &'a [Range<usize>],
    number: u64,
    column: Option<usize>,
    offset: u64,
    selected: bool,
    /// Whether a newline ended it.
    ended: bool,
}

impl<'p> Printer<'p> {
    pub(super) fn new(
        settings: &'p Settings,
        pattern: &'p Pattern,
        path: Option<&'p str>,
        printed: &'p mut bool,
        out: &'p mut dyn Write,
    ) -> Printer<'p> {
        Printer { settings, pattern, path, printed, out, has_begun: false, bytes: 0, matches: 0, lines: 0 }
    }

    fn put(&mut self, text: &[u8]) -> Result<()> {
        self.bytes += text.len() as u64;
        Ok(self.out.write_all(text)?)
    }

    fn paint(&mut self, colour: &str, text: &[u8]) -> Result<()> {
        if !self.settings.printing.colour {
            return self.put(text);
        }
        self.put(format!("\x1b[0m{colour}").as_bytes())?;
        self.put(text)?;
        self.put(b"\x1b[0m")
    }

    fn end_line(&mut self) -> Result<()> {
        self.put(&[self.settings.end()])?;
        if self.settings.printing.line_buffered {
            self.out.flush()?;
        }
        Ok(())
    }

    /// The first line of this file is about to be printed.
    fn begin(&mut self) -> Result<()> {
        let s = self.settings;
        if *self.printed && s.printing.heading {
            self.end_line()?;
        } else if *self.printed && s.has_context() {
            self.separate()?;
        }
        if let Some(path) = self.path
            && s.printing.heading
        {
            self.paint(PATH, path.as_bytes())?;
            self.put(&[s.path_end()])?;
        }
        (self.has_begun, *self.printed) = (true, true);
        Ok(())
    }

    fn separate(&mut self) -> Result<()> {
        if let Some(separator) = &self.settings.printing.context_separator {
            self.put(separator.as_bytes())?;
            self.end_line()?;
        }
        Ok(())
    }

    fn head(&mut self, part: &Part<'_>) -> Result<()> {
        let s = self.settings;
        let separator = if part.selected { &s.printing.match_separator } else { &s.printing.context_field_separator };
        if let Some(path) = self.path
            && !s.printing.heading
        {
            self.paint(PATH, path.as_bytes())?;
            self.put(if s.printing.null { b"\0" } else { separator.as_bytes() })?;
        }
        if s.printing.line_number {
            self.paint(NUMBER, part.number.to_string().as_bytes())?;
            self.put(separator.as_bytes())?;
        }
        if let Some(column) = part.column
            && s.printing.column
        {
            self.paint(PLAIN, column.to_string().as_bytes())?;
            self.put(separator.as_bytes())?;
        }
        if s.printing.byte_offset {
            self.paint(PLAIN, part.offset.to_string().as_bytes())?;
            self.put(separator.as_bytes())?;
        }
        Ok(())
    }

    /// A line or a match.
    fn part(&mut self, part: &Part<'_>) -> Result<()> {
        self.head(part)?;
        let blanks = part.text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let skipped = if self.settings.printing.trim { blanks } else { 0 };
        let length = part.text.len() - skipped + usize::from(part.ended);
        match self.settings.printing.most_columns {
            Some(most) if length > most => self.omitted(part, skipped, most)?,
            _ => self.coloured(part, skipped, part.text.len())?,
        }
        self.end_line()
    }

    /// The text from `from` to `to`, matches in colour.
    fn coloured(&mut self, part: &Part<'_>, from: usize, to: usize) -> Result<()> {
        let mut at = from;
        if self.settings.printing.colour {
            for found in part.matches {
                let (start, end) = (found.start.max(at), found.end.min(to));
                if start < end {
                    self.put(&part.text[at..start])?;
                    self.paint(MATCH, &part.text[start..end])?;
                    at = end;
                }
            }
        }
        self.put(&part.text[at..to])
    }

    /// What is printed of a line that is longer than `-M` allows.
    fn omitted(&mut self, part: &Part<'_>, from: usize, most: usize) -> Result<()> {
        let s = self.settings;
        if s.printing.preview {
            let text = String::from_utf8_lossy(&part.text[from..]);
            let end = from + text.chars().take(most).map(char::len_utf8).sum::<usize>();
            let end = end.min(part.text.len());
            self.coloured(part, from, end)?;
            if part.matches.is_empty() {
                return self.put(b" [... omitted end of long line]");
            }
            let more = part.matches.iter().filter(|found| found.start >= end).count();
            let noun = if more == 1 { "match" } else { "matches" };
            return self.put(format!(" [... {more} more {noun}]").as_bytes());
        }
        match (part.selected, part.matches.len()) {
            (false, _) => self.put(b"[Omitted long context line]"),
            (true, count) if count > 0 && !s.printing.only_matching => {
                self.put(format!("[Omitted long line with {count} matches]").as_bytes())
            }
            _ => self.put(b"[Omitted long matching line]"),
        }
    }

    /// Whether the matches within a line must be known.
    fn wants_matches(&self) -> bool {
        let s = self.settings;
        s.printing.colour
            || s.printing.replace.is_some()
            || s.printing.only_matching
            || s.printing.vimgrep
            || s.printing.column
            || s.stats
    }

    /// The lines of `text`, of which the first has `number` and stands at `offset`.
    fn lines(&mut self, text: &[u8], matches: &[Range<usize>], line: &Line<'_>, column: Option<usize>) -> Result<()> {
        let (mut start, mut number) = (0, line.number);
        let is_last_ended = line.range.end < line.block.len();
        let line_end = self.settings.end();
        for piece in text.split(|&byte| byte == line_end) {
            let end = start + piece.len();
            let inside: Vec<Range<usize>> = matches
                .iter()
                .filter(|found| found.start <= end && found.end >= start)
                .map(|found| found.start.max(start) - start..found.end.min(end) - start)
                .collect();
            self.part(&Part {
                text: piece,
                matches: &inside,
                number,
                column,
                offset: line.offset() + start as u64,
                selected: line.selected,
                ended: end < text.len() || is_last_ended,
            })?;
            start = end + 1;
            number += 1;
        }
        Ok(())
    }

    /// Each match alone; one of several lines comes in as many parts.
    fn only_matches(&mut self, text: &[u8], matches: &[Range<usize>], line: &Line<'_>) -> Result<()> {
        for found in matches {
            let line_end = self.settings.end();
            let mut number = line.number + memchr::memchr_iter(line_end, &text[..found.start]).count() as u64;
            // A match may hold the last line's end, which the text does not.
            for piece in text[found.start..found.end.min(text.len())].split(|&byte| byte == line_end) {
                if piece.is_empty() && self.settings.rules().multiline {
                    number += 1;
                    continue;
                }
                let whole = 0..piece.len();
                self.part(&Part {
                    text: piece,
                    matches: slice::from_ref(&whole),
                    number,
                    column: Some(found.start + 1),
                    offset: line.offset() + found.start as u64,
                    selected: true,
                    ended: false,
                })?;
                number += 1;
            }
        }
        Ok(())
    }

    /// The line of each match, once for each.
    fn each_match(&mut self, text: &[u8], matches: &[Range<usize>], line: &Line<'_>) -> Result<()> {
        for found in matches {
            let line_end = self.settings.end();
            let start = memchr::memrchr(line_end, &text[..found.start]).map_or(0, |at| at + 1);
            let end = memchr::memchr(line_end, &text[found.start..]).map_or(text.len(), |at| found.start + at);
            let inside = found.start - start..found.end.min(end) - start;
            self.part(&Part {
                text: &text[start..end],
                matches: slice::from_ref(&inside),
                number: line.number + memchr::memchr_iter(line_end, &text[..start]).count() as u64,
                column: Some(found.start - start + 1),
                offset: line.offset() + found.start as u64,
                selected: true,
                ended: true,
            })?;
        }
        Ok(())
    }
}

impl Sink for Printer<'_> {
    fn line(&mut self, line: &Line<'_>) -> Result<bool> {
        let s = self.settings;
        if !self.has_begun {
            self.begin()?;
        }
        let text = Cow::Borrowed(line.text());
        let has_matches = line.selected && !s.rules().invert && self.wants_matches();
        let found = if has_matches { matches(self.pattern, line, s.rules().multiline)? } else { Vec::new() };
        self.matches += found.len() as u64;
        self.lines += 1 + memchr::memchr_iter(s.end(), &text).count() as u64;
        let (text, found) = match &s.printing.replace {
            Some(template) if !found.is_empty() => replaced(self.pattern, template, line, &found)?,
            _ => (text, found),
        };
        let column = found.first().map(|first| first.start + 1);
        match found.is_empty() {
            false if s.printing.only_matching => self.only_matches(&text, &found, line)?,
            false if s.printing.vimgrep => self.each_match(&text, &found, line)?,
            _ => self.lines(&text, &found, line, column)?,
        }
        Ok(true)
    }

    fn gap(&mut self) -> Result<()> {
        if self.has_begun && self.settings.has_context() { self.separate() } else { Ok(()) }
    }

    fn wait(&mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }
}

/// The matches in a line (or in lines), as places in its text.
pub(super) fn matches(pattern: &Pattern, line: &Line<'_>, multiline: bool) -> Result<Vec<Range<usize>>> {
    // A match of several lines may look at what is around them.
    let (text, base) = if multiline { (line.block, line.range.start) } else { (line.text(), 0) };
    let end = base + line.range.len();
    let mut found = Vec::new();
    let mut at = base;
    let mut last = None;
    while at <= end
        && let Some(range) = pattern.find_at(text, at)?
        && range.start <= end
    {
        at = if range.is_empty() { next_char(text, range.end) } else { range.end };
        let after_another = range.is_empty() && last == Some(range.start);
        let at_the_end = range.is_empty() && range.start == end && multiline;
        if !after_another && !at_the_end {
            last = Some(range.end);
            found.push(range.start - base..range.end - base);
        }
    }
    Ok(found)
}

/// A text, and the places in it that are coloured.
type Marked<'l> = (Cow<'l, [u8]>, Vec<Range<usize>>);

/// The text of a line with its matches replaced, and where the replacements are.
fn replaced<'l>(pattern: &Pattern, template: &str, line: &Line<'l>, found: &[Range<usize>]) -> Result<Marked<'l>> {
    let text = line.text();
    let mut captures = pattern.captures();
    let (mut out, mut places, mut at) = (Vec::new(), Vec::new(), 0);
    for range in found {
        out.extend_from_slice(&text[at..range.start]);
        let start = out.len();
        if pattern.captures_at(text, range.start, &mut captures)? {
            expand(template, pattern, text, &captures, &mut out);
        }
        places.push(start..out.len());
        // A match may hold the last line's end, which the text does not.
        at = range.end.min(text.len());
    }
    out.extend_from_slice(&text[at..]);
    Ok((Cow::Owned(out), places))
}
