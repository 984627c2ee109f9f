//! The functions that are not written in the language itself.
use super::{
    environment::Env,
    evaluate::{Interpreter, Item, Out, Result, Stop},
    filter::Filter,
    format,
    functions::{
        add, cannot, change_case, contains, described, exponent, extreme, flatten, from_json, has, implode, indices,
        join, keys, length, real, significand, sorted, to_number, trim,
    },
    math,
    meter::{self, Held},
    path::{self, Path},
    regex, time,
    value::{Array, Value},
    write::compact,
};
use crate::merge_sort::merge_sort;
use std::{cmp::Ordering, io::Write, ops::ControlFlow};

/// A function of values.
pub(super) type ValueFn = for<'p, 'm, 'c> fn(&mut Interpreter<'p, 'm, 'c>, &Value, &[Value]) -> Result<Value>;
/// A function of filters.
pub(super) type FilterFn =
    for<'p, 'm, 'c> fn(&mut Interpreter<'p, 'm, 'c>, &'p [Filter], &Env<'p>, Item, Out<'_, 'p, 'm, 'c>) -> Result;

/// A function.
#[derive(Clone, Copy)]
pub(super) enum Native {
    Value(ValueFn),
    Filter(FilterFn),
}

/// The function of that name with so many arguments.
pub(super) fn find(name: &str, count: usize) -> Option<Native> {
    let value = VALUES.iter().find(|(known, arity, _)| *known == name && *arity == count);
    if let Some((_, _, function)) = value {
        return Some(Native::Value(*function));
    }
    if let Some((_, function)) = MATH.iter().find(|(known, _)| *known == name && count == 0) {
        return Some(Native::Value(*function));
    }
    let filter = FILTERS.iter().find(|(known, arity, _)| *known == name && *arity == count);
    filter.map(|(_, _, function)| Native::Filter(*function))
}

