//! What the words of an `xargs` command ask for.
use crate::{
    Call, Error, Opt, Result,
    args::{self, Order},
};

pub(super) const TABLE: &[Opt] = &[
    Opt::flag('0', &["null"], "null", "items are separated by a null, not whitespace; disables quotes and -E"),
    Opt::value('a', &["arg-file"], "arg-file", "FILE", "read arguments from FILE, not standard input"),
    Opt::value('d', &["delimiter"], "delimiter", "CHARACTER", "items in input stream are separated by CHARACTER"),
    Opt::value('E', &[], "E", "END", "set logical EOF string; if END occurs as a line of input, the rest is ignored"),
    Opt::flag('e', &["eof"], "eof", "equivalent to -E END if END is specified").optional("END"),
    Opt::value('I', &[], "I", "R", "replace R in INITIAL-ARGS with each line of input"),
    Opt::flag('i', &["replace"], "replace", "the same as -I R; R is {} when it is not given").optional("R"),
    Opt::value('L', &[], "L", "MAX-LINES", "use at most MAX-LINES non-blank input lines per command line"),
    Opt::flag('l', &["max-lines"], "max-lines", "similar to -L but defaults to one line").optional("MAX-LINES"),
    Opt::value('n', &["max-args"], "max-args", "MAX-ARGS", "use at most MAX-ARGS arguments per command line"),
    Opt::flag('o', &["open-tty"], "open-tty", ""),
    Opt::value('P', &["max-procs"], "max-procs", "MAX-PROCS", "taken, but commands run one after the other"),
    Opt::flag('p', &["interactive"], "interactive", ""),
    Opt::value(' ', &["process-slot-var"], "slot", "VAR", "set environment variable VAR in child processes")
        .long_only(),
    Opt::flag('r', &["no-run-if-empty"], "no-run-if-empty", "if there are no arguments, do not run COMMAND"),
    Opt::value('s', &["max-chars"], "max-chars", "MAX-CHARS", "limit length of command line to MAX-CHARS"),
    Opt::flag(' ', &["show-limits"], "show-limits", "show limits on command-line length").long_only(),
    Opt::flag('t', &["verbose"], "verbose", "print commands before executing them"),
    Opt::flag('x', &["exit"], "exit", "exit if the size (see -s) is exceeded"),
];

/// What ends an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Split {
    /// Blanks and line ends, which quotes protect.
    Blanks,
    /// Line ends: `-I`.
    Lines,
    /// This byte, whatever else there is.
    Byte(u8),
}

/// All that a command line says.
pub(super) struct Options {
    pub(super) command: Vec<String>,
    pub(super) split: Split,
    /// The item that ends the input.
    pub(super) end: Option<String>,
    pub(super) replace: Option<String>,
    pub(super) lines: Option<usize>,
    pub(super) args: Option<usize>,
    /// Bytes of a command line.
    pub(super) size: usize,
    pub(super) exits_when_full: bool,
    /// Without items, the command does not run.
    pub(super) needs_items: bool,
    pub(super) traces: bool,
    pub(super) file: Option<String>,
    pub(super) slot: Option<String>,
    pub(super) shows_limits: bool,
}

/// Bytes of the words of one command when nobody says otherwise.
pub(crate) const COMMAND_SIZE: usize = 128 << 10;

