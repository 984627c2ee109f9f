//! `less` and `more`: a text, page by page where a person sits at a prompt ([`Output::keyboard`](crate::Output)).
//!
//! Anywhere else (a pipe, a program, `-c`) the text is handed through as it is, and options change nothing, as in the
//! real ones.
mod line;
mod pager;
mod screen;
mod search;
mod text;

use crate::{
    Builtin, Call, ErrorKind, Input, Opt, Output, Result, Status,
    args::{self, Order},
};
use pager::{Pager, Settings};
use std::io::{BufRead, Write};
use text::Text;

pub(crate) static LESS: Builtin = Builtin {
    name: "less",
    synopsis: "[OPTION]... [+COMMAND] [FILE]...",
    about: "Show FILE(s), or what comes from a pipe, page by page.\n\
            Space and b turn pages, j and k move by lines, g and G go to the ends, / and ? search, n and N search on,\n\
            :n and :p change the file, q quits. Where nobody sits at a prompt the text is handed through.",
    options: &[
        Opt::flag('F', &["quit-if-one-screen"], "F", "quit at once if all of the text fits on one screen"),
        Opt::flag('E', &["QUIT-AT-EOF"], "E", "quit at the end of the text"),
        Opt::flag('i', &["ignore-case"], "i", "ignore case in searches that do not contain upper case"),
        Opt::flag('I', &["IGNORE-CASE"], "I", "ignore case in all searches"),
        Opt::flag('N', &["LINE-NUMBERS"], "N", "show line numbers"),
        Opt::flag('S', &["chop-long-lines"], "S", "cut long lines rather than folding them"),
        Opt::flag('X', &["no-init"], "X", "leave the text on the screen"),
        Opt::value('p', &["pattern"], "p", "PATTERN", "start at the first match of PATTERN"),
        Opt::flag('R', &["RAW-CONTROL-CHARS"], "", "show colours; always on"),
        Opt::flag('r', &["raw-control-chars"], "", ""),
        Opt::flag('c', &["clear-screen"], "", ""),
        Opt::flag('C', &["CLEAR-SCREEN"], "", ""),
        Opt::flag('d', &["dumb"], "", ""),
        Opt::flag('e', &["quit-at-eof"], "", ""),
        Opt::flag('f', &["force"], "", ""),
        Opt::flag('g', &["hilite-search"], "", ""),
        Opt::flag('G', &["HILITE-SEARCH"], "", ""),
        Opt::flag('J', &["status-column"], "", ""),
        Opt::flag('K', &["quit-on-intr"], "", ""),
        Opt::flag('m', &["long-prompt"], "", ""),
        Opt::flag('M', &["LONG-PROMPT"], "", ""),
        Opt::flag('n', &["line-numbers"], "", ""),
        Opt::flag('q', &["quiet", "silent"], "", ""),
        Opt::flag('Q', &["QUIET", "SILENT"], "", ""),
        Opt::flag('s', &["squeeze-blank-lines"], "", ""),
        Opt::flag('u', &["underline-special"], "", ""),
        Opt::flag('U', &["UNDERLINE-SPECIAL"], "", ""),
        Opt::flag('w', &["hilite-unread"], "", ""),
        Opt::flag('W', &["HILITE-UNREAD"], "", ""),
        Opt::flag('~', &["tilde"], "", ""),
        Opt::value('b', &["buffers"], "", "N", ""),
        Opt::value('h', &["max-back-scroll"], "", "N", ""),
        Opt::value('j', &["jump-target"], "", "N", ""),
        Opt::value('P', &["prompt"], "", "PROMPT", ""),
        Opt::value('x', &["tabs"], "", "N", ""),
        Opt::value('y', &["max-forw-scroll"], "", "N", ""),
        Opt::value('z', &["window"], "", "N", ""),
    ],
    trouble: Status(1),
    run: less,
};

pub(crate) static MORE: Builtin = Builtin {
    name: "more",
    synopsis: "[OPTION]... [FILE]...",
    options: &[
        Opt::flag('e', &["exit-on-eof"], "", "exit at the end of the text; always on"),
        Opt::flag('d', &["silent"], "", ""),
        Opt::flag('f', &["logical"], "", ""),
        Opt::flag('l', &["no-pause"], "", ""),
        Opt::flag('c', &["print-over"], "", ""),
        Opt::flag('p', &["clean-print"], "", ""),
        Opt::flag('s', &["squeeze"], "", ""),
        Opt::flag('u', &["plain"], "", ""),
        Opt::value('n', &["lines"], "", "N", ""),
    ],
    run: more,
    ..LESS
};

