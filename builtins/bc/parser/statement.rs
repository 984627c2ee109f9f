//! Statements; `None` stands for `quit`, which is obeyed as soon as it is read.
use super::{DEEPEST, Parse, Parser, Wrong};
use crate::bc::{
    lexer::Token,
    syntax::{Expr, Printed, Statement},
};

impl Parser<'_> {
    /// One statement; `None` for `quit`.
    pub(super) fn statement(&mut self) -> Parse<Option<Statement>> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Wrong::Syntax);
        }
        let statement = self.plain_statement();
        self.depth -= 1;
        statement
    }

    /// One statement that is not too deep.
    fn plain_statement(&mut self) -> Parse<Option<Statement>> {
        if let Some(Token::Text(text)) = self.peek() {
            self.at += 1;
            return Ok(Some(Statement::Text(text.clone())));
        }
        if self.take("{") {
            return Ok(self.block()?.map(Statement::Block));
        }
        let Some(Token::Name(word)) = self.peek() else {
            return self.expression().map(|value| Some(Statement::Expression(value)));
        };
        let before = self.at;
        self.at += 1;
        Ok(Some(match word.as_str() {
            "quit" => return Ok(None),
            "halt" => Statement::Halt,
            "break" => Statement::Break,
            "continue" => Statement::Continue,
            "limits" => Statement::Limits,
            "return" => Statement::Return(self.returned()?),
            "print" => Statement::Print(self.printed()?),
            "if" => return self.condition(),
            "while" => return self.r#while(),
            "for" => return self.r#for(),
            _ => {
                self.at = before;
                Statement::Expression(self.expression()?)
            }
        }))
    }

    /// What follows `if`.
    fn condition(&mut self) -> Parse<Option<Statement>> {
        let condition = self.bracketed()?;
        let Some(then) = self.inner()? else { return Ok(None) };
        let mut otherwise = None;
        if self.take_name("else") {
            let Some(statement) = self.inner()? else { return Ok(None) };
            otherwise = Some(Box::new(statement));
        }
        Ok(Some(Statement::If(condition, Box::new(then), otherwise)))
    }

    /// What follows `while`.
    fn r#while(&mut self) -> Parse<Option<Statement>> {
        let condition = self.bracketed()?;
        Ok(self.inner()?.map(|body| Statement::While(condition, Box::new(body))))
    }

    /// What follows `for`.
    fn r#for(&mut self) -> Parse<Option<Statement>> {
        self.expect("(")?;
        let start = self.optional(";")?;
        let condition = self.optional(";")?;
        let step = self.optional(")")?;
        Ok(self.inner()?.map(|body| Statement::For(start, condition, step, Box::new(body))))
    }

    fn bracketed(&mut self) -> Parse<Expr> {
        self.expect("(")?;
        let value = self.expression()?;
        self.expect(")")?;
        Ok(value)
    }

    /// The statement of a loop or a condition, which may stand on the next line.
    fn inner(&mut self) -> Parse<Option<Statement>> {
        self.skip_newlines();
        if self.take(";") {
            self.at -= 1;
            return Ok(Some(Statement::Block(Vec::new())));
        }
        self.statement()
    }

    /// What may stand before `end`, and that.
    fn optional(&mut self, end: &str) -> Parse<Option<Expr>> {
        if self.take(end) {
            return Ok(None);
        }
        let value = self.expression()?;
        self.expect(end)?;
        Ok(Some(value))
    }

    /// What may follow `return`.
    fn returned(&mut self) -> Parse<Option<Expr>> {
        match self.peek() {
            Some(Token::Newline | Token::Sign(";" | "}")) => Ok(None),
            _ => self.expression().map(Some),
        }
    }

    /// What follows `print`.
    fn printed(&mut self) -> Parse<Vec<Printed>> {
        let mut list = Vec::new();
        loop {
            list.push(match self.peek() {
                Some(Token::Text(text)) => {
                    self.at += 1;
                    Printed::Text(text.clone())
                }
                _ => Printed::Value(self.expression()?),
            });
            if !self.take(",") {
                return Ok(list);
            }
        }
    }
}
