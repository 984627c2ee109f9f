//! Assignments whose words are expanded, but which are not made yet: the arguments of `declare`.
use super::{
    one,
    reference::{follow, is_name},
};
use crate::{
    shell::{
        expand::{Tildes, joined, words},
        interp::Interp,
        jump::Outcome,
        memory::weight,
    },
    syntax::ast::{AssignedValue, Assignment, Part, Word},
};
use docsh_builtins::Value;
use std::fmt;

/// An assignment, expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prepared {
    /// The variable.
    pub name: String,
    /// Its subscript, expanded but not evaluated.
    pub index: Option<String>,
    /// `+=`
    pub append: bool,
    /// What is assigned.
    pub value: PreparedValue,
}

/// The right side of an assignment, expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PreparedValue {
    /// One string.
    Scalar(String),
    /// `(…)`
    Array(Vec<Item>),
}

/// One item of a compound assignment, expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// The subscript of `[key]=value`.
    pub key: Option<String>,
    /// `[key]+=value`
    pub append: bool,
    /// The value.
    pub value: String,
}

/// Expand the words of an assignment, in bash's order: the value, then the subscript. The items of an associative array
/// (known as such, or `declared` so by the command it is an argument of) are not split.
pub(crate) fn prepare(shell: &mut Interp, assignment: &Assignment, declared: bool) -> Outcome<Prepared> {
    if assignment.index.as_ref().is_some_and(|index| index.0.is_empty()) {
        return shell.discard(format_args!("{}[]: bad array subscript", assignment.name));
    }
    let known = follow(shell, &assignment.name).and_then(|meant| shell.env.session.vars.variable(&meant.name));
    let associative = declared || matches!(known.map(|variable| &variable.value), Some(Value::Assoc(_)));
    let value = match &assignment.value {
        AssignedValue::Word(word) => PreparedValue::Scalar(value(shell, word)?),
        AssignedValue::Array(items) => {
            let mut prepared = Vec::with_capacity(items.len());
            let mut paid = shell.world.memory.purse();
            for item in items {
                let Some(key) = &item.key else {
                    let values = match associative {
                        true => vec![one(shell, &item.value)?],
                        false => words(shell, std::slice::from_ref(&item.value))?,
                    };
                    shell.pay(&mut paid, weight(&values))?;
                    prepared.extend(values.into_iter().map(|value| Item { key: None, append: false, value }));
                    continue;
                };
                let key = one(shell, key)?;
                let value = value(shell, &item.value)?;
                prepared.push(Item { key: Some(key), append: item.append, value });
            }
            PreparedValue::Array(prepared)
        }
    };
    let index = match &assignment.index {
        Some(index) => Some(one(shell, index)?),
        None => None,
    };
    Ok(Prepared { name: assignment.name.clone(), index, append: assignment.append, value })
}

/// The word on the right of `=`: not split, with tildes after colons.
pub(super) fn value(shell: &mut Interp, word: &Word) -> Outcome<String> {
    match word.0.as_slice() {
        [] => Ok(String::new()),
        [Part::Quoted(text)] => Ok(text.clone()),
        [Part::Lit(text)] if !text.contains('~') => Ok(text.clone()),
        _ => joined(shell, word, Tildes::Assignment).map(|field| field.text),
    }
}

impl Prepared {
    /// `name=value`, `name+=value`, `name[subscript]=value` met as text while running.
    pub(crate) fn parse(text: &str) -> Option<Prepared> {
        let head = match text.find('[') {
            Some(open) if is_name(&text[..open]) => {
                let close = open + text[open..].find("]=").or_else(|| text[open..].find("]+="))?;
                Some((open, close))
            }
            _ => None,
        };
        let (name, index, rest) = match head {
            Some((open, close)) => (&text[..open], Some(text[open + 1..close].to_string()), &text[close + 1..]),
            None => {
                let end = text.find(['=', '+'])?;
                (&text[..end], None, &text[end..])
            }
        };
        let (append, value) = match rest.strip_prefix("+=") {
            Some(value) => (true, value),
            None => (false, rest.strip_prefix('=')?),
        };
        let value = PreparedValue::Scalar(value.to_string());
        is_name(name).then(|| Prepared { name: name.to_string(), index, append, value })
    }
}

impl fmt::Display for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(index) = &self.index {
            write!(f, "[{index}]")?;
        }
        f.write_str(if self.append { "+=" } else { "=" })?;
        match &self.value {
            PreparedValue::Scalar(value) => f.write_str(value),
            PreparedValue::Array(items) => {
                let items: Vec<String> = items
                    .iter()
                    .map(|item| match &item.key {
                        Some(key) => format!("[{key}]{}={}", if item.append { "+" } else { "" }, item.value),
                        None => item.value.clone(),
                    })
                    .collect();
                write!(f, "({})", items.join(" "))
            }
        }
    }
}
