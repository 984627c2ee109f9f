//! `$name` and `${…}`: find what the name holds, do to it what the operator says, and put it among the fields.
pub(super) mod case;
mod default;
mod indirect;
mod replace;
mod slice;
mod target;
mod transform;
mod trim;
mod value;

pub(super) use target::{Index, Target};
pub(crate) use transform::attribute_letters;
pub(super) use value::{Found, find, keys, subscript_index};

use super::{
    fields::Fields,
    parts::{self, Place},
    special,
};
use crate::{
    shell::{interp::Interp, jump::Outcome},
    syntax::{
        ast::{Param, ParamOp},
        print,
    },
};

/// Expand one parameter.
pub(super) fn expand(shell: &mut Interp, param: &Param, place: Place, fields: &mut Fields) -> Outcome<()> {
    if let (ParamOp::Get, false, None) = (&param.op, param.indirect, &param.index)
        && let Some(text) = value::plain(shell, &param.name)
    {
        parts::result(text, place, fields);
        return Ok(());
    }
    if param.index.as_ref().is_some_and(|index| index.0.is_empty()) {
        return shell.discard(format_args!("{}: bad substitution", print::parameter(param)));
    }
    let target = match &param.op {
        ParamOp::Bad(text) => return shell.discard(format_args!("{text}: bad substitution")),
        ParamOp::Names(kind) => {
            let names = value::names(shell, &param.name);
            return put(Found::List { items: names, star: *kind == '*' }, place, fields);
        }
        _ if param.indirect => match indirect::target(shell, param)? {
            indirect::Meant::Target(target) => target,
            indirect::Meant::Name(name) => return put(Found::Scalar(name), place, fields),
        },
        _ => target::of(shell, param)?,
    };
    if let ParamOp::Keys = param.op {
        let star = target.index == Index::All { star: true };
        return put(Found::List { items: keys(shell, &target.name), star }, place, fields);
    }
    let found = find(shell, &target)?;
    if let ParamOp::Default { colon, op, word } = &param.op {
        return default::expand(
            shell,
            &default::Default { param, target, colon: *colon, op: *op, word },
            found,
            place,
            fields,
        );
    }
    if found == Found::Unset && shell.env.options.set.nounset {
        return shell.fatal(format_args!("{}: unbound variable", target::unbound_name(param, &target)));
    }
    if let (ParamOp::Case { .. } | ParamOp::Transform(_), Found::Scalar(text)) = (&param.op, &found) {
        // Quotes make four characters of one.
        shell.room_for(text.len().saturating_mul(4))?;
    }
    let found = match &param.op {
        ParamOp::Len if shell.env.options.set.nounset && is_unset_array(shell, &target) => {
            return shell.discard(format_args!("{}: unbound variable", target.name));
        }
        ParamOp::Len => Found::Scalar(length(&found).to_string()),
        ParamOp::Trim { suffix, longest, pattern } => trim::apply(shell, found, *suffix, *longest, pattern)?,
        ParamOp::Replace { which, pattern, with } => replace::apply(shell, found, *which, pattern, with)?,
        ParamOp::Slice { offset, len } => slice::apply(shell, &target, found, offset, len.as_ref())?,
        ParamOp::Case { op, all, pattern } => case::apply(shell, found, *op, *all, pattern)?,
        ParamOp::Transform(operator) => transform::apply(shell, param, &target, found, *operator)?,
        _ => found,
    };
    put(found, place, fields)
}

/// Whether all elements are asked for of a variable that there is not.
fn is_unset_array(shell: &Interp, target: &Target<'_>) -> bool {
    matches!(target.index, Index::All { .. })
        && shell.env.session.vars.variable(&target.name).is_none()
        && special::array(shell, &target.name).is_none()
}

fn length(found: &Found) -> usize {
    match found {
        Found::Unset => 0,
        Found::Scalar(text) => text.chars().count(),
        Found::List { items, .. } => items.len(),
    }
}

/// Put what was found among the fields.
fn put(found: Found, place: Place, fields: &mut Fields) -> Outcome<()> {
    match found {
        Found::Unset => {}
        Found::Scalar(text) => parts::result(&text, place, fields),
        Found::List { items, star } if place == Place::Quoted => put_quoted(&items, star, fields),
        Found::List { items, star } if fields.is_joined() => {
            let joint = if star { fields.ifs().joint().to_string() } else { " ".to_string() };
            fields.literal(&items.join(&joint));
        }
        Found::List { items, .. } if fields.ifs().is_empty() => {
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    fields.end_field();
                }
                fields.literal(item);
            }
        }
        Found::List { items, .. } => {
            let joint = fields.ifs().joint().to_string();
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    fields.split(&joint);
                }
                fields.split(item);
            }
        }
    }
    Ok(())
}

fn put_quoted(items: &[String], star: bool, fields: &mut Fields) {
    if star || fields.is_joined() {
        let joint = if star { fields.ifs().joint().to_string() } else { " ".to_string() };
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                fields.quoted(&joint);
            }
            fields.quoted(item);
        }
        return;
    }
    if items.is_empty() {
        fields.hollow = true;
    }
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            fields.end_field();
        }
        fields.mark();
        fields.quoted(item);
    }
}

#[cfg(test)]
mod tests;
