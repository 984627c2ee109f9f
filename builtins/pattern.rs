//! Patterns: the one place where the text of a regular expression becomes a matcher.
//!
//! [`Pattern::new`] reads one or more patterns of a [`Dialect`] and compiles them. POSIX dialects match as POSIX says:
//! the leftmost match, and of those the longest, on bytes; bytes that are not UTF-8 are matched by nothing. Perl's
//! dialect and that of the `regex` crate match as theirs do. What must be contained in every text that matches,
//! [`Pattern::needles`] tells.
//!
//! Every search ends: automata take linear time, and the two engines that backtrack have a limit on their steps, past
//! which a search is an error, never a wrong answer.
mod ast;
mod backrefs;
mod bracket;
mod captures;
pub(crate) mod class;
mod compile;
mod error;
mod haystack;
mod longest;
mod lower;
mod needles;
mod options;
mod parse;
mod perl;
mod rust;
mod search;
mod syntax;
#[cfg(test)]
mod tests;
mod words;

pub use captures::Captures;
pub use error::PatternError;
pub(crate) use haystack::Haystack;
pub use options::{Dialect, Options, Whole};
pub(crate) use search::Lines;
pub use syntax::Syntax;

use crate::Needles;
use backrefs::Backrefs;
use longest::Longest;
use perl::Perl;
use regex_automata::meta;
use regex_syntax::hir::Hir;
use std::fmt;
use words::Words;

/// A compiled pattern.
pub struct Pattern {
    parts: Vec<Engine>,
    groups: usize,
    names: Vec<Option<String>>,
    warnings: Vec<String>,
    bytewise: bool,
    options: Options,
}

enum Engine {
    Longest(Box<Longest>),
    Words(Box<Words>),
    Backrefs(Backrefs),
    Perl(Perl),
    First(meta::Regex, Hir),
}

impl Pattern {
    /// How many groups the pattern has, without the match itself.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// The names of the groups of Perl's and Rust's dialects, group 0 first.
    pub fn names(&self) -> &[Option<String>] {
        &self.names
    }

    /// What grep says on stderr about the pattern, without "grep: warning: ".
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Whether the search for the next match, past an empty one, goes on within a character, as glibc's does where
    /// nothing in the pattern needs characters.
    pub(crate) fn is_bytewise(&self) -> bool {
        self.bytewise
    }

    /// Room for the groups of a match.
    pub fn captures(&self) -> Captures {
        Captures { slots: vec![None; 2 * (self.groups + 1)] }
    }

    /// What every text that matches must contain; `None` when nothing can be proven.
    pub fn needles(&self) -> Option<Needles> {
        let mut hirs = Vec::new();
        for part in &self.parts {
            hirs.push(match part {
                Engine::Longest(longest) => longest.hir(),
                Engine::Words(words) => words.hir(),
                Engine::Backrefs(backrefs) => backrefs.hir(),
                Engine::First(_, hir) => hir,
                Engine::Perl(perl) => perl.hir()?,
            });
        }
        needles::needles(hirs)
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({:?})", self.options)
    }
}
