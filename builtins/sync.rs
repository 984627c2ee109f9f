//! `sync`: nothing is ever waiting to be written.
use crate::{
    Builtin, Call, Opt, Result, Status,
    args::{self, Order},
    quoted,
};

pub(crate) static SYNC: Builtin = Builtin {
    name: "sync",
    synopsis: "[OPTION] [FILE]...",
    about: "Synchronize cached writes to persistent storage. A site has none.",
    options: &[
        Opt::flag('d', &["data"], "ignored", "sync only file data, no unneeded metadata"),
        Opt::flag('f', &["file-system"], "ignored", "sync the file systems that contain the files"),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let mut status = Status::OK;
    for operand in &parsed.operands {
        if let Err(error) = call.stat(operand) {
            call.warn(format_args!("error opening {}: {error}", quoted(operand)))?;
            status = Status::FAILURE;
        }
    }
    Ok(status)
}
