//! A text in which many matches are looked for, and what looking for one has shown that helps with the next.
//!
//! Without it each search would look through all of the text again for the characters that automata judge otherwise,
//! and for where the text is no UTF-8: a line's matches would cost the square of its length.
use super::words::{CHARACTER, stray_in};
use std::cell::Cell;

/// A text that is searched from front to back.
pub(crate) struct Haystack<'t> {
    text: &'t [u8],
    /// From the first place on, the first stray character ends at the second one.
    stray: Cell<Option<(usize, Option<usize>)>>,
    /// From the first place to the second one the text is UTF-8.
    valid: Cell<Option<(usize, usize)>>,
}

impl<'t> Haystack<'t> {
    /// Nothing is known of `text`.
    pub(crate) fn new(text: &'t [u8]) -> Haystack<'t> {
        Haystack { text, stray: Cell::new(None), valid: Cell::new(None) }
    }

    /// The text itself.
    pub(crate) fn text(&self) -> &'t [u8] {
        self.text
    }

    /// Where the first [stray](super::class::stray) character ends that stands at `from` or later.
    pub(super) fn stray_from(&self, from: usize) -> Option<usize> {
        if let Some((since, end)) = self.stray.get()
            && since <= from
            && end.is_none_or(|end| from + CHARACTER <= end)
        {
            return end;
        }
        let end = stray_in(&self.text[from..]).map(|end| from + end);
        self.stray.set(Some((from, end)));
        end
    }

    /// Where the UTF-8 ends that begins at `from`.
    pub(super) fn valid_from(&self, from: usize) -> usize {
        let is_inside = |byte: &u8| matches!(byte, 0x80..=0xbf);
        if let Some((since, end)) = self.valid.get()
            && (since..end).contains(&from)
            && !self.text.get(from).is_some_and(is_inside)
        {
            return end;
        }
        let valid = self.text[from..].utf8_chunks().next().map_or(0, |chunk| chunk.valid().len());
        self.valid.set(Some((from, from + valid)));
        from + valid
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_what_would_be_found() {
        let text = "ab…cd\u{301}é…".as_bytes();
        let strays = |from| Haystack::new(text).stray_from(from);
        let haystack = Haystack::new(text);
        for from in 0..=text.len() {
            assert_eq!(haystack.stray_from(from), strays(from), "from {from}");
        }
        assert_eq!((strays(0), strays(9)), (Some(9), None));
    }

    #[test]
    fn valid_stretches_end_at_bytes_that_are_no_text() {
        let haystack = Haystack::new(b"a\xc3\xa9\xffb");
        assert_eq!((haystack.valid_from(0), haystack.valid_from(1), haystack.valid_from(2)), (3, 3, 2));
        assert_eq!((haystack.valid_from(3), haystack.valid_from(4)), (3, 5));
    }
}
