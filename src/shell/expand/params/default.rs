//! `${x:-word}`, `${x:=word}`, `${x:?word}`, `${x:+word}`, and the same without the colon.
use super::{Found, Index, Target, put, target};
use crate::{
    shell::{
        expand::{
            Ifs, assign,
            fields::{Fields, Mode},
            parts::{self, Place, Tildes},
        },
        interp::Interp,
        jump::Outcome,
    },
    syntax::ast::{Param, Word},
};

/// One expansion with a default.
pub(super) struct Default<'a> {
    pub param: &'a Param,
    pub target: Target<'a>,
    /// An empty value counts as unset.
    pub colon: bool,
    /// One of `-=?+`.
    pub op: char,
    pub word: &'a Word,
}

pub(super) fn expand(
    shell: &mut Interp,
    default: &Default<'_>,
    found: Found,
    place: Place,
    fields: &mut Fields,
) -> Outcome<()> {
    let missing = match &found {
        Found::Unset => true,
        Found::Scalar(text) => default.colon && text.is_empty(),
        Found::List { items, star } => {
            let joint = *star && Ifs::of(&shell.env.session).joint().is_empty();
            let empty = items.iter().all(String::is_empty) && (items.len() < 2 || joint);
            items.is_empty() || (default.colon && empty)
        }
    };
    match default.op {
        '+' if missing => {
            // Of an array without elements, as of `"$@"`, nothing is left.
            fields.hollow |= matches!(&found, Found::List { star: false, items } if items.is_empty());
            Ok(())
        }
        '+' => word(shell, default.word, place, fields),
        _ if !missing => put(found, place, fields),
        '-' => word(shell, default.word, place, fields),
        '=' => {
            let value = assigned(shell, default, place)?;
            parts::result(&value, place, fields);
            Ok(())
        }
        _ => complain(shell, default),
    }
}

/// The word, as a part of what is around it.
fn word(shell: &mut Interp, word: &Word, place: Place, fields: &mut Fields) -> Outcome<()> {
    let hollow = fields.hollow;
    match place {
        Place::Quoted => parts::expand(shell, &word.0, Place::Quoted, fields)?,
        Place::Bare | Place::Result => parts::with_tildes(shell, &word.0, Tildes::Word, Place::Result, fields)?,
    }
    // An empty `"$@"` in the word leaves the quotes around it a field.
    fields.hollow = hollow;
    Ok(())
}

/// The word as one string.
fn text(shell: &mut Interp, word: &Word, place: Place) -> Outcome<String> {
    let mut fields = Fields::new(shell, Mode::Joined);
    match place {
        Place::Quoted => parts::expand(shell, &word.0, Place::Quoted, &mut fields)?,
        Place::Bare | Place::Result => parts::word(shell, word, Tildes::Assignment, &mut fields)?,
    }
    Ok(fields.finish(shell)?.pop().unwrap_or_default().text)
}

fn assigned(shell: &mut Interp, default: &Default<'_>, place: Place) -> Outcome<String> {
    let Target { name, index } = &default.target;
    let named = name.starts_with(|first: char| first.is_alphabetic() || first == '_') && name != "_";
    let key = match index {
        _ if !named => None,
        Index::None => Some(None),
        Index::Key(key) => Some(Some(key.as_str())),
        Index::All { .. } => None,
    };
    let Some(key) = key else {
        let name = target::written(default.param);
        return shell.discard(format_args!("${name}: cannot assign in this way"));
    };
    let value = text(shell, default.word, place)?;
    match assign::put(shell, None, name, key, value, false)? {
        true => {}
        false => return Err(crate::shell::jump::Jump::Discard(docsh_builtins::Status::FAILURE)),
    }
    Ok(match super::find(shell, &default.target)? {
        Found::Scalar(value) => value,
        _ => String::new(),
    })
}

fn complain<T>(shell: &mut Interp, default: &Default<'_>) -> Outcome<T> {
    let name = match default.param.indirect {
        true => default.target.name.to_string(),
        false => target::written(default.param),
    };
    let said = text(shell, default.word, Place::Bare)?;
    match (said.as_str(), default.colon) {
        ("", true) => shell.fatal(format_args!("{name}: parameter null or not set")),
        ("", false) => shell.fatal(format_args!("{name}: parameter not set")),
        (said, _) => shell.fatal(format_args!("{name}: {said}")),
    }
}
