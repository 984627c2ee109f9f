//! The words of `join`.
use crate::{
    Call, Error, Opt, Result,
    args::{self, Order},
    comm::two_operands,
    curly, number,
};
use std::cmp::Ordering;

pub(super) const TABLE: &[Opt] = &[
    Opt::value('a', &[], "a", "FILENUM", "also print unpairable lines from file FILENUM"),
    Opt::value('e', &[], "e", "STRING", "replace missing (empty) input fields with STRING"),
    Opt::flag('i', &["ignore-case"], "fold", "ignore differences in case when comparing fields"),
    Opt::value('j', &[], "j", "FIELD", "equivalent to '-1 FIELD -2 FIELD'"),
    Opt::value('o', &[], "o", "FORMAT", "obey FORMAT while constructing output line"),
    Opt::value('t', &[], "t", "CHAR", "use CHAR as input and output field separator"),
    Opt::value('v', &[], "v", "FILENUM", "like -a FILENUM, but suppress joined output lines"),
    Opt::value('1', &[], "1", "FIELD", "join on this FIELD of file 1"),
    Opt::value('2', &[], "2", "FIELD", "join on this FIELD of file 2"),
    Opt::flag('c', &["check-order"], "check", "check that the input is correctly sorted").long_only(),
    Opt::flag('n', &["nocheck-order"], "nocheck", "do not check that the input is correctly sorted").long_only(),
    Opt::flag('h', &["header"], "header", "treat the first line in each file as field headers").long_only(),
    Opt::flag('z', &["zero-terminated"], "zero", "line delimiter is NUL, not newline"),
];

/// What a joined line holds.
pub(super) enum Output {
    /// The key, then all other fields.
    All,
    /// What the first lines have.
    Auto,
    /// These.
    Fields(Vec<Field>),
}

/// A field of a joined line.
#[derive(Clone, Copy)]
pub(super) enum Field {
    Key,
    /// A file and a field, both from 0.
    Of(usize, usize),
}

/// When files out of order are reported.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Check {
    /// Once a line has been seen that has no partner.
    WhenUnpaired,
    Always,
    Never,
}

pub(super) struct Options {
    /// The field of each file that is compared, from 0.
    pub(super) keys: [usize; 2],
    /// Whether lines without a partner are shown.
    pub(super) alone: [bool; 2],
    /// Whether pairs are.
    pub(super) pairs: bool,
    pub(super) empty: String,
    pub(super) fold: bool,
    pub(super) output: Output,
    pub(super) separator: Option<u8>,
    /// `-t ''`: the whole line is its only field.
    pub(super) whole: bool,
    pub(super) check: Check,
    pub(super) header: bool,
    pub(super) end: u8,
}

impl Options {
    /// The order of two keys.
    pub(super) fn compare(&self, a: &[u8], b: &[u8]) -> Ordering {
        match self.fold {
            true => a.iter().map(u8::to_ascii_lowercase).cmp(b.iter().map(u8::to_ascii_lowercase)),
            false => a.cmp(b),
        }
    }
}

