//! Commands within a word: `$(…)`, `<(…)`, backquotes.
use super::quotes::Quotes;
use super::source::{Res, Source};
use super::{Extent, read};
use crate::syntax::ast::{Part, Script};

impl Source<'_> {
    /// At the `(` of a substitution: its commands, and past the `)`. The same grammar reads them.
    pub(super) fn substitution(&mut self) -> Res<Script> {
        let open = self.pos;
        self.pos += 1;
        let docs = std::mem::take(&mut self.docs);
        self.held_docs.push(docs);
        let result = self.deeper(|source| {
            source.blank_lines();
            if source.eat(")") { Ok(Script::default()) } else { read(source, Extent::Substitution { open }) }
        });
        self.docs = self.held_docs.pop().unwrap_or_default();
        result
    }

    /// At a backquote: its commands, of which some backslashes belong to the quoting.
    pub(super) fn backquoted(&mut self, quotes: Quotes) -> Res<Part> {
        let open = self.pos;
        let line = self.line_here();
        self.pos += 1;
        let mut text = String::new();
        loop {
            match self.bump() {
                None => return Err(self.unclosed(open, "`")),
                Some('`') => break,
                Some('\\') => match self.bump() {
                    None => return Err(self.unclosed(open, "`")),
                    Some(c) if matches!(c, '$' | '`' | '\\') || (quotes == Quotes::Double && c == '"') => text.push(c),
                    Some(c) => text.extend(['\\', c]),
                },
                Some(c) => text.push(c),
            }
        }
        self.nested(&text, line, |source| read(source, Extent::All)).map(Part::Command)
    }
}
