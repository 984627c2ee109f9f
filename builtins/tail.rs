//! `tail`: the end of each file. A file whose size is known is opened near its end; of a pipe only the end is kept.
//!
//! Nothing here ever grows, so `-f` ends where the file ends.
mod options;

use crate::{
    Builtin, Call, Error, ErrorKind, FsError, Input, Opt, Output, Purse, Result, Status, VPath,
    call::Device,
    head::{Headers, trouble},
    records::{Recent, Records},
};
use options::{Amount, Options};
use std::io::{self, BufRead, Read, Write};

pub(crate) static TAIL: Builtin = Builtin {
    name: "tail",
    synopsis: "[OPTION]... [FILE]...",
    about: "Print the last 10 lines of each FILE to standard output.",
    options: &[
        Opt::value('c', &["bytes"], "bytes", "[+]NUM", "output the last NUM bytes; with '+', from byte NUM on"),
        Opt::flag('f', &[], "F", "output appended data: a page never grows"),
        Opt::flag('f', &["follow"], "follow", "the same").optional("name|descriptor").long_only(),
        Opt::flag('F', &[], "F", "same as --follow=name --retry"),
        Opt::value('n', &["lines"], "lines", "[+]NUM", "output the last NUM lines; with '+', from line NUM on"),
        Opt::value('u', &["max-unchanged-stats"], "unchanged", "N", "(ignored)").long_only(),
        Opt::value('p', &["pid"], "pid", "PID", "(ignored)").long_only(),
        Opt::flag('q', &["quiet", "silent"], "quiet", "never output headers giving file names"),
        Opt::flag('r', &["retry"], "retry", "(ignored)").long_only(),
        Opt::value('s', &["sleep-interval"], "sleep", "N", "(ignored)"),
        Opt::flag('v', &["verbose"], "verbose", "always output headers giving file names"),
        Opt::flag('z', &["zero-terminated"], "zero", "line delimiter is NUL, not newline"),
        Opt::DIGITS,
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let (options, operands) = options::read(call)?;
    if options.amount == (Amount { count: 0, from_start: false, bytes: options.amount.bytes }) && !options.follow {
        return Ok(Status::OK);
    }
    let stdin = ["-".to_string()];
    let operands = if operands.is_empty() { &stdin[..] } else { &operands };
    let mut headers = Headers::new(options.headers.unwrap_or(operands.len() > 1));
    let mut status = Status::OK;
    for operand in operands {
        if let Err(error) = print(call, operand, &options, &mut headers) {
            let cause = FsError::within(error)?;
            call.warn(format_args!("{} {cause}", trouble(operand, &cause)))?;
            status = Status::FAILURE;
            // GNU's gives up where it copies a file from its start: there is nothing to skip before the failing read.
            let Amount { count, from_start, .. } = options.amount;
            if from_start && count <= 1 && matches!(cause.kind, ErrorKind::IsADirectory) {
                break;
            }
        }
    }
    Ok(status)
}

fn print(call: &mut Call<'_>, operand: &str, options: &Options, headers: &mut Headers) -> Result<()> {
    let (mut input, known) = match open(call, operand) {
        Ok(opened) => opened,
        // A folder can be opened, only not read: its header has been printed by then.
        Err(error) => {
            if matches!(error.kind, ErrorKind::IsADirectory) {
                headers.print(call, operand)?;
            }
            return Err(Error::Io(error.into()));
        }
    };
    headers.print(call, operand)?;
    let Amount { count, from_start, bytes } = options.amount;
    let out = &mut call.stdout;
    match known {
        _ if from_start => {
            skip(&mut input, count.saturating_sub(1), bytes, options.end())?;
            copy(&mut input, out)
        }
        Some((path, size)) => {
            let from = match bytes {
                true => size.saturating_sub(count),
                false => start_of_last(call, &path, size, count, options.end())?,
            };
            let mut input = call.fs.open(&path, from, &call.cancel).map_err(io::Error::from)?;
            copy(&mut input, &mut call.stdout)
        }
        None if bytes => keep_bytes(&mut input, out, count, &mut call.memory),
        None => keep_records(&mut input, out, count, options.zero, &mut call.memory),
    }
}

/// The operand opened, and where it stands when its size is known beforehand.
fn open(call: &Call<'_>, operand: &str) -> Result<(Input, Option<(VPath, u64)>), FsError> {
    if operand == "-" {
        return Ok((call.stdin.clone(), None));
    }
    let input = call.open(operand)?;
    if Device::named(operand).is_some() {
        return Ok((input, None));
    }
    let path = call.resolve(operand)?;
    let size = call.fs.stat(&path)?.size;
    Ok((input, size.map(|size| (path, size))))
}

/// Where the last `count` records of a file begin, found by reading it backwards, block by block.
fn start_of_last(call: &Call<'_>, path: &VPath, size: u64, count: u64, end: u8) -> Result<u64> {
    let mut block = 8 * 1024;
    let mut until = size;
    let mut left = count;
    let mut buffer = Vec::new();
    while until > 0 {
        let from = until.saturating_sub(block);
        buffer.clear();
        let reader = call.fs.open(path, from, &call.cancel).map_err(io::Error::from)?;
        reader.take(until - from).read_to_end(&mut buffer)?;
        // The very last byte ends the last record, or belongs to one that has no end.
        let seen = if until == size { &buffer[..buffer.len().saturating_sub(1)] } else { &buffer[..] };
        for at in memchr::memrchr_iter(end, seen) {
            left -= 1;
            if left == 0 {
                return Ok(from + at as u64 + 1);
            }
        }
        until = from;
        block = (block * 2).min(1 << 20);
    }
    Ok(0)
}

fn skip(input: &mut Input, mut count: u64, bytes: bool, end: u8) -> Result<()> {
    while count > 0 {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            break;
        }
        let mut used = buffer.len();
        if bytes {
            used = used.min(usize::try_from(count).unwrap_or(usize::MAX));
            count -= used as u64;
        } else {
            for at in memchr::memchr_iter(end, buffer) {
                count -= 1;
                if count == 0 {
                    used = at + 1;
                    break;
                }
            }
        }
        input.consume(used);
    }
    Ok(())
}

