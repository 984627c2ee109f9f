//! Forgetting variables and elements.
use super::{
    reference::{expand_subscript, follow, split_subscript},
    store::{self, Place},
};
use crate::shell::{interp::Interp, jump::Outcome};
use docsh_builtins::Value;

/// `unset name` or `unset name[subscript]`; with `itself`, a nameref and not what it means. `false` when it could not
/// be done, and that has been said in the name of `unset`.
pub(crate) fn unset(shell: &mut Interp, text: &str, itself: bool) -> Outcome<bool> {
    let (name, subscript) = match split_subscript(text) {
        Some((name, subscript)) => (name, Some(subscript.to_string())),
        None => (text, None),
    };
    let (name, subscript) = match follow(shell, name) {
        Some(meant) if !itself => (meant.name, subscript.or(meant.subscript)),
        _ => (name.to_string(), subscript),
    };
    let variable = shell.env.session.vars.variable(&name);
    if variable.is_some_and(|variable| variable.attributes.readonly) {
        shell.complain(format_args!("unset: {name}: cannot unset: readonly variable"));
        return Ok(false);
    }
    let bytes = variable.map_or(0, |variable| variable.value.bytes());
    let Some(subscript) = subscript else {
        shell.let_go(bytes);
        shell.env.session.vars.forget(&name);
        return Ok(true);
    };
    match variable.map(|variable| &variable.value) {
        None | Some(Value::Unset) => return Ok(true),
        // All of it, but an associative array may have such a key.
        Some(Value::Indexed(_)) if matches!(subscript.as_str(), "@" | "*") => {
            shell.let_go(bytes);
            shell.env.session.vars.variable_mut(&name).value = Value::Indexed(Default::default());
            return Ok(true);
        }
        _ => {}
    }
    let key = expand_subscript(shell, &subscript)?;
    let Some(place) = store::element(shell, &name, &key)? else {
        shell.complain(format_args!("unset: [{subscript}]: bad array subscript"));
        return Ok(false);
    };
    let variable = shell.env.session.vars.variable_mut(&name);
    match (&mut variable.value, place) {
        (Value::Indexed(array), Place::Index(at)) => {
            let bytes = array.remove(&at).map_or(0, |text| text.len() + Value::ELEMENT);
            shell.let_go(bytes);
        }
        (Value::Assoc(map), Place::Key(key)) => {
            let bytes = map.get(&key).map_or(0, |text| text.len() + Value::ELEMENT);
            map.remove(&key);
            shell.let_go(bytes);
        }
        (Value::Scalar(_), Place::Index(0)) => shell.env.session.vars.forget(&name),
        _ => {
            shell.complain(format_args!("unset: {name}: not an array variable"));
            return Ok(false);
        }
    }
    Ok(true)
}
