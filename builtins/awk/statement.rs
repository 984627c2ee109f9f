//! Reads statements. Expressions are [`super::expression`]'s.
use super::{
    ast::{ArrayPath, Block, Case, Expr, Place, Redirect, RedirectKind, Statement, StatementKind},
    lexer::{Mistake, Token, Word},
    parser::Parser,
};
use crate::Result;

impl Parser<'_> {
    pub(super) fn braces(&mut self) -> Result<Block> {
        self.nested(|parser| {
            parser.expect("{")?;
            let in_print = std::mem::replace(&mut parser.in_print, false);
            let mut block = Vec::new();
            while !parser.is("}") {
                match parser.token {
                    Token::Newline | Token::Sign(";") => drop(parser.advance()?),
                    Token::End => return Err(parser.unexpected()),
                    _ => block.push(parser.statement()?),
                }
            }
            parser.in_print = in_print;
            parser.advance()?;
            Ok(block)
        })
    }

    /// The body of a loop or condition: a block, one statement, or `;` for none.
    fn body(&mut self) -> Result<Block> {
        self.skip_newlines()?;
        if self.take(";")? {
            return Ok(Vec::new());
        }
        Ok(vec![self.nested(Self::statement)?])
    }

    fn statement(&mut self) -> Result<Statement> {
        let line = self.line_of(self.lexer.start) as u32;
        let kind = match self.token.clone() {
            Token::Sign("{") => StatementKind::Block(self.braces()?),
            Token::Word(Word::If) => {
                self.advance()?;
                let condition = self.condition()?;
                let yes = self.body()?;
                let no = if self.at_else()? { self.body()? } else { Vec::new() };
                StatementKind::If(condition, yes, no)
            }
            Token::Word(Word::While) => {
                self.advance()?;
                let condition = self.condition()?;
                StatementKind::While(condition, self.loop_body()?)
            }
            Token::Word(Word::Do) => {
                self.advance()?;
                let body = self.loop_body()?;
                while self.token == Token::Newline || self.is(";") {
                    self.advance()?;
                }
                if self.token != Token::Word(Word::While) {
                    return Err(self.unexpected());
                }
                self.advance()?;
                let condition = self.condition()?;
                self.end_of_statement()?;
                StatementKind::Do(body, condition)
            }
            Token::Word(Word::For) => self.for_loop()?,
            Token::Word(Word::Switch) => self.switch()?,
            _ => {
                let statement = self.simple_statement()?;
                self.end_of_statement()?;
                return Ok(statement);
            }
        };
        Ok(Statement { line, kind })
    }

    fn loop_body(&mut self) -> Result<Block> {
        self.loops += 1;
        let body = self.body();
        self.loops -= 1;
        body
    }

    fn condition(&mut self) -> Result<Expr> {
        self.expect("(")?;
        let condition = self.expr()?;
        self.skip_newlines()?;
        self.expect(")")?;
        Ok(condition)
    }

    /// Pass over `else` if it comes next, behind newlines and one `;`.
    fn at_else(&mut self) -> Result<bool> {
        let (at, start, token) = (self.lexer.at, self.lexer.start, self.token.clone());
        while self.token == Token::Newline || self.is(";") {
            self.advance()?;
        }
        if self.token == Token::Word(Word::Else) {
            self.advance()?;
            return Ok(true);
        }
        self.rewind(at, start, token);
        Ok(false)
    }

    /// Go back to a word that was the current one before.
    pub(super) fn rewind(&mut self, at: usize, start: usize, token: Token) {
        self.lexer.at = at;
        self.lexer.start = start;
        self.token = token;
    }

    fn end_of_statement(&mut self) -> Result<()> {
        match self.token {
            Token::Newline | Token::Sign(";") => drop(self.advance()?),
            Token::Sign("}") | Token::End => {}
            _ => return Err(self.unexpected()),
        }
        Ok(())
    }

    fn for_loop(&mut self) -> Result<StatementKind> {
        self.advance()?;
        self.expect("(")?;
        if let Some((place, array)) = self.for_in_head()? {
            return Ok(StatementKind::ForIn(place, array, self.loop_body()?));
        }
        let first = match self.is(";") {
            true => None,
            false => Some(Box::new(self.simple_statement()?)),
        };
        self.expect(";")?;
        self.skip_newlines()?;
        let condition = if self.is(";") { None } else { Some(self.expr()?) };
        self.expect(";")?;
        self.skip_newlines()?;
        let step = match self.is(")") {
            true => None,
            false => Some(Box::new(self.simple_statement()?)),
        };
        self.expect(")")?;
        Ok(StatementKind::For(first, condition, step, self.loop_body()?))
    }

    /// `name in array)`, if that is what comes.
    fn for_in_head(&mut self) -> Result<Option<(Place, ArrayPath)>> {
        let (at, start, token) = (self.lexer.at, self.lexer.start, self.token.clone());
        if let Token::Name(name) = token.clone() {
            self.advance()?;
            if self.token == Token::Word(Word::In) {
                self.advance()?;
                if let Token::Name(array) = self.token.clone() {
                    let array = self.array(&array)?;
                    if self.take(")")? {
                        return Ok(Some((self.place(&name), array)));
                    }
                }
            }
        }
        self.rewind(at, start, token);
        Ok(None)
    }

    /// The array `name`, which is the current word, and the subscripts of arrays in arrays behind it.
    pub(super) fn array(&mut self, name: &str) -> Result<ArrayPath> {
        let variable = self.variable(name);
        self.advance()?;
        let mut path = Vec::new();
        while self.is("[") {
            path.push(self.subscript()?);
        }
        Ok(ArrayPath { variable, path })
    }

    fn switch(&mut self) -> Result<StatementKind> {
        self.advance()?;
        let value = self.condition()?;
        self.skip_newlines()?;
        self.expect("{")?;
        self.switches += 1;
        let mut cases: Vec<(Option<Case>, Block)> = Vec::new();
        loop {
            match self.token.clone() {
                Token::Newline | Token::Sign(";") => drop(self.advance()?),
                Token::Sign("}") => break,
                Token::Word(Word::Default) => {
                    self.advance()?;
                    self.expect(":")?;
                    cases.push((None, Vec::new()));
                }
                Token::Word(Word::Case) => {
                    self.advance()?;
                    let case = match self.unary()? {
                        Expr::MatchRecord(regex) | Expr::TypedRegex(regex) => Case::Regex(regex.pattern),
                        value => Case::Value(value),
                    };
                    self.expect(":")?;
                    cases.push((Some(case), Vec::new()));
                }
                _ => {
                    let statement = self.nested(Self::statement)?;
                    match cases.last_mut() {
                        Some((_, block)) => block.push(statement),
                        None => return Err(self.unexpected()),
                    }
                }
            }
        }
        self.switches -= 1;
        self.advance()?;
        Ok(StatementKind::Switch(value, cases))
    }

    fn simple_statement(&mut self) -> Result<Statement> {
        let line = self.line_of(self.lexer.start) as u32;
        let Token::Word(word) = self.token else {
            return Ok(Statement { line, kind: StatementKind::Expr(self.expr()?) });
        };
        let kind = match word {
            Word::Print | Word::Printf => self.print(word)?,
            Word::Delete => {
                self.advance()?;
                let Token::Name(name) = self.token.clone() else { return Err(self.unexpected()) };
                let mut array = self.array(&name)?;
                let subscript = array.path.pop();
                StatementKind::Delete(array, subscript)
            }
            Word::Next | Word::NextFile => {
                let name = if word == Word::Next { "next" } else { "nextfile" };
                if let Some(rule) = self.rule.filter(|rule| word == Word::Next || *rule != "BEGINFILE") {
                    return Err(self.error(format!("error: `{name}' used in {rule} action")));
                }
                self.advance()?;
                if word == Word::Next { StatementKind::Next } else { StatementKind::NextFile }
            }
            Word::Break | Word::Continue => {
                let allowed = self.loops > 0 || (word == Word::Break && self.switches > 0);
                if !allowed {
                    let (name, places) = match word {
                        Word::Break => ("break", "a loop or switch"),
                        _ => ("continue", "a loop"),
                    };
                    return Err(self.error(format!("error: `{name}' is not allowed outside {places}")));
                }
                self.advance()?;
                if word == Word::Break { StatementKind::Break } else { StatementKind::Continue }
            }
            Word::Exit => {
                self.advance()?;
                StatementKind::Exit(self.optional_expr()?)
            }
            Word::Return => {
                if self.function.is_none() {
                    let message = "`return' used outside function context".to_string();
                    return Err(self.mistake(&Mistake { at: self.lexer.start, message }));
                }
                self.advance()?;
                StatementKind::Return(self.optional_expr()?)
            }
            Word::Getline => StatementKind::Expr(self.expr()?),
            _ => return Err(self.unexpected()),
        };
        Ok(Statement { line, kind })
    }

    fn optional_expr(&mut self) -> Result<Option<Expr>> {
        match self.token {
            Token::Newline | Token::End | Token::Sign(";" | "}") => Ok(None),
            _ => self.expr().map(Some),
        }
    }

    fn print(&mut self, word: Word) -> Result<StatementKind> {
        self.advance()?;
        self.in_print = true;
        let arguments = self.print_arguments();
        let redirect = arguments.and_then(|arguments| Ok((arguments, self.redirect()?)));
        self.in_print = false;
        let (arguments, redirect) = redirect?;
        Ok(match word {
            Word::Printf if arguments.is_empty() => return Err(self.unexpected()),
            Word::Printf => StatementKind::Printf(arguments, redirect),
            _ => StatementKind::Print(arguments, redirect),
        })
    }

    fn ends_print(&self) -> bool {
        matches!(self.token, Token::Newline | Token::End | Token::Sign(";" | "}" | ">" | ">>" | "|" | "|&" | ")"))
    }

    fn print_arguments(&mut self) -> Result<Vec<Expr>> {
        if self.ends_print() {
            return Ok(Vec::new());
        }
        // `print (a, b) > c`: the brackets hold all arguments, if nothing but a redirection follows.
        if self.is("(") {
            let (at, start, token) = (self.lexer.at, self.lexer.start, self.token.clone());
            self.advance()?;
            self.in_print = false;
            let list = self.list(")");
            self.in_print = true;
            if let Ok(list) = list
                && self.ends_print()
            {
                return Ok(list);
            }
            self.rewind(at, start, token);
        }
        let mut arguments = vec![self.expr()?];
        while self.take(",")? {
            self.skip_newlines()?;
            arguments.push(self.expr()?);
        }
        Ok(arguments)
    }

    fn redirect(&mut self) -> Result<Option<Redirect>> {
        let kind = match self.token {
            Token::Sign(">") => RedirectKind::Write,
            Token::Sign(">>") => RedirectKind::Append,
            Token::Sign("|") => RedirectKind::Pipe,
            Token::Sign("|&") => return Err(self.error("fatal: `|&' is not supported")),
            _ => return Ok(None),
        };
        self.advance()?;
        Ok(Some(Redirect { kind, target: self.concatenation()? }))
    }
}
