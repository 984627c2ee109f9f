//! `uniq`: runs of equal lines, each shown once, counted, or grouped.
use crate::{
    Builtin, Call, Error, Opt, Output, Result, Status,
    args::{self, Order},
    curly, number, quoted_if_odd,
    records::Records,
};
use std::io::Write;

pub(crate) static UNIQ: Builtin = Builtin {
    name: "uniq",
    synopsis: "[OPTION]... [INPUT [OUTPUT]]",
    about: "Filter adjacent matching lines from INPUT, writing to OUTPUT.",
    options: &[
        Opt::flag('c', &["count"], "count", "prefix lines by the number of occurrences"),
        Opt::flag('d', &["repeated"], "repeated", "only print duplicate lines, one for each group"),
        Opt::flag('D', &[], "D", "print all duplicate lines"),
        Opt::flag('1', &["all-repeated"], "D", "the same, groups set apart: none, prepend, separate")
            .long_only()
            .optional("METHOD"),
        Opt::value('f', &["skip-fields"], "fields", "N", "avoid comparing the first N fields"),
        Opt::flag('2', &["group"], "group", "show all items, groups set apart: separate, prepend, append, both")
            .long_only()
            .optional("METHOD"),
        Opt::flag('i', &["ignore-case"], "fold", "ignore differences in case when comparing"),
        Opt::value('s', &["skip-chars"], "chars", "N", "avoid comparing the first N characters"),
        Opt::flag('u', &["unique"], "unique", "only print unique lines"),
        Opt::flag('z', &["zero-terminated"], "zero", "line delimiter is NUL, not newline"),
        Opt::value('w', &["check-chars"], "width", "N", "compare no more than N characters in lines"),
    ],
    trouble: Status(1),
    run,
};

/// Where an empty line sets groups apart.
#[derive(Clone, Copy, Default, PartialEq)]
struct Gaps {
    before: bool,
    between: bool,
    after: bool,
}

const NONE: Gaps = Gaps { before: false, between: false, after: false };
const PREPEND: Gaps = Gaps { before: true, between: true, after: false };
const APPEND: Gaps = Gaps { before: false, between: true, after: true };
const SEPARATE: Gaps = Gaps { before: false, between: true, after: false };
const BOTH: Gaps = Gaps { before: true, between: true, after: true };

/// What is compared, and what is shown.
#[derive(Default)]
struct Options {
    fields: u64,
    chars: u64,
    width: Option<u64>,
    fold: bool,
    zero: bool,
    count: bool,
    no_single: bool,
    no_first: bool,
    /// `-D`: every line of a group of several.
    all: Option<Gaps>,
    group: Option<Gaps>,
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let (options, operands) = read(call)?;
    let mut out = call.stdout.clone();
    let named = |name: &str| quoted_if_odd(name);
    let mut input = match operands.first().map(String::as_str) {
        None | Some("-") => call.stdin.clone(),
        Some(file) => call.open(file).map_err(|error| Error::failed(format!("{}: {error}", named(file))))?,
    };
    match operands.get(1).map(String::as_str) {
        None | Some("-") => {}
        Some(file) => {
            out = call.create(file).map_err(|error| Error::failed(format!("{}: {error}", named(file))))?;
        }
    }
    let mut records = Records::lines(options.zero);
    let end = if options.zero { 0 } else { b'\n' };
    let mut writer = Writer { out: &mut out, end, options: &options, groups: 0, latest: Vec::new() };
    let mut first: Vec<u8> = Vec::new();
    let mut count: u64 = 0;
    let outcome = loop {
        let line = match records.next_bare(&mut input, &mut call.memory) {
            Ok(Some(line)) => line,
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        };
        if count > 0 && same(&options, &first, line) {
            count += 1;
            writer.follows(&first, line, count)?;
        } else {
            writer.ended(&first, count)?;
            first.clear();
            first.extend_from_slice(line);
            count = 1;
            writer.begins(&first)?;
        }
    };
    if let Err(error) = outcome {
        let cause = crate::FsError::within(error)?;
        let name = operands.first().map_or("-", String::as_str);
        return Err(Error::failed(format!("error reading {}: {cause}", crate::quoted(name))));
    }
    writer.ended(&first, count)?;
    writer.finish()?;
    out.flush()?;
    Ok(Status::OK)
}

