//! `+ - * / %` over all kinds of values.
use super::{
    evaluate::{Result, Stop},
    value::{Object, Value},
    write::excerpt,
};
use crate::{Error, Status};
use jaq_core::ops::Math;
use std::rc::Rc;

/// No string becomes longer than this.
const LONGEST: f64 = 64.0 * 1024.0 * 1024.0;

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
            if (left.text.len() + right.text.len()) as f64 > LONGEST {
                let message = "limit of 64 MiB for one string reached".to_string();
                return Err(Stop::Fatal(Error::Failed(message, Status(126))));
            }
            let mut text = String::with_capacity(left.text.len() + right.text.len());
            text.push_str(&left.text);
            text.push_str(&right.text);
            Ok(Value::text(text))
        }
        (Value::Array(mut left), Value::Array(right)) => {
            Rc::make_mut(&mut left).change(|items| items.extend_from_slice(right.items()));
            Ok(Value::Array(left))
        }
        (Value::Object(mut left), Value::Object(right)) => {
            let object = Rc::make_mut(&mut left);
            right.members().iter().for_each(|(key, value)| object.insert(key.clone(), value.clone()));
            Ok(Value::Object(left))
        }
        (left, right) => Err(impossible(&left, &right, "added")),
    }
}

fn subtract(left: Value, right: Value) -> Result<Value> {
    match (&left, &right) {
        (Value::Number(left), Value::Number(right)) => Ok(Value::number(left.value - right.value)),
        (Value::Array(left), Value::Array(right)) => {
            let kept = left.items().iter().filter(|item| !right.items().iter().any(|other| other.equals(item)));
            Ok(Value::array(kept.cloned().collect()))
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
            if times * text.text.len() as f64 > LONGEST {
                return Err(Stop::error("Repeat string result too long"));
            }
            Ok(Value::text(text.text.repeat(times as usize)))
        }
        (Value::Object(left), Value::Object(right)) => Ok(Value::Object(Rc::new(merge(left, right)))),
        _ => Err(impossible(&left, &right, "multiplied")),
    }
}

/// The members of both, those of objects merged again.
fn merge(left: &Object, right: &Object) -> Object {
    let mut merged = left.clone();
    for (key, value) in right.members() {
        let value = match (merged.get(key), value) {
            (Some(Value::Object(left)), Value::Object(right)) => {
                stacker::maybe_grow(super::RED_ZONE, super::GROWTH, || Value::Object(Rc::new(merge(left, right))))
            }
            _ => value.clone(),
        };
        merged.insert(key.clone(), value);
    }
    merged
}

fn divide(left: Value, right: Value) -> Result<Value> {
    match (&left, &right) {
        (Value::Number(_), Value::Number(divisor)) if divisor.value == 0.0 => {
            Err(impossible(&left, &right, "divided because the divisor is zero"))
        }
        (Value::Number(left), Value::Number(right)) => Ok(Value::number(left.value / right.value)),
        (Value::Text(left), Value::Text(right)) => Ok(split(&left.text, &right.text)),
        _ => Err(impossible(&left, &right, "divided")),
    }
}

/// The pieces of `text` between `separator`s; with an empty one, its characters.
pub(super) fn split(text: &str, separator: &str) -> Value {
    let pieces = match (text.is_empty(), separator.is_empty()) {
        (true, _) => Vec::new(),
        (false, true) => text.chars().map(|c| Value::text(c.to_string())).collect(),
        (false, false) => text.split(separator).map(Value::text).collect(),
    };
    Value::array(pieces)
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
