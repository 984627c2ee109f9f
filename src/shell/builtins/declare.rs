//! `declare typeset local export readonly`: variables and what is said of them.
//!
//! The arguments are expanded before anything here runs; assignments among them keep their shape ([`Argument`]).
mod apply;
mod flags;
mod show;

use super::letters;
use crate::{
    shell::{expand::Argument, interp::Interp, jump::Outcome},
    syntax::print,
};
use docsh_builtins::Status;
use flags::Flags;
use std::sync::Arc;

pub(super) fn declare(shell: &mut Interp, arguments: &[Argument]) -> Outcome {
    run(shell, arguments, "declare", Kind::Declare)
}

pub(super) fn typeset(shell: &mut Interp, arguments: &[Argument]) -> Outcome {
    run(shell, arguments, "typeset", Kind::Declare)
}

pub(super) fn local(shell: &mut Interp, arguments: &[Argument]) -> Outcome {
    if shell.env.session.vars.depth() == 0 {
        shell.complain("local: can only be used in a function");
        return Ok(Status::FAILURE);
    }
    run(shell, arguments, "local", Kind::Local)
}

pub(super) fn export(shell: &mut Interp, arguments: &[Argument]) -> Outcome {
    run(shell, arguments, "export", Kind::Export)
}

pub(super) fn readonly(shell: &mut Interp, arguments: &[Argument]) -> Outcome {
    run(shell, arguments, "readonly", Kind::Readonly)
}

/// Which of the commands it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Declare,
    Local,
    Export,
    Readonly,
}

fn run(shell: &mut Interp, arguments: &[Argument], name: &'static str, kind: Kind) -> Outcome {
    let rest = arguments.get(1..).unwrap_or_default();
    let (flags, operands) = match Flags::read(rest, kind) {
        Ok(read) => read,
        Err(letter) => {
            shell.complain(format_args!("{name}: {letter}: invalid option"));
            letters::usage(shell, name);
            return Ok(Status(2));
        }
    };
    if flags.functions || flags.function_names {
        return functions(shell, name, &flags, operands);
    }
    if operands.is_empty() || (flags.print && kind != Kind::Export && kind != Kind::Readonly) {
        return show::variables(shell, name, kind, &flags, operands);
    }
    let mut status = Status::OK;
    for operand in operands {
        if !apply::one(shell, name, kind, &flags, operand)? {
            status = Status::FAILURE;
        }
    }
    Ok(status)
}

/// `declare -f`, `declare -F`: functions, which have no attributes here.
fn functions(shell: &mut Interp, name: &str, flags: &Flags, operands: &[Argument]) -> Outcome {
    let mut names = crate::shell::expand::plain_words(operands);
    let all = names.is_empty();
    if all {
        names = shell.env.functions.keys().cloned().collect();
        names.sort_unstable();
    }
    let (mut text, mut status) = (String::new(), Status::OK);
    for function in &names {
        if name == "export"
            && !flags.print
            && let Some(known) = Arc::make_mut(&mut shell.env.functions).get_mut(function)
        {
            known.exported = !flags.off.exported;
        }
        match shell.env.functions.get(function) {
            None => status = Status::FAILURE,
            Some(_) if flags.function_names && all => text += &format!("declare -f {function}\n"),
            Some(_) if flags.function_names => text += &format!("{function}\n"),
            Some(_) if !all && matches!(name, "export" | "readonly") && !flags.print => {}
            Some(known) => text += &format!("{}\n", print::function(function, &known.body)),
        }
    }
    shell.write_all(name, text.as_bytes()).map(|written| if written.is_ok() { status } else { written })
}

#[cfg(test)]
mod tests;
