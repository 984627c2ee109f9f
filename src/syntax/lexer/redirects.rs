//! Redirections, read whole: what is on the left, the operator, and the word.
use super::heredoc::Body;
use super::source::{Res, Source, is_meta, name_length};
use crate::syntax::ast::{Part, Redirect, RedirectFd, RedirectKind, Word};

/// A redirection as read.
#[derive(Debug)]
pub(in crate::syntax) enum ReadRedirect {
    /// A whole one.
    Whole(Redirect),
    /// A here-document, whose body is filled in at the end of the line.
    Document(RedirectFd, Body),
}

impl ReadRedirect {
    /// The redirection; a here-document's body has been read by then.
    pub(in crate::syntax) fn finish(self) -> Redirect {
        match self {
            ReadRedirect::Whole(redirect) => redirect,
            ReadRedirect::Document(fd, body) => {
                Redirect { fd, kind: RedirectKind::HereDoc(body.take().unwrap_or_default()) }
            }
        }
    }
}

impl<'t> Source<'t> {
    /// If a redirection is next, its left side, which is not consumed, and how long that is.
    pub(super) fn redirect_ahead(&self) -> Option<(RedirectFd, usize)> {
        let rest = self.rest();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (fd, length) = match rest.strip_prefix('{').map(name_length) {
            Some(length) if length > 0 && rest[length + 1..].starts_with('}') => {
                (RedirectFd::Variable(rest[1..=length].to_owned()), length + 2)
            }
            _ if digits > 0 => (RedirectFd::Number(rest[..digits].parse().unwrap_or(u16::MAX)), digits),
            _ => (RedirectFd::Default, 0),
        };
        match rest.as_bytes()[length..] {
            [b'<' | b'>', b'(', ..] => None,
            [b'<' | b'>', ..] => Some((fd, length)),
            [b'&', b'>', ..] if length == 0 => Some((fd, length)),
            _ => None,
        }
    }

    /// At the operator of a redirection whose left side is `fd`.
    pub(super) fn redirect(&mut self, fd: RedirectFd) -> Res<ReadRedirect> {
        if self.eat("<<<") {
            let word = self.target()?;
            return Ok(ReadRedirect::Whole(Redirect { fd, kind: RedirectKind::HereString(word) }));
        }
        if self.eat("<<") {
            return Ok(ReadRedirect::Document(fd, self.heredoc()?));
        }
        let operator = ["&>>", "&>", "<>", "<&", ">>", ">|", ">&", "<", ">"].into_iter().find(|text| self.eat(text));
        let word = self.target()?;
        let kind = match operator {
            Some("&>>") => RedirectKind::Both { word, append: true },
            Some("&>") => RedirectKind::Both { word, append: false },
            Some("<>") => RedirectKind::ReadWrite(word),
            Some("<&") => RedirectKind::DupRead(word),
            Some(">>") => RedirectKind::Append(word),
            Some(">|") => RedirectKind::Clobber(word),
            Some(">&") if fd == RedirectFd::Default && is_file(&word) => RedirectKind::Both { word, append: false },
            Some(">&") => RedirectKind::DupWrite(word),
            Some("<") => RedirectKind::Read(word),
            _ => RedirectKind::Write(word),
        };
        Ok(ReadRedirect::Whole(Redirect { fd, kind }))
    }

    fn target(&mut self) -> Res<Word> {
        self.blanks();
        let word = self.word()?;
        if !word.0.is_empty() {
            return Ok(word);
        }
        match self.peek() {
            // The end of the text counts as the end of a line.
            None => Err(self.unexpected("\n", self.pos)),
            Some(_) => Err(self.unexpected(self.token_here(), self.pos)),
        }
    }

    /// The operator or word here, as bash names it in an error.
    pub(super) fn token_here(&self) -> &'t str {
        const OPERATORS: [&str; 16] =
            [";;&", "<<<", "<<-", "&>>", "&&", "||", ";;", ";&", "<<", ">>", "<&", ">&", "<>", ">|", "&>", "|&"];
        let rest = self.rest();
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let length = match OPERATORS.iter().find(|operator| rest.starts_with(**operator)) {
            Some(operator) => operator.len(),
            None if rest.starts_with(is_meta) => first,
            None => rest.find(is_meta).unwrap_or(rest.len()),
        };
        &rest[..length]
    }
}

/// Whether `word` of `>& word` cannot become a descriptor.
fn is_file(word: &Word) -> bool {
    match word.0.as_slice() {
        [Part::Lit(text)] => {
            let number = text.strip_suffix('-').unwrap_or(text);
            !number.bytes().all(|byte| byte.is_ascii_digit())
        }
        parts => parts.iter().all(|part| matches!(part, Part::Lit(_) | Part::Quoted(_))),
    }
}
