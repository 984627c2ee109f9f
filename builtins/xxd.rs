//! `xxd`: bytes as hexadecimal digits beside their characters, and back.
//!
//! The steps: [`options`] reads the words, [`lines`] and [`plain`] print the dumps, [`revert`] makes bytes of one.
mod lines;
mod options;
mod plain;
mod revert;

use crate::{Builtin, Call, Error, Input, InputKind, Opt, Result, Status};
use options::{Form, Options, Seek};
use std::{collections::VecDeque, io::BufRead};

pub(crate) static XXD: Builtin = Builtin {
    name: "xxd",
    synopsis: "[OPTION]... [INFILE [OUTFILE]]",
    about: "Make a hex dump of INFILE or of standard input, or with -r the reverse.",
    options: &[
        Opt::flag('a', &[], "a", "toggle autoskip: a single * replaces lines of NULs"),
        Opt::flag('b', &[], "b", "binary digits"),
        Opt::flag('C', &[], "C", "capitalize variable names in C include file style (-i)"),
        Opt::value('c', &[], "c", "COLS", "COLS octets per line (default 16, with -i 12, with -p 30)"),
        Opt::flag('d', &[], "d", "show the offset in decimal"),
        Opt::flag('E', &[], "E", "show characters in EBCDIC"),
        Opt::flag('e', &[], "e", "little-endian dump"),
        Opt::value('g', &[], "g", "BYTES", "octets per group (default 2, with -e 4, with -b 1)"),
        Opt::flag('h', &[], "h", "print this help"),
        Opt::flag('i', &[], "i", "output in C include file style"),
        Opt::value('l', &[], "l", "LEN", "stop after LEN octets"),
        Opt::value('n', &[], "n", "NAME", "the variable's name in C include output (-i)"),
        Opt::value('o', &[], "o", "OFF", "add OFF to the displayed position"),
        Opt::flag('p', &[], "p", "plain digits (-ps)"),
        Opt::flag('r', &[], "r", "reverse: convert a hex dump into bytes"),
        Opt::value('s', &[], "s", "[+][-]SEEK", "start at SEEK bytes; with -r add SEEK to the positions"),
        Opt::flag('u', &[], "u", "upper case hex letters"),
        Opt::flag('v', &[], "v", "print the version"),
    ],
    trouble: Status(1),
    run,
};

const OPEN_FAILED: Status = Status(2);
const CREATE_FAILED: Status = Status(3);
const SEEK_FAILED: Status = Status(4);

fn run(call: &mut Call<'_>) -> Result<Status> {
    let options = options::read(&call.args[1..])?;
    let file = options.file.as_deref().filter(|name| *name != "-");
    let cannot = |name: &str, error, status| Error::Failed(format!("{name}: {error}"), status);
    let mut input = match file {
        None => call.stdin.clone(),
        Some(name) => call.open(name).map_err(|error| cannot(name, error.kind, OPEN_FAILED))?,
    };
    if let Some(name) = options.output.as_deref().filter(|name| *name != "-") {
        call.stdout = call.create(name).map_err(|error| cannot(name, error.kind, CREATE_FAILED))?;
    }
    if options.revert {
        return match options.form {
            Form::Hex | Form::Plain => revert::run(call, &options, &mut input),
            _ => Err(Error::Failed("Sorry, cannot revert this type of hexdump".to_string(), Status(255))),
        };
    }
    let (start, mut tail) = seek(call, &options, &mut input)?;
    let input: &mut dyn BufRead = if let Some(tail) = &mut tail { tail } else { &mut input };
    let mut bytes = Bytes { input, left: options.length };
    match options.form {
        Form::Plain => plain::digits(call, &options, &mut bytes)?,
        Form::Include => plain::include(call, &options, &mut bytes)?,
        _ => lines::print(call, &options, &mut bytes, start)?,
    }
    Ok(Status::OK)
}

/// What is left to be dumped.
struct Bytes<'a> {
    input: &'a mut dyn BufRead,
    left: u64,
}

impl Bytes<'_> {
    /// The next bytes of at most `most`; empty at the end.
    fn next(&mut self, block: &mut Vec<u8>, most: usize) -> Result<()> {
        block.clear();
        while block.len() < most && self.left > 0 {
            let bytes = self.input.fill_buf()?;
            let room = (most - block.len()).min(usize::try_from(self.left).unwrap_or(usize::MAX));
            let used = bytes.len().min(room);
            if used == 0 {
                break;
            }
            block.extend_from_slice(&bytes[..used]);
            self.input.consume(used);
            self.left -= used as u64;
        }
        Ok(())
    }
}

