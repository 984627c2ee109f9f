//! The search of one text: which lines are selected, and which stand around them. `grep` and `rg` print what it finds.
//!
//! A text is searched in blocks of whole lines: a page is one block, a stream comes in many. A block may begin with
//! lines that have been searched before and are kept for context. Lines are told apart only around what was found.
use crate::{
    Cancel, Input, Purse, Result,
    pattern::{Haystack, Lines, Pattern},
};
use std::{borrow::Cow, io::BufRead, ops::Range};

/// Bytes of a stream kept before what has been searched is thrown away.
const KEEP: usize = 64 * 1024;

/// Which lines are selected, and what is wanted of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// Select the lines that do not match.
    pub(crate) invert: bool,
    /// Lines end with a NUL.
    pub(crate) null_data: bool,
    /// A match may be of several lines.
    pub(crate) multiline: bool,
    /// Lines of context.
    pub(crate) before: usize,
    pub(crate) after: usize,
    /// All lines are context: `rg --passthru`.
    pub(crate) all: bool,
    /// Selected lines at most.
    pub(crate) most: Option<u64>,
    /// Count the lines: [`Line::number`] is wanted.
    pub(crate) numbers: bool,
    /// Only the count is wanted: no line is shown.
    pub(crate) quiet: bool,
    /// It is enough to know that there is one.
    pub(crate) first_only: bool,
    /// What is done with a text that holds a NUL.
    pub(crate) binary: Binary,
}

/// What is done with what is not text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Binary {
    /// One match is enough to say so, and no line is shown; as GNU grep has it, a NUL ends a line.
    #[default]
    Message,
    /// It is searched as text.
    Text,
    /// It matches nothing.
    Skip,
}

/// A line that is selected, or that stands near one.
pub(crate) struct Line<'b> {
    /// The block it stands in.
    pub(crate) block: &'b [u8],
    /// Where in the block, without its end. Several lines when a match is of several.
    pub(crate) range: Range<usize>,
    /// Not for its context.
    pub(crate) selected: bool,
    /// From 1; 0 unless [`Rules::numbers`].
    pub(crate) number: u64,
    /// Bytes of the text before the block.
    pub(crate) base: u64,
}

impl<'b> Line<'b> {
    /// Its text.
    pub(crate) fn text(&self) -> &'b [u8] {
        &self.block[self.range.clone()]
    }

    /// Where it begins in the whole text.
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.range.start as u64
    }
}

/// Whoever shows what is found.
pub(crate) trait Sink {
    /// A line. `false`: it is not to be counted as shown, and a group of lines does not go on behind it.
    fn line(&mut self, line: &Line<'_>) -> Result<bool>;

    /// The next line does not follow the last one; also said before the first line of a text.
    fn gap(&mut self) -> Result<()>;

    /// More of a stream is about to be waited for.
    fn wait(&mut self) -> Result<()>;
}

/// A search under way.
pub(crate) struct Scan<'s> {
    pattern: &'s Pattern,
    rules: &'s Rules,
    /// Selected lines so far.
    pub(crate) count: u64,
    /// Where the first NUL is.
    pub(crate) null: Option<u64>,
    /// Bytes searched so far.
    pub(crate) searched: u64,
    /// As many lines were selected as are wanted.
    has_most: bool,
    /// Lines of context still to be shown.
    pending: usize,
    /// Up to where lines have been dealt with, and shown.
    last: Option<usize>,
    shown: Option<usize>,
    /// Lines before `counted`.
    lines: u64,
    counted: usize,
    base: u64,
}

/// What comes after a block or a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Go,
    /// Nothing more of this text matters.
    Stop,
}

