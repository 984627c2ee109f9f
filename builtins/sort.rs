//! `sort`: lines in order, merged, or checked for order. The input is kept whole and accounted for, and sorted on all
//! processors.
mod debug;
mod head;
mod key;
mod lines;
mod number;
mod options;
mod order;
#[cfg(test)]
mod tests;

use crate::{
    Builtin, Call, Error, ErrorKind, FsError, Input, Opening, Output, Result, Status, quoted, quoted_if_odd,
    records::Records,
};
use key::Rules;
use lines::Lines;
use options::{Check, Options};
use std::{
    cmp::Ordering,
    io::{self, Write},
};

pub(crate) static SORT: Builtin = Builtin {
    name: "sort",
    synopsis: "[OPTION]... [FILE]...",
    about: "Write sorted concatenation of all FILE(s) to standard output.",
    options: options::TABLE,
    trouble: Status(2),
    run,
};

/// The status of a failure.
const TROUBLE: Status = Status(2);

fn run(call: &mut Call<'_>) -> Result<Status> {
    let (options, mut files) = options::read(call)?;
    if options.debug {
        debug::explain(call, &options);
    }
    if let Some(list) = &options.files_from {
        files = named_files(call, list, &files)?;
    }
    if files.is_empty() {
        files.push("-".to_string());
    }
    let rules = Rules::new(&options, call)?;
    if let Some(check) = options.check {
        if let Some(extra) = files.get(1) {
            let letter = if check == Check::Loud { 'c' } else { 'C' };
            return Err(Error::usage(format!("extra operand {} not allowed with -{letter}", quoted(extra))));
        }
        return check_order(call, &options, &rules, &files[0]);
    }
    for file in &files {
        if file != "-"
            && let Err(error) = call.stat(file)
        {
            return Err(Error::Failed(format!("cannot read: {}: {error}", quoted_if_odd(file)), TROUBLE));
        }
    }
    let output = |call: &Call<'_>, opening| match &options.output {
        None => Ok(call.stdout.clone()),
        Some(file) => call
            .open_to_write(file, opening)
            .map_err(|error| Error::Failed(format!("open failed: {}: {error}", quoted_if_odd(file)), TROUBLE)),
    };
    // The output may be one of the inputs: it is emptied when they have been read.
    let mut out = output(call, Opening::Over)?;
    match options.merge {
        true if options.output.is_some() => {
            let (mut whole, merged) = Output::capture();
            merge(call, &options, &rules, &files, &mut whole)?;
            whole.flush()?;
            let merged = merged.take();
            call.memory.take(merged.len())?;
            out = output(call, Opening::Anew)?;
            out.write_all(&merged)?;
        }
        true => merge(call, &options, &rules, &files, &mut out)?,
        false => {
            let mut lines = Lines::new(options.end);
            for file in &files {
                let read = open(call, file).and_then(|mut input| lines.read(&mut input, &mut call.memory));
                read.map_err(|error| unread(file, error))?;
            }
            lines.sort(options.threads, &rules, &call.cancel)?;
            out = output(call, Opening::Anew)?;
            lines.write(&rules, &call.cancel, &mut out)?;
        }
    }
    out.flush()?;
    Ok(Status::OK)
}

/// The files that `list` names, each name ended by a NUL.
fn named_files(call: &mut Call<'_>, list: &str, operands: &[String]) -> Result<Vec<String>> {
    if let Some(extra) = operands.first() {
        let message = format!("extra operand {}\nfile operands cannot be combined with --files0-from", quoted(extra));
        return Err(Error::usage(message));
    }
    let failed = |message: String| Error::Failed(message, TROUBLE);
    let opened = if list == "-" { Ok(call.stdin.clone()) } else { call.open(list) };
    let mut input = opened.map_err(|error| failed(format!("open failed: {}: {error}", quoted_if_odd(list))))?;
    let mut records = Records::new(0);
    let mut files = Vec::new();
    while let Some(name) = records.next_bare(&mut input, &mut call.memory)? {
        if name.is_empty() {
            let place = quoted_if_odd(list);
            return Err(failed(format!("{place}:{}: invalid zero-length file name", files.len() + 1)));
        }
        if list == "-" && name == b"-" {
            let message = "when reading file names from stdin, no file name of '-' allowed";
            return Err(failed(message.to_string()));
        }
        call.memory.take(name.len() + size_of::<String>())?;
        files.push(String::from_utf8_lossy(name).into_owned());
    }
    match files.is_empty() {
        true => Err(failed(format!("no input from {}", quoted(list)))),
        false => Ok(files),
    }
}

