//! Paths: the keys that lead from a value to a part of it, and what can be done with them.
use super::{
    draft::Draft,
    evaluate::{Result, Stop},
    meter::{self, Held, deeper},
    value::{Array, Object, Value},
    write::{self, excerpt},
};
use crate::merge_sort::merge_sort;
use std::rc::Rc;

/// Where a value comes from.
#[derive(Clone, Debug)]
pub(super) enum Path {
    /// Nobody asks.
    Untracked,
    /// From here; no step is the root.
    At(Option<Rc<Step>>),
    /// From nowhere: it was made, not found.
    Lost,
}

/// The last step of a path.
#[derive(Debug)]
pub(super) struct Step {
    key: Value,
    before: Option<Rc<Step>>,
    _held: Held,
}

impl Step {
    fn after(before: &Option<Rc<Step>>, key: Value) -> Path {
        let held = Held::new(size_of::<Step>() + 32);
        Path::At(Some(Rc::new(Step { key, before: before.clone(), _held: held })))
    }
}

/// A path may be longer than the stack allows, so its steps are dropped one after the other.
impl Drop for Step {
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut step) = before.and_then(Rc::into_inner) {
            before = step.before.take();
        }
    }
}

impl Path {
    pub(super) fn root() -> Path {
        Path::At(None)
    }

    /// The path of a value that is made here.
    pub(super) fn lost(&self) -> Path {
        match self {
            Path::Untracked => Path::Untracked,
            _ => Path::Lost,
        }
    }

    /// The path one step further, `from` being the value that the step leads out of.
    pub(super) fn step(&self, from: &Value, key: &Value) -> Result<Path> {
        match self {
            Path::Untracked => Ok(Path::Untracked),
            Path::At(before) => Ok(Step::after(before, key.clone())),
            Path::Lost => {
                let (key, from) = (excerpt(key), excerpt(from));
                Err(Stop::error(format!("Invalid path expression near attempt to access element {key} of {from}")))
            }
        }
    }

    /// The same for a step of `.[]`, whose key is only made when it is needed.
    pub(super) fn at(&self, key: impl FnOnce() -> Value) -> Result<Path> {
        match self {
            Path::Untracked => Ok(Path::Untracked),
            Path::At(before) => Ok(Step::after(before, key())),
            Path::Lost => Err(Stop::error("Invalid path expression near attempt to iterate through a value")),
        }
    }

    /// The keys from the root on, `value` being what they lead to.
    pub(super) fn keys(&self, value: &Value) -> Result<Vec<Value>> {
        let Path::At(last) = self else {
            return Err(Stop::error(format!("Invalid path expression with result {}", excerpt(value))));
        };
        let mut keys = Vec::new();
        let mut step = last.as_ref();
        while let Some(this) = step {
            keys.push(this.key.clone());
            step = this.before.as_ref();
        }
        keys.reverse();
        Ok(keys)
    }
}

/// `value[key]`
pub(super) fn index(value: &Value, key: &Value) -> Result<Value> {
    match (value, key) {
        (Value::Object(object), Value::Text(key)) => Ok(object.get(&key.text).cloned().unwrap_or(Value::Null)),
        (Value::Array(array), Value::Number(number)) => {
            let items = array.items();
            let at = number.value.floor();
            let at = if at < 0.0 { at + items.len() as f64 } else { at };
            let found = (at >= 0.0).then(|| items.get(at as usize)).flatten();
            Ok(found.cloned().unwrap_or(Value::Null))
        }
        (Value::Array(_) | Value::Text(_) | Value::Null, Value::Object(range)) => slice(value, range),
        (Value::Array(array), Value::Array(wanted)) => indices(array.items(), wanted.items()),
        (Value::Null, Value::Text(_) | Value::Number(_) | Value::Null) => Ok(Value::Null),
        (value, Value::Text(key)) => {
            let mut quoted = Draft::default();
            write::quoted(&key.text, false, &mut quoted)?;
            Err(Stop::error(format!("Cannot index {} with string {}", value.kind(), quoted.into_string())))
        }
        (value, key) => Err(Stop::error(format!("Cannot index {} with {}", value.kind(), key.kind()))),
    }
}

/// Where `wanted` occurs in `items`.
pub(super) fn indices(items: &[Value], wanted: &[Value]) -> Result<Value> {
    let mut places = Array::default();
    for (at, window) in items.windows(wanted.len().max(1)).enumerate() {
        let mut is_here = !wanted.is_empty();
        for (item, wanted) in window.iter().zip(wanted) {
            is_here = is_here && item.equals(wanted)?;
        }
        if is_here {
            places.push(Value::number(at as f64))?;
        }
    }
    Ok(places.into())
}

/// The start and end of `{start, end}` in something of `length`.
fn range(range: &Object, length: usize) -> Result<(usize, usize)> {
    let bound = |name: &str, default: f64| match range.get(name) {
        None | Some(Value::Null) => Ok(default),
        Some(Value::Number(number)) => Ok(number.value),
        Some(_) => Err(Stop::error("Start and end indices of an array slice must be numbers")),
    };
    let length = length as f64;
    let wrap = |at: f64| if at < 0.0 { (at + length).max(0.0) } else { at.min(length) };
    let start = wrap(bound("start", 0.0)?.floor());
    let end = wrap(bound("end", length)?.ceil()).max(start);
    Ok((start as usize, end as usize))
}

