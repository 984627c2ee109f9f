//! `cp`: files and folders once more, where the tree takes any.
use crate::{
    Builtin, Call, Change, Device, Error, ErrorKind, FsResult, Meta, Opening, Opt, Output, Result, Status,
    args::{self, Order, Parsed},
    change::{agrees, backup_suffix, below, destinations, within, would_overwrite},
    quoted,
};
use std::io::{self, BufRead, Write};

pub(crate) static CP: Builtin = Builtin {
    name: "cp",
    synopsis: "[OPTION]... SOURCE... DEST",
    about: "Copy SOURCE to DEST. A site cannot be written to: only devices can be copied to.",
    options: &[
        Opt::flag('a', &["archive"], "archive", "same as -dR --preserve=all"),
        Opt::flag(' ', &["attributes-only"], "attributes-only", "").long_only(),
        Opt::flag('b', &["backup"], "backup", "make a backup of each existing destination file").optional("CONTROL"),
        Opt::flag(' ', &["copy-contents"], "ignored", "").long_only(),
        Opt::flag('d', &[], "ignored", ""),
        Opt::flag('f', &["force"], "force", "if a destination file cannot be opened, remove it and try again"),
        Opt::flag('i', &["interactive"], "ask", "prompt before overwrite"),
        Opt::flag('H', &[], "ignored", ""),
        Opt::flag('l', &["link"], "link", "hard link files instead of copying"),
        Opt::flag('L', &["dereference"], "ignored", ""),
        Opt::flag('n', &["no-clobber"], "no-clobber", "do not overwrite an existing file"),
        Opt::flag('P', &["no-dereference"], "ignored", ""),
        Opt::flag('p', &[], "preserve", "same as --preserve=mode,ownership,timestamps"),
        Opt::flag(' ', &["preserve"], "preserve", "").long_only().optional("ATTR_LIST"),
        Opt::value(' ', &["no-preserve"], "ignored", "ATTR_LIST", "").long_only(),
        Opt::flag(' ', &["parents"], "parents", "").long_only(),
        Opt::flag('R', &["recursive"], "recursive", "copy directories recursively"),
        Opt::flag('r', &[], "recursive", "copy directories recursively"),
        Opt::flag(' ', &["reflink"], "ignored", "").long_only().optional("WHEN"),
        Opt::flag(' ', &["remove-destination"], "force", "").long_only(),
        Opt::value(' ', &["sparse"], "ignored", "WHEN", "").long_only(),
        Opt::flag(' ', &["strip-trailing-slashes"], "ignored", "").long_only(),
        Opt::flag('s', &["symbolic-link"], "symbolic-link", "make symbolic links instead of copying"),
        Opt::value('S', &["suffix"], "suffix", "SUFFIX", ""),
        Opt::value('t', &["target-directory"], "into", "DIRECTORY", "copy all SOURCE arguments into DIRECTORY"),
        Opt::flag('T', &["no-target-directory"], "plain", "treat DEST as a normal file"),
        Opt::flag('u', &["update"], "update", "copy only when the SOURCE file is newer").optional("UPDATE"),
        Opt::flag('v', &["verbose"], "verbose", "explain what is being done"),
        Opt::flag('x', &["one-file-system"], "ignored", ""),
        Opt::flag('Z', &[], "ignored", ""),
    ],
    trouble: Status(1),
    run,
};

/// How things are copied.
#[derive(Default)]
pub(crate) struct Manner {
    /// Folders too.
    is_recursive: bool,
    /// With their times and permission bits.
    keeps: bool,
    /// What cannot be opened is removed first.
    force: bool,
    /// What is there is kept under its name with this at its end.
    backup: Option<String>,
    /// Not copied but linked to: `hard` or `symbolic`.
    link: Option<&'static str>,
    /// What is there stays.
    no_clobber: bool,
    /// Before a file is overwritten.
    asks: bool,
    /// What is there and no older stays.
    update: bool,
    verbose: bool,
}

impl Manner {
    /// Whole, with times and permission bits, as `mv` copies.
    pub(crate) fn to_move() -> Manner {
        Manner { is_recursive: true, keeps: true, ..Manner::default() }
    }

    fn read(parsed: &Parsed) -> Result<Manner> {
        if parsed.has("attributes-only") {
            return Err(Error::failed("--attributes-only is not supported"));
        }
        let link = [("link", "hard"), ("symbolic-link", "symbolic")].into_iter().find(|(key, _)| parsed.has(key));
        Ok(Manner {
            is_recursive: parsed.has("recursive") || parsed.has("archive"),
            keeps: parsed.has("preserve") || parsed.has("archive"),
            force: parsed.has("force"),
            backup: backup_suffix(parsed)?,
            link: link.map(|(_, kind)| kind),
            asks: parsed.has("ask"),
            no_clobber: parsed.has("no-clobber"),
            update: parsed.has("update"),
            verbose: parsed.has("verbose"),
        })
    }
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let manner = Manner::read(&parsed)?;
    let mut status = Status::OK;
    let (into, is_plain) = (parsed.value("into"), parsed.has("plain"));
    let has_parents = parsed.has("parents");
    let folder = into.or(parsed.operands.last().map(String::as_str)).unwrap_or_default();
    if has_parents && (is_plain || parsed.operands.len() + usize::from(into.is_some()) > 1 && !call.is_folder(folder)) {
        return Err(Error::usage("with --parents, the destination must be a directory"));
    }
    for (source, target) in destinations(call, &parsed.operands, into, is_plain)? {
        call.cancel.check()?;
        let target = match has_parents {
            true => make_parents(call, &source, folder, &manner)?,
            false => Some(target),
        };
        let is_copied = target.map_or(Ok(false), |target| copy(call, &source, &target, &manner))?;
        if !is_copied {
            status = Status::FAILURE;
        }
    }
    Ok(status)
}

