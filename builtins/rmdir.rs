//! `rmdir`: on a read-only tree, the message that says so.
use crate::{
    Builtin, Call, Error, Opt, Result, Status,
    args::{self, Order},
    quoted,
};
use std::io::Write;

pub(crate) static RMDIR: Builtin = Builtin {
    name: "rmdir",
    synopsis: "[OPTION]... DIRECTORY...",
    about: "Remove the DIRECTORY(ies), if they are empty. A site cannot be written to.",
    options: &[
        Opt::flag(' ', &["ignore-fail-on-non-empty"], "ignore", "ignore each failure to remove a non-empty directory")
            .long_only(),
        Opt::flag('p', &["parents"], "parents", "remove DIRECTORY and its ancestors"),
        Opt::flag('v', &["verbose"], "verbose", "output a diagnostic for every directory processed"),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if parsed.operands.is_empty() {
        return Err(Error::usage("missing operand"));
    }
    let mut status = Status::OK;
    for operand in &parsed.operands {
        let name = quoted(operand);
        if parsed.has("verbose") {
            writeln!(call.stdout, "rmdir: removing directory, {name}")?;
        }
        let has_files = || call.resolve(operand).and_then(|path| call.fs.list(&path)).is_ok_and(|all| !all.is_empty());
        if parsed.has("ignore") && has_files() {
            continue;
        }
        let why = match operand.trim_end_matches('/').rsplit('/').next() {
            Some(".") => "Invalid argument".to_string(),
            _ => call.refuse_removal(operand),
        };
        call.warn(format_args!("failed to remove {name}: {why}"))?;
        status = Status::FAILURE;
    }
    Ok(status)
}
