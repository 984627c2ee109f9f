//! One operand of a declaration: its scope, its kind, its value, its attributes.
use super::{Kind, flags::Flags};
use crate::{
    shell::{
        expand::{Argument, Prepared, PreparedValue, apply, is_name, prepare},
        interp::Interp,
        jump::{Jump, Outcome},
    },
    syntax,
};
use docsh_builtins::{Array, Assoc, Status, Value};

/// Declare one variable for the command `who`. `false` when it could not be done, and that has been said.
pub(super) fn one(shell: &mut Interp, who: &str, kind: Kind, flags: &Flags, operand: &Argument) -> Outcome<bool> {
    let (name, assignment) = match operand {
        Argument::Assignment(prepared) => (prepared.name.clone(), Some(prepared.clone())),
        Argument::Word(word) => match Prepared::parse(word) {
            Some(prepared) => (prepared.name.clone(), Some(prepared)),
            // `declare a[3]` declares an array.
            None => match word.split_once('[').filter(|(name, rest)| is_name(name) && rest.ends_with(']')) {
                Some((name, _)) => (name.to_string(), None),
                None if is_name(word) => (word.clone(), None),
                None => {
                    shell.complain(format_args!("{who}: `{word}': not a valid identifier"));
                    return Ok(false);
                }
            },
        },
    };
    let shadowed = flags.global && shell.env.session.vars.is_shadowed(&name);
    if !shadowed {
        return declare(shell, who, kind, flags, &name, assignment);
    }
    // What is visible makes way for the global one while that is declared.
    let visible = shell.env.session.vars.variable(&name).cloned().unwrap_or_default();
    let global = shell.env.session.vars.global_mut(&name).clone();
    *shell.env.session.vars.variable_mut(&name) = global;
    let result = declare(shell, who, kind, flags, &name, assignment);
    let global = shell.env.session.vars.variable(&name).cloned().unwrap_or_default();
    *shell.env.session.vars.global_mut(&name) = global;
    *shell.env.session.vars.variable_mut(&name) = visible;
    result
}

fn declare(
    shell: &mut Interp,
    who: &str,
    kind: Kind,
    flags: &Flags,
    name: &str,
    assignment: Option<Prepared>,
) -> Outcome<bool> {
    let known = shell.env.session.vars.variable(name);
    let readonly = known.is_some_and(|variable| variable.attributes.readonly);
    let local = match kind {
        Kind::Local => true,
        Kind::Declare => !flags.global && shell.env.session.vars.depth() > 0,
        Kind::Export | Kind::Readonly => false,
    };
    let becomes_local = local && !shell.env.session.vars.is_local(name);
    if readonly && (becomes_local || assignment.is_some() || flags.off.readonly) {
        match kind {
            Kind::Declare | Kind::Local => shell.complain(format_args!("{who}: {name}: readonly variable")),
            Kind::Export | Kind::Readonly => shell.complain(format_args!("{name}: readonly variable")),
        }
        return Ok(false);
    }
    if becomes_local {
        make_local(shell, name, flags);
    }
    // Attributes other than `nameref` and the kind of array are those of the variable that a nameref means.
    let name = match crate::shell::expand::get_referent(shell, name) {
        Some(target) if !flags.on.nameref && !flags.off.nameref && is_name(&target) => target,
        _ => name.to_string(),
    };
    if flags.on.nameref {
        return nameref(shell, who, &name, flags, assignment);
    }
    if let Some(message) = kind_of_array(shell, &name, flags, assignment.as_ref()) {
        shell.complain(format_args!("{who}: {name}: {message}"));
        return match assignment {
            // bash finds out while it expands the words, and drops the line.
            Some(Prepared { value: PreparedValue::Array(_), .. }) => Err(Jump::Discard(Status::FAILURE)),
            _ => Ok(false),
        };
    }
    flags.change(&mut shell.env.session.vars.variable_mut(&name).attributes);
    if let Some(assignment) = assignment {
        let assignment = as_list(shell, &name, Prepared { name: name.clone(), ..assignment })?;
        if !apply(shell, Some(who), assignment)? {
            return Ok(false);
        }
    }
    let attributes = &mut shell.env.session.vars.variable_mut(&name).attributes;
    attributes.readonly |= flags.on.readonly;
    Ok(true)
}

