//! awk's values: numbers, strings, and input that is a number if it looks like one.
use super::{
    array::ArrayRef,
    float,
    number::{looks_numeric, to_number},
};
use crate::pattern::Pattern;
use std::{cell::OnceCell, rc::Rc};

/// The bytes of a string; shared, and grown in place when nobody shares them.
pub(super) type Text = Rc<Vec<u8>>;

/// One value.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// Never assigned: both 0 and the empty string.
    Unset,
    /// A field that is not there: an empty string to comparisons, where what is unset is 0 too.
    Missing,
    Number(f64),
    Text(Text),
    /// A field, an operand, a line: a number in comparisons if it looks like one.
    Input(Text),
    /// `@/re/`
    Regex(Rc<TypedRegex>),
}

/// A regex constant that is a value.
#[derive(Debug)]
pub(super) struct TypedRegex {
    pub(super) text: Text,
    pub(super) pattern: Rc<Pattern>,
}

/// What a variable holds.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    Value(Value),
    Array(ArrayRef),
    /// Unset, and passed to a function that may make an array of it.
    Untyped(Rc<OnceCell<ArrayRef>>),
}

impl Slot {
    pub(super) const UNSET: Slot = Slot::Value(Value::Unset);
}

impl Value {
    pub(super) fn text(bytes: impl Into<Vec<u8>>) -> Value {
        Value::Text(Rc::new(bytes.into()))
    }

    pub(super) fn input(bytes: impl Into<Vec<u8>>) -> Value {
        Value::Input(Rc::new(bytes.into()))
    }

    /// Bytes of the text that it holds.
    pub(super) fn held(&self) -> usize {
        match self {
            Value::Text(text) | Value::Input(text) => text.len(),
            Value::Unset | Value::Missing | Value::Number(_) | Value::Regex(_) => 0,
        }
    }

    pub(super) fn truth(truth: bool) -> Value {
        Value::Number(if truth { 1.0 } else { 0.0 })
    }

    /// As a number.
    pub(super) fn number(&self) -> f64 {
        match self {
            Value::Unset | Value::Missing => 0.0,
            Value::Number(number) => *number,
            Value::Text(text) | Value::Input(text) => to_number(text),
            Value::Regex(regex) => to_number(&regex.text),
        }
    }

    /// Whether a condition holds.
    pub(super) fn is_true(&self) -> bool {
        match self {
            Value::Unset | Value::Missing => false,
            Value::Number(number) => *number != 0.0,
            Value::Text(text) => !text.is_empty(),
            Value::Input(text) => looks_numeric(text).map_or(!text.is_empty(), |number| number != 0.0),
            Value::Regex(regex) => !regex.text.is_empty(),
        }
    }

    /// The number that a comparison sees, unless this is a string to it.
    pub(super) fn comparable(&self) -> Option<f64> {
        match self {
            Value::Unset => Some(0.0),
            Value::Number(number) => Some(*number),
            Value::Input(text) => looks_numeric(text),
            Value::Missing | Value::Text(_) | Value::Regex(_) => None,
        }
    }

    /// Append the string; numbers that are no integers are written by `format` (`CONVFMT`).
    pub(super) fn write(&self, format: &[u8], out: &mut Vec<u8>) {
        match self {
            Value::Unset | Value::Missing => {}
            Value::Number(number) => float::write(*number, format, out),
            Value::Text(text) | Value::Input(text) => out.extend_from_slice(text),
            Value::Regex(regex) => out.extend_from_slice(&regex.text),
        }
    }

    /// The string.
    pub(super) fn to_text(&self, format: &[u8]) -> Text {
        match self {
            Value::Text(text) | Value::Input(text) => text.clone(),
            Value::Regex(regex) => regex.text.clone(),
            other => {
                let mut text = Vec::new();
                other.write(format, &mut text);
                Rc::new(text)
            }
        }
    }
}
