//! `numfmt`: numbers to and from the forms that people read, `1.5K` and `1536`.
//!
//! Numbers are computed as the real one computes them, in x87's extended precision ([`extended::Extended`]): what
//! is rounded up there is rounded up here.
mod format;
mod number;
mod options;

use crate::{
    Builtin, Call, Error, Result, Status,
    args::{self, Order},
    records::Records,
};
use options::{Invalid, Options};
use std::io::Write;

pub(crate) static NUMFMT: Builtin = Builtin {
    name: "numfmt",
    synopsis: "[OPTION]... [NUMBER]...",
    about: "Reformat NUMBER(s), or the numbers from standard input if none are specified.",
    options: options::TABLE,
    trouble: Status(1),
    run,
};

/// Some number could not be converted.
const UNCONVERTED: Status = Status(2);

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let options = options::read(call, &parsed)?;
    let mut all_valid = true;
    for operand in &parsed.operands {
        all_valid &= convert_line(call, &options, operand.as_bytes())?;
        call.stdout.write_all(&[options.end])?;
    }
    if parsed.operands.is_empty() {
        let mut input = call.stdin.clone();
        let mut records = Records::new(options.end);
        let mut headers = options.headers;
        while let Some(line) = records.next(&mut input, &mut call.memory)? {
            if headers > 0 {
                headers -= 1;
                call.stdout.write_all(line)?;
                continue;
            }
            let bare = line.strip_suffix(&[options.end]).unwrap_or(line);
            let ended = bare.len() < line.len();
            all_valid &= convert_line(call, &options, bare)?;
            if ended {
                call.stdout.write_all(&[options.end])?;
            }
        }
    }
    match options.invalid {
        Invalid::Abort | Invalid::Fail if !all_valid => Ok(UNCONVERTED),
        _ => Ok(Status::OK),
    }
}

/// Print `line` with the numbers of its fields converted; `false` when some could not be.
fn convert_line(call: &mut Call<'_>, options: &Options, line: &[u8]) -> Result<bool> {
    let mut all_valid = true;
    let mut rest = line;
    for field in 1.. {
        let end = field_end(rest, options.delimiter);
        let (text, after) = rest.split_at(end);
        match options.fields.contains(field) {
            true => all_valid &= convert(call, options, text, field)?,
            false => call.stdout.write_all(text)?,
        }
        match after.split_first() {
            None => break,
            Some((_, after)) => rest = after,
        }
        call.stdout.write_all(&[options.delimiter.unwrap_or(b' ')])?;
    }
    Ok(all_valid)
}

/// Where the first field of `text` ends. Blanks before a field belong to it when they are what separates.
fn field_end(text: &[u8], delimiter: Option<u8>) -> usize {
    match delimiter {
        Some(delimiter) => text.iter().position(|byte| *byte == delimiter).unwrap_or(text.len()),
        None => {
            let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n');
            let start = text.iter().position(|byte| !is_blank(byte)).unwrap_or(text.len());
            text[start..].iter().position(is_blank).map_or(text.len(), |length| start + length)
        }
    }
}

/// Print one field converted, or as it stands, without the suffix, when it is no number.
fn convert(call: &mut Call<'_>, options: &Options, text: &[u8], field: u64) -> Result<bool> {
    let shown = String::from_utf8_lossy(text);
    let bare = match &options.suffix {
        Some(suffix) if shown.len() > suffix.len() => shown.strip_suffix(suffix.as_str()).unwrap_or(&shown),
        _ => &shown,
    };
    let result = number::read(bare.trim_start_matches([' ', '\t']), options).and_then(|number| {
        // A field that blanks stand before, or that is not the first, keeps its columns.
        let keeps = options.keeps_columns() && (bare.starts_with([' ', '\t']) || field > 1);
        format::show(&number, options, keeps.then_some(bare.len()))
    });
    match result {
        Ok(text) => {
            call.stdout.write_all(text.as_bytes())?;
            Ok(true)
        }
        Err(message) => {
            match options.invalid {
                Invalid::Abort => return Err(Error::Failed(message, UNCONVERTED)),
                Invalid::Fail | Invalid::Warn => call.warn(message)?,
                Invalid::Ignore => {}
            }
            call.stdout.write_all(bare.as_bytes())?;
            Ok(false)
        }
    }
}

#[cfg(test)]
mod tests;