/// `declare -a name='(…)'`: what an array is given as one string in parentheses is a list after all.
fn as_list(shell: &mut Interp, name: &str, assignment: Prepared) -> Outcome<Prepared> {
    let value = shell.env.session.vars.variable(name).map(|variable| &variable.value);
    let associative = matches!(value, Some(Value::Assoc(_)));
    let text = match &assignment.value {
        PreparedValue::Scalar(text) if associative || matches!(value, Some(Value::Indexed(_))) => text,
        _ => return Ok(assignment),
    };
    if assignment.index.is_some() || !text.starts_with('(') || !text.ends_with(')') {
        return Ok(assignment);
    }
    match syntax::parse_list(name, text) {
        Some(list) => {
            let list = prepare(shell, &list, associative)?;
            Ok(Prepared { append: assignment.append, ..list })
        }
        None => Ok(assignment),
    }
}

/// A new local variable is unset, but a command that it runs still finds it in its environment.
fn make_local(shell: &mut Interp, name: &str, flags: &Flags) {
    let vars = &mut shell.env.session.vars;
    let outer = vars.variable(name).cloned().unwrap_or_default();
    let inherits = flags.inherit || shell.env.options.shopt.localvar_inherit;
    if let Some(variable) = vars.make_local(name) {
        variable.attributes.exported = outer.attributes.exported;
        if inherits {
            *variable = outer;
        }
    }
}

/// Give the variable the kind that the options or the value ask for, keeping a scalar as element 0.
fn kind_of_array(shell: &mut Interp, name: &str, flags: &Flags, assignment: Option<&Prepared>) -> Option<&'static str> {
    let compound = assignment.is_some_and(|assignment| matches!(assignment.value, PreparedValue::Array(_)));
    let variable = shell.env.session.vars.variable_mut(name);
    let is_new = variable.value == Value::Unset && (flags.associative || flags.indexed);
    variable.attributes.unassigned |= is_new && assignment.is_none();
    let value = &mut variable.value;
    if flags.associative {
        match value {
            Value::Indexed(_) => return Some("cannot convert indexed to associative array"),
            Value::Assoc(_) => {}
            Value::Unset => *value = Value::Assoc(Assoc::default()),
            Value::Scalar(text) => {
                let mut map = Assoc::default();
                map.insert("0".to_string(), std::mem::take(text));
                *value = Value::Assoc(map);
            }
        }
    } else if flags.indexed || compound {
        match value {
            Value::Assoc(_) if flags.indexed => return Some("cannot convert associative to indexed array"),
            Value::Assoc(_) | Value::Indexed(_) => {}
            Value::Unset => *value = Value::Indexed(Array::new()),
            Value::Scalar(text) => *value = Value::Indexed(Array::from([(0, std::mem::take(text))])),
        }
    }
    None
}

/// `declare -n`: the value is a name, taken as it is.
fn nameref(shell: &mut Interp, who: &str, name: &str, flags: &Flags, assignment: Option<Prepared>) -> Outcome<bool> {
    if let Some(Prepared { value: PreparedValue::Scalar(target), .. }) = &assignment {
        let base =
            target.split_once('[').filter(|(_, rest)| rest.ends_with(']')).map_or(target.as_str(), |(base, _)| base);
        if target == name {
            shell.complain(format_args!("{who}: {name}: nameref variable self references not allowed"));
            return Ok(false);
        }
        if !is_name(base) {
            shell.complain(format_args!("{who}: `{target}': invalid variable name for name reference"));
            return Ok(false);
        }
        shell.env.session.vars.variable_mut(name).value = Value::Scalar(target.clone());
    }
    let attributes = &mut shell.env.session.vars.variable_mut(name).attributes;
    flags.change(attributes);
    attributes.readonly |= flags.on.readonly;
    Ok(true)
}
