//! `unset let getopts`: commands that change variables.
use super::letters;
use crate::shell::{
    expand::{self, arith_text_checked, get_var, is_name, set_var, split_subscript},
    interp::Interp,
    jump::Outcome,
};
use docsh_builtins::Status;
use std::{io::Write, sync::Arc};

pub(super) fn unset(shell: &mut Interp, words: &[String]) -> Outcome {
    let (given, names) = match letters::read(shell, words, "fnv") {
        Ok(read) => read,
        Err(status) => return Ok(status),
    };
    let has = |wanted: char| given.iter().any(|(letter, _)| *letter == wanted);
    let (functions, variables, itself) = (has('f'), has('v'), has('n'));
    if functions && variables {
        shell.complain("unset: cannot simultaneously unset a function and a variable");
        return Ok(Status::FAILURE);
    }
    let mut status = Status::OK;
    for name in names {
        let names_variable = is_name(name) || split_subscript(name).is_some();
        if functions || (!variables && !names_variable) {
            Arc::make_mut(&mut shell.env.functions).remove(name);
            continue;
        }
        if !names_variable {
            shell.complain(format_args!("unset: `{name}': not a valid identifier"));
            status = Status::FAILURE;
            continue;
        }
        let known = split_subscript(name).is_some() || shell.env.session.vars.variable(name).is_some();
        if !known && !variables {
            Arc::make_mut(&mut shell.env.functions).remove(name);
        } else if !expand::unset(shell, name, itself)? {
            status = Status::FAILURE;
        }
    }
    Ok(status)
}

pub(super) fn r#let(shell: &mut Interp, words: &[String]) -> Outcome {
    let expressions = match words.get(1).map(String::as_str) {
        Some("--") => &words[2..],
        _ => &words[1..],
    };
    if expressions.is_empty() {
        shell.complain("let: expression expected");
        return Ok(Status::FAILURE);
    }
    let mut value = 0;
    for expression in expressions {
        match arith_text_checked(shell, expression, "let")? {
            Some(found) => value = found,
            None => return Ok(Status::FAILURE),
        }
    }
    Ok(Status::from(value != 0))
}

/// What `getopts` found.
enum Found {
    /// A letter, and its value if it takes one.
    Known(char, Option<String>),
    /// A letter that there is not.
    Unknown(char),
    /// A letter whose value is missing.
    Bare(char),
    /// No more.
    End,
}

pub(super) fn getopts(shell: &mut Interp, words: &[String]) -> Outcome {
    let operands = match letters::read(shell, words, "") {
        Ok((_, operands)) => operands,
        Err(status) => return Ok(status),
    };
    let [letters, name, args @ ..] = operands else {
        let _ = writeln!(shell.stderr(), "getopts: usage: getopts optstring name [arg ...]");
        return Ok(Status(2));
    };
    let positional = shell.env.session.positional.clone();
    let args = if args.is_empty() { positional.as_slice() } else { args };
    let (silent, known) = match letters.strip_prefix(':') {
        Some(known) => (true, known),
        None => (false, letters.as_str()),
    };
    let quiet = get_var(shell, "OPTERR").as_deref() == Some("0");
    let found = next(shell, known, args)?;
    let mut status = Status::OK;
    let (letter, value) = match found {
        Found::Known(letter, value) => (letter, value),
        Found::Unknown(letter) | Found::Bare(letter) if silent => {
            let bare = matches!(found, Found::Bare(_));
            (if bare { ':' } else { '?' }, Some(letter.to_string()))
        }
        Found::Unknown(letter) | Found::Bare(letter) => {
            let what = match found {
                Found::Bare(_) => "option requires an argument",
                _ => "illegal option",
            };
            if !quiet {
                let name = &shell.env.session.name;
                let _ = writeln!(shell.stderr(), "{name}: {what} -- {letter}");
            }
            ('?', None)
        }
        Found::End => {
            status = Status::FAILURE;
            ('?', None)
        }
    };
    match value {
        Some(value) => drop(set_var(shell, "OPTARG", value)?),
        None => drop(expand::unset(shell, "OPTARG", false)?),
    }
    if !is_name(name) {
        shell.complain(format_args!("getopts: `{name}': not a valid identifier"));
        return Ok(Status::FAILURE);
    }
    let stored = set_var(shell, name, letter.to_string())?;
    Ok(if stored { status } else { Status::FAILURE })
}

/// The next option of `args`, as `OPTIND` and the place within a cluster say. Both are moved on.
fn next(shell: &mut Interp, known: &str, args: &[String]) -> Outcome<Found> {
    let index = get_var(shell, "OPTIND").and_then(|index| index.trim().parse::<usize>().ok()).unwrap_or(1).max(1);
    let mut at = std::mem::take(&mut shell.env.getopts_at);
    let word = args.get(index - 1).map(String::as_str);
    let word = match word {
        Some("--") if at == 0 => {
            set_var(shell, "OPTIND", (index + 1).to_string())?;
            return Ok(Found::End);
        }
        Some(word) if word.len() > 1 && word.starts_with('-') => word,
        _ => {
            set_var(shell, "OPTIND", index.min(args.len() + 1).to_string())?;
            return Ok(Found::End);
        }
    };
    at = at.max(1);
    let Some(letter) = word.get(at..).and_then(|rest| rest.chars().next()) else {
        set_var(shell, "OPTIND", (index + 1).to_string())?;
        return next(shell, known, args);
    };
    let rest = &word[at + letter.len_utf8()..];
    let place = known.find(letter).filter(|_| letter != ':');
    let takes_value = place.is_some_and(|place| known[place + letter.len_utf8()..].starts_with(':'));
    let (found, next_index, next_at) = match (place, takes_value) {
        (Some(_), true) if !rest.is_empty() => (Found::Known(letter, Some(rest.to_string())), index + 1, 0),
        (Some(_), true) => match args.get(index) {
            Some(value) => (Found::Known(letter, Some(value.clone())), index + 2, 0),
            None => (Found::Bare(letter), index + 1, 0),
        },
        (place, _) => {
            let found = if place.is_some() { Found::Known(letter, None) } else { Found::Unknown(letter) };
            match rest.is_empty() {
                true => (found, index + 1, 0),
                false => (found, index, at + letter.len_utf8()),
            }
        }
    };
    set_var(shell, "OPTIND", next_index.to_string())?;
    // Assigning OPTIND begins a word anew, so the place within it comes after.
    shell.env.getopts_at = next_at;
    Ok(found)
}
