//! Running the tree: what is kept between statements, and what each of them does.
mod function;
mod place;
mod print;
mod value;

use super::{
    number::Number,
    say,
    syntax::{Expr, Function, Item, Printed, Statement},
};
use crate::{Call, Error, Input, Result, Status};
use num_bigint::BigUint;
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    io::Write,
    rc::Rc,
};

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Done,
    Halt,
}

/// What a statement did.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Number),
    Halt,
}

/// Why a statement could not go on.
enum Fault {
    /// Said on stderr; the next line is run as if nothing had happened.
    Runtime(String),
    /// The end of the command.
    Fatal(Error),
}

impl<E: Into<Error>> From<E> for Fault {
    fn from(error: E) -> Fault {
        Fault::Fatal(error.into())
    }
}

type Run<T> = std::result::Result<T, Fault>;
type Array = Rc<RefCell<BTreeMap<u32, Number>>>;

/// Bits that a number may have.
const LARGEST: u64 = 1 << 26;

/// The error of a number that no run can hold.
pub(super) fn too_large() -> Error {
    Error::Failed("memory limit reached: a number of more than 8 MiB".to_string(), Status(126))
}

pub(super) struct Machine {
    scale: usize,
    ibase: u32,
    obase: BigUint,
    last: Number,
    variables: HashMap<String, Number>,
    arrays: HashMap<String, Array>,
    functions: HashMap<String, Rc<Function>>,
    math: bool,
    depth: usize,
    /// Columns of a line, 0 for no end, and the column that is reached.
    line_length: usize,
    column: usize,
    /// Where `read()` reads.
    pub(super) input: Option<Input>,
}

impl Machine {
    pub(super) fn new(math: bool, line_length: usize) -> Machine {
        Machine {
            scale: if math { 20 } else { 0 },
            ibase: 10,
            obase: BigUint::from(10u8),
            last: Number::default(),
            variables: HashMap::new(),
            arrays: HashMap::new(),
            functions: HashMap::new(),
            math,
            depth: 0,
            line_length,
            column: 0,
            input: None,
        }
    }

    /// Run what stood on a line.
    pub(super) fn run_item(&mut self, call: &mut Call<'_>, item: Item) -> Result<Outcome> {
        let statements = match item {
            Item::Define(function) => {
                self.functions.insert(function.name.clone(), Rc::new(function));
                return Ok(Outcome::Done);
            }
            Item::Statements(statements) => statements,
        };
        match self.run_all(call, &statements) {
            Ok(Flow::Halt) => Ok(Outcome::Halt),
            Ok(_) => Ok(Outcome::Done),
            Err(Fault::Fatal(error)) => Err(error),
            Err(Fault::Runtime(message)) => {
                self.depth = 0;
                say(call, format_args!("Runtime error (func=(main), adr=0): {message}"))?;
                Ok(Outcome::Done)
            }
        }
    }

    fn run_all(&mut self, call: &mut Call<'_>, statements: &[Statement]) -> Run<Flow> {
        for statement in statements {
            match self.run(call, statement)? {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn run(&mut self, call: &mut Call<'_>, statement: &Statement) -> Run<Flow> {
        call.cancel.check()?;
        match statement {
            Statement::Expression(expr) => {
                let silent = matches!(expr, Expr::Assign(..));
                let void = matches!(expr, Expr::Call(name, _) if self.functions.get(name).is_some_and(|f| f.void));
                let value = self.value(call, expr)?;
                if !silent && !void {
                    self.print(call, &value)?;
                    self.write(call, "\n")?;
                }
            }
            Statement::Text(text) => self.write(call, text)?,
            Statement::Print(list) => {
                for printed in list {
                    match printed {
                        Printed::Text(text) => self.write(call, &print::unescaped(text))?,
                        Printed::Value(expr) => {
                            let value = self.value(call, expr)?;
                            self.print(call, &value)?;
                        }
                    }
                }
            }
            Statement::If(condition, then, otherwise) => {
                if self.holds(call, condition)? {
                    return self.run(call, then);
                } else if let Some(otherwise) = otherwise {
                    return self.run(call, otherwise);
                }
            }
            Statement::While(condition, body) => return self.repeat(call, Some(condition), None, body),
            Statement::For(start, condition, step, body) => {
                if let Some(start) = start {
                    self.value(call, start)?;
                }
                return self.repeat(call, condition.as_ref(), step.as_ref(), body);
            }
            Statement::Block(statements) => return self.run_all(call, statements),
            Statement::Break => return Ok(Flow::Break),
            Statement::Continue => return Ok(Flow::Continue),
            Statement::Return(value) => {
                let value = value.as_ref().map(|value| self.value(call, value)).transpose()?;
                return Ok(Flow::Return(value.unwrap_or_default()));
            }
            Statement::Halt => return Ok(Flow::Halt),
            Statement::Limits => {
                let text = "BC_BASE_MAX     = 2147483647\nBC_DIM_MAX      = 16777215\nBC_SCALE_MAX    = 2147483647\n\
                            BC_STRING_MAX   = 2147483647\nMAX Exponent    = 9223372036854775807\n\
                            Number of vars  = 32767\n";
                call.stdout.write_all(text.as_bytes())?;
            }
        }
        Ok(Flow::Next)
    }

    fn repeat(
        &mut self,
        call: &mut Call<'_>,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Statement,
    ) -> Run<Flow> {
        loop {
            call.cancel.check()?;
            if let Some(condition) = condition
                && !self.holds(call, condition)?
            {
                return Ok(Flow::Next);
            }
            match self.run(call, body)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => return Ok(Flow::Next),
                flow => return Ok(flow),
            }
            if let Some(step) = step {
                self.value(call, step)?;
            }
        }
    }

    fn holds(&mut self, call: &mut Call<'_>, condition: &Expr) -> Run<bool> {
        Ok(!self.value(call, condition)?.is_zero())
    }
}
