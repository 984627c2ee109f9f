//! Arithmetic: `$((…))`, `((…))`, `let`, subscripts, slices. 64 bits that wrap around, as in bash.
//!
//! An expression is evaluated while it is parsed, as bash does, so its errors come in bash's order and words.
mod evaluator;
mod lexer;
mod number;
mod variable;

use super::here_document;
use crate::{
    shell::{
        interp::Interp,
        jump::{Jump, Outcome},
    },
    syntax::ast::{Part, Word},
};
use docsh_builtins::Status;
use std::borrow::Cow;

/// Why an expression has no value.
enum Fault {
    /// It is wrong, and the user has been told.
    Said,
    /// Something else ended it: an unbound variable, a stop.
    Jump(Jump),
}

impl From<Jump> for Fault {
    fn from(jump: Jump) -> Fault {
        Fault::Jump(jump)
    }
}

/// The value of the expression in `word`. An error drops the line.
pub(crate) fn arith(shell: &mut Interp, word: &Word) -> Outcome<i64> {
    let text = text(shell, word)?;
    arith_text(shell, &text)
}

/// The value of the expression `text`. An error drops the line.
pub(crate) fn arith_text(shell: &mut Interp, text: &str) -> Outcome<i64> {
    or_discard(arith_text_checked(shell, text, "")?)
}

/// The same for a command called `who` (`((`, `let`, `[[`), whose failure an error is: `None`, and it has been said.
pub(crate) fn arith_checked(shell: &mut Interp, word: &Word, who: &str) -> Outcome<Option<i64>> {
    let text = text(shell, word)?;
    arith_text_checked(shell, &text, who)
}

/// See [`arith_checked`].
pub(crate) fn arith_text_checked(shell: &mut Interp, text: &str, who: &str) -> Outcome<Option<i64>> {
    if let Some(value) = number::plain(text) {
        return Ok(Some(value));
    }
    match evaluator::evaluate(shell, text, who, 0) {
        Ok(value) => Ok(Some(value)),
        Err(Fault::Said) => Ok(None),
        Err(Fault::Jump(jump)) => Err(jump),
    }
}

/// The value of an expression in the expansion of the parameter `who`. An error drops the line.
pub(super) fn within(shell: &mut Interp, word: &Word, who: &str) -> Outcome<i64> {
    or_discard(arith_checked(shell, word, who)?)
}

fn or_discard(value: Option<i64>) -> Outcome<i64> {
    value.ok_or(Jump::Discard(Status::FAILURE))
}

fn text<'w>(shell: &mut Interp, word: &'w Word) -> Outcome<Cow<'w, str>> {
    Ok(match word.0.as_slice() {
        [Part::Lit(text)] => Cow::Borrowed(text),
        _ => Cow::Owned(here_document(shell, word)?),
    })
}

#[cfg(test)]
mod tests;
