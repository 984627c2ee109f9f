//! `unlink`: on a read-only tree, the message that says so.
use crate::{
    Builtin, Call, Error, Result, Status,
    args::{self, Order},
    curly, quoted,
};

pub(crate) static UNLINK: Builtin = Builtin {
    name: "unlink",
    synopsis: "FILE",
    about: "Call the unlink function to remove the specified FILE. A site cannot be written to.",
    options: &[],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    match &parsed.operands[..] {
        [] => Err(Error::usage("missing operand")),
        [file] => Err(Error::failed(format!("cannot unlink {}: {}", quoted(file), call.refuse_removal(file)))),
        [_, extra, ..] => Err(Error::usage(format!("extra operand {}", curly(extra)))),
    }
}
