//! `split`: on a read-only tree, the message that says so, once there is something to write. `-n K/N` writes to stdout.
use crate::{
    Builtin, Call, Error, FsError, Opt, Result, Status, Unit,
    args::{self, Order},
    curly, quoted, quoted_if_odd,
};
use std::io::{BufRead, Read, Write};

pub(crate) static SPLIT: Builtin = Builtin {
    name: "split",
    synopsis: "[OPTION]... [FILE [PREFIX]]",
    about: "Output pieces of FILE to PREFIXaa, PREFIXab, ... A site cannot be written to; -n K/N prints one piece.",
    options: &[
        Opt::value('a', &["suffix-length"], "suffix-length", "N", "generate suffixes of length N (default 2)"),
        Opt::value(' ', &["additional-suffix"], "additional", "SUFFIX", "append SUFFIX to file names").long_only(),
        Opt::value('b', &["bytes"], "bytes", "SIZE", "put SIZE bytes per output file"),
        Opt::value('C', &["line-bytes"], "bytes", "SIZE", "put at most SIZE bytes of records per output file"),
        Opt::flag('d', &[], "digits", "use numeric suffixes starting at 0, not alphabetic"),
        Opt::flag(' ', &["numeric-suffixes"], "digits", "").long_only().optional("FROM"),
        Opt::flag('x', &[], "hex", "use hex suffixes starting at 0, not alphabetic"),
        Opt::flag(' ', &["hex-suffixes"], "hex", "").long_only().optional("FROM"),
        Opt::flag('e', &["elide-empty-files"], "ignored", ""),
        Opt::value(' ', &["filter"], "filter", "COMMAND", "").long_only(),
        Opt::value('l', &["lines"], "lines", "NUMBER", "put NUMBER lines/records per output file"),
        Opt::value('n', &["number"], "number", "CHUNKS", "generate CHUNKS output files; K/N prints the Kth"),
        Opt::value('t', &["separator"], "ignored", "SEP", ""),
        Opt::flag('u', &["unbuffered"], "ignored", ""),
        Opt::flag(' ', &["verbose"], "ignored", "").long_only(),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let mut length = 2;
    let mut part = None;
    for (key, value) in &parsed.options {
        let text = value.as_deref().unwrap_or_default();
        let wrong = |what: &str| Error::failed(format!("invalid number of {what}: {}", curly(text)));
        match *key {
            "lines" if text.parse::<u64>().is_ok_and(|lines| lines > 0) => {}
            "lines" => return Err(wrong("lines")),
            "bytes" if Unit::parse(text).is_some() => {}
            "bytes" => return Err(wrong("bytes")),
            "number" => part = Some(chunk(text).ok_or_else(|| wrong("chunks"))?),
            "suffix-length" => {
                let wrong = || Error::failed(format!("invalid suffix length: {}", curly(text)));
                length = text.parse::<usize>().map_err(|_| wrong())?.clamp(1, 255);
            }
            "filter" => return Err(Error::failed("--filter is not supported")),
            _ => {}
        }
    }
    if let Some(extra) = parsed.operands.get(2) {
        return Err(Error::usage(format!("extra operand {}", curly(extra))));
    }
    let file = parsed.operands.first().map_or("-", String::as_str);
    let mut input = match file {
        "-" => call.stdin.clone(),
        file => call.open(file).map_err(|error| match error.kind {
            crate::ErrorKind::IsADirectory => Error::failed(format!("{}: {error}", quoted_if_odd(file))),
            _ => Error::failed(format!("cannot open {} for reading: {error}", quoted(file))),
        })?,
    };
    let mut read = |call: &mut Call<'_>| -> Result<bool> {
        if let Some((Some(part), count)) = part {
            let mut bytes = Vec::new();
            while (&mut input).take(64 << 10).read_to_end(&mut bytes)? > 0 {
                call.cancel.check()?;
            }
            call.memory.take(bytes.len())?;
            let size = bytes.len() / count;
            let end = if part == count { bytes.len() } else { size * part };
            call.stdout.write_all(&bytes[size * (part - 1)..end])?;
            return Ok(true);
        }
        Ok(input.fill_buf()?.is_empty())
    };
    match read(call) {
        Ok(true) => return Ok(Status::OK),
        Ok(false) => {}
        Err(error) => {
            let cause = FsError::within(error)?;
            return Err(Error::failed(format!("{}: {cause}", quoted_if_odd(file))));
        }
    }
    let first = if parsed.has("digits") || parsed.has("hex") { "0" } else { "a" };
    let prefix = parsed.operands.get(1).map_or("x", String::as_str);
    let name = format!("{prefix}{}{}", first.repeat(length), parsed.value("additional").unwrap_or_default());
    Err(Error::failed(format!("{}: {}", quoted_if_odd(&name), call.refusal(&name))))
}

/// `N` or `K/N`, of bytes; chunks of lines and in turns are written to files, so their number will do.
fn chunk(text: &str) -> Option<(Option<usize>, usize)> {
    let positive = |text: &str| text.parse::<usize>().ok().filter(|number| *number > 0);
    if let Some(rest) = text.strip_prefix("l/").or_else(|| text.strip_prefix("r/")) {
        return positive(rest).map(|count| (None, count));
    }
    match text.split_once('/') {
        Some((part, count)) => {
            let count = positive(count)?;
            let part = positive(part).filter(|part| *part <= count)?;
            Some((Some(part), count))
        }
        None => positive(text).map(|count| (None, count)),
    }
}