/// Shows lines as soon as their fate is known.
struct Writer<'a> {
    out: &'a mut Output,
    end: u8,
    options: &'a Options,
    groups: u64,
    /// With `-Du`, which leaves out the last line of each group: the line whose fate the next one decides.
    latest: Vec<u8>,
}

impl Writer<'_> {
    fn line(&mut self, line: &[u8]) -> Result<()> {
        self.out.write_all(line)?;
        self.out.write_all(&[self.end])?;
        Ok(())
    }

    fn gap(&mut self, gaps: Gaps) -> Result<()> {
        if (self.groups == 0 && gaps.before) || (self.groups > 0 && gaps.between) {
            self.out.write_all(&[self.end])?;
        }
        self.groups += 1;
        Ok(())
    }

    /// The first line of a group.
    fn begins(&mut self, first: &[u8]) -> Result<()> {
        let options = self.options;
        if let Some(gaps) = options.group {
            self.gap(gaps)?;
            self.line(first)?;
        } else if !(options.count || options.no_single || options.no_first || options.all.is_some()) {
            self.line(first)?;
        }
        Ok(())
    }

    /// Line number `count` of a group.
    fn follows(&mut self, first: &[u8], line: &[u8], count: u64) -> Result<()> {
        if self.options.group.is_some() {
            self.line(line)?;
        } else if let Some(gaps) = self.options.all {
            if count == 2 {
                self.gap(gaps)?;
                self.line(first)?;
            }
            if !self.options.no_first {
                return self.line(line);
            }
            if count > 2 {
                let latest = std::mem::take(&mut self.latest);
                self.line(&latest)?;
                self.latest = latest;
            }
            self.latest.clear();
            self.latest.extend_from_slice(line);
        }
        Ok(())
    }

    /// A group of `count` lines has ended.
    fn ended(&mut self, first: &[u8], count: u64) -> Result<()> {
        let Options { count: counted, no_single, no_first, all, group, .. } = *self.options;
        let shown = match count {
            0 => false,
            1 => !no_single,
            _ => !no_first,
        };
        if group.is_some() || all.is_some() || !shown || !(counted || no_single || no_first) {
            return Ok(());
        }
        if counted {
            write!(self.out, "{count:7} ")?;
        }
        self.line(first)
    }

    fn finish(&mut self) -> Result<()> {
        if self.groups > 0 && self.options.group.is_some_and(|gaps| gaps.after) {
            self.out.write_all(&[self.end])?;
        }
        Ok(())
    }
}

fn same(options: &Options, a: &[u8], b: &[u8]) -> bool {
    let (a, b) = (key(options, a), key(options, b));
    if options.fold { a.eq_ignore_ascii_case(b) } else { a == b }
}

/// The part of a line that is compared.
fn key<'a>(options: &Options, line: &'a [u8]) -> &'a [u8] {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n');
    let mut rest = line;
    for _ in 0..options.fields {
        if rest.is_empty() {
            break;
        }
        let blanks = rest.iter().take_while(|byte| blank(byte)).count();
        rest = &rest[blanks..];
        let text = rest.iter().take_while(|byte| !blank(byte)).count();
        rest = &rest[text..];
    }
    let length = |count: u64, rest: &[u8]| usize::try_from(count).unwrap_or(usize::MAX).min(rest.len());
    rest = &rest[length(options.chars, rest)..];
    &rest[..length(options.width.unwrap_or(u64::MAX), rest)]
}

