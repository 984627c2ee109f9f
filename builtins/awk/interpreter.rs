//! Runs a program: its state, the main loop, and the statements. Expressions are [`super::evaluate`]'s.
use super::{
    array::{Array, ArrayRef, Element},
    ast::{Block, Case, Function, Program, Redirect, RedirectKind, Rule, Selector, Statement, StatementKind},
    files::{Files, Goal},
    format,
    input::Operands,
    random::Random,
    record::Record,
    regex::Cache,
    special::Specials,
    value::{Slot, Value},
};
use crate::{Call, Error, Result, Status};
use std::{cell::RefCell, io::Write, rc::Rc};

/// Where a statement leaves off.
pub(super) enum Flow {
    /// At its end.
    On,
    Break,
    Continue,
    Next,
    NextFile,
    Exit,
    Return(Value),
}

pub(super) struct Interpreter<'p, 'm, 'c> {
    pub(super) call: &'m mut Call<'c>,
    pub(super) program: &'p Program,
    pub(super) globals: Vec<Slot>,
    /// The locals of all running functions; those of the innermost begin at `base`.
    pub(super) stack: Vec<Slot>,
    pub(super) base: usize,
    pub(super) depth: usize,
    /// The function that runs.
    pub(super) function: Option<&'p Function>,
    pub(super) record: Record,
    pub(super) specials: Specials,
    pub(super) operands: Operands,
    pub(super) files: Files,
    pub(super) regexes: Cache,
    pub(super) random: Random,
    /// The line of the statement that runs.
    pub(super) line: u32,
    /// Whether the range of that number is open.
    ranges: Vec<bool>,
    status: u8,
    /// Buffers to be used again.
    buffers: Vec<Vec<u8>>,
    /// What messages call the program: `cmd. line`, or its file.
    pub(super) source: String,
    /// What leaves a rule from inside of a function: an error on the way to the statement that called it, which then
    /// leaves off with this.
    leaving: Option<Flow>,
}

impl<'p, 'm, 'c> Interpreter<'p, 'm, 'c> {
    pub(super) fn new(call: &'m mut Call<'c>, program: &'p Program, source: String) -> Self {
        Interpreter {
            call,
            program,
            globals: vec![Slot::UNSET; program.globals.len()],
            stack: Vec::new(),
            base: 0,
            depth: 0,
            function: None,
            record: Record::new(),
            specials: Specials::new(),
            operands: Operands::default(),
            files: Files::default(),
            regexes: Cache::default(),
            random: Random::new(1),
            line: 1,
            ranges: vec![false; program.ranges],
            status: 0,
            buffers: Vec::new(),
            source,
            leaving: None,
        }
    }

    /// Run everything and give the status.
    pub(super) fn run(mut self) -> Result<Status> {
        let result = self.run_rules();
        // What has been printed arrives, and what was piped runs, also after a mistake.
        let closed = self.close_all();
        result?;
        closed?;
        Ok(Status(self.status))
    }

    fn run_rules(&mut self) -> Result<()> {
        let program = self.program;
        for block in &program.begin {
            if let Flow::Exit = self.block(block)? {
                return self.run_end();
            }
        }
        let reads = !program.rules.is_empty()
            || !program.end.is_empty()
            || !program.begin_file.is_empty()
            || !program.end_file.is_empty();
        if reads {
            self.run_records()?;
        }
        self.run_end()
    }

    fn run_end(&mut self) -> Result<()> {
        let program = self.program;
        self.specials.in_end = true;
        for block in &program.end {
            if let Flow::Exit = self.block(block)? {
                break;
            }
        }
        Ok(())
    }

    /// The rules over every record.
    fn run_records(&mut self) -> Result<()> {
        let program = self.program;
        while self.next_record()? {
            match self.rules(&program.rules)? {
                Flow::Exit => return Ok(()),
                Flow::NextFile => self.leave_file()?,
                _ => {}
            }
        }
        Ok(())
    }

