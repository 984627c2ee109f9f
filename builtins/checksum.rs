//! What `md5sum`, `sha256sum`, `b2sum`, `cksum` and their kind share: the sums, their lines, and `-c`.
mod algorithm;
mod check;
mod line;

pub(crate) use algorithm::Algorithm;
pub(crate) use check::{Checking, run as check};
pub(crate) use line::Format;

use crate::{Call, Error, FsError, Input, Opt, Result, Status, args, curly, number, quoted_if_odd};
use std::io::{BufRead, Write};

/// The options of `md5sum` and its kind.
pub(crate) const OPTIONS: &[Opt] = &[
    Opt::flag('b', &["binary"], "binary", "read in binary mode"),
    Opt::flag('c', &["check"], "check", "read checksums from the FILEs and check them"),
    Opt::flag('0', &["tag"], "tag", "create a BSD-style checksum").long_only(),
    Opt::flag('t', &["text"], "text", "read in text mode (default)"),
    Opt::flag('z', &["zero"], "zero", "end each output line with NUL, not newline, and disable file name escaping"),
    Opt::flag('1', &["ignore-missing"], "ignore-missing", "don't fail or report status for missing files").long_only(),
    Opt::flag('2', &["quiet"], "quiet", "don't print OK for each successfully verified file").long_only(),
    Opt::flag('3', &["status"], "status", "don't output anything, status code shows success").long_only(),
    Opt::flag('4', &["strict"], "strict", "exit non-zero for improperly formatted checksum lines").long_only(),
    Opt::flag('w', &["warn"], "warn", "warn about improperly formatted checksum lines"),
];

/// Run `md5sum` or another command of one algorithm.
pub(crate) fn run_single(call: &mut Call<'_>, algorithm: Algorithm) -> Result<Status> {
    let parsed = args::parse(call, args::Order::Anywhere)?;
    let algorithm = match parsed.value("length") {
        Some(length) => algorithm.with_length(read_length(call, length)?),
        None => algorithm,
    };
    let tag = parsed.has("tag");
    if tag && parsed.has("text") {
        return Err(Error::usage("--tag does not support --text mode"));
    }
    let checking = Checking::read(&parsed)?;
    if parsed.has("check") {
        if tag {
            return Err(Error::usage("the --tag option is meaningless when verifying checksums"));
        }
        if parsed.has("zero") {
            return Err(Error::usage("the --zero option is not supported when verifying checksums"));
        }
        if parsed.has("binary") || parsed.has("text") {
            let message = "the --binary and --text options are meaningless when verifying checksums";
            return Err(Error::usage(message));
        }
        return check(call, Some(algorithm), &checking, &parsed.operands);
    }
    let binary = parsed.options.iter().rev().find(|(key, _)| matches!(*key, "binary" | "text"));
    let format = Format { tag, binary: binary.is_some_and(|(key, _)| *key == "binary"), zero: parsed.has("zero") };
    print(call, algorithm, format, &parsed.operands)
}

/// The sum of each file on a line.
pub(crate) fn print(call: &mut Call<'_>, algorithm: Algorithm, format: Format, files: &[String]) -> Result<Status> {
    let stdin = ["-".to_string()];
    let from_stdin = files.is_empty();
    let files = if from_stdin { &stdin[..] } else { files };
    let mut status = Status::OK;
    for file in files {
        match sum(call, algorithm, file) {
            Ok(sum) => {
                let line = format.line(algorithm, &sum, if from_stdin { None } else { Some(file) });
                call.stdout.write_all(line.as_bytes())?;
            }
            Err(error) => {
                let cause = FsError::within(error)?;
                call.warn(format_args!("{}: {cause}", quoted_if_odd(file)))?;
                status = Status::FAILURE;
            }
        }
    }
    Ok(status)
}

/// A sum, as it is printed, and how many bytes it was made of.
pub(crate) struct Sum {
    pub(crate) text: String,
    pub(crate) bytes: u64,
}

/// The sum of one file.
pub(crate) fn sum(call: &Call<'_>, algorithm: Algorithm, file: &str) -> Result<Sum> {
    let mut input: Input = match file {
        "-" => call.stdin.clone(),
        file => call.open(file).map_err(std::io::Error::from)?,
    };
    let mut hasher = algorithm.hasher();
    let mut count = 0;
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            return Ok(Sum { text: hasher.finish(count), bytes: count });
        }
        hasher.update(bytes);
        count += bytes.len() as u64;
        let used = bytes.len();
        input.consume(used);
    }
}

/// The bits of `-l`, for BLAKE2b; 0 means all of them.
pub(crate) fn read_length(call: &mut Call<'_>, text: &str) -> Result<usize> {
    let invalid = format!("invalid length: {}", curly(text));
    let why = match number::parse(text, "") {
        Err(number::Malformed::Invalid) => return Err(Error::failed(invalid)),
        Ok(bits) if bits % 8 != 0 => "length is not a multiple of 8",
        Ok(bits) if bits <= 512 => return Ok(bits as usize),
        _ => "maximum digest length for ‘BLAKE2b’ is 512 bits",
    };
    call.warn(invalid)?;
    Err(Error::failed(why))
}