/// `--parents`: make the folders that the name of `source` goes through, in `folder`; where `source` then goes. None
/// where something is wrong, which has been told.
fn make_parents(call: &mut Call<'_>, source: &str, folder: &str, manner: &Manner) -> Result<Option<String>> {
    let source = source.trim_end_matches('/');
    for (at, _) in source.match_indices('/').filter(|(at, _)| !source[..*at].ends_with('/') && *at > 0) {
        let parent = &source[..at];
        let made = below(folder, parent.trim_start_matches('/'));
        let meta = match call.stat(parent) {
            Ok(meta) => meta,
            Err(error) => {
                call.warn(format_args!("failed to get attributes of {}: {error}", quoted(parent)))?;
                return Ok(None);
            }
        };
        match call.stat(&made) {
            Ok(found) if found.is_dir() => continue,
            Ok(_) => {
                call.warn(format_args!("{} exists but is not a directory", quoted(&made)))?;
                return Ok(None);
            }
            Err(_) => {}
        }
        if let Err(why) = call.make_folder(&made) {
            call.warn(format_args!("cannot make directory {}: {why}", quoted(&made)))?;
            return Ok(None);
        }
        if manner.verbose {
            writeln!(call.stdout, "{parent} -> {made}")?;
        }
        let mode = if manner.keeps { meta.mode } else { call.masked(meta.mode) };
        if !finish(call, &made, mode, &meta, manner)? {
            return Ok(None);
        }
    }
    Ok(Some(below(folder, source.trim_start_matches('/'))))
}

/// Whether nothing is wrong with the copy.
pub(crate) fn copy(call: &mut Call<'_>, source: &str, target: &str, manner: &Manner) -> Result<bool> {
    let (from, to) = (quoted(source), quoted(target));
    let meta = match call.stat(source) {
        Ok(meta) => meta,
        Err(error) => {
            call.warn(format_args!("cannot stat {from}: {error}"))?;
            return Ok(false);
        }
    };
    let existing = call.stat(target).ok();
    if meta.is_dir() {
        return copy_folder(call, source, target, (&meta, existing.as_ref()), manner);
    }
    if let Some(existing) = &existing {
        if existing.is_dir() {
            call.warn(format_args!("cannot overwrite directory {to} with non-directory"))?;
            return Ok(false);
        }
        if Device::named(target).is_none() && call.resolve(source).ok() == call.resolve(target).ok() {
            call.warn(format_args!("{from} and {to} are the same file"))?;
            return Ok(false);
        }
        if manner.no_clobber || (manner.update && meta.time() <= existing.time()) {
            return Ok(true);
        }
        if manner.asks && would_overwrite(call, target) && !agrees(call, &format!("overwrite {to}"))? {
            return Ok(true);
        }
    }
    if manner.verbose {
        writeln!(call.stdout, "{from} -> {to}")?;
    }
    let output = match create(call, source, target, existing.is_some(), manner) {
        Ok(Some(output)) => output,
        Ok(None) => return Ok(true),
        Err(trouble) => {
            call.warn(trouble)?;
            return Ok(false);
        }
    };
    if !pour(call, source, target, output)? {
        return Ok(false);
    }
    let mode = if manner.keeps { meta.mode } else { call.masked(meta.mode) };
    if existing.is_none() || manner.keeps { finish(call, target, mode, &meta, manner) } else { Ok(true) }
}

/// Open the file `target` to be copied to, or make a link there; the error is a message.
fn create(
    call: &Call<'_>,
    source: &str,
    target: &str,
    exists: bool,
    manner: &Manner,
) -> Result<Option<Output>, String> {
    let (from, to) = (quoted(source), quoted(target));
    if let Some(kind) = manner.link {
        let made = call.make(target, Change::MakeSpecial);
        return made.map(|()| None).map_err(|why| format!("cannot create {kind} link {to} to {from}: {why}"));
    }
    if let Some(suffix) = manner.backup.as_ref().filter(|_| exists) {
        call.rename(target, &format!("{target}{suffix}")).map_err(|why| format!("cannot backup {to}: {why}"))?;
    }
    let open = || match call.open_to_write(target, Opening::Anew) {
        // A folder's name for a file that is not there is no folder.
        Err(error) if !exists && target.ends_with('/') => Err(ErrorKind::NotADirectory.at(&error.path)),
        opened => opened,
    };
    let opened: FsResult<Output> = match open() {
        Err(_) if exists && manner.force => {
            call.remove(target).map_err(|why| format!("cannot remove {to}: {why}"))?;
            open()
        }
        opened => opened,
    };
    opened.map(Some).map_err(|why| format!("cannot create regular file {to}: {why}"))
}

