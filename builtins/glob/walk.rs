//! Matching: one pass for plain patterns, sets of places for all others.
use super::{
    GlobFlags,
    parse::{Times, Token},
};

/// Whether `tokens`, which hold no groups, match all of `text`: a star that fails takes one character more, and no
/// earlier star need ever be tried again.
pub(super) fn plain(tokens: &[Token], text: &str, flags: GlobFlags) -> bool {
    let (mut token, mut at) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    loop {
        let next = text[at..].chars().next();
        match (tokens.get(token), next) {
            (None, None) => return true,
            (Some(Token::Star), _) => {
                token += 1;
                retry = Some((token, at));
                continue;
            }
            (Some(one), Some(c)) if one_matches(one, c, text, at, flags) => {
                token += 1;
                at += c.len_utf8();
                continue;
            }
            _ => {}
        }
        let Some((after, from)) = retry else {
            return false;
        };
        match text[from..].chars().next() {
            Some(c) if star_takes(c, text, from, flags) => {
                at = from + c.len_utf8();
                token = after;
                retry = Some((after, at));
            }
            _ => return false,
        }
    }
}

/// Whether a token of one character matches `c`, which stands at `at`.
fn one_matches(token: &Token, c: char, text: &str, at: usize, flags: GlobFlags) -> bool {
    match token {
        Token::Char(wanted) if flags.ignore_case => {
            wanted == &c || wanted.to_lowercase().eq(c.to_lowercase()) || wanted.to_uppercase().eq(c.to_uppercase())
        }
        Token::Char(wanted) => *wanted == c,
        Token::Any => star_takes(c, text, at, flags),
        Token::List(list) => star_takes(c, text, at, flags) && list.matches(c, flags.ignore_case),
        Token::Star | Token::Group(..) => false,
    }
}

/// Whether an operator may match `c`, which stands at `at`.
fn star_takes(c: char, text: &str, at: usize, flags: GlobFlags) -> bool {
    match c {
        '/' => !flags.pathname,
        '.' => !flags.period || !(at == 0 || flags.pathname && text[..at].ends_with('/')),
        _ => true,
    }
}

/// A set of places in a text: byte offsets between characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Places(Vec<bool>);

impl Places {
    fn none(text: &str) -> Places {
        Places(vec![false; text.len() + 1])
    }

    /// Just this place.
    pub(super) fn one(text: &str, at: usize) -> Places {
        let mut places = Places::none(text);
        places.0[at] = true;
        places
    }

    pub(super) fn contains(&self, at: usize) -> bool {
        self.0[at]
    }

    pub(super) fn first(&self) -> Option<usize> {
        self.0.iter().position(|&here| here)
    }

    pub(super) fn last(&self) -> Option<usize> {
        self.0.iter().rposition(|&here| here)
    }

    fn each(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().filter(|(_, here)| **here).map(|(at, _)| at)
    }

    fn is_empty(&self) -> bool {
        !self.0.contains(&true)
    }

    fn add(&mut self, other: &Places) {
        for (here, there) in self.0.iter_mut().zip(&other.0) {
            *here |= there;
        }
    }
}

/// Where `tokens` can end when they begin at one of `starts`.
pub(super) fn forwards(tokens: &[Token], text: &str, starts: Places, flags: GlobFlags) -> Places {
    let mut places = starts;
    for token in tokens {
        if places.is_empty() {
            break;
        }
        places = step(token, text, &places, flags, Direction::Forwards);
    }
    places
}

/// Where `tokens` can begin when they end at one of `ends`.
pub(super) fn backwards(tokens: &[Token], text: &str, ends: Places, flags: GlobFlags) -> Places {
    let mut places = ends;
    for token in tokens.iter().rev() {
        if places.is_empty() {
            break;
        }
        places = step(token, text, &places, flags, Direction::Backwards);
    }
    places
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forwards,
    Backwards,
}

impl Direction {
    /// The character that is passed next from `at`: where it stands, and the place behind it in this direction.
    fn pass(self, text: &str, at: usize) -> Option<(char, usize, usize)> {
        match self {
            Direction::Forwards => text[at..].chars().next().map(|c| (c, at, at + c.len_utf8())),
            Direction::Backwards => text[..at].chars().next_back().map(|c| (c, at - c.len_utf8(), at - c.len_utf8())),
        }
    }
}

fn step(token: &Token, text: &str, from: &Places, flags: GlobFlags, direction: Direction) -> Places {
    match token {
        Token::Char(_) | Token::Any | Token::List(_) => {
            let mut places = Places::none(text);
            for at in from.each() {
                if let Some((c, stands, next)) = direction.pass(text, at) {
                    places.0[next] |= one_matches(token, c, text, stands, flags);
                }
            }
            places
        }
        Token::Star => reach(text, from, flags, direction),
        Token::Group(Times::Not, choices) => {
            let mut places = Places::none(text);
            for at in from.each() {
                let one = Places::one(text, at);
                let taken = any_of(choices, text, &one, flags, direction);
                let mut reached = reach(text, &one, flags, direction);
                for (here, taken) in reached.0.iter_mut().zip(&taken.0) {
                    *here &= !taken;
                }
                places.add(&reached);
            }
            places
        }
        Token::Group(times, choices) => {
            let mut places = any_of(choices, text, from, flags, direction);
            if matches!(times, Times::Any | Times::Some) {
                let mut fresh = places.clone();
                while !fresh.is_empty() {
                    let mut next = any_of(choices, text, &fresh, flags, direction);
                    for (next, known) in next.0.iter_mut().zip(&places.0) {
                        *next &= !known;
                    }
                    places.add(&next);
                    fresh = next;
                }
            }
            if matches!(times, Times::Any | Times::Optional) {
                places.add(from);
            }
            places
        }
    }
}

/// Everything a star reaches.
fn reach(text: &str, from: &Places, flags: GlobFlags, direction: Direction) -> Places {
    let mut places = from.clone();
    let (mut at, end) = match direction {
        Direction::Forwards => (from.first().unwrap_or(text.len()), text.len()),
        Direction::Backwards => (from.last().unwrap_or(0), 0),
    };
    while at != end {
        let Some((c, stands, next)) = direction.pass(text, at) else { break };
        if places.0[at] && star_takes(c, text, stands, flags) {
            places.0[next] = true;
        }
        at = next;
    }
    places
}

fn any_of(choices: &[Vec<Token>], text: &str, from: &Places, flags: GlobFlags, direction: Direction) -> Places {
    let mut places = Places::none(text);
    for choice in choices {
        places.add(&match direction {
            Direction::Forwards => forwards(choice, text, from.clone(), flags),
            Direction::Backwards => backwards(choice, text, from.clone(), flags),
        });
    }
    places
}
