//! JSON values as jq knows them: objects keep the order of their keys, numbers the digits they were written with.
use super::{
    held::{self, Held},
    number,
};
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
    held: Held,
}

impl Array {
    pub(super) fn items(&self) -> &[Value] {
        &self.items
    }

    /// Change the elements.
    pub(super) fn change<T>(&mut self, change: impl FnOnce(&mut Vec<Value>) -> T) -> T {
        let result = change(&mut self.items);
        self.held.set(self.items.capacity() * size_of::<Value>());
        result
    }
}

/// What a member takes besides its key.
const MEMBER: usize = size_of::<Value>() + 48;

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
            self.held.add(MEMBER + length);
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

/// Values may be nested deeper than the stack allows.
fn deeper<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(super::RED_ZONE, super::GROWTH, step)
}

impl Drop for Array {
    fn drop(&mut self) {
        let items = std::mem::take(&mut self.items);
        if !items.is_empty() {
            deeper(|| drop(items));
        }
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        let members = std::mem::take(&mut self.members);
        if !members.is_empty() {
            deeper(|| drop(members));
        }
    }
}

impl Value {
    pub(super) fn number(value: f64) -> Value {
        Value::Number(Number { value, written: None })
    }

    pub(super) fn text(text: impl Into<String>) -> Value {
        let text = text.into();
        Value::Text(Rc::new(Text { _held: Held::new(text.capacity()), text }))
    }

    pub(super) fn array(items: Vec<Value>) -> Value {
        let mut array = Array { items, held: Held::default() };
        array.change(|_| ());
        Value::Array(Rc::new(array))
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

    /// jq's order: by type, NaN below every number, objects by their sorted keys and then their values.
    pub(super) fn order(&self, other: &Value) -> Ordering {
        if !held::step() {
            return Ordering::Equal;
        }
        match (self, other) {
            // What is shared need not be looked into.
            (Value::Array(left), Value::Array(right)) if Rc::ptr_eq(left, right) => Ordering::Equal,
            (Value::Object(left), Value::Object(right)) if Rc::ptr_eq(left, right) => Ordering::Equal,
            (Value::Number(left), Value::Number(right)) => number::order(left.value, right.value),
            (Value::Text(left), Value::Text(right)) => left.text.cmp(&right.text),
            (Value::Array(left), Value::Array(right)) => {
                let pairs = left.items().iter().zip(right.items());
                let differing = pairs.map(|(left, right)| deeper(|| left.order(right))).find(|order| order.is_ne());
                differing.unwrap_or_else(|| left.items().len().cmp(&right.items().len()))
            }
            (Value::Object(left), Value::Object(right)) => {
                let keys = left.keys();
                keys.cmp(&right.keys()).then_with(|| {
                    let values = keys.iter().filter_map(|key| deeper(|| Some(left.get(key)?.order(right.get(key)?))));
                    values.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
                })
            }
            _ => self.rank().cmp(&other.rank()),
        }
    }

    /// `==`
    pub(super) fn equals(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Number(left), Value::Number(right)) => left.value == right.value,
            _ => self.order(other).is_eq(),
        }
    }
}
