//! Tokens as a tree: lines and functions here, what they are made of in `statement` and `expression`.
mod expression;
mod statement;

use super::{
    lexer::Token,
    syntax::{Function, Item, Local, Statement},
};

/// Why there is no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// The tokens end too early.
    Unfinished,
    Syntax,
}

type Parse<T> = Result<T, Wrong>;

pub(super) struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
}

/// Brackets, blocks and signs within each other.
const DEEPEST: usize = 300;

/// Names that mean something of their own.
const RESERVED: &[&str] = &[
    "auto", "break", "continue", "define", "else", "for", "halt", "ibase", "if", "last", "length", "limits", "obase",
    "print", "quit", "read", "return", "scale", "sqrt", "void", "while",
];

impl<'a> Parser<'a> {
    pub(super) fn new(tokens: &'a [Token]) -> Parser<'a> {
        Parser { tokens, at: 0, depth: 0 }
    }

    /// Tokens that were used.
    pub(super) fn taken(&self) -> usize {
        self.at
    }

    /// The tokens up to the end of the line on which the parser stands.
    pub(super) fn line_end(&self) -> usize {
        let rest = &self.tokens[self.at.min(self.tokens.len())..];
        let line = rest.iter().position(|token| *token == Token::Newline).map_or(rest.len(), |end| end + 1);
        self.at.min(self.tokens.len()) + line
    }

    /// A line of statements, or a function; `None` for `quit`, which is obeyed as soon as it is read.
    pub(super) fn item(&mut self) -> Parse<Option<Item>> {
        if self.take_name("define") {
            return self.function().map(|function| Some(Item::Define(function)));
        }
        let mut statements = Vec::new();
        loop {
            if self.take_newline() {
                break;
            }
            if self.take(";") {
                continue;
            }
            match self.statement()? {
                Some(statement) => statements.push(statement),
                None => return Ok(None),
            }
            if self.take_newline() {
                break;
            }
            self.expect(";")?;
        }
        Ok(Some(Item::Statements(statements)))
    }

    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(found)) if *found == sign)
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        self.at += usize::from(found);
        found
    }

    fn take_newline(&mut self) -> bool {
        let found = self.peek() == Some(&Token::Newline);
        self.at += usize::from(found);
        found
    }

    fn take_name(&mut self, name: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Name(found)) if found == name);
        self.at += usize::from(found);
        found
    }

    fn wrong<T>(&self) -> Parse<T> {
        Err(if self.at >= self.tokens.len() { Wrong::Unfinished } else { Wrong::Syntax })
    }

    fn expect(&mut self, sign: &str) -> Parse<()> {
        if self.take(sign) { Ok(()) } else { self.wrong() }
    }

    fn skip_newlines(&mut self) {
        while self.take_newline() {}
    }

    fn name(&mut self) -> Parse<String> {
        match self.peek() {
            Some(Token::Name(name)) if !RESERVED.contains(&name.as_str()) => {
                self.at += 1;
                Ok(name.clone())
            }
            _ => self.wrong(),
        }
    }

    fn function(&mut self) -> Parse<Function> {
        let void = self.take_name("void");
        let name = self.name()?;
        self.expect("(")?;
        let parameters = if self.is(")") { Vec::new() } else { self.locals()? };
        self.expect(")")?;
        self.skip_newlines();
        self.expect("{")?;
        self.skip_newlines();
        let mut locals = Vec::new();
        if self.take_name("auto") {
            locals = self.locals()?;
            if !self.take(";") && !self.take_newline() {
                return self.wrong();
            }
        }
        match self.block()? {
            Some(body) => Ok(Function { name, void, parameters, locals, body }),
            None => Err(Wrong::Syntax),
        }
    }

    fn locals(&mut self) -> Parse<Vec<Local>> {
        let mut locals = Vec::new();
        loop {
            let reference = self.take("*");
            let name = self.name()?;
            let array = self.take("[");
            if array {
                self.expect("]")?;
            }
            locals.push(match (reference, array) {
                (true, _) => Local::Reference(name),
                (false, true) => Local::Array(name),
                (false, false) => Local::Variable(name),
            });
            if !self.take(",") {
                return Ok(locals);
            }
        }
    }

    /// Statements up to the closing brace.
    fn block(&mut self) -> Parse<Option<Vec<Statement>>> {
        let mut statements = Vec::new();
        loop {
            if self.take("}") {
                return Ok(Some(statements));
            }
            if self.take_newline() || self.take(";") {
                continue;
            }
            match self.statement()? {
                Some(statement) => statements.push(statement),
                None => return Ok(None),
            }
            if !self.is("}") && !self.is(";") && self.peek() != Some(&Token::Newline) {
                return self.wrong();
            }
        }
    }
}
