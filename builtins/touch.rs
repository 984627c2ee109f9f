//! `touch`: on a read-only tree, the message that says so.
use crate::{
    Builtin, Call, Error, ErrorKind, Moment, Opt, Result, Status,
    args::{self, Order},
    curly, quoted,
};

pub(crate) static TOUCH: Builtin = Builtin {
    name: "touch",
    synopsis: "[OPTION]... FILE...",
    about: "Update the access and modification times of each FILE. A site cannot be written to.",
    options: &[
        Opt::flag('a', &[], "ignored", "change only the access time"),
        Opt::flag('c', &["no-create"], "no-create", "do not create any files"),
        Opt::value('d', &["date"], "date", "STRING", "parse STRING and use it instead of current time"),
        Opt::flag('f', &[], "ignored", ""),
        Opt::flag('h', &["no-dereference"], "ignored", ""),
        Opt::flag('m', &[], "ignored", "change only the modification time"),
        Opt::value('r', &["reference"], "reference", "FILE", "use this file's times instead of current time"),
        Opt::value('t', &[], "stamp", "STAMP", "use [[CC]YY]MMDDhhmm[.ss] instead of current time"),
        Opt::value(' ', &["time"], "ignored", "WORD", "").long_only(),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    for (key, value) in &parsed.options {
        let text = value.as_deref().unwrap_or_default();
        let wrong = match *key {
            "date" => Moment::read(text, call.now()).is_none(),
            "stamp" => !is_stamp(text),
            "reference" => match call.stat(text) {
                Ok(_) => false,
                Err(error) => {
                    return Err(Error::failed(format!("failed to get attributes of {}: {error}", quoted(text))));
                }
            },
            _ => false,
        };
        if wrong {
            return Err(Error::failed(format!("invalid date format {}", curly(text))));
        }
    }
    if parsed.operands.is_empty() {
        return Err(Error::usage("missing file operand"));
    }
    let mut status = Status::OK;
    for operand in parsed.operands.iter().filter(|operand| *operand != "-") {
        let Some(why) = call.refuse_write(operand) else { continue };
        let name = quoted(operand);
        let exists = call.stat(operand).is_ok();
        if !exists && parsed.has("no-create") {
            continue;
        }
        match call.is_folder(operand) {
            true => call.warn(format_args!("setting times of {name}: {}", ErrorKind::ReadOnly))?,
            false if !exists && operand.ends_with('/') => {
                call.warn(format_args!("setting times of {name}: {}", ErrorKind::NotFound))?;
            }
            false if parsed.has("no-create") => call.warn(format_args!("setting times of {name}: {why}"))?,
            false => call.warn(format_args!("cannot touch {name}: {why}"))?,
        }
        status = Status::FAILURE;
    }
    Ok(status)
}

/// `[[CC]YY]MMDDhhmm[.ss]`.
fn is_stamp(text: &str) -> bool {
    let (minutes, seconds) = text.split_once('.').unwrap_or((text, "00"));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    matches!(minutes.len(), 8 | 10 | 12) && seconds.len() == 2 && digits(minutes) && digits(seconds)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn what_is_wrong_is_said_first() {
        let tree = &[("a/x.md", "")];
        check(
            tree,
            "touch a/x.md new a nosuch/x",
            expect![[r#"
            [stderr]
            touch: cannot touch 'a/x.md': Read-only file system
            touch: cannot touch 'new': Read-only file system
            touch: setting times of 'a': Read-only file system
            touch: cannot touch 'nosuch/x': No such file or directory
            [status 1]
        "#]],
        );
        check(
            tree,
            "touch -c new a/x.md",
            expect![[r#"
            [stderr]
            touch: setting times of 'a/x.md': Read-only file system
            [status 1]
        "#]],
        );
        check(
            tree,
            "touch -d nonsense new",
            expect![[r#"
            [stderr]
            touch: invalid date format ‘nonsense’
            [status 1]
        "#]],
        );
        check(tree, "touch /dev/null", expect![[""]]);
    }
}
