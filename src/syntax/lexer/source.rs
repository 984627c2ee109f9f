//! The characters being read, where they stand, and how deep the reading is.
//!
//! Aliases are expanded in place: the text of one is put in front of what follows its name, so everything else reads
//! one plain text. Positions that leave this folder are always those of the text as it was given.
use super::heredoc::PendingDoc;
use crate::syntax::error::{SyntaxError, Warning};
use crate::syntax::outline::{Begun, Class, Span};
use crate::syntax::{MAX_DEPTH, MAX_PIECES, ParseOptions};
use std::cell::{Cell, OnceCell};

pub(in crate::syntax) type Res<T> = Result<T, SyntaxError>;

/// How much text aliases may insert in one reading; more is an alias that multiplies itself.
const MAX_INSERTED: usize = 1 << 20;

/// Texts made while reading. They live as long as the reading, so that the source can borrow them.
#[derive(Debug, Default)]
pub(in crate::syntax) struct Arena {
    text: String,
    next: OnceCell<Box<Arena>>,
}

impl Drop for Arena {
    /// Node by node: the chain may be long.
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some(mut node) = next {
            next = node.next.take();
        }
    }
}

/// An alias whose text is being read. It is not expanded again before `left` bytes are left.
#[derive(Clone, Copy, Debug)]
struct ActiveAlias<'t> {
    name: &'t str,
    left: usize,
}

/// What a caller wants to know besides the tree.
#[derive(Debug, Default)]
pub(in crate::syntax) struct Notes {
    pub(in crate::syntax) warnings: Vec<Warning>,
    /// The text can run as it is, yet bash would have asked for another line: a here-document without its end, a `\` at
    /// the very end.
    pub(in crate::syntax) unfinished: bool,
    /// What the parts of the text are, where somebody asks.
    pub(in crate::syntax) spans: Option<Vec<Span>>,
}

#[derive(Debug)]
pub(in crate::syntax) struct Source<'t> {
    pub(super) text: &'t str,
    pub(super) pos: usize,
    /// The text as it was given.
    pub(super) original: &'t str,
    /// How many bytes at the start of `text` came from aliases, and where in `original` the others begin.
    inserted: usize,
    tail: usize,
    /// A place in `original` and its line, from which other lines are counted.
    line: Cell<(usize, u32)>,
    pub(super) options: ParseOptions<'t>,
    arena: &'t Arena,
    active: Vec<ActiveAlias<'t>>,
    inserted_ever: usize,
    pub(super) depth: u32,
    /// Of the command that is read, against [`MAX_PIECES`].
    pub(in crate::syntax) pieces: usize,
    /// Here-documents whose bodies begin after the next newline.
    pub(super) docs: Vec<PendingDoc>,
    /// Those of the commands around the substitution that is being read, from the outermost in.
    pub(super) held_docs: Vec<Vec<PendingDoc>>,
    /// Here-documents that were read ahead of their place: at this newline, go on there.
    pub(super) skip: Option<(usize, usize)>,
    pub(in crate::syntax) notes: Notes,
}

