//! JSON values as jq knows them: objects keep the order of their keys, numbers the digits they were written with.
use super::{
    meter::{self, Held, deeper},
    number,
};
use crate::Result;
use indexmap::IndexMap;
use std::{cmp::Ordering, rc::Rc};

/// A value. Copies share what is inside.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Number(Number),
    Text(Rc<Text>),
    Array(Rc<Array>),
    Object(Rc<Object>),
}

/// A number, and the way it was written where that is not how it would be printed.
#[derive(Clone, Debug)]
pub(super) struct Number {
    pub(super) value: f64,
    pub(super) written: Option<Rc<str>>,
}

/// A string.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) text: String,
    _held: Held,
}

/// The elements of an array.
#[derive(Clone, Debug, Default)]
pub(super) struct Array {
    items: Vec<Value>,
    held: Held,
}

/// The members of an object.
#[derive(Clone, Debug, Default)]
pub(super) struct Object {
    members: IndexMap<Rc<str>, Value>,
    /// Bytes of the keys.
    keys: usize,
    held: Held,
}

/// What a string, an array and an object take besides what is in them, and a member besides its key: their counts and
/// lengths, and what the allocator adds.
const TEXT: usize = 96;
const ARRAY: usize = 80;
const OBJECT: usize = 128;
const MEMBER: usize = size_of::<Value>() + 64;

impl Array {
    pub(super) fn items(&self) -> &[Value] {
        &self.items
    }

    /// Change the elements.
    pub(super) fn change<T>(&mut self, change: impl FnOnce(&mut Vec<Value>) -> T) -> T {
        let result = change(&mut self.items);
        self.hold(self.items.capacity());
        result
    }

    /// Append `value`. It is paid for first, so that who appends without end meets a limit.
    pub(super) fn push(&mut self, value: Value) -> Result<()> {
        if self.items.len() == self.items.capacity() {
            let capacity = (2 * self.items.capacity()).max(1);
            self.hold(capacity);
            meter::check()?;
            self.items.reserve_exact(capacity - self.items.len());
        }
        meter::step()?;
        self.items.push(value);
        Ok(())
    }

    fn hold(&mut self, capacity: usize) {
        self.held.set(ARRAY + capacity * size_of::<Value>());
    }
}

impl From<Array> for Value {
    fn from(array: Array) -> Value {
        Value::Array(Rc::new(array))
    }
}

impl Object {
    pub(super) fn members(&self) -> &IndexMap<Rc<str>, Value> {
        &self.members
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.members.get(key)
    }

    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        self.members.get_mut(key)
    }

    pub(super) fn insert(&mut self, key: Rc<str>, value: Value) {
        let length = key.len();
        if self.members.insert(key, value).is_none() {
            self.keys += length;
            self.held.set(OBJECT + self.members.capacity() * MEMBER + self.keys);
        }
    }

    pub(super) fn remove(&mut self, key: &str) -> Option<Value> {
        self.members.shift_remove(key)
    }

    /// The keys, sorted.
    pub(super) fn keys(&self) -> Vec<Rc<str>> {
        let mut keys: Vec<Rc<str>> = self.members.keys().cloned().collect();
        keys.sort_unstable();
        keys
    }
}

impl FromIterator<(Rc<str>, Value)> for Object {
    fn from_iter<I: IntoIterator<Item = (Rc<str>, Value)>>(members: I) -> Object {
        let mut object = Object::default();
        members.into_iter().for_each(|(key, value)| object.insert(key, value));
        object
    }
}

/// Values may be nested deeper than the stack allows, so what is in a value is not dropped inside of its drop.
fn dismantle(values: impl Iterator<Item = Value>) {
    let has_parts = |value: &Value| matches!(value, Value::Array(_) | Value::Object(_));
    let mut waiting: Vec<Value> = values.filter(has_parts).collect();
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(array) => {
                let items = Rc::into_inner(array).map(|mut array| std::mem::take(&mut array.items));
                waiting.extend(items.into_iter().flatten().filter(has_parts));
            }
            Value::Object(object) => {
                let members = Rc::into_inner(object).map(|mut object| std::mem::take(&mut object.members));
                waiting.extend(members.into_iter().flatten().map(|(_, value)| value).filter(has_parts));
            }
            _ => {}
        }
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        dismantle(std::mem::take(&mut self.items).into_iter());
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        dismantle(std::mem::take(&mut self.members).into_values());
    }
}