fn read(call: &Call<'_>) -> Result<(Options, Vec<String>)> {
    let words = modern(&call.args[1..]);
    let parsed = args::parse_words(&words, call.builtin.options, Order::Anywhere)?;
    let mut options = Options::default();
    for (key, value) in &parsed.options {
        let value = value.as_deref();
        let size = |what: &str| {
            let text = value.unwrap_or_default();
            match number::parse(text, "") {
                Ok(count) => Ok(count),
                Err(number::Malformed::Overflow) => Ok(u64::MAX),
                Err(number::Malformed::Invalid) => Err(Error::failed(format!("{text}: invalid number of {what}"))),
            }
        };
        match *key {
            "count" => options.count = true,
            "repeated" => options.no_single = true,
            "unique" => options.no_first = true,
            "D" => {
                let methods = [("none", NONE), ("prepend", PREPEND), ("separate", SEPARATE)];
                options.no_single = true;
                options.all = Some(match value {
                    None => NONE,
                    Some(value) => args::choice(call, "--all-repeated", value, &methods)?,
                });
            }
            "group" => {
                let methods = [("prepend", PREPEND), ("append", APPEND), ("separate", SEPARATE), ("both", BOTH)];
                options.group = Some(match value {
                    None => SEPARATE,
                    Some(value) => args::choice(call, "--group", value, &methods)?,
                });
            }
            "fields" => options.fields = size("fields to skip")?,
            "chars" => options.chars = size("bytes to skip")?,
            "width" => options.width = Some(size("bytes to compare")?),
            "fold" => options.fold = true,
            _ => options.zero = true,
        }
    }
    if let Some(extra) = parsed.operands.get(2) {
        return Err(Error::usage(format!("extra operand {}", curly(extra))));
    }
    if options.group.is_some() && (options.count || options.no_single || options.no_first) {
        return Err(Error::usage("--group is mutually exclusive with -c/-d/-D/-u"));
    }
    if options.count && options.all.is_some() {
        return Err(Error::usage("printing all duplicated lines and repeat counts is meaningless"));
    }
    Ok((options, parsed.operands))
}

/// The old spellings `-N` (fields) and `+N` (characters) as `-f` and `-s`.
fn modern(words: &[String]) -> Vec<String> {
    let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let mut dashes = false;
    words
        .iter()
        .map(|word| {
            dashes |= word == "--";
            match word.split_at_checked(1) {
                Some(("-", count)) if digits(count) && !dashes => format!("-f{count}"),
                Some(("+", count)) if digits(count) && !dashes => format!("-s{count}"),
                _ => word.clone(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with_stdin};
    use expect_test::expect;

    fn answer(flags: &str, stdin: &str) -> String {
        let command = format!("uniq {flags}");
        let (stdout, ..) = crate::testing::run(&[], &command, stdin.replace(' ', "\n").as_bytes());
        String::from_utf8_lossy(&stdout).replace('\n', " ")
    }

    #[test]
    fn runs_are_shown_once_counted_or_chosen() {
        let lines = "a a b c c c";
        assert_eq!(answer("", lines), "a b c ");
        assert_eq!(answer("-c", "a a b"), "      2 a       1 b ");
        assert_eq!(answer("-d", lines), "a c ");
        assert_eq!(answer("-u", lines), "b ");
        assert_eq!(answer("-D", lines), "a a c c c ");
        assert_eq!(answer("-du", lines), "");
        assert_eq!(answer("-Du", lines), "a c c ");
        assert_eq!(answer("-cd", lines), "      2 a       3 c ");
    }

    #[test]
    fn groups_are_set_apart() {
        assert_eq!(answer("--group", "a a b"), "a a  b ");
        assert_eq!(answer("--group=both", "a a b"), " a a  b  ");
        assert_eq!(answer("--all-repeated=prepend", "a a b c c"), " a a  c c ");
        assert_eq!(answer("--all-repeated=separate", "a a b c c"), "a a  c c ");
    }

    #[test]
    fn parts_of_lines_are_compared() {
        check_with_stdin(
            &[],
            "uniq -f1",
            "1 x\n2 x\n3 y\n",
            expect![[r#"
            1 x
            3 y
        "#]],
        );
        assert_eq!(answer("-s2", "aax bbx ccy"), "aax ccy ");
        assert_eq!(answer("-w1 -i", "apple Avocado banana"), "apple banana ");
    }

    #[test]
    fn what_it_cannot_do_is_said() {
        check(
            &[("a", "x\n")],
            "uniq a out",
            expect![[r#"
            [stderr]
            uniq: out: Read-only file system
            [status 1]
        "#]],
        );
        check(
            &[("a", "x\n")],
            "uniq -cD a",
            expect![[r#"
            [stderr]
            uniq: printing all duplicated lines and repeat counts is meaningless
            Try 'uniq --help' for more information.
            [status 1]
        "#]],
        );
    }
}
