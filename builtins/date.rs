//! `date`: moments, told in UTC, which is the only zone there is. The clock cannot be set.
use crate::{
    Builtin, Call, Error, Moment, Opt, Result, Status,
    args::{self, Order},
    curly, quoted_if_odd,
    records::Records,
};
use std::io::Write;

pub(crate) static DATE: Builtin = Builtin {
    name: "date",
    synopsis: "[OPTION]... [+FORMAT]",
    about: "Display the current time in the given FORMAT.",
    options: &[
        Opt::value('d', &["date"], "date", "STRING", "display time described by STRING, not 'now'"),
        Opt::flag('0', &["debug"], "debug", "(ignored)").long_only(),
        Opt::value('f', &["file"], "file", "DATEFILE", "like --date; once for each line of DATEFILE"),
        Opt::flag('I', &["iso-8601"], "iso", "output date/time in ISO 8601 format").optional("FMT"),
        Opt::flag('1', &["resolution"], "resolution", "output the available resolution of timestamps").long_only(),
        Opt::flag('R', &["rfc-email", "rfc-822", "rfc-2822"], "email", "output date and time in RFC 5322 format"),
        Opt::value('2', &["rfc-3339"], "rfc-3339", "FMT", "output date/time in RFC 3339 format").long_only(),
        Opt::value('r', &["reference"], "reference", "FILE", "display the last modification time of FILE"),
        Opt::value('s', &["set"], "set", "STRING", "set time described by STRING"),
        Opt::flag('u', &["utc", "universal"], "utc", "print Coordinated Universal Time (UTC)"),
    ],
    trouble: Status(1),
    run,
};

/// What `date` prints without a format.
const DEFAULT: &str = "%a %b %e %H:%M:%S %Z %Y";

const ISO: &[(&str, &str)] = &[
    ("hours", "%Y-%m-%dT%H%:z"),
    ("minutes", "%Y-%m-%dT%H:%M%:z"),
    ("date", "%Y-%m-%d"),
    ("seconds", "%Y-%m-%dT%H:%M:%S%:z"),
    ("ns", "%Y-%m-%dT%H:%M:%S,%N%:z"),
];

const RFC_3339: &[(&str, &str)] =
    &[("date", "%Y-%m-%d"), ("seconds", "%Y-%m-%d %H:%M:%S%:z"), ("ns", "%Y-%m-%d %H:%M:%S.%N%:z")];

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let mut format: Option<&str> = None;
    let mut choose = |chosen| match format.replace(chosen) {
        Some(_) => Err(Error::failed("multiple output formats specified")),
        None => Ok(()),
    };
    for (key, value) in &parsed.options {
        match *key {
            "iso" => choose(match value {
                None => "%Y-%m-%d",
                Some(value) => args::choice(call, "--iso-8601", value, ISO)?,
            })?,
            "email" => choose("%a, %d %b %Y %H:%M:%S %z")?,
            "rfc-3339" => {
                choose(args::choice(call, "--rfc-3339", value.as_deref().unwrap_or_default(), RFC_3339)?)?;
            }
            "resolution" => choose("%s.%N")?,
            _ => {}
        }
    }
    let sources = ["date", "file", "reference", "resolution"].iter().filter(|key| parsed.has(key)).count();
    if sources > 1 {
        return Err(Error::usage("the options to specify dates for printing are mutually exclusive"));
    }
    if parsed.has("set") && sources > 0 {
        return Err(Error::usage("the options to print and set the time may not be used together"));
    }
    let mut to_set = parsed.value("set");
    match parsed.operands.as_slice() {
        [] => {}
        [_, extra, ..] => return Err(Error::usage(format!("extra operand {}", curly(extra)))),
        [only] => match only.strip_prefix('+') {
            Some(own) => choose(own)?,
            None if sources > 0 || to_set.is_some() => {
                let message = format!(
                    "the argument {} lacks a leading '+';\nwhen using an option to specify date(s), any non-option\n\
                     argument must be a format string beginning with '+'",
                    curly(only)
                );
                return Err(Error::usage(message));
            }
            // MMDDhhmm[[CC]YY][.ss] would set the clock.
            None => {
                let digits = only.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
                if !digits.is_empty() || only.len() < 8 {
                    return Err(Error::failed(format!("invalid date {}", curly(only))));
                }
                to_set = Some(only);
            }
        },
    }
    if to_set.is_some() {
        return Err(Error::failed("cannot set date: Operation not permitted"));
    }
    let format = format.unwrap_or(DEFAULT);
    let now = call.now();
    let moment = if let Some(text) = parsed.value("date") {
        read(text, now)?
    } else if let Some(file) = parsed.value("reference") {
        let meta = call.stat(file).map_err(|error| Error::failed(format!("{}: {error}", quoted_if_odd(file))))?;
        Moment::of(&meta)
    } else if let Some(file) = parsed.value("file") {
        return each_line(call, file, format, now);
    } else if parsed.has("resolution") {
        Moment { nanos: 1, ..Moment::utc(0) }
    } else {
        present()
    };
    writeln!(call.stdout, "{}", moment.format(format))?;
    Ok(Status::OK)
}