fn copy(input: &mut impl BufRead, out: &mut Output) -> Result<()> {
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            return Ok(());
        }
        out.write_all(bytes)?;
        let used = bytes.len();
        input.consume(used);
    }
}

fn keep_records(input: &mut Input, out: &mut Output, count: u64, zero: bool, memory: &mut Purse) -> Result<()> {
    let mut records = Records::lines(zero);
    let mut recent = Recent::new(count);
    while let Some(record) = records.next(input, memory)? {
        recent.push(record, memory)?;
    }
    out.write_all(recent.bytes())?;
    Ok(())
}

fn keep_bytes(input: &mut Input, out: &mut Output, count: u64, memory: &mut Purse) -> Result<()> {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let mut held: Vec<u8> = Vec::new();
    let mut taken = 0;
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            break;
        }
        held.extend_from_slice(bytes);
        let used = bytes.len();
        input.consume(used);
        if held.len() > taken {
            memory.take(held.len() - taken)?;
            taken = held.len();
        }
        // Moving what is held costs its length, so it moves only when as much can leave.
        if held.len() / 2 > count {
            held.drain(..held.len() - count);
        }
    }
    out.write_all(&held[held.len().saturating_sub(count)..])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with_stdin};
    use expect_test::expect;

    const TREE: &[(&str, &str)] = &[("a", "1\n2\n3\n4\n"), ("b", "x\ny"), ("d/e", "")];

    #[test]
    fn several_files_have_headers() {
        check(
            TREE,
            "tail -n 1 a nosuch d b",
            expect![[r#"
                ==> a <==
                4

                ==> d <==

                ==> b <==
                y[no newline]
                [stderr]
                tail: cannot open 'nosuch' for reading: No such file or directory
                tail: error reading 'd': Is a directory
                [status 1]
            "#]],
        );
    }

    #[test]
    fn from_a_line_or_byte_on() {
        check(
            TREE,
            "tail -n +3 a",
            expect![[r#"
            3
            4
        "#]],
        );
        check(
            TREE,
            "tail +4 a",
            expect![[r#"
            4
        "#]],
        );
        check(TREE, "tail -c +3 b", expect!["y[no newline]\n"]);
    }

    #[test]
    fn a_file_ends_and_following_ends_with_it() {
        check(
            TREE,
            "tail -fn1 a",
            expect![[r#"
            4
        "#]],
        );
        check(
            TREE,
            "tail -F --pid=7 -s .5 -c2 a",
            expect![[r#"
            4
        "#]],
        );
    }

    #[test]
    fn of_a_pipe_the_end_is_kept() {
        check_with_stdin(
            TREE,
            "tail -2",
            "1\n2\n3\n",
            expect![[r#"
            2
            3
        "#]],
        );
        check_with_stdin(
            TREE,
            "tail -c 3 -",
            "1\n2\n3\n",
            expect![[r#"

            3
        "#]],
        );
    }

    #[test]
    fn a_line_longer_than_a_block_is_found() {
        let long = format!("a\n{}\nb\n", "x".repeat(100_000));
        let (stdout, ..) = crate::testing::run(&[("long", &long)], "tail -n 2 long", b"");
        assert_eq!(stdout, long.as_bytes()[2..]);
    }

    #[test]
    fn wrong_words_are_named() {
        check(
            TREE,
            "tail -3 a b",
            expect![[r#"
            [stderr]
            tail: option used in invalid context -- 3
            [status 1]
        "#]],
        );
        check(
            TREE,
            "tail -n x a",
            expect![[r#"
            [stderr]
            tail: invalid number of lines: ‘x’
            [status 1]
        "#]],
        );
    }
}
