//! Patterns with edges of words: `\b`, `\B`, `\<`, `\>`, `grep -w`.
//!
//! The words of the automata are Unicode's, with combining marks, joiners and ties; glibc's are of letters, digits and
//! `_`. The two differ only beside such a [stray](class::stray) character: where a text holds one, a backtracking
//! engine decides.
use super::{
    Captures, Options, PatternError, ast::Node, backrefs::Backrefs, class, haystack::Haystack, longest::Longest,
    lower::Lower,
};
use regex_automata::{Input, meta::Regex};
use regex_syntax::hir::{Class, Hir};
use std::{
    ops::Range,
    sync::{LazyLock, OnceLock},
};

/// Bytes of a character at most.
pub(super) const CHARACTER: usize = 4;

pub(super) struct Words {
    automaton: Longest,
    /// Bytes of a match at most.
    longest: Option<usize>,
    /// Any of these, for the engine that is built when it is first needed.
    node: Node,
    options: Options,
    dot_matches_newline: bool,
    exact: OnceLock<Result<Backrefs, PatternError>>,
}

impl Words {
    /// `automaton` matches any of `nodes`.
    pub(super) fn new(automaton: Longest, nodes: &[Node], options: Options, dot_matches_newline: bool) -> Words {
        let node = match nodes {
            [only] => only.clone(),
            nodes => Node::Alternate(nodes.to_vec()),
        };
        let longest = automaton.hir().properties().maximum_len();
        Words { automaton, longest, node, options, dot_matches_newline, exact: OnceLock::new() }
    }

    pub(super) fn hir(&self) -> &Hir {
        self.automaton.hir()
    }

    pub(super) fn is_match(&self, text: &[u8]) -> Result<bool, PatternError> {
        match stray_in(text) {
            None => Ok(self.automaton.is_match(text)),
            Some(_) if self.options.lines => Ok(self.line_at(text, 0)?.is_some()),
            Some(_) => Ok(self.exact()?.find_in(&Haystack::new(text), 0)?.is_some()),
        }
    }

    /// [`super::Pattern::line_at`].
    pub(super) fn line_at(&self, text: &[u8], start: usize) -> Result<Option<usize>, PatternError> {
        let mut from = start;
        let mut found = self.automaton.line_at(text, from);
        while from <= text.len() {
            let line_end = |at: usize| memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |newline| at + newline);
            let end = found.map_or(text.len(), line_end);
            let Some(stray) = stray_in(&text[from..end]).map(|at| from + at) else {
                return Ok(found);
            };
            let line = memchr::memrchr(b'\n', &text[..stray]).map_or(0, |newline| newline + 1);
            if found.is_some_and(|found| found < line) {
                return Ok(found);
            }
            let end = line_end(stray);
            if let Some(exact) = self.exact()?.find_in(&Haystack::new(&text[line..end]), 0)? {
                return Ok(Some(line + exact.start));
            }
            from = end + 1;
            if from <= text.len() && found.is_some_and(|found| found < from) {
                found = self.automaton.line_at(text, from);
            }
        }
        Ok(None)
    }

    /// The leftmost-longest match from `start` on.
    pub(super) fn find_in(&self, text: &Haystack<'_>, start: usize) -> Result<Option<Range<usize>>, PatternError> {
        let found = self.automaton.find_at(text.text(), start)?;
        match self.is_disputed(text, start, found.as_ref()) {
            true => self.exact()?.find_in(text, start),
            false => Ok(found),
        }
    }

    /// The same with its groups.
    pub(super) fn captures_in(
        &self,
        text: &Haystack<'_>,
        start: usize,
        captures: &mut Captures,
    ) -> Result<bool, PatternError> {
        let found = self.automaton.find_at(text.text(), start)?;
        match self.is_disputed(text, start, found.as_ref()) {
            true => self.exact()?.captures_in(text, start, captures),
            false if found.is_none() => Ok(false),
            false => self.automaton.captures_at(text.text(), start, captures),
        }
    }

    /// Whether a stray character stands where it could bear on which match is the first from `start` on: the automaton
    /// `found` this one.
    fn is_disputed(&self, text: &Haystack<'_>, start: usize, found: Option<&Range<usize>>) -> bool {
        let end = match (found, self.longest) {
            (Some(found), Some(longest)) => found.start.saturating_add(longest).saturating_add(CHARACTER),
            _ => usize::MAX,
        };
        text.stray_from(start.saturating_sub(CHARACTER)).is_some_and(|stray| stray <= end)
    }

    fn exact(&self) -> Result<&Backrefs, PatternError> {
        let build = || {
            let Words { node, options, dot_matches_newline, .. } = self;
            let lower =
                Lower { options, dot_matches_newline: *dot_matches_newline, root: node, captures: false, edges: true };
            Backrefs::new(node, &lower, options.size)
        };
        self.exact.get_or_init(build).as_ref().map_err(PatternError::clone)
    }
}

/// Where the first stray character of `text` ends.
pub(super) fn stray_in(text: &[u8]) -> Option<usize> {
    static STRAY: LazyLock<Regex> = LazyLock::new(|| {
        let set = Hir::class(Class::Unicode(class::stray().clone()));
        Regex::builder().build_from_hir(&set).unwrap_or_else(|_| unreachable!("a set of characters is an expression"))
    });
    if text.is_ascii() {
        return None;
    }
    STRAY.search_half(&Input::new(text).earliest(true)).map(|half| half.offset())
}
