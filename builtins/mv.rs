//! `mv`: on a read-only tree, the message that says so, after the real one's own checks.
use crate::{
    Builtin, Call, ErrorKind, Opt, Result, Status,
    args::{self, Order, Parsed},
    quoted,
    refuse::destinations,
};

pub(crate) static MV: Builtin = Builtin {
    name: "mv",
    synopsis: "[OPTION]... SOURCE... DEST",
    about: "Rename SOURCE to DEST. A site cannot be written to.",
    options: &[
        Opt::flag('b', &["backup"], "ignored", "").optional("CONTROL"),
        Opt::flag('f', &["force"], "ignored", "do not prompt before overwriting"),
        Opt::flag('i', &["interactive"], "ignored", ""),
        Opt::flag('n', &["no-clobber"], "no-clobber", "do not overwrite an existing file"),
        Opt::flag(' ', &["strip-trailing-slashes"], "ignored", "").long_only(),
        Opt::value('S', &["suffix"], "ignored", "SUFFIX", ""),
        Opt::value('t', &["target-directory"], "into", "DIRECTORY", "move all SOURCE arguments into DIRECTORY"),
        Opt::flag('T', &["no-target-directory"], "plain", "treat DEST as a normal file"),
        Opt::flag('u', &["update"], "update", "move only when the SOURCE file is newer").optional("UPDATE"),
        Opt::flag('v', &["verbose"], "ignored", "explain what is being done"),
        Opt::flag('Z', &["context"], "ignored", ""),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let mut status = Status::OK;
    for (source, target) in destinations(call, &parsed.operands, parsed.value("into"), parsed.has("plain"))? {
        if let Some(trouble) = trouble(call, &source, &target, &parsed) {
            call.warn(trouble)?;
            status = Status::FAILURE;
        }
    }
    Ok(status)
}

/// What is wrong with the move; `None` when it would do nothing.
fn trouble(call: &Call<'_>, source: &str, target: &str, parsed: &Parsed) -> Option<String> {
    let (from, to) = (quoted(source), quoted(target));
    let meta = match call.stat(source) {
        Ok(meta) => meta,
        Err(error) => return Some(format!("cannot stat {from}: {error}")),
    };
    let Ok(existing) = call.stat(target) else {
        return Some(format!("cannot move {from} to {to}: {}", call.refuse_new(target)));
    };
    if call.resolve(source).ok() == call.resolve(target).ok() {
        return Some(format!("{from} and {to} are the same file"));
    }
    if parsed.has("no-clobber") || (parsed.has("update") && meta.mtime <= existing.mtime) {
        return None;
    }
    Some(match (meta.is_dir(), existing.is_dir()) {
        (true, false) => format!("cannot overwrite non-directory {to} with directory {from}"),
        (false, true) => format!("cannot overwrite directory {to} with non-directory"),
        _ => format!("cannot move {from} to {to}: {}", ErrorKind::ReadOnly),
    })
}
