//! `fmt`: paragraphs filled anew, with the line breaks that cost least over the whole paragraph.
mod breaks;
mod paragraph;

use crate::{
    Builtin, Call, Error, FsError, Opt, Result, Status,
    args::{self, Order},
    curly, number, quoted_if_odd,
};
use paragraph::Filler;

pub(crate) static FMT: Builtin = Builtin {
    name: "fmt",
    synopsis: "[-WIDTH] [OPTION]... [FILE]...",
    about: "Reformat each paragraph in the FILE(s), writing to standard output.",
    options: &[
        Opt::flag('c', &["crown-margin"], "c", "preserve indentation of first two lines"),
        Opt::value('p', &["prefix"], "p", "STRING", "reformat only lines beginning with STRING, reattaching it"),
        Opt::flag('s', &["split-only"], "s", "split long lines, but do not refill"),
        Opt::flag('t', &["tagged-paragraph"], "t", "indentation of first line different from second"),
        Opt::flag('u', &["uniform-spacing"], "u", "one space between words, two after sentences"),
        Opt::value('w', &["width"], "w", "WIDTH", "maximum line width (default of 75 columns)"),
        Opt::value('g', &["goal"], "g", "WIDTH", "goal width (default of 93% of width)"),
    ],
    trouble: Status(1),
    run,
};

/// What is asked of the paragraphs.
struct Options {
    /// Only lines that begin with it, after `lead` blanks, are filled; blanks at its end are in `full` only.
    prefix: Vec<u8>,
    full: usize,
    lead: usize,
    indent: Indent,
    uniform: bool,
    /// Columns that no line should exceed, and that lines should have.
    width: usize,
    goal: usize,
}

/// What the indentation of lines means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Indent {
    /// Another one begins another paragraph.
    Same,
    /// The second line's holds for the rest.
    Crown,
    /// The first line's must differ from the second's.
    Tagged,
    /// Each line is a paragraph.
    Split,
}

/// No line may be asked to be wider.
const WIDEST: u64 = 2500;

fn run(call: &mut Call<'_>) -> Result<Status> {
    let mut words = call.args[1..].to_vec();
    if let Some(width) = words.first().and_then(|word| word.strip_prefix('-'))
        && width.starts_with(|c: char| c.is_ascii_digit())
    {
        words[0] = format!("-w{width}");
    }
    let parsed = args::parse_words(&words, call.builtin.options, Order::Anywhere)?;
    let options = read(&parsed)?;
    let stdin = ["-".to_string()];
    let files = if parsed.operands.is_empty() { &stdin[..] } else { &parsed.operands };
    let mut status = Status::OK;
    for file in files {
        let input = match file.as_str() {
            "-" => call.stdin.clone(),
            file => match call.open(file) {
                Ok(input) => input,
                Err(error) => {
                    call.warn(format_args!("cannot open {} for reading: {error}", curly(file)))?;
                    status = Status::FAILURE;
                    continue;
                }
            },
        };
        if let Err(error) = Filler::new(&options, input).fill(call) {
            let cause = FsError::within(error)?;
            call.warn(format_args!("read error: {}: {cause}", quoted_if_odd(file)))?;
            status = Status::FAILURE;
        }
    }
    Ok(status)
}

fn read(parsed: &args::Parsed) -> Result<Options> {
    let columns = |text: &str, most: u64| match number::parse(text, "") {
        Ok(columns) if columns <= most => Ok(columns as usize),
        Ok(_) => Err(Error::failed(format!("invalid width: {}: Numerical result out of range", curly(text)))),
        Err(_) => Err(Error::failed(format!("invalid width: {}", curly(text)))),
    };
    let mut width = parsed.value("w").map(|text| columns(text, WIDEST)).transpose()?;
    let goal = match parsed.value("g") {
        Some(text) => {
            let goal = columns(text, width.unwrap_or(75) as u64)?;
            width = width.or(Some(goal + 10));
            Some(goal)
        }
        None => None,
    };
    let width = width.unwrap_or(75);
    let prefix = parsed.value("p").unwrap_or_default();
    let bare = prefix.trim_start_matches(' ');
    Ok(Options {
        prefix: bare.trim_end_matches(' ').as_bytes().to_vec(),
        full: bare.len(),
        lead: prefix.len() - bare.len(),
        indent: if parsed.has("s") {
            Indent::Split
        } else if parsed.has("c") {
            Indent::Crown
        } else if parsed.has("t") {
            Indent::Tagged
        } else {
            Indent::Same
        },
        uniform: parsed.has("u"),
        width,
        goal: goal.unwrap_or(width * (2 * (100 - 7) + 1) / 200),
    })
}

#[cfg(test)]
mod tests;
