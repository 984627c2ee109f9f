//! `${x:offset:length}`: of characters, of elements, of positional parameters.
use super::{Found, Index, Target};
use crate::{
    shell::{
        expand::{arith, special},
        interp::Interp,
        jump::Outcome,
    },
    syntax::ast::Word,
};
use docsh_builtins::Value;

pub(super) fn apply(
    shell: &mut Interp,
    target: &Target<'_>,
    found: Found,
    offset: &Word,
    len: Option<&Word>,
) -> Outcome<Found> {
    let who = target.name.clone();
    let offset = arith::within(shell, offset, &who)?;
    let len = match len {
        Some(len) => Some(arith::within(shell, len, &who)?),
        None => None,
    };
    match found {
        Found::Unset => Ok(Found::Unset),
        Found::Scalar(text) => Ok(Found::Scalar(characters(shell, &text, offset, len)?)),
        Found::List { items, star } => {
            let items = elements(shell, target, items, offset, len)?;
            Ok(Found::List { items, star })
        }
    }
}

fn characters(shell: &mut Interp, text: &str, offset: i64, len: Option<i64>) -> Outcome<String> {
    let count = text.chars().count() as i64;
    let start = if offset < 0 { offset.saturating_add(count) } else { offset };
    if start < 0 || start > count {
        return Ok(String::new());
    }
    let end = match len {
        None => count,
        Some(len) if len < 0 => match len.saturating_add(count) {
            end if end < start => return shell.discard(format_args!("{len}: substring expression < 0")),
            end => end,
        },
        Some(len) => start.saturating_add(len).min(count),
    };
    Ok(text.chars().skip(start as usize).take((end - start) as usize).collect())
}

fn elements(
    shell: &mut Interp,
    target: &Target<'_>,
    items: Vec<String>,
    offset: i64,
    len: Option<i64>,
) -> Outcome<Vec<String>> {
    let positional = matches!(&*target.name, "@" | "*");
    let is_array = positional || special::array(shell, &target.name).is_some();
    let variable = shell.env.session.vars.variable(&target.name).map(|variable| &variable.value);
    if !is_array && let (Index::All { .. }, Some(Value::Scalar(_))) = (&target.index, variable) {
        // A scalar's `[@]` is cut like the scalar.
        let text = items.into_iter().next().unwrap_or_default();
        return Ok(vec![characters(shell, &text, offset, len)?]);
    }
    if let Some(len) = len.filter(|len| *len < 0) {
        return shell.discard(format_args!("{len}: substring expression < 0"));
    }
    let len = len.map_or(usize::MAX, |len| len as usize);
    // Sparse arrays are cut by index, associative ones by position, counted from 1.
    let numbered: Vec<(i64, String)> = match (positional, variable) {
        (true, _) => {
            let name = std::iter::once(shell.env.session.name.clone());
            name.chain(items).enumerate().map(|(at, item)| (at as i64, item)).collect()
        }
        (_, Some(Value::Indexed(array))) => array.iter().map(|(at, item)| (*at as i64, item.clone())).collect(),
        (_, Some(Value::Assoc(_))) => items.into_iter().enumerate().map(|(at, item)| (at as i64 + 1, item)).collect(),
        _ => items.into_iter().enumerate().map(|(at, item)| (at as i64, item)).collect(),
    };
    let end = numbered.last().map_or(0, |(at, _)| at + 1);
    let start = if offset < 0 { offset.saturating_add(end) } else { offset };
    if start < 0 {
        return Ok(Vec::new());
    }
    Ok(numbered.into_iter().skip_while(|(at, _)| *at < start).take(len).map(|(_, item)| item).collect())
}
