//! Arithmetic: `((…))`, `$((…))`, `$[…]`, the clauses of `for ((…))`, and the numbers of `${name:offset:length}`.
use super::params::unnested;
use super::quotes::Quoted;
use super::source::{Res, Source};
use crate::syntax::ast::Word;

impl<'t> Source<'t> {
    /// Past a `((` that a `))` ends; with nothing consumed where it is a subshell in a subshell, or none at all.
    fn opens_arithmetic(&mut self) -> Res<bool> {
        let open = self.pos;
        if !self.rest().starts_with("((") {
            return Ok(false);
        }
        self.pos += 1;
        let inside = self.matched(open)?;
        let is_arithmetic = self.rest()[inside.len()..].starts_with(')');
        self.pos = if is_arithmetic { self.pos + 1 } else { open };
        Ok(is_arithmetic)
    }

    /// At the first `(` of `((`: the expressions that `;` separates, and past the `))`; `None`, with nothing consumed,
    /// if it is a subshell in a subshell.
    pub(super) fn arithmetic(&mut self) -> Res<Option<Vec<Word>>> {
        let open = self.pos;
        if !self.opens_arithmetic()? {
            return Ok(None);
        }
        let mut expressions = vec![self.expression(|c| c == ';', ('(', ')'))?];
        while self.eat(";") {
            expressions.push(self.expression(|c| c == ';', ('(', ')'))?);
        }
        if !self.eat("))") {
            return Err(self.unclosed(open, ")"));
        }
        Ok(Some(expressions))
    }

    /// At the `(` after a `$`: as [`Source::arithmetic`], where a `;` is only a wrong character.
    pub(super) fn dollar_arithmetic(&mut self) -> Res<Option<Word>> {
        let open = self.pos;
        if !self.opens_arithmetic()? {
            return Ok(None);
        }
        let expression = self.deeper(|source| source.expression(|_| false, ('(', ')')))?;
        if !self.eat("))") {
            return Err(self.unclosed(open, ")"));
        }
        Ok(Some(expression))
    }

    /// At the `[` after a `$`.
    pub(super) fn bracket_arithmetic(&mut self) -> Res<Word> {
        let open = self.pos;
        self.pos += 1;
        let expression = self.expression(|_| false, ('[', ']'))?;
        if !self.eat("]") {
            return Err(self.unclosed(open, "]"));
        }
        Ok(expression)
    }

    /// An offset, up to a `:` that belongs to no `?` if there may be a length, or a length; up to the `}`.
    pub(super) fn slice_expression(&mut self, offset: bool) -> Res<Word> {
        let mut questions = 0;
        let ends = |c| match c {
            '?' => {
                questions += 1;
                false
            }
            ':' if questions > 0 => {
                questions -= 1;
                false
            }
            ':' => offset,
            c => c == '}',
        };
        self.expression(ends, ('(', ')'))
    }

    /// An expression up to an unnested closing bracket, or to what `ends` says outside of brackets.
    fn expression(&mut self, mut ends: impl FnMut(char) -> bool, brackets: (char, char)) -> Res<Word> {
        let mut nest = 0;
        let stop = &mut |c| (nest == 0 && ends(c)) || unnested(c, brackets, &mut nest);
        self.quoted_parts(Quoted::Arithmetic, stop).map(Word)
    }

    /// The text from the bracket here to the one that closes it, both included, by a look at quotes and brackets only.
    /// `open` is where the construct began, for the error.
    pub(super) fn matched(&self, open: usize) -> Res<&'t str> {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let mut closes = Vec::new();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let next = bytes.get(at + 1).copied();
            let inner = closes.last().copied();
            match (byte, inner) {
                (b'\\', _) => at += 1,
                (b'"', Some(b'"')) => drop(closes.pop()),
                (b'$', inner) if inner != Some(b'"') && next == Some(b'\'') => match closing(&bytes[at + 2..], b'\'') {
                    Some(length) => at += length + 2,
                    None => return Err(self.unclosed(self.pos + at, "'")),
                },
                (b'\'', inner) if inner != Some(b'"') => {
                    let Some(length) = memchr::memchr(b'\'', &bytes[at + 1..]) else {
                        return Err(self.unclosed(self.pos + at, "'"));
                    };
                    at += length + 1;
                }
                (b'`', _) => match closing(&bytes[at + 1..], b'`') {
                    Some(length) => at += length + 1,
                    None => return Err(self.unclosed(self.pos + at, "`")),
                },
                (b'<' | b'>', inner) if inner != Some(b'"') && next == Some(b'(') => {
                    closes.push(b')');
                    at += 1;
                }
                (b'$', _) if matches!(next, Some(b'(' | b'{')) => {
                    closes.push(if next == Some(b'(') { b')' } else { b'}' });
                    at += 1;
                }
                (b'"', _) => closes.push(b'"'),
                (b'(', None | Some(b')')) => closes.push(b')'),
                (b'{', None) => closes.push(b'}'),
                (byte, Some(close)) if byte == close => drop(closes.pop()),
                _ => {}
            }
            at += 1;
            if closes.is_empty() {
                return Ok(&rest[..at]);
            }
        }
        let close = match closes.last() {
            Some(b'"') => "\"",
            Some(b'}') => "}",
            _ => ")",
        };
        Err(self.unclosed(open, close))
    }
}

/// How far the quote is that closes the one before `text`, where a `\` quotes.
fn closing(text: &[u8], quote: u8) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr2(quote, b'\\', text.get(at..)?)?;
        if text[at] == quote {
            return Some(at);
        }
        at += 2;
    }
}
