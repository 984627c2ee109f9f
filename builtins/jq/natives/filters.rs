//! The functions that run their arguments themselves.
use super::FilterFn;
use crate::{
    jq::{
        draft::{Draft, Sink},
        environment::Env,
        evaluate::{Interpreter, Item, Out, Result, Stop},
        filter::Filter,
        functions::{cannot, described},
        meter::{self, Held, Pile},
        path::{self, Path},
        regex,
        value::{Array, Value},
    },
    merge_sort::merge_sort,
};
use std::ops::ControlFlow;
/// The functions, by name and number of arguments.
pub(super) const FILTERS: &[(&str, usize, FilterFn)] = &[
    ("empty", 0, |_, _, _, _, _| Ok(())),
    ("path", 1, |this, arguments, env, input, out| {
        let start = Item { value: input.value.clone(), path: Path::root() };
        this.eval(&arguments[0], env, start, &mut |this, item| {
            let keys = item.path.keys(&item.value)?;
            this.hand(out, Item { value: Value::array(keys), path: input.path.lost() })
        })
    }),
    ("getpath", 1, |this, arguments, env, input, out| {
        this.eval(&arguments[0], env, Item::plain(input.value.clone()), &mut |this, keys| {
            let Some(keys) = keys.value.as_array() else {
                return Err(Stop::error("Path must be specified as an array"));
            };
            let mut path = input.path.clone();
            for key in keys {
                path = path.step(&input.value, key)?;
            }
            let value = path::get(&input.value, keys)?;
            this.hand(out, Item { value, path })
        })
    }),
    // The input with each match of the first argument replaced by what the second one makes of it.
    ("_substitute", 2, |this, arguments, env, input, out| {
        let matches = this.all(&arguments[0], env, input.value.clone())?;
        let matches = matches.as_array().and_then(|all| all.first()).and_then(Value::as_array).unwrap_or_default();
        let texts = regex::between(input.value.as_text().unwrap_or_default(), matches);
        let mut texts = texts.into_iter();
        let mut drafts = vec![Draft::default()];
        for found in matches {
            let before = texts.next().unwrap_or_default();
            let mut longer = Vec::new();
            for mut draft in drafts {
                draft.put(before)?;
                let replacements = this.all(&arguments[1], env, found.clone())?;
                let replacements = replacements.as_array().unwrap_or_default();
                let Some((last, others)) = replacements.split_last() else { continue };
                for other in others {
                    let mut copy = draft.copy()?;
                    copy.put(other.as_text().unwrap_or_default())?;
                    longer.push(copy);
                }
                draft.put(last.as_text().unwrap_or_default())?;
                longer.push(draft);
            }
            drafts = longer;
        }
        let after = texts.next().unwrap_or_default();
        for mut draft in drafts {
            draft.put(after)?;
            this.hand(out, input.made(draft.into_value()))?;
        }
        Ok(())
    }),
    ("recurse", 0, |this, _, _, input, out| this.descend(input, out)),
    ("recurse", 1, |this, arguments, env, input, out| {
        recurse(this, &arguments[0], env, input, &mut |this, item| {
            this.hand(out, item.clone())?;
            Ok(true)
        })
    }),
    ("repeat", 1, |this, arguments, env, input, out| {
        loop {
            meter::check()?;
            this.eval(&arguments[0], env, input.clone(), out)?;
        }
    }),
    ("while", 2, |this, arguments, env, input, out| {
        recurse(this, &arguments[1], env, input, &mut |this, item| {
            let holds = this.holds(&arguments[0], env, item)?;
            if holds {
                this.hand(out, item.clone())?;
            }
            Ok(holds)
        })
    }),
    ("until", 2, |this, arguments, env, input, out| {
        recurse(this, &arguments[1], env, input, &mut |this, item| {
            let holds = this.holds(&arguments[0], env, item)?;
            if holds {
                this.hand(out, item.clone())?;
            }
            Ok(!holds)
        })
    }),
    ("first", 1, |this, arguments, env, input, out| {
        let mut first = None;
        this.first(&arguments[0], env, input, &mut first)?;
        first.map_or(Ok(()), |item| this.hand(out, item))
    }),
    ("last", 1, |this, arguments, env, input, out| {
        let mut last = None;
        this.eval(&arguments[0], env, input, &mut |_, item| {
            last = Some(item);
            Ok(())
        })?;
        last.map_or(Ok(()), |item| this.hand(out, item))
    }),
    ("_limit", 2, |this, arguments, env, input, out| {
        this.eval(&arguments[0], env, Item::plain(input.value.clone()), &mut |this, count| {
            let mut left = count.value.as_number().unwrap_or(0.0);
            this.until(&arguments[1], env, input.clone(), &mut |this, item| {
                left -= 1.0;
                this.hand(out, item)?;
                Ok(if left > 0.0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
            })
        })
    }),
    ("range", 2, |this, arguments, env, input, out| {
        this.eval(&arguments[0], env, Item::plain(input.value.clone()), &mut |this, from| {
            this.eval(&arguments[1], env, Item::plain(input.value.clone()), &mut |this, to| {
                range(this, &[&from.value, &to.value, &Value::number(1.0)], &input, out)
            })
        })
    }),
    ("range", 3, |this, arguments, env, input, out| {
        this.eval(&arguments[0], env, Item::plain(input.value.clone()), &mut |this, from| {
            this.eval(&arguments[1], env, Item::plain(input.value.clone()), &mut |this, to| {
                this.eval(&arguments[2], env, Item::plain(input.value.clone()), &mut |this, by| {
                    range(this, &[&from.value, &to.value, &by.value], &input, out)
                })
            })
        })
    }),
    ("sort_by", 1, |this, arguments, env, input, out| {
        let keyed = keyed(this, &arguments[0], env, &input.value, "sorted")?;
        let items = Value::gathered(keyed.into_iter().map(|(_, item)| item))?;
        this.hand(out, Item { value: items, path: input.path.lost() })
    }),
    ("group_by", 1, |this, arguments, env, input, out| {
        let keyed = keyed(this, &arguments[0], env, &input.value, "grouped")?;
        let mut groups = Array::default();
        let mut last: Option<(Value, Array)> = None;
        for (key, item) in keyed {
            match &mut last {
                Some((of, group)) if of.equals(&key)? => group.push(item)?,
                _ => {
                    let mut group = Array::default();
                    group.push(item)?;
                    if let Some((_, group)) = last.replace((key, group)) {
                        groups.push(group.into())?;
                    }
                }
            }
        }
        if let Some((_, group)) = last {
            groups.push(group.into())?;
        }
        this.hand(out, Item { value: groups.into(), path: input.path.lost() })
    }),
    ("inputs", 0, |this, _, _, input, out| {
        while let Some(value) = this.next_input()? {
            this.hand(out, Item { value, path: input.path.lost() })?;
        }
        Ok(())
    }),
    ("input", 0, |this, _, _, input, out| match this.next_input()? {
        Some(value) => this.hand(out, Item { value, path: input.path.lost() }),
        None => Err(Stop::error("No more inputs")),
    }),
];

impl<'p, 'm, 'c> Interpreter<'p, 'm, 'c> {
    fn holds(&mut self, filter: &'p Filter, env: &Env<'p>, input: &Item) -> Result<bool> {
        let mut first = None;
        self.first(filter, env, Item::plain(input.value.clone()), &mut first)?;
        Ok(first.is_some_and(|item| item.value.is_true()))
    }
}

/// What is done with a value of [`recurse`]; the answer is whether to go on from it.
type Visit<'v, 'p, 'm, 'c> = &'v mut dyn FnMut(&mut Interpreter<'p, 'm, 'c>, &Item) -> Result<bool>;

