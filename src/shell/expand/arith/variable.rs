//! Variables in expressions: their values are expressions in turn.
use super::{Fault, evaluator::evaluate, number};
use crate::shell::{
    expand::{
        assign::{self, expand_subscript},
        params::{Found, Index, Target, find},
        special,
    },
    interp::Interp,
};
use docsh_builtins::Value;
use std::borrow::Cow;

/// What an expression can assign to.
#[derive(Clone, Debug)]
pub(super) struct Place {
    name: String,
    /// A key, or an index in digits.
    key: Option<String>,
}

impl Place {
    /// The variable `name`, its subscript evaluated.
    pub(super) fn new(shell: &mut Interp, name: &str, subscript: Option<&str>, depth: usize) -> Result<Place, Fault> {
        let Some(subscript) = subscript else { return Ok(Place { name: name.to_string(), key: None }) };
        let mut key = expand_subscript(shell, subscript)?;
        let meant = assign::follow(shell, name).map_or_else(|| name.to_string(), |meant| meant.name);
        let variable = shell.env.session.vars.variable(&meant).map(|variable| &variable.value);
        if !matches!(variable, Some(Value::Assoc(_))) {
            key = evaluate(shell, &key, "", depth + 1)?.to_string();
        }
        Ok(Place { name: name.to_string(), key: Some(key) })
    }

    /// Its value: its text, evaluated. Unset is 0.
    pub(super) fn value(&self, shell: &mut Interp, who: &str, depth: usize) -> Result<i64, Fault> {
        if self.key.is_none()
            && let Some(variable) = shell.env.session.vars.variable(&self.name)
            && let Value::Scalar(text) = &variable.value
            && !variable.attributes.nameref
            && let Some(value) = number::plain(text)
            && !special::DYNAMIC.contains(&self.name.as_str())
        {
            return Ok(value);
        }
        let index = self.key.clone().map_or(Index::None, Index::Key);
        let text = match find(shell, &Target { name: Cow::Borrowed(&self.name), index })? {
            Found::Scalar(text) => text,
            Found::List { items, .. } => items.into_iter().next().unwrap_or_default(),
            Found::Unset if shell.env.options.set.nounset => {
                return Err(Fault::Jump(match shell.fatal::<()>(format_args!("{self}: unbound variable")) {
                    Err(jump) => jump,
                    Ok(()) => return Ok(0),
                }));
            }
            Found::Unset => return Ok(0),
        };
        match number::plain(&text) {
            Some(value) => Ok(value),
            None => evaluate(shell, &text, who, depth + 1),
        }
    }

    /// Assign to it.
    pub(super) fn assign(&self, shell: &mut Interp, value: i64) -> Result<(), Fault> {
        match assign::put(shell, None, &self.name, self.key.as_deref(), value.to_string(), false)? {
            true => Ok(()),
            false => Err(Fault::Said),
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.key {
            Some(key) => write!(f, "{}[{key}]", self.name),
            None => f.write_str(&self.name),
        }
    }
}