impl<'s> Scan<'s> {
    pub(crate) fn new(pattern: &'s Pattern, rules: &'s Rules) -> Scan<'s> {
        Scan {
            pattern,
            rules,
            count: 0,
            null: None,
            searched: 0,
            has_most: false,
            pending: if rules.all { usize::MAX } else { 0 },
            last: rules.all.then_some(0),
            shown: None,
            lines: 0,
            counted: 0,
            base: 0,
        }
    }

    /// Search a whole text.
    pub(crate) fn page(&mut self, text: &[u8], cancel: &Cancel, sink: &mut dyn Sink) -> Result<()> {
        self.block(text, 0..text.len(), cancel, sink)?;
        Ok(())
    }

    /// Search a stream as it comes. Of what stands behind the last line that mattered, nothing is consumed.
    pub(crate) fn stream(
        &mut self,
        input: &mut Input,
        memory: &mut Purse,
        cancel: &Cancel,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let mut block = Vec::new();
        let (mut from, mut taken) = (0, KEEP);
        loop {
            sink.wait()?;
            let bytes = input.fill_buf()?;
            let count = bytes.len();
            block.extend_from_slice(bytes);
            if block.len() > taken {
                memory.take(block.len() - taken)?;
                taken = block.len();
            }
            let before = block.len() - count;
            let to = match memchr::memrchr(self.end_byte(), &block[from..]) {
                _ if count == 0 => block.len(),
                Some(at) if !self.rules.multiline => from + at + 1,
                _ => from,
            };
            let (flow, end) = self.block(&block, from..to, cancel, sink)?;
            if flow == Flow::Stop {
                input.consume(end.saturating_sub(before).min(count));
                return Ok(());
            }
            input.consume(count);
            if count == 0 {
                return Ok(());
            }
            from = to;
            let keep = self.keep_from(&block, from);
            if keep >= KEEP {
                self.forget(&block, keep);
                block.drain(..keep);
                from -= keep;
            }
        }
    }

    fn end_byte(&self) -> u8 {
        if self.rules.null_data { 0 } else { b'\n' }
    }

    /// From where on a later line may want the block for its context.
    fn keep_from(&self, block: &[u8], searched: usize) -> usize {
        let mut keep = searched;
        for _ in 0..self.rules.before.min(KEEP) {
            if keep <= self.shown.unwrap_or(0) {
                break;
            }
            keep = self.line_start(block, keep - 1);
        }
        keep
    }

    /// The block is about to lose its first `bytes`.
    fn forget(&mut self, block: &[u8], bytes: usize) {
        self.count_lines(block, bytes);
        self.counted = self.counted.saturating_sub(bytes);
        self.base += bytes as u64;
        self.last = self.last.and_then(|last| last.checked_sub(bytes));
        self.shown = self.shown.and_then(|shown| shown.checked_sub(bytes));
    }

    fn line_start(&self, block: &[u8], at: usize) -> usize {
        memchr::memrchr(self.end_byte(), &block[..at]).map_or(0, |newline| newline + 1)
    }

    fn line_end(&self, block: &[u8], at: usize) -> usize {
        memchr::memchr(self.end_byte(), &block[at..]).map_or(block.len(), |end| at + end)
    }

    /// Search the lines of `range`. Also tells where the last line that mattered ends.
    fn block(
        &mut self,
        block: &[u8],
        range: Range<usize>,
        cancel: &Cancel,
        sink: &mut dyn Sink,
    ) -> Result<(Flow, usize)> {
        let mut block = Cow::Borrowed(&block[..range.end]);
        self.searched += range.len() as u64;
        let is_text = self.rules.binary == Binary::Text || self.rules.null_data;
        if !is_text && let Some(at) = memchr::memchr(0, &block[range.start..]) {
            if self.rules.binary == Binary::Skip {
                self.count = 0;
                return Ok((Flow::Stop, range.end));
            }
            self.null.get_or_insert(self.base + (range.start + at) as u64);
            block.to_mut().iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = b'\n');
        }
        if self.only_counts() {
            return self.count_matches(&block, range.start, cancel);
        }
        let (mut at, mut hit) = (range.start, None);
        while !self.has_most
            && let Some(line) = self.next_selected(&block, at, &mut hit)?
        {
            cancel.check()?;
            at = line.end + 1;
            if self.select(&block, line, sink)? == Flow::Stop {
                return Ok((Flow::Stop, at.min(block.len())));
            }
        }
        // What follows the last line of `most` is its context, whether it matches or not.
        self.flush_pending(&block, block.len(), sink)?;
        let is_done = self.has_most && self.pending == 0;
        Ok((if is_done { Flow::Stop } else { Flow::Go }, self.last.unwrap_or(at).min(block.len())))
    }

    /// Whether only the number of matching lines is wanted, of all of them.
    fn only_counts(&self) -> bool {
        let Rules { invert, null_data, multiline, all, most, quiet, first_only, .. } = *self.rules;
        quiet && !(first_only || invert || null_data || multiline || all) && most.is_none()
    }

    /// Count the lines from `at` on that match.
    fn count_matches(&mut self, text: &[u8], mut at: usize, cancel: &Cancel) -> Result<(Flow, usize)> {
        cancel.check()?;
        let start = at;
        match self.pattern.matching_lines() {
            Some(Lines::Every) => {
                self.count += memchr::memchr_iter(b'\n', &text[at..]).count() as u64;
                self.count += u64::from(text[at..].last().is_some_and(|&last| last != b'\n'));
                return Ok((Flow::Go, text.len()));
            }
            Some(Lines::NonEmpty) if std::str::from_utf8(&text[at..]).is_ok() => {
                for end in memchr::memchr_iter(b'\n', &text[at..]).map(|end| start + end) {
                    self.count += u64::from(end > at);
                    at = end + 1;
                }
                self.count += u64::from(at < text.len());
                return Ok((Flow::Go, text.len()));
            }
            Some(Lines::NonEmpty) | None => {}
        }
        let mut looked = at;
        while let Some(place) = self.pattern.line_at(text, at)? {
            self.count += 1;
            at = self.line_end(text, place) + 1;
            if at - looked >= KEEP {
                cancel.check()?;
                looked = at;
            }
        }
        Ok((Flow::Go, text.len()))
    }

    /// The next line from `at` on that is selected, without its end. `hit` is the match seen ahead, when inverted.
    fn next_selected(
        &self,
        text: &[u8],
        mut at: usize,
        hit: &mut Option<Range<usize>>,
    ) -> Result<Option<Range<usize>>> {
        if !self.rules.invert {
            return self.next_match(text, at);
        }
        while at < text.len() {
            let ahead = match hit.take() {
                Some(hit) if hit.start >= at => hit,
                _ => self.next_match(text, at)?.unwrap_or(text.len()..text.len()),
            };
            if ahead.start > at {
                *hit = Some(ahead);
                return Ok(Some(at..self.line_end(text, at)));
            }
            at = ahead.end + 1;
        }
        Ok(None)
    }

    /// The next line from `at` on that matches, without its end.
    fn next_match(&self, text: &[u8], at: usize) -> Result<Option<Range<usize>>> {
        if self.rules.multiline {
            return self.next_lines(text, at);
        }
        if !self.rules.null_data {
            let Some(place) = self.pattern.line_at(text, at)? else {
                return Ok(None);
            };
            return Ok(Some(self.line_start(text, place)..self.line_end(text, place)));
        }
        let mut start = at;
        while start < text.len() {
            let end = self.line_end(text, start);
            if self.pattern.is_match(&text[start..end])? {
                return Ok(Some(start..end));
            }
            start = end + 1;
        }
        Ok(None)
    }

    /// The next lines from `at` on that a match touches, and those that matches beginning in their last line touch.
    fn next_lines(&self, text: &[u8], at: usize) -> Result<Option<Range<usize>>> {
        let mut lines: Option<Range<usize>> = None;
        let haystack = Haystack::new(text);
        let mut from = at;
        while from < text.len()
            && let Some(found) = self.pattern.find_in(&haystack, from)?
            && found.start < text.len()
            && lines.as_ref().is_none_or(|lines| found.start <= lines.end)
        {
            // A match that ends with a newline does not touch the line behind it.
            let last = if found.is_empty() { found.start } else { found.end - 1 };
            let start = lines.map_or_else(|| self.line_start(text, found.start), |lines| lines.start);
            lines = Some(start..self.line_end(text, last));
            from = if found.is_empty() { found.end + 1 } else { found.end };
        }
        Ok(lines)
    }

    /// The line `line` is selected.
    fn select(&mut self, block: &[u8], line: Range<usize>, sink: &mut dyn Sink) -> Result<Flow> {
        self.count += 1;
        self.has_most = Some(self.count) == self.rules.most;
        if self.rules.quiet || self.null.is_some() {
            let is_enough = self.rules.first_only || !self.rules.quiet;
            return Ok(if is_enough || self.has_most { Flow::Stop } else { Flow::Go });
        }
        self.flush_pending(block, line.start, sink)?;
        let mut first = line.start;
        for _ in 0..self.rules.before {
            if first <= self.shown.unwrap_or(0) {
                break;
            }
            first = self.line_start(block, first - 1);
        }
        if self.shown != Some(first) {
            sink.gap()?;
        }
        while first < line.start {
            let end = self.line_end(block, first);
            self.show(block, first..end, false, sink)?;
            first = end + 1;
        }
        self.show(block, line, true, sink)?;
        self.pending = if self.rules.all { usize::MAX } else { self.rules.after };
        Ok(if self.has_most && self.pending == 0 { Flow::Stop } else { Flow::Go })
    }

    /// The context after a selected line, as far as `to`.
    fn flush_pending(&mut self, block: &[u8], to: usize, sink: &mut dyn Sink) -> Result<()> {
        while self.pending > 0
            && let Some(start) = self.last
            && start < to
        {
            let end = self.line_end(block, start);
            self.show(block, start..end, false, sink)?;
            self.pending -= 1;
        }
        Ok(())
    }

    fn show(&mut self, block: &[u8], range: Range<usize>, selected: bool, sink: &mut dyn Sink) -> Result<()> {
        let end = range.end + 1;
        let number = if self.rules.numbers {
            self.count_lines(block, range.start);
            self.lines + 1
        } else {
            0
        };
        self.last = Some(end);
        if sink.line(&Line { block, range, selected, number, base: self.base })? {
            self.shown = Some(end);
        }
        Ok(())
    }

    fn count_lines(&mut self, block: &[u8], until: usize) {
        if self.rules.numbers && until > self.counted {
            self.lines += memchr::memchr_iter(self.end_byte(), &block[self.counted..until]).count() as u64;
            self.counted = until;
        }
    }
}

/// The place of the character after the one at `at`.
pub(crate) fn next_char(text: &[u8], at: usize) -> usize {
    let rest = &text[(at + 1).min(text.len())..];
    at + 1 + rest.iter().take_while(|&&byte| byte & 0xc0 == 0x80).count()
}
