//! Which lines differ: the line numbers of two texts taken to the shortest list of changes.
//!
//! Identical ends are set aside, lines that cannot or hardly match are set aside, what is left goes through Myers'
//! search from both ends ([`super::search`]), and the changes are then shifted to where people expect them. All of it
//! chooses as GNU's diff does, so that its answers agree where several are equally short.
use super::{
    search,
    text::{Ignored, Text},
};
use crate::{Cancel, Result};
use std::collections::HashMap;

/// Lines of the first text that give way to lines of the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// The first line of the first text, from 0.
    pub(crate) old: usize,
    /// The first line of the second text.
    pub(crate) new: usize,
    pub(crate) deleted: usize,
    pub(crate) inserted: usize,
}

/// The changes from `old` to `new`, in order.
pub(crate) fn compare(
    old: &Text,
    new: &Text,
    ignored: Ignored,
    minimal: bool,
    horizon: usize,
    cancel: &Cancel,
) -> Result<Vec<Change>> {
    let shorter = old.len().min(new.len());
    let mut prefix = (0..shorter).take_while(|&at| old.line(at) == new.line(at)).count();
    let most = shorter - prefix;
    let mut suffix = 0;
    if old.ends_open() == new.ends_open() {
        suffix = (0..most).take_while(|&at| old.line(old.len() - 1 - at) == new.line(new.len() - 1 - at)).count();
    }
    prefix = prefix.saturating_sub(horizon);
    suffix = suffix.saturating_sub(horizon);
    let mut classes = Classes::new(ignored);
    let classes_of = |classes: &mut Classes, text: &Text| -> Vec<usize> {
        (prefix..text.len() - suffix).map(|at| classes.of(text.line(at))).collect()
    };
    let sides = [classes_of(&mut classes, old), classes_of(&mut classes, new)];
    cancel.check()?;
    let mut changed = [vec![false; sides[0].len() + 1], vec![false; sides[1].len() + 1]];
    let kept = keep(&sides, classes.count(), minimal, &mut changed);
    let classes_kept = [0, 1].map(|side: usize| kept[side].iter().map(|&at| sides[side][at]).collect::<Vec<usize>>());
    search::search(&classes_kept[0], &classes_kept[1], minimal, cancel, &mut |side, at| {
        changed[side][kept[side][at]] = true;
    })?;
    let [first, second] = &mut changed;
    shift(first, second, &sides[0]);
    shift(second, first, &sides[1]);
    Ok(changes(&changed, prefix))
}

/// Numbers for lines, the same for lines that make no difference.
struct Classes {
    ignored: Ignored,
    numbers: HashMap<Vec<u8>, usize>,
}

impl Classes {
    fn new(ignored: Ignored) -> Classes {
        Classes { ignored, numbers: HashMap::new() }
    }

    fn of(&mut self, line: &[u8]) -> usize {
        let next = self.numbers.len();
        if self.ignored.nothing() {
            if let Some(number) = self.numbers.get(line) {
                return *number;
            }
            self.numbers.insert(line.to_vec(), next);
            return next;
        }
        *self.numbers.entry(self.ignored.canonical(line)).or_insert(next)
    }

    fn count(&self) -> usize {
        self.numbers.len()
    }
}

/// What may become of a line before the search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Keep,
    /// No line of the other text is like it.
    Discard,
    /// So many are that it says little.
    Perhaps,
}

/// The lines of each side that are worth searching; all others are marked as changed.
fn keep(sides: &[Vec<usize>; 2], classes: usize, minimal: bool, changed: &mut [Vec<bool>; 2]) -> [Vec<usize>; 2] {
    let counts = [0, 1].map(|side: usize| {
        let mut counts = vec![0usize; classes];
        for &class in &sides[side] {
            counts[class] += 1;
        }
        counts
    });
    [0, 1].map(|side: usize| {
        let lines = &sides[side];
        let mut many = 5;
        let mut size = (lines.len() / 64) >> 2;
        while size > 0 {
            many *= 2;
            size >>= 2;
        }
        let mut fates: Vec<Fate> = lines
            .iter()
            .map(|&class| match counts[1 - side][class] {
                0 => Fate::Discard,
                count if count > many => Fate::Perhaps,
                _ => Fate::Keep,
            })
            .collect();
        decide(&mut fates);
        let mut kept = Vec::new();
        for (at, fate) in fates.into_iter().enumerate() {
            if minimal || fate == Fate::Keep {
                kept.push(at);
            } else {
                changed[side][at] = true;
            }
        }
        kept
    })
}