    fn rules(&mut self, rules: &'p [Rule]) -> Result<Flow> {
        for rule in rules {
            match self.selects(&rule.pattern) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(error) => match self.leaving.take() {
                    Some(Flow::Next) => break,
                    Some(flow) => return Ok(flow),
                    None => return Err(error),
                },
            }
            match &rule.body {
                Some(body) => match self.block(body)? {
                    Flow::Next => break,
                    flow @ (Flow::NextFile | Flow::Exit) => return Ok(flow),
                    _ => {}
                },
                None => {
                    let mut line = self.buffer();
                    line.extend_from_slice(self.record.whole());
                    line.extend_from_slice(&self.specials.ors);
                    self.call.stdout.write_all(&line)?;
                    self.give_back(line);
                }
            }
        }
        Ok(Flow::On)
    }

    fn selects(&mut self, pattern: &'p Selector) -> Result<bool> {
        match pattern {
            Selector::Always => Ok(true),
            Selector::When(condition) => self.truth(condition),
            Selector::Range(first, last, range) => {
                if !self.ranges[*range] {
                    if !self.truth(first)? {
                        return Ok(false);
                    }
                    self.ranges[*range] = true;
                }
                if self.truth(last)? {
                    self.ranges[*range] = false;
                }
                Ok(true)
            }
        }
    }

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
            StatementKind::While(condition, body) => {
                while self.truth(condition)? {
                    self.call.cancel.check()?;
                    match self.block(body)? {
                        Flow::On | Flow::Continue => {}
                        Flow::Break => break,
                        flow => return Ok(flow),
                    }
                    self.line = statement.line;
                }
            }
            StatementKind::Do(body, condition) => loop {
                self.call.cancel.check()?;
                match self.block(body)? {
                    Flow::On | Flow::Continue => {}
                    Flow::Break => break,
                    flow => return Ok(flow),
                }
                if !self.truth(condition)? {
                    break;
                }
            },
            StatementKind::For(first, condition, step, body) => {
                if let Some(first) = first {
                    self.statement(first)?;
                }
                loop {
                    if let Some(condition) = condition
                        && !self.truth(condition)?
                    {
                        break;
                    }
                    self.call.cancel.check()?;
                    match self.block(body)? {
                        Flow::On | Flow::Continue => {}
                        Flow::Break => break,
                        flow => return Ok(flow),
                    }
                    if let Some(step) = step {
                        self.statement(step)?;
                    }
                }
            }
            StatementKind::ForIn(place, path, body) => {
                let array = self.array(path)?;
                for key in self.ordered_keys(&array)? {
                    self.call.cancel.check()?;
                    self.assign(place, Value::Input(key))?;
                    match self.block(body)? {
                        Flow::On | Flow::Continue => {}
                        Flow::Break => break,
                        flow => return Ok(flow),
                    }
                }
            }
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

    fn forbid_outside_rules(&self, statement: &str) -> Result<()> {
        let rule = match (self.specials.in_end, self.operands.begun) {
            (true, _) => "END",
            (_, false) => "BEGIN",
            _ => return Ok(()),
        };
        Err(self.fatal(format!("`{statement}' cannot be called from a `{rule}' rule")))
    }

    fn switch(&mut self, value: &'p super::ast::Expr, cases: &'p [(Option<Case>, Block)]) -> Result<Flow> {
        let value = self.eval(value)?;
        let mut chosen = None;
        for (at, (case, _)) in cases.iter().enumerate() {
            let matches = match case {
                None => false,
                Some(Case::Regex(pattern)) => pattern.is_match(&value.to_text(&self.specials.convfmt))?,
                Some(Case::Value(case)) => {
                    let case = self.eval(case)?;
                    match (&case, value.comparable()) {
                        (Value::Number(number), Some(value)) => *number == value,
                        (Value::Text(text), None) => *text == value.to_text(&self.specials.convfmt),
                        (Value::Text(text), Some(_)) => {
                            !matches!(value, Value::Number(_)) && *text == value.to_text(&self.specials.convfmt)
                        }
                        _ => false,
                    }
                }
            };
            if matches {
                chosen = Some(at);
                break;
            }
        }
        let first = chosen.or_else(|| cases.iter().position(|(case, _)| case.is_none()));
        for (_, block) in &cases[first.unwrap_or(cases.len())..] {
            match self.block(block)? {
                Flow::On => {}
                Flow::Break => break,
                flow => return Ok(flow),
            }
        }
        Ok(Flow::On)
    }

    fn print(&mut self, arguments: &'p [super::ast::Expr], redirect: Option<&'p Redirect>) -> Result<()> {
        let mut line = self.buffer();
        if arguments.is_empty() {
            line.extend_from_slice(self.record.whole());
        }
        for (at, argument) in arguments.iter().enumerate() {
            if at > 0 {
                line.extend_from_slice(&self.record.ofs);
            }
            self.printed(argument, &mut line)?;
        }
        line.extend_from_slice(&self.specials.ors);
        let result = self.emit(redirect, &line);
        self.give_back(line);
        result
    }

    /// Write `text` to stdout or where the statement says.
    fn emit(&mut self, redirect: Option<&'p Redirect>, text: &[u8]) -> Result<()> {
        let Some(redirect) = redirect else {
            self.call.stdout.write_all(text)?;
            return Ok(());
        };
        let target = self.eval(&redirect.target)?.to_text(&self.specials.convfmt);
        if target.is_empty() {
            return Err(
                self.fatal(format!("expression for `{}' redirection has null string value", redirect.kind.sign()))
            );
        }
        if redirect.kind == RedirectKind::Pipe && !self.is_output(&target) {
            // What has been printed so far comes before what the command prints.
            self.call.stdout.flush()?;
        }
        match self.files.output(self.call, redirect.kind, &target) {
            Ok(Goal::Stdout) => self.call.stdout.write_all(text)?,
            Ok(Goal::Stderr) => {
                self.call.stdout.flush()?;
                self.call.stderr.write_all(text)?;
            }
            Ok(Goal::File(file)) => file.write_all(text)?,
            Ok(Goal::Command(buffer)) => {
                buffer.extend_from_slice(text);
                self.call.memory.take(text.len())?;
            }
            Err(cause) => {
                let target = String::from_utf8_lossy(&target);
                return Err(self.fatal(format!("cannot redirect to `{target}': {cause}")));
            }
        }
        Ok(())
    }

    pub(super) fn sprintf(&mut self, arguments: &'p [super::ast::Expr]) -> Result<Vec<u8>> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.eval(argument)?);
        }
        let Some((form, values)) = values.split_first() else { return Ok(Vec::new()) };
        let form = form.to_text(&self.specials.convfmt);
        format::format(&form, values, &self.specials.convfmt).map_err(|shortage| self.fatal(shortage.to_string()))
    }

    /// An empty buffer, to be [given back](Self::give_back).
    pub(super) fn buffer(&mut self) -> Vec<u8> {
        self.buffers.pop().unwrap_or_default()
    }

    pub(super) fn give_back(&mut self, mut buffer: Vec<u8>) {
        buffer.clear();
        self.buffers.push(buffer);
    }

    /// The end of the program, in gawk's words.
    pub(super) fn fatal(&self, message: impl AsRef<str>) -> Error {
        let (source, line, message) = (&self.source, self.line, message.as_ref());
        let place = match self.operands.begun && !self.specials.in_end {
            true => {
                let name = String::from_utf8_lossy(&self.specials.filename).into_owned();
                let name = if name.is_empty() { "-".to_string() } else { name };
                format!("{source}:{line}: (FILENAME={name} FNR={}) ", self.specials.fnr)
            }
            false => format!("{source}:{line}: "),
        };
        Error::Failed(format!("{place}fatal: {message}"), Status(2))
    }

    /// Call a function with its arguments on the stack from `base` on.
    pub(super) fn call_function(&mut self, function: &'p Function, base: usize) -> Result<Value> {
        if self.depth >= self.call.limits.depth {
            let depth = self.call.limits.depth;
            return Err(Error::Failed(format!("function call depth limit of {depth} reached"), Status(126)));
        }
        self.call.cancel.check()?;
        self.stack.resize(base + function.parameters.len(), Slot::UNSET);
        let outer = std::mem::replace(&mut self.base, base);
        let line = self.line;
        let caller = self.function.replace(function);
        self.depth += 1;
        let flow = stacker::maybe_grow(super::RED_ZONE, super::GROWTH, || self.block(&function.body));
        self.depth -= 1;
        self.function = caller;
        self.line = line;
        self.base = outer;
        self.stack.truncate(base);
        match flow? {
            Flow::Return(value) => Ok(value),
            flow @ (Flow::Exit | Flow::Next | Flow::NextFile) => {
                self.leaving = Some(flow);
                Err(Error::Quiet(Status::OK))
            }
            _ => Ok(Value::Unset),
        }
    }

    /// A global array, made if there is none.
    pub(super) fn global_array(&mut self, place: usize) -> ArrayRef {
        if let Slot::Array(array) = &self.globals[place] {
            return array.clone();
        }
        let array: ArrayRef = Rc::new(RefCell::new(Array::default()));
        self.globals[place] = Slot::Array(array.clone());
        array
    }

    /// Set an element of a global array.
    pub(super) fn set_global_element(&mut self, place: usize, key: &[u8], value: Value) {
        let array = self.global_array(place);
        *array.borrow_mut().entry(key).0 = Element::Value(value);
    }
}
