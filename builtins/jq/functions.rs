//! What the functions of values do.
use super::{
    draft::{Draft, Sink},
    evaluate::{Result, Stop},
    math,
    meter::{self, Held, deeper},
    path, read,
    value::{Array, Value},
    write::{compact, excerpt},
};
use crate::merge_sort::merge_sort;
use std::cmp::Ordering;

pub(super) fn cannot(value: &Value, what: &str) -> Stop {
    Stop::error(format!("{} cannot be {what}, as it is not an array", described(value)))
}

/// The kind of a value, and the value: `number (1)`.
pub(super) fn described(value: &Value) -> String {
    format!("{} ({})", value.kind(), excerpt(value))
}

pub(super) fn real(value: &Value) -> Result<f64> {
    value.as_number().ok_or_else(|| Stop::error(format!("{} number required", described(value))))
}

pub(super) fn significand(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() { x } else { x / 2f64.powf(exponent(x)) }
}

pub(super) fn exponent(x: f64) -> f64 {
    match x {
        0.0 => f64::NEG_INFINITY,
        x if !x.is_finite() => x.abs(),
        x => x.abs().log2().floor(),
    }
}

pub(super) fn length(value: &Value) -> Result<Value> {
    Ok(match value {
        Value::Null => Value::number(0.0),
        Value::Bool(_) => return Err(Stop::error(format!("{} has no length", described(value)))),
        Value::Number(number) => Value::number(number.value.abs()),
        Value::Text(text) => Value::number(text.text.chars().count() as f64),
        Value::Array(array) => Value::number(array.items().len() as f64),
        Value::Object(object) => Value::number(object.members().len() as f64),
    })
}

pub(super) fn keys(value: &Value, sorted: bool) -> Result<Value> {
    Ok(Value::array(match value {
        Value::Object(object) if sorted => object.keys().into_iter().map(|key| Value::text(&*key)).collect(),
        Value::Object(object) => object.members().keys().map(|key| Value::text(&**key)).collect(),
        Value::Array(array) => (0..array.items().len()).map(|at| Value::number(at as f64)).collect(),
        other => return Err(Stop::error(format!("{} has no keys", described(other)))),
    }))
}

pub(super) fn has(value: &Value, key: &Value) -> Result<Value> {
    match (value, key) {
        (Value::Object(object), Value::Text(key)) => Ok(Value::Bool(object.get(&key.text).is_some())),
        (Value::Array(array), Value::Number(at)) => {
            Ok(Value::Bool(at.value >= 0.0 && at.value < array.items().len() as f64))
        }
        (Value::Null, _) => Ok(Value::Bool(false)),
        (value, key) => Err(Stop::error(format!("Cannot check whether {} has a {} key", value.kind(), key.kind()))),
    }
}

