//! Counting a stream of bytes. Characters are UTF-8; a byte that belongs to none is no character, but part of a word.
use unicode_width::UnicodeWidthChar;

/// What has been counted.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) lines: u64,
    pub(super) words: u64,
    pub(super) chars: u64,
    pub(super) bytes: u64,
    /// Columns of the widest line, with tab stops every 8.
    pub(super) width: u64,
}

impl Counts {
    /// Add another file's counts; the widest line stays the widest.
    pub(super) fn add(&mut self, other: &Counts) {
        self.lines += other.lines;
        self.words += other.words;
        self.chars += other.chars;
        self.bytes += other.bytes;
        self.width = self.width.max(other.width);
    }
}

/// Counts as bytes come.
pub(super) struct Counter {
    counts: Counts,
    /// Only lines and bytes are asked for.
    plain: bool,
    in_word: bool,
    column: u64,
    /// The beginning of a character whose rest has not come yet.
    partial: Vec<u8>,
}

impl Counter {
    pub(super) fn new(words: bool, chars: bool, width: bool) -> Counter {
        let plain = !(words || chars || width);
        Counter { counts: Counts::default(), plain, in_word: false, column: 0, partial: Vec::new() }
    }

    pub(super) fn feed(&mut self, bytes: &[u8]) {
        self.counts.bytes += bytes.len() as u64;
        if self.plain {
            self.counts.lines += memchr::memchr_iter(b'\n', bytes).count() as u64;
            return;
        }
        let mut rest = bytes;
        while !self.partial.is_empty() && !rest.is_empty() {
            self.partial.push(rest[0]);
            rest = &rest[1..];
            let partial = std::mem::take(&mut self.partial);
            self.text(&partial);
        }
        self.text(rest);
    }

    fn text(&mut self, mut bytes: &[u8]) {
        loop {
            match std::str::from_utf8(bytes) {
                Ok(text) => return self.chars(text),
                Err(error) => {
                    let (good, bad) = bytes.split_at(error.valid_up_to());
                    self.chars(std::str::from_utf8(good).unwrap_or_default());
                    let Some(length) = error.error_len() else {
                        self.partial = bad.to_vec();
                        return;
                    };
                    self.stray();
                    bytes = &bad[length..];
                }
            }
        }
    }

    fn chars(&mut self, text: &str) {
        for c in text.chars() {
            self.counts.chars += 1;
            match c {
                '\n' => {
                    self.counts.lines += 1;
                    self.line_ends();
                }
                '\r' | '\u{c}' => self.line_ends(),
                '\t' => {
                    self.column += 8 - self.column % 8;
                    self.in_word = false;
                }
                '\u{b}' => self.in_word = false,
                c => {
                    self.column += c.width().unwrap_or(0) as u64;
                    let space = c == ' ' || !c.is_ascii() && c.is_whitespace();
                    if !space && !self.in_word {
                        self.counts.words += 1;
                    }
                    self.in_word = !space;
                }
            }
        }
    }

    fn stray(&mut self) {
        if !self.in_word {
            self.counts.words += 1;
            self.in_word = true;
        }
    }

    fn line_ends(&mut self) {
        self.counts.width = self.counts.width.max(self.column);
        self.column = 0;
        self.in_word = false;
    }

    pub(super) fn finish(mut self) -> Counts {
        if !self.partial.is_empty() {
            self.stray();
        }
        self.line_ends();
        self.counts
    }
}
