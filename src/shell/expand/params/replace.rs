//! `${x/pattern/with}` and its siblings. In the replacement an unquoted `&` is what matched.
use super::Found;
use crate::{
    shell::{
        expand::{fields::Field, joined, parts::Tildes, pattern},
        interp::Interp,
        jump::Outcome,
    },
    syntax::ast::{Which, Word},
};
use docsh_builtins::glob::Glob;
use std::ops::Range;

pub(super) fn apply(shell: &mut Interp, found: Found, which: Which, pattern: &Word, with: &Word) -> Outcome<Found> {
    let glob = pattern::compile(shell, pattern, true)?;
    let field = joined(shell, with, Tildes::Word)?;
    let template = Template::of(&field, shell.env.options.shopt.patsub_replacement);
    if pattern.0.is_empty() && !matches!(which, Which::Prefix | Which::Suffix) {
        return Ok(found);
    }
    let shell = &*shell;
    found.map(|text| match which {
        Which::Prefix => once(shell, &text, glob.longest_prefix(&text).map(|end| 0..end), &template),
        Which::Suffix => once(shell, &text, glob.longest_suffix(&text).map(|start| start..text.len()), &template),
        Which::First => once(shell, &text, glob.parts(&text).from(0), &template),
        Which::All => all(shell, &text, &glob, &template),
    })
}

fn once(shell: &Interp, text: &str, at: Option<Range<usize>>, template: &Template) -> Outcome<String> {
    let Some(at) = at else { return Ok(text.to_string()) };
    let mut result = text[..at.start].to_string();
    template.add(&text[at.clone()], &mut result);
    result.push_str(&text[at.end..]);
    shell.room_for(result.len())?;
    Ok(result)
}

fn all(shell: &Interp, text: &str, glob: &Glob, template: &Template) -> Outcome<String> {
    let mut result = String::with_capacity(text.len());
    // The text and the template are there besides; of the template there is one more copy before anybody looks.
    let beside = text.len() + 2 * template.bytes();
    let mut done = 0;
    let folds = shell.env.options.shopt.nocasematch;
    let literal = glob.literal().filter(|literal| !literal.is_empty() && !folds);
    let parts = literal.is_none().then(|| glob.parts(text));
    let find = |from: usize| match (&literal, &parts) {
        (Some(literal), _) => text[from..].find(literal).map(|at| from + at..from + at + literal.len()),
        (None, parts) => parts.as_ref().and_then(|parts| parts.from(from)),
    };
    while let Some(at) = find(done) {
        // An empty match at the very end counts only in an empty text.
        if at.is_empty() && at.start == text.len() && !text.is_empty() {
            break;
        }
        result.push_str(&text[done..at.start]);
        template.add(&text[at.clone()], &mut result);
        done = at.end;
        if at.is_empty() {
            let Some(c) = text[done..].chars().next() else { break };
            result.push(c);
            done += c.len_utf8();
        }
        shell.room_for(result.len() + beside)?;
        shell.cancel.check()?;
        if done == text.len() {
            break;
        }
    }
    result.push_str(&text[done..]);
    shell.room_for(result.len() + beside)?;
    Ok(result)
}

/// A replacement, in pieces.
struct Template(Vec<Piece>);

enum Piece {
    Text(String),
    Match,
}

impl Template {
    fn bytes(&self) -> usize {
        let bytes = |piece: &Piece| if let Piece::Text(text) = piece { text.len() } else { 0 };
        self.0.iter().map(bytes).sum()
    }

    fn of(field: &Field, ampersand: bool) -> Template {
        if !ampersand {
            return Template(vec![Piece::Text(field.text.clone())]);
        }
        let mut pieces = Vec::new();
        let mut text = String::new();
        for (piece, quoted) in field.pieces() {
            if quoted {
                text.push_str(piece);
                continue;
            }
            let mut chars = piece.chars().peekable();
            while let Some(c) = chars.next() {
                match (c, chars.peek()) {
                    ('\\', Some(&escaped @ ('&' | '\\'))) => {
                        text.push(escaped);
                        chars.next();
                    }
                    ('&', _) => {
                        pieces.push(Piece::Text(std::mem::take(&mut text)));
                        pieces.push(Piece::Match);
                    }
                    _ => text.push(c),
                }
            }
        }
        pieces.push(Piece::Text(text));
        Template(pieces)
    }

    fn add(&self, matched: &str, result: &mut String) {
        for piece in &self.0 {
            result.push_str(match piece {
                Piece::Text(text) => text,
                Piece::Match => matched,
            });
        }
    }
}
