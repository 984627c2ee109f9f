//! The parts of a word, in order, each into the fields being made.
use super::{
    arith,
    fields::Fields,
    params, substitution,
    tilde::{self, Scan},
};
use crate::{
    shell::{interp::Interp, jump::Outcome},
    syntax::ast::{Assignment, Part, Word},
};

pub(super) use tilde::Tildes;

/// Where a part stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Outside of quotes.
    Bare,
    /// In double quotes.
    Quoted,
    /// In the word of an unquoted `${x:-word}`: even its literal text is cut.
    Result,
}

/// A whole word outside of quotes.
pub(super) fn word(shell: &mut Interp, word: &Word, tildes: Tildes, fields: &mut Fields) -> Outcome<()> {
    with_tildes(shell, &word.0, tildes, Place::Bare, fields)
}

/// Parts of a word, with tildes where they may stand.
pub(super) fn with_tildes(
    shell: &mut Interp,
    parts: &[Part],
    tildes: Tildes,
    place: Place,
    fields: &mut Fields,
) -> Outcome<()> {
    let mut scan = Scan::new(tildes);
    let count = parts.len();
    for (at, item) in parts.iter().enumerate() {
        match item {
            Part::Lit(text) => tilde::literal(shell, text, &mut scan, at + 1 == count, place, fields),
            item => {
                scan.pass();
                part(shell, item, place, fields)?;
            }
        }
    }
    Ok(())
}

/// Parts of a word in which a tilde is a character.
pub(super) fn expand(shell: &mut Interp, parts: &[Part], place: Place, fields: &mut Fields) -> Outcome<()> {
    parts.iter().try_for_each(|item| part(shell, item, place, fields))
}

fn part(shell: &mut Interp, part: &Part, place: Place, fields: &mut Fields) -> Outcome<()> {
    match part {
        Part::Lit(text) => literal(text, place, fields),
        Part::Quoted(text) => {
            fields.mark();
            fields.quoted(text);
        }
        Part::DoubleQuoted(parts) => double_quoted(shell, parts, fields)?,
        Part::Param(param) => params::expand(shell, param, place, fields)?,
        Part::Command(script) => {
            let text = substitution::command(shell, script)?;
            result(&text, place, fields);
        }
        Part::Arith(expression) => {
            let value = arith(shell, expression)?;
            result(&value.to_string(), place, fields);
        }
        Part::Process { input, body } => {
            let path = shell.process_substitution(*input, body)?;
            fields.quoted(&path);
        }
        Part::ExtGlob(operator, patterns) => {
            literal(&format!("{operator}("), place, fields);
            for (at, pattern) in patterns.iter().enumerate() {
                if at > 0 {
                    literal("|", place, fields);
                }
                expand(shell, &pattern.0, place, fields)?;
            }
            literal(")", place, fields);
        }
        Part::Assignment(assignment) => as_argument(shell, assignment, fields)?,
    }
    Ok(())
}

/// Text of the word itself.
pub(super) fn literal(text: &str, place: Place, fields: &mut Fields) {
    match place {
        Place::Bare => fields.literal(text),
        Place::Quoted => fields.quoted(text),
        Place::Result => fields.split(text),
    }
}

/// Text that an expansion made.
pub(super) fn result(text: &str, place: Place, fields: &mut Fields) {
    match place {
        Place::Quoted => fields.quoted(text),
        Place::Bare | Place::Result => fields.split(text),
    }
}

/// `"…"` is a field even when it is empty, unless all it holds is an empty `"$@"`.
fn double_quoted(shell: &mut Interp, parts: &[Part], fields: &mut Fields) -> Outcome<()> {
    let outer = std::mem::take(&mut fields.hollow);
    let before = fields.extent();
    expand(shell, parts, Place::Quoted, fields)?;
    if fields.extent() == before && !fields.hollow {
        fields.mark();
    }
    fields.hollow = outer;
    Ok(())
}

/// An assignment in the place of an ordinary argument: its text, the value as an assignment would take it.
fn as_argument(shell: &mut Interp, assignment: &Assignment, fields: &mut Fields) -> Outcome<()> {
    let prepared = super::prepare(shell, assignment, false)?;
    fields.quoted(&prepared.to_string());
    Ok(())
}