pub(super) fn read(call: &mut Call<'_>) -> Result<Options> {
    let parsed = args::parse(call, Order::BeforeOperands)?;
    let mut options = Options {
        command: parsed.operands.clone(),
        split: Split::Blanks,
        end: None,
        replace: None,
        lines: None,
        args: None,
        size: COMMAND_SIZE,
        exits_when_full: false,
        needs_items: false,
        traces: false,
        file: None,
        slot: None,
        shows_limits: false,
    };
    if options.command.is_empty() {
        options.command.push("echo".to_string());
    }
    for (key, value) in &parsed.options {
        let text = value.as_deref().unwrap_or_default();
        match *key {
            "null" => options.split = Split::Byte(0),
            "delimiter" => options.split = Split::Byte(delimiter(text)?),
            "arg-file" => options.file = Some(text.to_string()).filter(|file| file != "-"),
            "E" | "eof" => options.end = Some(text.to_string()).filter(|end| !end.is_empty()),
            "I" | "replace" => {
                only(call, &mut options, "--replace", "--replace/-I/-i")?;
                options.replace = Some(if text.is_empty() { "{}" } else { text }.to_string());
            }
            "L" | "max-lines" => {
                only(call, &mut options, "--max-lines", if *key == "L" { "-L" } else { "--max-lines/-l" })?;
                options.lines = Some(if text.is_empty() { 1 } else { number(text, 'L', 1)? });
            }
            "max-args" => {
                let args = number(text, 'n', 1)?;
                // `-n 1` agrees with `-I`, which takes one line at a time anyway.
                if options.replace.is_none() || args > 1 {
                    only(call, &mut options, "--max-args", "--max-args/-n")?;
                    options.args = Some(args);
                }
            }
            "max-procs" => drop(number(text, 'P', 0)?),
            "max-chars" => options.size = number(text, 's', 1)?.min(COMMAND_SIZE),
            "no-run-if-empty" => options.needs_items = true,
            "verbose" => options.traces = true,
            "exit" => options.exits_when_full = true,
            "slot" => options.slot = Some(text.to_string()),
            "show-limits" => options.shows_limits = true,
            "interactive" => return Err(Error::failed("-p is not available: there is nobody to ask")),
            _ => {}
        }
    }
    options.exits_when_full |= options.lines.is_some();
    if options.end.is_some() && matches!(options.split, Split::Byte(_)) {
        call.warn("warning: the -E option has no effect if -0 or -d is used.\n")?;
    }
    if options.replace.is_some() && options.split == Split::Blanks {
        options.split = Split::Lines;
    }
    Ok(options)
}

/// Of `--replace`, `--max-lines` and `--max-args` the last one counts: `kind`, given as `option`.
fn only(call: &mut Call<'_>, options: &mut Options, kind: &str, option: &str) -> Result<()> {
    let before = [
        ("--replace", options.replace.take().is_some()),
        ("--max-lines", options.lines.take().is_some()),
        ("--max-args", options.args.take().is_some()),
    ];
    for (name, _) in before.iter().filter(|(name, was_given)| *was_given && *name != kind) {
        let message = format!("{name} and {option} are mutually exclusive, ignoring previous {name} value");
        call.warn(format_args!("warning: options {message}"))?;
    }
    Ok(())
}

fn number(text: &str, letter: char, least: usize) -> Result<usize> {
    let Ok(number) = text.parse::<i64>() else {
        return Err(Error::usage(format!("invalid number \"{text}\" for -{letter} option")));
    };
    match usize::try_from(number) {
        Ok(number) if number >= least => Ok(number),
        _ => Err(Error::usage(format!("value {text} for -{letter} option should be >= {least}"))),
    }
}

/// The byte that `-d` names: itself, or an escape.
fn delimiter(text: &str) -> Result<u8> {
    let wrong = || {
        Error::failed(format!(
            "Invalid input delimiter specification {text}: the delimiter must be either a single character or an escape \
             sequence starting with \\."
        ))
    };
    if let [byte] = text.as_bytes() {
        return Ok(*byte);
    }
    let escape = text.strip_prefix('\\').ok_or_else(wrong)?;
    Ok(match escape {
        "a" => 7,
        "b" => 8,
        "f" => 12,
        "n" => b'\n',
        "r" => b'\r',
        "t" => b'\t',
        "v" => 11,
        "\\" => b'\\',
        _ => match escape.strip_prefix('x') {
            Some(hex) => u8::from_str_radix(hex, 16).map_err(|_| wrong())?,
            None => u8::from_str_radix(escape, 8).map_err(|_| wrong())?,
        },
    })
}