/// The options and the two files.
pub(super) fn read(call: &Call<'_>) -> Result<(Options, [String; 2])> {
    let words = modern(&call.args[1..]);
    let parsed = args::parse_words(&words, TABLE, Order::Anywhere)?;
    let mut operands = parsed.operands.clone();
    let mut options = Options {
        keys: [0, 0],
        alone: [false, false],
        pairs: true,
        empty: String::new(),
        fold: false,
        output: Output::All,
        separator: None,
        whole: false,
        check: Check::WhenUnpaired,
        header: false,
        end: b'\n',
    };
    let mut keys: [Option<usize>; 2] = [None, None];
    for (name, value) in &parsed.options {
        let value = value.as_deref().unwrap_or_default();
        match *name {
            "a" | "v" => {
                let file = match value {
                    "1" => 0,
                    "2" => 1,
                    _ => return Err(Error::failed(format!("invalid field number: {}", curly(value)))),
                };
                options.alone[file] = true;
                options.pairs &= *name == "a";
            }
            "e" if !options.empty.is_empty() && options.empty != value => {
                return Err(Error::failed("conflicting empty-field replacement strings"));
            }
            "e" => options.empty = value.to_string(),
            "fold" => options.fold = true,
            "j" | "1" | "2" => {
                let field = read_field(value)?;
                for (file, key) in keys.iter_mut().enumerate() {
                    if *name != "j" && *name != (file + 1).to_string() {
                        continue;
                    }
                    if let Some(other) = key.filter(|other| *other != field) {
                        let message = format!("incompatible join fields {}, {}", other + 1, field + 1);
                        return Err(Error::failed(message));
                    }
                    *key = Some(field);
                }
            }
            "o" => add_output(&mut options.output, value)?,
            "t" => set_separator(&mut options, value)?,
            "check" => options.check = Check::Always,
            "nocheck" => options.check = Check::Never,
            "header" => options.header = true,
            _ => options.end = 0,
        }
    }
    // `-o 1.1 2.2 FILE1 FILE2`: the list may go on in words of its own.
    if let Output::Fields(_) = options.output {
        while operands.len() > 2 {
            let word = operands.remove(0);
            add_output(&mut options.output, &word)?;
        }
    }
    options.keys = keys.map(|key| key.unwrap_or(0));
    let (first, second) = two_operands(&operands)?;
    if first == "-" && second == "-" {
        return Err(Error::failed("both files cannot be standard input"));
    }
    Ok((options, [first.to_string(), second.to_string()]))
}

fn read_field(text: &str) -> Result<usize> {
    match number::parse(text, "") {
        Ok(field) if field > 0 => Ok(usize::try_from(field - 1).unwrap_or(usize::MAX)),
        Err(number::Malformed::Overflow) => Ok(usize::MAX),
        _ => Err(Error::failed(format!("invalid field number: {}", curly(text)))),
    }
}

fn add_output(output: &mut Output, list: &str) -> Result<()> {
    if list == "auto" {
        *output = Output::Auto;
        return Ok(());
    }
    let mut fields = match std::mem::replace(output, Output::All) {
        Output::Fields(fields) => fields,
        Output::All | Output::Auto => Vec::new(),
    };
    for item in list.split([',', ' ', '\t']) {
        fields.push(match item.split_once('.') {
            None if item == "0" => Field::Key,
            Some((file @ ("1" | "2"), field)) => Field::Of(usize::from(file == "2"), read_field(field)?),
            _ => {
                return Err(Error::failed(match item.chars().next() {
                    Some('1' | '2') => format!("invalid field specifier: {}", curly(item)),
                    Some('0') => format!("invalid field specifier: {}", curly(item)),
                    _ => format!("invalid file number in field spec: {}", curly(item)),
                }));
            }
        });
    }
    *output = Output::Fields(fields);
    Ok(())
}

fn set_separator(options: &mut Options, text: &str) -> Result<()> {
    let byte = match text.as_bytes() {
        [] => {
            options.whole = true;
            b'\n'
        }
        [byte] => *byte,
        b"\\0" => 0,
        _ => return Err(Error::failed(format!("multi-character tab {}", curly(text)))),
    };
    match options.separator {
        Some(other) if other != byte => Err(Error::failed("incompatible tabs")),
        _ => {
            options.separator = Some(byte);
            Ok(())
        }
    }
}

/// The old `-j1 FIELD` and `-j2 FIELD` as `-1` and `-2`.
fn modern(words: &[String]) -> Vec<String> {
    let old = |at: usize, word: &str| {
        let file = word.strip_prefix("-j").filter(|file| matches!(*file, "1" | "2"))?;
        words.get(at + 1).filter(|next| number::parse(next, "").is_ok())?;
        Some(format!("-{file}"))
    };
    words.iter().enumerate().map(|(at, word)| old(at, word).unwrap_or_else(|| word.clone())).collect()
}