impl Value {
    pub(super) fn number(value: f64) -> Value {
        Value::Number(Number { value, written: None })
    }

    pub(super) fn text(text: impl Into<String>) -> Value {
        let text = text.into();
        Value::Text(Rc::new(Text { _held: Held::new(TEXT + text.capacity()), text }))
    }

    pub(super) fn array(items: Vec<Value>) -> Value {
        let mut array = Array { items, held: Held::default() };
        array.change(|_| ());
        Value::Array(Rc::new(array))
    }

    /// An array of values that may have no end: each is paid for.
    pub(super) fn gathered(items: impl Iterator<Item = Value>) -> Result<Value> {
        let mut array = Array::default();
        for item in items {
            array.push(item)?;
        }
        Ok(array.into())
    }

    pub(super) fn object(members: impl IntoIterator<Item = (Rc<str>, Value)>) -> Value {
        Value::Object(Rc::new(members.into_iter().collect()))
    }

    pub(super) fn is_true(&self) -> bool {
        !matches!(self, Value::Null | Value::Bool(false))
    }

    /// The name of its type.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::Text(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        }
    }

    pub(super) fn as_number(&self) -> Option<f64> {
        match self {
            Value::Number(number) => Some(number.value),
            _ => None,
        }
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(&text.text),
            _ => None,
        }
    }

    pub(super) fn as_array(&self) -> Option<&[Value]> {
        match self {
            Value::Array(array) => Some(array.items()),
            _ => None,
        }
    }

    /// Where its type stands in the order of all values.
    fn rank(&self) -> u8 {
        match self {
            Value::Null => 0,
            Value::Bool(false) => 1,
            Value::Bool(true) => 2,
            Value::Number(_) => 3,
            Value::Text(_) => 4,
            Value::Array(_) => 5,
            Value::Object(_) => 6,
        }
    }

    /// jq's order: by type, NaN below every number (and below itself), objects by their sorted keys and then their
    /// values. An error is a limit that was reached.
    pub(super) fn order(&self, other: &Value) -> Result<Ordering> {
        meter::step()?;
        Ok(match (self, other) {
            // What is shared need not be looked into.
            (Value::Array(left), Value::Array(right)) if Rc::ptr_eq(left, right) => Ordering::Equal,
            (Value::Object(left), Value::Object(right)) if Rc::ptr_eq(left, right) => Ordering::Equal,
            (Value::Number(left), Value::Number(right)) => number::order(left.value, right.value),
            (Value::Text(left), Value::Text(right)) => left.text.cmp(&right.text),
            (Value::Array(left), Value::Array(right)) => {
                for (left, right) in left.items().iter().zip(right.items()) {
                    let order = deeper(|| left.order(right))?;
                    if order.is_ne() {
                        return Ok(order);
                    }
                }
                left.items().len().cmp(&right.items().len())
            }
            (Value::Object(left), Value::Object(right)) => {
                let keys = left.keys();
                let order = keys.cmp(&right.keys());
                if order.is_ne() {
                    return Ok(order);
                }
                for (left, right) in keys.iter().filter_map(|key| Some((left.get(key)?, right.get(key)?))) {
                    let order = deeper(|| left.order(right))?;
                    if order.is_ne() {
                        return Ok(order);
                    }
                }
                Ordering::Equal
            }
            _ => self.rank().cmp(&other.rank()),
        })
    }

    /// `==`
    pub(super) fn equals(&self, other: &Value) -> Result<bool> {
        match (self, other) {
            (Value::Number(left), Value::Number(right)) => Ok(left.value == right.value),
            (Value::Object(left), Value::Object(right)) if left.members().len() != right.members().len() => Ok(false),
            _ => Ok(self.order(other)?.is_eq()),
        }
    }
}
