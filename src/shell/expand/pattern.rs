//! Words that are patterns: `case`, `[[ == ]]`, `${x#…}`, and the regular expressions of `=~`.
use super::{Tildes, joined};
use crate::{
    shell::{interp::Interp, jump::Outcome},
    syntax::ast::{Part, Word},
};
use docsh_builtins::glob::{Glob, GlobFlags};

/// The pattern of a `case` or of `[[ == ]]`: what is quoted matches literally; `nocasematch` holds.
pub(crate) fn pattern(shell: &mut Interp, word: &Word) -> Outcome<Glob> {
    compile(shell, word, true)
}

/// A pattern word. In `${x#…}` `extglob` is asked for its operators, in `[[` it always has them.
pub(super) fn compile(shell: &mut Interp, word: &Word, ignore_case: bool) -> Outcome<Glob> {
    let text = match word.0.as_slice() {
        [Part::Lit(text)] if !text.contains('~') => text.clone(),
        _ => joined(shell, word, Tildes::Word)?.pattern(),
    };
    let shopt = &shell.env.options.shopt;
    // A group that was parsed as one is one, whatever the option says by now.
    let extended = shopt.extglob || word.0.iter().any(|part| matches!(part, Part::ExtGlob(..)));
    let flags = GlobFlags { ignore_case: ignore_case && shopt.nocasematch, extended, ..GlobFlags::default() };
    let glob = Glob::new(&text, flags).stopped_by(&shell.cancel);
    match glob.is_too_deep() {
        true => shell.over_limit(format_args!("pattern nested deeper than {}", Glob::DEPTH)),
        false => Ok(glob),
    }
}

/// The extended regular expression of `=~`: what is quoted matches literally.
pub(crate) fn regex(shell: &mut Interp, word: &Word) -> Outcome<String> {
    let field = joined(shell, word, Tildes::Word)?;
    let mut regex = String::with_capacity(field.text.len());
    for (text, quoted) in field.pieces() {
        for c in text.chars() {
            if quoted && ".[]{}()\\*+?^$|".contains(c) {
                regex.push('\\');
            }
            regex.push(c);
        }
    }
    Ok(regex)
}
