//! `match`, `test`, `sub`: Perl's regexes, as Oniguruma reads them for jq.
use super::{
    evaluate::{Result, Stop},
    functions::described,
    value::{Array, Value},
};
use crate::pattern::{Dialect, Options, Pattern};

/// Every match of `regex` in `value`, as `match` describes it; `size` is the limit of a compiled regex.
pub(super) fn matches(size: usize, value: &Value, regex: &Value, flags: &Value) -> Result<Value> {
    let Some(text) = value.as_text() else {
        return Err(Stop::error(format!("{} cannot be matched, as it is not a string", described(value))));
    };
    let Some(regex) = regex.as_text() else {
        return Err(Stop::error(format!("{} cannot be matched, as it is not a string", described(regex))));
    };
    let letters = match flags {
        Value::Null => "",
        Value::Text(letters) => &letters.text,
        other => return Err(Stop::error(format!("{} is not a string", described(other)))),
    };
    let (mut all, mut skip_empty, mut extended) = (false, false, false);
    let mut options = Options { size, ..Options::default() };
    for letter in letters.chars() {
        match letter {
            'g' => all = true,
            'i' => options.ignore_case = true,
            'x' => extended = true,
            'n' => skip_empty = true,
            'p' => options.dot_matches_newline = true,
            's' | 'l' => {}
            _ => return Err(Stop::error(format!("{letters} is not a valid modifier string"))),
        }
    }
    let source = if extended { format!("(?x){regex}") } else { regex.to_string() };
    let failed = |error: crate::pattern::PatternError| {
        Stop::error(format!("{regex} (at offset 0) is not a valid regex: {error}"))
    };
    let pattern = Pattern::new(&[source], Dialect::Perl, options).map_err(failed)?;
    let mut captures = pattern.captures();
    let mut found = Array::default();
    let mut from = 0;
    let bytes = text.as_bytes();
    let mut counter = Counter { text, at: 0, count: 0 };
    loop {
        if !pattern.captures_at(bytes, from, &mut captures).map_err(failed)? {
            break;
        }
        let Some(whole) = captures.get(0) else { break };
        if !(skip_empty && whole.is_empty()) {
            let mut groups = Vec::new();
            for group in 1..captures.len() {
                let name = pattern.names().get(group).cloned().flatten();
                let name = name.map_or(Value::Null, Value::text);
                groups.push(match captures.get(group) {
                    Some(place) => Value::object([
                        ("offset".into(), Value::number(counter.offset(place.start))),
                        ("length".into(), Value::number(length(text, &place))),
                        ("string".into(), Value::text(&text[place])),
                        ("name".into(), name),
                    ]),
                    None => Value::object([
                        ("offset".into(), Value::number(-1.0)),
                        ("string".into(), Value::Null),
                        ("length".into(), Value::number(0.0)),
                        ("name".into(), name),
                    ]),
                });
            }
            found.push(Value::object([
                ("offset".into(), Value::number(counter.offset(whole.start))),
                ("length".into(), Value::number(length(text, &whole))),
                ("string".into(), Value::text(&text[whole.clone()])),
                ("captures".into(), Value::array(groups)),
            ]))?;
        }
        from = match whole.is_empty() {
            true => whole.end + text[whole.end..].chars().next().map_or(1, char::len_utf8),
            false => whole.end,
        };
        // As jq 1.7 does, nothing is looked for at the very end.
        if !all || from >= bytes.len() {
            break;
        }
    }
    Ok(found.into())
}

fn length(text: &str, place: &std::ops::Range<usize>) -> f64 {
    text[place.clone()].chars().count() as f64
}

/// Counts characters up to places that mostly come in order.
struct Counter<'t> {
    text: &'t str,
    at: usize,
    count: usize,
}

impl Counter<'_> {
    fn offset(&mut self, place: usize) -> f64 {
        if place < self.at {
            (self.at, self.count) = (0, 0);
        }
        self.count += self.text[self.at..place].chars().count();
        self.at = place;
        self.count as f64
    }
}
