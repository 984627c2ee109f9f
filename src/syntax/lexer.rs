//! From characters to the parser's tokens.
//!
//! conch-parser knows the grammar of POSIX commands, not bash's words, `[[ ]]`, `(( ))`, arrays and so on. So each of
//! those is read whole here, word by word and construct by construct ([`Source`]), and left with the [`Handover`]; the
//! parser gets a name in its place. What remains for it are reserved words, separators and parentheses, which
//! `grammar.rs` emits where bash recognises them.
mod arith;
mod arrays;
mod cond;
mod grammar;
mod handover;
mod heredoc;
mod params;
mod quotes;
mod redirects;
mod reserved;
mod source;
mod substitution;
mod words;

pub(super) use handover::{Closed, Construct, Handover, Meaning, Prefix, Slot};
pub(super) use quotes::Quoted;
pub(super) use source::{Arena, Notes, Res, Source};

use super::ast::Script;
use super::builder::AstBuilder;
use super::error::SyntaxError;
use arrays::Assignable;
use conch_parser::parse::{CommandGroupDelimiters, ParseError, Parser};
use conch_parser::token::Token;
use grammar::{At, Frame};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// How much to read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Extent {
    /// Up to the end of the first line that ends a command.
    Line,
    /// Everything.
    All,
    /// Up to the `)` that closes the substitution whose `(` is at `open`.
    Substitution { open: usize },
}

/// Reads commands.
pub(super) fn read(source: &mut Source<'_>, extent: Extent) -> Res<Script> {
    let handover = Rc::new(RefCell::new(Handover::default()));
    let builder = AstBuilder(handover.clone());
    let mut lexer = Lexer::new(source, handover.clone(), extent);
    let mut parser = Parser::with_builder(&mut lexer, builder);
    let mut items = Vec::new();
    let result = match extent {
        Extent::Substitution { .. } => {
            let end = CommandGroupDelimiters { exact_tokens: &[Token::ParenClose], ..Default::default() };
            parser.command_group(end).map(|group| items.extend(group.commands.into_iter().map(|line| line.item)))
        }
        _ => loop {
            match parser.complete_command() {
                Ok(Some(line)) => {
                    items.push(line.item);
                    if matches!(extent, Extent::Line) && line.ends_line && handover.borrow().line_ended {
                        break Ok(());
                    }
                }
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        },
    };
    drop(parser);
    lexer.finish(result)?;
    Ok(items.into())
}

/// A token that the parser got, for when it complains about it.
#[derive(Debug)]
struct Emitted<'t> {
    /// How many bytes of tokens it got up to the end of this one.
    sent: usize,
    start: usize,
    raw: &'t str,
}

/// Where a token begins.
#[derive(Clone, Copy, Debug)]
struct Mark<'t> {
    text: &'t str,
    pos: usize,
    origin: usize,
}

struct Lexer<'s, 't> {
    source: &'s mut Source<'t>,
    handover: Rc<RefCell<Handover>>,
    extent: Extent,
    queue: VecDeque<Token>,
    at: At,
    /// The constructs that are open.
    frames: Vec<Frame>,
    /// `!` and `time` before the next command.
    prefix: Option<Prefix>,
    /// What the arguments of the command may assign, and whether the next of them may be the command that decides it.
    assignable: Assignable,
    wraps: bool,
    /// The `function` before the name that comes next.
    function_keyword: Option<Mark<'t>>,
    /// The next argument may be an alias; or the one at which so many bytes are left.
    alias_now: bool,
    alias_next: Option<usize>,
    emitted: Vec<Emitted<'t>>,
    sent: usize,
    /// The last token was a newline, or there was none yet.
    line_ended: bool,
    ended: bool,
    error: Option<SyntaxError>,
}

