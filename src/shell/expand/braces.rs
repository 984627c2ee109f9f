//! `{a,b}` and `{1..5}`: before anything else, on the parts of a word. Only unquoted text takes part; any other part is
//! carried along whole.
use crate::syntax::ast::{Part, Word};
use std::rc::Rc;

/// Whether a word has anything that could be a brace expansion.
pub(super) fn may_expand(word: &Word) -> bool {
    let lits = || word.0.iter().filter_map(|part| if let Part::Lit(text) = part { Some(text) } else { None });
    lits().any(|text| text.contains('{')) && lits().any(|text| text.contains('}'))
}

/// A piece of a word: a character that may mean something, or a part that means nothing here.
#[derive(Clone, Debug)]
enum Piece {
    Char(char),
    Part(Rc<Part>),
}

/// Every word that `word` stands for, in order; `None` when there are more than `most`.
pub(super) fn expand(word: &Word, most: usize) -> Option<Vec<Word>> {
    let mut pieces = Vec::new();
    for part in &word.0 {
        match part {
            Part::Lit(text) => pieces.extend(text.chars().map(Piece::Char)),
            part => pieces.push(Piece::Part(Rc::new(part.clone()))),
        }
    }
    let words = Expander { most }.words(&pieces)?;
    Some(words.into_iter().map(to_word).collect())
}

fn to_word(pieces: Vec<Piece>) -> Word {
    let mut parts = Vec::new();
    for piece in pieces {
        match (piece, parts.last_mut()) {
            (Piece::Char(c), Some(Part::Lit(text))) => text.push(c),
            (Piece::Char(c), _) => parts.push(Part::Lit(c.to_string())),
            (Piece::Part(part), _) => parts.push(Rc::unwrap_or_clone(part)),
        }
    }
    Word(parts)
}

struct Expander {
    most: usize,
}

impl Expander {
    /// Every word that `pieces` stand for: its groups are taken from left to right, each choice after all before it.
    fn words(&self, pieces: &[Piece]) -> Option<Vec<Vec<Piece>>> {
        let mut words = vec![Vec::new()];
        let mut done = 0;
        for group in groups(pieces) {
            let choices = match &group.inside {
                Inside::Sequence(sequence) => self.sequence(sequence)?,
                Inside::List(commas) => {
                    let mut choices = Vec::new();
                    let mut start = group.open + 1;
                    for end in commas.iter().copied().chain([group.close]) {
                        let inner = &pieces[start..end];
                        choices.extend(stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.words(inner))?);
                        start = end + 1;
                        self.fits(choices.len())?;
                    }
                    choices
                }
            };
            self.fits(words.len().saturating_mul(choices.len()))?;
            let between = &pieces[done..group.open];
            words =
                words.iter().flat_map(|word| choices.iter().map(|choice| [word, between, choice].concat())).collect();
            done = group.close + 1;
        }
        for word in &mut words {
            word.extend_from_slice(&pieces[done..]);
        }
        Some(words)
    }

    fn fits(&self, count: usize) -> Option<()> {
        (count <= self.most).then_some(())
    }

    fn sequence(&self, sequence: &Sequence) -> Option<Vec<Vec<Piece>>> {
        let count = sequence.first.abs_diff(sequence.last) / sequence.step.unsigned_abs().max(1);
        self.fits(usize::try_from(count).ok()?.checked_add(1)?)?;
        let mut words = Vec::new();
        let mut value = Some(sequence.first);
        while let Some(now) = value {
            let text = match sequence.kind {
                Kind::Letters => vec![letter(now)],
                Kind::Numbers { width } => padded(now, width).chars().map(Piece::Char).collect(),
            };
            words.push(text);
            value = now.checked_add(sequence.step).filter(|next| match sequence.step {
                step if step > 0 => *next <= sequence.last,
                _ => *next >= sequence.last,
            });
        }
        Some(words)
    }
}

fn letter(code: i64) -> Piece {
    match char::from(code as u8) {
        c if c.is_ascii_alphanumeric() => Piece::Char(c),
        // Between Z and a; bash reads it as an escape that escapes nothing.
        '\\' => Piece::Part(Rc::new(Part::Quoted(String::new()))),
        c => Piece::Part(Rc::new(Part::Quoted(c.to_string()))),
    }
}

fn padded(value: i64, width: usize) -> String {
    match value < 0 {
        true => format!("-{:0>width$}", value.unsigned_abs(), width = width.saturating_sub(1)),
        false => format!("{value:0>width$}"),
    }
}

/// One pair of braces that expands.
struct Group {
    open: usize,
    close: usize,
    inside: Inside,
}

enum Inside {
    /// Where its commas are.
    List(Vec<usize>),
    Sequence(Sequence),
}

struct Sequence {
    first: i64,
    last: i64,
    step: i64,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Letters,
    Numbers { width: usize },
}

/// The pairs of braces that expand, from left to right and not those inside of others. A pair without comma or sequence
/// is text, but what is in it may expand.
fn groups(pieces: &[Piece]) -> Vec<Group> {
    let mut pairs: Vec<Option<(usize, Vec<usize>)>> = vec![None; pieces.len()];
    let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Char('{') => open.push((at, Vec::new())),
            Piece::Char(',') => {
                if let Some((_, commas)) = open.last_mut() {
                    commas.push(at);
                }
            }
            Piece::Char('}') => {
                if let Some((start, commas)) = open.pop() {
                    pairs[start] = Some((at, commas));
                }
            }
            _ => {}
        }
    }
    let mut groups = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        let group = pairs[at].take().and_then(|(close, commas)| {
            let inside = match commas.is_empty() {
                false => Inside::List(commas),
                true => Inside::Sequence(Sequence::parse(&pieces[at + 1..close])?),
            };
            Some(Group { open: at, close, inside })
        });
        at = group.as_ref().map_or(at, |group| group.close) + 1;
        groups.extend(group);
    }
    groups
}

impl Sequence {
    fn parse(pieces: &[Piece]) -> Option<Sequence> {
        let text: String = pieces
            .iter()
            .map(|piece| if let Piece::Char(c) = piece { Some(*c) } else { None })
            .collect::<Option<_>>()?;
        let (first, rest) = text.split_once("..")?;
        let (last, step) = match rest.split_once("..") {
            Some((last, step)) => (last, Some(step.parse::<i64>().ok()?)),
            None => (rest, None),
        };
        let (from, to, kind) = match (first.parse::<i64>(), last.parse::<i64>()) {
            (Ok(from), Ok(to)) => {
                let zeros = |text: &str| {
                    let digits = text.trim_start_matches(['-', '+']);
                    digits.len() > 1 && digits.starts_with('0')
                };
                let width = if zeros(first) || zeros(last) { first.len().max(last.len()) } else { 0 };
                (from, to, Kind::Numbers { width })
            }
            _ => {
                let letter = |text: &str| match text.as_bytes() {
                    [byte] if byte.is_ascii_alphabetic() => Some(i64::from(*byte)),
                    _ => None,
                };
                (letter(first)?, letter(last)?, Kind::Letters)
            }
        };
        let step = match step.unwrap_or(1).checked_abs()? {
            0 => 1,
            step => step,
        };
        Some(Sequence { first: from, last: to, step: if from <= to { step } else { -step }, kind })
    }
}
