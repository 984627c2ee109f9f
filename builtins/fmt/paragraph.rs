//! Paragraphs, read from lines and written as lines.
use super::{
    Indent, Options,
    breaks::{self, LINE_CREDIT, MAX_COST, Measure, Word},
};
use crate::{Call, Input, Result};
use std::io::{BufRead, Write};

/// More words, or more bytes, are not kept: a paragraph's beginning is then written before its end is read.
const MOST_WORDS: usize = 1000;
const MOST_BYTES: usize = 5000;
/// Columns from one tab stop to the next.
const TAB: usize = 8;
/// The indentation of the second line, where nothing tells it.
const DEFAULT_INDENT: usize = 3;

/// One file's way through.
pub(super) struct Filler<'a> {
    options: &'a Options,
    input: Input,
    /// The character that was read ahead; `None` at the end of the file.
    next: Option<u8>,
    /// Column of it.
    column: usize,
    /// Blanks are written as tabs since the file has some.
    tabs: bool,
    /// Blanks before the prefix of the line that begins, and of the paragraph.
    next_prefix_indent: usize,
    prefix_indent: usize,
    first_indent: usize,
    other_indent: usize,
    /// Columns of the paragraph's line that was written last.
    last_line: usize,
    words: Vec<Word>,
    /// Bytes of `words`, and of the word that is being read.
    bytes: usize,
    out: Line,
}

/// A line on its way out.
#[derive(Default)]
struct Line {
    text: Vec<u8>,
    column: usize,
}

