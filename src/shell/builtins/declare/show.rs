//! Variables as commands that would make them again.
use super::{Kind, flags::Flags};
use crate::shell::{
    builtins::options,
    expand::{Argument, DYNAMIC, attribute_letters, compound, double_quoted, get_var, plain_words},
    interp::Interp,
    jump::Outcome,
};
use docsh_builtins::{Status, Value, Variable};

/// While a value is shown it is there three times, quoted, in its line and in the text; quotes may double it.
const COPIES: usize = 6;

/// `declare -p`, `export -p` and their kin: the variables named, or all that the options select.
pub(super) fn variables(shell: &mut Interp, name: &str, kind: Kind, flags: &Flags, operands: &[Argument]) -> Outcome {
    let (mut text, mut status) = (String::new(), Status::OK);
    let mut paid = shell.world.memory.purse();
    if operands.is_empty() {
        shell.pay(&mut paid, COPIES * shell.env.session.vars.bytes())?;
        let any = flags.on != Default::default() || flags.indexed || flags.associative;
        text = match kind {
            Kind::Declare if !flags.print && !any => options::variables(shell),
            _ => all(shell, kind, flags),
        };
    }
    for operand in plain_words(operands) {
        let dynamic = DYNAMIC.contains(&operand.as_str()).then(|| get_var(shell, &operand)).flatten();
        match (shell.env.session.vars.variable(&operand), dynamic) {
            (Some(variable), _) => {
                shell.pay(&mut paid, COPIES * variable.value.bytes())?;
                text += &line(&operand, variable);
            }
            (None, Some(value)) => text += &format!("declare -- {operand}={}\n", double_quoted(&value)),
            (None, None) => {
                shell.complain(format_args!("{name}: {operand}: not found"));
                status = Status::FAILURE;
            }
        }
    }
    shell.write_all(name, text.as_bytes()).map(|written| if written.is_ok() { status } else { written })
}

fn all(shell: &Interp, kind: Kind, flags: &Flags) -> String {
    let vars = &shell.env.session.vars;
    let shown = |name: &str, variable: &Variable| {
        (kind != Kind::Local || vars.is_local(name)) && flags.select(&variable.attributes, &variable.value)
    };
    let mut text = String::new();
    for name in vars.names() {
        if let Some(variable) = vars.variable(name).filter(|variable| shown(name, variable)) {
            text += &line(name, variable);
        }
    }
    text
}

fn line(name: &str, variable: &Variable) -> String {
    let letters = attribute_letters(&variable.attributes, &variable.value);
    let letters = if letters.is_empty() { "-" } else { &letters };
    match &variable.value {
        _ if variable.attributes.unassigned => format!("declare -{letters} {name}\n"),
        Value::Unset => format!("declare -{letters} {name}\n"),
        Value::Scalar(text) => format!("declare -{letters} {name}={}\n", double_quoted(text)),
        value => format!("declare -{letters} {name}={}\n", compound(value)),
    }
}