fn slice(value: &Value, bounds: &Object) -> Result<Value> {
    match value {
        Value::Null => Ok(Value::Null),
        Value::Array(array) => {
            let (start, end) = range(bounds, array.items().len())?;
            Ok(Value::array(array.items()[start..end].to_vec()))
        }
        Value::Text(text) => {
            let (start, end) = range(bounds, text.text.chars().count())?;
            let from = text.text.char_indices().nth(start).map_or(text.text.len(), |(at, _)| at);
            let part = &text.text[from..];
            let length = part.char_indices().nth(end - start).map_or(part.len(), |(at, _)| at);
            Ok(Value::text(&part[..length]))
        }
        other => Err(Stop::error(format!("Cannot index {} with object", other.kind()))),
    }
}

/// `getpath`
pub(super) fn get(value: &Value, path: &[Value]) -> Result<Value> {
    let mut value = value.clone();
    for key in path {
        if matches!(value, Value::Null) {
            return Ok(Value::Null);
        }
        value = index(&value, key)?;
    }
    Ok(value)
}

/// `setpath`
pub(super) fn set(value: Value, path: &[Value], new: Value) -> Result<Value> {
    let Some((key, rest)) = path.split_first() else { return Ok(new) };
    match (value, key) {
        (Value::Null, Value::Text(_)) => set(Value::Object(Rc::default()), path, new),
        (Value::Null, Value::Number(_) | Value::Object(_)) => set(Value::array(Vec::new()), path, new),
        (Value::Object(mut object), Value::Text(key)) => {
            let object_mut = Rc::make_mut(&mut object);
            let old = object_mut.get_mut(&key.text).map_or(Value::Null, |old| std::mem::replace(old, Value::Null));
            let new = deeper(|| set(old, rest, new))?;
            object_mut.insert(key.text.as_str().into(), new);
            Ok(Value::Object(object))
        }
        (Value::Array(mut array), Value::Number(number)) => {
            let length = array.items().len();
            let at = number.value.floor();
            let at = if at < 0.0 { at + length as f64 } else { at };
            if at < 0.0 {
                return Err(Stop::error("Out of bounds negative array index"));
            }
            if at > MOST {
                return Err(Stop::error("Array index too large"));
            }
            let at = at as usize;
            let array_mut = Rc::make_mut(&mut array);
            let old = array_mut.change(|items| {
                if items.len() <= at {
                    items.resize(at + 1, Value::Null);
                }
                std::mem::replace(&mut items[at], Value::Null)
            });
            let new = deeper(|| set(old, rest, new))?;
            array_mut.change(|items| items[at] = new);
            Ok(Value::Array(array))
        }
        (Value::Array(mut array), Value::Object(bounds)) => {
            let (start, end) = range(bounds, array.items().len())?;
            let old = Value::array(array.items()[start..end].to_vec());
            let Value::Array(new) = deeper(|| set(old, rest, new))? else {
                return Err(Stop::error("A slice of an array can only be assigned another array"));
            };
            Rc::make_mut(&mut array).change(|items| drop(items.splice(start..end, new.items().iter().cloned())));
            Ok(Value::Array(array))
        }
        (Value::Text(_), Value::Object(_)) => Err(Stop::error("Cannot update string slices")),
        (Value::Array(_), Value::Array(_)) => Err(Stop::error("Cannot update field at array index of array")),
        (value, key) => index(&value, key),
    }
}

/// No array grows longer by an assignment to one element.
const MOST: f64 = 536_870_911.0;

/// `delpaths`: the longest and last paths first, so that those that are left stay right.
pub(super) fn delete(value: Value, paths: &[Value]) -> Result<Value> {
    let paths = merge_sort(paths.to_vec(), &mut |left: &Value, right| right.order(left))?;
    paths.iter().filter_map(Value::as_array).try_fold(value, delete_one)
}

fn delete_one(value: Value, path: &[Value]) -> Result<Value> {
    meter::step()?;
    let Some((key, rest)) = path.split_first() else { return Ok(Value::Null) };
    if matches!(value, Value::Null) {
        return Ok(Value::Null);
    }
    if !rest.is_empty() {
        let inner = index(&value, key)?;
        if matches!(inner, Value::Null) {
            return Ok(value);
        }
        let inner = deeper(|| delete_one(inner, rest))?;
        return set(value, std::slice::from_ref(key), inner);
    }
    match (value, key) {
        (Value::Object(mut object), Value::Text(key)) => {
            Rc::make_mut(&mut object).remove(&key.text);
            Ok(Value::Object(object))
        }
        (Value::Array(mut array), Value::Number(number)) => {
            let length = array.items().len() as f64;
            let at = number.value.floor();
            let at = if at < 0.0 { at + length } else { at };
            if at >= 0.0 && at < length {
                Rc::make_mut(&mut array).change(|items| drop(items.remove(at as usize)));
            }
            Ok(Value::Array(array))
        }
        (Value::Array(mut array), Value::Object(bounds)) => {
            let (start, end) = range(bounds, array.items().len())?;
            Rc::make_mut(&mut array).change(|items: &mut Vec<Value>| drop(items.drain(start..end)));
            Ok(Value::Array(array))
        }
        (Value::Object(_), key) => Err(Stop::error(format!("Cannot delete field at object index of {}", key.kind()))),
        (Value::Array(_), _) => Err(Stop::error("Cannot delete field at object index of array")),
        (value, _) => Err(Stop::error(format!("Cannot delete field at object index of {}", value.kind()))),
    }
}
