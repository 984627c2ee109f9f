//! What takes a value apart and puts it together again: patterns, `reduce`, `foreach`, and updates of paths.
use super::{
    environment::{Env, bind},
    evaluate::{Interpreter, Item, Out, Result, Stop},
    filter::{Filter, Fold, Pattern},
    meter,
    path::{self, Path},
    value::{Array, Value},
    write::excerpt,
};

impl<'p, 'm, 'c> Interpreter<'p, 'm, 'c> {
    /// The paths that `filter` leads to in `value`.
    pub(super) fn paths(&mut self, filter: &'p Filter, env: &Env<'p>, value: &Value) -> Result<Array> {
        let mut paths = Array::default();
        self.eval(filter, env, Item { value: value.clone(), path: Path::root() }, &mut |_, item| {
            Ok(paths.push(Value::array(item.path.keys(&item.value)?))?)
        })?;
        Ok(paths)
    }

    /// Change what `filter` leads to; what `change` has no value for is deleted, when all is changed.
    pub(super) fn update(
        &mut self,
        filter: &'p Filter,
        env: &Env<'p>,
        mut value: Value,
        change: &mut dyn FnMut(&mut Self, Value) -> Result<Option<Value>>,
    ) -> Result<Value> {
        let mut deleted = Array::default();
        for path in self.paths(filter, env, &value)?.items() {
            meter::check()?;
            let place = path.as_array().unwrap_or_default();
            let old = path::get(&value, place)?;
            // The old value is taken out of its place, so that it can be changed without being copied.
            let is_plain = place.iter().all(|key| !matches!(key, Value::Object(_)));
            if is_plain && matches!(old, Value::Array(_) | Value::Object(_)) {
                value = path::set(value, place, Value::Null)?;
            }
            match change(self, old)? {
                Some(new) => value = path::set(value, place, new)?,
                None => deleted.push(path.clone())?,
            }
        }
        path::delete(value, deleted.items())
    }

    pub(super) fn destructure(
        &mut self,
        pattern: &'p Pattern,
        env: &Env<'p>,
        value: &Value,
        body: &mut dyn FnMut(&mut Self, &Env<'p>) -> Result,
    ) -> Result {
        match pattern {
            Pattern::Variable => body(self, &bind(env, value.clone())),
            Pattern::Array(items) => self.destructure_array(items, 0, env, value, body),
            Pattern::Object(members) => self.destructure_object(members, env, value, body),
        }
    }

    fn destructure_array(
        &mut self,
        items: &'p [Pattern],
        at: usize,
        env: &Env<'p>,
        value: &Value,
        body: &mut dyn FnMut(&mut Self, &Env<'p>) -> Result,
    ) -> Result {
        let Some(pattern) = items.get(at) else { return body(self, env) };
        let item = path::index(value, &Value::number(at as f64))?;
        self.destructure(pattern, env, &item, &mut |this, env| this.destructure_array(items, at + 1, env, value, body))
    }

    fn destructure_object(
        &mut self,
        members: &'p [(Filter, Pattern)],
        env: &Env<'p>,
        value: &Value,
        body: &mut dyn FnMut(&mut Self, &Env<'p>) -> Result,
    ) -> Result {
        let Some(((key, pattern), rest)) = members.split_first() else { return body(self, env) };
        self.eval(key, env, Item::plain(value.clone()), &mut |this, key| {
            if key.value.as_text().is_none() {
                let (kind, shown) = (key.value.kind(), excerpt(&key.value));
                return Err(Stop::error(format!("Cannot use {kind} ({shown}) as object key")));
            }
            let member = path::index(value, &key.value)?;
            this.destructure(pattern, env, &member, &mut |this, env| this.destructure_object(rest, env, value, body))
        })
    }

    pub(super) fn reduce(&mut self, fold: &'p Fold, env: &Env<'p>, input: Item, out: Out<'_, 'p, 'm, 'c>) -> Result {
        self.eval(&fold.init, env, input.clone(), &mut |this, init| {
            let lost = init.path.lost();
            let mut state = Some(init);
            this.eval(&fold.source, env, Item::plain(input.value.clone()), &mut |this, item| {
                meter::check()?;
                this.destructure(&fold.pattern, env, &item.value, &mut |this, env| {
                    // The state is moved into the update, so that it can grow without being copied.
                    let before = state.take().unwrap_or(Item { value: Value::Null, path: lost.clone() });
                    this.eval(&fold.update, env, before, &mut |_, after| {
                        state = Some(after);
                        Ok(())
                    })
                })
            })?;
            this.hand(out, state.unwrap_or(Item { value: Value::Null, path: lost }))
        })
    }

    pub(super) fn foreach(&mut self, fold: &'p Fold, env: &Env<'p>, input: Item, out: Out<'_, 'p, 'm, 'c>) -> Result {
        self.eval(&fold.init, env, input.clone(), &mut |this, init| {
            let mut state = init;
            this.eval(&fold.source, env, Item::plain(input.value.clone()), &mut |this, item| {
                meter::check()?;
                this.destructure(&fold.pattern, env, &item.value, &mut |this, env| {
                    this.eval(&fold.update, env, state.clone(), &mut |this, after| {
                        state = after.clone();
                        match &fold.extract {
                            Some(extract) => this.eval(extract, env, after, out),
                            None => this.hand(out, after),
                        }
                    })
                })
            })
        })
    }
}