pub(super) fn contains(value: &Value, other: &Value) -> Result<bool> {
    match (value, other) {
        (Value::Object(value), Value::Object(other)) => {
            for (key, other) in other.members() {
                let Some(value) = value.get(key) else { return Ok(false) };
                if !deeper(|| contains(value, other))? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Value::Array(value), Value::Array(other)) => {
            for other in other.items() {
                let mut found = false;
                for value in value.items() {
                    meter::step()?;
                    if value.kind() == other.kind() && deeper(|| contains(value, other))? {
                        found = true;
                        break;
                    }
                }
                if !found {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Value::Text(value), Value::Text(other)) => Ok(value.text.contains(&other.text)),
        (value, other) if value.kind() == other.kind() => Ok(value.equals(other)?),
        (value, other) => {
            let (value, other) = (described(value), described(other));
            Err(Stop::error(format!("{value} and {other} cannot have their containment checked")))
        }
    }
}

pub(super) fn add(value: &Value) -> Result<Value> {
    let items: Vec<Value> = match value {
        Value::Array(array) => array.items().to_vec(),
        Value::Object(object) => object.members().values().cloned().collect(),
        other => return Err(Stop::error(format!("Cannot iterate over {}", described(other)))),
    };
    // Strings and arrays grow in place.
    if items.len() > 2 && items.iter().all(|item| item.as_text().is_some()) {
        let mut text = Draft::default();
        items.iter().filter_map(Value::as_text).try_for_each(|item| text.put(item))?;
        return Ok(text.into_value());
    }
    items.into_iter().try_fold(Value::Null, math::add)
}

pub(super) fn to_number(value: &Value) -> Result<Value> {
    match value {
        Value::Number(_) => Ok(value.clone()),
        Value::Text(text) => match read::single(&text.text) {
            Ok(Value::Number(number)) => Ok(Value::Number(number)),
            Ok(_) => Err(Stop::error(format!("{} cannot be parsed as a number", described(value)))),
            Err(mistake) => Err(Stop::error(format!("{} (while parsing '{}')", mistake.0, text.text))),
        },
        other => Err(Stop::error(format!("{} cannot be parsed as a number", described(other)))),
    }
}

pub(super) fn from_json(value: &Value) -> Result<Value> {
    let Some(text) = value.as_text() else {
        return Err(Stop::error(format!("{} cannot be parsed as JSON", described(value))));
    };
    read::single(text).map_err(|mistake| Stop::error(format!("{} (while parsing '{text}')", mistake.0)))
}

pub(super) fn change_case(value: &Value, name: &str, change: impl Fn(&str) -> String) -> Result<Value> {
    match value.as_text() {
        Some(text) => Ok(Value::text(change(text))),
        None => Err(Stop::error(format!("{name} input must be a string"))),
    }
}

pub(super) fn implode(value: &Value) -> Result<Value> {
    let Some(codes) = value.as_array() else {
        return Err(Stop::error(format!("{} cannot be imploded", described(value))));
    };
    let mut text = Draft::default();
    for code in codes {
        let code = code.as_number().ok_or_else(|| Stop::error("Unicode codepoint must be numeric"))?;
        let c = char::from_u32(code as u32).unwrap_or(char::REPLACEMENT_CHARACTER);
        text.put(c.encode_utf8(&mut [0; 4]))?;
    }
    Ok(text.into_value())
}

pub(super) fn trim(value: &Value, trim: impl Fn(&str) -> &str) -> Result<Value> {
    match value.as_text() {
        Some(text) => Ok(Value::text(trim(text))),
        None => Err(Stop::error(format!("{} cannot be trimmed", described(value)))),
    }
}

pub(super) fn join(value: &Value, separator: &Value) -> Result<Value> {
    let Some(items) = value.as_array() else {
        return Err(Stop::error(format!("Cannot iterate over {}", described(value))));
    };
    if items.is_empty() {
        return Ok(Value::text(""));
    }
    let Some(separator) = separator.as_text() else {
        return Err(Stop::error(format!("{} and string (\"\") cannot be added", described(separator))));
    };
    let mut text = Draft::default();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            text.put(separator)?;
        }
        match item {
            Value::Null => {}
            Value::Text(item) => text.put(&item.text)?,
            Value::Bool(_) | Value::Number(_) => text.put(&compact(item)?)?,
            other => {
                let so_far = text.into_value();
                return Err(Stop::error(format!("{} and {} cannot be added", described(&so_far), described(other))));
            }
        }
    }
    Ok(text.into_value())
}

pub(super) fn indices(value: &Value, wanted: &Value) -> Result<Value> {
    let mut places = Array::default();
    match (value, wanted) {
        (Value::Null, _) => return Ok(Value::Null),
        (Value::Text(text), Value::Text(wanted)) => {
            if wanted.text.is_empty() {
                return Ok(Value::Null);
            }
            let (mut from, mut count) = (0, 0);
            while let Some(before) = text.text[from..].find(&wanted.text) {
                count += text.text[from..from + before].chars().count();
                places.push(Value::number(count as f64))?;
                count += 1;
                from += before;
                from += text.text[from..].chars().next().map_or(1, char::len_utf8);
            }
        }
        (Value::Array(items), Value::Array(wanted)) => {
            if wanted.items().is_empty() {
                return Ok(Value::Null);
            }
            return path::indices(items.items(), wanted.items());
        }
        (Value::Array(items), wanted) => {
            for (at, item) in items.items().iter().enumerate() {
                if item.equals(wanted)? {
                    places.push(Value::number(at as f64))?;
                }
            }
        }
        (value, wanted) => return path::index(value, wanted),
    }
    Ok(places.into())
}

pub(super) fn sorted(value: &Value) -> Result<Vec<Value>> {
    let Some(items) = value.as_array() else { return Err(cannot(value, "sorted")) };
    // The sort takes as much again.
    let _held = Held::new(2 * size_of_val(items));
    meter::check()?;
    merge_sort(items.to_vec(), &mut |left: &Value, right| Ok(left.order(right)?))
}

/// The element whose key is the least or the greatest; of equals the first least, the last greatest.
pub(super) fn extreme(value: &Value, keys: &Value, wanted: Ordering) -> Result<Value> {
    let (Some(items), Some(keys)) = (value.as_array(), keys.as_array()) else {
        let (value, keys) = (described(value), described(keys));
        return Err(Stop::error(format!("{value} and {keys} cannot be iterated over")));
    };
    let mut found: Option<(&Value, &Value)> = None;
    for pair in items.iter().zip(keys) {
        let replaces = match found {
            None => true,
            Some((_, key)) => {
                let order = pair.1.order(key)?;
                order == wanted || (wanted == Ordering::Greater && order.is_eq())
            }
        };
        if replaces {
            found = Some(pair);
        }
    }
    Ok(found.map_or(Value::Null, |(item, _)| item.clone()))
}

pub(super) fn flatten(value: &Value, depth: f64, items: &mut Array) -> Result {
    let inner: Vec<Value> = match value {
        Value::Array(array) => array.items().to_vec(),
        Value::Object(object) => object.members().values().cloned().collect(),
        other => return Err(Stop::error(format!("Cannot iterate over {}", described(other)))),
    };
    for item in inner {
        meter::step()?;
        if matches!(item, Value::Array(_)) && depth > 0.0 {
            deeper(|| flatten(&item, depth - 1.0, items))?;
        } else {
            items.push(item)?;
        }
    }
    Ok(())
}
