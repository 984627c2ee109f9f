//! The functions of the language: numbers, time, the outside. Those of strings are [`super::strings`]'.
use super::{
    array::ArrayRef,
    ast::{Builtin, Expr},
    command,
    interpreter::Interpreter,
    number::{any_base, looks_numeric},
    value::{Slot, Text, Value},
};
use crate::{Moment, Result};
use std::io::Write;

impl<'p> Interpreter<'p, '_, '_> {
    /// Call one of the language's own functions. The parser has counted the arguments.
    pub(super) fn builtin(&mut self, builtin: Builtin, arguments: &'p [Expr]) -> Result<Value> {
        Ok(match builtin {
            Builtin::Length => Value::Number(self.length(arguments)?),
            Builtin::Substr => return self.substr(arguments),
            Builtin::Index => Value::Number(self.index(arguments)?),
            Builtin::Split => Value::Number(self.split(arguments)?),
            Builtin::Patsplit => Value::Number(self.patsplit(arguments)?),
            Builtin::Sub => Value::Number(self.sub(arguments, false)?),
            Builtin::Gsub => Value::Number(self.sub(arguments, true)?),
            Builtin::Gensub => return self.gensub(arguments),
            Builtin::Match => Value::Number(self.match_(arguments)?),
            Builtin::Sprintf => Value::text(self.sprintf(arguments)?),
            Builtin::Tolower | Builtin::Toupper => return self.change_case(arguments, builtin == Builtin::Toupper),
            Builtin::Asort => Value::Number(self.asort(arguments, false)?),
            Builtin::Asorti => Value::Number(self.asort(arguments, true)?),
            Builtin::Int => Value::Number(self.number(&arguments[0])?.trunc()),
            Builtin::Sqrt => Value::Number(self.real("sqrt", arguments, f64::sqrt, |x| x < 0.0)?),
            Builtin::Exp => Value::Number(self.real("exp", arguments, f64::exp, |_| false)?),
            Builtin::Log => Value::Number(self.real("log", arguments, f64::ln, |x| x < 0.0)?),
            Builtin::Sin => Value::Number(self.real("sin", arguments, f64::sin, |_| false)?),
            Builtin::Cos => Value::Number(self.real("cos", arguments, f64::cos, |_| false)?),
            Builtin::Atan2 => {
                let y = self.number(&arguments[0])?;
                Value::Number(y.atan2(self.number(&arguments[1])?))
            }
            Builtin::Rand => Value::Number(self.random.number()),
            Builtin::Srand => {
                let seed = match arguments.first() {
                    Some(seed) => self.number(seed)?,
                    None => self.call.now() as f64,
                };
                Value::Number(self.random.seed(seed))
            }
            Builtin::And | Builtin::Or | Builtin::Xor => Value::Number(self.bitwise(builtin, arguments)?),
            Builtin::Lshift | Builtin::Rshift => {
                let name = if builtin == Builtin::Lshift { "lshift" } else { "rshift" };
                let bits = self.bits(name, &arguments[0])?;
                let count = self.bits(name, &arguments[1])?.min(u64::from(u32::MAX)) as u32;
                let shifted = match builtin {
                    Builtin::Lshift => bits.checked_shl(count),
                    _ => bits.checked_shr(count),
                };
                Value::Number(shifted.unwrap_or(0) as f64)
            }
            Builtin::Compl => {
                // Of the bits that a number holds exactly.
                Value::Number((!self.bits("compl", &arguments[0])? & ((1 << 53) - 1)) as f64)
            }
            Builtin::Strtonum => {
                let value = self.eval(&arguments[0])?;
                Value::Number(match &value {
                    Value::Text(text) | Value::Input(text) if text.starts_with(b"0") => any_base(text),
                    other => other.number(),
                })
            }
            Builtin::Mkbool => Value::truth(self.truth(&arguments[0])?),
            Builtin::Typeof => Value::text(self.type_of(&arguments[0])?),
            Builtin::Isarray => Value::truth(matches!(self.slot_of(&arguments[0])?, Slot::Array(_))),
            Builtin::Systime => Value::Number(self.call.now() as f64),
            Builtin::Strftime => return self.strftime(arguments),
            Builtin::Mktime => Value::Number(self.mktime(arguments)?),
            Builtin::System => {
                let command = self.string(&arguments[0])?;
                let status = command::run(self.call, &String::from_utf8_lossy(&command))?;
                Value::Number(f64::from(status.0))
            }
            Builtin::Close => {
                let name = self.string(&arguments[0])?;
                Value::Number(self.close(&name)?)
            }
            Builtin::Fflush => {
                let name = match arguments.first() {
                    Some(name) => Some(self.string(name)?).filter(|name| !name.is_empty()),
                    None => None,
                };
                self.call.stdout.flush()?;
                let known = name.is_none_or(|name| self.is_output(&name));
                Value::Number(if known { 0.0 } else { -1.0 })
            }
        })
    }

