//! From strings to variables: attributes, arrays, namerefs, and the variables that the shell keeps.
mod argument;
mod compound;
mod prepare;
mod reference;
mod store;
mod unset;

pub(crate) use argument::{Argument, declaration_words, plain_words};
pub(crate) use prepare::{Item, Prepared, PreparedValue, prepare};
pub(crate) use reference::{is_name, split_subscript};
pub(crate) use store::apply;
pub(crate) use unset::unset;

pub(super) use reference::{expand_subscript, follow, position, referent};
pub(super) use store::put;

use super::{
    params::{self, Found, Target},
    single,
};
use crate::{
    shell::{
        interp::Interp,
        jump::{Jump, Outcome},
    },
    syntax::ast::{AssignedValue, Assignment},
};
use docsh_builtins::{Status, Value};
use std::borrow::Cow;

/// Expand and make an assignment. An error (a readonly variable, a subscript that cannot be) drops the line.
pub(crate) fn assign(shell: &mut Interp, assignment: &Assignment) -> Outcome<()> {
    let done = match (&assignment.value, &assignment.index) {
        (AssignedValue::Word(word), None) => {
            let value = prepare::value(shell, word)?;
            put(shell, None, &assignment.name, None, value, assignment.append)?
        }
        _ => {
            let prepared = prepare(shell, assignment, false)?;
            apply(shell, None, prepared)?
        }
    };
    if done { Ok(()) } else { Err(Jump::Discard(Status::FAILURE)) }
}

/// Give a variable (or `name[subscript]`) a value: `read`, `for`, `getopts`, `printf -v`. `false` when it could not be
/// done, and that has been said.
pub(crate) fn set_var(shell: &mut Interp, name: &str, value: String) -> Outcome<bool> {
    match split_subscript(name) {
        Some((name, subscript)) => set_element(shell, name, subscript, value),
        None => put(shell, None, name, None, value, false),
    }
}

/// Give an element of an array a value; the subscript is as written.
fn set_element(shell: &mut Interp, name: &str, subscript: &str, value: String) -> Outcome<bool> {
    let subscript = expand_subscript(shell, subscript)?;
    put(shell, None, name, Some(&subscript), value, false)
}

/// The value of a variable as `$name` expands, namerefs followed.
pub(crate) fn get_var(shell: &mut Interp, name: &str) -> Option<String> {
    let target = Target { name: Cow::Borrowed(name), index: params::Index::None };
    match params::find(shell, &target) {
        Ok(Found::Scalar(value)) => Some(value),
        _ => None,
    }
}

/// What the nameref `name` holds; `None` when it is no nameref, or one without a value.
pub(crate) fn get_referent(shell: &Interp, name: &str) -> Option<String> {
    referent(shell, name)
}

/// `[[ -v name ]]`, `name[subscript]` included.
pub(crate) fn is_set(shell: &mut Interp, name: &str) -> Outcome<bool> {
    let digits = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    if is_name(name) || digits {
        return Ok(get_var(shell, name).is_some());
    }
    let Some((name, subscript)) = split_subscript(name) else { return Ok(false) };
    let index = params::subscript_index(shell, subscript)?;
    let found = params::find(shell, &Target { name: Cow::Borrowed(name), index })?;
    Ok(match found {
        Found::Unset => false,
        Found::Scalar(_) => true,
        Found::List { items, .. } => !items.is_empty(),
    })
}

/// Make `name` the array that holds `items`: `read -a`, `mapfile`. `false` when it could not be done, and that has been
/// said.
pub(crate) fn set_array(shell: &mut Interp, name: &str, items: Vec<String>) -> Outcome<bool> {
    let items = items.into_iter().map(|value| Item { key: None, append: false, value }).collect();
    let value = PreparedValue::Array(items);
    apply(shell, None, Prepared { name: name.to_string(), index: None, append: false, value })
}

/// Whether `value` is an array of either kind.
fn is_array(value: &Value) -> bool {
    matches!(value, Value::Indexed(_) | Value::Assoc(_))
}

/// The word of an assignment, neither split nor globbed.
fn one(shell: &mut Interp, word: &crate::syntax::ast::Word) -> Outcome<String> {
    single(shell, word)
}

#[cfg(test)]
mod tests;
