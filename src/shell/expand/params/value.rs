//! What a parameter holds.
use super::{Index, Target};
use crate::shell::{
    expand::{arith_text, assign, special},
    interp::Interp,
    jump::Outcome,
    memory::weight,
};
use docsh_builtins::{Array, Value};

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Nothing.
    Unset,
    /// One string.
    Scalar(String),
    /// The elements of an array, or the positional parameters.
    List {
        /// In order.
        items: Vec<String>,
        /// By `*`: in double quotes they are one string.
        star: bool,
    },
}

impl Found {
    /// The same with each string changed.
    pub(super) fn map(self, mut change: impl FnMut(String) -> Outcome<String>) -> Outcome<Found> {
        Ok(match self {
            Found::Unset => Found::Unset,
            Found::Scalar(text) => Found::Scalar(change(text)?),
            Found::List { items, star } => {
                Found::List { items: items.into_iter().map(change).collect::<Outcome<_>>()?, star }
            }
        })
    }
}

/// The value of an ordinary variable or positional parameter, without a copy; `None` when it needs a closer look.
pub(super) fn plain<'s>(shell: &'s Interp, name: &str) -> Option<&'s str> {
    let session = &shell.env.session;
    match name.as_bytes()[0] {
        b'a'..=b'z' => {
            let variable = session.vars.variable(name)?;
            match &variable.value {
                Value::Scalar(text) if !variable.attributes.nameref => Some(text),
                _ => None,
            }
        }
        b'1'..=b'9' => session.positional.get(name.parse::<usize>().ok()? - 1).map(String::as_str),
        _ => None,
    }
}

/// What `target` holds. A subscript that no array can have is complained about, and holds nothing.
pub(crate) fn find(shell: &mut Interp, target: &Target<'_>) -> Outcome<Found> {
    let name: &str = &target.name;
    if name == "@" || name == "*" {
        shell.room_for(3 * weight(&shell.env.session.positional))?;
        return Ok(Found::List { items: shell.env.session.positional.clone(), star: name == "*" });
    }
    if let Some(parameter) = special::parameter(shell, name) {
        return Ok(parameter.map_or(Found::Unset, Found::Scalar));
    }
    let (name, index) = match assign::follow(shell, name) {
        Some(meant) if target.index == Index::None => {
            let index = match meant.subscript {
                None => Index::None,
                Some(subscript) => subscript_index(shell, &subscript)?,
            };
            (meant.name, index)
        }
        Some(meant) => (meant.name, target.index.clone()),
        None => return Ok(Found::Unset),
    };
    match index {
        Index::None => {
            shell.room_for(shell.env.session.vars.get(&name).map_or(0, str::len))?;
            Ok(scalar(shell, &name).map_or(Found::Unset, Found::Scalar))
        }
        Index::All { star } => {
            // A copy, and twice what becomes of it.
            let bytes = shell.env.session.vars.variable(&name).map_or(0, |variable| variable.value.bytes());
            shell.room_for(3 * bytes)?;
            Ok(Found::List { items: items(shell, &name), star })
        }
        Index::Key(key) => element(shell, &name, &key),
    }
}

/// A subscript met as text, while running.
pub(crate) fn subscript_index(shell: &mut Interp, text: &str) -> Outcome<Index> {
    Ok(match text {
        "@" => Index::All { star: false },
        "*" => Index::All { star: true },
        text => Index::Key(assign::expand_subscript(shell, text)?),
    })
}

fn scalar(shell: &mut Interp, name: &str) -> Option<String> {
    special::variable(shell, name).or_else(|| shell.env.session.vars.get(name).map(str::to_string))
}

/// All values of a variable, in order.
fn items(shell: &mut Interp, name: &str) -> Vec<String> {
    if let Some(array) = special::array(shell, name) {
        return array.into_values().collect();
    }
    match shell.env.session.vars.variable(name).map(|variable| &variable.value) {
        Some(Value::Indexed(array)) => array.values().cloned().collect(),
        Some(Value::Assoc(map)) => map.iter().map(|(_, value)| value.to_string()).collect(),
        _ => scalar(shell, name).into_iter().collect(),
    }
}

/// All keys of a variable, in order.
pub(crate) fn keys(shell: &mut Interp, name: &str) -> Vec<String> {
    let Some(meant) = assign::follow(shell, name) else { return Vec::new() };
    let indices = |array: &Array| array.keys().map(u64::to_string).collect();
    if let Some(array) = special::array(shell, &meant.name) {
        return indices(&array);
    }
    match shell.env.session.vars.variable(&meant.name).map(|variable| &variable.value) {
        Some(Value::Indexed(array)) => indices(array),
        Some(Value::Assoc(map)) => map.iter().map(|(key, _)| key.to_string()).collect(),
        _ => scalar(shell, &meant.name).map(|_| "0".to_string()).into_iter().collect(),
    }
}

fn element(shell: &mut Interp, name: &str, key: &str) -> Outcome<Found> {
    let found = |value: Option<&str>| value.map_or(Found::Unset, |text| Found::Scalar(text.to_string()));
    if let Some(array) = special::array(shell, name) {
        let index = arith_text(shell, key)?;
        return Ok(found(assign::position(&array, index).and_then(|at| array.get(&at)).map(String::as_str)));
    }
    let bad = match shell.env.session.vars.variable(name).map(|variable| &variable.value) {
        Some(Value::Assoc(map)) => match key {
            "" => true,
            key => return Ok(found(map.get(key))),
        },
        _ => false,
    };
    if !bad {
        let index = arith_text(shell, key)?;
        let value = match shell.env.session.vars.variable(name).map(|variable| &variable.value) {
            Some(Value::Indexed(array)) => assign::position(array, index).map(|at| array.get(&at).map(String::as_str)),
            // A scalar is an array of one, but not for negative subscripts.
            _ if index < 0 => None,
            _ if index > 0 => return Ok(Found::Unset),
            _ => return Ok(scalar(shell, name).map_or(Found::Unset, Found::Scalar)),
        };
        if let Some(value) = value {
            return Ok(found(value));
        }
    }
    shell.complain(format_args!("{name}: bad array subscript"));
    Ok(Found::Unset)
}

/// `${!prefix@}`
pub(super) fn names(shell: &Interp, prefix: &str) -> Vec<String> {
    let vars = &shell.env.session.vars;
    let set = |name: &&str| vars.variable(name).is_some_and(|variable| variable.value != Value::Unset);
    let mut names: Vec<&str> = vars.names().into_iter().filter(set).chain(special::DYNAMIC.iter().copied()).collect();
    names.retain(|name| name.starts_with(prefix));
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(str::to_string).collect()
}
