//! `iconv`: text from one character set to another (glibc's). UTF-8, UTF-16 and UTF-32 are converted here, the rest
//! by `encoding_rs`.
mod charset;
mod translit;

use crate::{
    Builtin, Call, Error, ErrorKind, FsError, Opt, Result, Status,
    args::{self, Order},
};
use charset::{Charset, Next};
use std::io::{Read, Write};

pub(crate) static ICONV: Builtin = Builtin {
    name: "iconv",
    synopsis: "[OPTION]... [FILE]...",
    about: "Convert encoding of given files from one encoding to another.",
    options: &[
        Opt::flag('c', &[], "c", "omit invalid characters from output"),
        Opt::value('f', &["from-code"], "f", "NAME", "encoding of original text"),
        Opt::flag('l', &["list"], "l", "list all known coded character sets"),
        Opt::value('o', &["output"], "o", "FILE", "output file"),
        Opt::flag('s', &["silent"], "s", "suppress warnings"),
        Opt::value('t', &["to-code"], "t", "NAME", "encoding for output: NAME, NAME//TRANSLIT or NAME//IGNORE"),
        Opt::flag('1', &["verbose"], "verbose", "(ignored)").long_only(),
        Opt::flag('?', &[], args::HELP, "give this help list"),
        Opt::flag('V', &[], args::VERSION, "print program version"),
    ],
    trouble: Status(64),
    run,
};

/// How the conversion goes on where a character cannot be converted.
#[derive(Clone, Copy)]
struct Lenience {
    /// It is left out.
    omit: bool,
    /// Something like it takes its place.
    substitute: bool,
}

/// The text converted so far, and what happened to it.
struct Converted {
    bytes: Vec<u8>,
    /// Where the first character stands that was left out.
    omitted: Option<usize>,
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if parsed.has("l") {
        for name in charset::names() {
            writeln!(call.stdout, "{name}//")?;
        }
        return Ok(Status::OK);
    }
    let (from, _) = read_name(parsed.value("f"))?;
    let (to, suffixes) = read_name(parsed.value("t"))?;
    let asks = |suffix: &str| suffixes.iter().any(|given| given.eq_ignore_ascii_case(suffix));
    let lenience = Lenience { omit: parsed.has("c") || asks("IGNORE"), substitute: asks("TRANSLIT") };
    // What `-c` leaves out was asked for; what `//IGNORE` leaves out makes the status 1.
    let forgiven = parsed.has("c") || !asks("IGNORE");
    if let Some(file) = parsed.value("o").filter(|file| *file != "-") {
        call.stdout =
            call.create(file).map_err(|error| Error::failed(format!("unable to open output file: {error}")))?;
    }
    let stdin = ["-".to_string()];
    let files = if parsed.operands.is_empty() { &stdin[..] } else { &parsed.operands };
    let mut status = Status::OK;
    for file in files {
        let text = match read(call, file)? {
            Ok(text) => text,
            Err(message) => {
                call.warn(message)?;
                status = Status::FAILURE;
                continue;
            }
        };
        // Each file begins anew, with its mark.
        let mut encoder = to.encoder();
        let mut converted = Converted { bytes: Vec::new(), omitted: None };
        let result = convert(call, from, &mut encoder, &text, lenience, &mut converted);
        call.stdout.write_all(&converted.bytes)?;
        result?;
        if let Some(at) = converted.omitted.filter(|_| !forgiven) {
            call.warn(format_args!("illegal input sequence at position {at}"))?;
            status = Status::FAILURE;
        }
        call.memory.give(text.len());
    }
    Ok(status)
}

/// A character set and what follows its name after `//`. No name is UTF-8.
fn read_name(text: Option<&str>) -> Result<(Charset, Vec<&str>)> {
    let mut parts = text.unwrap_or("UTF-8").split("//");
    let name = parts.next().unwrap_or_default();
    let unknown = || Error::failed(format!("conversion from or to {name} is not supported; `iconv -l` lists what is"));
    let charset = if name.is_empty() { Some(Charset::Utf8) } else { Charset::named(name) };
    Ok((charset.ok_or_else(unknown)?, parts.collect()))
}

/// The whole file; the message where it cannot be read.
fn read(call: &mut Call<'_>, file: &str) -> Result<std::result::Result<Vec<u8>, String>> {
    let mut input = match file {
        "-" => call.stdin.clone(),
        file => match call.open(file) {
            Ok(input) => input,
            // A folder opens, and that it cannot be read ends all.
            Err(error) if matches!(error.kind, ErrorKind::IsADirectory) => {
                return Err(Error::failed(format!("error while reading the input: {error}")));
            }
            Err(error) => return Ok(Err(format!("cannot open input file `{file}': {error}"))),
        },
    };
    let mut text = Vec::new();
    let mut chunk = [0; 64 * 1024];
    loop {
        match input.read(&mut chunk) {
            Ok(0) => return Ok(Ok(text)),
            Ok(length) => {
                call.memory.take(length)?;
                text.extend_from_slice(&chunk[..length]);
            }
            Err(error) => {
                let cause = FsError::within(error.into())?;
                return Err(Error::failed(format!("error while reading the input: {cause}")));
            }
        }
    }
}

fn convert(
    call: &Call<'_>,
    from: Charset,
    encoder: &mut charset::Encoder,
    text: &[u8],
    lenience: Lenience,
    converted: &mut Converted,
) -> Result<()> {
    let mut decoder = from.decoder(text);
    let mut count = 0_u32;
    loop {
        count = count.wrapping_add(1);
        if count.is_multiple_of(4096) {
            call.cancel.check()?;
        }
        let at = decoder.position();
        match decoder.next() {
            Next::End => return Ok(()),
            Next::Character(character) => {
                if encoder.encode(character, &mut converted.bytes) {
                    continue;
                }
                if lenience.substitute {
                    let text = translit::substitute(character);
                    if text.chars().all(|character| encoder.encode(character, &mut converted.bytes)) {
                        continue;
                    }
                }
                if !lenience.omit {
                    return Err(Error::failed(format!("illegal input sequence at position {at}")));
                }
                converted.omitted = converted.omitted.or(Some(at));
            }
            Next::Illegal if lenience.omit => converted.omitted = converted.omitted.or(Some(at)),
            Next::Illegal => return Err(Error::failed(format!("illegal input sequence at position {at}"))),
            Next::Incomplete => {
                return Err(Error::failed("incomplete character or shift sequence at end of buffer"));
            }
        }
    }
}

#[cfg(test)]
mod tests;
