//! The groups of a match.
use regex_automata::util::primitives::NonMaxUsize;
use std::ops::Range;

/// Where the groups of a match are; group 0 is the match.
#[derive(Clone, Debug)]
pub struct Captures {
    pub(super) slots: Vec<Option<NonMaxUsize>>,
}

impl Captures {
    /// The place of group `number`; `None` when it took no part in the match.
    pub fn get(&self, number: usize) -> Option<Range<usize>> {
        let start = (*self.slots.get(number * 2)?)?;
        let end = (*self.slots.get(number * 2 + 1)?)?;
        Some(start.get()..end.get())
    }

    /// How many groups there are, the match itself included.
    pub fn len(&self) -> usize {
        self.slots.len() / 2
    }

    /// Never: group 0 is always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    pub(super) fn set_whole(&mut self, whole: Range<usize>) {
        self.slots[0] = NonMaxUsize::new(whole.start);
        self.slots[1] = NonMaxUsize::new(whole.end);
    }

    pub(super) fn fill(&mut self, groups: impl Iterator<Item = Option<Range<usize>>>) {
        for (slots, group) in self.slots.chunks_exact_mut(2).zip(groups) {
            slots[0] = group.as_ref().and_then(|group| NonMaxUsize::new(group.start));
            slots[1] = group.as_ref().and_then(|group| NonMaxUsize::new(group.end));
        }
    }
}