const VALUES: &[(&str, usize, ValueFn)] = &[
    ("not", 0, |_, value, _| Ok(Value::Bool(!value.is_true()))),
    ("type", 0, |_, value, _| Ok(Value::text(value.kind()))),
    ("length", 0, |_, value, _| length(value)),
    ("utf8bytelength", 0, |_, value, _| match value.as_text() {
        Some(text) => Ok(Value::number(text.len() as f64)),
        None => Err(Stop::error(format!("{} only strings have UTF-8 byte length", described(value)))),
    }),
    ("keys", 0, |_, value, _| keys(value, true)),
    ("keys_unsorted", 0, |_, value, _| keys(value, false)),
    ("has", 1, |_, value, arguments| has(value, &arguments[0])),
    ("contains", 1, |_, value, arguments| contains(value, &arguments[0]).map(Value::Bool)),
    ("add", 0, |_, value, _| add(value)),
    ("tostring", 0, |_, value, _| match value {
        Value::Text(_) => Ok(value.clone()),
        other => Ok(Value::text(compact(other)?)),
    }),
    ("tonumber", 0, |_, value, _| to_number(value)),
    ("tojson", 0, |_, value, _| Ok(Value::text(compact(value)?))),
    ("fromjson", 0, |_, value, _| from_json(value)),
    ("ascii_downcase", 0, |_, value, _| change_case(value, "ascii_downcase", str::to_ascii_lowercase)),
    ("ascii_upcase", 0, |_, value, _| change_case(value, "ascii_upcase", str::to_ascii_uppercase)),
    ("explode", 0, |_, value, _| match value.as_text() {
        Some(text) => Ok(Value::gathered(text.chars().map(|c| Value::number(f64::from(u32::from(c)))))?),
        None => Err(Stop::error(format!("{} cannot be exploded", described(value)))),
    }),
    ("implode", 0, |_, value, _| implode(value)),
    ("ltrimstr", 1, |_, value, arguments| {
        Ok(match (value.as_text(), arguments[0].as_text()) {
            (Some(text), Some(start)) => text.strip_prefix(start).map_or(value.clone(), Value::text),
            _ => value.clone(),
        })
    }),
    ("rtrimstr", 1, |_, value, arguments| {
        Ok(match (value.as_text(), arguments[0].as_text()) {
            (Some(text), Some(end)) => text.strip_suffix(end).map_or(value.clone(), Value::text),
            _ => value.clone(),
        })
    }),
    ("trim", 0, |_, value, _| trim(value, |text| text.trim())),
    ("ltrim", 0, |_, value, _| trim(value, |text| text.trim_start())),
    ("rtrim", 0, |_, value, _| trim(value, |text| text.trim_end())),
    ("startswith", 1, |_, value, arguments| match (value.as_text(), arguments[0].as_text()) {
        (Some(text), Some(start)) => Ok(Value::Bool(text.starts_with(start))),
        _ => Err(Stop::error("startswith() requires string inputs")),
    }),
    ("endswith", 1, |_, value, arguments| match (value.as_text(), arguments[0].as_text()) {
        (Some(text), Some(end)) => Ok(Value::Bool(text.ends_with(end))),
        _ => Err(Stop::error("endswith() requires string inputs")),
    }),
    ("split", 1, |_, value, arguments| match (value.as_text(), arguments[0].as_text()) {
        (Some(text), Some(separator)) => math::split(text, separator),
        _ => Err(Stop::error("split input and separator must be strings")),
    }),
    ("join", 1, |_, value, arguments| join(value, &arguments[0])),
    ("indices", 1, |_, value, arguments| indices(value, &arguments[0])),
    ("_match", 2, |this, value, arguments| regex::matches(this.call.limits.regex, value, &arguments[0], &arguments[1])),
    ("sort", 0, |_, value, _| sorted(value).map(Value::array)),
    ("min", 0, |_, value, _| extreme(value, value, Ordering::Less)),
    ("max", 0, |_, value, _| extreme(value, value, Ordering::Greater)),
    ("_min_by", 1, |_, value, arguments| extreme(value, &arguments[0], Ordering::Less)),
    ("_max_by", 1, |_, value, arguments| extreme(value, &arguments[0], Ordering::Greater)),
    ("reverse", 0, |_, value, _| match value {
        Value::Null => Ok(Value::array(Vec::new())),
        Value::Text(text) => Ok(Value::text(text.text.chars().rev().collect::<String>())),
        Value::Array(array) => Ok(Value::array(array.items().iter().rev().cloned().collect())),
        other => Err(Stop::error(format!("Cannot reverse {}", described(other)))),
    }),
    ("_flatten", 1, |_, value, arguments| {
        let mut items = Array::default();
        flatten(value, arguments[0].as_number().unwrap_or(0.0), &mut items)?;
        Ok(items.into())
    }),
    ("setpath", 2, |_, value, arguments| match arguments[0].as_array() {
        Some(path) => path::set(value.clone(), path, arguments[1].clone()),
        None => Err(Stop::error("Path must be specified as an array")),
    }),
    ("delpaths", 1, |_, value, arguments| {
        let paths = arguments[0].as_array().ok_or_else(|| Stop::error("Paths must be specified as an array"))?;
        let paths: Option<Vec<Vec<Value>>> = paths.iter().map(|path| path.as_array().map(<[Value]>::to_vec)).collect();
        match paths {
            Some(paths) => path::delete(value.clone(), paths),
            None => Err(Stop::error("Path must be specified as an array")),
        }
    }),
    ("error", 0, |_, value, _| Err(Stop::Error(value.clone()))),
    ("infinite", 0, |_, _, _| Ok(Value::number(f64::INFINITY))),
    ("nan", 0, |_, _, _| Ok(Value::number(f64::NAN))),
    ("isinfinite", 0, |_, value, _| Ok(Value::Bool(real(value, "isinfinite")?.is_infinite()))),
    ("isnan", 0, |_, value, _| Ok(Value::Bool(real(value, "isnan")?.is_nan()))),
    ("isnormal", 0, |_, value, _| Ok(Value::Bool(real(value, "isnormal")?.is_normal()))),
    ("pow", 2, |_, _, arguments| {
        let (base, exponent) = (real(&arguments[0], "pow")?, real(&arguments[1], "pow")?);
        Ok(Value::number(base.powf(exponent)))
    }),
    ("atan2", 2, |_, _, arguments| {
        Ok(Value::number(real(&arguments[0], "atan2")?.atan2(real(&arguments[1], "atan2")?)))
    }),
    ("fmod", 2, |_, _, arguments| Ok(Value::number(real(&arguments[0], "fmod")? % real(&arguments[1], "fmod")?))),
    ("fmin", 2, |_, _, arguments| Ok(Value::number(real(&arguments[0], "fmin")?.min(real(&arguments[1], "fmin")?)))),
    ("fmax", 2, |_, _, arguments| Ok(Value::number(real(&arguments[0], "fmax")?.max(real(&arguments[1], "fmax")?)))),
    ("hypot", 2, |_, _, arguments| {
        Ok(Value::number(real(&arguments[0], "hypot")?.hypot(real(&arguments[1], "hypot")?)))
    }),
    ("ldexp", 2, |_, _, arguments| {
        Ok(Value::number(real(&arguments[0], "ldexp")? * 2f64.powf(real(&arguments[1], "ldexp")?)))
    }),
    ("scalb", 2, |_, _, arguments| {
        Ok(Value::number(real(&arguments[0], "scalb")? * 2f64.powf(real(&arguments[1], "scalb")?)))
    }),
    ("now", 0, |this, _, _| Ok(Value::number(this.call.now() as f64))),
    ("mktime", 0, |_, value, _| time::mktime(value)),
    ("gmtime", 0, |_, value, _| time::gmtime(value)),
    ("localtime", 0, |_, value, _| time::gmtime(value)),
    ("strftime", 1, |_, value, arguments| time::strftime(value, &arguments[0], "strftime/1")),
    ("strflocaltime", 1, |_, value, arguments| time::strftime(value, &arguments[0], "strflocaltime/1")),
    ("strptime", 1, |_, value, arguments| time::strptime(value, &arguments[0])),
    ("debug", 0, |this, value, _| {
        this.say(&format!("[\"DEBUG:\",{}]\n", compact(value)?))?;
        Ok(value.clone())
    }),
    ("stderr", 0, |this, value, _| {
        this.say(format::text(value)?.as_text().unwrap_or_default())?;
        Ok(value.clone())
    }),
    ("input_filename", 0, |this, _, _| Ok(this.inputs.file().map_or(Value::Null, Value::text))),
    ("input_line_number", 0, |this, _, _| Ok(Value::number(this.inputs.line() as f64))),
    ("halt", 0, |_, _, _| Err(Stop::Halt(0, None))),
    ("halt_error", 1, |_, value, arguments| match arguments[0].as_number() {
        Some(status) => Err(Stop::Halt(status as i64 as u8, Some(value.clone()))),
        None => Err(Stop::error("halt_error/1: number required")),
    }),
    ("builtins", 0, |_, _, _| {
        let values = VALUES.iter().map(|(name, arity, _)| (*name, *arity));
        let filters = FILTERS.iter().map(|(name, arity, _)| (*name, *arity));
        let math = MATH.iter().map(|(name, _)| (*name, 0));
        let names = values.chain(filters).chain(math).filter(|(name, _)| !name.starts_with('_'));
        Ok(Value::array(names.map(|(name, arity)| Value::text(format!("{name}/{arity}"))).collect()))
    }),
];

