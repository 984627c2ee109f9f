//! `split`: a file in pieces, where the tree takes any. `-n K/N` writes to stdout.
use crate::{
    Builtin, Call, Error, FsError, Input, Opt, Output, Parsed, Result, Status, Unit,
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
        Opt::value('C', &["line-bytes"], "line-bytes", "SIZE", "put at most SIZE bytes of records per output file"),
        Opt::flag('d', &[], "digits", "use numeric suffixes starting at 0, not alphabetic"),
        Opt::flag(' ', &["numeric-suffixes"], "digits", "").long_only().optional("FROM"),
        Opt::flag('x', &[], "hex", "use hex suffixes starting at 0, not alphabetic"),
        Opt::flag(' ', &["hex-suffixes"], "hex", "").long_only().optional("FROM"),
        Opt::flag('e', &["elide-empty-files"], "ignored", ""),
        Opt::value(' ', &["filter"], "filter", "COMMAND", "").long_only(),
        Opt::value('l', &["lines"], "lines", "NUMBER", "put NUMBER lines/records per output file"),
        Opt::value('n', &["number"], "number", "CHUNKS", "generate CHUNKS output files; K/N prints the Kth"),
        Opt::value('t', &["separator"], "separator", "SEP", ""),
        Opt::flag('u', &["unbuffered"], "ignored", ""),
        Opt::flag(' ', &["verbose"], "verbose", "").long_only(),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let mut length = None;
    let mut part = None;
    let mut size = Size::Lines(1000);
    for (key, value) in &parsed.options {
        let text = value.as_deref().unwrap_or_default();
        let wrong = |what: &str| Error::failed(format!("invalid number of {what}: {}", curly(text)));
        match *key {
            "lines" => match text.parse() {
                Ok(lines) if lines > 0 => size = Size::Lines(lines),
                _ => return Err(wrong("lines")),
            },
            "bytes" | "line-bytes" => match Unit::parse(text) {
                Some(Unit::Blocks(bytes, _)) if *key == "bytes" => size = Size::Bytes(bytes),
                Some(_) => size = Size::Other,
                None => return Err(wrong("bytes")),
            },
            "number" => {
                let chunk = chunk(text).ok_or_else(|| wrong("chunks"))?;
                size = if text.bytes().all(|byte| byte.is_ascii_digit()) { Size::Part(chunk.1) } else { Size::Other };
                part = Some(chunk);
            }
            "suffix-length" => {
                let wrong = || Error::failed(format!("invalid suffix length: {}", curly(text)));
                length = Some(text.parse::<usize>().map_err(|_| wrong())?.clamp(1, 255));
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
            let bytes = whole(call, &mut input)?;
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
    let mut pieces = Pieces::new(&parsed, length);
    if size == Size::Other || parsed.has("separator") {
        // Where nothing can be written, that is what is wrong.
        drop(pieces.next(call)?);
        call.remove(&pieces.name(0)?)?;
        return Err(Error::failed("only pieces of so many lines or bytes are supported"));
    }
    let cut = match size {
        Size::Part(count) => cut_evenly(call, &mut input, count, &mut pieces),
        size => cut(call, &mut input, size, &mut pieces),
    };
    cut.map_err(|error| match FsError::within(error) {
        Ok(cause) => Error::failed(format!("{}: {cause}", quoted_if_odd(file))),
        Err(error) => error,
    })?;
    Ok(Status::OK)
}

/// How much a piece holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Size {
    Lines(u64),
    Bytes(u64),
    /// One of so many equal parts.
    Part(usize),
    /// Something else, of which only `-n K/N` is done.
    Other,
}

/// Write all of `input` into `count` pieces of the same size; the last one takes what is left over.
fn cut_evenly(call: &mut Call<'_>, input: &mut Input, count: usize, pieces: &mut Pieces<'_>) -> Result<()> {
    let whole = whole(call, input)?;
    let size = whole.len() / count;
    for at in 0..count {
        let end = if at + 1 == count { whole.len() } else { size * (at + 1) };
        let mut piece = pieces.next(call)?;
        piece.write_all(&whole[size * at..end])?;
        piece.flush()?;
    }
    Ok(())
}

/// All of `input`, paid for.
fn whole(call: &mut Call<'_>, input: &mut Input) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while input.take(64 << 10).read_to_end(&mut bytes)? > 0 {
        call.cancel.check()?;
    }
    call.memory.take(bytes.len())?;
    Ok(bytes)
}

/// Write all of `input` into pieces.
fn cut(call: &mut Call<'_>, input: &mut Input, size: Size, pieces: &mut Pieces<'_>) -> Result<()> {
    let whole = match size {
        Size::Lines(count) | Size::Bytes(count) => count,
        Size::Part(_) | Size::Other => u64::MAX,
    };
    let mut piece: Option<Output> = None;
    let mut left = 0;
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            break;
        }
        if left == 0 {
            if let Some(mut done) = piece.take() {
                done.flush()?;
            }
            left = whole;
        }
        let output = match &mut piece {
            Some(output) => output,
            none => none.insert(pieces.next(call)?),
        };
        let end = match size {
            Size::Lines(_) => memchr::memchr(b'\n', bytes).map(|end| end + 1),
            _ => Some(bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX))),
        };
        let used = end.unwrap_or(bytes.len());
        output.write_all(&bytes[..used])?;
        left -= match size {
            Size::Lines(_) => u64::from(end.is_some()),
            _ => used as u64,
        };
        input.consume(used);
    }
    match piece {
        Some(mut last) => Ok(last.flush()?),
        None => Ok(()),
    }
}

