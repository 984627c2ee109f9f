//! `unlink`: one file goes, where the tree lets any go.
use crate::{
    Builtin, Call, Error, ErrorKind, FsResult, Result, Status,
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
        [file] => match unlink(call, file) {
            Ok(()) => Ok(Status::OK),
            Err(why) => Err(Error::failed(format!("cannot unlink {}: {why}", quoted(file)))),
        },
        [_, extra, ..] => Err(Error::usage(format!("extra operand {}", curly(extra)))),
    }
}

fn unlink(call: &Call<'_>, file: &str) -> FsResult<()> {
    match call.is_folder(file) {
        true => Err(ErrorKind::IsADirectory.at(&call.resolve(file)?)),
        false => call.remove(file),
    }
}
