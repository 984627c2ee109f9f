//! Runs a program: its state, the main loop over the records, and calls of its functions. Statements are `execute`'s,
//! expressions [`super::evaluate`]'s.
use super::{
    array::{Array, ArrayRef, Element},
    ast::{Function, Program, Rule, Selector},
    files::Files,
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
    pub(super) status: u8,
    /// Buffers to be used again.
    buffers: Vec<Vec<u8>>,
    /// What messages call the program: `cmd. line`, or its file.
    pub(super) source: String,
    /// What leaves a rule from inside of a function: an error on the way to the statement that called it, which then
    /// leaves off with this.
    pub(super) leaving: Option<Flow>,
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
