//! From words to an expression.
//!
//! `LIST := OR {, OR}`, `OR := AND {-o AND}`, `AND := NOT {[-a] NOT}`, `NOT := [!] ( LIST ) | PREDICATE`.
use super::{
    command::Settings,
    expression::{Exec, Expr},
};
use crate::{Call, Error, Result, pattern::Syntax};

/// Parentheses and negations may stand in each other so deep.
const DEEPEST: usize = 200;

/// Reads an expression. Its predicates are read in [`super::predicate`].
pub(super) struct Parser<'p, 'c> {
    pub(super) call: &'p Call<'c>,
    words: &'p [String],
    at: usize,
    depth: usize,
    pub(super) settings: Settings,
    pub(super) execs: Vec<Exec>,
    /// `-daystart` has been said.
    pub(super) from_day_start: bool,
    /// The last `-regextype`.
    pub(super) syntax: Syntax,
    /// The last predicate, for the hint on a pattern without quotes.
    last: Option<&'p str>,
}

impl<'p, 'c> Parser<'p, 'c> {
    pub(super) fn new(call: &'p Call<'c>, words: &'p [String]) -> Parser<'p, 'c> {
        Parser {
            call,
            words,
            at: 0,
            depth: 0,
            settings: Settings::default(),
            execs: Vec::new(),
            from_day_start: false,
            syntax: Syntax::FIND,
            last: None,
        }
    }

    /// The next word.
    pub(super) fn next(&mut self) -> Option<&'p str> {
        let word = self.words.get(self.at)?;
        self.at += 1;
        Some(word)
    }

    fn peek(&self) -> Option<&'p str> {
        self.words.get(self.at).map(String::as_str)
    }

    /// The argument of the predicate `name`.
    pub(super) fn argument(&mut self, name: &str) -> Result<&'p str> {
        self.next().ok_or_else(|| Error::failed(format!("missing argument to `{name}'")))
    }

    /// The whole expression; `None` when there are no words.
    pub(super) fn whole(&mut self) -> Result<Option<Expr>> {
        if self.words.is_empty() {
            return Ok(None);
        }
        let expr = self.list()?;
        match self.peek() {
            None => Ok(Some(expr)),
            Some(")") => Err(invalid("you have too many ')'")),
            Some(word) => Err(Error::failed(format!("paths must precede expression: `{word}'"))),
        }
    }

    fn list(&mut self) -> Result<Expr> {
        self.separated(Self::or, &[","], Expr::List)
    }

    fn or(&mut self) -> Result<Expr> {
        self.separated(Self::and, &["-o", "-or"], Expr::Any)
    }

    fn separated(
        &mut self,
        part: fn(&mut Self) -> Result<Expr>,
        operators: &[&str],
        build: fn(Vec<Expr>) -> Expr,
    ) -> Result<Expr> {
        let mut parts = vec![part(self)?];
        while let Some(operator) = self.peek().filter(|word| operators.contains(word)) {
            self.at += 1;
            if matches!(self.peek(), None | Some(")")) {
                return Err(Error::failed(format!("expected an expression after '{operator}'")));
            }
            parts.push(part(self)?);
        }
        Ok(one_or(parts, build))
    }

    fn and(&mut self) -> Result<Expr> {
        let mut parts = vec![self.not()?];
        loop {
            match self.peek() {
                None | Some(")" | "," | "-o" | "-or") => return Ok(one_or(parts, Expr::All)),
                Some(operator @ ("-a" | "-and")) => {
                    self.at += 1;
                    if matches!(self.peek(), None | Some(")" | "," | "-o" | "-or" | "-a" | "-and")) {
                        return Err(Error::failed(format!("expected an expression after '{operator}'")));
                    }
                }
                Some(_) => {}
            }
            parts.push(self.not()?);
        }
    }

    fn not(&mut self) -> Result<Expr> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Error::failed(format!("expression is nested more than {DEEPEST} deep")));
        }
        let expr = match self.next() {
            Some(operator @ ("!" | "-not")) => {
                if matches!(self.peek(), None | Some(")")) {
                    return Err(Error::failed(format!("expected an expression after '{operator}'")));
                }
                Expr::Not(Box::new(self.not()?))
            }
            Some("(") => {
                if self.peek() == Some(")") {
                    return Err(invalid("empty parentheses are not allowed."));
                }
                if self.peek().is_none() {
                    let message =
                        "expected to find a ')' but didn't see one. Perhaps you need an extra predicate after '('";
                    return Err(invalid(message));
                }
                let expr = self.list()?;
                if self.next() != Some(")") {
                    return Err(invalid("I was expecting to find a ')' somewhere but did not see one."));
                }
                expr
            }
            Some(operator @ ("-a" | "-and" | "-o" | "-or" | ",")) => {
                let message = format!("you have used a binary operator '{operator}' with nothing before it.");
                return Err(invalid(&message));
            }
            Some(")") => return Err(invalid("you have too many ')'")),
            Some(word) if !word.starts_with('-') || word.len() < 2 => {
                let mut message = format!("paths must precede expression: `{word}'");
                if let Some(last) = self.last {
                    message += &format!("\nfind: possible unquoted pattern after predicate `{last}'?");
                }
                return Err(Error::failed(message));
            }
            Some(word) => {
                self.last = Some(word);
                self.predicate(word)?
            }
            None => return Err(invalid("an expression was expected.")),
        };
        self.depth -= 1;
        Ok(expr)
    }
}

fn one_or(mut parts: Vec<Expr>, build: fn(Vec<Expr>) -> Expr) -> Expr {
    match parts.len() {
        1 => parts.remove(0),
        _ => build(parts),
    }
}

fn invalid(why: &str) -> Error {
    Error::failed(format!("invalid expression; {why}"))
}
