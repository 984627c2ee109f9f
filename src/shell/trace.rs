//! `set -x`: what runs, on stderr, each line begun by `PS4`.
use super::{
    expand::{self, Argument},
    interp::Interp,
    jump::Outcome,
};
use crate::syntax::ast::{AssignedValue, Assignment};
use std::io::Write;

/// A simple command: its assignments, then its words.
pub fn command(shell: &mut Interp, assignments: &[Assignment], words: &[String]) -> Outcome<()> {
    for assigned in assignments {
        assignment(shell, assigned)?;
    }
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    line(shell, &words.join(" "))
}

/// One assignment, with the value it has been given.
pub fn assignment(shell: &mut Interp, assignment: &Assignment) -> Outcome<()> {
    let value = match &assignment.value {
        AssignedValue::Word(_) => quoted(&expand::get_var(shell, &assignment.name).unwrap_or_default()),
        AssignedValue::Array(_) => "(...)".to_string(),
    };
    let sign = if assignment.append { "+=" } else { "=" };
    line(shell, &format!("{}{sign}{value}", assignment.name))
}

/// A declaration command.
pub fn declaration(shell: &mut Interp, arguments: &[Argument]) -> Outcome<()> {
    let words: Vec<String> = expand::plain_words(arguments).iter().map(|word| quoted(word)).collect();
    line(shell, &words.join(" "))
}

fn line(shell: &mut Interp, text: &str) -> Outcome<()> {
    let prompt = match shell.env.session.var("PS4") {
        None => "+ ".to_string(),
        Some(prompt) => {
            let prompt = prompt.to_string();
            expand::prompt(shell, &prompt)?
        }
    };
    let _ = shell.stderr().write_all(format!("{prompt}{text}\n").as_bytes());
    Ok(())
}

/// `word` in quotes when the shell would not read it back as one plain word.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./:=,+@%^".contains(c) || !c.is_ascii();
    if word.contains(|c: char| c.is_control()) {
        return expand::quote(word);
    }
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