impl<'t> Source<'t> {
    /// Reads `text` from `pos`, which is on line `line`.
    pub(in crate::syntax) fn new(
        text: &'t str,
        pos: usize,
        line: u32,
        options: ParseOptions<'t>,
        arena: &'t Arena,
    ) -> Source<'t> {
        Source {
            text,
            pos,
            original: text,
            inserted: 0,
            tail: 0,
            line: Cell::new((pos, line)),
            options,
            arena,
            active: Vec::new(),
            inserted_ever: 0,
            depth: 0,
            pieces: 0,
            docs: Vec::new(),
            held_docs: Vec::new(),
            skip: None,
            notes: Notes::default(),
        }
    }

    /// Reads another text, such as the body of a here-document, as part of this one.
    pub(super) fn nested<T>(&mut self, text: &str, line: u32, read: impl FnOnce(&mut Source<'_>) -> Res<T>) -> Res<T> {
        let arena = Arena::default();
        let mut inner = Source::new(text, 0, line, self.options, &arena);
        inner.depth = self.depth;
        inner.pieces = self.pieces;
        let result = read(&mut inner);
        self.pieces = inner.pieces;
        self.notes.warnings.append(&mut inner.notes.warnings);
        result.map_err(|error| SyntaxError { incomplete: false, ..error })
    }

    // Characters.

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.pos..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.pos += c.len_utf8();
        Some(c)
    }

    /// Steps over `text` if it is next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let hit = self.rest().starts_with(text);
        if hit {
            self.pos += text.len();
        }
        hit
    }

    /// Steps over a `\` and the newline after it.
    pub(super) fn eat_continuation(&mut self) -> bool {
        let hit = self.eat("\\\n");
        if hit && self.rest().is_empty() {
            self.notes.unfinished = true;
        }
        hit
    }

    /// Skips blanks and continuations; true if there were any blanks.
    pub(super) fn blanks(&mut self) -> bool {
        let mut any = false;
        loop {
            match self.peek() {
                Some(' ' | '\t') => {
                    self.pos += 1;
                    any = true;
                }
                Some('\\') if self.eat_continuation() => {}
                _ => return any,
            }
        }
    }

    /// Skips blanks, newlines and comments, where they separate without meaning.
    pub(super) fn blank_lines(&mut self) {
        loop {
            self.blanks();
            match self.peek() {
                Some('\n') => self.newline(),
                Some('#') => self.comment(),
                _ => return,
            }
        }
    }

    /// Steps over a newline, and what of the text after it has been read already.
    pub(super) fn newline(&mut self) {
        match self.skip {
            Some((at, to)) if at == self.pos => {
                self.pos = to;
                self.skip = None;
            }
            _ => self.pos += 1,
        }
    }

    /// At `#`: skips to the end of the line.
    pub(super) fn comment(&mut self) {
        let begun = self.begin(Class::Comment);
        let rest = self.rest();
        self.pos += memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        self.end(begun);
    }

    // The outline.

    /// A part of the text begins here.
    pub(super) fn begin(&mut self, class: Class) -> Begun {
        self.notes.begin(self.pos, self.text.len(), class, self.depth)
    }

    /// It ends here.
    pub(super) fn end(&mut self, begun: Begun) {
        self.notes.end(begun, self.pos);
    }

    /// What `read` reads is a part of the text.
    pub(super) fn part<T>(&mut self, class: Class, read: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let begun = self.begin(class);
        let result = read(self)?;
        self.end(begun);
        Ok(result)
    }

    /// Runs `read` one level deeper, unless that is too deep.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        self.descend()?;
        let result = read(self);
        self.depth -= 1;
        result
    }

    pub(super) fn descend(&mut self) -> Res<()> {
        if self.depth == MAX_DEPTH {
            let message = format!("nesting deeper than {MAX_DEPTH}");
            return Err(SyntaxError { beyond_limit: true, ..self.error(self.pos, message) });
        }
        self.depth += 1;
        Ok(())
    }

    /// `pieces` more have been read.
    pub(super) fn count(&mut self, pieces: usize) -> Res<()> {
        self.room_for(pieces)?;
        self.pieces += pieces;
        Ok(())
    }

    /// Whether the command may have so many `pieces` more.
    pub(super) fn room_for(&self, pieces: usize) -> Res<()> {
        if self.pieces + pieces <= MAX_PIECES {
            return Ok(());
        }
        let message = format!("command of more than {MAX_PIECES} words and parts of them");
        Err(SyntaxError { beyond_limit: true, ..self.error(self.pos, message) })
    }

    // Aliases.

    /// If the word from `start` to here is an alias, puts its text in its place. The answer says how many bytes are
    /// left after that text if the word there may be an alias, too.
    pub(super) fn expand_alias(&mut self, word: &str, start: usize) -> Res<Option<Expanded>> {
        let Some((name, value)) = self.options.aliases.and_then(|aliases| aliases.get_key_value(word)) else {
            return Ok(None);
        };
        let left_at_start = self.text.len() - start;
        self.active.retain(|alias| alias.left < left_at_start);
        if self.active.iter().any(|alias| alias.name == name) {
            return Ok(None);
        }
        let after = self.rest();
        // What follows the name ends a word; so it does after the text, without becoming one with it.
        let separated = after.is_empty() || after.starts_with([' ', '\t', '\n']) || value.ends_with(is_meta);
        self.inserted_ever += value.len() + 1;
        if self.inserted_ever > MAX_INSERTED {
            return Err(self.error(start, format!("{name}: alias expansion is too long")));
        }
        let mut text = String::with_capacity(value.len() + 1 + after.len());
        text.push_str(value);
        if !separated {
            text.push(' ');
        }
        let length = text.len();
        text.push_str(after);
        let arena: &'t Arena = self.arena;
        self.arena = arena.next.get_or_init(|| Box::new(Arena { text, next: OnceCell::new() }));
        if self.pos >= self.inserted {
            self.tail += self.pos - self.inserted;
            self.inserted = length;
        } else {
            self.inserted = length + self.inserted - self.pos;
        }
        self.skip = self
            .skip
            .filter(|(at, _)| *at >= self.pos)
            .map(|(at, to)| (at - self.pos + length, to - self.pos + length));
        self.text = &self.arena.text;
        self.pos = 0;
        self.active.push(ActiveAlias { name, left: after.len() });
        Ok(Some(Expanded { next_too: value.ends_with([' ', '\t']).then_some(after.len()) }))
    }

    /// How much of the text as given has been read.
    pub(in crate::syntax) fn offset(&self) -> usize {
        self.origin(self.pos)
    }

    /// Whether the next character comes from an alias.
    pub(in crate::syntax) fn inside_alias(&self) -> bool {
        self.pos < self.inserted
    }

    // Places and errors.

    /// The place in the text as given.
    pub(in crate::syntax) fn origin(&self, pos: usize) -> usize {
        let origin = self.tail + pos.saturating_sub(self.inserted);
        self.original.floor_char_boundary(origin)
    }

    /// The line of a place in the text as given.
    pub(in crate::syntax) fn line_of(&self, origin: usize) -> u32 {
        let (known, line) = self.line.get();
        let bytes = self.original.as_bytes();
        let count = |from: usize, to: usize| memchr::memchr_iter(b'\n', &bytes[from..to]).count() as u32;
        let found = if origin >= known {
            line.saturating_add(count(known, origin))
        } else {
            line.saturating_sub(count(origin, known))
        };
        self.line.set((origin, found));
        found
    }

    pub(super) fn line_here(&self) -> u32 {
        self.line_of(self.origin(self.pos))
    }

    pub(super) fn error(&self, pos: usize, message: impl Into<String>) -> SyntaxError {
        self.error_at(self.origin(pos), message)
    }

    /// As [`Source::error`], at a place in the text as given.
    fn error_at(&self, origin: usize, message: impl Into<String>) -> SyntaxError {
        let start = self.original[..origin].rfind('\n').map_or(0, |newline| newline + 1);
        SyntaxError {
            line: self.line_of(origin),
            column: (origin - start) as u32 + 1,
            message: message.into(),
            incomplete: false,
            source: None,
            beyond_limit: false,
        }
    }

    /// `syntax error near unexpected token`, with the line it is on.
    pub(super) fn unexpected(&self, token: &str, pos: usize) -> SyntaxError {
        self.unexpected_at(token, self.origin(pos))
    }

    /// As [`Source::unexpected`], at a place in the text as given.
    pub(super) fn unexpected_at(&self, token: &str, origin: usize) -> SyntaxError {
        let token = if token == "\n" { "newline" } else { token };
        let error = self.error_at(origin, format!("syntax error near unexpected token `{token}'"));
        let start = origin - (error.column as usize - 1);
        let line = self.original[start..].lines().next().unwrap_or_default();
        SyntaxError { source: Some(line.to_owned()), ..error }
    }

    /// The text ends inside a command.
    pub(super) fn end_of_file(&self) -> SyntaxError {
        let error = self.error(self.text.len(), "syntax error: unexpected end of file");
        // The end of the text counts as the end of a line.
        let line = error.line + u32::from(!self.original.ends_with('\n'));
        SyntaxError { incomplete: true, line, ..error }
    }

    /// The text ends before what was opened at `pos` is closed.
    pub(super) fn unclosed(&self, pos: usize, close: &str) -> SyntaxError {
        let error = self.error(pos, format!("unexpected EOF while looking for matching `{close}'"));
        SyntaxError { incomplete: true, ..error }
    }
}

/// An alias has been put in place of its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expanded {
    /// Its text ends in a blank: the word at which so many bytes are left may be an alias, too.
    pub(super) next_too: Option<usize>,
}

/// What ends an unquoted word.
pub(super) fn is_meta(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')')
}

/// The length of the name at the start of `text`; 0 if there is none.
pub(super) fn name_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    if !bytes.first().is_some_and(|&b| b == b'_' || b.is_ascii_alphabetic()) {
        return 0;
    }
    bytes.iter().position(|&b| b != b'_' && !b.is_ascii_alphanumeric()).unwrap_or(bytes.len())
}
