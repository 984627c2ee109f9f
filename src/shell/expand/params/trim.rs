//! `${x#pattern}`, `${x##pattern}`, `${x%pattern}`, `${x%%pattern}`.
use super::Found;
use crate::{
    shell::{expand::pattern, interp::Interp, jump::Outcome},
    syntax::ast::Word,
};
use docsh_builtins::glob::Glob;

pub(super) fn apply(shell: &mut Interp, found: Found, suffix: bool, longest: bool, pattern: &Word) -> Outcome<Found> {
    let glob = pattern::compile(shell, pattern, false)?;
    let literal = glob.literal();
    found.map(|text| {
        Ok(match (&literal, suffix) {
            (Some(literal), false) => text.strip_prefix(literal).map_or(text.as_str(), |rest| rest).to_string(),
            (Some(literal), true) => text.strip_suffix(literal).map_or(text.as_str(), |rest| rest).to_string(),
            (None, _) => trim(&text, &glob, suffix, longest).to_string(),
        })
    })
}

fn trim<'t>(text: &'t str, glob: &Glob, suffix: bool, longest: bool) -> &'t str {
    match (suffix, longest) {
        (false, false) => glob.shortest_prefix(text).map_or(text, |end| &text[end..]),
        (false, true) => glob.longest_prefix(text).map_or(text, |end| &text[end..]),
        (true, false) => glob.shortest_suffix(text).map_or(text, |start| &text[..start]),
        (true, true) => glob.longest_suffix(text).map_or(text, |start| &text[..start]),
    }
}
