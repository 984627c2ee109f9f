//! `link`: on a read-only tree, the message that says so.
use crate::{
    Builtin, Call, Error, Result, Status,
    args::{self, Order},
    curly, quoted,
};

pub(crate) static LINK: Builtin = Builtin {
    name: "link",
    synopsis: "FILE1 FILE2",
    about: "Call the link function to create a link named FILE2 to an existing FILE1. A site cannot be written to.",
    options: &[],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    match &parsed.operands[..] {
        [] => Err(Error::usage("missing operand")),
        [file] => Err(Error::usage(format!("missing operand after {}", curly(file)))),
        [file, new] => {
            let why = match call.stat(file) {
                Ok(_) => call.refuse_new(new),
                Err(error) => error.to_string(),
            };
            Err(Error::failed(format!("cannot create link {} to {}: {why}", quoted(new), quoted(file))))
        }
        [_, _, extra, ..] => Err(Error::usage(format!("extra operand {}", curly(extra)))),
    }
}
