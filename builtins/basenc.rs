//! `base64`, `base32` and `basenc`: bytes as printable text, and back.
mod encoding;

use crate::{
    Builtin, Call, Cancel, Error, FsError, Input, Opt, Output, Purse, Result, Status,
    args::{self, Order},
    curly, number, quoted_if_odd,
};
use encoding::{Encoding, Wrong};
use std::io::{BufRead, Write};

const DECODE: Opt = Opt::flag('d', &["decode"], "decode", "decode data");
const IGNORE: Opt = Opt::flag('i', &["ignore-garbage"], "ignore", "when decoding, ignore non-alphabet characters");
const WRAP: Opt = Opt::value('w', &["wrap"], "wrap", "COLS", "wrap encoded lines after COLS character (default 76)");

pub(crate) static BASE64: Builtin = Builtin {
    name: "base64",
    synopsis: "[OPTION]... [FILE]",
    about: "Base64 encode or decode FILE, or standard input, to standard output.",
    options: &[DECODE, IGNORE, WRAP],
    trouble: Status(1),
    run,
};

pub(crate) static BASE32: Builtin = Builtin {
    name: "base32",
    synopsis: "[OPTION]... [FILE]",
    about: "Base32 encode or decode FILE, or standard input, to standard output.",
    options: &[DECODE, IGNORE, WRAP],
    trouble: Status(1),
    run,
};

pub(crate) static BASENC: Builtin = Builtin {
    name: "basenc",
    synopsis: "[OPTION]... [FILE]",
    about: "Encode or decode FILE, or standard input, to standard output.",
    options: &[
        Opt::flag('0', &["base64"], "base64", "same as 'base64' program (RFC4648 section 4)").long_only(),
        Opt::flag('1', &["base64url"], "base64url", "file- and url-safe base64 (RFC4648 section 5)").long_only(),
        Opt::flag('2', &["base32"], "base32", "same as 'base32' program (RFC4648 section 6)").long_only(),
        Opt::flag('3', &["base32hex"], "base32hex", "extended hex alphabet base32 (RFC4648 section 7)").long_only(),
        Opt::flag('4', &["base16"], "base16", "hex encoding (RFC4648 section 8)").long_only(),
        Opt::flag('5', &["base2msbf"], "base2msbf", "bit string with most significant bit first").long_only(),
        Opt::flag('6', &["base2lsbf"], "base2lsbf", "bit string with least significant bit first").long_only(),
        Opt::flag('7', &["z85"], "z85", "ascii85-like encoding (ZeroMQ spec:32/Z85)").long_only(),
        DECODE,
        IGNORE,
        WRAP,
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let named = parsed.options.iter().rev().find_map(|(key, _)| Encoding::named(key));
    let encoding = match named.or(Encoding::named(call.builtin.name)) {
        Some(encoding) => encoding,
        None => return Err(Error::usage("missing encoding type")),
    };
    let wrap = match parsed.value("wrap") {
        None => 76,
        Some(text) => match number::parse(text, "") {
            Ok(columns) => columns,
            Err(number::Malformed::Overflow) => 0,
            Err(number::Malformed::Invalid) => {
                return Err(Error::failed(format!("invalid wrap size: {}", curly(text))));
            }
        },
    };
    let file = match parsed.operands.as_slice() {
        [] => "-",
        [file] => file,
        [_, extra, ..] => return Err(Error::usage(format!("extra operand {}", curly(extra)))),
    };
    let mut input = match file {
        "-" => call.stdin.clone(),
        file => {
            let opened = call.open(file);
            match opened {
                Ok(input) => input,
                Err(error) if matches!(error.kind, crate::ErrorKind::IsADirectory) => {
                    return Err(Error::failed(format!("read error: {error}")));
                }
                Err(error) => return Err(Error::failed(format!("{}: {error}", quoted_if_odd(file)))),
            }
        }
    };
    let result = match parsed.has("decode") {
        true => decode(&mut input, encoding, parsed.has("ignore"), &call.cancel, &mut call.stdout, &mut call.memory),
        false => encode(&mut input, encoding, wrap, &call.cancel, &mut call.stdout),
    };
    match result {
        Ok(()) => Ok(Status::OK),
        Err(error) => match FsError::within(error) {
            Ok(cause) => Err(Error::failed(format!("read error: {cause}"))),
            Err(error) => Err(error),
        },
    }
}

/// Bytes that are encoded at once, as in the real one: an odd length at the end of a small file leaves no output.
const BLOCK: usize = 30 * 1024;

fn encode(input: &mut Input, encoding: Encoding, wrap: u64, cancel: &Cancel, out: &mut Output) -> Result<()> {
    let group = encoding.group();
    let mut held: Vec<u8> = Vec::new();
    let mut column: u64 = 0;
    loop {
        cancel.check()?;
        let bytes = input.fill_buf()?;
        let bytes = &bytes[..bytes.len().min(BLOCK)];
        let ended = bytes.is_empty();
        held.extend_from_slice(bytes);
        let used = bytes.len();
        input.consume(used);
        if !ended && held.len() < BLOCK {
            continue;
        }
        let whole = if ended { held.len() } else { held.len() - held.len() % group };
        let text = encoding
            .encode(&held[..whole])
            .ok_or_else(|| Error::failed("invalid input (length must be multiple of 4 characters)"))?;
        held.drain(..whole);
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let room = if wrap == 0 { rest.len() } else { usize::try_from(wrap - column).unwrap_or(usize::MAX) };
            let (line, after) = rest.split_at(room.min(rest.len()));
            out.write_all(line)?;
            column += line.len() as u64;
            if wrap > 0 && column == wrap {
                out.write_all(b"\n")?;
                column = 0;
            }
            rest = after;
        }
        if ended {
            if wrap > 0 && column > 0 {
                out.write_all(b"\n")?;
            }
            return Ok(());
        }
    }
}

