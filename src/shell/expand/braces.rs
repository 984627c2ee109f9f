//! `{a,b}` and `{1..5}`: before anything else, on the parts of a word. Only unquoted text takes part; any other part is
//! carried along whole.
use crate::syntax::ast::{Part, Word};
use docsh_builtins::{Cancel, Stop, pad};
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

/// What an expansion came to.
pub(super) enum Expanded {
    /// Every word, in order.
    Words(Vec<Word>),
    /// There are more than were allowed.
    TooMany,
}

/// Every word that `word` stands for, at most `most`.
pub(super) fn expand(word: &Word, most: usize, cancel: &Cancel) -> Result<Expanded, Stop> {
    let mut pieces = Vec::new();
    for part in &word.0 {
        match part {
            Part::Lit(text) => pieces.extend(text.chars().map(Piece::Char)),
            part => pieces.push(Piece::Part(Rc::new(part.clone()))),
        }
    }
    match (Expander { most, cancel }).words(&pieces) {
        Ok(words) => Ok(Expanded::Words(words.into_iter().map(to_word).collect())),
        Err(End::TooMany) => Ok(Expanded::TooMany),
        Err(End::Stop(stop)) => Err(stop),
    }
}

fn to_word(pieces: Vec<Piece>) -> Word {
    let mut parts = Vec::new();
    for piece in pieces {
        match (piece, parts.last_mut()) {
            // Braces come before parameters, so `$x{1,2}` is `$x1 $x2`.
            (Piece::Char(c), Some(Part::Param(param))) if param.bare && continues(&param.name, c) => param.name.push(c),
            (Piece::Char(c), Some(Part::Lit(text))) => text.push(c),
            (Piece::Char(c), _) => parts.push(Part::Lit(c.to_string())),
            (Piece::Part(part), _) => parts.push(Rc::unwrap_or_clone(part)),
        }
    }
    Word(parts)
}

/// Whether `$name` followed by `c` is a longer name.
fn continues(name: &str, c: char) -> bool {
    let is_name = name.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic());
    is_name && (c == '_' || c.is_ascii_alphanumeric())
}

/// Why an expansion did not come to its end.
enum End {
    TooMany,
    Stop(Stop),
}

impl From<Stop> for End {
    fn from(stop: Stop) -> End {
        End::Stop(stop)
    }
}

type Result<T, E = End> = std::result::Result<T, E>;

fn is(piece: &Piece, wanted: char) -> bool {
    matches!(piece, Piece::Char(c) if *c == wanted)
}

struct Expander<'a> {
    most: usize,
    cancel: &'a Cancel,
}

impl Expander<'_> {
    /// Every word that `pieces` stand for: its groups are taken from left to right, each choice after all before it.
    fn words(&self, pieces: &[Piece]) -> Result<Vec<Vec<Piece>>> {
        let mut words = vec![Vec::new()];
        let mut done = 0;
        while let Some((open, close)) = self.group(pieces, done)? {
            let inside = &pieces[open + 1..close];
            let choices = if inside.iter().any(|piece| is(piece, ',')) {
                self.list(inside)?
            } else if let Some(sequence) = Sequence::parse(inside) {
                self.sequence(&sequence)?
            } else if close + 1 < pieces.len() {
                // It is text, braces and all, but what comes after it may expand.
                vec![pieces[open..=close].to_vec()]
            } else {
                break;
            };
            self.fits(words.len().saturating_mul(choices.len()))?;
            let between = &pieces[done..open];
            words =
                words.iter().flat_map(|word| choices.iter().map(|choice| [word, between, choice].concat())).collect();
            done = close + 1;
        }
        for word in &mut words {
            word.extend_from_slice(&pieces[done..]);
        }
        Ok(words)
    }

    /// The words of a list: those of each of its items.
    fn list(&self, inside: &[Piece]) -> Result<Vec<Vec<Piece>>> {
        let mut words = Vec::new();
        let mut start = 0;
        loop {
            let end = self.find(inside, start, ',')?.unwrap_or(inside.len());
            let item = &inside[start..end];
            words.extend(crate::stack::with_room(64 * 1024, 1024 * 1024, || self.words(item))?);
            self.fits(words.len())?;
            if end == inside.len() {
                return Ok(words);
            }
            start = end + 1;
        }
    }

    /// The first pair of braces from `start` on. A `}` closes only after a comma or `..`; a `{` that nothing closes is
    /// text.
    fn group(&self, pieces: &[Piece], start: usize) -> Result<Option<(usize, usize)>> {
        // `{}` at the head is text.
        let bare = pieces[start..].first().is_some_and(|first| is(first, '{'))
            && pieces.get(start + 1).is_none_or(|next| is(next, '}'));
        let mut from = start + usize::from(bare);
        while let Some(open) = self.find(pieces, from, '{')? {
            if let Some(close) = self.find(pieces, open + 1, '}')? {
                return Ok(Some((open, close)));
            }
            from = open + 1;
        }
        Ok(None)
    }

    /// The next `wanted` that is not inside of other braces.
    fn find(&self, pieces: &[Piece], start: usize, wanted: char) -> Result<Option<usize>> {
        self.cancel.check()?;
        let (mut depth, mut divided) = (0, wanted != '}');
        let mut at = start;
        while let Some(piece) = pieces.get(at) {
            let Piece::Char(c) = piece else {
                at += 1;
                continue;
            };
            if *c == wanted && depth == 0 && divided {
                return Ok(Some(at));
            }
            let sequence = || *c == '.' && pieces.get(at + 1).is_some_and(|next| is(next, '.'));
            match c {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' if depth == 0 => divided = true,
                _ if depth == 0 && sequence() => divided |= !pieces.get(at + 2).is_some_and(|next| is(next, '}')),
                _ => {}
            }
            at += 1;
        }
        Ok(None)
    }

    fn fits(&self, count: usize) -> Result<()> {
        if count <= self.most { Ok(()) } else { Err(End::TooMany) }
    }

    fn sequence(&self, sequence: &Sequence) -> Result<Vec<Vec<Piece>>> {
        let steps = sequence.first.abs_diff(sequence.last) / sequence.step.unsigned_abs().max(1);
        self.fits(usize::try_from(steps).unwrap_or(usize::MAX).saturating_add(1))?;
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
        Ok(words)
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
        true => format!("-{}", pad::before(&value.unsigned_abs().to_string(), width.saturating_sub(1), '0')),
        false => pad::before(&value.to_string(), width, '0'),
    }
}

/// `{first..last..step}`
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