/// Visit `input`, then what `filter` makes of it, and so on; without growing the stack.
fn recurse<'p, 'm, 'c>(
    this: &mut Interpreter<'p, 'm, 'c>,
    filter: &'p Filter,
    env: &Env<'p>,
    input: Item,
    visit: Visit<'_, 'p, 'm, 'c>,
) -> Result {
    let mut waiting = Pile::new();
    waiting.push(input)?;
    while let Some(item) = waiting.pop() {
        meter::check()?;
        if !visit(this, &item)? {
            continue;
        }
        let mut following = Pile::new();
        this.eval(filter, env, item, &mut |_, item| Ok(following.push(item)?))?;
        while let Some(item) = following.pop() {
            waiting.push(item)?;
        }
    }
    Ok(())
}

fn range<'p, 'm, 'c>(
    this: &mut Interpreter<'p, 'm, 'c>,
    bounds: &[&Value; 3],
    input: &Item,
    out: Out<'_, 'p, 'm, 'c>,
) -> Result {
    let numbers = bounds.map(Value::as_number);
    let [Some(from), Some(to), Some(by)] = numbers else {
        return Err(Stop::error("Range bounds must be numeric"));
    };
    let mut at = from;
    while (by > 0.0 && at < to) || (by < 0.0 && at > to) {
        meter::check()?;
        this.hand(out, Item { value: Value::number(at), path: input.path.lost() })?;
        at += by;
    }
    Ok(())
}

/// The elements and what `filter` makes of each, sorted by that.
fn keyed<'p, 'm, 'c>(
    this: &mut Interpreter<'p, 'm, 'c>,
    filter: &'p Filter,
    env: &Env<'p>,
    value: &Value,
    what: &str,
) -> Result<Vec<(Value, Value)>> {
    let Some(items) = value.as_array() else {
        return Err(match value {
            Value::Object(_) => cannot(value, what),
            other => Stop::error(format!("Cannot iterate over {}", described(other))),
        });
    };
    // The sort takes as much again.
    let _held = Held::new(2 * items.len() * size_of::<(Value, Value)>());
    meter::check()?;
    let mut keyed = Vec::with_capacity(items.len());
    for item in items {
        keyed.push((this.all(filter, env, item.clone())?, item.clone()));
    }
    merge_sort(keyed, &mut |(left, _), (right, _)| Ok(left.order(right)?))
}