fn decode(
    input: &mut Input,
    encoding: Encoding,
    ignore: bool,
    cancel: &Cancel,
    out: &mut Output,
    memory: &mut Purse,
) -> Result<()> {
    let group = encoding.text_group();
    let mut held: Vec<u8> = Vec::new();
    loop {
        cancel.check()?;
        let bytes = input.fill_buf()?;
        let bytes = &bytes[..bytes.len().min(BLOCK)];
        let ended = bytes.is_empty();
        memory.take(bytes.len())?;
        let wanted = |byte: &&u8| if ignore { encoding.has(**byte) } else { **byte != b'\n' };
        held.extend(bytes.iter().filter(wanted));
        let used = bytes.len();
        input.consume(used);
        memory.give(used);
        let whole = if ended { held.len() } else { held.len() - held.len() % group };
        let mut decoded = Vec::new();
        let result = encoding.decode(&held[..whole], &mut decoded);
        out.write_all(&decoded)?;
        held.drain(..whole);
        if let Err(Wrong) = result {
            return Err(Error::failed("invalid input"));
        }
        if ended {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with_stdin};
    use expect_test::expect;

    fn answer(command: &str, stdin: &str) -> String {
        let (stdout, ..) = crate::testing::run(&[], command, stdin.as_bytes());
        String::from_utf8_lossy(&stdout).into_owned()
    }

    #[test]
    fn every_encoding_there_and_back() {
        for (encoding, text) in [
            ("base64", "aGk/aGk+"),
            ("base64url", "aGk_aGk-"),
            ("base32", "NBUT62DJHY======"),
            ("base32hex", "D1KJUQ397O======"),
            ("base16", "68693F68693E"),
            ("base2msbf", "011010000110100100111111011010000110100100111110"),
            ("base2lsbf", "000101101001011011111100000101101001011001111100"),
        ] {
            assert_eq!(answer(&format!("basenc --{encoding} -w0"), "hi?hi>"), text);
            assert_eq!(answer(&format!("basenc --{encoding} -d"), text), "hi?hi>");
        }
        assert_eq!(answer("basenc --z85", "hi?>"), "xLxW{\n");
        assert_eq!(answer("basenc --z85 -d", "xLxW{\n"), "hi?>");
    }

    #[test]
    fn lines_are_wrapped() {
        assert_eq!(answer("base64 -w 4", "hello"), "aGVs\nbG8=\n");
        assert_eq!(answer("base64", ""), "");
    }

    #[test]
    fn what_is_no_text_of_the_encoding_ends_it() {
        check_with_stdin(
            &[],
            "base64 -d",
            "aGVs!G8=",
            expect![[r#"
            hel[no newline]
            [stderr]
            base64: invalid input
            [status 1]
        "#]],
        );
        assert_eq!(answer("base64 -di", "aGVs bG8="), "hello");
        assert_eq!(answer("base64 -d", "aGVsbG8"), "hello");
        assert_eq!(answer("base64 -d", "aGk=\naGk=\n"), "hihi");
        check(
            &[],
            "basenc",
            expect![[r#"
            [stderr]
            basenc: missing encoding type
            Try 'basenc --help' for more information.
            [status 1]
        "#]],
        );
    }
}
