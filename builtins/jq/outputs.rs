//! Asking a filter for its outputs: the only one, the first, all, until enough, or those of two filters in pairs.
use super::{
    environment::Env,
    evaluate::{Interpreter, Item, Result, Stop},
    filter::Filter,
    value::{Array, Value},
};
use std::ops::ControlFlow;

impl<'p> Interpreter<'p, '_, '_> {
    /// The output of a filter that has [one](Filter::is_single).
    pub(super) fn only(&mut self, filter: &'p Filter, env: &Env<'p>, value: &Value) -> Result<Value> {
        let mut only = Value::Null;
        self.eval(filter, env, Item::plain(value.clone()), &mut |_, item| {
            only = item.value;
            Ok(())
        })?;
        Ok(only)
    }

    /// The first output only.
    pub(super) fn first(&mut self, filter: &'p Filter, env: &Env<'p>, input: Item, first: &mut Option<Item>) -> Result {
        self.labels += 1;
        let label = self.labels;
        let result = self.eval(filter, env, input, &mut |_, item| {
            *first = Some(item);
            Err(Stop::Break(label))
        });
        match result {
            Err(Stop::Break(broken)) if broken == label => Ok(()),
            result => result,
        }
    }

    /// Hand outputs to `each` until it breaks.
    pub(super) fn until(
        &mut self,
        filter: &'p Filter,
        env: &Env<'p>,
        input: Item,
        each: &mut dyn FnMut(&mut Self, Item) -> Result<ControlFlow<()>>,
    ) -> Result {
        self.labels += 1;
        let label = self.labels;
        let result = self.eval(filter, env, input, &mut |this, item| match each(this, item)? {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stop::Break(label)),
        });
        match result {
            Err(Stop::Break(broken)) if broken == label => Ok(()),
            result => result,
        }
    }

    /// All outputs, as one array.
    pub(super) fn all(&mut self, filter: &'p Filter, env: &Env<'p>, input: Value) -> Result<Value> {
        let mut values = Array::default();
        self.eval(filter, env, Item::plain(input), &mut |_, item| Ok(values.push(item.value)?))?;
        Ok(values.into())
    }

    /// Every pair of outputs: jq runs the right side first, and for each of its outputs the left.
    pub(super) fn both(
        &mut self,
        left: &'p Filter,
        right: &'p Filter,
        env: &Env<'p>,
        input: &Item,
        out: &mut dyn FnMut(&mut Self, Value, Value) -> Result,
    ) -> Result {
        self.eval(right, env, Item::plain(input.value.clone()), &mut |this, right| {
            this.eval(left, env, Item::plain(input.value.clone()), &mut |this, left| {
                out(this, left.value, right.value.clone())
            })
        })
    }
}
