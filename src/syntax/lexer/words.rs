//! Words outside of quotes: their extent, and their parts.
use super::params::unnested;
use super::quotes::Quotes;
use super::source::{Res, Source, is_meta};
use crate::syntax::ast::{Part, Word};

/// What besides quotes and `$` means something in unquoted text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unquoted {
    /// `@(a|b)` and the like are patterns.
    pub(super) extglob: bool,
    /// `<(…)` and `>(…)` are process substitutions.
    pub(super) process: bool,
}

impl Unquoted {
    /// Neither.
    pub(super) const PLAIN: Unquoted = Unquoted { extglob: false, process: false };
    /// The words of `[[ ]]`, whatever the options say.
    pub(super) const COND: Unquoted = Unquoted { extglob: true, process: true };
}

/// Collects parts, and text between them.
#[derive(Debug, Default)]
pub(super) struct Parts {
    parts: Vec<Part>,
    text: String,
}

impl Parts {
    pub(super) fn text(&mut self, c: char) {
        self.text.push(c);
    }

    pub(super) fn str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(super) fn part(&mut self, part: Part) {
        self.flush(Part::Lit);
        self.parts.push(part);
    }

    pub(super) fn flush(&mut self, kind: fn(String) -> Part) {
        if !self.text.is_empty() {
            self.parts.push(kind(std::mem::take(&mut self.text)));
        }
    }

    /// How many there are so far.
    pub(super) fn len(&self) -> usize {
        self.parts.len()
    }

    pub(super) fn finish(mut self) -> Vec<Part> {
        self.flush(Part::Lit);
        self.parts
    }
}

impl Source<'_> {
    /// One word, up to an unquoted metacharacter. It may be empty.
    pub(super) fn word(&mut self) -> Res<Word> {
        self.word_of(self.style()).map(Word)
    }

    /// As [`Source::word`], in a given style.
    pub(super) fn word_of(&mut self, style: Unquoted) -> Res<Vec<Part>> {
        self.parts(style, &mut ends_word)
    }

    /// How words are read under the shell's options.
    pub(super) fn style(&self) -> Unquoted {
        Unquoted { extglob: self.options.extglob, process: true }
    }

    /// Unquoted parts, until `stop` says so of a character and the text that begins with it, or until the text ends.
    pub(super) fn parts(&mut self, style: Unquoted, stop: &mut dyn FnMut(char, &str) -> bool) -> Res<Vec<Part>> {
        let mut parts = Parts::default();
        while let Some(c) = self.peek() {
            self.room_for(parts.len())?;
            let rest = self.rest();
            if style.extglob && is_extglob(rest) {
                let pattern = self.deeper(|source| source.extglob(c))?;
                parts.part(pattern);
                continue;
            }
            if stop(c, rest) {
                break;
            }
            match c {
                '\\' if self.eat_continuation() => {}
                '\\' => {
                    self.bump();
                    let quoted = self.bump();
                    self.notes.unfinished |= quoted.is_none();
                    parts.part(Part::Quoted(quoted.unwrap_or('\\').into()));
                }
                '\'' => parts.part(Part::Quoted(self.single_quoted()?)),
                '"' => parts.part(self.double_quoted()?),
                '$' if rest.starts_with("$'") => parts.part(Part::Quoted(self.ansi_c()?)),
                '$' if rest.starts_with("$\"") => {
                    self.pos += 1;
                    parts.part(self.double_quoted()?);
                }
                '$' | '`' => match self.dollar(Quotes::None)? {
                    Some(part) => parts.part(part),
                    None => parts.text('$'),
                },
                '<' | '>' if style.process && rest[1..].starts_with('(') => {
                    self.pos += 1;
                    let body = self.substitution()?;
                    parts.part(Part::Process { input: c == '<', body });
                }
                c => {
                    self.bump();
                    parts.text(c);
                }
            }
        }
        let parts = parts.finish();
        self.count(parts.len())?;
        Ok(parts)
    }

    /// At `@(` or its like.
    fn extglob(&mut self, kind: char) -> Res<Part> {
        let open = self.pos + 1;
        self.pos += 2;
        let mut alternatives = Vec::new();
        loop {
            let style = Unquoted { extglob: true, process: false };
            let mut nest = 0;
            let stop = &mut |c, _: &str| (nest == 0 && c == '|') || unnested(c, ('(', ')'), &mut nest);
            alternatives.push(Word(self.parts(style, stop)?));
            match self.bump() {
                Some('|') => {}
                Some(_) => return Ok(Part::ExtGlob(kind, alternatives)),
                None => return Err(self.unclosed(open, ")")),
            }
        }
    }
}

fn is_extglob(text: &str) -> bool {
    matches!(text.as_bytes(), [b'@' | b'?' | b'*' | b'+' | b'!', b'(', ..])
}

fn ends_word(c: char, rest: &str) -> bool {
    is_meta(c) && !(matches!(c, '<' | '>') && rest[1..].starts_with('('))
}
