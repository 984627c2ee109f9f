//! `mkdir`: on a read-only tree, the message that says so, unless the folder exists and `-p` was given.
use crate::{
    Builtin, Call, Error, ErrorKind, Opt, Result, Status,
    args::{self, Order},
    curly, mode,
};

pub(crate) static MKDIR: Builtin = Builtin {
    name: "mkdir",
    synopsis: "[OPTION]... DIRECTORY...",
    about: "Create the DIRECTORY(ies), if they do not already exist. A site cannot be written to.",
    options: &[
        Opt::value('m', &["mode"], "mode", "MODE", "set file mode (as in chmod), not a=rwx - umask"),
        Opt::flag('p', &["parents"], "parents", "no error if existing, make parent directories as needed"),
        Opt::flag('v', &["verbose"], "ignored", "print a message for each created directory"),
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
    if let Some(text) = parsed.value("mode")
        && mode::apply(text, 0o777, true, 0).is_none()
    {
        return Err(Error::failed(format!("invalid mode {}", curly(text))));
    }
    let mut status = Status::OK;
    for operand in &parsed.operands {
        let trouble = match parsed.has("parents") {
            true => first_missing(call, operand),
            false => Some((operand.as_str(), call.refuse_new(operand))),
        };
        if let Some((name, why)) = trouble {
            call.warn(format_args!("cannot create directory {}: {why}", curly(name)))?;
            status = Status::FAILURE;
        }
    }
    Ok(status)
}

/// The first folder on the way to `operand` that would have to be made, and why it cannot be.
fn first_missing<'o>(call: &Call<'_>, operand: &'o str) -> Option<(&'o str, String)> {
    let ends = operand.match_indices('/').map(|(at, _)| at).filter(|at| *at > 0 && !operand[..*at].ends_with('/'));
    for end in ends.chain([operand.len()]) {
        let name = &operand[..end];
        if call.is_folder(name) {
            continue;
        }
        let is_last = operand[end..].trim_matches('/').is_empty();
        return Some(match call.refuse_new(name) {
            why if why == "File exists" && !is_last => (name, ErrorKind::NotADirectory.to_string()),
            why => (name, why),
        });
    }
    None
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