/// The files that are written, one after the other: `xaa`, `xab`, …
struct Pieces<'p> {
    prefix: &'p str,
    additional: &'p str,
    digits: &'static [u8],
    /// The length of the suffixes; those of nobody's choice grow.
    length: Option<usize>,
    is_told: bool,
    count: usize,
}

impl<'p> Pieces<'p> {
    fn new(parsed: &'p Parsed, length: Option<usize>) -> Pieces<'p> {
        let digits: &[u8] = match (parsed.has("digits"), parsed.has("hex")) {
            (true, _) => b"0123456789",
            (_, true) => b"0123456789abcdef",
            _ => b"abcdefghijklmnopqrstuvwxyz",
        };
        let prefix = parsed.operands.get(1).map_or("x", String::as_str);
        let additional = parsed.value("additional").unwrap_or_default();
        Pieces { prefix, additional, digits, length, is_told: parsed.has("verbose"), count: 0 }
    }

    fn name(&self, at: usize) -> Result<String> {
        let suffix = suffix(at, self.digits, self.length);
        let suffix = suffix.ok_or_else(|| Error::failed("output file suffixes exhausted"))?;
        Ok(format!("{}{suffix}{}", self.prefix, self.additional))
    }

    fn next(&mut self, call: &mut Call<'_>) -> Result<Output> {
        let name = self.name(self.count)?;
        self.count += 1;
        let opened = call.create(&name);
        let output = opened.map_err(|why| Error::failed(format!("{}: {why}", quoted_if_odd(&name))))?;
        if self.is_told {
            writeln!(call.stdout, "creating file {}", quoted(&name))?;
        }
        Ok(output)
    }
}

/// The suffix of the piece `count`: a number in `digits`, of `length`. Without one it has two digits, and more when the
/// first of them would be the last there is, which then stands before: `yz`, `zaaa`.
fn suffix(count: usize, digits: &[u8], length: Option<usize>) -> Option<String> {
    let base = digits.len();
    let (mut rest, mut width, mut before) = (count, length.unwrap_or(2), 0);
    if length.is_none() {
        loop {
            let fits = (base - 1) * base.pow(u32::try_from(width).ok()? - 1);
            if rest < fits {
                break;
            }
            rest -= fits;
            width += 1;
            before += 1;
        }
    }
    let mut text = vec![0; width];
    for place in text.iter_mut().rev() {
        *place = digits[rest % base];
        rest /= base;
    }
    let last = char::from(*digits.last()?);
    (rest == 0).then(|| last.to_string().repeat(before) + &String::from_utf8_lossy(&text))
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
