//! Expressions: their values, and where values are put.
use super::{
    ast::{Arithmetic, Comparison, Expr, Place, Regex, RegexConstant, Source},
    float,
    interpreter::Interpreter,
    number::{looks_numeric, to_number},
    regex,
    value::{Slot, Text, TypedRegex, Value},
};
use crate::{Result, pattern::Pattern};
use std::{cmp::Ordering, rc::Rc};

/// One string has no more than this share of the memory, a quarter: on its way to its place it is copied.
pub(super) const SHARE: usize = 4;
/// Bytes of a string above which it must be asked for.
const HUGE: usize = 1 << 20;

impl<'p> Interpreter<'p, '_, '_> {
    /// The value of an expression.
    pub(super) fn eval(&mut self, expr: &'p Expr) -> Result<Value> {
        Ok(match expr {
            Expr::Number(number) => Value::Number(*number),
            Expr::Text(text) => Value::Text(text.clone()),
            Expr::Group(inner) => return self.eval(inner),
            Expr::TypedRegex(constant) => {
                let pattern = self.constant(constant)?;
                Value::Regex(Rc::new(TypedRegex { text: constant.text.clone(), pattern }))
            }
            Expr::Get(place) => return self.get(place),
            Expr::Whole(path) => return self.get_path(path),
            Expr::Assign(place, value) => {
                let value = self.eval(value)?;
                self.assign(place, value.clone())?;
                value
            }
            Expr::Append(variable, more) => return self.append(*variable, more),
            Expr::Conditional(condition, yes, no) => {
                let branch = if self.truth(condition)? { yes } else { no };
                return self.eval(branch);
            }
            Expr::Concat(..) => {
                let mut text = Vec::new();
                self.text(expr, &mut text)?;
                if text.len() > HUGE {
                    let share = text.len().saturating_mul(SHARE);
                    self.call.memory.take(share)?;
                    self.call.memory.give(share);
                }
                Value::text(text)
            }
            Expr::Call(function, arguments) => return self.call(*function, arguments),
            Expr::CallNamed(name, arguments) => {
                let name = self.eval(name)?.to_text(&self.specials.convfmt);
                let found = self.program.functions.iter().position(|function| function.name.as_bytes() == &name[..]);
                match found {
                    Some(function) => return self.call(function, arguments),
                    None => {
                        let name = String::from_utf8_lossy(&name).into_owned();
                        return Err(self.fatal(format!("function called indirectly through `{name}' does not exist")));
                    }
                }
            }
            Expr::Builtin(builtin, arguments) => return self.builtin(*builtin, arguments),
            Expr::And(..)
            | Expr::Or(..)
            | Expr::Not(_)
            | Expr::Compare(..)
            | Expr::Match(..)
            | Expr::In(..)
            | Expr::MatchRecord(_) => Value::truth(self.truth(expr)?),
            Expr::List(_) => Value::Unset,
            _ => Value::Number(self.number(expr)?),
        })
    }

    /// Evaluate for what it does, not for its value.
    pub(super) fn run_expr(&mut self, expr: &'p Expr) -> Result<()> {
        match expr {
            Expr::Assign(place, value) => {
                let value = self.eval(value)?;
                self.assign(place, value)
            }
            Expr::Append(variable, more) => self.append(*variable, more).map(drop),
            Expr::Step(place, step, _) => self.update(place, |number| number + step).map(drop),
            other => self.eval(other).map(drop),
        }
    }

    /// As a number.
    pub(super) fn number(&mut self, expr: &'p Expr) -> Result<f64> {
        Ok(match expr {
            Expr::Number(number) => *number,
            Expr::Group(inner) => return self.number(inner),
            Expr::Get(Place::Field(index)) => {
                let index = self.field_index(index)?;
                match self.record.set_value(index)? {
                    Some(value) => value.number(),
                    None => to_number(self.record.field(index)?),
                }
            }
            Expr::Get(Place::Variable(variable)) => match self.slot(*variable) {
                Slot::Value(value) => value.number(),
                _ => self.variable(*variable)?.number(),
            },
            Expr::Plus(operand) => self.number(operand)?,
            Expr::Negate(operand) => -self.number(operand)?,
            Expr::Arithmetic(arithmetic, left, right) => {
                let left = self.number(left)?;
                let right = self.number(right)?;
                self.arithmetic(*arithmetic, left, right)?
            }
            Expr::Update(arithmetic, place, value) => {
                let value = self.number(value)?;
                if matches!(arithmetic, Arithmetic::Divide | Arithmetic::Modulo) && value == 0.0 {
                    let sign = if *arithmetic == Arithmetic::Divide { "/=" } else { "%=" };
                    return Err(self.fatal(format!("division by zero attempted in `{sign}'")));
                }
                self.update(place, |number| calculate(*arithmetic, number, value))?.1
            }
            Expr::Step(place, step, old) => {
                let (before, after) = self.update(place, |number| number + step)?;
                if *old { before } else { after }
            }
            Expr::Getline(source, place) => self.getline(source, place.as_deref())?,
            other => self.eval(other)?.number(),
        })
    }

