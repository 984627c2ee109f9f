//! `sdiff`: two files in two columns. Merging them asks a person at each step, which nothing here does.
use crate::{
    Builtin, Call, Error, Opening, Opt, Result, Status,
    args::{self, Order},
    diff::{self, Style},
    quoted,
};

pub(crate) static SDIFF: Builtin = Builtin {
    name: "sdiff",
    synopsis: "[OPTION]... FILE1 FILE2",
    about: "Side-by-side merge of differences between FILE1 and FILE2.",
    options: &[
        Opt::value('o', &["output"], "output", "FILE", ""),
        Opt::flag('v', &[], args::VERSION, "output version information"),
        Opt::flag('i', &["ignore-case"], "ignore-case", "consider upper- and lower-case to be the same"),
        Opt::flag('E', &["ignore-tab-expansion"], "E", "ignore changes due to tab expansion"),
        Opt::flag('Z', &["ignore-trailing-space"], "Z", "ignore white space at line end"),
        Opt::flag('b', &["ignore-space-change"], "b", "ignore changes in the amount of white space"),
        Opt::flag('W', &["ignore-all-space"], "w", "ignore all white space"),
        Opt::flag('B', &["ignore-blank-lines"], "B", "ignore changes whose lines are all blank"),
        Opt::value('I', &["ignore-matching-lines"], "I", "RE", "ignore changes where all lines match RE"),
        Opt::flag('0', &["strip-trailing-cr"], "strip-cr", "strip trailing carriage return on input").long_only(),
        Opt::flag('a', &["text"], "text", "treat all files as text"),
        Opt::value('w', &["width"], "width", "NUM", "output at most NUM (default 130) columns per line"),
        Opt::flag('l', &["left-column"], "left-column", "output only the left column of common lines"),
        Opt::flag('s', &["suppress-common-lines"], "no-common", "do not output common lines"),
        Opt::flag('t', &["expand-tabs"], "expand-tabs", "expand tabs to spaces in output"),
        Opt::value('1', &["tabsize"], "tabsize", "NUM", "tab stops at every NUM (default 8) print columns").long_only(),
        Opt::flag('d', &["minimal"], "minimal", "try hard to find a smaller set of changes"),
        Opt::flag('H', &["speed-large-files"], "H", "(ignored)"),
    ],
    trouble: Status(2),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let failed = |message: String| Error::Failed(message, Status(2));
    let mut options = diff::Options::new();
    options.style = Style::SideBySide;
    let mut matching: Vec<&str> = Vec::new();
    for (key, value) in &parsed.options {
        let value = value.as_deref().unwrap_or_default();
        let columns = || diff::columns(value).ok_or_else(|| failed(format!("invalid {key} {}", quoted(value))));
        match *key {
            "output" => {
                if let Err(why) = call.open_to_write(value, Opening::Over) {
                    return Err(failed(format!("{value}: {why}")));
                }
                return Err(failed("--output is not supported".into()));
            }
            "I" => matching.push(value),
            "width" => options.width = columns()?,
            "tabsize" => options.ignored.tab_size = columns()?,
            key => options.set_lines(key),
        }
    }
    options.matching = diff::compile(call, &matching)?;
    match parsed.operands.as_slice() {
        [old, new] => diff::compare_named(call, &options, old, new),
        [] | [_] => {
            let last = parsed.operands.last().map_or(call.name(), String::as_str);
            Err(Error::usage(format!("missing operand after {}", quoted(last))))
        }
        [_, _, extra, ..] => Err(Error::usage(format!("extra operand {}", quoted(extra)))),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn two_columns() {
        check(
            &[("a", "1\n2\n"), ("b", "1\n3\n")],
            "sdiff -w 20 -t a b",
            expect![[r#"
                1           1
                2        |  3
                [status 1]
            "#]],
        );
    }
}
