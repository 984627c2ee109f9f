//! `touch`: new times, and new files, where the tree takes any.
use crate::{
    Builtin, Call, Change, Civil, Error, ErrorKind, Moment, Opening, Opt, Result, Status,
    args::{self, Order},
    curly,
    date::present,
    quoted,
};

pub(crate) static TOUCH: Builtin = Builtin {
    name: "touch",
    synopsis: "[OPTION]... FILE...",
    about: "Update the access and modification times of each FILE. A site cannot be written to.",
    options: &[
        Opt::flag('a', &[], "access", "change only the access time"),
        Opt::flag('c', &["no-create"], "no-create", "do not create any files"),
        Opt::value('d', &["date"], "date", "STRING", "parse STRING and use it instead of current time"),
        Opt::flag('f', &[], "ignored", ""),
        Opt::flag('h', &["no-dereference"], "ignored", ""),
        Opt::flag('m', &[], "modification", "change only the modification time"),
        Opt::value('r', &["reference"], "reference", "FILE", "use this file's times instead of current time"),
        Opt::value('t', &[], "stamp", "STAMP", "use [[CC]YY]MMDDhhmm[.ss] instead of current time"),
        Opt::value(' ', &["time"], "which", "WORD", "").long_only(),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let mut time = present();
    for (key, value) in &parsed.options {
        let text = value.as_deref().unwrap_or_default();
        let told = match *key {
            "date" => Moment::read(text, call.now()),
            "stamp" => stamp(text, call.now()).map(Moment::utc),
            "reference" => match call.stat(text) {
                Ok(meta) => Some(Moment::of(&meta)),
                Err(error) => {
                    return Err(Error::failed(format!("failed to get attributes of {}: {error}", quoted(text))));
                }
            },
            _ => continue,
        };
        time = told.ok_or_else(|| Error::failed(format!("invalid date format {}", curly(text))))?;
    }
    if parsed.operands.is_empty() {
        return Err(Error::usage("missing file operand"));
    }
    // There is no time of the last access.
    let is_access = |word: &str| "access".starts_with(word) || "atime".starts_with(word) || word == "use";
    let only_access = parsed.has("access") || parsed.value("which").is_some_and(is_access);
    let change =
        if only_access && !parsed.has("modification") { None } else { Some(Change::SetTime(time.seconds, time.nanos)) };
    let mut status = Status::OK;
    for operand in parsed.operands.iter().filter(|operand| *operand != "-") {
        let name = quoted(operand);
        let opened = match parsed.has("no-create") {
            true => Ok(()),
            false => call.open_to_write(operand, Opening::Over).map(drop),
        };
        let set = match change {
            Some(change) => call.change(operand, change),
            None => call.stat(operand).map(drop),
        };
        let Err(why) = set else { continue };
        match opened {
            Err(why) if !matches!(why.kind, ErrorKind::IsADirectory) => {
                call.warn(format_args!("cannot touch {name}: {why}"))?;
            }
            Ok(()) if parsed.has("no-create") && matches!(why.kind, ErrorKind::NotFound) => continue,
            _ => call.warn(format_args!("setting times of {name}: {why}"))?,
        }
        status = Status::FAILURE;
    }
    Ok(status)
}

/// The seconds since the epoch of `[[CC]YY]MMDDhhmm[.ss]`, told at `now`.
fn stamp(text: &str, now: i64) -> Option<i64> {
    let (minutes, seconds) = text.split_once('.').unwrap_or((text, "00"));
    let is_whole = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !matches!(minutes.len(), 8 | 10 | 12) || seconds.len() != 2 || !is_whole(minutes) || !is_whole(seconds) {
        return None;
    }
    let (year, rest) = minutes.split_at(minutes.len() - 8);
    let year = match (year.len(), year.parse::<i64>().ok()) {
        (4, Some(year)) => year,
        (2, Some(year)) if year < 69 => 2000 + year,
        (2, Some(year)) => 1900 + year,
        _ => Civil::from_epoch(now).year,
    };
    let field = |at: usize| rest[at..at + 2].parse::<i64>().ok();
    let [month, day, hour, minute] = [field(0)?, field(2)?, field(4)?, field(6)?];
    let second = seconds.parse().ok()?;
    let told = Civil { year, month, day, hour, minute, second };
    let epoch = told.to_epoch();
    // A field out of its range would carry over; a leap second may.
    let is_real = Civil::from_epoch(epoch) == told || second == 60;
    is_real.then_some(epoch)
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
