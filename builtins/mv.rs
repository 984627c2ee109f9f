//! `mv`: another name, where the tree lets things have one; a copy where only a copy can be had.
use crate::{
    Builtin, Call, ErrorKind, Kind, Opt, Result, Status,
    args::{self, Order, Parsed},
    change::{agrees, backup_suffix, destinations, would_overwrite},
    cp, quoted, rm,
};
use std::io::Write;

pub(crate) static MV: Builtin = Builtin {
    name: "mv",
    synopsis: "[OPTION]... SOURCE... DEST",
    about: "Rename SOURCE to DEST. A site cannot be written to.",
    options: &[
        Opt::flag('b', &["backup"], "backup", "").optional("CONTROL"),
        Opt::flag('f', &["force"], "force", "do not prompt before overwriting"),
        Opt::flag('i', &["interactive"], "ask", "prompt before overwrite"),
        Opt::flag('n', &["no-clobber"], "no-clobber", "do not overwrite an existing file"),
        Opt::flag(' ', &["strip-trailing-slashes"], "ignored", "").long_only(),
        Opt::value('S', &["suffix"], "suffix", "SUFFIX", ""),
        Opt::value('t', &["target-directory"], "into", "DIRECTORY", "move all SOURCE arguments into DIRECTORY"),
        Opt::flag('T', &["no-target-directory"], "plain", "treat DEST as a normal file"),
        Opt::flag('u', &["update"], "update", "move only when the SOURCE file is newer").optional("UPDATE"),
        Opt::flag('v', &["verbose"], "verbose", "explain what is being done"),
        Opt::flag('Z', &["context"], "ignored", ""),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let backup = backup_suffix(&parsed)?;
    let mut status = Status::OK;
    for (source, target) in destinations(call, &parsed.operands, parsed.value("into"), parsed.has("plain"))? {
        call.cancel.check()?;
        let moved = match check(call, &source, &target, &parsed) {
            Ok(false) => continue,
            Ok(true)
                if parsed.has("ask")
                    && !parsed.has("force")
                    && would_overwrite(call, &target)
                    && !agrees(call, &format!("overwrite {}", quoted(&target)))? =>
            {
                continue;
            }
            Ok(true) => rename(call, &source, &target, backup.as_deref()),
            Err(trouble) => Err(trouble),
        };
        let is_fine = match moved {
            Ok(Way::Renamed) => {
                if parsed.has("verbose") {
                    writeln!(call.stdout, "renamed {} -> {}", quoted(&source), quoted(&target))?;
                }
                true
            }
            Ok(Way::ByCopy) => copy(call, &source, &target, parsed.has("verbose"))?,
            Err(trouble) => {
                call.warn(trouble)?;
                false
            }
        };
        if !is_fine {
            status = Status::FAILURE;
        }
    }
    Ok(status)
}

/// Whether the move is to be made; the error is a message.
fn check(call: &Call<'_>, source: &str, target: &str, parsed: &Parsed) -> Result<bool, String> {
    let (from, to) = (quoted(source), quoted(target));
    let meta = call.stat(source).map_err(|error| format!("cannot stat {from}: {error}"))?;
    let Ok(existing) = call.stat(target) else { return Ok(true) };
    if call.resolve(source).ok() == call.resolve(target).ok() {
        return Err(format!("{from} and {to} are the same file"));
    }
    if parsed.has("no-clobber") || (parsed.has("update") && meta.time() <= existing.time()) {
        return Ok(false);
    }
    match (meta.is_dir(), existing.is_dir()) {
        (true, false) => Err(format!("cannot overwrite non-directory {to} with directory {from}")),
        (false, true) => Err(format!("cannot overwrite directory {to} with non-directory")),
        _ => Ok(true),
    }
}

/// How a thing gets to where it is to be.
enum Way {
    Renamed,
    ByCopy,
}

/// Rename `source`, if that can be; the error is a message.
fn rename(call: &Call<'_>, source: &str, target: &str, backup: Option<&str>) -> Result<Way, String> {
    let (from, to) = (quoted(source), quoted(target));
    if let Some(suffix) = backup.filter(|_| call.stat(target).is_ok()) {
        call.rename(target, &format!("{target}{suffix}")).map_err(|why| format!("cannot backup {to}: {why}"))?;
    }
    match call.rename(source, target) {
        Ok(()) => Ok(Way::Renamed),
        Err(error) => match error.kind {
            ErrorKind::CrossDevice => Ok(Way::ByCopy),
            ErrorKind::Invalid => Err(format!("cannot move {from} to a subdirectory of itself, {to}")),
            why => Err(format!("cannot move {from} to {to}: {why}")),
        },
    }
}

/// Copy `source` and remove it.
fn copy(call: &mut Call<'_>, source: &str, target: &str, verbose: bool) -> Result<bool> {
    if !cp::copy(call, source, target, &cp::Manner::to_move())? {
        return Ok(false);
    }
    if verbose {
        writeln!(call.stdout, "copied {} -> {}", quoted(source), quoted(target))?;
    }
    let path = call.resolve(source)?;
    match call.fs.stat(&path)?.is_dir() {
        true => rm::removed_whole(call, source, path, verbose, false),
        false => rm::removed(call, source, &path, Kind::File, verbose),
    }
}
