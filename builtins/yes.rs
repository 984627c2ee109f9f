//! `yes`: a line, until nobody reads any more.
use crate::{Builtin, Call, Error, Output, Result, Status};
use std::io::Write;

pub(crate) static YES: Builtin = Builtin {
    name: "yes",
    synopsis: "[STRING]...",
    about: "Repeatedly output a line with all specified STRING(s), or 'y'.",
    options: &[],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let mut words = &call.args[1..];
    match words {
        [first, rest @ ..] if first == "--" => words = rest,
        [first, ..] if first == "--help" => return Err(Error::Help),
        [first, ..] if first == "--version" => return Err(Error::Version),
        [first, ..] if first.starts_with("--") => {
            return Err(Error::usage(format!("unrecognized option '{first}'")));
        }
        [first, ..] if first.starts_with('-') && first.len() > 1 => {
            let letter = first.chars().nth(1).unwrap_or('-');
            return Err(Error::usage(format!("invalid option -- '{letter}'")));
        }
        _ => {}
    }
    let line = if words.is_empty() { "y\n".to_string() } else { words.join(" ") + "\n" };
    let block = line.repeat((Output::BUFFER / line.len()).max(1));
    loop {
        call.cancel.check()?;
        call.stdout.write_all(block.as_bytes())?;
    }
}
