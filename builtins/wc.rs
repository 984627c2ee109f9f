//! `wc`: lines, words, characters, bytes and the longest line of each file.
//!
//! The columns are as wide as the sum of the files' *sizes* needs, known before anything is read; bytes alone are
//! answered from the tree.
mod count;
mod operands;

use crate::{
    Builtin, Call, ErrorKind, FsError, FsResult, InputKind, Kind, Opt, Result, Status,
    args::{self, Order},
    call::Device,
    quoted, quoted_if_odd,
};
use count::Counts;
use operands::Operands;
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

impl Shown {
    fn columns(&self) -> usize {
        let kinds = [self.lines, self.words, self.chars, self.bytes, self.width];
        kinds.iter().filter(|&&shown| shown).count()
    }
}

/// When the line of totals is printed.
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
    if shown.columns() == 0 {
        (shown.lines, shown.words, shown.bytes) = (true, true, true);
    }
    let Operands { names, streamed, mut status } = Operands::read(call, &parsed)?;
    let width = match total {
        Total::Only => 1,
        _ if streamed || (names.len() == 1 && shown.columns() == 1) => 1,
        _ => number_width(call, &names),
    };
    let mut sum = Counts::default();
    for name in &names {
        let name = name.as_deref();
        let Some(counts) = counted(call, name, &shown, &mut status)? else { continue };
        sum.add(&counts);
        // The size of a redirected file shows only when it has been read.
        let is_redirected = matches!(name, None | Some("-")) && call.stdin.kind() == InputKind::File;
        let width = match shown.columns() {
            2.. if is_redirected && names.len() == 1 => counts.bytes.to_string().len(),
            _ => width,
        };
        if total != Total::Only {
            print(call, &counts, &shown, width, name)?;
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

/// What is in a file, or in as much of it as could be read; `None` when it did not open. Trouble is said.
fn counted(call: &mut Call<'_>, name: Option<&str>, shown: &Shown, status: &mut Status) -> Result<Option<Counts>> {
    let mut counts = Counts::default();
    let Err(error) = count(call, name, shown, &mut counts) else { return Ok(Some(counts)) };
    let cause = FsError::within(error)?;
    match name {
        Some("") => call.warn("invalid zero-length file name")?,
        name => call.warn(format_args!("{}: {cause}", name.map_or("-".to_string(), quoted_if_odd)))?,
    }
    *status = Status::FAILURE;
    // A folder opens, and has nothing in it that could be counted.
    let opened = matches!(cause.kind, ErrorKind::IsADirectory | ErrorKind::Io(_));
    Ok(opened.then_some(counts))
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
                Kind::File => call.size(&path, &meta).map(Some),
                Kind::Dir | Kind::Device => Ok(None),
            }
        }
    }
}

/// Columns of a count: enough for the sizes of all files together.
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

/// Count what is in a file, into `counts`.
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
