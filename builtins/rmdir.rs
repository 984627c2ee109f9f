//! `rmdir`: empty folders go, where the tree lets any go.
use crate::{
    Builtin, Call, Change, Error, ErrorKind, FsResult, Opt, Result, Status, VPath,
    args::{self, Order},
    cd, quoted,
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
        let mut name = operand.as_str();
        loop {
            if parsed.has("verbose") {
                writeln!(call.stdout, "rmdir: removing directory, {}", quoted(name))?;
            }
            if let Err(why) = remove(call, name) {
                if !(parsed.has("ignore") && matches!(why, ErrorKind::NotEmpty)) {
                    let what = if name == operand { "" } else { "directory " };
                    call.warn(format_args!("failed to remove {what}{}: {why}", quoted(name)))?;
                    status = Status::FAILURE;
                }
                break;
            }
            match name.trim_end_matches('/').rfind('/') {
                Some(at) if parsed.has("parents") && at > 0 => name = name[..at].trim_end_matches('/'),
                _ => break,
            }
        }
    }
    Ok(status)
}

/// Remove one folder.
fn remove(call: &Call<'_>, name: &str) -> Result<(), ErrorKind> {
    if name.trim_end_matches('/').rsplit('/').next() == Some(".") {
        return Err(ErrorKind::Invalid);
    }
    let folder: FsResult<VPath> = cd::folder(call, name);
    folder.and_then(|folder| call.fs.change(&folder, Change::Remove)).map_err(|error| error.kind)
}
