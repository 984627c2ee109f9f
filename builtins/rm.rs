//! `rm`: on a read-only tree, the message that says so for each file, after the real one's own checks.
use crate::{
    Builtin, Call, Error, ErrorKind, Kind, Opt, Result, Status, VPath,
    args::{self, Order},
    quoted,
    refuse::within,
};

pub(crate) static RM: Builtin = Builtin {
    name: "rm",
    synopsis: "[OPTION]... [FILE]...",
    about: "Remove (unlink) the FILE(s). A site cannot be written to.",
    options: &[
        Opt::flag('f', &["force"], "force", "ignore nonexistent files and arguments, never prompt"),
        Opt::flag('i', &[], "ignored", ""),
        Opt::flag('I', &[], "ignored", ""),
        Opt::flag(' ', &["interactive"], "ignored", "").long_only().optional("WHEN"),
        Opt::flag(' ', &["one-file-system"], "ignored", "").long_only(),
        Opt::flag(' ', &["no-preserve-root"], "no-preserve-root", "").long_only(),
        Opt::flag(' ', &["preserve-root"], "ignored", "").long_only().optional("all"),
        Opt::flag('r', &["recursive"], "recursive", "remove directories and their contents recursively"),
        Opt::flag('R', &[], "recursive", "remove directories and their contents recursively"),
        Opt::flag('d', &["dir"], "dir", "remove empty directories"),
        Opt::flag('v', &["verbose"], "ignored", "explain what is being done"),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if parsed.operands.is_empty() {
        return if parsed.has("force") { Ok(Status::OK) } else { Err(Error::usage("missing operand")) };
    }
    let mut status = Status::OK;
    for operand in &parsed.operands {
        let name = quoted(operand);
        let recursive = parsed.has("recursive");
        let is_dots = matches!(operand.trim_end_matches('/').rsplit('/').next(), Some("." | ".."));
        let meta = match call.stat(operand) {
            Ok(meta) => meta,
            Err(error)
                if parsed.has("force") && matches!(error.kind, ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                continue;
            }
            Err(error) => {
                call.warn(format_args!("cannot remove {name}: {error}"))?;
                status = Status::FAILURE;
                continue;
            }
        };
        status = Status::FAILURE;
        let path = call.resolve(operand);
        match path {
            _ if !meta.is_dir() => call.warn(format_args!("cannot remove {name}: {}", ErrorKind::ReadOnly))?,
            _ if is_dots && (recursive || parsed.has("dir")) => {
                call.warn(format_args!("refusing to remove '.' or '..' directory: skipping {name}"))?;
            }
            Ok(path) if path.is_root() && recursive && !parsed.has("no-preserve-root") => {
                call.warn("it is dangerous to operate recursively on '/'")?;
                call.warn("use --no-preserve-root to override this failsafe")?;
            }
            Ok(path) if recursive => below(call, operand, path)?,
            Ok(path) if parsed.has("dir") => {
                let is_empty = call.fs.list(&path).is_ok_and(|entries| entries.is_empty());
                let why = if is_empty { ErrorKind::ReadOnly.to_string() } else { "Directory not empty".to_string() };
                call.warn(format_args!("cannot remove {name}: {why}"))?;
            }
            _ => call.warn(format_args!("cannot remove {name}: {}", ErrorKind::IsADirectory))?,
        }
    }
    Ok(status)
}

/// Name each file below the folder `path`; a folder is tried only when nothing in it is left.
fn below(call: &mut Call<'_>, name: &str, path: VPath) -> Result<()> {
    let mut waiting = vec![(name.to_string(), path, Kind::Dir)];
    while let Some((name, path, kind)) = waiting.pop() {
        call.cancel.check()?;
        let entries = if kind == Kind::Dir { call.fs.list(&path).unwrap_or_default() } else { Vec::new() };
        if entries.is_empty() {
            call.warn(format_args!("cannot remove {}: {}", quoted(&name), ErrorKind::ReadOnly))?;
        }
        let inner = entries.into_iter().rev();
        waiting.extend(inner.map(|entry| (within(&name, &entry.name), path.child(&entry.name), entry.kind)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    const TREE: crate::testing::Tree<'_> = &[("a/b/x.md", ""), ("a/y.md", ""), ("c.md", "")];

    #[test]
    fn each_file_is_named() {
        check(
            TREE,
            "rm -r a c.md",
            expect![[r#"
            [stderr]
            rm: cannot remove 'a/b/x.md': Read-only file system
            rm: cannot remove 'a/y.md': Read-only file system
            rm: cannot remove 'c.md': Read-only file system
            [status 1]
        "#]],
        );
    }

    #[test]
    fn the_checks_come_first() {
        check(
            TREE,
            "rm a nosuch",
            expect![[r#"
            [stderr]
            rm: cannot remove 'a': Is a directory
            rm: cannot remove 'nosuch': No such file or directory
            [status 1]
        "#]],
        );
        check(TREE, "rm -f nosuch", expect![[""]]);
        check(
            TREE,
            "rm -d a",
            expect![[r#"
            [stderr]
            rm: cannot remove 'a': Directory not empty
            [status 1]
        "#]],
        );
        check(
            TREE,
            "rm -rf / .",
            expect![[r#"
            [stderr]
            rm: it is dangerous to operate recursively on '/'
            rm: use --no-preserve-root to override this failsafe
            rm: refusing to remove '.' or '..' directory: skipping '.'
            [status 1]
        "#]],
        );
        check(
            TREE,
            "rm",
            expect![[r#"
            [stderr]
            rm: missing operand
            Try 'rm --help' for more information.
            [status 1]
        "#]],
        );
    }
}