impl<'a> Filler<'a> {
    pub(super) fn new(options: &'a Options, input: Input) -> Filler<'a> {
        Filler {
            options,
            input,
            next: None,
            column: 0,
            tabs: false,
            next_prefix_indent: 0,
            prefix_indent: 0,
            first_indent: 0,
            other_indent: 0,
            last_line: 0,
            words: Vec::new(),
            bytes: 0,
            out: Line::default(),
        }
    }

    /// Fill the whole file.
    pub(super) fn fill(&mut self, call: &mut Call<'_>) -> Result<()> {
        self.begin_line()?;
        while self.read_paragraph(call)? {
            self.choose();
            let end = self.words.len();
            self.write_paragraph(call, end)?;
            self.words.clear();
            self.bytes = 0;
        }
        Ok(())
    }

    fn advance(&mut self) -> Result<()> {
        self.next = self.input.fill_buf()?.first().copied();
        if self.next.is_some() {
            self.input.consume(1);
        }
        Ok(())
    }

    fn skip_blanks(&mut self) -> Result<()> {
        loop {
            match self.next {
                Some(b' ') => self.column += 1,
                Some(b'\t') => {
                    self.tabs = true;
                    self.column = (self.column / TAB + 1) * TAB;
                }
                _ => return Ok(()),
            }
            self.advance()?;
        }
    }

    /// Read the blanks and the prefix that a line begins with.
    fn begin_line(&mut self) -> Result<()> {
        self.column = 0;
        self.advance()?;
        self.skip_blanks()?;
        if self.options.prefix.is_empty() {
            self.next_prefix_indent = self.options.lead.min(self.column);
            return Ok(());
        }
        self.next_prefix_indent = self.column;
        for byte in &self.options.prefix {
            if self.next != Some(*byte) {
                return Ok(());
            }
            self.column += 1;
            self.advance()?;
        }
        self.skip_blanks()
    }

    fn at_line_end(&self) -> bool {
        matches!(self.next, None | Some(b'\n'))
    }

    /// Whether the line that begins goes on with the paragraph, as far as its prefix tells.
    fn goes_on(&self) -> bool {
        self.next_prefix_indent == self.prefix_indent
            && self.column >= self.next_prefix_indent + self.options.full
            && !self.at_line_end()
    }

    /// Copy the lines that belong to no paragraph, then read one; `false` at the end of the file.
    fn read_paragraph(&mut self, call: &mut Call<'_>) -> Result<bool> {
        self.last_line = 0;
        while self.at_line_end()
            || self.next_prefix_indent < self.options.lead
            || self.column < self.next_prefix_indent + self.options.full
        {
            self.copy_line(call)?;
            if self.next.is_none() {
                return Ok(false);
            }
            call.stdout.write_all(b"\n")?;
            self.begin_line()?;
        }
        self.prefix_indent = self.next_prefix_indent;
        self.first_indent = self.column;
        self.read_line(call)?;
        self.set_other_indent(self.goes_on());
        let has_second = match self.options.indent {
            Indent::Split => false,
            Indent::Crown => self.goes_on(),
            Indent::Tagged => self.goes_on() && self.column != self.first_indent,
            Indent::Same => self.goes_on() && self.column == self.other_indent,
        };
        if has_second {
            self.read_line(call)?;
            while self.goes_on() && self.column == self.other_indent {
                self.read_line(call)?;
            }
        }
        if let Some(word) = self.words.last_mut() {
            (word.period, word.last) = (true, true);
        }
        Ok(true)
    }

    /// Copy what is left of a line that is not filled, without its end.
    fn copy_line(&mut self, call: &mut Call<'_>) -> Result<()> {
        self.out.column = 0;
        if self.column > self.next_prefix_indent || !self.at_line_end() {
            self.blanks(self.next_prefix_indent);
            for byte in &self.options.prefix {
                if self.out.column == self.column {
                    break;
                }
                self.out.text.push(*byte);
                self.out.column += 1;
            }
            if !self.at_line_end() {
                self.blanks(self.column.saturating_sub(self.out.column));
            }
            if self.next.is_none() && self.column >= self.next_prefix_indent + self.options.prefix.len() {
                self.out.text.push(b'\n');
            }
        }
        call.stdout.write_all(&std::mem::take(&mut self.out.text))?;
        while let Some(byte) = self.next.filter(|byte| *byte != b'\n') {
            call.stdout.write_all(&[byte])?;
            self.advance()?;
        }
        Ok(())
    }

    /// Read the words of a line, and begin the next.
    fn read_line(&mut self, call: &mut Call<'_>) -> Result<()> {
        while !self.at_line_end() {
            let mut text = Vec::new();
            // The first character belongs to the word whatever it is: a vertical tab is one.
            while let Some(byte) =
                self.next.filter(|byte| text.is_empty() || !byte.is_ascii_whitespace() && *byte != 0x0b)
            {
                if self.bytes == MOST_BYTES {
                    self.set_other_indent(true);
                    match self.words.is_empty() {
                        true => {
                            call.stdout.write_all(&std::mem::take(&mut text))?;
                            self.bytes = 0;
                        }
                        false => self.flush(call)?,
                    }
                }
                text.push(byte);
                self.bytes += 1;
                self.advance()?;
            }
            self.column += text.len();
            let mut word = Word::new(text);
            let start = self.column;
            self.skip_blanks()?;
            word.space = self.column - start;
            let ends_line = self.at_line_end();
            word.last = self.next.is_none() || word.period && (ends_line || word.space > 1);
            if ends_line || self.options.uniform {
                word.space = if word.last { 2 } else { 1 };
            }
            let full = self.words.len() == MOST_WORDS - 2;
            if full {
                self.set_other_indent(true);
                self.flush(call)?;
            }
            self.words.push(word);
        }
        self.begin_line()
    }

    /// The indentation of all lines but the first, once it is known whether the paragraph has a second.
    fn set_other_indent(&mut self, goes_on: bool) {
        self.other_indent = match self.options.indent {
            Indent::Crown if goes_on => self.column,
            Indent::Tagged if goes_on && self.column != self.first_indent => self.column,
            Indent::Tagged if self.other_indent != self.first_indent => self.other_indent,
            Indent::Tagged if self.first_indent == 0 => DEFAULT_INDENT,
            Indent::Tagged => 0,
            _ => self.first_indent,
        };
    }

    fn choose(&mut self) {
        let measure = Measure {
            width: self.options.width as i64,
            goal: self.options.goal as i64,
            first_indent: self.first_indent as i64,
            other_indent: self.other_indent as i64,
            before: self.last_line as i64,
        };
        breaks::choose(&mut self.words, &measure);
    }

    /// Write the lines of a paragraph that has grown too long, up to a good break near its end.
    fn flush(&mut self, call: &mut Call<'_>) -> Result<()> {
        self.choose();
        let end = self.words.len();
        let cost = |at: usize| self.words.get(at).map_or(0, |word| word.cost);
        let mut split = end;
        let mut best = MAX_COST;
        let mut at = self.words[0].next;
        while at != end {
            let line = cost(at) - cost(self.words[at].next);
            if line < best {
                (split, best) = (at, line);
            }
            if best <= MAX_COST - LINE_CREDIT {
                best += LINE_CREDIT;
            }
            at = self.words[at].next;
        }
        self.write_paragraph(call, split)?;
        let gone: usize = self.words.drain(..split).map(|word| word.text.len()).sum();
        self.bytes -= gone;
        Ok(())
    }

    /// Write the lines up to the word `end`, with which one begins.
    fn write_paragraph(&mut self, call: &mut Call<'_>, end: usize) -> Result<()> {
        let mut at = 0;
        while at != end {
            call.cancel.check()?;
            let indent = if at == 0 { self.first_indent } else { self.other_indent };
            let next = self.words[at].next;
            self.out.column = 0;
            self.blanks(self.prefix_indent);
            self.out.text.extend_from_slice(&self.options.prefix);
            self.out.column += self.options.prefix.len();
            self.blanks(indent.saturating_sub(self.out.column));
            for place in at..next {
                self.out.text.extend_from_slice(&self.words[place].text);
                self.out.column += self.words[place].text.len();
                if place + 1 < next {
                    self.blanks(self.words[place].space);
                }
            }
            self.last_line = self.out.column;
            self.out.text.push(b'\n');
            call.stdout.write_all(&self.out.text)?;
            self.out.text.clear();
            at = next;
        }
        Ok(())
    }

    fn blanks(&mut self, count: usize) {
        let target = self.out.column + count;
        let stop = target / TAB * TAB;
        if self.tabs && self.out.column + 1 < stop {
            while self.out.column < stop {
                self.out.text.push(b'\t');
                self.out.column = (self.out.column / TAB + 1) * TAB;
            }
        }
        self.out.text.resize(self.out.text.len() + target - self.out.column, b' ');
        self.out.column = target;
    }
}
