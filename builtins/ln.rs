//! `ln`: the message that says why not, after the real one's own checks: a page has one name.
use crate::{
    Builtin, Call, Change, Error, ErrorKind, FsResult, Opt, Result, Status,
    args::{self, Order, Parsed},
    change::{destinations, within},
    quoted, quoted_if_odd,
};

pub(crate) static LN: Builtin = Builtin {
    name: "ln",
    synopsis: "[OPTION]... TARGET... LINK_NAME",
    about: "Create a link to TARGET with the name LINK_NAME. A site cannot be written to.",
    options: &[
        Opt::flag('b', &["backup"], "force", "").optional("CONTROL"),
        Opt::flag('d', &["directory"], "ignored", ""),
        Opt::flag('F', &[], "ignored", ""),
        Opt::flag('f', &["force"], "force", "remove existing destination files"),
        Opt::flag('i', &["interactive"], "ignored", ""),
        Opt::flag('L', &["logical"], "ignored", ""),
        Opt::flag('n', &["no-dereference"], "ignored", ""),
        Opt::flag('P', &["physical"], "ignored", ""),
        Opt::flag('r', &["relative"], "relative", "with -s, create links relative to link location"),
        Opt::flag('s', &["symbolic"], "symbolic", "make symbolic links instead of hard links"),
        Opt::value('S', &["suffix"], "ignored", "SUFFIX", ""),
        Opt::value(
            't',
            &["target-directory"],
            "into",
            "DIRECTORY",
            "specify the DIRECTORY in which to create the links",
        ),
        Opt::flag('T', &["no-target-directory"], "plain", "treat LINK_NAME as a normal file always"),
        Opt::flag('v', &["verbose"], "ignored", "print name of each linked file"),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if parsed.has("relative") && !parsed.has("symbolic") {
        return Err(Error::failed("cannot do --relative without --symbolic"));
    }
    let links = match &parsed.operands[..] {
        [only] if !parsed.has("into") => vec![(only.clone(), within(".", only))],
        operands => destinations(call, operands, parsed.value("into"), parsed.has("plain"))?,
    };
    let mut status = Status::OK;
    for (target, link) in links {
        if let Err(trouble) = make(call, &target, &link, &parsed) {
            call.warn(trouble)?;
            status = Status::FAILURE;
        }
    }
    Ok(status)
}

/// Make one link; the error is a message.
fn make(call: &Call<'_>, target: &str, link: &str, parsed: &Parsed) -> Result<(), String> {
    let kind = if parsed.has("symbolic") { "symbolic" } else { "hard" };
    if kind == "hard" {
        match call.stat(target) {
            Err(error) => return Err(format!("failed to access {}: {error}", quoted(target))),
            Ok(meta) if meta.is_dir() => {
                return Err(format!("{}: hard link not allowed for directory", quoted_if_odd(target)));
            }
            Ok(_) => {}
        }
    }
    // With -f it takes the place of what is there: it is made under another name first.
    let made: FsResult<()> = match call.resolve(link) {
        Ok(path) if parsed.has("force") => call.fs.change(&path, Change::MakeSpecial),
        _ => call.make(link, Change::MakeSpecial),
    };
    let Err(why) = made else { return Ok(()) };
    let arrow = match (kind, &why.kind) {
        ("hard", ErrorKind::NotFound) => format!(" => {}", quoted(target)),
        _ => String::new(),
    };
    Err(format!("failed to create {kind} link {}{arrow}: {why}", quoted(link)))
}
