//! `+ - * / %` over all kinds of values.
use super::{
    draft::{Draft, LONGEST, Sink},
    evaluate::{Result, Stop},
    meter,
    value::{Array, Object, Value},
    write::excerpt,
};
use jaq_core::ops::Math;
use std::rc::Rc;

/// `left op right`
pub(super) fn calculate(math: Math, left: Value, right: Value) -> Result<Value> {
    match math {
        Math::Add => add(left, right),
        Math::Sub => subtract(left, right),
        Math::Mul => multiply(left, right),
        Math::Div => divide(left, right),
        Math::Rem => remainder(left, right),
    }
}

fn impossible(left: &Value, right: &Value, what: &str) -> Stop {
    let (left_kind, right_kind) = (left.kind(), right.kind());
    let (left, right) = (excerpt(left), excerpt(right));
    Stop::error(format!("{left_kind} ({left}) and {right_kind} ({right}) cannot be {what}"))
}

/// `left + right`
pub(super) fn add(left: Value, right: Value) -> Result<Value> {
    match (left, right) {
        (Value::Null, other) | (other, Value::Null) => Ok(other),
        (Value::Number(left), Value::Number(right)) => Ok(Value::number(left.value + right.value)),
        (Value::Text(left), Value::Text(right)) => {
            let mut text = Draft::default();
            text.put(&left.text)?;
            text.put(&right.text)?;
            Ok(text.into_value())
        }
        (Value::Array(mut left), Value::Array(right)) => {
            let array = Rc::make_mut(&mut left);
            right.items().iter().try_for_each(|item| array.push(item.clone()))?;
            Ok(Value::Array(left))
        }
        (Value::Object(mut left), Value::Object(right)) => {
            let object = Rc::make_mut(&mut left);
            for (key, value) in right.members() {
                meter::step()?;
                object.insert(key.clone(), value.clone());
            }
            Ok(Value::Object(left))
        }
        (left, right) => Err(impossible(&left, &right, "added")),
    }
}

fn subtract(left: Value, right: Value) -> Result<Value> {
    match (&left, &right) {
        (Value::Number(left), Value::Number(right)) => Ok(Value::number(left.value - right.value)),
        (Value::Array(left), Value::Array(right)) => {
            let mut kept = Array::default();
            for item in left.items() {
                if !any_equals(right.items(), item)? {
                    kept.push(item.clone())?;
                }
            }
            Ok(kept.into())
        }
        _ => Err(impossible(&left, &right, "subtracted")),
    }
}

fn multiply(left: Value, right: Value) -> Result<Value> {
    match (&left, &right) {
        (Value::Number(left), Value::Number(right)) => Ok(Value::number(left.value * right.value)),
        (Value::Text(text), Value::Number(number)) | (Value::Number(number), Value::Text(text)) => {
            // So many times, rounded up; less than once is null.
            if number.value.is_nan() || number.value <= 0.0 {
                return Ok(Value::Null);
            }
            let times = if number.value < 1.0 { 1.0 } else { number.value };
            if times * text.text.len() as f64 > LONGEST as f64 {
                return Err(Stop::error("Repeat string result too long"));
            }
            Ok(Value::text(text.text.repeat(times as usize)))
        }
        (Value::Object(left), Value::Object(right)) => Ok(Value::Object(Rc::new(merge(left, right)?))),
        _ => Err(impossible(&left, &right, "multiplied")),
    }
}

/// The members of both, those of objects merged again.
fn merge(left: &Object, right: &Object) -> Result<Object> {
    let mut merged = left.clone();
    for (key, value) in right.members() {
        meter::step()?;
        let value = match (merged.get(key), value) {
            (Some(Value::Object(left)), Value::Object(right)) => {
                Value::Object(Rc::new(meter::deeper(|| merge(left, right))?))
            }
            _ => value.clone(),
        };
        merged.insert(key.clone(), value);
    }
    Ok(merged)
}

/// Whether one of `items` is equal to `wanted`.
pub(super) fn any_equals(items: &[Value], wanted: &Value) -> Result<bool> {
    for item in items {
        if item.equals(wanted)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn divide(left: Value, right: Value) -> Result<Value> {
    match (&left, &right) {
        (Value::Number(_), Value::Number(divisor)) if divisor.value == 0.0 => {
            Err(impossible(&left, &right, "divided because the divisor is zero"))
        }
        (Value::Number(left), Value::Number(right)) => Ok(Value::number(left.value / right.value)),
        (Value::Text(left), Value::Text(right)) => split(&left.text, &right.text),
        _ => Err(impossible(&left, &right, "divided")),
    }
}

/// The pieces of `text` between `separator`s; with an empty one, its characters.
pub(super) fn split(text: &str, separator: &str) -> Result<Value> {
    Ok(match (text.is_empty(), separator.is_empty()) {
        (true, _) => Value::array(Vec::new()),
        (false, true) => Value::gathered(text.chars().map(|c| Value::text(c.to_string())))?,
        (false, false) => Value::gathered(text.split(separator).map(Value::text))?,
    })
}

fn remainder(left: Value, right: Value) -> Result<Value> {
    let (Some(dividend), Some(divisor)) = (left.as_number(), right.as_number()) else {
        return Err(impossible(&left, &right, "divided"));
    };
    if dividend.is_nan() || divisor.is_nan() {
        return Ok(Value::number(f64::NAN));
    }
    // jq calculates with whole numbers of 64 bits.
    let (dividend, divisor) = (dividend as i64, divisor as i64);
    if divisor == 0 {
        return Err(impossible(&left, &right, "divided (remainder) because the divisor is zero"));
    }
    let rest = (dividend.unsigned_abs() % divisor.unsigned_abs()) as i64;
    Ok(Value::number(if dividend < 0 { -rest } else { rest } as f64))
}

/// `-value`
pub(super) fn negate(value: &Value) -> Result<Value> {
    match value.as_number() {
        Some(number) => Ok(Value::number(-number)),
        None => Err(Stop::error(format!("{} ({}) cannot be negated", value.kind(), excerpt(value)))),
    }
}