    /// The string of an argument.
    pub(super) fn string(&mut self, argument: &'p Expr) -> Result<Text> {
        Ok(self.eval(argument)?.to_text(&self.specials.convfmt))
    }

    /// The array of an argument that must be one.
    pub(super) fn array_argument(&mut self, function: &str, argument: &'p Expr) -> Result<ArrayRef> {
        match argument {
            Expr::Whole(path) => self.array(path),
            _ => Err(self.fatal(format!("{function}: argument is not an array"))),
        }
    }

    fn real(
        &mut self,
        name: &str,
        arguments: &'p [Expr],
        function: fn(f64) -> f64,
        warns: fn(f64) -> bool,
    ) -> Result<f64> {
        let x = self.number(&arguments[0])?;
        let result = function(x);
        if name == "exp" && result.is_infinite() && x.is_finite() {
            let (source, line) = (&self.source, self.line);
            let message = format!("{source}:{line}: warning: exp: argument {x} is out of range");
            self.call.warn(message)?;
        }
        if warns(x) {
            let mut shown = Vec::new();
            super::float::write(x, b"%.6g", &mut shown);
            let shown = String::from_utf8_lossy(&shown).into_owned();
            let (source, line) = (&self.source, self.line);
            let called = if name == "sqrt" { "called with" } else { "received" };
            let message = format!("{source}:{line}: warning: {name}: {called} negative argument {shown}");
            self.call.warn(message)?;
            return Ok(-f64::NAN.abs());
        }
        Ok(result)
    }

    /// A whole number that is not negative.
    fn bits(&mut self, function: &str, argument: &'p Expr) -> Result<u64> {
        let number = self.number(argument)?;
        if number < 0.0 {
            return Err(self.fatal(format!("{function}: argument {number} negative value is not allowed")));
        }
        Ok(number as u64)
    }

    fn bitwise(&mut self, builtin: Builtin, arguments: &'p [Expr]) -> Result<f64> {
        let name = match builtin {
            Builtin::And => "and",
            Builtin::Or => "or",
            _ => "xor",
        };
        let mut result = self.bits(name, &arguments[0])?;
        for argument in &arguments[1..] {
            let bits = self.bits(name, argument)?;
            result = match builtin {
                Builtin::And => result & bits,
                Builtin::Or => result | bits,
                _ => result ^ bits,
            };
        }
        Ok(result as f64)
    }

    fn type_of(&mut self, argument: &'p Expr) -> Result<&'static str> {
        let is_variable = matches!(argument, Expr::Whole(_));
        Ok(match self.slot_of(argument)? {
            Slot::Array(_) => "array",
            Slot::Untyped(_) => "untyped",
            Slot::Value(value) => match value {
                Value::Unset if is_variable => "untyped",
                Value::Unset | Value::Missing => "unassigned",
                Value::Number(_) => "number",
                Value::Text(_) => "string",
                Value::Input(text) if looks_numeric(&text).is_some() => "strnum",
                Value::Input(_) => "string",
                Value::Regex(_) => "regexp",
            },
        })
    }

    fn strftime(&mut self, arguments: &'p [Expr]) -> Result<Value> {
        let format = match arguments.first() {
            Some(format) => String::from_utf8_lossy(&self.string(format)?).into_owned(),
            None => "%a %b %e %H:%M:%S %Z %Y".to_string(),
        };
        let seconds = match arguments.get(1) {
            Some(seconds) => self.number(seconds)? as i64,
            None => self.call.now(),
        };
        // The guest's time zone is UTC, so the third argument, which asks for UTC, changes nothing.
        Ok(Value::text(Moment::utc(seconds).format(&format)))
    }

    /// `mktime("YYYY MM DD HH MM SS")`; -1 for what is no such time.
    fn mktime(&mut self, arguments: &'p [Expr]) -> Result<f64> {
        let text = String::from_utf8_lossy(&self.string(&arguments[0])?).into_owned();
        let parts: Vec<i64> = text.split_whitespace().map_while(|word| word.parse().ok()).collect();
        let [year, month, day, hour, minute, second, ..] = parts[..] else { return Ok(-1.0) };
        let in_range = |number: i64| number.abs() < 1 << 40;
        if !parts.iter().all(|number| in_range(*number)) {
            return Ok(-1.0);
        }
        // Months and days past their ends count on.
        let (year, month) = (year + (month - 1).div_euclid(12), (month - 1).rem_euclid(12) + 1);
        let first = crate::Civil { year, month, day: 1, hour: 0, minute: 0, second: 0 };
        let seconds = first.to_epoch() + (day - 1) * 86400 + hour * 3600 + minute * 60 + second;
        Ok(seconds as f64)
    }
}
