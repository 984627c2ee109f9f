//! Runs statements. Expressions are `evaluate`'s, what is printed `output`'s.
use super::{
    ast::{ArrayPath, Block, Case, Expr, Place, Statement, StatementKind},
    interpreter::{Flow, Interpreter},
    value::Value,
};
use crate::Result;
use std::ops::ControlFlow;

impl<'p> Interpreter<'p, '_, '_> {
    /// Run statements one after another.
    pub(super) fn block(&mut self, block: &'p Block) -> Result<Flow> {
        for statement in block {
            match self.statement(statement) {
                Ok(Flow::On) => {}
                Ok(flow) => return Ok(flow),
                Err(error) => return self.leaving.take().ok_or(error),
            }
        }
        Ok(Flow::On)
    }

    fn statement(&mut self, statement: &'p Statement) -> Result<Flow> {
        self.line = statement.line;
        match &statement.kind {
            StatementKind::Expr(expr) => self.run_expr(expr)?,
            StatementKind::Print(arguments, redirect) => self.print(arguments, redirect.as_ref())?,
            StatementKind::Printf(arguments, redirect) => {
                let text = self.sprintf(arguments)?;
                self.emit(redirect.as_ref(), &text)?;
            }
            StatementKind::If(condition, yes, no) => {
                let branch = if self.truth(condition)? { yes } else { no };
                return self.block(branch);
            }
            StatementKind::While(condition, body) => return self.run_while(condition, body, statement.line),
            StatementKind::Do(body, condition) => return self.run_do(body, condition),
            StatementKind::For(first, condition, step, body) => {
                if let Some(first) = first {
                    self.statement(first)?;
                }
                return self.run_for(condition.as_ref(), step.as_deref(), body);
            }
            StatementKind::ForIn(place, path, body) => return self.run_for_in(place, path, body),
            StatementKind::Switch(value, cases) => return self.switch(value, cases),
            StatementKind::Block(block) => return self.block(block),
            StatementKind::Delete(path, None) => self.array(path)?.borrow_mut().clear(),
            StatementKind::Delete(path, Some(subscript)) => {
                let array = self.array(path)?;
                let key = self.key(subscript)?;
                array.borrow_mut().remove(&key);
                self.give_back(key);
            }
            StatementKind::Next => {
                self.forbid_outside_rules("next")?;
                return Ok(Flow::Next);
            }
            StatementKind::NextFile => {
                self.forbid_outside_rules("nextfile")?;
                return Ok(Flow::NextFile);
            }
            StatementKind::Exit(status) => {
                if let Some(status) = status {
                    self.status = self.number(status)? as i64 as u8;
                }
                self.specials.exiting = true;
                return Ok(Flow::Exit);
            }
            StatementKind::Return(value) => {
                let value = match value {
                    Some(value) => self.eval(value)?,
                    None => Value::Unset,
                };
                return Ok(Flow::Return(value));
            }
            StatementKind::Break => return Ok(Flow::Break),
            StatementKind::Continue => return Ok(Flow::Continue),
        }
        Ok(Flow::On)
    }

    fn run_while(&mut self, condition: &'p Expr, body: &'p Block, line: u32) -> Result<Flow> {
        while self.truth(condition)? {
            if let ControlFlow::Break(flow) = self.turn(body)? {
                return Ok(flow);
            }
            self.line = line;
        }
        Ok(Flow::On)
    }

    fn run_do(&mut self, body: &'p Block, condition: &'p Expr) -> Result<Flow> {
        loop {
            if let ControlFlow::Break(flow) = self.turn(body)? {
                return Ok(flow);
            }
            if !self.truth(condition)? {
                return Ok(Flow::On);
            }
        }
    }

    /// The loop of a `for` that has begun.
    fn run_for(&mut self, condition: Option<&'p Expr>, step: Option<&'p Statement>, body: &'p Block) -> Result<Flow> {
        loop {
            if let Some(condition) = condition
                && !self.truth(condition)?
            {
                return Ok(Flow::On);
            }
            if let ControlFlow::Break(flow) = self.turn(body)? {
                return Ok(flow);
            }
            if let Some(step) = step {
                self.statement(step)?;
            }
        }
    }

    fn run_for_in(&mut self, place: &'p Place, path: &'p ArrayPath, body: &'p Block) -> Result<Flow> {
        let array = self.array(path)?;
        for key in self.ordered_keys(&array)? {
            self.assign(place, Value::Input(key))?;
            if let ControlFlow::Break(flow) = self.turn(body)? {
                return Ok(flow);
            }
        }
        Ok(Flow::On)
    }

    /// The body of a loop once, and what the loop leaves off with when the body ends it.
    fn turn(&mut self, body: &'p Block) -> Result<ControlFlow<Flow>> {
        self.call.cancel.check()?;
        Ok(match self.block(body)? {
            Flow::On | Flow::Continue => ControlFlow::Continue(()),
            Flow::Break => ControlFlow::Break(Flow::On),
            flow => ControlFlow::Break(flow),
        })
    }

    /// A mistake unless records are read: a function that says `next` may be called from `BEGIN`, too.
    fn forbid_outside_rules(&self, statement: &str) -> Result<()> {
        let rule = match (self.specials.in_end, self.operands.begun) {
            (true, _) => "END",
            (_, false) => "BEGIN",
            _ => return Ok(()),
        };
        Err(self.fatal(format!("`{statement}' cannot be called from a `{rule}' rule")))
    }

    /// From the first case that matches on, else from the default.
    fn switch(&mut self, value: &'p Expr, cases: &'p [(Option<Case>, Block)]) -> Result<Flow> {
        let value = self.eval(value)?;
        let mut chosen = cases.iter().position(|(case, _)| case.is_none());
        for (at, (case, _)) in cases.iter().enumerate() {
            if let Some(case) = case
                && self.matches(case, &value)?
            {
                chosen = Some(at);
                break;
            }
        }
        for (_, block) in &cases[chosen.unwrap_or(cases.len())..] {
            match self.block(block)? {
                Flow::On => {}
                Flow::Break => break,
                flow => return Ok(flow),
            }
        }
        Ok(Flow::On)
    }

    /// Whether `case` is `value`: numbers are compared to numbers, text to text.
    fn matches(&mut self, case: &'p Case, value: &Value) -> Result<bool> {
        let case = match case {
            Case::Regex(pattern) => return Ok(pattern.is_match(&value.to_text(&self.specials.convfmt))?),
            Case::Value(case) => self.eval(case)?,
        };
        Ok(match (&case, value.comparable()) {
            (Value::Number(number), Some(value)) => *number == value,
            (Value::Text(text), None) => *text == value.to_text(&self.specials.convfmt),
            (Value::Text(text), Some(_)) => {
                !matches!(value, Value::Number(_)) && *text == value.to_text(&self.specials.convfmt)
            }
            _ => false,
        })
    }
}
