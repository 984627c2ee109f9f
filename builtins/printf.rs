//! `printf`, as bash's builtin: every directive of C's that makes sense, `%b`, `%q`, `%Q` and `%(format)T`; the format
//! is used again while arguments remain.
pub(crate) mod directive;
mod number;
mod printer;
mod variable;

use crate::{Builtin, Call, Error, Opt, Result, Status};
use printer::Printer;
use variable::Target;

pub(crate) static PRINTF: Builtin = Builtin {
    name: "printf",
    synopsis: "[-v VAR] FORMAT [ARGUMENT]...",
    about: "Format and print ARGUMENT(s) according to FORMAT.",
    options: &[Opt::value('v', &[], "v", "VAR", "assign the output to the variable VAR")],
    trouble: Status(2),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let mut words = &call.args[1..];
    let mut variable = None;
    while let [word, rest @ ..] = words {
        let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
            break;
        };
        words = rest;
        match letters.strip_prefix('v') {
            _ if letters == "-" => break,
            _ if letters == "-help" => return Err(Error::Help),
            Some("") => match rest {
                [name, rest @ ..] => (variable, words) = (Some(name.as_str()), rest),
                [] => return usage(call, "-v: option requires an argument"),
            },
            Some(name) => variable = Some(name),
            None => {
                let letter = letters.chars().next().unwrap_or_default();
                return usage(call, &format!("-{letter}: invalid option"));
            }
        }
    }
    let target = variable.and_then(Target::read);
    if let (Some(name), None) = (variable, target) {
        call.warn(format_args!("`{name}': not a valid identifier"))?;
        return Ok(Status(2));
    }
    let Some((format, arguments)) = words.split_first() else {
        return usage(call, "");
    };
    let (out, status) = Printer::new(call, arguments).print(format, target.is_none())?;
    match target {
        Some(target) => Ok(target.assign(call, &out)?.unwrap_or(status)),
        None => Ok(status),
    }
}

fn usage(call: &mut Call<'_>, message: &str) -> Result<Status> {
    if !message.is_empty() {
        call.warn(message)?;
    }
    call.warn("usage: printf [-v var] format [arguments]")?;
    Ok(Status(2))
}

#[cfg(test)]
mod tests;
