//! `link`: the message that says why not: a page has one name.
use crate::{
    Builtin, Call, Change, Error, Result, Status,
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
            let made = call.stat(file).and_then(|_| call.make(new, Change::MakeSpecial));
            let failed = |why| Error::failed(format!("cannot create link {} to {}: {why}", quoted(new), quoted(file)));
            made.map(|()| Status::OK).map_err(failed)
        }
        [_, _, extra, ..] => Err(Error::usage(format!("extra operand {}", curly(extra)))),
    }
}
