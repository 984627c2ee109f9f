//! `~` at the head of a word, and after `=` and `:` in an assignment.
use super::{
    fields::Fields,
    parts::{self, Place},
};
use crate::shell::interp::Interp;

/// Where a tilde may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tildes {
    /// At the head of the word.
    Word,
    /// The same; and where the word looks like an assignment, as in one.
    Argument,
    /// At the head and after each unquoted `:`.
    Assignment,
}

/// How far a word has been looked at.
pub(super) struct Scan {
    tildes: Tildes,
    /// This is the word's first part.
    first: bool,
    /// A tilde would count at the head of the next part.
    open: bool,
}

impl Scan {
    pub(super) fn new(tildes: Tildes) -> Scan {
        Scan { tildes, first: true, open: true }
    }

    /// A part that is no literal text went by.
    pub(super) fn pass(&mut self) {
        self.first = false;
        self.open = false;
    }
}

/// Literal text, its tildes expanded. What a tilde becomes is neither cut nor a pattern.
pub(super) fn literal(shell: &Interp, text: &str, scan: &mut Scan, last: bool, place: Place, fields: &mut Fields) {
    let mut done = 0;
    let mut candidate = if scan.open { Some(0) } else { None };
    if scan.first
        && scan.tildes == Tildes::Argument
        && let Some(equals) = assignment_head(text)
    {
        scan.tildes = Tildes::Assignment;
        candidate = Some(equals + 1);
    }
    while let Some(at) = candidate {
        let after = &text[at..];
        let end = after.find(['/', ':']).map(|end| at + end);
        if after.starts_with('~')
            && (end.is_some() || last)
            && let Some(folder) = folder(shell, &text[at + 1..end.unwrap_or(text.len())])
        {
            parts::literal(&text[done..at], place, fields);
            fields.mark();
            fields.quoted(&folder);
            done = end.unwrap_or(text.len());
        }
        candidate = match scan.tildes {
            Tildes::Assignment => after.find(':').map(|colon| at + colon + 1),
            Tildes::Word | Tildes::Argument => None,
        };
        scan.open = candidate == Some(text.len());
        if scan.open {
            break;
        }
    }
    parts::literal(&text[done..], place, fields);
    scan.first = false;
    if scan.tildes != Tildes::Assignment {
        scan.open = false;
    }
}

/// The `=` of `name=…`, `name+=…` at the head of `text`.
fn assignment_head(text: &str) -> Option<usize> {
    let equals = text.find('=')?;
    let name = text[..equals].strip_suffix('+').unwrap_or(&text[..equals]);
    super::is_name(name).then_some(equals)
}

/// What `~prefix` stands for; `None` when it stands for itself.
fn folder(shell: &Interp, prefix: &str) -> Option<String> {
    let session = &shell.env.session;
    match prefix {
        "" => Some(session.var("HOME").unwrap_or("/").to_string()),
        "root" => Some("/".to_string()),
        "+" => Some(session.var("PWD").unwrap_or(session.cwd.as_str()).to_string()),
        "-" => session.var("OLDPWD").map(str::to_string),
        _ => {
            let (from_end, digits) = match prefix.as_bytes()[0] {
                b'-' => (true, &prefix[1..]),
                b'+' => (false, &prefix[1..]),
                _ => (false, prefix),
            };
            if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
                return None;
            }
            let count = session.dirs.len() + 1;
            let nth: usize = digits.parse().ok().filter(|nth| *nth < count)?;
            let nth = if from_end { count - 1 - nth } else { nth };
            Some(match nth.checked_sub(1) {
                None => session.cwd.to_string(),
                Some(at) => session.dirs[at].to_string(),
            })
        }
    }
}
