//! Names: what a nameref means, what a subscript says.
use crate::{
    shell::{expand::single, interp::Interp, jump::Outcome},
    syntax,
};
use docsh_builtins::{Array, Value};

/// Namerefs that may lead to each other.
const MOST_REFERENCES: usize = 8;

/// A variable that was meant, and the element of it that a nameref meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meant {
    pub name: String,
    pub subscript: Option<String>,
}

/// The variable that `name` means: itself, unless it is a nameref that has a value. `None`, with bash's warning, for
/// those that go round in circles.
pub(crate) fn follow(shell: &Interp, name: &str) -> Option<Meant> {
    let mut meant = Meant { name: name.to_string(), subscript: None };
    for _ in 0..=MOST_REFERENCES {
        let Some(next) = referent(shell, &meant.name) else { return Some(meant) };
        match split_subscript(&next) {
            Some((name, subscript)) => {
                return Some(Meant { name: name.to_string(), subscript: Some(subscript.to_string()) });
            }
            None => meant.name = next,
        }
    }
    shell.complain(format_args!("warning: {name}: circular name reference"));
    None
}

/// What the nameref `name` holds; `None` when it is no nameref, or one without a value.
pub(crate) fn referent(shell: &Interp, name: &str) -> Option<String> {
    let variable = shell.env.session.vars.variable(name)?;
    match &variable.value {
        Value::Scalar(target) if variable.attributes.nameref && !target.is_empty() => Some(target.clone()),
        _ => None,
    }
}

/// Whether `text` can name a variable.
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// `name[subscript]` in its two parts.
pub(crate) fn split_subscript(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once('[')?;
    let subscript = rest.strip_suffix(']')?;
    (is_name(name) && !subscript.is_empty()).then_some((name, subscript))
}

/// A subscript met as text while running, expanded.
pub(crate) fn expand_subscript(shell: &mut Interp, text: &str) -> Outcome<String> {
    if !text.contains(['$', '`', '"', '\'', '\\']) {
        return Ok(text.to_string());
    }
    match syntax::parse_subscript(text) {
        Ok(word) => single(shell, &word),
        Err(error) => shell.discard(error),
    }
}

/// Where `index` is in `array`: negative ones count from the end. `None` before its beginning.
pub(crate) fn position(array: &Array, index: i64) -> Option<u64> {
    if let Ok(index) = u64::try_from(index) {
        return Some(index);
    }
    let end = array.last_key_value().map_or(0, |(last, _)| last + 1);
    end.checked_sub(index.unsigned_abs())
}