fn less(call: &mut Call<'_>) -> Result<Status> {
    let Words { parsed, start } = words(call)?;
    let settings = Settings {
        all_at_once: parsed.has("F"),
        until_end: parsed.has("E"),
        keep_screen: parsed.has("X"),
        numbers: parsed.has("N"),
        chop: parsed.has("S"),
        ignore_case: (parsed.has("i"), parsed.has("I")),
        prompt: ":",
    };
    let pattern = parsed.value("p").map(|pattern| format!("/{pattern}"));
    show(call, &parsed.operands, settings, start.or(pattern))
}

fn more(call: &mut Call<'_>) -> Result<Status> {
    let Words { parsed, start } = words(call)?;
    let settings =
        Settings { all_at_once: true, until_end: true, keep_screen: true, prompt: "--More--", ..Settings::default() };
    show(call, &parsed.operands, settings, start)
}

/// A command line of either.
struct Words {
    parsed: args::Parsed,
    /// What `+COMMAND` asks for before the first key.
    start: Option<String>,
}

/// The words of the command; those that getopt does not know, `+COMMAND` and the height `-N`, are taken out first.
fn words(call: &Call<'_>) -> Result<Words> {
    let (mut rest, mut start) = (Vec::new(), None);
    let mut words = call.args[1..].iter();
    while let Some(word) = words.next() {
        let is_height = word.len() > 1 && word.starts_with('-') && word[1..].bytes().all(|byte| byte.is_ascii_digit());
        match word.strip_prefix('+') {
            Some(command) => start = Some(command.trim_start_matches('+').to_string()),
            None if is_height => {}
            None => rest.push(word.clone()),
        }
        if word == "--" {
            rest.extend(words.by_ref().cloned());
        }
    }
    Ok(Words { parsed: args::parse_words(&rest, call.builtin.options, Order::Anywhere)?, start })
}

fn show(call: &mut Call<'_>, operands: &[String], settings: Settings, start: Option<String>) -> Result<Status> {
    let Some(keyboard) = call.stdout.keyboard()? else { return hand_through(call, operands) };
    let (mut texts, mut status) = (Vec::new(), Status::OK);
    let stdin = ["-".to_string()];
    for name in if operands.is_empty() { &stdin[..] } else { operands } {
        let opened = if name == "-" { Ok(call.stdin.clone()) } else { call.open(name) };
        match opened {
            Ok(input) => texts.push(Text::new(if name == "-" { "" } else { name }, input)),
            Err(error) => {
                call.warn(format_args!("{name}: {error}"))?;
                status = Status::FAILURE;
            }
        }
    }
    if texts.is_empty() {
        return Ok(status);
    }
    let failures = Pager::new(call, keyboard, texts, settings).run(start.as_deref())?;
    for failure in &failures {
        call.warn(failure)?;
    }
    Ok(if failures.is_empty() { status } else { Status::FAILURE })
}

fn hand_through(call: &mut Call<'_>, operands: &[String]) -> Result<Status> {
    if call.builtin.name == "more" && !operands.is_empty() {
        return hand_through_named(call, operands);
    }
    call.each_input(operands, |call, _, input| copy(input, &mut call.stdout))
}

/// As `more` does it: each file's name stands above it, and one that cannot be read is no failure.
fn hand_through_named(call: &mut Call<'_>, operands: &[String]) -> Result<Status> {
    for name in operands {
        match call.open(name) {
            Ok(mut input) => {
                write!(call.stdout, "::::::::::::::\n{name}\n::::::::::::::\n")?;
                copy(&mut input, &mut call.stdout)?;
            }
            Err(error) if matches!(error.kind, ErrorKind::IsADirectory) => {
                write!(call.stdout, "\n*** {name}: directory ***\n\n")?;
            }
            Err(error) => call.warn(format_args!("cannot open {name}: {error}"))?,
        }
    }
    Ok(Status::OK)
}

fn copy(input: &mut Input, out: &mut Output) -> Result<()> {
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            return Ok(());
        }
        let count = bytes.len();
        out.write_all(bytes)?;
        input.consume(count);
        out.flush()?;
    }
}

#[cfg(test)]
mod tests;