    /// Whether a condition holds.
    pub(super) fn truth(&mut self, expr: &'p Expr) -> Result<bool> {
        Ok(match expr {
            Expr::Group(inner) => self.truth(inner)?,
            Expr::And(left, right) => self.truth(left)? && self.truth(right)?,
            Expr::Or(left, right) => self.truth(left)? || self.truth(right)?,
            Expr::Not(operand) => !self.truth(operand)?,
            Expr::Compare(comparison, left, right) => self.compare(*comparison, left, right)?,
            Expr::MatchRecord(constant) => {
                let pattern = self.constant(constant)?;
                pattern.is_match(self.record.whole())?
            }
            Expr::Match(text, regex, negated) => {
                let mut buffer = self.buffer();
                self.text(text, &mut buffer)?;
                let pattern = self.regex(regex)?;
                let found = pattern.is_match(&buffer)?;
                self.give_back(buffer);
                found != *negated
            }
            Expr::In(subscript, path) => {
                let array = self.array(path)?;
                let key = self.key(subscript)?;
                let found = array.borrow().get(&key).is_some();
                self.give_back(key);
                found
            }
            Expr::Arithmetic(..) | Expr::Step(..) | Expr::Update(..) | Expr::Number(_) | Expr::Negate(_) => {
                self.number(expr)? != 0.0
            }
            other => self.eval(other)?.is_true(),
        })
    }

    /// Append the string of an expression to `out`.
    pub(super) fn text(&mut self, expr: &'p Expr, out: &mut Vec<u8>) -> Result<()> {
        match expr {
            Expr::Text(text) => out.extend_from_slice(text),
            Expr::Group(inner) => self.text(inner, out)?,
            Expr::Concat(left, right) => {
                self.text(left, out)?;
                self.text(right, out)?;
            }
            Expr::Get(Place::Field(index)) => {
                let index = self.field_index(index)?;
                out.extend_from_slice(self.record.field(index)?);
            }
            Expr::Get(Place::Variable(variable)) if matches!(self.slot(*variable), Slot::Value(_)) => {
                if let Slot::Value(value) = self.slot(*variable) {
                    if let Value::Text(text) | Value::Input(text) = value
                        && text.len() > HUGE
                    {
                        // Here, and on its way to its place.
                        self.call.memory.fits(text.len().saturating_mul(2))?;
                    }
                    value.write(&self.specials.convfmt, out);
                }
            }
            Expr::Conditional(condition, yes, no) => {
                let branch = if self.truth(condition)? { yes } else { no };
                self.text(branch, out)?;
            }
            other => {
                let value = self.eval(other)?;
                value.write(&self.specials.convfmt, out);
            }
        }
        Ok(())
    }

    /// Append what `print` prints of an expression: numbers by `OFMT`.
    pub(super) fn printed(&mut self, expr: &'p Expr, out: &mut Vec<u8>) -> Result<()> {
        match expr {
            Expr::Text(_) | Expr::Concat(..) => self.text(expr, out),
            Expr::Get(Place::Field(index)) => {
                let index = self.field_index(index)?;
                match self.record.set_value(index)? {
                    Some(Value::Number(number)) => float::write(*number, &self.specials.ofmt, out),
                    _ => out.extend_from_slice(self.record.field(index)?),
                }
                Ok(())
            }
            other => {
                let value = self.eval(other)?;
                value.write(&self.specials.ofmt, out);
                Ok(())
            }
        }
    }

    fn compare(&mut self, comparison: Comparison, left: &'p Expr, right: &'p Expr) -> Result<bool> {
        // A field against a constant needs no values of its own.
        if let (Expr::Get(Place::Field(index)), Expr::Number(_) | Expr::Text(_)) = (left, right) {
            let index = self.field_index(index)?;
            if self.record.set_value(index)?.is_none() && self.record.has(index)? {
                let field = self.record.field(index)?;
                let numbers = match right {
                    Expr::Number(right) => looks_numeric(field).map(|left| (left, *right)),
                    _ => None,
                };
                if let Some((left, right)) = numbers {
                    return Ok(holds(comparison, left.partial_cmp(&right)));
                }
                if let Expr::Text(right) = right {
                    return Ok(holds(comparison, Some(field.cmp(right.as_slice()))));
                }
            }
        }
        let left = self.eval(left)?;
        let right = self.eval(right)?;
        Ok(holds(comparison, self.order(&left, &right)))
    }

