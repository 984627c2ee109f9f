//! Reserved words, where they are reserved.
use super::grammar::{At, Wants};
use super::handover::Construct;
use super::source::{Res, is_meta};
use super::{Lexer, Mark};
use crate::syntax::ast::{Compound, TimeFormat};
use conch_parser::token::Token;

impl<'t> Lexer<'_, 't> {
    /// Takes the word since `mark` for a reserved word if it is one where a command may begin.
    pub(super) fn reserved(&mut self, mark: &Mark<'t>, text: &str) -> Res<bool> {
        let (construct, wants, at) = match text {
            "if" => (Construct::If, Wants::Then, At::Command),
            "while" | "until" => (Construct::Loop, Wants::Do, At::Command),
            "for" => (Construct::For, Wants::Do, At::ForName),
            "select" => (Construct::Select, Wants::Do, At::ForName),
            "case" => (Construct::Case(Vec::new()), Wants::Esac, At::CaseWord),
            "{" => (Construct::Brace, Wants::Brace, At::Command),
            "[[" => {
                let cond = self.source.cond()?;
                return self.compound(mark, Compound::Cond(cond)).map(|()| true);
            }
            _ if self.at == At::FunctionBody => return Ok(false),
            "time" if self.at == At::Command => {
                self.time();
                return Ok(true);
            }
            "!" if self.at == At::Command => {
                let prefix = self.prefix.get_or_insert_default();
                prefix.negated = !prefix.negated;
                self.line_ended = false;
                return Ok(true);
            }
            "function" => {
                self.function_keyword = Some(*mark);
                self.line_ended = false;
                self.at = At::FunctionName;
                return Ok(true);
            }
            "coproc" => return Err(self.source.error(mark.pos, "coproc: not supported")),
            "!" | "in" | "]]" => return Err(self.unexpected(mark)),
            _ => return self.continues(mark, text),
        };
        self.open(mark, construct, wants)?;
        match text {
            "{" => {
                self.emit(mark, Token::Whitespace(" ".to_owned()));
                self.emit(mark, Token::CurlyOpen);
            }
            "select" => self.emit_name(mark, "for".to_owned()),
            text => self.emit_name(mark, text.to_owned()),
        }
        self.at = at;
        Ok(true)
    }

    /// Takes the word since `mark` for one that closes or continues the innermost construct. An error if it would do
    /// that to another.
    pub(super) fn continues(&mut self, mark: &Mark<'t>, text: &str) -> Res<bool> {
        let wants = self.frames.last().map(|frame| frame.wants);
        let next = match (text, wants) {
            ("then", Some(Wants::Then)) => Some(Wants::Fi),
            ("elif", Some(Wants::Fi)) => Some(Wants::Then),
            ("else", Some(Wants::Fi)) => Some(Wants::OnlyFi),
            ("do", Some(Wants::Do)) => Some(Wants::Done),
            ("fi", Some(Wants::Fi | Wants::OnlyFi))
            | ("done", Some(Wants::Done))
            | ("esac", Some(Wants::Esac))
            | ("}", Some(Wants::Brace)) => None,
            ("then" | "elif" | "else" | "fi" | "do" | "done" | "esac" | "}", _) => return Err(self.unexpected(mark)),
            _ => return Ok(false),
        };
        // None of them ends a command that is only `!` or begins one after `|`.
        if self.prefix.is_some() || self.at == At::AfterPipe {
            return Err(self.unexpected(mark));
        }
        if self.at == At::Ended {
            // bash wants no separator here, the parser does.
            self.emit(mark, Token::Semi);
        }
        let Some(frame) = self.frames.last_mut() else { return Err(self.unexpected(mark)) };
        if let Some(next) = next {
            frame.wants = next;
            self.emit_name(mark, text.to_owned());
            self.at = At::Command;
            return Ok(true);
        }
        let token = match (text, &frame.construct) {
            // `for name in words; { …; }` is `do …; done` to the parser.
            ("}", Construct::For | Construct::Select | Construct::ArithFor(_)) => Token::Name("done".to_owned()),
            ("}", _) => {
                self.emit(mark, Token::Whitespace(" ".to_owned()));
                Token::CurlyClose
            }
            (text, _) => Token::Name(text.to_owned()),
        };
        self.close(mark, token)?;
        Ok(true)
    }

    /// After `time`: its options.
    fn time(&mut self) {
        let format = if self.option("-p") { TimeFormat::Posix } else { TimeFormat::Bash };
        self.option("--");
        let prefix = self.prefix.get_or_insert_default();
        prefix.timed = Some(format);
        self.line_ended = false;
    }

    fn option(&mut self, option: &str) -> bool {
        let start = self.source.pos;
        self.source.blanks();
        let hit = self.source.eat(option) && self.source.peek().is_none_or(is_meta);
        if !hit {
            self.source.pos = start;
        }
        hit
    }
}
