//! Strings and objects that filters make: each combination of what their parts put out.
use super::{
    draft::{Draft, Sink},
    environment::Env,
    evaluate::{Interpreter, Item, Out, Result, Stop},
    filter::{Filter, Part},
    format::Format,
    value::{Object, Value},
    write::excerpt,
};
use std::rc::Rc;

/// A string with filters in it.
pub(super) struct Template<'p> {
    pub(super) format: Format,
    pub(super) parts: &'p [Part],
}

impl Template<'_> {
    /// The string, `made` being what its filters have made, the last first.
    fn joined(&self, made: &[Value]) -> Result<Value> {
        let mut text = Draft::default();
        let mut made = made.iter().rev().filter_map(Value::as_text);
        for part in self.parts {
            match part {
                Part::Text(part) => text.put(part)?,
                Part::Filter(_) => text.put(made.next().unwrap_or_default())?,
            }
        }
        Ok(text.into_value())
    }
}

impl<'p, 'm, 'c> Interpreter<'p, 'm, 'c> {
    /// Run the filters of `left`, the beginning of a string's parts; `made` is what those behind it have made.
    pub(super) fn text(
        &mut self,
        whole: &Template<'p>,
        left: &'p [Part],
        env: &Env<'p>,
        input: &Item,
        made: &mut Vec<Value>,
        out: Out<'_, 'p, 'm, 'c>,
    ) -> Result {
        // The last filter is run first, as jq does.
        match left.split_last() {
            None => self.hand(out, input.made(whole.joined(made)?)),
            Some((Part::Text(_), rest)) => self.text(whole, rest, env, input, made, out),
            Some((Part::Filter(filter), rest)) => {
                self.eval(filter, env, Item::plain(input.value.clone()), &mut |this, item| {
                    made.push(whole.format.apply(&item.value)?);
                    let result = this.text(whole, rest, env, input, made, out);
                    made.pop();
                    result
                })
            }
        }
    }

    pub(super) fn object(
        &mut self,
        members: &'p [(Filter, Filter)],
        env: &Env<'p>,
        input: &Item,
        before: Object,
        out: Out<'_, 'p, 'm, 'c>,
    ) -> Result {
        let Some(((key, value), rest)) = members.split_first() else {
            return self.hand(out, input.made(Value::Object(Rc::new(before))));
        };
        self.eval(key, env, Item::plain(input.value.clone()), &mut |this, key| {
            let Value::Text(name) = &key.value else {
                let (kind, shown) = (key.value.kind(), excerpt(&key.value));
                return Err(Stop::error(format!("Cannot use {kind} ({shown}) as object key")));
            };
            let name: Rc<str> = name.text.as_str().into();
            this.eval(value, env, Item::plain(input.value.clone()), &mut |this, value| {
                let mut object = before.clone();
                object.insert(name.clone(), value.value);
                this.object(rest, env, input, object, out)
            })
        })
    }
}
