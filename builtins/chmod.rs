//! `chmod`: other permission bits, where the tree lets them be set; a message for each file where it does not.
use crate::{
    Builtin, Call, Change, Error, Kind, Meta, Opt, Result, Status,
    args::{self, Order, Parsed},
    change::within,
    curly, mode, quoted,
};
use std::io::Write;

pub(crate) static CHMOD: Builtin = Builtin {
    name: "chmod",
    synopsis: "[OPTION]... MODE[,MODE]... FILE...",
    about: "Change the mode of each FILE to MODE. A site cannot be written to.",
    options: OPTIONS,
    trouble: Status(1),
    run,
};

const OPTIONS: &[Opt] = &[
    Opt::flag('c', &["changes"], "changes", "like verbose but report only when a change is made"),
    Opt::flag('f', &["silent", "quiet"], "quiet", "suppress most error messages"),
    Opt::flag('v', &["verbose"], "verbose", "output a diagnostic for every file processed"),
    Opt::flag(' ', &["no-preserve-root"], "ignored", "").long_only(),
    Opt::flag(' ', &["preserve-root"], "ignored", "").long_only(),
    Opt::value(' ', &["reference"], "reference", "RFILE", "use RFILE's mode instead of specifying MODE values")
        .long_only(),
    Opt::flag('R', &["recursive"], "recursive", "change files and directories recursively"),
];

fn run(call: &mut Call<'_>) -> Result<Status> {
    // A mode may begin with a dash; no option has one of its letters.
    let is_mode = |word: &&String| {
        let letters = word.strip_prefix('-').unwrap_or_default();
        letters.starts_with(|c: char| "rwxXstugoa,+=01234567".contains(c))
    };
    let dashed = call.args[1..].iter().take_while(|word| *word != "--").position(|word| is_mode(&word));
    let mut words = call.args[1..].to_vec();
    let dashed = dashed.map(|at| words.remove(at));
    let parsed = args::parse_words(&words, OPTIONS, Order::Anywhere)?;
    let mut operands = parsed.operands.clone();
    let mode = match (parsed.value("reference"), dashed) {
        (Some(file), _) => match call.stat(file) {
            Ok(meta) => format!("{:o}", meta.mode),
            Err(error) => return Err(Error::failed(format!("failed to get attributes of {}: {error}", quoted(file)))),
        },
        (None, Some(mode)) => mode,
        (None, None) if operands.is_empty() => return Err(Error::usage("missing operand")),
        (None, None) => operands.remove(0),
    };
    if mode::apply(&mode, 0, false, 0).is_none() {
        return Err(Error::usage(format!("invalid mode: {}", curly(&mode))));
    }
    if operands.is_empty() {
        return Err(Error::usage(format!("missing operand after {}", curly(&mode))));
    }
    let mut is_fine = true;
    for operand in &operands {
        match call.stat(operand) {
            Ok(meta) => is_fine &= change(call, operand, meta, &mode, &parsed)?,
            Err(error) => {
                is_fine = false;
                if !parsed.has("quiet") {
                    call.warn(format_args!("cannot access {}: {error}", quoted(operand)))?;
                }
            }
        }
    }
    Ok(Status::from(is_fine))
}

/// Change `name`, and with `-R` all below it; whether nothing was wrong.
fn change(call: &mut Call<'_>, name: &str, meta: Meta, mode: &str, parsed: &Parsed) -> Result<bool> {
    let umask = u32::from(call.session.umask);
    let mut is_fine = true;
    let mut waiting = vec![(name.to_string(), meta)];
    while let Some((name, meta)) = waiting.pop() {
        call.cancel.check()?;
        let new = Meta { mode: mode::apply(mode, meta.mode, meta.is_dir(), umask).unwrap_or(0), ..meta.clone() };
        let changed = call.change(&name, Change::SetMode(new.mode));
        if let (Err(why), false) = (&changed, parsed.has("quiet")) {
            call.warn(format_args!("changing permissions of {}: {why}", quoted(&name)))?;
        }
        is_fine &= changed.is_ok();
        report(call, &name, (&meta, &new), changed.is_ok(), parsed)?;
        if parsed.has("recursive") && meta.kind == Kind::Dir {
            let Ok(path) = call.resolve(&name) else { continue };
            for entry in call.fs.list(&path).unwrap_or_default().into_iter().rev() {
                if let Ok(meta) = call.fs.stat(&path.child(&entry.name)) {
                    waiting.push((within(&name, &entry.name), meta));
                }
            }
        }
    }
    Ok(is_fine)
}

/// What `-v` and `-c` tell of one file.
fn report(call: &mut Call<'_>, name: &str, modes: (&Meta, &Meta), is_done: bool, parsed: &Parsed) -> Result<()> {
    let (old, new) = modes;
    let differs = is_done && old.mode != new.mode;
    let is_told = parsed.has("verbose") || (parsed.has("changes") && differs);
    if !is_told {
        return Ok(());
    }
    let (name, old_bits, new_bits) = (quoted(name), mode::string(old), mode::string(new));
    let now = format!("{:04o} ({})", new.mode, &new_bits[1..]);
    match (is_done, differs) {
        (true, false) => writeln!(call.stdout, "mode of {name} retained as {now}")?,
        _ => {
            let what = if is_done { "mode of" } else { "failed to change mode of" };
            let change = if is_done { "changed from" } else { "from" };
            writeln!(call.stdout, "{what} {name} {change} {:04o} ({}) to {now}", old.mode, &old_bits[1..])?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn modes_may_begin_with_a_dash() {
        let tree = &[("a/x.md", "")];
        check(
            tree,
            "chmod -x a/x.md nosuch",
            expect![[r#"
            [stderr]
            chmod: changing permissions of 'a/x.md': Read-only file system
            chmod: cannot access 'nosuch': No such file or directory
            [status 1]
        "#]],
        );
        check(
            tree,
            "chmod -Rv 600 a",
            expect![[r#"
            failed to change mode of 'a' from 0755 (rwxr-xr-x) to 0600 (rw-------)
            failed to change mode of 'a/x.md' from 0644 (rw-r--r--) to 0600 (rw-------)
            [stderr]
            chmod: changing permissions of 'a': Read-only file system
            chmod: changing permissions of 'a/x.md': Read-only file system
            [status 1]
        "#]],
        );
        check(
            tree,
            "chmod u+q a",
            expect![[r#"
            [stderr]
            chmod: invalid mode: ‘u+q’
            Try 'chmod --help' for more information.
            [status 1]
        "#]],
        );
        check(
            tree,
            "chmod 644",
            expect![[r#"
            [stderr]
            chmod: missing operand after ‘644’
            Try 'chmod --help' for more information.
            [status 1]
        "#]],
        );
    }
}
