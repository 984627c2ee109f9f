//! `chown` and `chgrp`: a message for each file that cannot be somebody's else. There is nobody but root.
use crate::{
    Builtin, Call, Change, Error, Kind, Opt, Result, Status,
    args::{self, Order},
    change::within,
    curly, quoted,
};

pub(crate) static CHOWN: Builtin = Builtin {
    name: "chown",
    synopsis: "[OPTION]... [OWNER][:[GROUP]] FILE...",
    about: "Change the owner and/or group of each FILE. A site cannot be written to.",
    options: OPTIONS,
    trouble: Status(1),
    run,
};

pub(crate) static CHGRP: Builtin = Builtin {
    name: "chgrp",
    synopsis: "[OPTION]... GROUP FILE...",
    about: "Change the group of each FILE to GROUP. A site cannot be written to.",
    options: OPTIONS,
    trouble: Status(1),
    run,
};

const OPTIONS: &[Opt] = &[
    Opt::flag('c', &["changes"], "ignored", ""),
    Opt::flag('f', &["silent", "quiet"], "quiet", "suppress most error messages"),
    Opt::flag('v', &["verbose"], "ignored", ""),
    Opt::flag(' ', &["dereference"], "ignored", "").long_only(),
    Opt::flag('h', &["no-dereference"], "ignored", ""),
    Opt::value(' ', &["from"], "ignored", "OWNER:GROUP", "").long_only(),
    Opt::flag(' ', &["no-preserve-root"], "ignored", "").long_only(),
    Opt::flag(' ', &["preserve-root"], "ignored", "").long_only(),
    Opt::value(' ', &["reference"], "reference", "RFILE", "use RFILE's ownership").long_only(),
    Opt::flag('R', &["recursive"], "recursive", "operate on files and directories recursively"),
    Opt::flag('H', &[], "ignored", ""),
    Opt::flag('L', &[], "ignored", ""),
    Opt::flag('P', &[], "ignored", ""),
];

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let mut operands = parsed.operands.clone();
    let mut owner = String::from("root");
    match parsed.value("reference") {
        Some(file) => {
            if let Err(error) = call.stat(file) {
                return Err(Error::failed(format!("failed to get attributes of {}: {error}", quoted(file))));
            }
        }
        None if operands.is_empty() => return Err(Error::usage("missing operand")),
        None => owner = operands.remove(0),
    }
    if operands.is_empty() {
        return Err(Error::usage(format!("missing operand after {}", curly(&owner))));
    }
    let is_known = |name: &str| name.is_empty() || name == "root" || name.parse::<u32>().is_ok();
    let (user, group) = match owner.split_once(':') {
        _ if call.builtin.name == "chgrp" => ("", owner.as_str()),
        Some((user, group)) => (user, group),
        None => (owner.as_str(), ""),
    };
    if !is_known(user) {
        return Err(Error::failed(format!("invalid user: {}", curly(&owner))));
    }
    if !is_known(group) {
        return Err(Error::failed(format!("invalid group: {}", curly(&owner))));
    }
    let what = if user.is_empty() { "group" } else { "ownership" };
    let mut is_fine = true;
    for operand in &operands {
        match call.stat(operand) {
            Ok(meta) => {
                let recursive = parsed.has("recursive") && meta.is_dir();
                is_fine &= change(call, operand, what, recursive, parsed.has("quiet"))?;
            }
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

/// Give `name` away, all below it first when `recursive`; whether nothing was wrong.
fn change(call: &mut Call<'_>, name: &str, what: &str, recursive: bool, is_quiet: bool) -> Result<bool> {
    let mut is_fine = true;
    // The flag says that what is in a folder has been put before it.
    let mut waiting = vec![(name.to_string(), !recursive)];
    while let Some((name, is_opened)) = waiting.pop() {
        call.cancel.check()?;
        if is_opened {
            if let Err(why) = call.change(&name, Change::SetOwner) {
                is_fine = false;
                if !is_quiet {
                    call.warn(format_args!("changing {what} of {}: {why}", quoted(&name)))?;
                }
            }
            continue;
        }
        let entries = call.resolve(&name).and_then(|path| call.fs.list(&path)).unwrap_or_default();
        let inner = entries.iter().rev().map(|entry| (within(&name, &entry.name), entry.kind != Kind::Dir));
        let inner: Vec<_> = inner.collect();
        waiting.push((name, true));
        waiting.extend(inner);
    }
    Ok(is_fine)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn there_is_nobody_but_root() {
        let tree = &[("a/x.md", "")];
        check(
            tree,
            "chown -R root:root a",
            expect![[r#"
            [stderr]
            chown: changing ownership of 'a/x.md': Read-only file system
            chown: changing ownership of 'a': Read-only file system
            [status 1]
        "#]],
        );
        check(
            tree,
            "chown me a",
            expect![[r#"
            [stderr]
            chown: invalid user: ‘me’
            [status 1]
        "#]],
        );
        check(
            tree,
            "chown root:us a",
            expect![[r#"
            [stderr]
            chown: invalid group: ‘root:us’
            [status 1]
        "#]],
        );
        check(
            tree,
            "chgrp root a/x.md nosuch",
            expect![[r#"
            [stderr]
            chgrp: changing group of 'a/x.md': Read-only file system
            chgrp: cannot access 'nosuch': No such file or directory
            [status 1]
        "#]],
        );
    }
}
