//! Assignments: `=`, `|=`, `+=` and its like, `//=`. Each makes a new value of its input, with other values at some
//! paths.
use super::{
    environment::Env,
    evaluate::{Interpreter, Item, Out, Result},
    filter::Filter,
    math, path,
    value::{Array, Value},
};
use jaq_core::ops::Math;

impl<'p, 'm, 'c> Interpreter<'p, 'm, 'c> {
    /// `LEFT = RIGHT`: every path of `left` gets the same value, once for each output of `right`.
    pub(super) fn assign(
        &mut self,
        left: &'p Filter,
        right: &'p Filter,
        env: &Env<'p>,
        input: Item,
        out: Out<'_, 'p, 'm, 'c>,
    ) -> Result {
        let set = |paths: Array, mut value: Value, new: &Value| -> Result<Value> {
            for place in paths.items() {
                value = path::set(value, place.as_array().unwrap_or_default(), new.clone())?;
            }
            Ok(value)
        };
        // The input is moved where it is needed once, so that it need not be copied.
        if right.is_single() {
            let new = self.only(right, env, &input.value)?;
            let paths = self.paths(left, env, &input.value)?;
            let path = input.path.lost();
            return self.hand(out, Item { value: set(paths, input.value, &new)?, path });
        }
        self.eval(right, env, Item::plain(input.value.clone()), &mut |this, new| {
            let value = set(this.paths(left, env, &input.value)?, input.value.clone(), &new.value)?;
            this.hand(out, input.made(value))
        })
    }

    /// `LEFT |= RIGHT`: each value gets the first output that `right` has for it, and goes where it has none.
    pub(super) fn update_by(
        &mut self,
        left: &'p Filter,
        right: &'p Filter,
        env: &Env<'p>,
        input: Item,
        out: Out<'_, 'p, 'm, 'c>,
    ) -> Result {
        let path = input.path.lost();
        let value = self.update(left, env, input.value, &mut |this, old| {
            let mut first = None;
            this.first(right, env, Item::plain(old), &mut first)?;
            Ok(first.map(|item| item.value))
        })?;
        self.hand(out, Item { value, path })
    }

    /// `LEFT += RIGHT` and its like.
    pub(super) fn update_math(
        &mut self,
        math: Math,
        left: &'p Filter,
        right: &'p Filter,
        env: &Env<'p>,
        input: Item,
        out: Out<'_, 'p, 'm, 'c>,
    ) -> Result {
        if right.is_single() {
            let operand = self.only(right, env, &input.value)?;
            let path = input.path.lost();
            let value = self
                .update(left, env, input.value, &mut |_, old| math::calculate(math, old, operand.clone()).map(Some))?;
            return self.hand(out, Item { value, path });
        }
        self.update_with(left, right, env, input, &|old, operand| math::calculate(math, old, operand), out)
    }

    /// `LEFT //= RIGHT`.
    pub(super) fn update_alternative(
        &mut self,
        left: &'p Filter,
        right: &'p Filter,
        env: &Env<'p>,
        input: Item,
        out: Out<'_, 'p, 'm, 'c>,
    ) -> Result {
        let either = |old: Value, operand| Ok(if old.is_true() { old } else { operand });
        self.update_with(left, right, env, input, &either, out)
    }

    /// Every path of `left` gets what `made` makes of its value and an operand, once for each output of `right`.
    fn update_with(
        &mut self,
        left: &'p Filter,
        right: &'p Filter,
        env: &Env<'p>,
        input: Item,
        made: &dyn Fn(Value, Value) -> Result<Value>,
        out: Out<'_, 'p, 'm, 'c>,
    ) -> Result {
        self.eval(right, env, Item::plain(input.value.clone()), &mut |this, operand| {
            let mut new = |_: &mut Self, old| made(old, operand.value.clone()).map(Some);
            let value = this.update(left, env, input.value.clone(), &mut new)?;
            this.hand(out, input.made(value))
        })
    }
}