/// Lines that may perhaps go do go only within a run of lines that go, which begins and ends with lines that must.
fn decide(fates: &mut [Fate]) {
    let mut at = 0;
    while at < fates.len() {
        match fates[at] {
            Fate::Keep => at += 1,
            Fate::Perhaps => {
                fates[at] = Fate::Keep;
                at += 1;
            }
            Fate::Discard => {
                let mut end = at + fates[at..].iter().take_while(|fate| **fate != Fate::Keep).count();
                while fates[end - 1] == Fate::Perhaps {
                    end -= 1;
                    fates[end] = Fate::Keep;
                }
                decide_run(&mut fates[at..end]);
                at = end;
            }
        }
    }
}

/// A run of lines that go, the first and the last for certain.
fn decide_run(run: &mut [Fate]) {
    let doubtful = run.iter().filter(|fate| **fate == Fate::Perhaps).count();
    let cancel = |fate: &mut Fate| {
        if *fate == Fate::Perhaps {
            *fate = Fate::Keep;
        }
    };
    if doubtful * 4 > run.len() {
        run.iter_mut().for_each(cancel);
        return;
    }
    // About the square root of a quarter of the run: so many doubtful lines in a row stay.
    let mut least = 1;
    let mut size = (run.len() >> 2) >> 2;
    while size > 0 {
        least <<= 1;
        size >>= 2;
    }
    least += 1;
    let mut at = 0;
    while at < run.len() {
        let row = run[at..].iter().take_while(|fate| **fate == Fate::Perhaps).count();
        if row >= least {
            run[at..at + row].iter_mut().for_each(cancel);
        }
        at += row.max(1);
    }
    cancel_edge(run.iter_mut());
    cancel_edge(run.iter_mut().rev());
}

/// From an end of a run, doubtful lines stay up to three certain ones in a row, or to a certain one after eight lines.
fn cancel_edge<'a>(run: impl Iterator<Item = &'a mut Fate>) {
    let mut row = 0;
    for (at, fate) in run.enumerate() {
        match *fate {
            Fate::Discard if at >= 8 => break,
            Fate::Discard => row += 1,
            Fate::Perhaps => {
                *fate = Fate::Keep;
                row = 0;
            }
            Fate::Keep => row = 0,
        }
        if row == 3 {
            break;
        }
    }
}

/// Move each run of changed lines of one side as far down as it goes, joining runs that meet, and then back up to where
/// the other side has a run too. `changed` and `other` have a last entry that is always false.
fn shift(changed: &mut [bool], other: &mut [bool], lines: &[usize]) {
    let end = lines.len();
    let at_run = |other: &[bool], at: usize| at > 0 && other[at - 1];
    let (mut at, mut beside) = (0, 0);
    loop {
        // The place in the other side that lies beside line `at`.
        while at < end && !changed[at] {
            while other[beside] {
                beside += 1;
            }
            beside += 1;
            at += 1;
        }
        if at >= end {
            return;
        }
        let mut start = at;
        while changed[at] {
            at += 1;
        }
        while other[beside] {
            beside += 1;
        }
        let mut matching;
        loop {
            let length = at - start;
            // Up, while the line before the run is like its last.
            while start > 0 && lines[start - 1] == lines[at - 1] {
                start -= 1;
                at -= 1;
                changed[start] = true;
                changed[at] = false;
                while start > 0 && changed[start - 1] {
                    start -= 1;
                }
                beside -= 1;
                while other[beside] {
                    beside -= 1;
                }
            }
            matching = at_run(other, beside).then_some(at);
            // Down, while the line after the run is like its first.
            while at < end && lines[start] == lines[at] {
                changed[start] = false;
                changed[at] = true;
                start += 1;
                at += 1;
                while changed[at] {
                    at += 1;
                }
                beside += 1;
                while other[beside] {
                    matching = Some(at);
                    beside += 1;
                }
            }
            if length == at - start {
                break;
            }
        }
        while matching.is_some_and(|matching| matching < at) {
            start -= 1;
            at -= 1;
            changed[start] = true;
            changed[at] = false;
            beside -= 1;
            while other[beside] {
                beside -= 1;
            }
        }
    }
}

fn changes(changed: &[Vec<bool>; 2], prefix: usize) -> Vec<Change> {
    let mut all = Vec::new();
    let (mut old, mut new) = (0, 0);
    let last = changed[0].len() - 1;
    let last_new = changed[1].len() - 1;
    while old < last || new < last_new {
        let deleted = changed[0][old..].iter().take_while(|changed| **changed).count();
        let inserted = changed[1][new..].iter().take_while(|changed| **changed).count();
        if deleted + inserted > 0 {
            all.push(Change { old: old + prefix, new: new + prefix, deleted, inserted });
        }
        old += deleted + 1;
        new += inserted + 1;
    }
    all
}
