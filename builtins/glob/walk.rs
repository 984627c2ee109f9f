//! Matching: one pass for plain patterns, sets of places for all others.
use super::{
    GlobFlags,
    parse::{Times, Token},
};
use crate::Cancel;
use std::ops::Range;

/// A text, and how it is matched.
#[derive(Clone, Copy)]
pub(super) struct Walk<'a> {
    pub(super) text: &'a str,
    pub(super) flags: GlobFlags,
    /// Once this is stopped, nothing matches.
    pub(super) cancel: Option<&'a Cancel>,
}

/// A set of places in a text: byte offsets between characters. Only the part of the text that has any is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Places {
    from: usize,
    here: Vec<bool>,
}

impl Places {
    fn none() -> Places {
        Places { from: 0, here: Vec::new() }
    }

    /// None so far, with room for those of `range`.
    fn within(range: Range<usize>) -> Places {
        Places { from: range.start, here: vec![false; range.len()] }
    }

    /// Just this place.
    pub(super) fn one(at: usize) -> Places {
        Places { from: at, here: vec![true] }
    }

    /// Every place of `text`.
    pub(super) fn all(text: &str) -> Places {
        Places { from: 0, here: (0..=text.len()).map(|at| text.is_char_boundary(at)).collect() }
    }

    pub(super) fn contains(&self, at: usize) -> bool {
        at.checked_sub(self.from).is_some_and(|at| self.here.get(at) == Some(&true))
    }

    pub(super) fn first(&self) -> Option<usize> {
        self.here.iter().position(|&here| here).map(|at| self.from + at)
    }

    pub(super) fn last(&self) -> Option<usize> {
        self.here.iter().rposition(|&here| here).map(|at| self.from + at)
    }

    /// The first place from `start` on.
    pub(super) fn next_from(&self, start: usize) -> Option<usize> {
        let start = start.max(self.from);
        let rest = self.here.get(start - self.from..)?;
        rest.iter().position(|&here| here).map(|at| start + at)
    }

