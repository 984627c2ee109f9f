//! `strings`: runs of printable characters in files of any kind.
use crate::{
    Builtin, Call, Error, ErrorKind, FsError, Input, Opt, Result, Status,
    args::{self, Order},
    number,
};
use std::io::{BufRead, Write};

pub(crate) static STRINGS: Builtin = Builtin {
    name: "strings",
    synopsis: "[OPTION]... [FILE]...",
    about: "Print the sequences of printable characters in files.",
    options: &[
        Opt::flag('a', &["all"], "all", "scan the entire file (always)"),
        Opt::flag('d', &["data"], "data", "(ignored)"),
        Opt::flag('h', &[], args::HELP, "display this help"),
        Opt::flag('v', &[], args::VERSION, "output version information"),
        Opt::flag('V', &[], args::VERSION, "the same"),
        Opt::flag('f', &["print-file-name"], "name", "print the name of the file before each string"),
        Opt::value('n', &["bytes"], "least", "NUMBER", "print any sequence of at least NUMBER characters (default 4)"),
        Opt::value('t', &["radix"], "radix", "RADIX", "print the location of the string in base 8, 10 or 16"),
        Opt::flag('w', &["include-all-whitespace"], "space", "include all whitespace as valid string characters"),
        Opt::flag('o', &[], "octal", "an alias for --radix=o"),
        Opt::value(
            'e',
            &["encoding"],
            "encoding",
            "ENCODING",
            "select character size and endianness: s = 7-bit, S = 8-bit, {b,l} = 16-bit, {B,L} = 32-bit",
        ),
        Opt::value('s', &["output-separator"], "separator", "STRING", "string used to separate strings in output"),
    ],
    trouble: Status(1),
    run,
};

struct Options {
    name: bool,
    least: usize,
    radix: Option<char>,
    space: bool,
    eight_bit: bool,
    encoding: Encoding,
    separator: String,
}

/// How a character is written.
#[derive(Clone, Copy)]
struct Encoding {
    bytes: usize,
    big_endian: bool,
}

impl Encoding {
    fn code(self, bytes: &[u8]) -> u32 {
        let add = |code: u32, byte: &u8| code << 8 | u32::from(*byte);
        match self.big_endian {
            true => bytes.iter().fold(0, add),
            false => bytes.iter().rev().fold(0, add),
        }
    }
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let words = modern(&call.args[1..]);
    let parsed = args::parse_words(&words, call.builtin.options, Order::Anywhere)?;
    let mut options = Options {
        name: parsed.has("name"),
        least: 4,
        radix: None,
        space: parsed.has("space"),
        eight_bit: false,
        encoding: Encoding { bytes: 1, big_endian: true },
        separator: parsed.value("separator").unwrap_or("\n").to_string(),
    };
    for (key, value) in &parsed.options {
        let text = value.as_deref().unwrap_or_default();
        match (*key, text) {
            ("least", text) => match number::parse(text, "") {
                Ok(0) => return Err(Error::failed("minimum string length is too small: 0")),
                Ok(least) => options.least = usize::try_from(least).unwrap_or(usize::MAX),
                Err(_) => return Err(Error::failed(format!("invalid integer argument {text}"))),
            },
            ("octal", _) => options.radix = Some('o'),
            ("radix", "o" | "d" | "x") => options.radix = text.chars().next(),
            ("radix", _) => return Err(Error::usage(format!("invalid radix '{text}'"))),
            ("encoding", "s" | "S" | "b" | "l" | "B" | "L") => {
                options.eight_bit = text == "S";
                let bytes = match text {
                    "b" | "l" => 2,
                    "B" | "L" => 4,
                    _ => 1,
                };
                options.encoding = Encoding { bytes, big_endian: matches!(text, "b" | "B") };
            }
            ("encoding", _) => return Err(Error::usage(format!("invalid encoding '{text}'"))),
            _ => {}
        }
    }
    if parsed.operands.is_empty() {
        let mut input = call.stdin.clone();
        scan(call, &options, "{standard input}", &mut input)?;
        return Ok(Status::OK);
    }
    let mut status = Status::OK;
    for file in &parsed.operands {
        let result = match call.open(file) {
            Ok(mut input) => scan(call, &options, file, &mut input),
            Err(error) => Err(Error::Io(error.into())),
        };
        if let Err(error) = result {
            let cause = FsError::within(error)?;
            match cause.kind {
                ErrorKind::NotFound => call.warn(format_args!("'{file}': No such file"))?,
                ErrorKind::IsADirectory => call.warn(format_args!("Warning: '{file}' is a directory"))?,
                _ => call.warn(format_args!("{file}: {cause}"))?,
            }
            status = Status::FAILURE;
        }
    }
    Ok(status)
}

