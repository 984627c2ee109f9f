//! `zgrep`: `grep` over files that may be compressed.
use crate::{
    Builtin, Call, Error, FsError, Input, InputKind, Result, Status, Stdio, Takes,
    args::{self, Order, Parsed},
    gzip::inflate::Inflated,
    quoted_if_odd,
};
use std::io::{BufReader, Write};

pub(crate) static ZGREP: Builtin = row("zgrep");
pub(crate) static ZEGREP: Builtin = row("zegrep");
pub(crate) static ZFGREP: Builtin = row("zfgrep");

const fn row(name: &'static str) -> Builtin {
    Builtin {
        name,
        synopsis: "[OPTION]... [-e] PATTERN [FILE]...",
        about: "Look for instances of PATTERN in the input FILEs, using their uncompressed contents if they are compressed.\n\
                The options are those of grep, but for the recursive ones.",
        options: &[],
        trouble: TROUBLE,
        run,
    }
}

const TROUBLE: Status = Status(2);

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse_words(&call.args[1..], crate::grep::GREP.options, Order::Anywhere)?;
    let unsupported =
        ["recursive", "directories", "include", "exclude", "exclude-from", "exclude-dir", "null", "null-data"];
    if let Some((key, _)) = parsed.options.iter().find(|(key, _)| unsupported.contains(key)) {
        return Err(Error::Failed(format!("--{key}: option not supported"), TROUBLE));
    }
    let mut words = vec![match call.builtin.name {
        "zegrep" => "egrep".to_string(),
        "zfgrep" => "fgrep".to_string(),
        _ => "grep".to_string(),
    }];
    words.extend(options(&parsed));
    let mut files = &parsed.operands[..];
    if !parsed.has("regexp") && !parsed.has("file") {
        let Some((pattern, rest)) = files.split_first() else {
            return Err(Error::usage("missing pattern"));
        };
        words.extend(["-e".to_string(), pattern.clone()]);
        files = rest;
    }
    let stdin = ["-".to_string()];
    let named = files.len() > 1 && !parsed.has("no-filename");
    if files.is_empty() {
        files = &stdin;
    }
    let mut status = Status::FAILURE;
    for file in files {
        let input = match open(call, file) {
            Ok(input) => input,
            Err(error) => {
                let cause = FsError::within(error)?;
                call.warn(format_args!("{}: {cause}", quoted_if_odd(file)))?;
                status = TROUBLE;
                continue;
            }
        };
        let mut words = words.clone();
        if named {
            words.push("-H".to_string());
        }
        if file != "-" {
            words.push(format!("--label={file}"));
        }
        call.stdout.flush()?;
        let io = Stdio { stdin: input, stdout: call.stdout.clone(), stderr: call.stderr.clone() };
        let answer = call.shell.run(&words, io, &mut call.session.of_child(), &call.cancel);
        call.cancel.check()?;
        match answer {
            Status(0) if status == Status::FAILURE => status = Status::OK,
            Status(0 | 1) => {}
            worse => status = worse,
        }
    }
    Ok(status)
}

/// The options as grep is to be given them.
fn options(parsed: &Parsed) -> Vec<String> {
    let word = |(key, value): &(&'static str, Option<String>)| {
        let opt = crate::grep::GREP.options.iter().find(|opt| opt.key == *key)?;
        Some(match (opt.long.first(), opt.short, value) {
            (Some(long), _, Some(value)) => format!("--{long}={value}"),
            (Some(long), _, None) => format!("--{long}"),
            (None, letter, value) => {
                let letter = letter.map(String::from).unwrap_or_default();
                format!("-{letter}{}", value.as_deref().filter(|_| opt.takes != Takes::Nothing).unwrap_or_default())
            }
        })
    };
    parsed.options.iter().filter_map(word).collect()
}

/// The text of `file`, uncompressed where it is compressed.
fn open(call: &Call<'_>, file: &str) -> Result<Input> {
    let packed = |name: &str| call.open(&format!("{name}.gz"));
    let input = match file {
        "-" => call.stdin.clone(),
        name => {
            call.open(name).or_else(|error| packed(name).map_err(|_| error)).map_err(|error| Error::Io(error.into()))?
        }
    };
    let inflated = Inflated::new(input)?;
    Ok(match inflated.is_compressed() {
        true => Input::new(BufReader::new(inflated), InputKind::Pipe),
        false => Input::new(inflated.into_source(), InputKind::Pipe),
    })
}
