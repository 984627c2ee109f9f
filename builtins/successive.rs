//! The matches of a pattern in a text, one after the other, as `s///g` and `gsub` count them.
use crate::{
    Result,
    pattern::{Captures, Haystack, Pattern},
};
use std::ops::Range;

/// Goes from match to match. An empty match right behind another match is none. Past an empty match it goes on behind
/// the next character, or byte: [`Pattern::is_bytewise`].
pub(crate) struct Successive<'t> {
    text: Haystack<'t>,
    /// Where the next match may begin; past the end when there can be none.
    from: usize,
    /// Where the last match ended.
    previous: Option<usize>,
}

impl<'t> Successive<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Successive<'t> {
        Successive { text: Haystack::new(text), from: 0, previous: None }
    }

    /// The next match; `captures` then tell of its groups. Whoever asks for none is answered sooner.
    pub(crate) fn next(&mut self, pattern: &Pattern, captures: Option<&mut Captures>) -> Result<Option<Range<usize>>> {
        let mut captures = captures;
        let text = self.text.text();
        while self.from <= text.len() {
            let found = match &mut captures {
                Some(captures) => match pattern.captures_in(&self.text, self.from, captures)? {
                    true => captures.get(0),
                    false => None,
                },
                None => pattern.find_in(&self.text, self.from)?,
            };
            let Some(found) = found else { break };
            let follows = found.is_empty() && self.previous == Some(found.start);
            self.previous = Some(found.end);
            self.from = match found.is_empty() {
                true if pattern.is_bytewise() => found.end + 1,
                true => found.end + character(&text[found.end..]),
                false => found.end,
            };
            if !follows {
                return Ok(Some(found));
            }
        }
        self.from = text.len() + 1;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::{Options, Syntax};

    /// Where the matches of an ERE begin.
    fn starts(pattern: &str, text: &str, options: Options) -> Vec<usize> {
        let pattern = Pattern::posix(pattern, Syntax::SED_EXTENDED, options).unwrap();
        let mut matches = Successive::new(text.as_bytes());
        std::iter::from_fn(|| matches.next(&pattern, None).unwrap()).map(|found| found.start).collect()
    }

    #[test]
    fn past_an_empty_match_it_goes_by_bytes_where_nothing_needs_characters() {
        let starts = |pattern| starts(pattern, "aé", Options::default());
        assert_eq!(starts("x*"), [0, 1, 2, 3]);
        assert_eq!(starts("[xy]*|http"), [0, 1, 2, 3]);
        assert_eq!(starts("a|é?"), [0, 1]);
        assert_eq!(starts("[x-y]*"), [0, 1, 3]);
        assert_eq!(starts("[^aé]*"), [0, 1, 3]);
        assert_eq!(starts("x*|\\s"), [0, 1, 3]);
    }

    #[test]
    fn folding_needs_characters() {
        assert_eq!(starts("x*", "aé", Options { ignore_case: true, ..Options::default() }), [0, 1, 3]);
    }
}
