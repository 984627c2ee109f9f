//! From words to strings, in bash's order: braces, tilde, parameters, substitutions and arithmetic, field splitting,
//! globs, quote removal; and the other direction, from strings to variables.
//!
//! Words are `String`; streams become words with U+FFFD for what is no UTF-8. Nothing here reads the site's pages:
//! globs ask `list` and `stat` only. One expansion makes at most `Limits::words` words, and never more text than
//! `Limits::memory`; reaching either ends the shell with a message and status 126.
mod arith;
mod assign;
mod braces;
mod escapes;
mod fields;
mod params;
mod parts;
mod pathname;
mod pattern;
mod prompt;
mod quoting;
mod special;
mod split;
mod substitution;
mod tilde;

pub(crate) use arith::{arith, arith_checked, arith_text, arith_text_checked};
pub(crate) use assign::{
    Argument, Item, Prepared, PreparedValue, apply, assign, declaration_words, get_referent, get_var, is_name, is_set,
    plain_words, prepare, set_array, set_var, split_subscript, unset,
};
pub(crate) use params::attribute_letters;
pub(crate) use pattern::{pattern, regex};
pub(crate) use prompt::{UNSEEN_BEGINS, UNSEEN_ENDS, expand as prompt};
pub(crate) use quoting::{compound, double_quoted, quoted as quote, single_quoted};
pub(crate) use special::{DYNAMIC, install};
pub(crate) use split::{Cut, Ifs};

use super::{interp::Interp, jump::Outcome, memory::weight};
use crate::syntax::{
    ast::{Part, Word},
    print,
};
use fields::{Fields, Mode};
use parts::{Place, Tildes};

/// Everything: each word becomes any number of strings.
pub(crate) fn words(shell: &mut Interp, words: &[Word]) -> Outcome<Vec<String>> {
    let mut done = Vec::with_capacity(words.len());
    let mut paid = shell.world.memory.purse();
    for word in words {
        let before = done.len();
        add_word(shell, word, &mut done)?;
        too_many(shell, done.len())?;
        shell.pay(&mut paid, weight(&done[before..]))?;
    }
    Ok(done)
}

/// One string: neither split nor globbed. Assignment values, here-strings, `case` words, operands of `[[`.
pub(crate) fn single(shell: &mut Interp, word: &Word) -> Outcome<String> {
    match word.0.as_slice() {
        [] => Ok(String::new()),
        [Part::Quoted(text)] => Ok(text.clone()),
        [Part::Lit(text)] if !text.contains('~') => Ok(text.clone()),
        _ => joined(shell, word, Tildes::Word).map(|field| field.text),
    }
}

/// The target of a redirection; `Err` with the word's text when it is not exactly one (`x: ambiguous redirect`).
pub(crate) fn redirect_target(shell: &mut Interp, word: &Word) -> Outcome<Result<String, String>> {
    let mut done = Vec::new();
    add_word(shell, word, &mut done)?;
    Ok(match (done.pop(), done.is_empty()) {
        (Some(target), true) => Ok(target),
        _ => Err(print::word(word)),
    })
}

/// The body of a here-document: as in double quotes.
pub(crate) fn here_document(shell: &mut Interp, word: &Word) -> Outcome<String> {
    let mut fields = Fields::new(shell, Mode::Joined);
    parts::expand(shell, &word.0, Place::Quoted, &mut fields)?;
    fields.finish(shell).map(|fields| fields.into_iter().map(|field| field.text).collect())
}

/// The word as one field that remembers what was quoted.
fn joined(shell: &mut Interp, word: &Word, tildes: Tildes) -> Outcome<fields::Field> {
    let mut fields = Fields::new(shell, Mode::Joined);
    parts::word(shell, word, tildes, &mut fields)?;
    Ok(fields.finish(shell)?.pop().unwrap_or_default())
}

fn add_word(shell: &mut Interp, word: &Word, done: &mut Vec<String>) -> Outcome<()> {
    if let [Part::Lit(text)] = word.0.as_slice()
        && !text.contains(['{', '~', '*', '?', '[', '\\'])
    {
        done.push(text.clone());
        return Ok(());
    }
    if shell.env.options.set.braceexpand && braces::may_expand(word) {
        let room = shell.world.limits.words.saturating_sub(done.len());
        let words = brace_words(shell, word, room)?;
        for word in &words {
            add_fields(shell, word, done)?;
            too_many(shell, done.len())?;
        }
        return Ok(());
    }
    add_fields(shell, word, done)
}

/// The words that `word`'s braces stand for.
fn brace_words(shell: &Interp, word: &Word, room: usize) -> Outcome<Vec<Word>> {
    match braces::expand(word, room, &shell.cancel)? {
        braces::Expanded::Words(words) => Ok(words),
        braces::Expanded::TooMany => {
            let limit = shell.world.limits.words;
            shell.over_limit(format_args!("expansion of more than {limit} words"))
        }
    }
}

fn add_fields(shell: &mut Interp, word: &Word, done: &mut Vec<String>) -> Outcome<()> {
    let mut fields = Fields::new(shell, Mode::Split);
    parts::word(shell, word, Tildes::Argument, &mut fields)?;
    let fields = fields.finish(shell)?;
    let extglob = shell.env.options.shopt.extglob;
    for field in fields {
        match !shell.env.options.set.noglob && field.is_glob(extglob) {
            true => pathname::expand(shell, field, done)?,
            false => done.push(field.text),
        }
    }
    Ok(())
}

/// Stop when an expansion has made more words than the limit allows.
fn too_many(shell: &Interp, count: usize) -> Outcome<()> {
    match shell.world.limits.words {
        limit if count > limit => shell.over_limit(format_args!("expansion of more than {limit} words")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
