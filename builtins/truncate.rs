//! `truncate`: on a read-only tree, the message that says so.
use crate::{
    Builtin, Call, Error, Opt, Result, Status, Unit,
    args::{self, Order},
    curly, quoted,
};

pub(crate) static TRUNCATE: Builtin = Builtin {
    name: "truncate",
    synopsis: "OPTION... FILE...",
    about: "Shrink or extend the size of each FILE to the specified size. A site cannot be written to.",
    options: &[
        Opt::flag('c', &["no-create"], "no-create", "do not create any files"),
        Opt::flag('o', &["io-blocks"], "ignored", ""),
        Opt::value('r', &["reference"], "reference", "RFILE", "base size on RFILE"),
        Opt::value('s', &["size"], "size", "SIZE", "set or adjust the file size by SIZE bytes"),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if let Some(text) = parsed.value("size") {
        let size = text.trim_start().trim_start_matches(['+', '-', '<', '>', '/', '%']);
        if size != "0" && Unit::parse(size).is_none() {
            return Err(Error::failed(format!("Invalid number: {}", curly(text))));
        }
    }
    if !parsed.has("size") && !parsed.has("reference") {
        return Err(Error::usage("you must specify either ‘--size’ or ‘--reference’"));
    }
    if parsed.operands.is_empty() {
        return Err(Error::usage("missing file operand"));
    }
    if let Some(file) = parsed.value("reference")
        && let Err(error) = call.stat(file)
    {
        return Err(Error::failed(format!("cannot stat {}: {error}", quoted(file))));
    }
    let mut status = Status::OK;
    for operand in &parsed.operands {
        if parsed.has("no-create") && call.stat(operand).is_err() {
            continue;
        }
        if let Some(why) = call.refuse_write(operand) {
            call.warn(format_args!("cannot open {} for writing: {why}", quoted(operand)))?;
            status = Status::FAILURE;
        }
    }
    Ok(status)
}
