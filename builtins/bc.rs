//! `bc`: arithmetic of any precision, in GNU's dialect of the language.
//!
//! Text is run line by line as it comes; a line that does not end its statement waits for the next. What the
//! functions of `-l` answer is computed here with guard digits and cut off at `scale`, as GNU's own answers are.
mod lexer;
mod machine;
mod math;
mod number;
mod parser;
mod syntax;

use crate::{
    Builtin, Call, Error, FsError, Input, Opt, Result, Status,
    args::{self, Order},
    records::Records,
};
use lexer::Lexer;
use machine::{Machine, Outcome};
use parser::{Parser, Wrong};

pub(crate) static BC: Builtin = Builtin {
    name: "bc",
    synopsis: "[OPTION]... [FILE]...",
    about: "Compute what the FILEs and then standard input say, with numbers of any precision.",
    options: &[
        Opt::flag('h', &["help"], args::HELP, "print this usage and exit"),
        Opt::flag('i', &["interactive"], "i", "(ignored: there is no banner)"),
        Opt::flag('l', &["mathlib"], "l", "use the predefined math routines; scale is 20"),
        Opt::flag('q', &["quiet"], "q", "(ignored: there is no banner)"),
        Opt::flag('s', &["standard"], "s", "(accepted)"),
        Opt::flag('w', &["warn"], "w", "(accepted)"),
        Opt::flag('v', &["version"], args::VERSION, "print version information and exit"),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let mut machine = Machine::new(parsed.has("l"), line_length(call));
    for file in &parsed.operands {
        let input = match call.open(file) {
            Ok(input) => input,
            Err(_) => return Err(Error::Failed(format!("File {file} is unavailable."), Status(1))),
        };
        if run_text(call, &mut machine, input, file)? == Outcome::Halt {
            return Ok(Status::OK);
        }
    }
    let stdin = call.stdin.clone();
    run_text(call, &mut machine, stdin, "(standard_in)")?;
    Ok(Status::OK)
}

/// Columns of the output, from `BC_LINE_LENGTH`; 0 for lines without end.
fn line_length(call: &Call<'_>) -> usize {
    match call.session.env("BC_LINE_LENGTH").map(|length| length.trim().parse::<usize>()) {
        Some(Ok(0)) => 0,
        Some(Ok(length)) if length >= 3 => length,
        _ => 70,
    }
}

/// Run a file to its end.
fn run_text(call: &mut Call<'_>, machine: &mut Machine, mut input: Input, name: &str) -> Result<Outcome> {
    let mut records = Records::lines(false);
    let mut lexer = Lexer::default();
    let mut held = 0;
    machine.input = Some(input.clone());
    loop {
        call.cancel.check()?;
        let line = match records.next(&mut input, &mut call.memory) {
            Ok(line) => line.map(<[u8]>::to_vec),
            Err(error) => {
                let cause = FsError::within(error)?;
                return Err(Error::failed(format!("{name}: {cause}")));
            }
        };
        // `read()` takes its numbers from the same lines.
        input.release();
        let ended = line.is_none();
        if let Some(line) = line {
            call.memory.take(line.len())?;
            held += line.len();
            lexer.feed(&String::from_utf8_lossy(&line));
            for character in lexer.illegal.drain(..) {
                say(call, format_args!("{name} {}: illegal character: {character}", lexer.line))?;
            }
        }
        if !ended && lexer.is_open() {
            continue;
        }
        if run_tokens(call, machine, &mut lexer, name, ended)? == Outcome::Halt {
            return Ok(Outcome::Halt);
        }
        if ended {
            return Ok(Outcome::Done);
        }
        call.memory.give(std::mem::take(&mut held));
    }
}

/// Run what is complete of the tokens; the rest stays for the lines that follow.
fn run_tokens(
    call: &mut Call<'_>,
    machine: &mut Machine,
    lexer: &mut Lexer,
    name: &str,
    ended: bool,
) -> Result<Outcome> {
    while !lexer.tokens.is_empty() {
        let mut parser = Parser::new(&lexer.tokens);
        let (taken, item) = match parser.item() {
            Ok(Some(item)) => (parser.taken(), Some(item)),
            Ok(None) => return Ok(Outcome::Halt),
            Err(Wrong::Unfinished) if !ended => return Ok(Outcome::Done),
            Err(Wrong::Unfinished | Wrong::Syntax) => {
                say(call, format_args!("{name} {}: syntax error", lexer.line))?;
                (parser.line_end(), None)
            }
        };
        lexer.drop_front(taken);
        if let Some(item) = item
            && machine.run_item(call, item)? == Outcome::Halt
        {
            return Ok(Outcome::Halt);
        }
    }
    Ok(Outcome::Done)
}

/// A message without the command's name, as bc's are.
fn say(call: &mut Call<'_>, message: std::fmt::Arguments<'_>) -> Result<()> {
    use std::io::Write;
    call.stdout.flush()?;
    let _ = writeln!(call.stderr, "{message}");
    Ok(())
}

#[cfg(test)]
mod tests;
