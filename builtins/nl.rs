//! `nl`: lines numbered, in pages of a header, a body and a footer.
use crate::{
    Builtin, Call, Error, Opt, Result, Status,
    args::{self, Order},
    curly, number, pad,
    pattern::{self, Pattern, Syntax},
    records::Records,
};
use std::io::Write;

pub(crate) static NL: Builtin = Builtin {
    name: "nl",
    synopsis: "[OPTION]... [FILE]...",
    about: "Write each FILE to standard output, with line numbers added.",
    options: &[
        Opt::value('b', &["body-numbering"], "b", "STYLE", "use STYLE for numbering body lines: a, t, n or pBRE"),
        Opt::value('d', &["section-delimiter"], "d", "CC", "use CC for logical page delimiters"),
        Opt::value('f', &["footer-numbering"], "f", "STYLE", "use STYLE for numbering footer lines"),
        Opt::value('h', &["header-numbering"], "h", "STYLE", "use STYLE for numbering header lines"),
        Opt::value('i', &["line-increment"], "i", "NUMBER", "line number increment at each line"),
        Opt::value('l', &["join-blank-lines"], "l", "NUMBER", "group of NUMBER empty lines counted as one"),
        Opt::value('n', &["number-format"], "n", "FORMAT", "insert line numbers according to FORMAT: ln, rn or rz"),
        Opt::flag('p', &["no-renumber"], "p", "do not reset line numbers for each section"),
        Opt::value('s', &["number-separator"], "s", "STRING", "add STRING after (possible) line number"),
        Opt::value('v', &["starting-line-number"], "v", "NUMBER", "first line number for each section"),
        Opt::value('w', &["number-width"], "w", "NUMBER", "use NUMBER columns for line numbers"),
    ],
    trouble: Status(1),
    run,
};

/// Which lines of a section are numbered.
enum Style {
    All,
    NonEmpty,
    None,
    Matching(Box<Pattern>),
}

/// How a number stands in its columns.
#[derive(Clone, Copy)]
enum Format {
    Left,
    Right,
    Zeros,
}

struct Options {
    /// Of header, body and footer.
    styles: [Style; 3],
    delimiter: Vec<u8>,
    increment: i64,
    join: i64,
    format: Format,
    renumber: bool,
    separator: String,
    start: i64,
    width: usize,
}

/// Where the numbering stands; it goes on from file to file.
struct Progress {
    section: usize,
    /// `None` once the numbers have run out.
    next: Option<i64>,
    blanks: i64,
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let options = read(call, &parsed)?;
    let mut progress = Progress { section: 1, next: Some(options.start), blanks: 0 };
    call.each_input(&parsed.operands, |call, _, input| {
        let mut records = Records::lines(false);
        while let Some(line) = records.next_bare(input, &mut call.memory)? {
            match options.section(line) {
                Some(section) => {
                    progress.section = section;
                    if options.renumber {
                        progress.next = Some(options.start);
                    }
                    call.stdout.write_all(b"\n")?;
                }
                None => {
                    let prefix = options.prefix(line, &mut progress)?;
                    call.stdout.write_all(prefix.as_bytes())?;
                    call.stdout.write_all(line)?;
                    call.stdout.write_all(b"\n")?;
                }
            }
        }
        Ok(())
    })
}

