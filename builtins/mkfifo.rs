//! `mkfifo`: the message that says why not: there are files and folders only.
use crate::{
    Builtin, Call, Change, Error, Opt, Result, Status,
    args::{self, Order},
    mode, quoted,
};

pub(crate) static MKFIFO: Builtin = Builtin {
    name: "mkfifo",
    synopsis: "[OPTION]... NAME...",
    about: "Create named pipes (FIFOs) with the given NAMEs. A site cannot be written to.",
    options: &[
        Opt::value('m', &["mode"], "mode", "MODE", "set file permission bits to MODE, not a=rw - umask"),
        Opt::flag('Z', &["context"], "ignored", ""),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if parsed.operands.is_empty() {
        return Err(Error::usage("missing operand"));
    }
    if parsed.value("mode").is_some_and(|text| mode::apply(text, 0o666, false, 0).is_none()) {
        return Err(Error::failed("invalid mode"));
    }
    let mut status = Status::OK;
    for operand in &parsed.operands {
        if let Err(why) = call.make(operand, Change::MakeSpecial) {
            call.warn(format_args!("cannot create fifo {}: {why}", quoted(operand)))?;
            status = Status::FAILURE;
        }
    }
    Ok(status)
}
