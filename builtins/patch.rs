//! `patch`: on a read-only tree, the message that says so.
use crate::{Builtin, Call, Error, ErrorKind, Result, Status};

pub(crate) static PATCH: Builtin = Builtin {
    name: "patch",
    synopsis: "[OPTION]... [ORIGFILE [PATCHFILE]]",
    about: "Apply a diff file to an original. A site cannot be written to; diff compares.",
    options: &[],
    trouble: Status(2),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    match call.args.get(1).map(String::as_str) {
        Some("--help") => Err(Error::Help),
        Some("--version" | "-v") => Err(Error::Version),
        _ => Err(Error::Failed(format!("**** Can't create temporary file : {}", ErrorKind::ReadOnly), Status(2))),
    }
}
