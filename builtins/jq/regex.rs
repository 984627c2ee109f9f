//! `match`, `test`, `sub`: Perl's regexes, as Oniguruma reads them for jq.
use super::{
    evaluate::{Result, Stop},
    functions::described,
    value::{Array, Value},
};
use crate::pattern::{Dialect, Options, Pattern, PatternError};
use std::{collections::HashMap, rc::Rc};

/// The regexes of a program, each compiled once. A program has few; one that makes them up has only the last ones.
#[derive(Default)]
pub(super) struct Regexes(HashMap<(String, String), Rc<Regex>>);

/// A compiled regex and its flags.
pub(super) struct Regex {
    source: String,
    pattern: Pattern,
    /// `g`
    all: bool,
    /// `n`
    skip_empty: bool,
}

impl Regexes {
    /// As many are kept.
    const MOST: usize = 16;

    /// The regex to be looked for in `value`; `size` is the limit of a compiled one.
    pub(super) fn get(&mut self, size: usize, value: &Value, regex: &Value, flags: &Value) -> Result<Rc<Regex>> {
        let not_text = |value| Stop::error(format!("{} cannot be matched, as it is not a string", described(value)));
        if value.as_text().is_none() {
            return Err(not_text(value));
        }
        let source = regex.as_text().ok_or_else(|| not_text(regex))?;
        let letters = match flags {
            Value::Null => "",
            Value::Text(letters) => &letters.text,
            other => return Err(Stop::error(format!("{} is not a string", described(other)))),
        };
        let key = (source.to_string(), letters.to_string());
        if let Some(regex) = self.0.get(&key) {
            return Ok(regex.clone());
        }
        let regex = Rc::new(Regex::compile(size, source, letters)?);
        if self.0.len() == Regexes::MOST {
            self.0.clear();
        }
        self.0.insert(key, regex.clone());
        Ok(regex)
    }
}

impl Regex {
    fn compile(size: usize, source: &str, letters: &str) -> Result<Regex> {
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
        let text = if extended { format!("(?x){source}") } else { source.to_string() };
        let pattern = Pattern::new(&[text], Dialect::Perl, options).map_err(|error| failed(source, &error))?;
        Ok(Regex { source: source.to_string(), pattern, all, skip_empty })
    }

    /// Every match in `value`, as `match` describes it.
    pub(super) fn matches(&self, value: &Value) -> Result<Value> {
        matches(self, value.as_text().unwrap_or_default())
    }
}

fn failed(source: &str, error: &PatternError) -> Stop {
    Stop::error(format!("{source} (at offset 0) is not a valid regex: {error}"))
}

/// What stands between `matches`, as `match` describes them, before the first one and behind the last.
pub(super) fn between<'t>(text: &'t str, matches: &[Value]) -> Vec<&'t str> {
    let number = |found: &Value, name: &str| {
        let Value::Object(members) = found else { return 0 };
        members.get(name).and_then(Value::as_number).map_or(0, |number| number as usize)
    };
    // Places come in order: so many characters of the text lie behind, and `rest` ahead.
    let (mut behind, mut rest) = (0, text);
    let mut texts = Vec::with_capacity(matches.len() + 1);
    for found in matches {
        let (start, length) = (number(found, "offset"), number(found, "length"));
        let (before, from) = split_at(rest, start.saturating_sub(behind));
        texts.push(before);
        (_, rest) = split_at(from, length);
        behind = start.max(behind) + length;
    }
    texts.push(rest);
    texts
}

/// The first `count` characters, and the others.
fn split_at(text: &str, count: usize) -> (&str, &str) {
    text.split_at(text.char_indices().nth(count).map_or(text.len(), |(at, _)| at))
}

fn matches(regex: &Regex, text: &str) -> Result<Value> {
    let Regex { source, pattern, all, skip_empty } = regex;
    let mut captures = pattern.captures();
    let mut found = Array::default();
    let mut from = 0;
    let bytes = text.as_bytes();
    let mut counter = Counter { text, at: 0, count: 0 };
    loop {
        if !pattern.captures_at(bytes, from, &mut captures).map_err(|error| failed(source, &error))? {
            break;
        }
        let Some(whole) = captures.get(0) else { break };
        if !(*skip_empty && whole.is_empty()) {
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
        if !*all || from >= bytes.len() {
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