fn open(call: &Call<'_>, file: &str) -> Result<Input> {
    match file {
        "-" => Ok(call.stdin.clone()),
        file => Ok(call.open(file).map_err(io::Error::from)?),
    }
}

/// What is said of a file that cannot be read.
fn unread(file: &str, error: Error) -> Error {
    match FsError::within(error) {
        Err(error) => error,
        Ok(cause) => {
            let what = match cause.kind {
                ErrorKind::IsADirectory | ErrorKind::Io(_) => "read failed",
                _ => "cannot read",
            };
            Error::Failed(format!("{what}: {}: {cause}", quoted_if_odd(file)), TROUBLE)
        }
    }
}

/// `-c` and `-C`: each line against the one before.
fn check_order(call: &mut Call<'_>, options: &Options, rules: &Rules, file: &str) -> Result<Status> {
    let mut input = open(call, file).map_err(|error| unread(file, error))?;
    let mut records = Records::new(options.end);
    let mut before: Option<Vec<u8>> = None;
    let mut number: u64 = 0;
    loop {
        let line = records.next_bare(&mut input, &mut call.memory).map_err(|error| unread(file, error))?;
        let Some(line) = line else {
            return Ok(Status::OK);
        };
        number += 1;
        if let Some(earlier) = &before {
            let order = rules.compare(earlier, line);
            if order == Ordering::Greater || (options.unique && order == Ordering::Equal) {
                if options.check == Some(Check::Loud) {
                    let text = String::from_utf8_lossy(line).into_owned();
                    call.warn_apart(format_args!("{}:{number}: disorder: {text}", quoted_if_odd(file)));
                }
                return Ok(Status::FAILURE);
            }
        }
        let earlier = before.get_or_insert_default();
        earlier.clear();
        earlier.extend_from_slice(line);
    }
}

/// A file being merged, at its current line.
struct Head<'a> {
    file: &'a str,
    input: Input,
    records: Records,
    line: Vec<u8>,
}

/// `-m`: always the least of the files' current lines, the earlier file's first.
fn merge(call: &mut Call<'_>, options: &Options, rules: &Rules, files: &[String], out: &mut Output) -> Result<()> {
    let mut heads = Vec::new();
    for file in files {
        let input = open(call, file).map_err(|error| unread(file, error))?;
        let records = Records::new(options.end);
        let mut head = Head { file, input, records, line: Vec::new() };
        if head.advance(call)? {
            heads.push(head);
        }
    }
    let mut last: Option<Vec<u8>> = None;
    while !heads.is_empty() {
        let mut least = 0;
        for at in 1..heads.len() {
            if rules.compare(&heads[least].line, &heads[at].line) == Ordering::Greater {
                least = at;
            }
        }
        let head = &mut heads[least];
        let repeated =
            options.unique && last.as_ref().is_some_and(|last| rules.compare(last, &head.line) == Ordering::Equal);
        if !repeated {
            rules.write(&head.line, options.end, out)?;
            if options.unique {
                last = Some(head.line.clone());
            }
        }
        if !head.advance(call)? {
            heads.remove(least);
        }
    }
    Ok(())
}

impl Head<'_> {
    /// Go to the next line; `false` at the end of the file.
    fn advance(&mut self, call: &mut Call<'_>) -> Result<bool> {
        let read = self.records.next_bare(&mut self.input, &mut call.memory);
        let Some(line) = read.map_err(|error| unread(self.file, error))? else {
            return Ok(false);
        };
        self.line.clear();
        self.line.extend_from_slice(line);
        Ok(true)
    }
}