/// Functions of one real number.
const MATH: &[(&str, ValueFn)] = &[
    ("floor", |_, value, _| real(value, "floor").map(|x| Value::number(x.floor()))),
    ("ceil", |_, value, _| real(value, "ceil").map(|x| Value::number(x.ceil()))),
    ("round", |_, value, _| real(value, "round").map(|x| Value::number(x.round()))),
    ("trunc", |_, value, _| real(value, "trunc").map(|x| Value::number(x.trunc()))),
    ("rint", |_, value, _| real(value, "rint").map(|x| Value::number(x.round_ties_even()))),
    ("nearbyint", |_, value, _| real(value, "nearbyint").map(|x| Value::number(x.round_ties_even()))),
    ("sqrt", |_, value, _| real(value, "sqrt").map(|x| Value::number(x.sqrt()))),
    ("cbrt", |_, value, _| real(value, "cbrt").map(|x| Value::number(x.cbrt()))),
    ("fabs", |_, value, _| real(value, "fabs").map(|x| Value::number(x.abs()))),
    ("exp", |_, value, _| real(value, "exp").map(|x| Value::number(x.exp()))),
    ("exp2", |_, value, _| real(value, "exp2").map(|x| Value::number(x.exp2()))),
    ("exp10", |_, value, _| real(value, "exp10").map(|x| Value::number(10f64.powf(x)))),
    ("expm1", |_, value, _| real(value, "expm1").map(|x| Value::number(x.exp_m1()))),
    ("log", |_, value, _| real(value, "log").map(|x| Value::number(x.ln()))),
    ("log2", |_, value, _| real(value, "log2").map(|x| Value::number(x.log2()))),
    ("log10", |_, value, _| real(value, "log10").map(|x| Value::number(x.log10()))),
    ("log1p", |_, value, _| real(value, "log1p").map(|x| Value::number(x.ln_1p()))),
    ("sin", |_, value, _| real(value, "sin").map(|x| Value::number(x.sin()))),
    ("cos", |_, value, _| real(value, "cos").map(|x| Value::number(x.cos()))),
    ("tan", |_, value, _| real(value, "tan").map(|x| Value::number(x.tan()))),
    ("asin", |_, value, _| real(value, "asin").map(|x| Value::number(x.asin()))),
    ("acos", |_, value, _| real(value, "acos").map(|x| Value::number(x.acos()))),
    ("atan", |_, value, _| real(value, "atan").map(|x| Value::number(x.atan()))),
    ("sinh", |_, value, _| real(value, "sinh").map(|x| Value::number(x.sinh()))),
    ("cosh", |_, value, _| real(value, "cosh").map(|x| Value::number(x.cosh()))),
    ("tanh", |_, value, _| real(value, "tanh").map(|x| Value::number(x.tanh()))),
    ("asinh", |_, value, _| real(value, "asinh").map(|x| Value::number(x.asinh()))),
    ("acosh", |_, value, _| real(value, "acosh").map(|x| Value::number(x.acosh()))),
    ("atanh", |_, value, _| real(value, "atanh").map(|x| Value::number(x.atanh()))),
    ("significand", |_, value, _| real(value, "significand").map(|x| Value::number(significand(x)))),
    ("logb", |_, value, _| real(value, "logb").map(|x| Value::number(exponent(x)))),
    ("modf", |_, value, _| {
        let x = real(value, "modf")?;
        let fraction = if x.is_infinite() { 0.0 } else { x.fract() };
        Ok(Value::array(vec![Value::number(fraction), Value::number(x.trunc())]))
    }),
    ("frexp", |_, value, _| {
        let x = real(value, "frexp")?;
        if x == 0.0 || !x.is_finite() {
            return Ok(Value::array(vec![Value::number(x), Value::number(0.0)]));
        }
        Ok(Value::array(vec![Value::number(significand(x) / 2.0), Value::number(exponent(x) + 1.0)]))
    }),
];

