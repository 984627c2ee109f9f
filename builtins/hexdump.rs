//! `hexdump` and `hd`: bytes in forms that a small language describes; the options that name a form are sentences of
//! it.
//!
//! The steps: [`format`] reads the language, [`unit`] prints a block of bytes by it.
mod format;
mod unit;

use crate::{
    Builtin, Call, Error, FsError, InputKind, Opt, Result, Status,
    args::{self, Order},
    concatenation::Concatenation,
    number,
};
use format::{Format, Source};
use std::io::{BufRead, Write};

pub(crate) static HEXDUMP: Builtin = Builtin {
    name: "hexdump",
    synopsis: "[OPTION]... [FILE]...",
    about: "Display file contents in hexadecimal, decimal, octal, or ascii.",
    options: &[
        Opt::flag('b', &["one-byte-octal"], "b", "one-byte octal display"),
        Opt::flag('c', &["one-byte-char"], "c", "one-byte character display"),
        Opt::flag('C', &["canonical"], "C", "canonical hex+ASCII display"),
        Opt::flag('d', &["two-bytes-decimal"], "d", "two-byte decimal display"),
        Opt::flag('o', &["two-bytes-octal"], "o", "two-byte octal display"),
        Opt::flag('x', &["two-bytes-hex"], "x", "two-byte hexadecimal display"),
        Opt::value('e', &["format"], "format", "FORMAT", "format string to be used for displaying data"),
        Opt::value('f', &["format-file"], "file", "FILE", "file that contains format strings"),
        Opt::value('n', &["length"], "length", "LENGTH", "interpret only LENGTH bytes of input"),
        Opt::value('s', &["skip"], "skip", "OFFSET", "skip OFFSET bytes from the beginning"),
        Opt::flag('v', &["no-squeezing"], "v", "output identical lines"),
        Opt::flag('h', &["help"], "help", "display this help"),
        Opt::flag('V', &["version"], "version", "display version"),
    ],
    trouble: Status(1),
    run,
};

pub(crate) static HD: Builtin = Builtin { name: "hd", ..HEXDUMP };

