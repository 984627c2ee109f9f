//! `${x@Q}` and its siblings.
use super::{Found, Index, Target, case};
use crate::{
    shell::{
        expand::{assign, escapes, prompt, quoting, special},
        interp::Interp,
        jump::Outcome,
    },
    syntax::{ast::Param, print},
};
use docsh_builtins::{Attributes, Value};

pub(super) fn apply(
    shell: &mut Interp,
    param: &Param,
    target: &Target<'_>,
    found: Found,
    operator: char,
) -> Outcome<Found> {
    if matches!(operator, 'a' | 'A') && !is_positional(target) {
        return Ok(declaration(shell, target, found, operator));
    }
    match (operator, found) {
        (_, Found::Unset) => Ok(Found::Unset),
        ('A', Found::List { items, star }) => {
            let quoted: Vec<String> = items.iter().map(|item| quoting::quoted(item)).collect();
            let set = if quoted.is_empty() { Vec::new() } else { vec!["set".to_string(), "--".to_string()] };
            Ok(Found::List { items: [set, quoted].concat(), star })
        }
        ('a', Found::List { items, star }) => {
            Ok(Found::List { items: items.iter().map(|_| String::new()).collect(), star })
        }
        ('K', Found::List { items, star }) if !is_positional(target) => {
            let pairs = pairs(shell, target, items);
            let mut text: Vec<String> = pairs
                .iter()
                .map(|(key, value, bare)| {
                    let key = if *bare { key.clone() } else { quoting::key(key) };
                    format!("{key} {}", quoting::double_quoted(value))
                })
                .collect();
            // bash ends an associative array's list with a space.
            if pairs.iter().any(|(_, _, bare)| !bare) {
                text.push(String::new());
            }
            Ok(Found::List { items: vec![text.join(" ")], star })
        }
        ('k', Found::List { items, star }) if !is_positional(target) => {
            let pairs = pairs(shell, target, items);
            Ok(Found::List { items: pairs.into_iter().flat_map(|(key, value, _)| [key, value]).collect(), star })
        }
        ('Q' | 'K' | 'k', found) => found.map(|text| Ok(quoting::quoted(&text))),
        ('U', found) => found.map(|text| Ok(text.chars().map(case::upper).collect())),
        ('L', found) => found.map(|text| Ok(text.chars().map(case::lower).collect())),
        ('u', found) => found.map(|text| {
            let mut chars = text.chars();
            Ok(chars.next().map(case::upper).into_iter().chain(chars).collect())
        }),
        ('E', found) => found.map(|text| Ok(escapes::decode(&text))),
        ('P', found) => found.map(|text| prompt::expand(shell, &text)),
        _ => shell.fatal(format_args!("{}: bad substitution", print::parameter(param))),
    }
}

fn is_positional(target: &Target<'_>) -> bool {
    matches!(&*target.name, "@" | "*")
}

/// Keys with their values, and whether the keys are numbers.
fn pairs(shell: &mut Interp, target: &Target<'_>, items: Vec<String>) -> Vec<(String, String, bool)> {
    let keys = super::keys(shell, &target.name);
    let value = shell.env.session.vars.variable(&target.name).map(|variable| &variable.value);
    let bare = !matches!(value, Some(Value::Assoc(_)));
    keys.into_iter().zip(items).map(|(key, item)| (key, item, bare)).collect()
}

/// `@a`, a variable's attributes as letters, and `@A`, a command that would make it.
fn declaration(shell: &mut Interp, target: &Target<'_>, found: Found, operator: char) -> Found {
    let Some(meant) = assign::follow(shell, &target.name) else { return Found::Unset };
    let all = matches!(target.index, Index::All { .. });
    let Some(variable) = shell.env.session.vars.variable(&meant.name) else {
        let array = special::array(shell, &meant.name).is_some();
        return match (operator, found) {
            ('a', Found::Scalar(_)) if !array => Found::Scalar(String::new()),
            ('A', Found::Scalar(text)) if !array => Found::Scalar(format!("{}={}", meant.name, quoting::quoted(&text))),
            (_, found) => found,
        };
    };
    let letters = attribute_letters(&variable.attributes, &variable.value);
    if operator == 'a' {
        return match found {
            Found::List { items, star } => Found::List { items: items.iter().map(|_| letters.clone()).collect(), star },
            Found::Unset if letters.is_empty() => Found::Unset,
            _ => Found::Scalar(letters),
        };
    }
    let head = if letters.is_empty() { String::new() } else { format!("declare -{letters} ") };
    let name = &meant.name;
    match (&variable.value, found) {
        (Value::Indexed(_) | Value::Assoc(_), Found::List { star, .. }) if all => {
            let compound = format!("{name}={}", quoting::compound(&variable.value));
            Found::List { items: vec!["declare".to_string(), format!("-{letters}"), compound], star }
        }
        (_, Found::Unset) if letters.is_empty() => Found::Unset,
        (_, Found::Unset) => Found::Scalar(format!("{head}{name}")),
        (_, Found::List { items, star }) => {
            let items = items.iter().map(|item| format!("{head}{name}={}", quoting::quoted(item))).collect();
            Found::List { items, star }
        }
        (_, Found::Scalar(text)) => Found::Scalar(format!("{head}{name}={}", quoting::quoted(&text))),
    }
}

/// Attributes as `declare` takes them, in bash's order.
pub(crate) fn attribute_letters(attributes: &Attributes, value: &Value) -> String {
    let flags = [
        (matches!(value, Value::Indexed(_)), 'a'),
        (matches!(value, Value::Assoc(_)), 'A'),
        (attributes.integer, 'i'),
        (attributes.nameref, 'n'),
        (attributes.readonly, 'r'),
        (attributes.trace, 't'),
        (attributes.exported, 'x'),
        (attributes.capital, 'c'),
        (attributes.lower, 'l'),
        (attributes.upper, 'u'),
    ];
    flags.iter().filter(|(on, _)| *on).map(|(_, letter)| *letter).collect()
}
