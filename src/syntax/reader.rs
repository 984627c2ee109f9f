//! Line by line, as bash reads a script.
use super::ast::Script;
use super::error::{SyntaxError, Warning};
use super::lexer::{Arena, Extent, Source, read};
use super::{ParseOptions, with_stack};

/// Reads a text one complete command line at a time, as bash does: a line is parsed whole before any of it runs, and
/// the next one only after it ran. A command that spans lines counts as one.
#[derive(Debug)]
pub struct Reader<'t> {
    text: &'t str,
    line: u32,
    offset: usize,
    pieces: usize,
    warnings: Vec<Warning>,
}

impl<'t> Reader<'t> {
    /// Reads `text`, whose first line is called `first_line`.
    pub fn new(text: &'t str, first_line: u32) -> Reader<'t> {
        Reader { text, line: first_line, offset: 0, pieces: 0, warnings: Vec::new() }
    }

    /// The commands of the next line that has any; `None` at the end. After an error there is no next line.
    pub fn next(&mut self, options: &ParseOptions<'_>) -> Result<Option<Script>, SyntaxError> {
        let arena = Arena::default();
        let mut source = Source::new(self.text, self.offset, self.line, *options, &arena);
        let script = with_stack(|| read(&mut source, Extent::Line));
        self.offset = if script.is_ok() { source.offset() } else { self.text.len() };
        self.pieces = source.pieces;
        self.line = source.line_of(self.offset);
        self.warnings.append(&mut source.notes.warnings);
        script.map(|script| Some(script).filter(|script| !script.is_empty()))
    }

    /// The line that is read next.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// How many bytes have been read so far.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// How many words, parts of words and separators were last read, of at most [`MAX_PIECES`](super::MAX_PIECES).
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// What bash would have warned about since the last call.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }
}
