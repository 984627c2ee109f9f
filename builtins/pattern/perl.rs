//! `-P`: Perl's patterns, by PCRE2 with limits on its steps and depth.
use super::{Captures, Options, PatternError, Whole};
use pcre2::bytes::{Regex, RegexBuilder};
use regex_syntax::hir::Hir;
use std::ops::Range;

/// Before the pattern: limits far below the worst that PCRE2 allows itself.
const LIMITS: &str = "(*LIMIT_MATCH=5000000)(*LIMIT_DEPTH=100000)(*LIMIT_HEAP=65536)";

pub(super) struct Perl {
    regex: Regex,
    lines: bool,
    hir: Option<Hir>,
}

impl Perl {
    pub(super) fn new(pattern: &str, options: &Options) -> Result<Perl, PatternError> {
        let hir = plain(pattern, options);
        let (settings, pattern) = pattern.split_at(start_settings(pattern));
        let digits = if options.unicode_digits { "" } else { "(?aD)" };
        let (start, end) = match options.whole {
            Whole::Any => ("", ""),
            Whole::Word => ("(?<!\\w)(?:", ")(?!\\w)"),
            Whole::Line => ("^(?:", ")$"),
        };
        let pattern = format!("{LIMITS}{settings}{digits}{start}{pattern}{end}");
        let regex = RegexBuilder::new()
            .utf(true)
            .ucp(true)
            .caseless(options.ignore_case)
            .multi_line(options.anchors_at_newlines)
            .dotall(options.dot_matches_newline)
            .jit_if_available(true)
            .max_jit_stack_size(Some(1 << 20))
            .build(&pattern)
            .map_err(|error| message(&error))?;
        Ok(Perl { regex, lines: options.lines, hir })
    }

    /// The pattern as the other engines read it, when they read it alike; only for [`super::Pattern::needles`].
    pub(super) fn hir(&self) -> Option<&Hir> {
        self.hir.as_ref()
    }

    pub(super) fn groups(&self) -> usize {
        self.regex.captures_len() - 1
    }

    /// The names of the groups, for `(?<name>…)`.
    pub(super) fn names(&self) -> Vec<Option<String>> {
        self.regex.capture_names().to_vec()
    }

    pub(super) fn find_at(&self, text: &[u8], start: usize) -> Result<Option<Range<usize>>, PatternError> {
        self.each_line(text, start, |line, start| {
            let found = self.regex.find_at(line, start).map_err(|error| message(&error))?;
            Ok(found.map(|found| found.start()..found.end()))
        })
    }

    pub(super) fn captures_at(&self, text: &[u8], start: usize, captures: &mut Captures) -> Result<bool, PatternError> {
        let mut places = self.regex.capture_locations();
        let found = self.regex.captures_read_at(&mut places, text, start).map_err(|error| message(&error))?;
        if found.is_none() {
            return Ok(false);
        }
        captures.fill((0..captures.len()).map(|group| places.get(group).map(|(start, end)| start..end)));
        Ok(true)
    }

    /// `search` in each line from `start` on, until one has a match.
    fn each_line(
        &self,
        text: &[u8],
        start: usize,
        search: impl Fn(&[u8], usize) -> Result<Option<Range<usize>>, PatternError>,
    ) -> Result<Option<Range<usize>>, PatternError> {
        if !self.lines {
            return search(text, start);
        }
        let mut line = memchr::memrchr(b'\n', &text[..start]).map_or(0, |at| at + 1);
        let mut from = start;
        loop {
            let end = memchr::memchr(b'\n', &text[line..]).map_or(text.len(), |at| line + at);
            if let Some(found) = search(&text[line..end], from - line)? {
                return Ok(Some(found.start + line..found.end + line));
            }
            if end >= text.len() {
                return Ok(None);
            }
            line = end + 1;
            from = line;
        }
    }
}

/// The length of the settings that `pattern` begins with, such as `(*UCP)`: they must stay first.
fn start_settings(pattern: &str) -> usize {
    let mut length = 0;
    while let Some(rest) = pattern[length..].strip_prefix("(*")
        && let Some((name, _)) = rest.split_once(')')
        && ["UTF", "UCP", "CR", "LF", "ANY", "NUL", "BSR_", "NO_", "NOTEMPTY", "LIMIT_"]
            .iter()
            .any(|setting| name.starts_with(setting))
    {
        length += name.len() + 3;
    }
    length
}

/// `pattern`, when it keeps to what Perl and the `regex` crate have in common: no look-around, no option, no escape of
/// which one of them makes more.
fn plain(pattern: &str, options: &Options) -> Option<Hir> {
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        let common = match c {
            '\\' => matches!(
                chars.next()?,
                'd' | 'D'
                    | 'w'
                    | 'W'
                    | 's'
                    | 'S'
                    | 'b'
                    | 'B'
                    | '.'
                    | '-'
                    | '/'
                    | '*'
                    | '+'
                    | '?'
                    | '('
                    | ')'
                    | '['
                    | ']'
                    | '{'
                    | '}'
                    | '|'
                    | '$'
                    | '^'
                    | '\\'
            ),
            '(' => !matches!(chars.peek(), Some('?' | '*')),
            '{' => chars.peek().is_some_and(char::is_ascii_digit),
            '[' => {
                let list: String = chars.by_ref().take_while(|&c| c != ']').collect();
                !list.is_empty()
                    && list.chars().all(|c| c.is_ascii_alphanumeric() || "_ .,:;/^-".contains(c))
                    && !list.contains("--")
            }
            '\n' => false,
            _ => c.is_ascii() || !options.ignore_case,
        };
        if !common {
            return None;
        }
    }
    regex_syntax::ParserBuilder::new().case_insensitive(options.ignore_case).build().parse(pattern).ok()
}

/// PCRE2's message as GNU grep passes it on.
fn message(error: &pcre2::Error) -> PatternError {
    const MATCH_LIMIT: i32 = -47;
    const DEPTH_LIMIT: i32 = -53;
    const HEAP_LIMIT: i32 = -63;
    const JIT_STACK: i32 = -46;
    match error.code() {
        MATCH_LIMIT | DEPTH_LIMIT | HEAP_LIMIT => "exceeded PCRE's backtracking limit".into(),
        JIT_STACK => "exhausted PCRE JIT stack".into(),
        _ => {
            // "PCRE2: error compiling pattern at offset 2: missing closing parenthesis"
            let text = error.to_string();
            text.splitn(3, ": ").last().unwrap_or(&text).to_string().into()
        }
    }
}
