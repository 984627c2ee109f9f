//! The values of expressions.
use super::{Fault, LARGEST, Machine, Run, too_large};
use crate::{
    Call,
    bc::{
        number::Number,
        say,
        syntax::{Expr, Op, Relation},
    },
};
use std::{cmp::Ordering, io::BufRead};

impl Machine {
    /// What `expr` comes to, once what it assigns and calls is done.
    pub(super) fn value(&mut self, call: &mut Call<'_>, expr: &Expr) -> Run<Number> {
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
}