/// The forms that have a letter.
const OCTAL_BYTES: &[&str] = &[r#""%07.7_Ax\n""#, r#""%07.7_ax " 16/1 "%03o " "\n""#];
const CHARACTERS: &[&str] = &[r#""%07.7_Ax\n""#, r#""%07.7_ax " 16/1 "%3_c " "\n""#];
const CANONICAL: &[&str] =
    &[r#""%08.8_Ax\n""#, r#""%08.8_ax  " 8/1 "%02x " "  " 8/1 "%02x ""#, r#""  |" 16/1 "%_p" "|\n""#];
const DECIMAL: &[&str] = &[r#""%07.7_Ax\n""#, r#""%07.7_ax " 8/2 "  %05u " "\n""#];
const OCTAL: &[&str] = &[r#""%07.7_Ax\n""#, r#""%07.7_ax " 8/2 " %06o " "\n""#];
const HEXADECIMAL: &[&str] = &[r#""%07.7_Ax\n""#, r#""%07.7_ax " 8/2 "   %04x " "\n""#];
const USUAL: &[&str] = &[r#""%07.7_Ax\n""#, r#""%07.7_ax " 8/2 "%04x " "\n""#];

/// Bytes of a block at most: a format may ask for any number.
const WIDEST: usize = 1 << 20;

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let mut sources: Vec<Source> = Vec::new();
    let (mut length, mut skip) = (u64::MAX, 0);
    if call.builtin.name == "hd" {
        for form in CANONICAL {
            sources.push(Source::read(form)?);
        }
    }
    for (key, value) in &parsed.options {
        let text = value.as_deref().unwrap_or_default();
        let forms = match *key {
            "b" => OCTAL_BYTES,
            "c" => CHARACTERS,
            "C" => CANONICAL,
            "d" => DECIMAL,
            "o" => OCTAL,
            "x" => HEXADECIMAL,
            "format" => {
                sources.push(Source::read(text)?);
                continue;
            }
            "file" => {
                read_file(call, text, &mut sources)?;
                continue;
            }
            "length" => {
                length = size("length", text)?;
                continue;
            }
            "skip" => {
                skip = size("offset", text)?;
                continue;
            }
            "help" => return Err(Error::Help),
            "version" => return Err(Error::Version),
            _ => continue,
        };
        for form in forms {
            sources.push(Source::read(form)?);
        }
    }
    if sources.is_empty() {
        for form in USUAL {
            sources.push(Source::read(form)?);
        }
    }
    let format = Format::new(&sources)?;
    if format.block > WIDEST {
        return Err(Error::Failed(format!("block limit of {WIDEST} bytes reached"), Status(126)));
    }
    let mut files = parsed.operands.clone();
    if files.is_empty() {
        if skip > 0 && call.stdin.kind() != InputKind::File {
            return Err(Error::failed("stdin: Illegal seek"));
        }
        files.push("-".to_string());
    }
    if format.block == 0 {
        return Ok(Status::OK);
    }
    dump(call, &format, files, skip, length, parsed.has("v"))
}

/// Print everything, block by block.
fn dump(
    call: &mut Call<'_>,
    format: &Format<'_>,
    files: Vec<String>,
    skip: u64,
    length: u64,
    all: bool,
) -> Result<Status> {
    let mut stream = Concatenation::new(files.into_iter(), length);
    let mut address = skip - stream.skip(call, skip)?;
    let (mut block, mut before) = (Vec::new(), Vec::new());
    let mut starred = false;
    loop {
        stream.fill(call, &mut block, format.block)?;
        let count = block.len();
        if count == format.block && !all && block == before {
            if !std::mem::replace(&mut starred, true) {
                call.stdout.write_all(b"*\n")?;
            }
        } else if count > 0 {
            starred = false;
            block.resize(format.block, 0);
            let mut out = Vec::new();
            format.print(&block, count, address, &mut out);
            call.stdout.write_all(&out)?;
            before.clone_from(&block);
        }
        address += count as u64;
        if count < format.block {
            break;
        }
    }
    if address > 0 && length > 0 {
        let mut out = Vec::new();
        format.print_end(address, &mut out);
        call.stdout.write_all(&out)?;
    }
    Ok(Status::from(!stream.failed()))
}

/// `-f`: a format on each line; one that begins with `#` says nothing.
fn read_file(call: &mut Call<'_>, name: &str, sources: &mut Vec<Source>) -> Result<()> {
    let cannot = |error: Error| match FsError::within(error) {
        Ok(cause) => Error::failed(format!("can't read {name}: {cause}")),
        Err(error) => error,
    };
    let mut input = call.open(name).map_err(|error| cannot(Error::Io(error.into())))?;
    let mut text = String::new();
    loop {
        let before = text.len();
        input.read_line(&mut text).map_err(|error| cannot(error.into()))?;
        if text.len() == before {
            break;
        }
        call.memory.take(text.len() - before)?;
    }
    for line in text.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        sources.push(Source::read(line)?);
    }
    Ok(())
}

/// A count of bytes: decimal, `0x` hexadecimal or `0` octal, with a multiplier.
fn size(what: &str, text: &str) -> Result<u64> {
    number::parse_in_c(text, "KkMmGgTtPEZY0")
        .map_err(|_| Error::failed(format!("failed to parse {what}: '{text}': Invalid argument")))
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with_stdin};
    use expect_test::expect;

    const TREE: &[(&str, &str)] = &[("text", "Hello wOrld\n\0\u{1}é1234567"), ("same", "aaaaaaaaaaaaaaaaaaaaaaaa")];

    #[test]
    fn the_usual_and_the_canonical_form() {
        check(
            TREE,
            "hexdump text",
            expect![[r#"
                0000000 6548 6c6c 206f 4f77 6c72 0a64 0100 a9c3
                0000010 3231 3433 3635 0037                    
                0000017
            "#]],
        );
        check(
            TREE,
            "hd -s 3 -n 20 text",
            expect![[r#"
                00000003  6c 6f 20 77 4f 72 6c 64  0a 00 01 c3 a9 31 32 33  |lo wOrld.....123|
                00000013  34 35 36 37                                       |4567|
                00000017
            "#]],
        );
    }

    #[test]
    fn forms_stand_below_each_other() {
        check(
            TREE,
            "hexdump -bc -n 12 text",
            expect![[r#"
                0000000 110 145 154 154 157 040 167 117 162 154 144 012                
                0000000   H   e   l   l   o       w   O   r   l   d  \n                
                000000c
            "#]],
        );
    }

    #[test]
    fn a_format_is_a_language() {
        check(
            TREE,
            r#"hexdump -e '"%_ad: " 4/1 "%02x " " " 2/2 "%5u|" "\n"' -n 6 text"#,
            expect![[r#"
                0: 48 65 6c 6c  8303|     |
            "#]],
        );
        check(
            TREE,
            r#"hexdump -v -e '/1 "%_u "' -s 9 -n 5 text"#,
            expect![["
                l d lf nul soh [no newline]
            "]],
        );
        check(
            TREE,
            r#"hexdump -e '1/3 "%x"' text"#,
            expect![[r#"
                [stderr]
                hexdump: bad byte count for conversion character x
                [status 1]
            "#]],
        );
    }

    #[test]
    fn equal_blocks_are_a_star() {
        check(
            TREE,
            r#"hexdump -e '8/1 "%c" "\n"' same"#,
            expect![[r#"
                aaaaaaaa
                *
            "#]],
        );
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        check(
            TREE,
            "hexdump nosuch",
            expect![[r#"
                [stderr]
                hexdump: nosuch: No such file or directory
                [status 1]
            "#]],
        );
        check_with_stdin(&[], "hexdump -n 0", "abc", expect![""]);
    }
}
