//! The words of a `find` command: options, starting points, expression.
use super::{
    expression::{Action, Exec, Expr, Target},
    parse,
};
use crate::{Call, Error, FsError, Result, curly};
use std::io::Read;

/// A `find` command.
pub(super) struct Command {
    /// The paths to start from, as typed.
    pub(super) starts: Vec<String>,
    pub(super) expr: Expr,
    /// The commands of `-exec` and its kin; actions name them by their place.
    pub(super) execs: Vec<Exec>,
    pub(super) settings: Settings,
}

/// What holds for the whole walk, wherever it is said.
#[derive(Default)]
pub(super) struct Settings {
    /// What is in a folder comes before the folder.
    pub(super) depth_first: bool,
    pub(super) min_depth: usize,
    pub(super) max_depth: Option<usize>,
    /// The file of `-files0-from`.
    pub(super) starts_from: Option<String>,
}

/// Take the words of `call` apart.
pub(super) fn read(call: &mut Call<'_>) -> Result<Command> {
    let words = &call.args[1..];
    let mut at = 0;
    while let Some(word) = words.get(at) {
        match word.as_str() {
            "-H" | "-L" | "-P" => {}
            "-D" => {
                at += 1;
                if words.get(at).is_none() {
                    return Err(Error::failed("missing argument to `-D'"));
                }
            }
            "--" => {
                at += 1;
                break;
            }
            level if level.strip_prefix("-O").is_some_and(|level| level.parse::<u32>().is_ok()) => {}
            _ => break,
        }
        at += 1;
    }
    let paths = words[at..].iter().take_while(|word| !begins_expression(word)).count();
    let mut starts = words[at..at + paths].to_vec();
    let mut parser = parse::Parser::new(call, &words[at + paths..]);
    let expr = parser.whole()?;
    let (execs, settings) = (parser.execs, parser.settings);
    let expr = match expr {
        None => print(),
        Some(expr) if expr.has_action() => expr,
        Some(expr) => Expr::All(vec![expr, print()]),
    };
    match &settings.starts_from {
        Some(_) if !starts.is_empty() => {
            let message =
                format!("extra operand {}\nfile operands cannot be combined with -files0-from", curly(&starts[0]));
            return Err(Error::failed(message));
        }
        Some(file) => starts = starts_of(call, &file.clone())?,
        None if starts.is_empty() => starts.push(".".to_string()),
        None => {}
    }
    Ok(Command { starts, expr, execs, settings })
}

/// Whether `word` ends the starting points. A `)` or `,` before any expression is a path, oddly.
fn begins_expression(word: &str) -> bool {
    matches!(word, "(" | "!") || (word.starts_with('-') && word.len() > 1)
}

fn print() -> Expr {
    Expr::Action(Action::Print(Target::Stdout, '\n'))
}

/// The starting points in `file`, each ended by a NUL.
fn starts_of(call: &mut Call<'_>, file: &str) -> Result<Vec<String>> {
    let mut input = match file {
        "-" => call.stdin.clone(),
        file => call.open(file).map_err(|error| Error::failed(format!("cannot open {}: {error}", curly(file))))?,
    };
    let mut bytes = Vec::new();
    loop {
        let before = bytes.len();
        let read = (&mut input).take(64 << 10).read_to_end(&mut bytes);
        if let Err(error) = read {
            let cause = FsError::within(error.into())?;
            return Err(Error::failed(format!("{}: {cause}", curly(file))));
        }
        if bytes.len() == before {
            break;
        }
        call.memory.take(bytes.len() - before)?;
    }
    let names = bytes.split(|byte| *byte == 0).map(|name| String::from_utf8_lossy(name).into_owned());
    Ok(names.filter(|name| !name.is_empty()).collect())
}