/// Now, with its nanoseconds.
pub(crate) fn present() -> Moment {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Moment { nanos: since.subsec_nanos(), ..Moment::utc(since.as_secs() as i64) }
}

/// The moment that `text` means; a zone it names is only a way of writing it.
fn read(text: &str, now: i64) -> Result<Moment> {
    match Moment::read(text, now) {
        Some(moment) => Ok(Moment { nanos: moment.nanos, ..Moment::utc(moment.seconds) }),
        None => Err(Error::failed(format!("invalid date {}", curly(text)))),
    }
}

/// `-f`: each line of a file is a date.
fn each_line(call: &mut Call<'_>, file: &str, format: &str, now: i64) -> Result<Status> {
    let opened = if file == "-" { Ok(call.stdin.clone()) } else { call.open(file) };
    let mut input = opened.map_err(|error| Error::failed(format!("{}: {error}", quoted_if_odd(file))))?;
    let mut records = Records::lines(false);
    let mut status = Status::OK;
    while let Some(line) = records.next_bare(&mut input, &mut call.memory)? {
        let text = String::from_utf8_lossy(line).into_owned();
        match read(&text, now) {
            Ok(moment) => writeln!(call.stdout, "{}", moment.format(format))?,
            Err(error) => {
                call.warn(error)?;
                status = Status::FAILURE;
            }
        }
    }
    Ok(status)
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with_stdin};
    use expect_test::expect;

    #[test]
    fn moments_and_formats() {
        check(
            &[],
            "date -u -d @1733140800",
            expect![[r#"
            Mon Dec  2 12:00:00 UTC 2024
        "#]],
        );
        check(
            &[],
            "date -d '2024-02-28 + 2 days' '+%F %j'",
            expect![[r#"
            2024-03-01 061
        "#]],
        );
        check(
            &[],
            "date -R -d @0",
            expect![[r#"
            Thu, 01 Jan 1970 00:00:00 +0000
        "#]],
        );
        check(
            &[],
            "date -Ins -d @1.5",
            expect![[r#"
            1970-01-01T00:00:01,500000000+00:00
        "#]],
        );
        check(
            &[("a", "")],
            "date -r a --rfc-3339=seconds",
            expect![[r#"
            2025-01-15 12:00:00+00:00
        "#]],
        );
    }

    #[test]
    fn what_is_no_date_is_said() {
        check(
            &[],
            "date -d 'not a date'",
            expect![[r#"
            [stderr]
            date: invalid date ‘not a date’
            [status 1]
        "#]],
        );
        check_with_stdin(
            &[],
            "date -f - +%F",
            "@0\nbad\n",
            expect![[r#"
            1970-01-01
            [stderr]
            date: invalid date ‘bad’
            [status 1]
        "#]],
        );
    }

    #[test]
    fn the_clock_cannot_be_set() {
        check(
            &[],
            "date -s tomorrow",
            expect![[r#"
            [stderr]
            date: cannot set date: Operation not permitted
            [status 1]
        "#]],
        );
    }
}
