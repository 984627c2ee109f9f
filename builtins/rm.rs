//! `rm`: files and folders go, where the tree lets any go; a message for each that stays.
use crate::{
    Builtin, Call, Change, Error, ErrorKind, FsResult, Kind, Meta, Opt, Result, Status, VPath,
    args::{self, Order},
    change::{agrees, within},
    quoted,
};
use std::io::Write;

pub(crate) static RM: Builtin = Builtin {
    name: "rm",
    synopsis: "[OPTION]... [FILE]...",
    about: "Remove (unlink) the FILE(s). A site cannot be written to.",
    options: &[
        Opt::flag('f', &["force"], "force", "ignore nonexistent files and arguments, never prompt"),
        Opt::flag('i', &[], "ask", "prompt before every removal"),
        Opt::flag('I', &[], "ignored", ""),
        Opt::flag(' ', &["interactive"], "ignored", "").long_only().optional("WHEN"),
        Opt::flag(' ', &["one-file-system"], "ignored", "").long_only(),
        Opt::flag(' ', &["no-preserve-root"], "no-preserve-root", "").long_only(),
        Opt::flag(' ', &["preserve-root"], "ignored", "").long_only().optional("all"),
        Opt::flag('r', &["recursive"], "recursive", "remove directories and their contents recursively"),
        Opt::flag('R', &[], "recursive", "remove directories and their contents recursively"),
        Opt::flag('d', &["dir"], "dir", "remove empty directories"),
        Opt::flag('v', &["verbose"], "verbose", "explain what is being done"),
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
        let path = call.resolve(operand).unwrap_or_else(|_| VPath::root().join(operand));
        let verbose = parsed.has("verbose");
        let asks = parsed.has("ask") && !parsed.has("force") && call.fs.is_writable(&path);
        let is_gone = match () {
            () if asks
                && !(meta.is_dir() && recursive)
                && !agrees(call, &format!("remove {} {name}", described(&meta)))? =>
            {
                true
            }
            () if !meta.is_dir() => removed(call, operand, &path, meta.kind, verbose)?,
            () if is_dots && (recursive || parsed.has("dir")) => {
                call.warn(format_args!("refusing to remove '.' or '..' directory: skipping {name}"))?;
                false
            }
            () if path.is_root() && recursive && !parsed.has("no-preserve-root") => {
                call.warn("it is dangerous to operate recursively on '/'")?;
                call.warn("use --no-preserve-root to override this failsafe")?;
                false
            }
            () if recursive => removed_whole(call, operand, path, verbose, asks)?,
            () if parsed.has("dir") => removed(call, operand, &path, Kind::Dir, verbose)?,
            () => {
                call.warn(format_args!("cannot remove {name}: {}", ErrorKind::IsADirectory))?;
                false
            }
        };
        if !is_gone {
            status = Status::FAILURE;
        }
    }
    Ok(status)
}

/// What `-i` calls it.
fn described(meta: &Meta) -> &'static str {
    match (meta.kind, meta.size) {
        (Kind::Dir, _) => "directory",
        (_, Some(0)) => "regular empty file",
        _ => "regular file",
    }
}

/// Remove one file or empty folder; whether it is gone.
pub(crate) fn removed(call: &mut Call<'_>, name: &str, path: &VPath, kind: Kind, verbose: bool) -> Result<bool> {
    let gone: FsResult<()> = match kind {
        // GNU's looks first, and does not ask for what cannot be.
        Kind::Dir if !call.fs.list(path)?.is_empty() => Err(ErrorKind::NotEmpty.at(path)),
        Kind::Device => Err(ErrorKind::ReadOnly.at(path)),
        _ => call.fs.change(path, Change::Remove),
    };
    match &gone {
        Ok(()) if verbose => {
            let what = if kind == Kind::Dir { "directory " } else { "" };
            writeln!(call.stdout, "removed {what}{}", quoted(name))?;
        }
        Ok(()) => {}
        Err(why) => call.warn(format_args!("cannot remove {}: {why}", quoted(name)))?,
    }
    Ok(gone.is_ok())
}

/// A folder whose inside goes first.
struct Folder {
    name: String,
    path: VPath,
    /// What of it is still to go, the next one last.
    left: Vec<(String, Kind)>,
    /// Whether something in it could not be removed or looked into: then it is not tried itself.
    stays: bool,
}

impl Folder {
    fn open(call: &Call<'_>, name: String, path: VPath) -> Result<Folder> {
        let left = call.fs.list(&path)?.into_iter().rev().map(|entry| (entry.name, entry.kind)).collect();
        Ok(Folder { name, path, left, stays: false })
    }
}

/// Remove the folder `path` and all in it, what whoever types agrees to where that `asks`; whether nothing went wrong.
pub(crate) fn removed_whole(call: &mut Call<'_>, name: &str, path: VPath, verbose: bool, asks: bool) -> Result<bool> {
    let mut open = vec![Folder::open(call, name.to_string(), path)?];
    let mut is_fine = true;
    if !goes_into(call, &open[0], asks)? {
        return Ok(true);
    }
    while let Some(folder) = open.last_mut() {
        call.cancel.check()?;
        let Some((entry, kind)) = folder.left.pop() else {
            let Some(done) = open.pop() else { break };
            let is_wanted =
                !done.stays && (!asks || agrees(call, &format!("remove directory {}", quoted(&done.name)))?);
            let is_gone = is_wanted && removed(call, &done.name, &done.path, Kind::Dir, verbose)?;
            is_fine &= is_gone || !is_wanted;
            if let Some(parent) = open.last_mut() {
                parent.stays |= done.stays || is_wanted && !is_gone;
            }
            continue;
        };
        let (name, path) = (within(&folder.name, &entry), folder.path.child(&entry));
        if kind == Kind::Dir {
            let inner = Folder::open(call, name, path)?;
            match goes_into(call, &inner, asks)? {
                true => open.push(inner),
                false => folder.stays = true,
            }
            continue;
        }
        let is_wanted = !asks || {
            let meta = call.fs.stat(&path)?;
            agrees(call, &format!("remove {} {}", described(&meta), quoted(&name)))?
        };
        let is_gone = is_wanted && removed(call, &name, &path, kind, verbose)?;
        // As GNU's, a folder is tried in which somebody wanted a file to stay.
        is_fine &= is_gone || !is_wanted;
        folder.stays |= is_wanted && !is_gone;
    }
    Ok(is_fine)
}

/// Whether whoever types, where that is asked, agrees that the inside of `folder` is looked at.
fn goes_into(call: &mut Call<'_>, folder: &Folder, asks: bool) -> Result<bool> {
    if !asks || folder.left.is_empty() {
        return Ok(true);
    }
    agrees(call, &format!("descend into directory {}", quoted(&folder.name)))
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
