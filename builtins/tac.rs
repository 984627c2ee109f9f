//! `tac`: the records of each file, last first.
use crate::{
    Builtin, Call, Error, Input, Opt, Output, Purse, Result, Status,
    args::{self, Order},
    pattern::{Options, Pattern, Syntax},
    quoted, quoted_if_odd,
};
use std::io::{BufRead, Write};

pub(crate) static TAC: Builtin = Builtin {
    name: "tac",
    synopsis: "[OPTION]... [FILE]...",
    about: "Write each FILE to standard output, last line first.",
    options: &[
        Opt::flag('b', &["before"], "before", "attach the separator before instead of after"),
        Opt::flag('r', &["regex"], "regex", "interpret the separator as a regular expression"),
        Opt::value('s', &["separator"], "separator", "STRING", "use STRING as the separator instead of newline"),
    ],
    trouble: Status(1),
    run,
};

/// What ends, or begins, a record.
enum Separator {
    Text(Vec<u8>),
    Pattern(Pattern),
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let text = parsed.value("separator").unwrap_or("\n");
    let separator = match parsed.has("regex") {
        true if text.is_empty() => return Err(Error::failed("separator cannot be empty")),
        true => {
            let options = Options { size: call.limits.regex, anchors_at_newlines: true, ..Options::default() };
            let pattern = Pattern::posix(text, Syntax::EMACS, options);
            Separator::Pattern(pattern.map_err(|error| Error::failed(error.to_string()))?)
        }
        false if text.is_empty() => Separator::Text(vec![0]),
        false => Separator::Text(text.as_bytes().to_vec()),
    };
    let before = parsed.has("before");
    let stdin = ["-".to_string()];
    let files = if parsed.operands.is_empty() { &stdin[..] } else { &parsed.operands };
    let mut status = Status::OK;
    for file in files {
        let opened = if file == "-" { Ok(call.stdin.clone()) } else { call.open(file) };
        let mut input = match opened {
            Ok(input) => input,
            Err(error) => {
                match error.kind {
                    crate::ErrorKind::Stopped(stop) => return Err(stop.into()),
                    crate::ErrorKind::IsADirectory => {
                        call.warn_apart(format_args!("{}: read error: Invalid argument", quoted_if_odd(file)));
                    }
                    _ => call.warn_apart(format_args!("failed to open {} for reading: {error}", quoted(file))),
                }
                status = Status::FAILURE;
                continue;
            }
        };
        let result = read_all(&mut input, &mut call.memory)
            .and_then(|text| print(&text, &separator, before, &mut call.stdout).map(|()| text.len()));
        match result {
            Ok(length) => call.memory.give(length),
            Err(error) => {
                let cause = crate::FsError::within(error)?;
                call.warn_apart(format_args!("{}: read error: {cause}", quoted_if_odd(file)));
                status = Status::FAILURE;
            }
        }
    }
    Ok(status)
}

fn read_all(input: &mut Input, memory: &mut Purse) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            return Ok(text);
        }
        memory.take(bytes.len())?;
        text.extend_from_slice(bytes);
        let used = bytes.len();
        input.consume(used);
    }
}

fn print(text: &[u8], separator: &Separator, before: bool, out: &mut Output) -> Result<()> {
    // Everything from here on has been printed, and separators are looked for before there.
    let mut printed = text.len();
    let mut until = text.len();
    while let Some((start, end)) = separator.last(&text[..until])? {
        let cut = if before { start } else { end };
        // The very end is no record after a separator.
        if cut < printed {
            out.write_all(&text[cut..printed])?;
            printed = cut;
        }
        until = start;
    }
    out.write_all(&text[..printed])?;
    Ok(())
}

impl Separator {
    /// The last separator in `text`.
    fn last(&self, text: &[u8]) -> Result<Option<(usize, usize)>> {
        match self {
            Separator::Text(bytes) if bytes.len() == 1 => {
                Ok(memchr::memrchr(bytes[0], text).map(|start| (start, start + 1)))
            }
            Separator::Text(bytes) => Ok(memchr::memmem::rfind(text, bytes).map(|start| (start, start + bytes.len()))),
            Separator::Pattern(pattern) => {
                // The latest start wins, and of its matches the longest; looked for in ever larger windows.
                let mut window = 256;
                loop {
                    let from = text.len().saturating_sub(window);
                    let mut last = None;
                    let mut at = from;
                    while at < text.len()
                        && let Some(found) = find(pattern, text, at)?
                        && found.0 < text.len()
                    {
                        at = found.0 + 1;
                        last = Some(found);
                    }
                    if last.is_some() || from == 0 {
                        return Ok(last);
                    }
                    window *= 2;
                }
            }
        }
    }
}

fn find(pattern: &Pattern, text: &[u8], at: usize) -> Result<Option<(usize, usize)>> {
    let found = pattern.find_at(text, at).map_err(|error| Error::failed(error.to_string()))?;
    Ok(found.map(|found| (found.start, found.end)))
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    fn tac(flags: &str, stdin: &str) -> String {
        let (stdout, ..) = crate::testing::run(&[], &format!("tac {flags}"), stdin.as_bytes());
        String::from_utf8_lossy(&stdout).into_owned()
    }

    #[test]
    fn records_come_last_first() {
        assert_eq!(tac("", "a\nb\nc\n"), "c\nb\na\n");
        assert_eq!(tac("", "a\nb"), "ba\n");
        assert_eq!(tac("-b", "a\nb\n"), "\n\nba");
        assert_eq!(tac("-s ab", "1ab2ab3"), "32ab1ab");
        assert_eq!(tac("-r -s '[0-9]+'", "a12b3c"), "cb32a1");
    }

    #[test]
    fn a_missing_file_does_not_stop_the_rest() {
        check(
            &[("a", "1\n2\n")],
            "tac nosuch a",
            expect![[r#"
            2
            1
            [stderr]
            tac: failed to open 'nosuch' for reading: No such file or directory
            [status 1]
        "#]],
        );
    }
}
