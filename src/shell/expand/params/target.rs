//! Which variable, and which part of it, an expansion is about.
use crate::{
    shell::{expand::single, interp::Interp, jump::Outcome},
    syntax::{
        ast::{Param, Part, Word},
        print,
    },
};
use std::borrow::Cow;

/// A parameter's name and the part that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target<'a> {
    /// A variable, a number, or one of `@*#?-$!_`.
    pub name: Cow<'a, str>,
    /// Its part.
    pub index: Index,
}

/// The part of a variable that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Index {
    /// No subscript.
    None,
    /// `[@]`, or `[*]` with `star`.
    All {
        /// `[*]`
        star: bool,
    },
    /// Any other subscript, expanded: a key, or an arithmetic expression.
    Key(String),
}

/// What `param` names, apart from `${!…}`.
pub(super) fn of<'a>(shell: &mut Interp, param: &'a Param) -> Outcome<Target<'a>> {
    let index = match &param.index {
        None => Index::None,
        Some(word) => index(shell, word)?,
    };
    Ok(Target { name: Cow::Borrowed(&param.name), index })
}

/// A subscript as written.
pub(super) fn index(shell: &mut Interp, word: &Word) -> Outcome<Index> {
    Ok(match word.0.as_slice() {
        [Part::Lit(text)] if text == "@" => Index::All { star: false },
        [Part::Lit(text)] if text == "*" => Index::All { star: true },
        _ => Index::Key(single(shell, word)?),
    })
}

/// How `unbound variable` calls it: `x`, `a[$i]`, `$1`.
pub(super) fn unbound_name(param: &Param, target: &Target<'_>) -> String {
    if param.indirect {
        return target.name.to_string();
    }
    match param.name.as_str() {
        "!" => "$!".to_string(),
        name if name.bytes().all(|byte| byte.is_ascii_digit()) => format!("${name}"),
        _ => written(param),
    }
}

/// `name[index]`, as typed.
pub(super) fn written(param: &Param) -> String {
    match &param.index {
        Some(index) => format!("{}[{}]", param.name, print::word(index)),
        None => param.name.clone(),
    }
}
