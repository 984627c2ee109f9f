//! The events of `--stream`, as `tostream` gives them: each leaf with its path, and each end of what has parts.
use super::value::Value;

/// The events that are still to come of one value. One at a time, since all of them are far larger than the value.
#[derive(Debug, Default)]
pub(super) struct Events {
    /// What has been entered, the innermost last.
    open: Vec<Open>,
    /// A value that nothing has been told of yet.
    next: Option<Value>,
}

/// An array or object, and how many of its parts have been entered.
#[derive(Debug)]
struct Open {
    value: Value,
    entered: usize,
}

impl Open {
    /// The key and the value of the part at `at`.
    fn part(&self, at: usize) -> Option<(Value, Value)> {
        match &self.value {
            Value::Array(array) => Some((Value::number(at as f64), array.items().get(at)?.clone())),
            Value::Object(object) => {
                object.members().get_index(at).map(|(key, value)| (Value::text(&**key), value.clone()))
            }
            _ => None,
        }
    }

    /// The key of the part that was entered last.
    fn key(&self) -> Option<Value> {
        self.part(self.entered.checked_sub(1)?).map(|(key, _)| key)
    }
}

impl Events {
    pub(super) fn of(value: Value) -> Events {
        Events { open: Vec::new(), next: Some(value) }
    }

    fn path(&self) -> Value {
        Value::array(self.open.iter().filter_map(Open::key).collect())
    }
}

impl Iterator for Events {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        loop {
            if let Some(value) = self.next.take() {
                let open = Open { value, entered: 0 };
                if open.part(0).is_none() {
                    return Some(Value::array(vec![self.path(), open.value]));
                }
                self.open.push(open);
            }
            let innermost = self.open.last_mut()?;
            match innermost.part(innermost.entered) {
                Some((_, part)) => {
                    innermost.entered += 1;
                    self.next = Some(part);
                }
                None => {
                    let end = Value::array(vec![self.path()]);
                    self.open.pop();
                    return Some(end);
                }
            }
        }
    }
}
