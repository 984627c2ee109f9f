//! Where in the grammar a token stands: what is a reserved word there, what an alias, what an assignment.
//!
//! This is bash's own rule, token by token. It leaves the nesting to the parser, but knows which word may close what,
//! so that an error names the token that bash names.
use super::arrays::{Assignable, WordOrAssignment};
use super::handover::{Closed, Construct, Meaning, Prefix};
use super::redirects::ReadRedirect;
use super::source::{Res, is_meta};
use super::{Extent, Lexer, Mark};
use crate::syntax::ast::{CaseEnd, Compound, Part, Redirect, RedirectFd, RedirectKind, Word};
use crate::syntax::outline::Class;
use conch_parser::token::Token;

/// What the next token may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// A command.
    Command,
    /// A command, but neither `!` nor `time`: after `|`.
    AfterPipe,
    /// More assignments and redirections, or the name of the command.
    Prefixed,
    /// An argument.
    Argument,
    /// After a compound command: a redirection, a separator, or what closes the construct around it.
    Ended,
    /// After `function`.
    FunctionName,
    /// A compound command.
    FunctionBody,
    /// After `for` or `select`: a name, or `((`.
    ForName,
    /// `in`, `do`, `;`.
    ForIn,
    /// The same, or `{`: after a newline.
    ForInLine,
    /// After `for ((…))`: `do`, `{`, `;`.
    ForArith,
    /// Words, up to the end of the line.
    ForWords,
    /// `do` or `{`.
    ForDo,
    /// After `case`.
    CaseWord,
    /// `in`.
    CaseIn,
    /// `esac`, `(`, or a pattern.
    Arm,
    /// A pattern.
    Pattern,
    /// `|` or `)`.
    PatternEnd,
}

/// What closes an open construct, or continues it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wants {
    Then,
    /// `elif`, `else`, or `fi`.
    Fi,
    /// `fi`, after `else`.
    OnlyFi,
    Do,
    Done,
    Esac,
    Brace,
    Paren,
}

/// An open construct.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) construct: Construct,
    pub(super) wants: Wants,
    line: u32,
    prefix: Option<Prefix>,
}

/// The builtins whose arguments may be assignments.
const DECLARATIONS: [&str; 5] = ["declare", "export", "local", "readonly", "typeset"];

