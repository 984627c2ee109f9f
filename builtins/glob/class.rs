//! One character against a `[…]` of a shell pattern.
use crate::pattern::class;
use regex_syntax::hir::ClassUnicode;

/// The list between `[` and `]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct List {
    pub(super) negated: bool,
    pub(super) items: Vec<Item>,
}

/// One element of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// From one character to another.
    Range(char, char),
    /// `[:alpha:]` and its like.
    Class(&'static ClassUnicode),
}

/// The class of that name; `word` is bash's own.
pub(super) fn named(name: &str) -> Option<&'static ClassUnicode> {
    if name == "word" { Some(class::word()) } else { class::posix(name) }
}

impl List {
    /// Whether the list matches `c`.
    pub(super) fn matches(&self, c: char, ignore_case: bool) -> bool {
        let found = match ignore_case {
            false => self.holds(c),
            true => self.holds(c) || c.to_lowercase().chain(c.to_uppercase()).any(|c| self.holds(c)),
        };
        found != self.negated
    }

    fn holds(&self, c: char) -> bool {
        self.items.iter().any(|item| match item {
            Item::Range(first, last) => (*first..=*last).contains(&c),
            Item::Class(class) => class::contains(class, c),
        })
    }
}