    /// How two values compare: as numbers if both are or look it, else as strings.
    pub(super) fn order(&self, left: &Value, right: &Value) -> Option<Ordering> {
        if let (Some(left), Some(right)) = (left.comparable(), right.comparable()) {
            return left.partial_cmp(&right);
        }
        let convfmt = &self.specials.convfmt;
        Some(left.to_text(convfmt).cmp(&right.to_text(convfmt)))
    }

    fn arithmetic(&self, arithmetic: Arithmetic, left: f64, right: f64) -> Result<f64> {
        match arithmetic {
            Arithmetic::Divide if right == 0.0 => Err(self.fatal("division by zero attempted")),
            Arithmetic::Modulo if right == 0.0 => Err(self.fatal("division by zero attempted in `%'")),
            arithmetic => Ok(calculate(arithmetic, left, right)),
        }
    }

    /// A regex of the program's text.
    pub(super) fn constant(&mut self, constant: &'p RegexConstant) -> Result<Rc<Pattern>> {
        if !self.specials.ignore_case {
            return Ok(constant.pattern.clone());
        }
        if let Some(pattern) = constant.ignoring_case.get() {
            return Ok(pattern.clone());
        }
        let pattern = Rc::new(regex::compile(&constant.text, true, self.call.limits.regex)?);
        Ok(constant.ignoring_case.get_or_init(|| pattern).clone())
    }

    /// The pattern of a text.
    pub(super) fn compile(&mut self, text: &Text) -> Result<Rc<Pattern>> {
        let compiled = self.regexes.get(text, self.specials.ignore_case, self.call.limits.regex);
        compiled.map_err(|error| self.fatal(format!("invalid regexp: {error}: /{}/", String::from_utf8_lossy(text))))
    }

    fn regex(&mut self, regex: &'p Regex) -> Result<Rc<Pattern>> {
        match regex {
            Regex::Constant(constant) => self.constant(constant),
            Regex::Dynamic(expr) => {
                let value = self.eval(expr)?;
                self.value_regex(&value)
            }
        }
    }

    pub(super) fn value_regex(&mut self, value: &Value) -> Result<Rc<Pattern>> {
        match value {
            Value::Regex(regex) => Ok(regex.pattern.clone()),
            other => {
                let text = other.to_text(&self.specials.convfmt);
                self.compile(&text)
            }
        }
    }

    fn getline(&mut self, source: &'p Source, place: Option<&'p Place>) -> Result<f64> {
        let mut text = self.buffer();
        let found = match source {
            Source::Input => f64::from(u8::from(self.read_main(&mut text)?)),
            Source::File(name) => {
                let name = self.eval(name)?.to_text(&self.specials.convfmt);
                self.read_file(&name, &mut text)?
            }
            Source::Command(command) => {
                let command = self.eval(command)?.to_text(&self.specials.convfmt);
                self.read_command(&command, &mut text)?
            }
        };
        if found > 0.0 {
            match place {
                Some(place) => self.assign(place, Value::input(text.as_slice()))?,
                None => self.record.set(&text),
            }
        }
        self.give_back(text);
        Ok(found)
    }

    fn call(&mut self, function: usize, arguments: &'p [Expr]) -> Result<Value> {
        let function = &self.program.functions[function];
        if arguments.len() > function.parameters.len() {
            let name = &function.name;
            return Err(self.fatal(format!("function `{name}' called with more arguments than declared")));
        }
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.argument(argument)?);
        }
        let base = self.stack.len();
        self.stack.append(&mut values);
        self.call_function(function, base)
    }
}

fn calculate(arithmetic: Arithmetic, left: f64, right: f64) -> f64 {
    match arithmetic {
        Arithmetic::Add => left + right,
        Arithmetic::Subtract => left - right,
        Arithmetic::Multiply => left * right,
        Arithmetic::Divide => left / right,
        Arithmetic::Modulo => left % right,
        Arithmetic::Power => power(left, right),
    }
}

fn power(base: f64, exponent: f64) -> f64 {
    if exponent.fract() == 0.0 && exponent.abs() <= 1024.0 { base.powi(exponent as i32) } else { base.powf(exponent) }
}

fn holds(comparison: Comparison, order: Option<Ordering>) -> bool {
    match comparison {
        Comparison::Less => order == Some(Ordering::Less),
        Comparison::LessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Comparison::Equal => order == Some(Ordering::Equal),
        Comparison::NotEqual => order != Some(Ordering::Equal),
        Comparison::Greater => order == Some(Ordering::Greater),
        Comparison::GreaterEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}
