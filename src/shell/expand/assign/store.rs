//! Putting a value into a variable: the one place where assignments happen.
use super::{
    Prepared, PreparedValue, compound, is_array,
    reference::{follow, position},
};
use crate::shell::{
    expand::{arith_text, arith_text_checked, params::case, special},
    interp::Interp,
    jump::{Jump, Outcome},
};
use docsh_builtins::{Attributes, Status, Value};

/// Make a prepared assignment, for the command called `who` if it is one. `false` when it could not be done, and that
/// has been said.
pub(crate) fn apply(shell: &mut Interp, who: Option<&str>, prepared: Prepared) -> Outcome<bool> {
    let Prepared { name, index, append, value } = prepared;
    match value {
        PreparedValue::Scalar(value) => put(shell, who, &name, index.as_deref(), value, append),
        PreparedValue::Array(_) if index.is_some() => {
            let index = index.unwrap_or_default();
            complain(shell, who, format_args!("{name}[{index}]: cannot assign list to array member"));
            Ok(false)
        }
        PreparedValue::Array(items) => compound::apply(shell, who, &name, items, append),
    }
}

/// `name=value` or `name[subscript]=value`, where `subscript` is expanded but not evaluated. `false` when it could not
/// be done, and that has been said.
pub(crate) fn put(
    shell: &mut Interp,
    who: Option<&str>,
    name: &str,
    subscript: Option<&str>,
    value: String,
    append: bool,
) -> Outcome<bool> {
    let Some(meant) = follow(shell, name) else { return Ok(false) };
    let subscript = subscript.or(meant.subscript.as_deref());
    let name = meant.name.as_str();
    if !may_change(shell, who, name) {
        return Ok(false);
    }
    match special::assign(shell, name, &value) {
        special::Kept::No => {}
        special::Kept::Ignored | special::Kept::Taken => return Ok(true),
        special::Kept::Readonly => {
            complain(shell, who, format_args!("{name}: readonly variable"));
            return Ok(false);
        }
    }
    let place = match subscript {
        None => Place::Whole,
        Some(subscript) => match element(shell, name, subscript)? {
            Some(place) => place,
            None => {
                complain(shell, who, format_args!("{name}[{subscript}]: bad array subscript"));
                return Ok(false);
            }
        },
    };
    let exported = shell.env.options.set.allexport;
    let attributes = shell.env.session.vars.variable(name).map_or(Attributes::default(), |known| known.attributes);
    let (value, append) = match attributes.integer {
        false => (value, append),
        true => {
            let old = if append { current(shell, name, &place).unwrap_or_default().to_string() } else { String::new() };
            let old = arith_text(shell, &old)?;
            let Some(new) = arith_text_checked(shell, &value, who.unwrap_or_default())? else {
                return Err(Jump::Discard(Status::FAILURE));
            };
            (old.wrapping_add(new).to_string(), false)
        }
    };
    let value = cased(value, &attributes);
    let old = current(shell, name, &place).map(str::len);
    let new = value.len() + old.filter(|_| append).unwrap_or(0);
    let takes = |len: usize| match place {
        Place::Whole => Value::scalar_bytes(len),
        Place::Index(_) | Place::Key(_) => len + Value::ELEMENT,
    };
    shell.hold(takes(new))?;
    shell.let_go(old.map_or(0, takes));
    let variable = shell.env.session.vars.variable_mut(name);
    variable.attributes.exported |= exported;
    variable.attributes.unassigned = false;
    store(&mut variable.value, place, value, append);
    Ok(true)
}

/// Say what is wrong, in the name of `who`.
pub(super) fn complain(shell: &Interp, who: Option<&str>, message: impl std::fmt::Display) {
    match who {
        Some(who) => shell.complain(format_args!("{who}: {message}")),
        None => shell.complain(message),
    }
}

/// Whether `name` may be assigned; it has been said when not.
pub(super) fn may_change(shell: &Interp, who: Option<&str>, name: &str) -> bool {
    let readonly = shell.env.session.vars.variable(name).is_some_and(|variable| variable.attributes.readonly);
    if readonly {
        complain(shell, who, format_args!("{name}: readonly variable"));
    }
    !readonly
}

/// Where in a variable a value goes.
pub(super) enum Place {
    /// The scalar, or element 0 of an array.
    Whole,
    Index(u64),
    Key(String),
}

/// The element that `subscript` means; `None` when there can be none.
pub(super) fn element(shell: &mut Interp, name: &str, subscript: &str) -> Outcome<Option<Place>> {
    let associative =
        matches!(shell.env.session.vars.variable(name).map(|variable| &variable.value), Some(Value::Assoc(_)));
    if associative {
        return Ok((!subscript.is_empty()).then(|| Place::Key(subscript.to_string())));
    }
    if matches!(subscript, "@" | "*") {
        return Ok(None);
    }
    let index = arith_text(shell, subscript)?;
    let at = match shell.env.session.vars.variable(name).map(|variable| &variable.value) {
        Some(Value::Indexed(array)) => position(array, index),
        Some(Value::Scalar(_)) if index == -1 => Some(0),
        _ => u64::try_from(index).ok(),
    };
    Ok(at.map(Place::Index))
}

fn current<'s>(shell: &'s Interp, name: &str, place: &Place) -> Option<&'s str> {
    let variable = shell.env.session.vars.variable(name)?;
    match (&variable.value, place) {
        (_, Place::Whole) => variable.scalar(),
        (Value::Indexed(array), Place::Index(at)) => array.get(at).map(String::as_str),
        (Value::Assoc(map), Place::Key(key)) => map.get(key),
        (_, Place::Index(0)) => variable.scalar(),
        _ => None,
    }
}

fn store(held: &mut Value, place: Place, value: String, append: bool) {
    let place = match place {
        Place::Whole if !is_array(held) => {
            match held {
                Value::Scalar(text) if append => text.push_str(&value),
                held => *held = Value::Scalar(value),
            }
            return;
        }
        Place::Whole if matches!(held, Value::Assoc(_)) => Place::Key("0".to_string()),
        Place::Whole => Place::Index(0),
        place => place,
    };
    if !is_array(held) {
        let scalar = match std::mem::take(held) {
            Value::Scalar(text) => Some((0, text)),
            _ => None,
        };
        *held = Value::Indexed(scalar.into_iter().collect());
    }
    match (held, place) {
        (Value::Indexed(array), Place::Index(at)) => match append {
            true => array.entry(at).or_default().push_str(&value),
            false => drop(array.insert(at, value)),
        },
        (Value::Assoc(map), Place::Key(key)) => {
            let value = match append {
                true => map.get(&key).unwrap_or_default().to_string() + &value,
                false => value,
            };
            map.insert(key, value);
        }
        _ => {}
    }
}

/// `value` as `declare -l`, `-u` and `-c` want it.
pub(super) fn cased(value: String, attributes: &Attributes) -> String {
    if attributes.lower {
        return value.chars().map(case::lower).collect();
    }
    if attributes.upper {
        return value.chars().map(case::upper).collect();
    }
    if attributes.capital {
        let mut chars = value.chars();
        return chars.next().map(case::upper).into_iter().chain(chars.map(case::lower)).collect();
    }
    value
}
