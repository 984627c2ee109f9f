//! The functions that make one value of their input and their arguments.
use super::{ValueFn, names};
use crate::jq::{
    evaluate::{Interpreter, Result, Stop},
    format,
    functions::{
        add, change_case, contains, described, extreme, flatten, from_json, has, implode, indices, join, keys, length,
        real, sorted, to_number, trim,
    },
    math, path, regex, time,
    value::{Array, Value},
    write::compact,
};
use std::{cmp::Ordering, io::Write};

/// The functions, by name and number of arguments.
pub(super) const VALUES: &[(&str, usize, ValueFn)] = &[
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
    ("tostring", 0, |_, value, _| format::text(value)),
    ("tonumber", 0, |_, value, _| to_number(value)),
    ("format", 1, |_, value, arguments| match arguments[0].as_text() {
        Some(name) => match format::Format::named(name) {
            Some(format) => format.apply(value),
            None => Err(Stop::error(format!("{name} is not a valid format"))),
        },
        None => Err(Stop::error(format!("{} is not a valid format", described(&arguments[0])))),
    }),
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
    ("_match", 2, |this, value, arguments| {
        let regex = this.regexes.get(this.call.limits.regex, value, &arguments[0], &arguments[1])?;
        regex.matches(value)
    }),
    ("_between", 1, |_, value, arguments| {
        let (text, matches) = (value.as_text().unwrap_or_default(), arguments[0].as_array().unwrap_or_default());
        Value::gathered(regex::between(text, matches).into_iter().map(Value::text)).map_err(Stop::from)
    }),
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
        match paths.iter().all(|path| path.as_array().is_some()) {
            true => path::delete(value.clone(), paths),
            false => Err(Stop::error("Path must be specified as an array")),
        }
    }),
    ("error", 0, |_, value, _| Err(Stop::Error(value.clone()))),
    ("infinite", 0, |_, _, _| Ok(Value::number(f64::INFINITY))),
    ("nan", 0, |_, _, _| Ok(Value::number(f64::NAN))),
    ("isinfinite", 0, |_, value, _| Ok(Value::Bool(real(value)?.is_infinite()))),
    ("isnan", 0, |_, value, _| Ok(Value::Bool(real(value)?.is_nan()))),
    ("isnormal", 0, |_, value, _| Ok(Value::Bool(real(value)?.is_normal()))),
    ("pow", 2, |_, _, arguments| {
        let (base, exponent) = (real(&arguments[0])?, real(&arguments[1])?);
        Ok(Value::number(base.powf(exponent)))
    }),
    ("atan2", 2, |_, _, arguments| Ok(Value::number(real(&arguments[0])?.atan2(real(&arguments[1])?)))),
    ("fmod", 2, |_, _, arguments| Ok(Value::number(real(&arguments[0])? % real(&arguments[1])?))),
    ("fmin", 2, |_, _, arguments| Ok(Value::number(real(&arguments[0])?.min(real(&arguments[1])?)))),
    ("fmax", 2, |_, _, arguments| Ok(Value::number(real(&arguments[0])?.max(real(&arguments[1])?)))),
    ("hypot", 2, |_, _, arguments| Ok(Value::number(real(&arguments[0])?.hypot(real(&arguments[1])?)))),
    ("ldexp", 2, |_, _, arguments| Ok(Value::number(real(&arguments[0])? * 2f64.powf(real(&arguments[1])?)))),
    ("scalb", 2, |_, _, arguments| Ok(Value::number(real(&arguments[0])? * 2f64.powf(real(&arguments[1])?)))),
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
        Ok(Value::array(names().map(|(name, arity)| Value::text(format!("{name}/{arity}"))).collect()))
    }),
];

impl Interpreter<'_, '_, '_> {
    /// Text to stderr, as it is.
    fn say(&mut self, text: &str) -> Result {
        self.call.stdout.flush()?;
        self.call.stderr.write_all(text.as_bytes())?;
        Ok(())
    }
}
