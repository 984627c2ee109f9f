//! The matches of a pattern in a text, one after the other, as `s///g` and `gsub` count them.
use crate::{
    Result,
    pattern::{Captures, Pattern},
};
use std::ops::Range;

/// Goes from match to match. An empty match right behind another match is none. Past an empty match it goes by a byte,
/// also within a character: sed 4.9 and gawk 5.2 do.
pub(crate) struct Successive<'t> {
    text: &'t [u8],
    /// Where the next match may begin; past the end when there can be none.
    from: usize,
    /// Where the last match ended.
    previous: Option<usize>,
}

impl<'t> Successive<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Successive<'t> {
        Successive { text, from: 0, previous: None }
    }

    /// The next match; `captures` then tells of its groups.
    pub(crate) fn next(&mut self, pattern: &Pattern, captures: &mut Captures) -> Result<Option<Range<usize>>> {
        while self.from <= self.text.len() {
            if !pattern.captures_at(self.text, self.from, captures)? {
                break;
            }
            let found = captures.get(0).unwrap_or(self.from..self.from);
            let follows = found.is_empty() && self.previous == Some(found.start);
            self.previous = Some(found.end);
            self.from = found.end + usize::from(found.is_empty());
            if !follows {
                return Ok(Some(found));
            }
        }
        self.from = self.text.len() + 1;
        Ok(None)
    }
}

/// The length of the character that `text` begins with; a byte that is none, and the end, count for 1.
pub(crate) fn character(text: &[u8]) -> usize {
    let length = match text.first() {
        Some(0xc2..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf4) => 4,
        _ => return 1,
    };
    if text.get(..length).is_some_and(|bytes| std::str::from_utf8(bytes).is_ok()) { length } else { 1 }
}