fn scan(call: &mut Call<'_>, options: &Options, name: &str, input: &mut Input) -> Result<()> {
    let counts = |code: u32| match u8::try_from(code) {
        Ok(b'\t' | b' '..=b'~') => true,
        Ok(0x80..) => options.eight_bit,
        Ok(10..=13) => options.space,
        _ => false,
    };
    // The bytes of a character that is not complete.
    let mut character: Vec<u8> = Vec::new();
    // Kept until the run is long enough; from then on its bytes are written as they come.
    let mut held: Vec<u8> = Vec::new();
    let mut shown = false;
    let (mut offset, mut start): (u64, u64) = (0, 0);
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            break;
        }
        let used = bytes.len();
        for &byte in bytes {
            offset += 1;
            character.push(byte);
            if character.len() < options.encoding.bytes {
                continue;
            }
            let code = options.encoding.code(&character);
            let place = offset - character.len() as u64;
            // A character that does not count may begin in the midst of one that does.
            let used = if counts(code) { character.len() } else { 1 };
            character.drain(..used);
            let byte = code as u8;
            if !counts(code) {
                if std::mem::take(&mut shown) {
                    call.stdout.write_all(options.separator.as_bytes())?;
                }
                held.clear();
            } else if shown {
                call.stdout.write_all(&[byte])?;
            } else {
                if held.is_empty() {
                    start = place;
                }
                held.push(byte);
                if held.len() >= options.least {
                    if options.name {
                        write!(call.stdout, "{name}: ")?;
                    }
                    match options.radix {
                        Some('o') => write!(call.stdout, "{start:7o} ")?,
                        Some('d') => write!(call.stdout, "{start:7} ")?,
                        Some(_) => write!(call.stdout, "{start:7x} ")?,
                        None => {}
                    }
                    call.stdout.write_all(&held)?;
                    shown = true;
                }
            }
        }
        input.consume(used);
    }
    if shown {
        call.stdout.write_all(options.separator.as_bytes())?;
    }
    Ok(())
}

/// `-NUM` as `-n NUM`, and a lone `-` as `-a`.
fn modern(words: &[String]) -> Vec<String> {
    let modern = |word: &String| match word.strip_prefix('-') {
        Some("") => "-a".to_string(),
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => format!("-n{digits}"),
        _ => word.clone(),
    };
    words.iter().map(modern).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    const TREE: &[(&str, &str)] = &[("s", "ab\0\0cdef\nghijk\u{1}lmno"), ("d/e", "")];

    #[test]
    fn long_runs_are_shown() {
        check(
            TREE,
            "strings -f s",
            expect![[r#"
            s: cdef
            s: ghijk
            s: lmno
        "#]],
        );
        check(
            TREE,
            "strings -2 -s '|' s",
            expect![["
            ab|cdef|ghijk|lmno|[no newline]
        "]],
        );
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        check(
            TREE,
            "strings nosuch d",
            expect![[r#"
            [stderr]
            strings: 'nosuch': No such file
            strings: Warning: 'd' is a directory
            [status 1]
        "#]],
        );
    }
}