impl<'t> Lexer<'_, 't> {
    /// Emits at least one token, or ends.
    pub(super) fn lex(&mut self) -> Res<()> {
        self.source.blanks();
        if self.source.peek() == Some('#') {
            self.source.comment();
        }
        let mark = self.mark();
        match self.source.peek() {
            None => self.end_of_text(&mark),
            Some('\n') => {
                self.source.newline();
                self.newline(&mark)
            }
            Some('(') if self.source.rest().starts_with("((") && self.arithmetic(&mark)? => Ok(()),
            Some(c) => match self.source.redirect_ahead() {
                Some((fd, length)) => self.redirect(&mark, fd, length),
                None if is_meta(c) && !matches!(c, '<' | '>') => self.operator(&mark),
                None => self.word(&mark),
            },
        }
    }

    /// The end of the text counts as the end of a line.
    fn end_of_text(&mut self, mark: &Mark<'t>) -> Res<()> {
        match self.extent {
            _ if !self.line_ended => self.newline(mark),
            Extent::Substitution { open } => Err(self.source.unclosed(open, ")")),
            _ => {
                self.ended = true;
                Ok(())
            }
        }
    }

    /// After a newline.
    fn newline(&mut self, mark: &Mark<'t>) -> Res<()> {
        self.bare_prefix(mark);
        self.at = match self.at {
            At::Prefixed | At::Argument | At::Ended => At::Command,
            At::ForWords | At::ForArith => At::ForDo,
            At::ForIn => At::ForInLine,
            At::ForName | At::FunctionName | At::CaseWord | At::Pattern | At::PatternEnd => {
                return Err(self.source.unexpected_at("\n", mark.origin));
            }
            at => at,
        };
        self.emit(mark, Token::Newline);
        self.handover.borrow_mut().line_ended = !self.source.inside_alias();
        self.source.read_docs()
    }

    /// `!` and `time` may stand alone.
    fn bare_prefix(&mut self, mark: &Mark<'t>) {
        if self.prefix.is_some() && self.at == At::Command {
            self.emit_slot(mark, Meaning::Nothing);
            self.at = At::Argument;
        }
    }

    fn redirect(&mut self, mark: &Mark<'t>, fd: RedirectFd, length: usize) -> Res<()> {
        self.at = match self.at {
            At::Command | At::AfterPipe | At::Prefixed => At::Prefixed,
            at @ (At::Argument | At::Ended) => at,
            _ => return Err(self.source.unexpected_here()),
        };
        self.source.pos += length;
        let redirect = self.source.redirect(fd)?;
        self.emit_redirect(mark, redirect);
        Ok(())
    }

    /// To the parser every redirection reads from a file.
    fn emit_redirect(&mut self, mark: &Mark<'t>, redirect: ReadRedirect) {
        self.emit(mark, Token::Less);
        self.emit_slot(mark, Meaning::Redirect(redirect));
    }

    fn operator(&mut self, mark: &Mark<'t>) -> Res<()> {
        let begun = self.source.begin(Class::Operator);
        let operator = self.source.operator().unwrap_or_default();
        self.source.end(begun);
        match operator {
            "(" => return self.open_paren(mark),
            ")" => return self.close_paren(mark),
            _ => {}
        }
        if operator == ";" {
            self.bare_prefix(mark);
        }
        let (at, token) = match (self.at, operator) {
            (At::ForIn | At::ForInLine | At::ForArith | At::ForWords, ";") => (At::ForDo, Token::Semi),
            (At::PatternEnd, "|") => (At::Pattern, Token::Pipe),
            (At::Command, ";;" | ";&" | ";;&") if self.prefix.is_none() => return self.end_arm(mark, operator),
            (At::Prefixed | At::Argument | At::Ended, _) => match operator {
                ";" => (At::Command, Token::Semi),
                "&" => (At::Command, Token::Amp),
                "&&" => (At::Command, Token::AndIf),
                "||" => (At::Command, Token::OrIf),
                "|" => (At::AfterPipe, Token::Pipe),
                "|&" => {
                    let stdout = Word(vec![Part::Lit("1".to_owned())]);
                    let redirect = Redirect { fd: RedirectFd::Number(2), kind: RedirectKind::DupWrite(stdout) };
                    self.emit_redirect(mark, ReadRedirect::Whole(redirect));
                    (At::AfterPipe, Token::Pipe)
                }
                _ => return self.end_arm(mark, operator),
            },
            _ => return Err(self.unexpected(mark)),
        };
        self.emit(mark, token);
        self.at = at;
        Ok(())
    }

    fn end_arm(&mut self, mark: &Mark<'t>, operator: &str) -> Res<()> {
        let Some(Frame { construct: Construct::Case(ends), .. }) = self.frames.last_mut() else {
            return Err(self.unexpected(mark));
        };
        ends.push(match operator {
            ";&" => CaseEnd::FallThrough,
            ";;&" => CaseEnd::TestNext,
            _ => CaseEnd::Break,
        });
        self.emit(mark, Token::DSemi);
        self.at = At::Arm;
        Ok(())
    }

    fn open_paren(&mut self, mark: &Mark<'t>) -> Res<()> {
        match self.at {
            At::Command | At::AfterPipe | At::FunctionBody => {
                self.open(mark, Construct::Subshell, Wants::Paren)?;
                self.at = At::Command;
            }
            At::Arm => self.at = At::Pattern,
            _ => return Err(self.unexpected(mark)),
        }
        self.emit(mark, Token::ParenOpen);
        Ok(())
    }

    fn close_paren(&mut self, mark: &Mark<'t>) -> Res<()> {
        if self.at == At::PatternEnd {
            self.emit(mark, Token::ParenClose);
            self.at = At::Command;
            return Ok(());
        }
        let in_command = matches!(self.at, At::Command | At::Prefixed | At::Argument | At::Ended);
        if !in_command || self.prefix.is_some() {
            return Err(self.unexpected(mark));
        }
        match (self.frames.last(), self.extent) {
            (None, Extent::Substitution { .. }) => {
                self.emit(mark, Token::ParenClose);
                self.ended = true;
                if !self.source.docs.is_empty() {
                    self.source.read_docs_ahead()?;
                }
                Ok(())
            }
            (Some(Frame { wants: Wants::Paren, .. }), _) => self.close(mark, Token::ParenClose),
            _ => Err(self.unexpected(mark)),
        }
    }

    pub(super) fn open(&mut self, mark: &Mark<'t>, construct: Construct, wants: Wants) -> Res<()> {
        self.source.descend()?;
        let line = self.source.line_of(mark.origin);
        self.frames.push(Frame { construct, wants, line, prefix: self.prefix.take() });
        Ok(())
    }

    pub(super) fn close(&mut self, mark: &Mark<'t>, token: Token) -> Res<()> {
        let Some(Frame { construct, line, prefix, .. }) = self.frames.pop() else { return Err(self.unexpected(mark)) };
        self.source.depth -= 1;
        self.handover.borrow_mut().close(Closed { construct, line, prefix });
        match token {
            Token::Name(name) => self.emit_name(mark, name),
            token => self.emit(mark, token),
        }
        self.at = At::Ended;
        Ok(())
    }

    /// At `((`: true if it is arithmetic that may stand here.
    fn arithmetic(&mut self, mark: &Mark<'t>) -> Res<bool> {
        let in_for =
            self.at == At::ForName && matches!(self.frames.last(), Some(Frame { construct: Construct::For, .. }));
        if !in_for && !matches!(self.at, At::Command | At::AfterPipe | At::FunctionBody) {
            return Ok(false);
        }
        let Some(mut expressions) = self.source.arithmetic()? else { return Ok(false) };
        if in_for {
            return match (<[Word; 3]>::try_from(expressions), self.frames.last_mut()) {
                (Ok(clauses), Some(frame)) => {
                    frame.construct = Construct::ArithFor(Box::new(clauses));
                    self.emit_slot(mark, Meaning::Name(String::new()));
                    self.at = At::ForArith;
                    Ok(true)
                }
                (Err(_), _) => Err(self.source.error(mark.pos, "syntax error: arithmetic expression required")),
                _ => Err(self.unexpected(mark)),
            };
        }
        match (expressions.pop(), expressions.is_empty()) {
            (Some(expression), true) => self.compound(mark, Compound::Arith(expression)).map(|()| true),
            _ => Err(self.unexpected(mark)),
        }
    }

    /// Emits a compound command that was read whole.
    pub(super) fn compound(&mut self, mark: &Mark<'t>, compound: Compound) -> Res<()> {
        let bare = self.at == At::FunctionBody;
        if bare {
            self.emit(mark, Token::Whitespace(" ".to_owned()));
            self.emit(mark, Token::CurlyOpen);
        }
        self.emit_slot(mark, Meaning::Compound(compound));
        if bare {
            self.open(mark, Construct::Bare, Wants::Brace)?;
            self.emit(mark, Token::Semi);
            self.emit(mark, Token::Whitespace(" ".to_owned()));
            self.close(mark, Token::CurlyClose)?;
        }
        self.at = At::Ended;
        Ok(())
    }

    fn word(&mut self, mark: &Mark<'t>) -> Res<()> {
        match self.at {
            At::Command | At::AfterPipe | At::Prefixed | At::FunctionBody => return self.command_word(mark),
            At::Argument => return self.argument(mark),
            _ => {}
        }
        let begun = self.source.begin(Class::Argument);
        let word = self.source.word()?;
        self.source.end(begun);
        if word.0.is_empty() {
            return Ok(());
        }
        match self.at {
            At::FunctionName | At::ForName => self.source.notes.classify(begun, Class::Name),
            At::ForIn | At::ForInLine | At::ForArith | At::ForDo | At::CaseIn | At::Ended => {
                self.source.notes.classify(begun, Class::Keyword);
            }
            At::Arm if literal(&word) == Some("esac") => self.source.notes.classify(begun, Class::Keyword),
            _ => {}
        }
        match (self.at, literal(&word).unwrap_or_default()) {
            (At::Ended, text) if self.continues(mark, text)? => return Ok(()),
            (At::FunctionName, _) => return self.function(mark, &word),
            (At::ForName, name) if !name.is_empty() => {
                self.emit_slot(mark, Meaning::Name(name.to_owned()));
                self.at = At::ForIn;
            }
            (At::ForIn | At::ForInLine, "in") => {
                self.emit_name(mark, "in".to_owned());
                self.at = At::ForWords;
            }
            (At::ForIn, "do") | (At::ForInLine | At::ForArith | At::ForDo, "do" | "{") => {
                let brace = self.raw(mark) == "{";
                if let Some(frame) = self.frames.last_mut() {
                    frame.wants = if brace { Wants::Brace } else { Wants::Done };
                }
                self.emit_name(mark, "do".to_owned());
                self.at = At::Command;
            }
            (At::CaseIn, "in") => {
                self.emit_name(mark, "in".to_owned());
                self.at = At::Arm;
            }
            (At::Arm, "esac") => return self.close(mark, Token::Name("esac".to_owned())),
            (At::ForWords, _) => self.emit_slot(mark, Meaning::Word(word)),
            (At::CaseWord, _) => {
                self.emit_slot(mark, Meaning::Word(word));
                self.at = At::CaseIn;
            }
            (At::Arm | At::Pattern, _) => {
                self.emit_slot(mark, Meaning::Word(word));
                self.at = At::PatternEnd;
            }
            _ => return Err(self.unexpected(mark)),
        }
        Ok(())
    }

    /// A word where a command may begin.
    fn command_word(&mut self, mark: &Mark<'t>) -> Res<()> {
        let assignable = if self.at == At::FunctionBody { Assignable::No } else { Assignable::Prefix };
        let begun = self.source.begin(Class::Command);
        let read = self.source.word_or_assignment(assignable)?;
        self.source.end(begun);
        let word = match read {
            WordOrAssignment::Assignment(assignment) => {
                self.source.notes.classify(begun, Class::Assignment);
                self.emit_slot(mark, Meaning::Assignment(assignment));
                self.at = At::Prefixed;
                return Ok(());
            }
            WordOrAssignment::Word(word) if word.0.is_empty() => return Ok(()),
            WordOrAssignment::Word(word) => word,
        };
        if let Some(text) = literal(&word) {
            let expanded = self.at != At::FunctionBody && self.alias(mark, text)?;
            if expanded {
                return Ok(());
            }
            if self.at != At::Prefixed {
                self.source.notes.classify(begun, Class::Keyword);
                if self.reserved(mark, text)? {
                    return Ok(());
                }
                self.source.notes.classify(begun, Class::Command);
            }
        }
        if self.at == At::FunctionBody {
            return Err(self.unexpected(mark));
        }
        if self.at != At::Prefixed && self.calls_for_function()? {
            self.source.notes.classify(begun, Class::Name);
            return self.function(mark, &word);
        }
        self.begin_arguments(literal(&word));
        self.emit_slot(mark, Meaning::Word(word));
        self.at = At::Argument;
        Ok(())
    }

    fn begin_arguments(&mut self, command: Option<&str>) {
        self.wraps = matches!(command, Some("command" | "builtin"));
        let declares = command.is_some_and(|command| DECLARATIONS.contains(&command));
        self.assignable = if declares { Assignable::Argument } else { Assignable::No };
    }

    fn argument(&mut self, mark: &Mark<'t>) -> Res<()> {
        let left = self.source.text.len() - mark.pos;
        let begun = self.source.begin(Class::Argument);
        let read = self.source.word_or_assignment(self.assignable)?;
        self.source.end(begun);
        let word = match read {
            WordOrAssignment::Assignment(assignment) => Word(vec![Part::Assignment(Box::new(assignment))]),
            WordOrAssignment::Word(word) if word.0.is_empty() => return Ok(()),
            WordOrAssignment::Word(word) => word,
        };
        let may_be_alias = std::mem::take(&mut self.alias_now) | self.alias_next.take_if(|at| left <= *at).is_some();
        if may_be_alias
            && let Some(text) = literal(&word)
            && self.alias(mark, text)?
        {
            self.alias_now = true;
            return Ok(());
        }
        if self.wraps && !literal(&word).is_some_and(|text| text.starts_with('-')) {
            self.begin_arguments(literal(&word));
            if self.assignable == Assignable::Argument {
                self.assignable = Assignable::Text;
            }
        }
        self.emit_slot(mark, Meaning::Word(word));
        Ok(())
    }

    /// Expands the word since `mark` if it is an alias.
    fn alias(&mut self, mark: &Mark<'t>, text: &str) -> Res<bool> {
        let Some(expanded) = self.source.expand_alias(text, mark.pos)? else { return Ok(false) };
        self.alias_next = expanded.next_too;
        Ok(true)
    }

    /// Whether `(` follows, and then `)`, which nothing but a function's name allows.
    fn calls_for_function(&mut self) -> Res<bool> {
        let after = self.source.pos;
        self.source.blanks();
        if !self.source.eat("(") {
            self.source.pos = after;
            return Ok(false);
        }
        self.source.blanks();
        if self.source.rest().starts_with(')') {
            self.source.pos = after;
            return Ok(true);
        }
        Err(self.source.unexpected_here())
    }

    /// After the name of a function: to the parser all are declared as `name()`.
    fn function(&mut self, mark: &Mark<'t>, word: &Word) -> Res<()> {
        let name = literal(word).map_or_else(|| self.raw(mark).to_owned(), str::to_owned);
        let start = self.function_keyword.take().unwrap_or(*mark);
        let name = self.stand_in(&start, Meaning::Name(name));
        self.emit_name(mark, name);
        let after = self.source.pos;
        self.source.blanks();
        let has_parens = self.source.eat("(") && {
            self.source.blanks();
            self.source.eat(")")
        };
        if !has_parens {
            self.source.pos = after;
        }
        self.emit(mark, Token::ParenOpen);
        self.emit(mark, Token::ParenClose);
        self.emit(mark, Token::Whitespace(" ".to_owned()));
        self.at = At::FunctionBody;
        Ok(())
    }
}

/// The text of a word that is nothing else.
pub(super) fn literal(word: &Word) -> Option<&str> {
    match word.0.as_slice() {
        [Part::Lit(text)] => Some(text),
        _ => None,
    }
}
