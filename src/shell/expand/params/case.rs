//! `${x^}`, `${x^^}`, `${x,}`, `${x,,}`, `${x~}`, `${x~~}`, each with an optional pattern for a character.
use super::Found;
use crate::{
    shell::{expand::pattern, interp::Interp, jump::Outcome},
    syntax::ast::Word,
};

pub(super) fn apply(shell: &mut Interp, found: Found, op: char, all: bool, pattern: &Word) -> Outcome<Found> {
    let glob = match pattern.0.is_empty() {
        true => None,
        false => Some(pattern::compile(shell, pattern, true)?),
    };
    let change = match op {
        '^' => upper,
        ',' => lower,
        _ => other,
    };
    let mut buffer = [0; 4];
    found.map(|text| {
        let chars = text.chars().enumerate().map(|(at, c)| {
            let wanted = (all || at == 0) && glob.as_ref().is_none_or(|glob| glob.matches(c.encode_utf8(&mut buffer)));
            if wanted { change(c) } else { c }
        });
        Ok(chars.collect())
    })
}

/// The capital of `c`, where one character has one character for it, as `towupper` answers.
pub(crate) fn upper(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(only), None) => only,
        _ => c,
    }
}

/// The small letter of `c`.
pub(crate) fn lower(c: char) -> char {
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(only), None) => only,
        _ => c,
    }
}

fn other(c: char) -> char {
    if c.is_uppercase() { lower(c) } else { upper(c) }
}