const FILTERS: &[(&str, usize, FilterFn)] = &[
    ("empty", 0, |_, _, _, _, _| Ok(())),
    ("path", 1, |this, arguments, env, input, out| {
        let start = Item { value: input.value.clone(), path: Path::root() };
        this.eval(&arguments[0], env, start, &mut |this, item| {
            let keys = item.path.keys(&item.value)?;
            out(this, Item { value: Value::array(keys), path: input.path.lost() })
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
            out(this, Item { value, path })
        })
    }),
    ("recurse", 0, |this, _, _, input, out| this.descend(input, out)),
    ("recurse", 1, |this, arguments, env, input, out| recurse(this, &arguments[0], env, input, out)),
    ("repeat", 1, |this, arguments, env, input, out| {
        loop {
            meter::check()?;
            this.eval(&arguments[0], env, input.clone(), out)?;
        }
    }),
    ("while", 2, |this, arguments, env, mut input, out| {
        loop {
            meter::check()?;
            if !this.holds(&arguments[0], env, &input)? {
                return Ok(());
            }
            out(this, input.clone())?;
            let mut following = collect(this, &arguments[1], env, input)?;
            match following.len() {
                0 => return Ok(()),
                1 => input = following.remove(0),
                _ => return Err(Stop::error("while/2: more than one output")),
            }
        }
    }),
    ("until", 2, |this, arguments, env, mut input, out| {
        loop {
            meter::check()?;
            if this.holds(&arguments[0], env, &input)? {
                return out(this, input);
            }
            let mut following = collect(this, &arguments[1], env, input)?;
            match following.len() {
                0 => return Ok(()),
                1 => input = following.remove(0),
                _ => return Err(Stop::error("until/2: more than one output")),
            }
        }
    }),
    ("first", 1, |this, arguments, env, input, out| {
        let mut first = None;
        this.first(&arguments[0], env, input, &mut first)?;
        first.map_or(Ok(()), |item| out(this, item))
    }),
    ("last", 1, |this, arguments, env, input, out| {
        let mut last = None;
        this.eval(&arguments[0], env, input, &mut |_, item| {
            last = Some(item);
            Ok(())
        })?;
        last.map_or(Ok(()), |item| out(this, item))
    }),
    ("_limit", 2, |this, arguments, env, input, out| {
        this.eval(&arguments[0], env, Item::plain(input.value.clone()), &mut |this, count| {
            let mut left = count.value.as_number().unwrap_or(0.0);
            this.until(&arguments[1], env, input.clone(), &mut |this, item| {
                left -= 1.0;
                out(this, item)?;
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
        out(this, Item { value: items, path: input.path.lost() })
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
        out(this, Item { value: groups.into(), path: input.path.lost() })
    }),
    ("inputs", 0, |this, _, _, input, out| {
        while let Some(value) = this.next_input()? {
            out(this, Item { value, path: input.path.lost() })?;
        }
        Ok(())
    }),
    ("input", 0, |this, _, _, input, out| match this.next_input()? {
        Some(value) => out(this, Item { value, path: input.path.lost() }),
        None => Err(Stop::error("No more inputs")),
    }),
];

impl<'p, 'm, 'c> Interpreter<'p, 'm, 'c> {
    /// Text to stderr, as it is.
    fn say(&mut self, text: &str) -> Result {
        self.call.stdout.flush()?;
        self.call.stderr.write_all(text.as_bytes())?;
        Ok(())
    }

    fn holds(&mut self, filter: &'p Filter, env: &Env<'p>, input: &Item) -> Result<bool> {
        let mut first = None;
        self.first(filter, env, Item::plain(input.value.clone()), &mut first)?;
        Ok(first.is_some_and(|item| item.value.is_true()))
    }
}

/// All outputs with their paths.
fn collect<'p, 'm, 'c>(
    this: &mut Interpreter<'p, 'm, 'c>,
    filter: &'p Filter,
    env: &Env<'p>,
    input: Item,
) -> Result<Vec<Item>> {
    let mut items = Vec::new();
    this.eval(filter, env, input, &mut |_, item| {
        items.push(item);
        Ok(())
    })?;
    Ok(items)
}

/// `recurse(f)`: each value, then what `filter` makes of it; without end and without growing the stack
/// where it makes one of one.
fn recurse<'p, 'm, 'c>(
    this: &mut Interpreter<'p, 'm, 'c>,
    filter: &'p Filter,
    env: &Env<'p>,
    input: Item,
    out: Out<'_, 'p, 'm, 'c>,
) -> Result {
    let mut waiting = vec![input];
    while let Some(item) = waiting.pop() {
        meter::check()?;
        out(this, item.clone())?;
        let following = collect(this, filter, env, item)?;
        waiting.extend(following.into_iter().rev());
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
        out(this, Item { value: Value::number(at), path: input.path.lost() })?;
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
