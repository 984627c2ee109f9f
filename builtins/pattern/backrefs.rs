//! Patterns with back-references, or whose words are not Unicode's: a backtracking engine, with a limit on its steps.
//!
//! The pattern in which each back-reference is loosened to its group's own pattern is matched by an automaton first,
//! so that text without a chance costs no backtracking.
use super::{
    Captures, PatternError, Whole,
    ast::{Look, Node},
    haystack::Haystack,
    longest::compile,
    lower::Lower,
};
use crate::successive::character;
use fancy_regex::{BytesMode, Regex, RegexBuilder, RegexInput};
use regex_automata::{Input, meta};
use regex_syntax::hir::Hir;
use std::{
    ops::Range,
    time::{Duration, Instant},
};

/// A character of a word, [`super::class::word`].
macro_rules! word {
    () => {
        r"[_\p{Alphabetic}\p{Nd}]"
    };
}

/// Backtracking steps from one place.
const STEPS: usize = 2_000_000;
/// For the places of one search together: they are too many to have all their steps.
const TIME: Duration = Duration::from_secs(2);
/// The clock is looked at once in so many places.
const PLACES: usize = 256;

pub(super) struct Backrefs {
    /// Matches wherever `exact` does, and elsewhere.
    loose: meta::Regex,
    hir: Hir,
    exact: Regex,
}

impl Backrefs {
    pub(super) fn new(node: &Node, lower: &Lower<'_>, limit: usize) -> Result<Backrefs, PatternError> {
        let loose = Lower { edges: false, ..*lower };
        let hir = loose.whole(loose.hir(node));
        let loose = compile(&hir, limit)?;
        let (start, end) = match lower.options.whole {
            Whole::Any => ("", ""),
            Whole::Word => (concat!("(?<!", word!(), ")"), concat!("(?!", word!(), ")")),
            Whole::Line if lower.options.lines => ("(?m:^)", "(?m:$)"),
            Whole::Line => (r"\A", r"\z"),
        };
        let mut text = String::from(start);
        text.push_str("(?:");
        write(node, lower, &mut text);
        text.push(')');
        text.push_str(end);
        let exact = RegexBuilder::new(&text)
            .bytes_mode(BytesMode::UnicodeBytes)
            .leftmost_longest(true)
            .case_insensitive(lower.options.ignore_case)
            .backtrack_limit(STEPS)
            .delegate_size_limit(limit)
            .build()
            .map_err(|error| PatternError::from(error.to_string()))?;
        Ok(Backrefs { loose, hir, exact })
    }

    pub(super) fn hir(&self) -> &Hir {
        &self.hir
    }

    /// The first place from `start` on where a match is not ruled out.
    fn may_match_at(&self, text: &[u8], start: usize) -> Option<usize> {
        self.loose.search_half(&Input::new(text).range(start..).earliest(true)).map(|half| half.offset())
    }

    /// [`super::Pattern::line_at`]. Backtracking sees one line at a time: a line that fails costs what it costs,
    /// whatever follows it.
    pub(super) fn line_at(&self, text: &[u8], start: usize) -> Result<Option<usize>, PatternError> {
        let mut from = start;
        while let Some(at) = self.may_match_at(text, from) {
            let line = memchr::memrchr(b'\n', &text[..at]).map_or(0, |at| at + 1);
            let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |newline| at + newline);
            if let Some(found) = self.find_in(&Haystack::new(&text[line..end]), 0)? {
                return Ok(Some(line + found.start));
            }
            if end >= text.len() {
                break;
            }
            from = end + 1;
        }
        Ok(None)
    }

    pub(super) fn find_in(&self, text: &Haystack<'_>, start: usize) -> Result<Option<Range<usize>>, PatternError> {
        self.search(text, start, |input| Ok(self.exact.find_input(input)?.map(|found| found.range())))
    }

    pub(super) fn captures_in(
        &self,
        text: &Haystack<'_>,
        start: usize,
        captures: &mut Captures,
    ) -> Result<bool, PatternError> {
        let found = self.search(text, start, |input| self.exact.captures_input(input))?;
        let Some(found) = found else {
            return Ok(false);
        };
        captures.fill((0..captures.len()).map(|group| found.get(group).map(|part| part.range())));
        Ok(true)
    }

    /// `search` wherever a match may begin from `start` on, in each stretch of UTF-8: no match goes beyond one, and the
    /// engine would lose its step in what lies between.
    fn search<'t, T>(
        &self,
        haystack: &Haystack<'t>,
        start: usize,
        search: impl Fn(RegexInput<'t, [u8]>) -> Result<Option<T>, fancy_regex::Error>,
    ) -> Result<Option<T>, PatternError> {
        let too_many = || PatternError::from("too many steps to match the pattern");
        let text = haystack.text();
        let (mut places, mut began) = (0, None);
        let mut at = start;
        loop {
            let end = haystack.valid_from(at);
            let mut from = at;
            while from <= end
                && let Some(found) = self.loose.search(&Input::new(text).range(from..))
                && found.start() <= end
            {
                let input = RegexInput::new(text).range(at..end).from_pos(found.start()).anchored(true);
                match search(input) {
                    Ok(None) => from = found.start() + character(&text[found.start()..]),
                    Ok(found) => return Ok(found),
                    Err(_) => return Err(too_many()),
                }
                places += 1;
                if places % PLACES == 0 && began.get_or_insert_with(Instant::now).elapsed() > TIME {
                    return Err(too_many());
                }
            }
            let Some(rest) = text[end..].utf8_chunks().next() else { return Ok(None) };
            at = end + rest.invalid().len();
        }
    }
}

/// The expression of `node` in the engine's own syntax.
fn write(node: &Node, lower: &Lower<'_>, text: &mut String) {
    match node {
        Node::BackReference(number) => *text += &format!("\\{number}(?:)"),
        Node::Group(_, node) => {
            text.push('(');
            write(node, lower, text);
            text.push(')');
        }
        Node::Concat(nodes) => nodes.iter().for_each(|node| write(node, lower, text)),
        Node::Alternate(nodes) => {
            text.push_str("(?:");
            for (at, node) in nodes.iter().enumerate() {
                if at > 0 {
                    text.push('|');
                }
                write(node, lower, text);
            }
            text.push(')');
        }
        Node::Repeat { node, min, max } => {
            text.push_str("(?:");
            write(node, lower, text);
            let max = max.map_or(String::new(), |max| max.to_string());
            *text += &format!("){{{min},{max}}}");
        }
        Node::Look(look) => text.push_str(match lower.look(*look) {
            regex_syntax::hir::Look::StartLF => "(?m:^)",
            regex_syntax::hir::Look::EndLF => "(?m:$)",
            regex_syntax::hir::Look::Start => r"\A",
            regex_syntax::hir::Look::End => r"\z",
            _ => match look {
                Look::WordStart => concat!("(?<!", word!(), ")(?=", word!(), ")"),
                Look::WordEnd => concat!("(?<=", word!(), ")(?!", word!(), ")"),
                Look::NotWordEdge => {
                    concat!("(?:(?<!", word!(), ")(?!", word!(), ")|(?<=", word!(), ")(?=", word!(), "))")
                }
                _ => concat!("(?:(?<!", word!(), ")(?=", word!(), ")|(?<=", word!(), ")(?!", word!(), "))"),
            },
        }),
        Node::Empty | Node::Char(_) | Node::Any | Node::Set { .. } => *text += &lower.hir(node).to_string(),
    }
}
