//! `name=(…)` and `name+=(…)`.
use super::{
    Item,
    reference::{follow, position},
    store::{cased, complain, may_change},
};
use crate::shell::{
    expand::{arith_text, arith_text_checked, quoting, special},
    interp::Interp,
    jump::{Jump, Outcome},
};
use docsh_builtins::{Array, Assoc, Attributes, Status, Value};

pub(super) fn apply(
    shell: &mut Interp,
    who: Option<&str>,
    name: &str,
    items: Vec<Item>,
    append: bool,
) -> Outcome<bool> {
    let Some(meant) = follow(shell, name) else { return Ok(false) };
    let name = meant.name.as_str();
    if !may_change(shell, who, name) {
        return Ok(false);
    }
    if special::array(shell, name).is_some() {
        return Ok(true);
    }
    let exported = shell.env.options.set.allexport;
    let variable = shell.env.session.vars.variable(name);
    let attributes = variable.map_or(Attributes::default(), |variable| variable.attributes);
    let bytes: usize = items.iter().map(|item| item.value.len() + item.key.as_ref().map_or(0, String::len)).sum();
    let replaced = variable.filter(|_| !append).map_or(0, |variable| variable.value.bytes());
    shell.hold(bytes + items.len() * Value::ELEMENT)?;
    shell.let_go(replaced);
    // Subscripts and integers are expressions, which may ask for what the array holds.
    let asks = attributes.integer || items.iter().any(|item| item.key.is_some());
    let held = &mut shell.env.session.vars.variable_mut(name).value;
    let known = match append {
        true if asks => held.clone(),
        true => std::mem::take(held),
        false if matches!(held, Value::Assoc(_)) => Value::Assoc(Assoc::default()),
        false => Value::Unset,
    };
    let value = match known {
        Value::Assoc(map) => Value::Assoc(associative(shell, who, name, map, items, &attributes)?),
        Value::Indexed(array) => Value::Indexed(indexed(shell, who, array, items, &attributes)?),
        Value::Scalar(text) => Value::Indexed(indexed(shell, who, Array::from([(0, text)]), items, &attributes)?),
        Value::Unset => Value::Indexed(indexed(shell, who, Array::new(), items, &attributes)?),
    };
    let variable = shell.env.session.vars.variable_mut(name);
    variable.value = value;
    variable.attributes.unassigned = false;
    variable.attributes.exported |= exported;
    Ok(true)
}

fn indexed(
    shell: &mut Interp,
    who: Option<&str>,
    mut array: Array,
    items: Vec<Item>,
    attributes: &Attributes,
) -> Outcome<Array> {
    let mut next = array.last_key_value().map_or(0, |(last, _)| last + 1);
    for item in items {
        let at = match &item.key {
            None => next,
            Some(key) => {
                let index = if key.trim().is_empty() { -1 } else { arith_text(shell, key)? };
                match position(&array, index).filter(|_| !key.trim().is_empty()) {
                    Some(at) => at,
                    None => {
                        complain(shell, who, format_args!("[{key}]={}: bad array subscript", item.value));
                        continue;
                    }
                }
            }
        };
        let old = if item.append { array.remove(&at).unwrap_or_default() } else { String::new() };
        let value = joined(shell, who, old, item, attributes)?;
        array.insert(at, value);
        next = at.saturating_add(1);
    }
    Ok(array)
}

fn associative(
    shell: &mut Interp,
    who: Option<&str>,
    name: &str,
    mut map: Assoc,
    items: Vec<Item>,
    attributes: &Attributes,
) -> Outcome<Assoc> {
    // `(key value key value)`, when the first has no subscript.
    let pairs = items.first().is_some_and(|item| item.key.is_none());
    let mut items = items.into_iter();
    while let Some(mut item) = items.next() {
        let key = match (pairs, item.key.take()) {
            (false, Some(key)) => key,
            (false, None) => {
                // A declaration shows it as it was prepared, in quotes.
                let value = if who.is_some() { quoting::single_quoted(&item.value) } else { item.value };
                complain(shell, None, format!("{name}: {value}: must use subscript when assigning associative array"));
                continue;
            }
            (true, key) => {
                let word = key.map_or(item.value.clone(), |key| format!("[{key}]={}", item.value));
                item = items.next().unwrap_or(Item { key: None, append: false, value: String::new() });
                item.append = false;
                word
            }
        };
        if key.is_empty() {
            complain(shell, who, format_args!("[{key}]={}: bad array subscript", item.value));
            continue;
        }
        let old = if item.append { map.get(&key).unwrap_or_default().to_string() } else { String::new() };
        let value = joined(shell, who, old, item, attributes)?;
        map.insert(key, value);
    }
    Ok(map)
}

/// The value of an item after `old`, as the variable's attributes want it.
fn joined(shell: &mut Interp, who: Option<&str>, old: String, item: Item, attributes: &Attributes) -> Outcome<String> {
    if !attributes.integer {
        return Ok(cased(old + &item.value, attributes));
    }
    let old = arith_text(shell, &old)?;
    match arith_text_checked(shell, &item.value, who.unwrap_or_default())? {
        Some(new) => Ok(old.wrapping_add(new).to_string()),
        None => Err(Jump::Discard(Status::FAILURE)),
    }
}