impl<'s, 't> Lexer<'s, 't> {
    fn new(source: &'s mut Source<'t>, handover: Rc<RefCell<Handover>>, extent: Extent) -> Lexer<'s, 't> {
        Lexer {
            source,
            handover,
            extent,
            queue: VecDeque::new(),
            at: At::Command,
            frames: Vec::new(),
            prefix: None,
            assignable: Assignable::No,
            wraps: false,
            function_keyword: None,
            alias_now: false,
            alias_next: None,
            emitted: Vec::new(),
            sent: 0,
            line_ended: true,
            ended: false,
            error: None,
        }
    }

    fn mark(&self) -> Mark<'t> {
        Mark { text: self.source.text, pos: self.source.pos, origin: self.source.origin(self.source.pos) }
    }

    /// The text since `mark`.
    fn raw(&self, mark: &Mark<'t>) -> &'t str {
        let end = self.source.pos;
        if std::ptr::eq(mark.text, self.source.text) && mark.pos <= end {
            return &mark.text[mark.pos..end];
        }
        self.source.original.get(mark.origin..self.source.origin(end)).unwrap_or_default()
    }

    fn emit(&mut self, mark: &Mark<'t>, token: Token) {
        self.sent += token.len();
        self.line_ended = token == Token::Newline;
        self.emitted.push(Emitted { sent: self.sent, start: mark.origin, raw: self.raw(mark) });
        self.queue.push_back(token);
    }

    /// A reserved word, or a name that stands in for something: neither may touch the token before it.
    fn emit_name(&mut self, mark: &Mark<'t>, name: String) {
        self.emit(mark, Token::Whitespace(" ".to_owned()));
        self.emit(mark, Token::Name(name));
    }

    fn emit_slot(&mut self, mark: &Mark<'t>, meaning: Meaning) {
        let name = self.stand_in(mark, meaning);
        self.emit_name(mark, name);
    }

    fn stand_in(&mut self, mark: &Mark<'t>, meaning: Meaning) -> String {
        let slot = Slot { meaning, line: self.source.line_of(mark.origin), prefix: self.prefix.take() };
        self.handover.borrow_mut().put(slot)
    }

    fn unexpected(&self, mark: &Mark<'t>) -> SyntaxError {
        self.source.unexpected_at(self.raw(mark), mark.origin)
    }

    /// What became of the reading. The parser's complaint comes first if it is about a token, since that stands before
    /// whatever stopped the lexer.
    fn finish(mut self, result: Result<(), ParseError<&'static str>>) -> Res<()> {
        let sent = match result {
            Ok(()) => {
                return match (self.error.take(), self.extent) {
                    (Some(error), _) => Err(error),
                    (None, Extent::Substitution { open }) if !self.ended => Err(self.source.unclosed(open, ")")),
                    _ => Ok(()),
                };
            }
            Err(ParseError::Unexpected(_, pos) | ParseError::BadSubst(_, pos)) => pos.byte,
            Err(ParseError::BadFd(pos, _) | ParseError::BadIdent(_, pos)) => pos.byte,
            Err(ParseError::IncompleteCmd(_, _, _, pos)) => pos.byte,
            Err(ParseError::Unmatched(..) | ParseError::UnexpectedEOF) => self.sent,
            Err(ParseError::Custom(_)) => self.emitted.last().map_or(0, |last| last.sent.saturating_sub(1)),
        };
        let culprit = self.emitted.iter().skip(self.emitted.partition_point(|token| token.sent <= sent));
        let culprit = culprit.map(|token| (token.raw, token.start)).find(|(raw, _)| !raw.is_empty());
        Err(match (culprit, self.error.take()) {
            (Some((raw, start)), _) => self.source.unexpected_at(raw, start),
            (None, Some(error)) => error,
            (None, None) => self.source.end_of_file(),
        })
    }
}

impl Iterator for Lexer<'_, '_> {
    type Item = Token;

    /// The next token. While here-documents are named whose bodies follow, the rest of the line is read first.
    fn next(&mut self) -> Option<Token> {
        while (self.queue.is_empty() || !self.source.docs.is_empty()) && !self.ended && self.error.is_none() {
            self.error = self.source.count(1).and_then(|()| self.lex()).err();
        }
        self.queue.pop_front()
    }
}