fn read(call: &Call<'_>, parsed: &args::Parsed) -> Result<Options> {
    let style = |text: &str, what: &str| -> Result<Style> {
        match text.split_at_checked(1) {
            Some(("a", "")) => Ok(Style::All),
            Some(("t", "")) => Ok(Style::NonEmpty),
            Some(("n", "")) => Ok(Style::None),
            Some(("p", expression)) => {
                let options = pattern::Options { size: call.limits.regex, ..pattern::Options::default() };
                let pattern = Pattern::posix(expression, Syntax::POSIX_BASIC, options);
                Ok(Style::Matching(Box::new(pattern.map_err(|error| Error::failed(error.to_string()))?)))
            }
            _ => Err(Error::usage(format!("invalid {what} numbering style: {}", curly(text)))),
        }
    };
    let whole = |text: &str, what: &str, least: i64, most: i64| -> Result<i64> {
        let wrong = |why: &str| Err(Error::failed(format!("invalid {what}: {}{why}", curly(text))));
        let (digits, sign) = match text.strip_prefix('-') {
            Some(digits) => (digits, -1),
            None => (text, 1),
        };
        match number::parse(digits, "") {
            Err(number::Malformed::Invalid) => wrong(""),
            Err(number::Malformed::Overflow) => wrong(": Value too large for defined data type"),
            Ok(count) => {
                let value = i128::from(count) * sign;
                match value < i128::from(least) || value > i128::from(most) {
                    true => wrong(": Numerical result out of range"),
                    false => Ok(value as i64),
                }
            }
        }
    };
    let mut options = Options {
        styles: [Style::None, Style::NonEmpty, Style::None],
        delimiter: b"\\:".to_vec(),
        increment: 1,
        join: 1,
        format: Format::Right,
        renumber: true,
        separator: "\t".to_string(),
        start: 1,
        width: 6,
    };
    for (key, value) in &parsed.options {
        let value = value.as_deref().unwrap_or_default();
        match *key {
            "h" => options.styles[0] = style(value, "header")?,
            "b" => options.styles[1] = style(value, "body")?,
            "f" => options.styles[2] = style(value, "footer")?,
            "d" => {
                options.delimiter = value.as_bytes().to_vec();
                if value.len() == 1 {
                    options.delimiter.push(b':');
                }
            }
            "i" => options.increment = whole(value, "line number increment", i64::MIN, i64::MAX)?,
            "l" => options.join = whole(value, "line number of blank lines", 1, i64::MAX)?,
            "n" => {
                options.format = match value {
                    "ln" => Format::Left,
                    "rn" => Format::Right,
                    "rz" => Format::Zeros,
                    _ => return Err(Error::usage(format!("invalid line numbering format: {}", curly(value)))),
                }
            }
            "p" => options.renumber = false,
            "s" => options.separator = value.to_string(),
            "v" => options.start = whole(value, "starting line number", i64::MIN, i64::MAX)?,
            _ => {
                options.width = whole(value, "line number field width", 1, i64::from(i32::MAX))? as usize;
            }
        }
    }
    if options.width > 1 << 20 {
        return Err(Error::Failed("memory limit reached: number width".to_string(), Status(126)));
    }
    Ok(options)
}

impl Options {
    /// The section that `line` begins: 0 the header, 1 the body, 2 the footer.
    fn section(&self, line: &[u8]) -> Option<usize> {
        let length = self.delimiter.len();
        if length == 0 || line.is_empty() || !line.len().is_multiple_of(length) || line.len() > 3 * length {
            return None;
        }
        line.chunks(length).all(|part| part == self.delimiter).then_some(3 - line.len() / length)
    }

    /// What stands before a line: its number, or as many blanks.
    fn prefix(&self, line: &[u8], progress: &mut Progress) -> Result<String> {
        let numbered = match &self.styles[progress.section] {
            Style::All if self.join > 1 && line.is_empty() => {
                progress.blanks += 1;
                progress.blanks == self.join
            }
            Style::All => true,
            Style::NonEmpty => !line.is_empty(),
            Style::None => false,
            Style::Matching(pattern) => pattern.is_match(line).map_err(|error| Error::failed(error.to_string()))?,
        };
        if !numbered {
            return Ok(" ".repeat(self.width + self.separator.len()));
        }
        progress.blanks = 0;
        let Some(number) = progress.next else {
            return Err(Error::failed("line number overflow"));
        };
        progress.next = number.checked_add(self.increment);
        let digits = number.unsigned_abs().to_string();
        let sign = if number < 0 { "-" } else { "" };
        let padded = match self.format {
            Format::Left => pad::behind(&format!("{sign}{digits}"), self.width),
            Format::Right => pad::before(&format!("{sign}{digits}"), self.width, ' '),
            Format::Zeros => format!("{sign}{}", pad::before(&digits, self.width.saturating_sub(sign.len()), '0')),
        };
        Ok(padded + &self.separator)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_with_stdin;
    use expect_test::expect;

    #[test]
    fn lines_with_text_are_numbered() {
        let (stdout, ..) = crate::testing::run(&[], "nl", b"a\n\nb");
        assert_eq!(String::from_utf8_lossy(&stdout), "     1\ta\n       \n     2\tb\n");
        check_with_stdin(
            &[],
            "nl -ba -n rz -w3 -s: -v-1",
            "a\n\nb",
            expect![[r#"
            -01:a
            000:
            001:b
        "#]],
        );
    }

    #[test]
    fn pages_have_sections() {
        check_with_stdin(
            &[],
            "nl -n ln -w2 -s: -bp^b -ha",
            "\\:\\:\\:\nh\n\\:\\:\nb\nx\n\\:\nf\n",
            expect![["

                1 :h

                1 :b
                   x

                   f
            "]],
        );
    }

    #[test]
    fn wrong_words_are_named() {
        check_with_stdin(
            &[],
            "nl -b x",
            "",
            expect![[r#"
            [stderr]
            nl: invalid body numbering style: ‘x’
            Try 'nl --help' for more information.
            [status 1]
        "#]],
        );
        check_with_stdin(
            &[],
            "nl -w 0",
            "",
            expect![[r#"
            [stderr]
            nl: invalid line number field width: ‘0’: Numerical result out of range
            [status 1]
        "#]],
        );
    }
}
