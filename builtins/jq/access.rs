//! What is in a value: `.[key]`, `.[from:to]`, `.[]` and `..`.
use super::{
    environment::Env,
    evaluate::{Interpreter, Item, Out, Result, Stop},
    filter::Filter,
    functions::described,
    meter, path,
    value::Value,
};

impl<'p, 'm, 'c> Interpreter<'p, 'm, 'c> {
    /// `..`, each value before what is in it.
    pub(super) fn descend(&mut self, item: Item, out: Out<'_, 'p, 'm, 'c>) -> Result {
        meter::step()?;
        self.hand(out, item.clone())?;
        if !matches!(item.value, Value::Array(_) | Value::Object(_)) {
            return Ok(());
        }
        let result = self.each(item, &mut |this, item| meter::deeper(|| this.descend(item, out)));
        result.map_err(|(stop, _)| stop)
    }

    /// `.[]`. An error is told apart: whether it is that the value has no elements.
    pub(super) fn each(&mut self, item: Item, out: Out<'_, 'p, 'm, 'c>) -> Result<(), (Stop, bool)> {
        let later = |stop| (stop, false);
        match &item.value {
            Value::Array(array) => {
                for (at, value) in array.items().iter().enumerate() {
                    let path = item.path.at(|| Value::number(at as f64)).map_err(later)?;
                    self.hand(out, Item { value: value.clone(), path }).map_err(later)?;
                }
            }
            Value::Object(object) => {
                for (key, value) in object.members() {
                    let path = item.path.at(|| Value::text(&**key)).map_err(later)?;
                    self.hand(out, Item { value: value.clone(), path }).map_err(later)?;
                }
            }
            other => {
                return Err((Stop::error(format!("Cannot iterate over {}", described(other))), true));
            }
        }
        Ok(())
    }

    /// `base[]`; with `optional`, nothing of what has no elements.
    pub(super) fn elements(
        &mut self,
        base: &'p Filter,
        optional: bool,
        env: &Env<'p>,
        input: Item,
        out: Out<'_, 'p, 'm, 'c>,
    ) -> Result {
        self.eval(base, env, input, &mut |this, item| match this.each(item, out) {
            Err((Stop::Error(_), true)) if optional => Ok(()),
            Err((stop, _)) => Err(stop),
            Ok(()) => Ok(()),
        })
    }

    /// `base[key]`
    pub(super) fn index(
        &mut self,
        base: &'p Filter,
        key: &'p Filter,
        optional: bool,
        env: &Env<'p>,
        input: &Item,
        out: Out<'_, 'p, 'm, 'c>,
    ) -> Result {
        self.eval(key, env, Item::plain(input.value.clone()), &mut |this, key| {
            this.step(base, &key.value, optional, env, input, out)
        })
    }

    /// What is at `key` of each output of `base`; nothing for those that have no such place, if that is `optional`.
    pub(super) fn step(
        &mut self,
        base: &'p Filter,
        key: &Value,
        optional: bool,
        env: &Env<'p>,
        input: &Item,
        out: Out<'_, 'p, 'm, 'c>,
    ) -> Result {
        self.eval(base, env, input.clone(), &mut |this, item| match path::index(&item.value, key) {
            Ok(value) => {
                let path = item.path.step(&item.value, key)?;
                this.hand(out, Item { value, path })
            }
            Err(Stop::Error(_)) if optional => Ok(()),
            Err(stop) => Err(stop),
        })
    }

    /// The keys of `[from:to]`.
    pub(super) fn bounds(
        &mut self,
        from: Option<&'p Filter>,
        to: Option<&'p Filter>,
        env: &Env<'p>,
        input: &Item,
        out: &mut dyn FnMut(&mut Self, Value) -> Result,
    ) -> Result {
        let null = Value::Null;
        let range =
            |from: &Value, to: &Value| Value::object([("start".into(), from.clone()), ("end".into(), to.clone())]);
        let mut with_to = |this: &mut Self, to: &Value| match from {
            None => out(this, range(&null, to)),
            Some(from) => this
                .eval(from, env, Item::plain(input.value.clone()), &mut |this, from| out(this, range(&from.value, to))),
        };
        match to {
            None => with_to(self, &null),
            Some(to) => self.eval(to, env, Item::plain(input.value.clone()), &mut |this, to| with_to(this, &to.value)),
        }
    }
}
