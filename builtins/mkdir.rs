//! `mkdir`: new folders, where the tree takes any.
use crate::{
    Builtin, Call, Change, Error, ErrorKind, FsResult, Opt, Result, Status,
    args::{self, Order},
    curly, mode, quoted,
};
use std::io::Write;

pub(crate) static MKDIR: Builtin = Builtin {
    name: "mkdir",
    synopsis: "[OPTION]... DIRECTORY...",
    about: "Create the DIRECTORY(ies), if they do not already exist. A site cannot be written to.",
    options: &[
        Opt::value('m', &["mode"], "mode", "MODE", "set file mode (as in chmod), not a=rwx - umask"),
        Opt::flag('p', &["parents"], "parents", "no error if existing, make parent directories as needed"),
        Opt::flag('v', &["verbose"], "verbose", "print a message for each created directory"),
        Opt::flag('Z', &["context"], "ignored", ""),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if parsed.operands.is_empty() {
        return Err(Error::usage("missing operand"));
    }
    let umask = u32::from(call.session.umask);
    let mode = match parsed.value("mode") {
        None => None,
        Some(text) => {
            let mode = mode::apply(text, 0o777, true, umask);
            Some(mode.ok_or_else(|| Error::failed(format!("invalid mode {}", curly(text))))?)
        }
    };
    let mut status = Status::OK;
    for operand in &parsed.operands {
        let names = if parsed.has("parents") { missing(call, operand) } else { vec![operand.as_str()] };
        for name in names {
            if let Err(why) = make(call, name, mode.filter(|_| name == operand)) {
                // On the way to the folder that is wanted, a file is in the way.
                let why =
                    if name != operand && matches!(why, ErrorKind::Exists) { ErrorKind::NotADirectory } else { why };
                call.warn(format_args!("cannot create directory {}: {why}", curly(name)))?;
                status = Status::FAILURE;
                break;
            }
            if parsed.has("verbose") {
                writeln!(call.stdout, "mkdir: created directory {}", quoted(name))?;
            }
        }
    }
    Ok(status)
}

/// Make one folder, with the permission bits `mode` or the usual ones.
fn make(call: &Call<'_>, name: &str, mode: Option<u32>) -> Result<(), ErrorKind> {
    let made: FsResult<()> = match mode {
        Some(mode) => call.make(name, Change::MakeFolder(mode)),
        None => call.make_folder(name),
    };
    made.map_err(|error| error.kind)
}

/// The folders on the way to `operand`, itself included, that are not there.
fn missing<'o>(call: &Call<'_>, operand: &'o str) -> Vec<&'o str> {
    let ends = operand.match_indices('/').map(|(at, _)| at).filter(|at| *at > 0 && !operand[..*at].ends_with('/'));
    let whole = operand.trim_end_matches('/').len();
    let parents = ends.filter(|end| *end < whole).map(|end| &operand[..end]);
    parents.chain([operand]).filter(|name| !call.is_folder(name)).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    const TREE: crate::testing::Tree<'_> = &[("a/x.md", "")];

    #[test]
    fn what_exists_is_said_first() {
        check(
            TREE,
            "mkdir new a a/x.md nosuch/x a/x.md/y",
            expect![[r#"
            [stderr]
            mkdir: cannot create directory ‘new’: Read-only file system
            mkdir: cannot create directory ‘a’: File exists
            mkdir: cannot create directory ‘a/x.md’: File exists
            mkdir: cannot create directory ‘nosuch/x’: No such file or directory
            mkdir: cannot create directory ‘a/x.md/y’: Not a directory
            [status 1]
        "#]],
        );
        check(
            TREE,
            "mkdir -p a a/b/c a/x.md/y a/x.md",
            expect![[r#"
            [stderr]
            mkdir: cannot create directory ‘a/b’: Read-only file system
            mkdir: cannot create directory ‘a/x.md’: Not a directory
            mkdir: cannot create directory ‘a/x.md’: File exists
            [status 1]
        "#]],
        );
        check(
            TREE,
            "mkdir -m xyz new",
            expect![[r#"
            [stderr]
            mkdir: invalid mode ‘xyz’
            [status 1]
        "#]],
        );
    }
}
