//! Redirections, read whole: what is on the left, the operator, and the word.
use super::heredoc::Body;
use super::source::{Res, Source, is_meta, name_length};
use crate::syntax::ast::{Part, Redirect, RedirectFd, RedirectKind, Word};
use crate::syntax::error::SyntaxError;
use crate::syntax::outline::Class;

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
        let after = &rest[length..];
        let substitutes = matches!(after.as_bytes(), [b'<' | b'>', b'(', ..]);
        let (operator, _) = operator_at(after)?;
        let redirects = operator.starts_with(['<', '>']) || (operator.starts_with("&>") && length == 0);
        (redirects && !substitutes).then_some((fd, length))
    }

    /// Steps over the operator here.
    pub(super) fn operator(&mut self) -> Option<&'static str> {
        let (operator, length) = operator_at(self.rest())?;
        self.pos += length;
        Some(operator)
    }

    /// At the operator of a redirection whose left side is `fd`.
    pub(super) fn redirect(&mut self, fd: RedirectFd) -> Res<ReadRedirect> {
        let begun = self.begin(Class::Operator);
        let operator = self.operator().unwrap_or_default();
        self.end(begun);
        if let "<<" | "<<-" = operator {
            return Ok(ReadRedirect::Document(fd, self.heredoc(operator == "<<-")?));
        }
        let word = self.target()?;
        let kind = match operator {
            "<<<" => RedirectKind::HereString(word),
            "&>>" => RedirectKind::Both { word, append: true },
            "&>" => RedirectKind::Both { word, append: false },
            "<>" => RedirectKind::ReadWrite(word),
            "<&" => RedirectKind::DupRead(word),
            ">>" => RedirectKind::Append(word),
            ">|" => RedirectKind::Clobber(word),
            ">&" if fd == RedirectFd::Default && is_file(&word) => RedirectKind::Both { word, append: false },
            ">&" => RedirectKind::DupWrite(word),
            "<" => RedirectKind::Read(word),
            _ => RedirectKind::Write(word),
        };
        Ok(ReadRedirect::Whole(Redirect { fd, kind }))
    }

    /// The word after an operator.
    pub(super) fn target(&mut self) -> Res<Word> {
        self.blanks();
        match self.redirect_ahead() {
            Some((_, length)) if length > 0 => {
                return Err(self.unexpected(&self.rest()[..length], self.pos));
            }
            _ if self.peek() == Some('#') => self.comment(),
            _ => {}
        }
        let word = self.part(Class::Target, Source::word)?;
        if word.0.is_empty() { Err(self.unexpected_here()) } else { Ok(word) }
    }

    /// The operator or word here, as bash names it in an error; empty at the end of the text.
    pub(super) fn token_here(&self) -> &'t str {
        let rest = self.rest();
        let length = match operator_at(rest) {
            Some((operator, _)) => return operator,
            None if rest.starts_with(is_meta) => 1,
            None => rest.find(is_meta).unwrap_or(rest.len()),
        };
        &rest[..length]
    }

    /// The token here has no business here. The end of the text counts as the end of a line.
    pub(super) fn unexpected_here(&self) -> SyntaxError {
        match self.token_here() {
            "" => self.unexpected("\n", self.pos),
            token => self.unexpected(token, self.pos),
        }
    }
}

/// The operator at the start of `text`, and how long it is there: continuations may interrupt it.
fn operator_at(text: &str) -> Option<(&'static str, usize)> {
    const OPERATORS: [&str; 23] = [
        ";;&", "<<<", "<<-", "&>>", "&&", "||", ";;", ";&", "<<", ">>", "<&", ">&", "<>", ">|", "&>", "|&", ";", "&",
        "|", "<", ">", "(", ")",
    ];
    if !text.starts_with(is_meta) {
        return None;
    }
    OPERATORS.into_iter().find_map(|operator| {
        let mut length = 0;
        for byte in operator.bytes() {
            while length > 0 && text[length..].starts_with("\\\n") {
                length += 2;
            }
            if text.as_bytes().get(length) != Some(&byte) {
                return None;
            }
            length += 1;
        }
        Some((operator, length))
    })
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
