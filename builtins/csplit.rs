//! `csplit`: what is wrong with its patterns, and why no pieces are written.
use crate::{
    Builtin, Call, Error, Opt, Result, Status,
    args::{self, Order},
    curly,
    pattern::{Options, Pattern, Syntax},
    quoted, quoted_if_odd,
};

pub(crate) static CSPLIT: Builtin = Builtin {
    name: "csplit",
    synopsis: "[OPTION]... FILE PATTERN...",
    about: "Output pieces of FILE separated by PATTERN(s) to files 'xx00', 'xx01', ... A site cannot be written to.",
    options: &[
        Opt::value('b', &["suffix-format"], "ignored", "FORMAT", ""),
        Opt::value('f', &["prefix"], "prefix", "PREFIX", "use PREFIX instead of 'xx'"),
        Opt::flag('k', &["keep-files"], "ignored", ""),
        Opt::flag(' ', &["suppress-matched"], "ignored", "").long_only(),
        Opt::value('n', &["digits"], "digits", "DIGITS", "use specified number of digits instead of 2"),
        Opt::flag('q', &["quiet"], "ignored", ""),
        Opt::flag('s', &["silent"], "ignored", ""),
        Opt::flag('z', &["elide-empty-files"], "ignored", ""),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let (file, patterns) = match &parsed.operands[..] {
        [] => return Err(Error::usage("missing operand")),
        [file] => return Err(Error::usage(format!("missing operand after {}", curly(file)))),
        [file, patterns @ ..] => (file, patterns),
    };
    let digits = parsed.value("digits").unwrap_or("2");
    let digits: usize = digits.parse().map_err(|_| Error::failed(format!("invalid number: {}", curly(digits))))?;
    for pattern in patterns {
        check(call, pattern)?;
    }
    if file != "-"
        && let Err(error) = call.open(file)
    {
        return Err(Error::failed(format!("cannot open {} for reading: {error}", quoted(file))));
    }
    let name = format!("{}{}", parsed.value("prefix").unwrap_or("xx"), "0".repeat(digits.clamp(1, 255)));
    if let Err(why) = call.create(&name) {
        return Err(Error::failed(format!("{}: {why}", quoted_if_odd(&name))));
    }
    call.remove(&name)?;
    Err(Error::failed("pieces are not supported; use split, sed or awk"))
}

/// `/REGEXP/[OFFSET]`, `%REGEXP%[OFFSET]`, a line number, `{N}` or `{*}`.
fn check(call: &Call<'_>, pattern: &str) -> Result<()> {
    let fail = |why: String| Err(Error::failed(format!("{}: {why}", curly(pattern))));
    match pattern.chars().next() {
        Some(delimiter @ ('/' | '%')) => {
            let Some(end) = pattern[1..].rfind(delimiter) else {
                return fail(format!("closing delimiter '{delimiter}' missing"));
            };
            let options = Options { size: call.limits.regex, ..Options::default() };
            match Pattern::posix(&pattern[1..=end], Syntax::POSIX_BASIC, options) {
                Ok(_) => Ok(()),
                Err(error) => fail(format!("invalid regular expression: {error}")),
            }
        }
        Some('{') if pattern.ends_with('}') => {
            let count = &pattern[1..pattern.len() - 1];
            if count == "*" || count.parse::<u64>().is_ok() {
                Ok(())
            } else {
                fail("integer required between '{' and '}'".into())
            }
        }
        _ if pattern.parse::<u64>().is_ok_and(|line| line > 0) => Ok(()),
        _ => fail("invalid pattern".to_string()),
    }
}
