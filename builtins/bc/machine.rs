//! Running the tree: variables, functions, what is printed.
use super::{
    math,
    number::Number,
    say,
    syntax::{Argument, Expr, Function, Item, Local, Op, Place, Printed, Relation, Statement},
};
use crate::{Call, Error, Input, Result, Status};
use num_bigint::{BigInt, BigUint};
use std::{
    cell::RefCell,
    cmp::Ordering,
    collections::{BTreeMap, HashMap},
    io::{BufRead, Write},
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

/// Elements that an array may have.
const DIMENSION: u32 = 16_777_215;
/// Calls within each other.
const DEEPEST: usize = 10_000;
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

/// What a call hides, to be put back.
enum Hidden {
    Variable(String, Option<Number>),
    Array(String, Option<Array>),
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
                        Printed::Text(text) => self.write(call, &unescaped(text))?,
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

    fn value(&mut self, call: &mut Call<'_>, expr: &Expr) -> Run<Number> {
        let truth = |yes: bool| Number::new(u8::from(yes), 0);
        Ok(match expr {
            Expr::Number(digits) => Number::parse(digits, self.ibase),
            Expr::Group(inner) => self.value(call, inner)?,
            Expr::Place(place) => {
                let index = self.index(call, place)?;
                self.load(place, index)
            }
            Expr::Assign(place, op, value) => {
                let index = self.index(call, place)?;
                let mut value = match op {
                    None => self.value(call, value)?,
                    Some(op) => {
                        let old = self.load(place, index);
                        let value = self.value(call, value)?;
                        self.compute(call, &old, *op, &value)?
                    }
                };
                self.store(call, place, index, &mut value)?;
                value
            }
            Expr::Step { place, up, before } => {
                let index = self.index(call, place)?;
                let old = self.load(place, index);
                let mut new = old.add(&Number::new(if *up { 1 } else { -1 }, 0));
                self.store(call, place, index, &mut new)?;
                if *before { new } else { old }
            }
            Expr::Negative(inner) => self.value(call, inner)?.negative(),
            Expr::Not(inner) => truth(self.value(call, inner)?.is_zero()),
            Expr::And(left, right) => truth(self.holds(call, left)? && self.holds(call, right)?),
            Expr::Or(left, right) => truth(self.holds(call, left)? || self.holds(call, right)?),
            Expr::Compare(left, relation, right) => {
                let order = self.value(call, left)?.compare(&self.value(call, right)?);
                truth(match relation {
                    Relation::Less => order == Ordering::Less,
                    Relation::LessOrEqual => order != Ordering::Greater,
                    Relation::Greater => order == Ordering::Greater,
                    Relation::GreaterOrEqual => order != Ordering::Less,
                    Relation::Equal => order == Ordering::Equal,
                    Relation::NotEqual => order != Ordering::Equal,
                })
            }
            Expr::Binary(left, op, right) => {
                let left = self.value(call, left)?;
                let right = self.value(call, right)?;
                self.compute(call, &left, *op, &right)?
            }
            Expr::Length(inner) => Number::new(self.value(call, inner)?.length(), 0),
            Expr::Scale(inner) => Number::new(self.value(call, inner)?.scale, 0),
            Expr::Sqrt(inner) => {
                let value = self.value(call, inner)?;
                self.bounded((value.digits.bits() + 4 * self.scale as u64) * 2)?;
                let negative = || Fault::Runtime("Square root of a negative number".to_string());
                value.square_root(self.scale).ok_or_else(negative)?
            }
            Expr::Read => self.read()?,
            Expr::Call(name, arguments) => self.call(call, name, arguments)?,
        })
    }

    /// Refuse what would grow beyond all reason.
    fn bounded(&self, bits: u64) -> Run<()> {
        if bits > LARGEST { Err(Fault::Fatal(too_large())) } else { Ok(()) }
    }

    fn compute(&mut self, call: &mut Call<'_>, left: &Number, op: Op, right: &Number) -> Run<Number> {
        let by_zero = || Fault::Runtime("Divide by zero".to_string());
        let size = left.digits.bits() + right.digits.bits();
        self.bounded(size + 4 * (self.scale + left.scale + right.scale) as u64)?;
        Ok(match op {
            Op::Add => left.add(right),
            Op::Subtract => left.subtract(right),
            Op::Multiply => left.multiply(right, self.scale),
            Op::Divide => left.divide(right, self.scale).ok_or_else(by_zero)?,
            Op::Remainder => left.remainder(right, self.scale).ok_or_else(by_zero)?,
            Op::Power => {
                if right.scale > 0 {
                    let message = "Runtime warning (func=(main), adr=0): non-zero scale in exponent";
                    say(call, format_args!("{message}"))?;
                }
                let Ok(exponent) = i64::try_from(right.whole()) else {
                    return Err(Fault::Runtime("exponent too large in raise".to_string()));
                };
                self.bounded(left.digits.bits().saturating_mul(exponent.unsigned_abs()))?;
                left.power(exponent, self.scale).ok_or_else(by_zero)?
            }
        })
    }

    /// The index of an element; 0 for what is none.
    fn index(&mut self, call: &mut Call<'_>, place: &Place) -> Run<u32> {
        let Place::Element(name, index) = place else { return Ok(0) };
        let index = self.value(call, index)?.whole();
        match u32::try_from(&index) {
            Ok(index) if index <= DIMENSION => Ok(index),
            _ => Err(Fault::Runtime(format!("Array {name} subscript out of bounds."))),
        }
    }

    fn load(&self, place: &Place, index: u32) -> Number {
        match place {
            Place::Variable(name) => self.variables.get(name).cloned().unwrap_or_default(),
            Place::Element(name, _) => {
                self.arrays.get(name).and_then(|array| array.borrow().get(&index).cloned()).unwrap_or_default()
            }
            Place::Scale => Number::new(self.scale, 0),
            Place::Ibase => Number::new(self.ibase, 0),
            Place::Obase => Number::new(BigInt::from(self.obase.clone()), 0),
            Place::Last => self.last.clone(),
        }
    }

    /// Keep `value`; the bases and the scale take what is possible of it.
    fn store(&mut self, call: &mut Call<'_>, place: &Place, index: u32, value: &mut Number) -> Run<()> {
        match place {
            Place::Variable(name) => {
                self.variables.insert(name.clone(), value.clone());
            }
            Place::Element(name, _) => {
                call.memory.take(size_of::<(u32, Number)>())?;
                let array = self.arrays.entry(name.clone()).or_default();
                array.borrow_mut().insert(index, value.clone());
            }
            Place::Scale => self.scale = self.special(call, "scale", value, 0, 100_000)? as usize,
            Place::Ibase => self.ibase = self.special(call, "ibase", value, 2, 36)?,
            Place::Obase => self.obase = self.special(call, "obase", value, 2, i32::MAX as u32)?.into(),
            Place::Last => self.last = value.clone(),
        }
        Ok(())
    }

    /// The whole number that `value` is, kept between `least` and `most`, with a word where it was not.
    fn special(&self, call: &mut Call<'_>, name: &str, value: &Number, least: u32, most: u32) -> Run<u32> {
        let whole = value.whole();
        let (kept, trouble) = match u32::try_from(&whole) {
            Ok(kept) if kept < least => (least, Some("small")),
            Ok(kept) if kept > most => (most, Some("large")),
            Ok(kept) => (kept, None),
            Err(_) if value.is_negative() => (least, Some("small")),
            Err(_) => (most, Some("large")),
        };
        if let Some(trouble) = trouble {
            say(call, format_args!("Runtime warning (func=(main), adr=0): {name} too {trouble}, set to {kept}"))?;
        }
        Ok(kept)
    }

    /// `read()`: the number on the next line of the input.
    fn read(&mut self) -> Run<Number> {
        let Some(input) = &mut self.input else { return Ok(Number::default()) };
        let mut line = Vec::new();
        input.read_until(b'\n', &mut line)?;
        input.release();
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
        let end = digits.find(|c: char| !(c.is_ascii_digit() || c.is_ascii_uppercase() || c == '.'));
        let number = Number::parse(&digits[..end.unwrap_or(digits.len())], self.ibase);
        Ok(if negative { number.negative() } else { number })
    }

    fn call(&mut self, call: &mut Call<'_>, name: &str, arguments: &[Argument]) -> Run<Number> {
        let mismatch = || Fault::Runtime("Parameter number mismatch".to_string());
        let Some(function) = self.functions.get(name).cloned() else {
            let native = math::Function::named(name).filter(|_| self.math);
            let Some(native) = native else {
                return Err(Fault::Runtime(format!("Function {name} not defined.")));
            };
            let mut values = Vec::new();
            for argument in arguments {
                let Argument::Value(expr) = argument else { return Err(mismatch()) };
                values.push(self.value(call, expr)?);
            }
            if values.len() != native.parameters() {
                return Err(mismatch());
            }
            return Ok(math::value(native, &values, self.scale, &call.cancel)?);
        };
        if function.parameters.len() != arguments.len() {
            return Err(mismatch());
        }
        if self.depth >= DEEPEST {
            return Err(Fault::Fatal(Error::Failed("call depth limit reached".to_string(), Status(126))));
        }
        let mut locals = Vec::new();
        for (local, argument) in function.parameters.iter().zip(arguments) {
            locals.push(match (local, argument) {
                (Local::Variable(name), Argument::Value(expr)) => {
                    Hidden::Variable(name.clone(), Some(self.value(call, expr)?))
                }
                (Local::Array(name), Argument::Array(from)) => {
                    let copy = self.arrays.get(from).map(|array| array.borrow().clone()).unwrap_or_default();
                    Hidden::Array(name.clone(), Some(Rc::new(RefCell::new(copy))))
                }
                (Local::Reference(name), Argument::Array(from)) => {
                    Hidden::Array(name.clone(), Some(self.arrays.entry(from.clone()).or_default().clone()))
                }
                _ => return Err(Fault::Runtime("Parameter type mismatch".to_string())),
            });
        }
        locals.extend(function.locals.iter().map(|local| match local {
            Local::Variable(name) => Hidden::Variable(name.clone(), None),
            Local::Array(name) | Local::Reference(name) => Hidden::Array(name.clone(), None),
        }));
        // What is put into a place gives out what was there, to be put back in the opposite order.
        let mut hidden: Vec<Hidden> = locals.into_iter().map(|local| self.exchange(local)).collect();
        self.depth += 1;
        let flow = stacker::maybe_grow(128 * 1024, 1024 * 1024, || self.run_all(call, &function.body));
        self.depth = self.depth.saturating_sub(1);
        while let Some(hidden) = hidden.pop() {
            self.exchange(hidden);
        }
        match flow? {
            Flow::Return(value) => Ok(value),
            Flow::Halt => Err(Fault::Fatal(Error::Quiet(Status::OK))),
            _ => Ok(Number::default()),
        }
    }

    fn exchange(&mut self, hidden: Hidden) -> Hidden {
        match hidden {
            Hidden::Variable(name, value) => {
                let old = match value {
                    Some(value) => self.variables.insert(name.clone(), value),
                    None => self.variables.remove(&name),
                };
                Hidden::Variable(name, old)
            }
            Hidden::Array(name, array) => {
                let old = match array {
                    Some(array) => self.arrays.insert(name.clone(), array),
                    None => self.arrays.remove(&name),
                };
                Hidden::Array(name, old)
            }
        }
    }

    /// Print a value, and remember it as the last.
    fn print(&mut self, call: &mut Call<'_>, value: &Number) -> Run<()> {
        self.last = value.clone();
        let text = value.show(&self.obase);
        self.write(call, &text)
    }

    /// Print text, broken where a line is full.
    fn write(&mut self, call: &mut Call<'_>, text: &str) -> Run<()> {
        let mut out = String::with_capacity(text.len() + 1);
        for character in text.chars() {
            if character == '\n' {
                self.column = 0;
            } else {
                self.column += 1;
                if self.line_length > 0 && self.column + 1 == self.line_length {
                    out += "\\\n";
                    self.column = 1;
                }
            }
            out.push(character);
        }
        call.stdout.write_all(out.as_bytes())?;
        Ok(())
    }
}

/// The text of `print`, its escapes read.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match characters.next() {
            Some('a') => out.push('\u{7}'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('n') => out.push('\n'),
            Some('q') => out.push('"'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('\\') => out.push('\\'),
            _ => {}
        }
    }
    out
}
