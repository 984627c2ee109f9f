//! `wc`: lines, words, characters, bytes and the longest line of each file.
//!
//! The columns are as wide as the sum of the files' *sizes* needs, known before anything is read; bytes alone are
//! answered from the tree.
mod count;

use crate::{
    Builtin, Call, Error, FsError, FsResult, InputKind, Kind, Opt, Result, Status,
    args::{self, Order},
    call::Device,
    quoted, quoted_if_odd,
    records::Records,
};
use count::Counts;
use std::io::{BufRead, Write};

pub(crate) static WC: Builtin = Builtin {
    name: "wc",
    synopsis: "[OPTION]... [FILE]...",
    about: "Print newline, word, and byte counts for each FILE, and a total line.",
    options: &[
        Opt::flag('c', &["bytes"], "bytes", "print the byte counts"),
        Opt::flag('m', &["chars"], "chars", "print the character counts"),
        Opt::flag('l', &["lines"], "lines", "print the newline counts"),
        Opt::value('0', &["files0-from"], "files0-from", "F", "read input from the NUL-terminated names in file F")
            .long_only(),
        Opt::flag('L', &["max-line-length"], "width", "print the maximum display width"),
        Opt::flag('w', &["words"], "words", "print the word counts"),
        Opt::value(
            't',
            &["total"],
            "total",
            "WHEN",
            "when to print a line with total counts: auto, always, only, never",
        )
        .long_only(),
    ],
    trouble: Status(1),
    run,
};

/// Which counts are shown.
#[derive(Default)]
struct Shown {
    lines: bool,
    words: bool,
    chars: bool,
    bytes: bool,
    width: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Total {
    Auto,
    Always,
    Only,
    Never,
}

const TOTALS: &[(&str, Total)] =
    &[("auto", Total::Auto), ("always", Total::Always), ("only", Total::Only), ("never", Total::Never)];

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let mut shown = Shown::default();
    let mut total = Total::Auto;
    for (key, value) in &parsed.options {
        match *key {
            "bytes" => shown.bytes = true,
            "chars" => shown.chars = true,
            "lines" => shown.lines = true,
            "words" => shown.words = true,
            "width" => shown.width = true,
            "total" => total = args::choice(call, "--total", value.as_deref().unwrap_or_default(), TOTALS)?,
            _ => {}
        }
    }
    let kinds = [shown.lines, shown.words, shown.chars, shown.bytes, shown.width];
    let mut columns = kinds.iter().filter(|&&shown| shown).count();
    if columns == 0 {
        (shown.lines, shown.words, shown.bytes, columns) = (true, true, true, 3);
    }
    let mut status = Status::OK;
    let mut listed = false;
    let names: Vec<Option<String>> = match parsed.value("files0-from") {
        Some(list) => {
            if let Some(extra) = parsed.operands.first() {
                let message =
                    format!("extra operand {}\nfile operands cannot be combined with --files0-from", quoted(extra));
                return Err(Error::usage(message));
            }
            let mut names = read_names(call, list)?;
            for (at, name) in names.iter().enumerate() {
                let from_stdin = list == "-" && name == "-";
                if name.is_empty() || from_stdin {
                    let place = quoted_if_odd(list);
                    let message = match from_stdin {
                        true => "when reading file names from stdin, no file name of ‘-’ allowed".to_string(),
                        false => format!("{place}:{}: invalid zero-length file name", at + 1),
                    };
                    call.warn(message)?;
                    status = Status::FAILURE;
                }
            }
            // Names that come from a pipe are read one by one: nothing is known of their sizes beforehand.
            listed = list == "-" && call.stdin.kind() != InputKind::File;
            let is_stdin_twice = |name: &String| list == "-" && name == "-";
            names.retain(|name| !name.is_empty() && !is_stdin_twice(name));
            names.into_iter().map(Some).collect()
        }
        None if parsed.operands.is_empty() => vec![None],
        None => parsed.operands.iter().cloned().map(Some).collect(),
    };
    let width = match total {
        Total::Only => 1,
        _ if listed => 1,
        _ if names.len() == 1 && columns == 1 => 1,
        _ => number_width(call, &names),
    };
    let mut sum = Counts::default();
    for name in &names {
        let mut counts = Counts::default();
        let result = count(call, name.as_deref(), &shown, &mut counts);
        let unread = match result {
            Ok(()) => None,
            Err(error) => Some(FsError::within(error)?),
        };
        if let Some(cause) = unread {
            match name.as_deref() {
                Some("") => call.warn("invalid zero-length file name")?,
                name => call.warn(format_args!("{}: {cause}", name.map_or("-".to_string(), quoted_if_odd)))?,
            }
            status = Status::FAILURE;
            // A folder opens, and has nothing in it that could be counted.
            if !matches!(cause.kind, crate::ErrorKind::IsADirectory | crate::ErrorKind::Io(_)) {
                continue;
            }
        }
        sum.add(&counts);
        if total != Total::Only {
            // The size of a redirected file shows only when it has been read.
            let width = match (name.as_deref(), columns) {
                (None | Some("-"), 2..) if names.len() == 1 && call.stdin.kind() == InputKind::File => {
                    counts.bytes.to_string().len()
                }
                _ => width,
            };
            print(call, &counts, &shown, width, name.as_deref())?;
        }
    }
    let wanted = match total {
        Total::Auto => names.len() > 1,
        Total::Always | Total::Only => true,
        Total::Never => false,
    };
    if wanted {
        print(call, &sum, &shown, width, (total != Total::Only).then_some("total"))?;
    }
    Ok(status)
}

