//! Putting lines in order.
//!
//! Most lines are told apart by their heads alone, and those whose heads are the same by their next heads: that looks
//! at a line's text no more often than it must. For several threads the lines are parted first, into those that come
//! first in the end and the others: no part has to be merged with another, and no second copy of the order is made. Of
//! equal lines the one that was read first comes first, whichever thread sorts them.
use super::{
    head::{Tie, Window},
    key::Rules,
};
use crate::{Cancel, Stop};
use std::{cmp::Ordering, panic::resume_unwind, thread};

/// A line, by the place where it begins.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    head: u64,
    start: usize,
}

impl Entry {
    pub(super) fn new(start: usize) -> Entry {
        Entry { head: 0, start }
    }

    /// The line, without its end.
    pub(super) fn line<'t>(&self, text: &'t [u8], end: u8) -> &'t [u8] {
        let text = &text[self.start..];
        &text[..memchr::memchr(end, text).unwrap_or(text.len())]
    }

    /// The order of heads, and where they are the same that of the input.
    fn rank(&self) -> u128 {
        u128::from(self.head) << 64 | self.start as u128
    }
}

/// Lines with the same head that are compared rather than given other heads.
const FEW: usize = 8;
/// Heads that a line is given one after the other: what lines begin with together may be very long.
const MOST_HEADS: usize = 32;
/// Lines that are compared with each other between two looks at whether the run was stopped.
const STRETCH: usize = 1 << 16;

/// What lines are sorted by.
pub(super) struct Sorting<'s> {
    /// All lines, each with its end.
    pub(super) text: &'s [u8],
    pub(super) end: u8,
    pub(super) rules: &'s Rules,
    pub(super) cancel: &'s Cancel,
}

impl Sorting<'_> {
    /// Put `order` in order, with so many threads.
    pub(super) fn sort(&self, order: &mut [Entry], threads: usize) -> Result<(), Stop> {
        let (mut window, mut heads_left) = (Window::default(), MOST_HEADS);
        self.give_heads(order, window, threads)?;
        // What all lines begin with together does not part them.
        while let [first, others @ ..] = &*order
            && others.iter().all(|other| other.head == first.head)
            && let Tie::Next(next) = self.rules.tie(window, first.head)
            && heads_left > 0
        {
            (window, heads_left) = (next, heads_left - 1);
            self.give_heads(order, window, threads)?;
        }
        self.sort_parts(order, window, heads_left, threads)
    }

    fn give_heads(&self, part: &mut [Entry], window: Window, threads: usize) -> Result<(), Stop> {
        if threads < 2 {
            return self.look(part, window);
        }
        let few = threads / 2;
        let (left, right) = part.split_at_mut(part.len() * few / threads);
        both(|| self.give_heads(left, window, few), || self.give_heads(right, window, threads - few))
    }

    fn sort_parts(&self, part: &mut [Entry], window: Window, heads_left: usize, threads: usize) -> Result<(), Stop> {
        if threads < 2 {
            return self.sort_by_heads(part, window, heads_left);
        }
        let few = threads / 2;
        let (left, right) = self.parts(part, part.len() * few / threads);
        let sort = |part, threads| self.sort_parts(part, window, heads_left, threads);
        both(|| sort(left, few), || sort(right, threads - few))
    }

    /// Give the lines of `part` the heads that `window` shows.
    fn look(&self, part: &mut [Entry], window: Window) -> Result<(), Stop> {
        for stretch in part.chunks_mut(STRETCH) {
            self.cancel.check()?;
            for entry in stretch {
                entry.head = self.rules.head(entry.line(self.text, self.end), window);
            }
        }
        Ok(())
    }

    /// Sort lines that are equal but for what `window` shows, which are their heads, and what comes after it.
    fn sort_by_heads(&self, part: &mut [Entry], window: Window, heads_left: usize) -> Result<(), Stop> {
        self.cancel.check()?;
        part.sort_unstable_by_key(Entry::rank);
        for same in part.chunk_by_mut(|a, b| a.head == b.head).filter(|same| same.len() > 1) {
            match self.rules.tie(window, same[0].head) {
                Tie::Equal => {}
                Tie::Next(next) if same.len() > FEW && heads_left > 0 => {
                    self.look(same, next)?;
                    self.sort_by_heads(same, next, heads_left - 1)?;
                }
                Tie::Next(_) | Tie::Unknown => self.sort_by_comparing(same)?,
            }
        }
        Ok(())
    }

    fn sort_by_comparing(&self, part: &mut [Entry]) -> Result<(), Stop> {
        if part.len() > STRETCH {
            self.cancel.check()?;
            let (left, right) = self.parts(part, part.len() / 2);
            self.sort_by_comparing(left)?;
            return self.sort_by_comparing(right);
        }
        part.sort_unstable_by(|a, b| self.compare(a, b));
        Ok(())
    }

    /// The first `count` lines of `part` as they come in the end, and the others.
    fn parts<'p>(&self, part: &'p mut [Entry], count: usize) -> (&'p mut [Entry], &'p mut [Entry]) {
        if count < part.len() {
            part.select_nth_unstable_by(count, |a, b| self.compare(a, b));
        }
        part.split_at_mut(count)
    }

    /// The order of two lines whose heads were taken in the same window.
    fn compare(&self, a: &Entry, b: &Entry) -> Ordering {
        let line = |entry: &Entry| entry.line(self.text, self.end);
        let by_text = || self.rules.compare(line(a), line(b));
        a.head.cmp(&b.head).then_with(by_text).then(a.start.cmp(&b.start))
    }
}

/// Do `one` in a thread of its own, and `other` in this one.
fn both(one: impl FnOnce() -> Result<(), Stop> + Send, other: impl FnOnce() -> Result<(), Stop>) -> Result<(), Stop> {
    thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        one.join().unwrap_or_else(|panic| resume_unwind(panic)).and(other)
    })
}
