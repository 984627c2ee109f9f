//! `look`: the lines of a sorted file that begin with a string, found by halving the file (util-linux's).
//!
//! In a file that is not sorted it finds what the real one finds: the halves are taken at the same bytes.
use crate::{
    Builtin, Call, Error, ErrorKind, FsError, Opt, Result, Status,
    args::{self, Order},
};
use std::{
    cmp::Ordering,
    io::{Read, Write},
};

pub(crate) static LOOK: Builtin = Builtin {
    name: "look",
    synopsis: "[OPTION]... STRING [FILE]",
    about: "Display lines beginning with a specified string.",
    options: &[
        Opt::flag('a', &["alternative"], "a", "use the alternative dictionary"),
        Opt::flag('d', &["alphanum"], "d", "compare only blanks and alphanumeric characters"),
        Opt::flag('f', &["ignore-case"], "f", "ignore case differences when comparing"),
        Opt::value('t', &["terminate"], "t", "CHAR", "define the string-termination character"),
        Opt::flag('h', &["help"], args::HELP, "display this help"),
        Opt::flag('V', &["version"], args::VERSION, "display version"),
    ],
    trouble: Status(1),
    run,
};

/// The dictionaries that are looked into where no file is named.
const WORDS: &str = "/usr/share/dict/words";
const ALTERNATIVE: &str = "/usr/share/dict/web2";

/// What is looked for, and how lines are compared with it.
struct Wanted {
    prefix: Vec<u8>,
    alphanumeric: bool,
    ignore_case: bool,
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let dictionary = if parsed.has("a") { ALTERNATIVE } else { WORDS };
    let (string, file, by_default) = match &parsed.operands[..] {
        [string] => (string, dictionary, true),
        [string, file] => (string, file.as_str(), false),
        _ => return Err(Error::usage("bad usage")),
    };
    let mut prefix = string.clone().into_bytes();
    if let Some(end) = parsed.value("t").and_then(|mark| mark.bytes().next())
        && let Some(at) = prefix.iter().position(|byte| *byte == end)
    {
        prefix.truncate(at + 1);
    }
    let alphanumeric = parsed.has("d") || by_default;
    if alphanumeric {
        prefix.retain(counts);
    }
    let wanted = Wanted { prefix, alphanumeric, ignore_case: parsed.has("f") || by_default };
    let text = read(call, file)?;
    let start = wanted.halve(&text);
    let mut found = false;
    for line in text[start..].split_inclusive(|byte| *byte == b'\n') {
        call.cancel.check()?;
        match wanted.compare(line) {
            Ordering::Less if !found => {}
            Ordering::Equal => {
                found = true;
                call.stdout.write_all(line)?;
            }
            _ => break,
        }
    }
    Ok(Status::from(found))
}

/// The whole file: it is looked at here and there.
fn read(call: &mut Call<'_>, file: &str) -> Result<Vec<u8>> {
    let failed = |cause: ErrorKind| Error::failed(format!("{file}: {cause}"));
    let mut input = call.open(file).map_err(|error| failed(error.kind))?;
    let mut text = Vec::new();
    let mut chunk = [0; 64 * 1024];
    loop {
        match input.read(&mut chunk) {
            // An empty file cannot be mapped into memory, the real one says.
            Ok(0) if text.is_empty() => return Err(Error::failed(format!("{file}: Invalid argument"))),
            Ok(0) => return Ok(text),
            Ok(length) => {
                call.memory.take(length)?;
                text.extend_from_slice(&chunk[..length]);
            }
            Err(error) => return Err(failed(FsError::within(error.into())?.kind)),
        }
    }
}

/// Whether `-d` compares it.
fn counts(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'\t')
}

impl Wanted {
    /// How the beginning of `line` compares with what is wanted.
    fn compare(&self, line: &[u8]) -> Ordering {
        let counts = |byte: &u8| !self.alphanumeric || counts(byte);
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let begins = line.iter().copied().filter(counts).take(self.prefix.len());
        let folded = |byte: u8| if self.ignore_case { byte.to_ascii_lowercase() } else { byte };
        begins.map(folded).cmp(self.prefix.iter().map(|byte| folded(*byte)))
    }

    /// Where to read from: a line before which nothing can be found, as far as the lines are sorted.
    fn halve(&self, text: &[u8]) -> usize {
        let (mut front, mut back) = (0, text.len());
        loop {
            let middle = front + (back - front) / 2;
            let line = memchr::memchr(b'\n', &text[middle..back]).map_or(back, |at| middle + at + 1);
            if line >= back || back <= front {
                return front;
            }
            let end = memchr::memchr(b'\n', &text[line..back]).map_or(back, |at| line + at);
            match self.compare(&text[line..end]) {
                Ordering::Less => front = line,
                _ => back = line,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    const WORDS: &str = "Apple\nape\napple\napply\nbanana\n";

    #[test]
    fn lines_that_begin_with_it_are_shown() {
        check(
            &[("w", WORDS)],
            "look app w",
            expect![[r#"
            apple
            apply
        "#]],
        );
        check(
            &[("w", WORDS)],
            "look -t l appliance w",
            expect![[r#"
                apple
                apply
            "#]],
        );
        check(
            &[("w", "a-b\nab c\n")],
            "look -df A.B. w",
            expect![[r#"
            a-b
            ab c
        "#]],
        );
    }

    #[test]
    fn what_is_not_there_is_1() {
        check(
            &[("w", WORDS)],
            "look x w",
            expect![[r#"
            [status 1]
        "#]],
        );
        check(
            &[],
            "look x",
            expect![[r#"
            [stderr]
            look: /usr/share/dict/words: No such file or directory
            [status 1]
        "#]],
        );
    }
}
