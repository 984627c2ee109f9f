//! `${!name}`: the variable that another names.
use super::{Found, Index, Target, find, target, value::subscript_index};
use crate::{
    shell::{
        expand::{assign, is_name, split_subscript},
        interp::Interp,
        jump::Outcome,
    },
    syntax::ast::Param,
};
use std::borrow::Cow;

/// What an indirection means.
pub(super) enum Meant {
    /// This parameter.
    Target(Target<'static>),
    /// Of a nameref, the name it holds.
    Name(String),
}

/// What `${!param}` means.
pub(super) fn target(shell: &mut Interp, param: &Param) -> Outcome<Meant> {
    if param.index.is_none()
        && let Some(name) = assign::referent(shell, &param.name)
    {
        return Ok(Meant::Name(name));
    }
    let pointer = target::of(shell, param)?;
    let found = find(shell, &pointer)?;
    let text = match found {
        Found::Scalar(text) => text,
        Found::List { items, .. } => items.join(" "),
        Found::Unset => return shell.discard(format_args!("{}: invalid indirect expansion", param.name)),
    };
    let special = |text: &str| matches!(text, "@" | "*" | "#" | "?" | "-" | "$" | "!");
    if special(&text) || is_name(&text) || (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())) {
        return Ok(Meant::Target(Target { name: Cow::Owned(text), index: Index::None }));
    }
    match split_subscript(&text) {
        Some((name, subscript)) => {
            let index = subscript_index(shell, subscript)?;
            Ok(Meant::Target(Target { name: Cow::Owned(name.to_string()), index }))
        }
        None => shell.discard(format_args!("{text}: invalid variable name")),
    }
}
