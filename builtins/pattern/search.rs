//! The search for matches: in a text, in a line, one after the other.
use super::{Captures, Engine, Haystack, Pattern, PatternError};
use regex_automata::Input;
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind, Look};
use std::ops::Range;

/// Lines that match a pattern whatever they say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lines {
    /// All, as with `''` and `^`.
    Every,
    /// Those that are not empty, as with `.`, in a text that is all UTF-8.
    NonEmpty,
}

/// What `.` matches in a line.
fn any_character() -> ClassUnicode {
    let mut class = ClassUnicode::new([ClassUnicodeRange::new('\n', '\n')]);
    class.negate();
    class
}

impl Engine {
    /// [`Pattern::line_at`] of one part.
    fn line_at(&self, text: &[u8], start: usize) -> Result<Option<usize>, PatternError> {
        Ok(match self {
            Engine::Longest(longest) => longest.line_at(text, start),
            Engine::Words(words) => words.line_at(text, start)?,
            Engine::Backrefs(backrefs) => backrefs.line_at(text, start)?,
            Engine::Perl(perl) => perl.find_at(text, start)?.map(|found| found.start),
            Engine::First(regex, _) => {
                regex.search_half(&Input::new(text).range(start..).earliest(true)).map(|half| half.offset())
            }
        })
    }
}

impl Pattern {
    /// Whether the text, or with [`super::Options::lines`] a line of it, matches.
    pub fn is_match(&self, text: &[u8]) -> Result<bool, PatternError> {
        for part in &self.parts {
            let found = match part {
                Engine::Longest(longest) => longest.is_match(text),
                Engine::Words(words) => words.is_match(text)?,
                Engine::Backrefs(backrefs) => backrefs.find_in(&Haystack::new(text), 0)?.is_some(),
                Engine::Perl(perl) => perl.find_at(text, 0)?.is_some(),
                Engine::First(regex, _) => regex.is_match(text),
            };
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The first match that starts at `start` or later; what stands before `start` is seen by anchors and word edges.
    pub fn find_at(&self, text: &[u8], start: usize) -> Result<Option<Range<usize>>, PatternError> {
        self.find_in(&Haystack::new(text), start)
    }

    /// The same with the places of its groups; `captures` comes from [`Pattern::captures`] and is overwritten.
    pub fn captures_at(&self, text: &[u8], start: usize, captures: &mut Captures) -> Result<bool, PatternError> {
        self.captures_in(&Haystack::new(text), start, captures)
    }

    /// [`Pattern::find_at`] for whoever looks for one match after the other.
    pub(crate) fn find_in(&self, haystack: &Haystack<'_>, start: usize) -> Result<Option<Range<usize>>, PatternError> {
        let text = haystack.text();
        let mut best: Option<Range<usize>> = None;
        for part in &self.parts {
            let found = match part {
                Engine::Longest(longest) => longest.find_at(text, start)?,
                Engine::Words(words) => words.find_in(haystack, start)?,
                Engine::Backrefs(backrefs) => backrefs.find_in(haystack, start)?,
                Engine::Perl(perl) => perl.find_at(text, start)?,
                Engine::First(regex, _) => regex.search(&Input::new(text).range(start..)).map(|found| found.range()),
            };
            best = match (best, found) {
                (Some(best), Some(found)) => {
                    let earlier = found.start < best.start;
                    let longer = found.start == best.start && found.end > best.end;
                    Some(if earlier || longer { found } else { best })
                }
                (best, found) => found.or(best),
            };
        }
        Ok(best)
    }

    /// [`Pattern::captures_at`] for whoever looks for one match after the other.
    pub(crate) fn captures_in(
        &self,
        haystack: &Haystack<'_>,
        start: usize,
        captures: &mut Captures,
    ) -> Result<bool, PatternError> {
        let text = haystack.text();
        if self.groups == 0 || self.parts.len() != 1 {
            return Ok(self.find_in(haystack, start)?.map(|found| captures.set_whole(found)).is_some());
        }
        match &self.parts[0] {
            Engine::Longest(longest) => longest.captures_at(text, start, captures),
            Engine::Words(words) => words.captures_in(haystack, start, captures),
            Engine::Backrefs(backrefs) => backrefs.captures_in(haystack, start, captures),
            Engine::Perl(perl) => perl.captures_at(text, start, captures),
            Engine::First(regex, _) => {
                captures.slots.fill(None);
                let input = Input::new(text).range(start..);
                Ok(regex.search_slots(&input, &mut captures.slots).is_some())
            }
        }
    }

    /// Which lines match, where that is known of the pattern without a look at what is in them. Needs
    /// [`super::Options::lines`].
    pub(crate) fn matching_lines(&self) -> Option<Lines> {
        let [Engine::Longest(longest)] = self.parts.as_slice() else { return None };
        match longest.hir().kind() {
            HirKind::Look(Look::StartLF | Look::EndLF) => Some(Lines::Every),
            HirKind::Class(Class::Unicode(class)) if *class == any_character() => Some(Lines::NonEmpty),
            _ => {
                let properties = longest.hir().properties();
                let is_everywhere = properties.minimum_len() == Some(0) && properties.look_set().is_empty();
                is_everywhere.then_some(Lines::Every)
            }
        }
    }

    /// A place in the first line from `start` on that matches; `start` is the start of a line. Needs
    /// [`super::Options::lines`]. The end of the text is a place only in a last line that no newline ends.
    pub fn line_at(&self, text: &[u8], start: usize) -> Result<Option<usize>, PatternError> {
        let mut from = start;
        // What one part finds far off must not be searched for again and again while another finds something near.
        let is_one = self.parts.len() == 1 && !matches!(self.parts[0], Engine::Words(_));
        let mut stretch = if is_one { text.len() } else { 4 << 10 };
        while from < text.len() {
            let near = text.len().min(from.saturating_add(stretch));
            let end = memchr::memchr(b'\n', &text[near..]).map_or(text.len(), |at| near + at);
            let mut best: Option<usize> = None;
            for part in &self.parts {
                let until = best.map_or(end, |at| memchr::memchr(b'\n', &text[at..end]).map_or(end, |line| at + line));
                best = part.line_at(&text[..until], from)?.into_iter().chain(best).min();
            }
            if best.is_some() {
                return Ok(best.filter(|&at| at < text.len() || !text.ends_with(b"\n")));
            }
            from = end + 1;
            stretch *= 2;
        }
        Ok(None)
    }
}
