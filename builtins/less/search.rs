//! Searching in the pager.
use super::pager::{Pager, Place};
use crate::{
    Key, Result,
    pattern::{Haystack, Options, Pattern, Syntax},
};
use std::ops::Range;

/// Which way a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Down,
    Up,
}

impl Way {
    fn back(self) -> Way {
        match self {
            Way::Down => Way::Up,
            Way::Up => Way::Down,
        }
    }
}

impl Pager<'_, '_> {
    pub(super) fn ask_and_search(&mut self, way: Way) -> Result<()> {
        let sign = if way == Way::Down { '/' } else { '?' };
        let mut pattern = String::new();
        loop {
            self.message = Some(format!("{sign}{pattern}"));
            self.draw()?;
            self.message = None;
            match self.keyboard.key(&self.call.cancel)? {
                Key::Char('\n') => break,
                Key::Char(c) => pattern.push(c),
                Key::Backspace if pattern.pop().is_none() => return Ok(()),
                Key::Control('u') => pattern.clear(),
                Key::Escape | Key::Control('g') => return Ok(()),
                _ => {}
            }
        }
        if pattern.is_empty() {
            // The last pattern, this way.
            if let Some((_, before)) = &mut self.search {
                *before = way;
            }
            return self.search_on(false);
        }
        self.search_for(&pattern, way, false)
    }

    /// Search for a new pattern, from the line at the top on or from the one after it.
    pub(super) fn search_for(&mut self, pattern: &str, way: Way, from_top: bool) -> Result<()> {
        let (unless_upper, always) = self.settings.ignore_case;
        let ignore_case = always || (unless_upper && !pattern.chars().any(char::is_uppercase));
        let options = Options { ignore_case, size: self.call.limits.regex, ..Options::default() };
        match Pattern::posix(pattern, Syntax::POSIX_EXTENDED, options) {
            Ok(pattern) => {
                self.search = Some((pattern, way));
                self.find(way, from_top)
            }
            Err(error) => {
                self.message = Some(error.to_string());
                Ok(())
            }
        }
    }

    pub(super) fn search_on(&mut self, back: bool) -> Result<()> {
        match self.search {
            Some((_, way)) => self.find(if back { way.back() } else { way }, false),
            None => {
                self.message = Some("No previous regular expression".to_string());
                Ok(())
            }
        }
    }

    /// Put the next line that matches at the top.
    fn find(&mut self, way: Way, from_top: bool) -> Result<()> {
        let mut line = self.top.line;
        let mut is_first = from_top;
        loop {
            self.call.cancel.check()?;
            if !std::mem::take(&mut is_first) {
                match (way, line.checked_sub(1)) {
                    (Way::Down, _) => line += 1,
                    (Way::Up, Some(before)) => line = before,
                    (Way::Up, None) => break,
                }
            }
            let text = &mut self.texts[self.current];
            text.read(line + 1, &mut self.call.memory)?;
            let Some((bytes, (pattern, _))) = text.lines.get(line).zip(self.search.as_ref()) else { break };
            if pattern.is_match(bytes).unwrap_or(false) {
                self.top = Place { line, row: 0 };
                return Ok(());
            }
        }
        self.message = Some("Pattern not found".to_string());
        Ok(())
    }
}

/// Where `pattern` matches in `line`; a match of nothing marks nothing.
pub(super) fn matches(pattern: &Pattern, line: &[u8]) -> Vec<Range<usize>> {
    let (mut found, mut start) = (Vec::new(), 0);
    let haystack = Haystack::new(line);
    while let Ok(Some(range)) = pattern.find_in(&haystack, start) {
        start = range.end.max(range.start + 1);
        if start > line.len() {
            break;
        }
        found.push(range);
    }
    found
}