/// The names in the file `list`, each ended by a NUL.
fn read_names(call: &mut Call<'_>, list: &str) -> Result<Vec<String>> {
    let opened = if list == "-" { Ok(call.stdin.clone()) } else { call.open(list) };
    let mut input =
        opened.map_err(|error| Error::failed(format!("cannot open {} for reading: {error}", quoted(list))))?;
    let mut records = Records::new(0);
    let mut names = Vec::new();
    while let Some(name) = records.next_bare(&mut input, &mut call.memory)? {
        let name = String::from_utf8_lossy(name).into_owned();
        call.memory.take(name.len() + size_of::<String>())?;
        names.push(name);
    }
    Ok(names)
}

/// The size of an operand as `stat` tells it; `None` when it is no regular file.
fn size(call: &Call<'_>, name: Option<&str>) -> FsResult<Option<u64>> {
    match name {
        None | Some("-") if call.stdin.kind() == InputKind::File => Ok(Some(0)),
        None | Some("-") => Ok(None),
        Some(name) if Device::named(name).is_some() => Ok(None),
        Some(name) => {
            let path = call.resolve(name)?;
            let meta = call.fs.stat(&path)?;
            match meta.kind {
                Kind::File => Ok(Some(meta.size.map_or_else(|| call.fs.size(&path, &call.cancel), Ok)?)),
                Kind::Dir | Kind::Device => Ok(None),
            }
        }
    }
}

fn number_width(call: &Call<'_>, names: &[Option<String>]) -> usize {
    let mut minimum = 1;
    let mut sum: u64 = 0;
    for name in names {
        match size(call, name.as_deref()) {
            Ok(Some(size)) => sum = sum.saturating_add(size),
            Ok(None) => minimum = 7,
            Err(_) => {}
        }
    }
    sum.to_string().len().max(minimum)
}

fn count(call: &mut Call<'_>, name: Option<&str>, shown: &Shown, counts: &mut Counts) -> Result<()> {
    let stat_is_enough = shown.bytes && !(shown.lines || shown.words || shown.chars || shown.width);
    if stat_is_enough
        && let Some(name) = name.filter(|name| *name != "-")
        && let Some(size) = size(call, Some(name)).map_err(std::io::Error::from)?
    {
        counts.bytes = size;
        return Ok(());
    }
    let mut input = match name {
        None | Some("-") => call.stdin.clone(),
        Some(name) => call.open(name).map_err(std::io::Error::from)?,
    };
    let mut counter = count::Counter::new(shown.words, shown.chars, shown.width);
    let result = loop {
        match input.fill_buf() {
            Err(error) => break Err(error.into()),
            Ok([]) => break Ok(()),
            Ok(bytes) => {
                counter.feed(bytes);
                let used = bytes.len();
                input.consume(used);
            }
        }
    };
    *counts = counter.finish();
    result
}

fn print(call: &mut Call<'_>, counts: &Counts, shown: &Shown, width: usize, name: Option<&str>) -> Result<()> {
    let columns = [
        (shown.lines, counts.lines),
        (shown.words, counts.words),
        (shown.chars, counts.chars),
        (shown.bytes, counts.bytes),
        (shown.width, counts.width),
    ];
    let mut gap = "";
    for (_, count) in columns.iter().filter(|(shown, _)| *shown) {
        write!(call.stdout, "{gap}{count:width$}")?;
        gap = " ";
    }
    match name {
        Some(name) if name.contains('\n') => writeln!(call.stdout, " {}", quoted(name))?,
        Some(name) => writeln!(call.stdout, " {name}")?,
        None => writeln!(call.stdout)?,
    }
    Ok(())
}
