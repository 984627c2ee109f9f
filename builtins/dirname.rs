//! `dirname`: a path without its last name.
use crate::{
    Builtin, Call, Error, Opt, Result, Status,
    args::{self, Order},
};
use std::io::Write;

pub(crate) static DIRNAME: Builtin = Builtin {
    name: "dirname",
    synopsis: "[OPTION] NAME...",
    about: "Output each NAME with its last non-slash component and trailing slashes removed.",
    options: &[Opt::flag('z', &["zero"], "zero", "end each output line with NUL, not newline")],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if parsed.operands.is_empty() {
        return Err(Error::usage("missing operand"));
    }
    let end = if parsed.has("zero") { '\0' } else { '\n' };
    for name in &parsed.operands {
        write!(call.stdout, "{}{end}", folder(name))?;
    }
    Ok(Status::OK)
}

/// The folder part of `path`; `.` when it has none.
pub(crate) fn folder(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match trimmed.rfind('/').map(|at| trimmed[..at].trim_end_matches('/')) {
        Some("") => "/",
        Some(folder) => folder,
        None if trimmed.is_empty() && !path.is_empty() => "/",
        None => ".",
    }
}

#[cfg(test)]
mod tests {
    use super::folder;

    #[test]
    fn the_folder_part() {
        let paths = ["a/b", "a//b", "a", "/a", "//a", "/", "", "a/b/c/"];
        assert_eq!(paths.map(folder), ["a", "a", ".", "/", "/", "/", ".", "a/b"]);
    }
}
