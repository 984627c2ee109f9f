//! `pathchk`: whether a name is valid, here and on other systems.
use crate::{
    Builtin, Call, Error, ErrorKind, Opt, Result, Status, VPath,
    args::{self, Order},
    curly, quoted, quoted_if_odd,
};

pub(crate) static PATHCHK: Builtin = Builtin {
    name: "pathchk",
    synopsis: "[OPTION]... NAME...",
    about: "Diagnose invalid or non-portable file names.",
    options: &[
        Opt::flag('p', &[], "p", "check for most POSIX systems"),
        Opt::flag('P', &[], "P", "check for empty names and leading \"-\""),
        Opt::flag(' ', &["portability"], "portability", "check for all POSIX systems (equivalent to -p -P)")
            .long_only(),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if parsed.operands.is_empty() {
        return Err(Error::usage("missing operand"));
    }
    let portable = parsed.has("p") || parsed.has("portability");
    let strict = parsed.has("P") || parsed.has("portability");
    let mut status = Status::OK;
    for name in &parsed.operands {
        if let Some(trouble) = trouble(call, name, portable, strict) {
            call.warn(trouble)?;
            status = Status::FAILURE;
        }
    }
    Ok(status)
}

/// What is wrong with `name`.
fn trouble(call: &Call<'_>, name: &str, portable: bool, strict: bool) -> Option<String> {
    if strict && name.split('/').any(|part| part.starts_with('-')) {
        return Some(format!("leading '-' in a component of file name {}", quoted(name)));
    }
    if name.is_empty() && (portable || strict) {
        return Some("empty file name".to_string());
    }
    let (longest_name, longest) = if portable { (14, 256) } else { (VPath::NAME_MAX, VPath::PATH_MAX) };
    if portable {
        let odd = name.chars().find(|c| !(c.is_ascii_alphanumeric() || "._-/".contains(*c)));
        if let Some(odd) = odd {
            return Some(format!("nonportable character {} in file name {}", curly(&odd.to_string()), quoted(name)));
        }
    } else if let Err(error) = call.stat(name)
        && (name.is_empty() || matches!(error.kind, ErrorKind::NotADirectory))
    {
        return Some(format!("{}: {error}", quoted_if_odd(name)));
    }
    if name.len() >= longest {
        let (length, most) = (name.len(), longest - 1);
        return Some(format!("limit {most} exceeded by length {length} of file name {}", quoted_if_odd(name)));
    }
    let part = name.split('/').find(|part| part.len() > longest_name)?;
    Some(format!("limit {longest_name} exceeded by length {} of file name component {}", part.len(), curly(part)))
}