/// Go to where the dump begins. Where that is counted from the end, it is the second value that is to be read.
fn seek(call: &mut Call<'_>, options: &Options, input: &mut Input) -> Result<(u64, Option<VecDeque<u8>>)> {
    let failed = || Error::Failed("Sorry, cannot seek.".to_string(), SEEK_FAILED);
    let is_file = input.kind() == InputKind::File;
    match options.seek {
        Seek::Forward(count) => {
            let mut left = count;
            while left > 0 {
                let bytes = input.fill_buf()?;
                let used = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                match used {
                    // A file may be positioned behind its end.
                    0 if is_file => break,
                    0 => return Err(failed()),
                    used => input.consume(used),
                }
                left -= used as u64;
            }
            Ok((count, None))
        }
        Seek::FromEnd(count) if is_file => {
            let count = usize::try_from(count).map_err(|_| failed())?;
            let mut tail: VecDeque<u8> = VecDeque::new();
            let mut total = 0;
            loop {
                let bytes = input.fill_buf()?;
                if bytes.is_empty() {
                    break;
                }
                let used = bytes.len();
                call.memory.take(used.min(count.saturating_sub(tail.len())))?;
                tail.extend(bytes);
                input.consume(used);
                tail.drain(..tail.len().saturating_sub(count));
                total += used as u64;
            }
            if tail.len() < count {
                return Err(failed());
            }
            Ok((total - count as u64, Some(tail)))
        }
        Seek::FromEnd(_) => Err(failed()),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with_stdin};
    use expect_test::expect;

    const TREE: &[(&str, &str)] =
        &[("text", "Hello wOrld\n\0\u{1}é1234567"), ("d/x.bin", "ab"), ("dump", "2: 6162 xx\n")];

    #[test]
    fn digits_stand_beside_their_characters() {
        check(
            TREE,
            "xxd text",
            expect![[r#"
                00000000: 4865 6c6c 6f20 774f 726c 640a 0001 c3a9  Hello wOrld.....
                00000010: 3132 3334 3536 37                        1234567
            "#]],
        );
        check(
            TREE,
            "xxd -u -g1 -c 5 -s 3 -l 7 -d text",
            expect![[r#"
                00000003: 6C 6F 20 77 4F  lo wO
                00000008: 72 6C           rl
            "#]],
        );
        check(
            TREE,
            "xxd -e text",
            expect![[r#"
                00000000: 6c6c6548 4f77206f 0a646c72 a9c30100  Hello wOrld.....
                00000010: 34333231   373635                    1234567
            "#]],
        );
        check(
            TREE,
            "xxd -b -l 7 text",
            expect![[r#"
                00000000: 01001000 01100101 01101100 01101100 01101111 00100000  Hello 
                00000006: 01110111                                               w
            "#]],
        );
    }

    #[test]
    fn lines_of_nuls_are_a_star() {
        check_with_stdin(
            &[],
            "xxd -a -c 2",
            "\0\0\0\0\0\0ab\0\0\0\0cd\0\0\0\0\0\0\0\0",
            expect![[r#"
                00000000: 0000  ..
                *
                00000006: 6162  ab
                00000008: 0000  ..
                0000000a: 0000  ..
                0000000c: 6364  cd
                0000000e: 0000  ..
                *
                00000014: 0000  ..
            "#]],
        );
    }

    #[test]
    fn plain_digits_and_an_array_of_c() {
        check(
            TREE,
            "xxd -p -c 8 -s -9 text",
            expect![[r#"
                c3a9313233343536
                37
            "#]],
        );
        check(
            TREE,
            "xxd -i -C d/x.bin",
            expect![[r#"
                unsigned char D_X_BIN[] = {
                  0x61, 0x62
                };
                unsigned int D_X_BIN_LEN = 2;
            "#]],
        );
    }

    #[test]
    fn a_dump_becomes_bytes_again() {
        check_with_stdin(
            &[],
            "xxd -r -p",
            "48 65 6c\n6C6f0a",
            expect![["
            Hello
        "]],
        );
        check_with_stdin(
            &[],
            "xxd -r",
            "00000000: 6162 630a  abc.\n00000006: 640a  d.\n",
            expect![["
                abc
                \0\0d
            "]],
        );
        check(
            TREE,
            "xxd -r -s -2 dump",
            expect![["
            ab[no newline]
        "]],
        );
    }

    #[test]
    fn what_cannot_be_done_has_its_own_status() {
        check(
            TREE,
            "xxd text d/new",
            expect![[r#"
                [stderr]
                xxd: d/new: Read-only file system
                [status 3]
            "#]],
        );
        check(
            TREE,
            "xxd -s -99 text",
            expect![[r#"
                [stderr]
                xxd: Sorry, cannot seek.
                [status 4]
            "#]],
        );
        check(
            TREE,
            "xxd -q",
            expect![[r#"
                [stderr]
                xxd: unrecognized option '-q'
                Try 'xxd --help' for more information.
                [status 1]
            "#]],
        );
    }
}