/// Copy the folder `source` to `target`, and all in it; of both is told what there is.
fn copy_folder(
    call: &mut Call<'_>,
    source: &str,
    target: &str,
    (meta, existing): (&Meta, Option<&Meta>),
    manner: &Manner,
) -> Result<bool> {
    let (from, to) = (quoted(source), quoted(target));
    if !manner.is_recursive {
        call.warn(format_args!("-r not specified; omitting directory {from}"))?;
        return Ok(false);
    }
    if existing.is_some_and(|existing| !existing.is_dir()) {
        call.warn(format_args!("cannot overwrite non-directory {to} with directory {from}"))?;
        return Ok(false);
    }
    let path = call.resolve(source)?;
    // What is listed before its copy is made does not hold the copy.
    let entries = call.fs.list(&path)?;
    let writable = call.masked(meta.mode) | 0o700;
    let made = if existing.is_some() { Ok(()) } else { call.make(target, Change::MakeFolder(writable)) };
    if let Err(why) = made {
        call.warn(format_args!("cannot create directory {to}: {why}"))?;
        return Ok(false);
    }
    if call.resolve(target)?.is_within(&path) {
        call.warn(format_args!("cannot copy a directory, {from}, into itself, {to}"))?;
        return Ok(false);
    }
    if manner.verbose && existing.is_none() {
        writeln!(call.stdout, "{from} -> {to}")?;
    }
    let mut is_fine = true;
    for entry in entries {
        call.cancel.check()?;
        is_fine &= copy(call, &within(source, &entry.name), &within(target, &entry.name), manner)?;
    }
    match existing.is_none() && manner.keeps {
        true => Ok(finish(call, target, meta.mode, meta, manner)? && is_fine),
        false => Ok(is_fine),
    }
}

/// Give the copy `target` its permission bits, and the time of the original where that is kept.
fn finish(call: &mut Call<'_>, target: &str, mode: u32, meta: &Meta, manner: &Manner) -> Result<bool> {
    let mut set = call.change(target, Change::SetMode(mode));
    if manner.keeps {
        set = set.and_then(|()| call.change(target, Change::SetTime(meta.mtime, meta.nanos)));
    }
    if let Err(why) = &set {
        call.warn(format_args!("preserving times for {}: {why}", quoted(target)))?;
    }
    Ok(set.is_ok())
}

/// The bytes of `source` into `output`, which is `target`.
pub(crate) fn pour(call: &mut Call<'_>, source: &str, target: &str, mut output: Output) -> Result<bool> {
    let poured = call.each_input(&[source.to_string()], |_, _, input| {
        loop {
            let bytes = input.fill_buf()?;
            let count = bytes.len();
            if count == 0 {
                return Ok(output.flush()?);
            }
            output.write_all(bytes)?;
            input.consume(count);
        }
    });
    match poured {
        Ok(status) => Ok(status.is_ok()),
        Err(Error::Io(error)) if error.kind() == io::ErrorKind::StorageFull => {
            call.warn(format_args!("error writing {}: {}", quoted(target), ErrorKind::NoSpace))?;
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    const TREE: crate::testing::Tree<'_> = &[("a/x.md", "x\n"), ("b.md", "b\n")];

    #[test]
    fn the_checks_come_first() {
        check(
            TREE,
            "cp nosuch new",
            expect![[r#"
            [stderr]
            cp: cannot stat 'nosuch': No such file or directory
            [status 1]
        "#]],
        );
        check(
            TREE,
            "cp a new",
            expect![[r#"
            [stderr]
            cp: -r not specified; omitting directory 'a'
            [status 1]
        "#]],
        );
        check(
            TREE,
            "cp b.md nosuch a",
            expect![[r#"
            [stderr]
            cp: cannot create regular file 'a/b.md': Read-only file system
            cp: cannot stat 'nosuch': No such file or directory
            [status 1]
        "#]],
        );
        check(
            TREE,
            "cp b.md b.md",
            expect![[r#"
            [stderr]
            cp: 'b.md' and 'b.md' are the same file
            [status 1]
        "#]],
        );
        check(
            TREE,
            "cp b.md",
            expect![[r#"
            [stderr]
            cp: missing destination file operand after 'b.md'
            Try 'cp --help' for more information.
            [status 1]
        "#]],
        );
        check(
            TREE,
            "cp -r a new/er",
            expect![[r#"
            [stderr]
            cp: cannot create directory 'new/er': No such file or directory
            [status 1]
        "#]],
        );
        check(
            TREE,
            "cp a/x.md b.md new",
            expect![[r#"
            [stderr]
            cp: target 'new': No such file or directory
            [status 1]
        "#]],
        );
    }

    #[test]
    fn devices_can_be_copied_to() {
        check(TREE, "cp b.md /dev/null", expect![[""]]);
        check(
            TREE,
            "cp b.md /dev/stdout",
            expect![[r#"
            b
        "#]],
        );
    }
}
