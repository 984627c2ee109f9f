//! `printenv`: the values of exported variables.
use crate::{
    Builtin, Call, Opt, Result, Status,
    args::{self, Order},
};
use std::io::Write;

pub(crate) static PRINTENV: Builtin = Builtin {
    name: "printenv",
    synopsis: "[OPTION]... [VARIABLE]...",
    about: "Print the values of the specified environment VARIABLE(s), or of all.",
    options: &[Opt::flag('0', &["null"], "null", "end each output line with NUL, not newline")],
    trouble: Status(2),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::BeforeOperands)?;
    let end = if parsed.has("null") { '\0' } else { '\n' };
    if parsed.operands.is_empty() {
        for (name, value) in call.session.vars.environment() {
            write!(call.stdout, "{name}={value}{end}")?;
        }
        return Ok(Status::OK);
    }
    let mut status = Status::OK;
    for name in &parsed.operands {
        match call.session.env(name) {
            Some(value) => write!(call.stdout, "{value}{end}")?,
            None => status = Status::FAILURE,
        }
    }
    Ok(status)
}
