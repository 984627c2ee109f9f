//! `install`: on a read-only tree, the message that says so, after the real one's own checks.
use crate::{
    Builtin, Call, Error, ErrorKind, Opt, Result, Status,
    args::{self, Order},
    curly, dirname, mode, quoted,
    refuse::destinations,
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
        Opt::flag('p', &["preserve-timestamps"], "ignored", ""),
        Opt::flag('s', &["strip"], "ignored", ""),
        Opt::value('S', &["suffix"], "ignored", "SUFFIX", ""),
        Opt::value('t', &["target-directory"], "into", "DIRECTORY", "copy all SOURCE arguments into DIRECTORY"),
        Opt::flag('T', &["no-target-directory"], "plain", "treat DEST as a normal file"),
        Opt::flag('v', &["verbose"], "ignored", ""),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if let Some(text) = parsed.value("mode").filter(|text| mode::apply(text, 0, false, 0).is_none()) {
        return Err(Error::failed(format!("invalid mode {}", curly(text))));
    }
    let mut troubles = Vec::new();
    if parsed.has("directory") {
        if parsed.operands.is_empty() {
            return Err(Error::usage("missing file operand"));
        }
        let new = parsed.operands.iter().filter(|operand| !call.is_folder(operand));
        troubles.extend(
            new.map(|operand| format!("cannot create directory {}: {}", quoted(operand), call.refuse_new(operand))),
        );
    } else {
        for (source, target) in destinations(call, &parsed.operands, parsed.value("into"), parsed.has("plain"))? {
            troubles.push(trouble(call, &source, &target, parsed.has("leading")));
        }
    }
    let status = Status::from(troubles.is_empty());
    for trouble in troubles {
        call.warn(trouble)?;
    }
    Ok(status)
}

fn trouble(call: &Call<'_>, source: &str, target: &str, makes_folders: bool) -> String {
    match call.stat(source) {
        Err(error) => return format!("cannot stat {}: {error}", quoted(source)),
        Ok(meta) if meta.is_dir() => return format!("omitting directory {}", quoted(source)),
        Ok(_) => {}
    }
    let first = dirname::folder(target).split('/').next().unwrap_or_default();
    if makes_folders && !call.is_folder(dirname::folder(target)) {
        return format!("cannot create directory {}: {}", quoted(first), ErrorKind::ReadOnly);
    }
    match call.stat(target) {
        Ok(_) => format!("cannot remove {}: {}", quoted(target), ErrorKind::ReadOnly),
        Err(_) => format!("cannot create regular file {}: {}", quoted(target), call.refusal(target)),
    }
}
