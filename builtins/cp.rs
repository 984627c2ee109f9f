//! `cp`: on a read-only tree, the message that says so, after the real one's own checks.
use crate::{
    Builtin, Call, Device, Error, Opt, Result, Status,
    args::{self, Order, Parsed},
    quoted,
    refuse::{destinations, within},
};
use std::io::{BufRead, Write};

pub(crate) static CP: Builtin = Builtin {
    name: "cp",
    synopsis: "[OPTION]... SOURCE... DEST",
    about: "Copy SOURCE to DEST. A site cannot be written to: only devices can be copied to.",
    options: &[
        Opt::flag('a', &["archive"], "recursive", "same as -dR --preserve=all"),
        Opt::flag(' ', &["attributes-only"], "ignored", "").long_only(),
        Opt::flag('b', &["backup"], "backup", "make a backup of each existing destination file").optional("CONTROL"),
        Opt::flag(' ', &["copy-contents"], "ignored", "").long_only(),
        Opt::flag('d', &[], "ignored", ""),
        Opt::flag('f', &["force"], "force", "if a destination file cannot be opened, remove it and try again"),
        Opt::flag('i', &["interactive"], "ignored", ""),
        Opt::flag('H', &[], "ignored", ""),
        Opt::flag('l', &["link"], "link", "hard link files instead of copying"),
        Opt::flag('L', &["dereference"], "ignored", ""),
        Opt::flag('n', &["no-clobber"], "no-clobber", "do not overwrite an existing file"),
        Opt::flag('P', &["no-dereference"], "ignored", ""),
        Opt::flag('p', &[], "ignored", ""),
        Opt::flag(' ', &["preserve"], "ignored", "").long_only().optional("ATTR_LIST"),
        Opt::value(' ', &["no-preserve"], "ignored", "ATTR_LIST", "").long_only(),
        Opt::flag(' ', &["parents"], "ignored", "").long_only(),
        Opt::flag('R', &["recursive"], "recursive", "copy directories recursively"),
        Opt::flag('r', &[], "recursive", "copy directories recursively"),
        Opt::flag(' ', &["reflink"], "ignored", "").long_only().optional("WHEN"),
        Opt::flag(' ', &["remove-destination"], "force", "").long_only(),
        Opt::value(' ', &["sparse"], "ignored", "WHEN", "").long_only(),
        Opt::flag(' ', &["strip-trailing-slashes"], "ignored", "").long_only(),
        Opt::flag('s', &["symbolic-link"], "symbolic-link", "make symbolic links instead of copying"),
        Opt::value('S', &["suffix"], "backup", "SUFFIX", ""),
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

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let mut status = Status::OK;
    for (source, target) in destinations(call, &parsed.operands, parsed.value("into"), parsed.has("plain"))? {
        call.cancel.check()?;
        if !copy(call, &source, &target, &parsed)? {
            status = Status::FAILURE;
        }
    }
    Ok(status)
}

/// Whether nothing is wrong with the copy.
fn copy(call: &mut Call<'_>, source: &str, target: &str, parsed: &Parsed) -> Result<bool> {
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
        return match &existing {
            _ if !parsed.has("recursive") => {
                call.warn(format_args!("-r not specified; omitting directory {from}"))?;
                Ok(false)
            }
            Some(existing) if !existing.is_dir() => {
                call.warn(format_args!("cannot overwrite non-directory {to} with directory {from}"))?;
                Ok(false)
            }
            Some(_) => copy_into(call, source, target, parsed),
            None => {
                let why = call.refuse_new(target);
                call.warn(format_args!("cannot create directory {to}: {why}"))?;
                Ok(false)
            }
        };
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
        if parsed.has("no-clobber") || (parsed.has("update") && meta.mtime <= existing.mtime) {
            return Ok(true);
        }
    }
    if parsed.has("verbose") {
        writeln!(call.stdout, "{from} -> {to}")?;
    }
    let link = [("link", "hard"), ("symbolic-link", "symbolic")].into_iter().find(|(key, _)| parsed.has(key));
    let Some(why) = call.refuse_write(target) else { return pour(call, source, target) };
    match (link, existing.is_some()) {
        (Some((_, kind)), _) => {
            let why = call.refuse_new(target);
            call.warn(format_args!("cannot create {kind} link {to} to {from}: {why}"))?;
        }
        (None, true) if parsed.has("backup") => call.warn(format_args!("cannot backup {to}: {why}"))?,
        (None, true) if parsed.has("force") => call.warn(format_args!("cannot remove {to}: {why}"))?,
        // A folder's name for a file that is not there is no folder.
        (None, false) if target.ends_with('/') => {
            call.warn(format_args!("cannot create regular file {to}: Not a directory"))?;
        }
        _ => call.warn(format_args!("cannot create regular file {to}: {why}"))?,
    }
    Ok(false)
}

/// Copy all in the folder `source` into the folder `target`, which exists.
fn copy_into(call: &mut Call<'_>, source: &str, target: &str, parsed: &Parsed) -> Result<bool> {
    let mut waiting = vec![(source.to_string(), target.to_string())];
    let mut is_fine = true;
    while let Some((source, target)) = waiting.pop() {
        let Ok(entries) = call.resolve(&source).and_then(|path| call.fs.list(&path)) else { continue };
        for entry in entries {
            call.cancel.check()?;
            let (from, to) = (within(&source, &entry.name), within(&target, &entry.name));
            match call.is_folder(&from) && call.is_folder(&to) {
                true => waiting.push((from, to)),
                false => is_fine &= copy(call, &from, &to, parsed)?,
            }
        }
    }
    Ok(is_fine)
}

/// The bytes of `source` to a device.
fn pour(call: &mut Call<'_>, source: &str, target: &str) -> Result<bool> {
    let mut output = call.create(target).map_err(|error| Error::failed(format!("{target}: {error}")))?;
    let sources = [source.to_string()];
    let status = call.each_input(&sources, |_, _, input| {
        loop {
            let bytes = input.fill_buf()?;
            let count = bytes.len();
            if count == 0 {
                return Ok(());
            }
            output.write_all(bytes)?;
            input.consume(count);
        }
    })?;
    output.flush()?;
    Ok(status.is_ok())
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