    fn each(&self) -> impl Iterator<Item = usize> + '_ {
        self.here.iter().enumerate().filter(|(_, here)| **here).map(|(at, _)| self.from + at)
    }

    fn is_empty(&self) -> bool {
        !self.here.contains(&true)
    }

    /// Add a place that there is room for.
    fn set(&mut self, at: usize) {
        self.here[at - self.from] = true;
    }

    fn add(&mut self, other: &Places) {
        let (Some(first), Some(last)) = (other.first(), other.last()) else { return };
        if self.here.is_empty() {
            self.from = first;
        }
        if first < self.from {
            self.here.splice(0..0, std::iter::repeat_n(false, self.from - first));
            self.from = first;
        }
        if last - self.from >= self.here.len() {
            self.here.resize(last - self.from + 1, false);
        }
        other.each().for_each(|at| self.set(at));
    }

    fn remove(&mut self, other: &Places) {
        for (at, here) in self.here.iter_mut().enumerate() {
            *here &= !other.contains(self.from + at);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forwards,
    Backwards,
}

impl Walk<'_> {
    /// Whether `tokens`, which hold no groups, match all of the text: a star that fails takes one character more, and
    /// no earlier star need ever be tried again.
    pub(super) fn plain(&self, tokens: &[Token]) -> bool {
        let (mut token, mut at) = (0, 0);
        let mut retry: Option<(usize, usize)> = None;
        loop {
            let next = self.text[at..].chars().next();
            match (tokens.get(token), next) {
                (None, None) => return true,
                (Some(Token::Star), _) => {
                    token += 1;
                    retry = Some((token, at));
                    continue;
                }
                (Some(one), Some(c)) if self.one_matches(one, c, at) => {
                    token += 1;
                    at += c.len_utf8();
                    continue;
                }
                _ => {}
            }
            let Some((after, from)) = retry else {
                return false;
            };
            // Only what has come far is worth asking about.
            if token > after + 100 && self.is_stopped() {
                return false;
            }
            match self.text[from..].chars().next() {
                Some(c) if self.star_takes(c, from) => {
                    at = from + c.len_utf8();
                    token = after;
                    retry = Some((after, at));
                }
                _ => return false,
            }
        }
    }

    /// Where `tokens` can end when they begin at one of `starts`.
    pub(super) fn forwards(&self, tokens: &[Token], starts: Places) -> Places {
        self.steps(tokens.iter(), starts, Direction::Forwards)
    }

    /// Where `tokens` can begin when they end at one of `ends`.
    pub(super) fn backwards(&self, tokens: &[Token], ends: Places) -> Places {
        self.steps(tokens.iter().rev(), ends, Direction::Backwards)
    }

    fn steps<'t>(&self, tokens: impl Iterator<Item = &'t Token>, from: Places, direction: Direction) -> Places {
        let mut places = from;
        for token in tokens {
            if places.is_empty() {
                break;
            }
            places = self.step(token, &places, direction);
        }
        places
    }

    fn step(&self, token: &Token, from: &Places, direction: Direction) -> Places {
        let (Some(first), Some(last)) = (from.first(), from.last()) else { return Places::none() };
        match token {
            Token::Char(_) | Token::Any | Token::List(_) => {
                let mut places = match direction {
                    Direction::Forwards => Places::within(first..last + char::MAX_LEN_UTF8 + 1),
                    Direction::Backwards => Places::within(first.saturating_sub(char::MAX_LEN_UTF8)..last + 1),
                };
                for at in from.each().take_while(|at| self.goes_on(*at)) {
                    if let Some((c, stands, next)) = self.pass(at, direction)
                        && self.one_matches(token, c, stands)
                    {
                        places.set(next);
                    }
                }
                places
            }
            Token::Star => self.reach(from, direction),
            Token::Group(Times::Not, choices) => {
                let mut places = Places::none();
                for at in from.each().take_while(|_| !self.is_stopped()) {
                    let one = Places::one(at);
                    let mut reached = self.reach(&one, direction);
                    reached.remove(&self.any_of(choices, &one, direction));
                    places.add(&reached);
                }
                places
            }
            Token::Group(times, choices) => {
                let mut places = self.any_of(choices, from, direction);
                if matches!(times, Times::Any | Times::Some) {
                    let mut fresh = places.clone();
                    while !fresh.is_empty() && !self.is_stopped() {
                        let mut next = self.any_of(choices, &fresh, direction);
                        next.remove(&places);
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

    /// The character that is passed next from `at`: where it stands, and the place behind it in this direction.
    fn pass(&self, at: usize, direction: Direction) -> Option<(char, usize, usize)> {
        let (before, after) = self.text.split_at(at);
        match direction {
            Direction::Forwards => after.chars().next().map(|c| (c, at, at + c.len_utf8())),
            Direction::Backwards => before.chars().next_back().map(|c| (c, at - c.len_utf8(), at - c.len_utf8())),
        }
    }

    /// Whether a token of one character matches `c`, which stands at `at`.
    fn one_matches(&self, token: &Token, c: char, at: usize) -> bool {
        match token {
            Token::Char(wanted) if self.flags.ignore_case => {
                wanted == &c || wanted.to_lowercase().eq(c.to_lowercase()) || wanted.to_uppercase().eq(c.to_uppercase())
            }
            Token::Char(wanted) => *wanted == c,
            Token::Any => self.star_takes(c, at),
            Token::List(list) => self.star_takes(c, at) && list.matches(c, self.flags.ignore_case),
            Token::Star | Token::Group(..) => false,
        }
    }

    /// Whether an operator may match `c`, which stands at `at`.
    fn star_takes(&self, c: char, at: usize) -> bool {
        match c {
            '/' => !self.flags.pathname,
            '.' => !self.flags.period || !(at == 0 || self.flags.pathname && self.text[..at].ends_with('/')),
            _ => true,
        }
    }

    /// Everything a star reaches.
    fn reach(&self, from: &Places, direction: Direction) -> Places {
        let (Some(first), Some(last)) = (from.first(), from.last()) else { return Places::none() };
        let (range, mut at, end) = match direction {
            Direction::Forwards => (first..self.text.len() + 1, first, self.text.len()),
            Direction::Backwards => (0..last + 1, last, 0),
        };
        let mut places = Places::within(range);
        from.each().for_each(|at| places.set(at));
        while at != end && self.goes_on(at) {
            let Some((c, stands, next)) = self.pass(at, direction) else { break };
            if places.contains(at) && self.star_takes(c, stands) {
                places.set(next);
            }
            at = next;
        }
        places
    }

    fn any_of(&self, choices: &[Vec<Token>], from: &Places, direction: Direction) -> Places {
        let mut places = Places::none();
        for choice in choices {
            places.add(&match direction {
                Direction::Forwards => self.forwards(choice, from.clone()),
                Direction::Backwards => self.backwards(choice, from.clone()),
            });
        }
        places
    }

    fn is_stopped(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.check().is_err())
    }

    /// Whether to go on at `at`, asked now and then only.
    pub(super) fn goes_on(&self, at: usize) -> bool {
        const STRIDE: usize = 1024;
        !at.is_multiple_of(STRIDE) || !self.is_stopped()
    }
}
