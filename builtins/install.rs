//! `install`: copies with permission bits of their own, and folders, where the tree takes any.
use crate::{
    Builtin, Call, Change, Error, Meta, Opening, Opt, Output, Result, Status,
    args::{self, Order},
    change::destinations,
    cp, curly, dirname, mode, quoted,
};

pub(crate) static INSTALL: Builtin = Builtin {
    name: "install",
    synopsis: "[OPTION]... SOURCE... DEST",
    about: "Copy files and set attributes. A site cannot be written to.",
    options: &[
        Opt::flag('b', &["backup"], "ignored", "").optional("CONTROL"),
        Opt::flag('c', &[], "ignored", ""),
        Opt::flag('C', &["compare"], "ignored", ""),
        Opt::flag('d', &["directory"], "directory", "treat all arguments as directory names"),
        Opt::flag('D', &[], "leading", "create all leading components of DEST"),
        Opt::value('g', &["group"], "ignored", "GROUP", ""),
        Opt::value('m', &["mode"], "mode", "MODE", "set permission mode (as in chmod)"),
        Opt::value('o', &["owner"], "ignored", "OWNER", ""),
        Opt::flag('p', &["preserve-timestamps"], "preserve", ""),
        Opt::flag('s', &["strip"], "ignored", ""),
        Opt::value('S', &["suffix"], "ignored", "SUFFIX", ""),
        Opt::value('t', &["target-directory"], "into", "DIRECTORY", "copy all SOURCE arguments into DIRECTORY"),
        Opt::flag('T', &["no-target-directory"], "plain", "treat DEST as a normal file"),
        Opt::flag('v', &["verbose"], "ignored", ""),
    ],
    trouble: Status(1),
    run,
};

/// The permission bits of what is installed, unless told.
const MODE: u32 = 0o755;

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let mode = match parsed.value("mode") {
        None => MODE,
        Some(text) => {
            mode::apply(text, 0, false, 0).ok_or_else(|| Error::failed(format!("invalid mode {}", curly(text))))?
        }
    };
    let mut troubles = Vec::new();
    if parsed.has("directory") {
        if parsed.operands.is_empty() {
            return Err(Error::usage("missing file operand"));
        }
        for operand in &parsed.operands {
            troubles.extend(make_folders(call, operand, mode).err());
        }
    } else {
        for (source, target) in destinations(call, &parsed.operands, parsed.value("into"), parsed.has("plain"))? {
            match open(call, &source, &target, parsed.has("leading")) {
                Err(trouble) => troubles.push(trouble),
                Ok((meta, output)) => {
                    // What could not be read or written has been told.
                    if !cp::pour(call, &source, &target, output)? {
                        return Ok(Status::FAILURE);
                    }
                    call.change(&target, Change::SetMode(mode))?;
                    if parsed.has("preserve") {
                        call.change(&target, Change::SetTime(meta.mtime, meta.nanos))?;
                    }
                }
            }
        }
    }
    let status = Status::from(troubles.is_empty());
    for trouble in troubles {
        call.warn(trouble)?;
    }
    Ok(status)
}

/// Make the folder `operand`, and those on the way to it; the error is a message.
fn make_folders(call: &Call<'_>, operand: &str, mode: u32) -> Result<(), String> {
    let whole = operand.trim_end_matches('/');
    let ends = whole.match_indices('/').map(|(at, _)| at).filter(|at| *at > 0);
    for name in ends.map(|end| &whole[..end]).chain([operand]).filter(|name| !call.is_folder(name)) {
        let mode = if name == operand { mode } else { MODE };
        let made = call.make(name, Change::MakeFolder(mode));
        made.map_err(|why| format!("cannot create directory {}: {why}", quoted(name)))?;
    }
    Ok(())
}

/// What is known of the file `source`, and the new file `target`; the error is a message.
fn open(call: &Call<'_>, source: &str, target: &str, makes_folders: bool) -> Result<(Meta, Output), String> {
    let meta = call.stat(source).map_err(|error| format!("cannot stat {}: {error}", quoted(source)))?;
    if meta.is_dir() {
        return Err(format!("omitting directory {}", quoted(source)));
    }
    if makes_folders {
        make_folders(call, dirname::folder(target), MODE)?;
    }
    if call.stat(target).is_ok() {
        call.remove(target).map_err(|why| format!("cannot remove {}: {why}", quoted(target)))?;
    }
    let opened = call.open_to_write(target, Opening::Anew);
    Ok((meta, opened.map_err(|why| format!("cannot create regular file {}: {why}", quoted(target)))?))
}
