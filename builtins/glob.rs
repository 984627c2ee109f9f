//! Shell patterns, as fnmatch(3) and bash match them: `*`, `?`, `[a-z]`, `[[:alpha:]]`, and bash's extended
//! `?(…) *(…) +(…) @(…) !(…)`.
//!
//! A [`Glob`] is compiled once and matches names, or parts of a text for `${x#…}`. It takes characters, never bytes,
//! and its time is bounded by a polynomial of the text's length whatever the pattern: plain patterns take one pass with
//! one place to come back to, extended ones walk sets of places instead of trying ways. Where even that may be long, a
//! [`Cancel`] ends it.
mod class;
mod parse;
mod walk;

use crate::Cancel;
use parse::{Times, Token};
use std::ops::Range;
use walk::{Places, Walk};

/// How a pattern is read and matched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GlobFlags {
    /// Only a `/` matches a `/`.
    pub pathname: bool,
    /// Only a `.` matches a `.` at the start of the text (and after `/`, with `pathname`).
    pub period: bool,
    /// Letters match without regard to case.
    pub ignore_case: bool,
    /// `?(…)` and its kin are operators.
    pub extended: bool,
}

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Glob {
    tokens: Vec<Token>,
    flags: GlobFlags,
    plan: Plan,
    too_deep: bool,
    cancel: Option<Cancel>,
}

/// The quickest way to match all of a text.
#[derive(Clone, Debug)]
enum Plan {
    /// Exactly this.
    Literal(String),
    /// `prefix*suffix`, where a star matches anything.
    Affixes(String, String),
    /// Tokens of one character and stars.
    Plain,
    /// Groups.
    Extended,
}

impl Glob {
    /// Groups inside each other, at most.
    pub const DEPTH: usize = 100;

    /// Compile `pattern`. There are no wrong ones: what is not an operator stands for itself.
    pub fn new(pattern: &str, flags: GlobFlags) -> Glob {
        let (tokens, too_deep) = parse::parse(pattern, flags);
        let plan = Plan::of(&tokens, flags);
        Glob { tokens, flags, plan, too_deep, cancel: None }
    }

    /// The same, which matches nothing any more once `cancel` is stopped: whoever asks must look at it.
    pub fn stopped_by(self, cancel: &Cancel) -> Glob {
        Glob { cancel: Some(cancel.clone()), ..self }
    }

    /// Whether its groups nest deeper than [`Glob::DEPTH`]: those below are read as text.
    pub fn is_too_deep(&self) -> bool {
        self.too_deep
    }

    /// Whether the whole of `text` matches.
    pub fn matches(&self, text: &str) -> bool {
        match &self.plan {
            Plan::Literal(literal) => literal == text,
            // Most have no prefix. To compare nothing is no matter of course: `memcmp` of no bytes at the address of
            // an empty string, which is mapped nowhere, takes some processors a hundred nanoseconds.
            Plan::Affixes(prefix, suffix) => {
                text.len() >= prefix.len() + suffix.len()
                    && (prefix.is_empty() || text.starts_with(prefix))
                    && (suffix.is_empty() || text.ends_with(suffix))
            }
            Plan::Plain => self.walk(text).plain(&self.tokens),
            Plan::Extended => self.ends(text, 0).contains(text.len()),
        }
    }

    /// The text that the pattern stands for, when it has no operators.
    pub fn literal(&self) -> Option<String> {
        self.tokens.iter().map(|token| if let Token::Char(c) = token { Some(*c) } else { None }).collect()
    }

    /// The end of the shortest start of `text` that matches: `${x#…}`.
    pub fn shortest_prefix(&self, text: &str) -> Option<usize> {
        self.ends(text, 0).first()
    }

    /// The end of the longest start of `text` that matches: `${x##…}`.
    pub fn longest_prefix(&self, text: &str) -> Option<usize> {
        self.ends(text, 0).last()
    }

    /// The start of the shortest end of `text` that matches: `${x%…}`.
    pub fn shortest_suffix(&self, text: &str) -> Option<usize> {
        self.starts(text).last()
    }

    /// The start of the longest end of `text` that matches: `${x%%…}`.
    pub fn longest_suffix(&self, text: &str) -> Option<usize> {
        self.starts(text).first()
    }

    /// The parts of `text` that match: `${x/…/…}`.
    pub fn parts<'g>(&'g self, text: &'g str) -> Parts<'g> {
        let walk = self.walk(text);
        // To try what may be of any length at each place would be too much. What must not match can begin nearly
        // anywhere, and finding that out takes long.
        let is_open = |token: &Token| matches!(token, Token::Star | Token::Group(Times::Any | Times::Some, _));
        let is_not = |token: &Token| matches!(token, Token::Group(Times::Not, _));
        let any = |is: &dyn Fn(&Token) -> bool| self.tokens.iter().any(|token| token.holds(is));
        let starts = (any(&is_open) && !any(&is_not)).then(|| walk.backwards(&self.tokens, Places::all(text)));
        Parts { glob: self, text, starts }
    }

    /// Where matches that begin at `start` end.
    fn ends(&self, text: &str, start: usize) -> Places {
        self.walk(text).forwards(&self.tokens, Places::one(start))
    }

    /// Where matches that end with the text begin.
    fn starts(&self, text: &str) -> Places {
        self.walk(text).backwards(&self.tokens, Places::one(text.len()))
    }

    fn walk<'a>(&'a self, text: &'a str) -> Walk<'a> {
        Walk { text, flags: self.flags, cancel: self.cancel.as_ref() }
    }
}

/// The parts of a text that a pattern matches.
pub struct Parts<'g> {
    glob: &'g Glob,
    text: &'g str,
    /// Where matches begin, if that is known.
    starts: Option<Places>,
}

impl Parts<'_> {
    /// The leftmost and of those the longest match that begins at byte `start` or later.
    pub fn from(&self, start: usize) -> Option<Range<usize>> {
        let longest = |at: usize| self.glob.ends(self.text, at).last().map(|end| at..end);
        match &self.starts {
            Some(starts) => starts.next_from(start).and_then(longest),
            None => {
                let walk = self.glob.walk(self.text);
                let places = (start..=self.text.len()).take_while(|at| walk.goes_on(*at));
                places.filter(|at| self.text.is_char_boundary(*at)).find_map(longest)
            }
        }
    }
}

impl Plan {
    fn of(tokens: &[Token], flags: GlobFlags) -> Plan {
        if tokens.iter().any(|token| matches!(token, Token::Group(..))) {
            return Plan::Extended;
        }
        if flags.ignore_case {
            return Plan::Plain;
        }
        let literal = |tokens: &[Token]| -> Option<String> {
            tokens.iter().map(|token| if let Token::Char(c) = token { Some(*c) } else { None }).collect()
        };
        if let Some(text) = literal(tokens) {
            return Plan::Literal(text);
        }
        let stars = tokens.iter().filter(|token| matches!(token, Token::Star)).count();
        let star = tokens.iter().position(|token| matches!(token, Token::Star));
        match star {
            Some(at) if stars == 1 && !flags.pathname && !flags.period => {
                match (literal(&tokens[..at]), literal(&tokens[at + 1..])) {
                    (Some(prefix), Some(suffix)) => Plan::Affixes(prefix, suffix),
                    _ => Plan::Plain,
                }
            }
            _ => Plan::Plain,
        }
    }
}

/// Whether `pattern` has an operator that is not escaped.
pub fn has_operators(pattern: &str, flags: GlobFlags) -> bool {
    parse::parse(pattern, flags).0.iter().any(|token| !matches!(token, Token::Char(_)))
}

/// `text` as a pattern that matches just it.
pub fn escape(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for c in text.chars() {
        if "*?[]\\!+@()|-^".contains(c) {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: GlobFlags = GlobFlags { pathname: false, period: false, ignore_case: false, extended: false };
    const EXTENDED: GlobFlags = GlobFlags { extended: true, ..NONE };

    fn matches(pattern: &str, text: &str) -> bool {
        Glob::new(pattern, NONE).matches(text)
    }

    #[test]
    fn stars_and_question_marks_match_characters() {
        assert!(matches("*.md", "a.md") && matches("*.md", ".md") && !matches("*.md", "a.mdx"));
        assert!(matches("a?c", "aéc") && !matches("a?c", "ac"));
        assert!(matches("*a*b*", "xxaxxbxx") && !matches("*a*b*", "xxbxxaxx"));
        assert!(matches("", "") && matches("*", "") && matches("**", "a/b"));
    }

    #[test]
    fn lists_have_ranges_classes_and_negation() {
        assert!(matches("[a-c]x", "bx") && !matches("[!a-c]x", "bx") && matches("[^a-c]x", "dx"));
        assert!(matches("[]-]", "]") && matches("[]-]", "-") && matches("[[:digit:]_]", "_"));
        assert!(matches("[[:upper:]]*", "Éa") && !matches("[[:upper:]]*", "éa"));
        assert!(matches("[\\]]", "]") && matches("[[.a.][=b=]]", "b"));
        assert!(!matches("[z-a]", "m"), "a range that runs backwards is empty");
    }

    #[test]
    fn what_is_not_an_operator_is_itself() {
        assert!(matches("[a", "[a") && matches("a\\*", "a*") && !matches("a\\*", "ab") && matches("a\\", "a\\"));
        assert!(matches("@(a)", "@(a)"), "extended operators are off");
        assert_eq!(Glob::new("a\\*b", NONE).literal().as_deref(), Some("a*b"));
        assert_eq!(Glob::new("a*b", NONE).literal(), None);
        assert!(Glob::new(&escape("[a]*?\\!(x)"), EXTENDED).matches("[a]*?\\!(x)"));
        assert!(has_operators("a?", NONE) && !has_operators("a\\?", NONE) && !has_operators("[a", NONE));
    }

    #[test]
    fn slashes_and_leading_periods_can_be_guarded() {
        let path = GlobFlags { pathname: true, ..NONE };
        assert!(!Glob::new("*", path).matches("a/b") && Glob::new("*/*", path).matches("a/b"));
        assert!(!Glob::new("a?b", path).matches("a/b") && !Glob::new("a[/]b", path).matches("a/b"));
        let dots = GlobFlags { period: true, ..path };
        assert!(!Glob::new("*", dots).matches(".a") && Glob::new(".*", dots).matches(".a"));
        assert!(!Glob::new("a/*", dots).matches("a/.b") && Glob::new("a*", dots).matches("a.b"));
        assert!(!Glob::new("?(x)*", GlobFlags { extended: true, ..dots }).matches(".a"));
        assert!(!Glob::new("!(x)", GlobFlags { extended: true, ..dots }).matches(".a"));
    }

    #[test]
    fn case_can_be_ignored() {
        let folded = GlobFlags { ignore_case: true, ..NONE };
        assert!(Glob::new("READ*.É", folded).matches("readme.é") && Glob::new("[a-c]", folded).matches("B"));
        assert!(Glob::new("[A-C]", folded).matches("b"));
    }

    #[test]
    fn groups_match_as_in_bash() {
        let ext = |pattern: &str, text: &str| Glob::new(pattern, EXTENDED).matches(text);
        assert!(ext("*.@(md|mdx)", "a.mdx") && !ext("*.@(md|mdx)", "a.txt"));
        assert!(ext("a?(b)c", "ac") && ext("a?(b)c", "abc") && !ext("a?(b)c", "abbc"));
        assert!(ext("*(ab|c)", "") && ext("*(ab|c)", "abcab") && !ext("+(ab|c)", ""));
        assert!(ext("!(*.md)", "a.txt") && !ext("!(*.md)", "a.md") && ext("!(a|b)", ""));
        assert!(ext("a!(b)c", "axc") && !ext("a!(b)c", "abc") && ext("a!(b)c", "ac") && ext("a!(b)c", "abbc"));
        assert!(ext("@(a|+(b!(c)))d", "bbxd") && ext("+([0-9])", "123") && !ext("+([0-9])", "12a"));
        assert!(ext("@(a", "@(a"), "a group that never ends is text");
    }

    #[test]
    fn parts_of_a_text_are_found() {
        let glob = |pattern: &str| Glob::new(pattern, EXTENDED);
        assert_eq!(glob("*/").shortest_prefix("a/b/c"), Some(2));
        assert_eq!(glob("*/").longest_prefix("a/b/c"), Some(4));
        assert_eq!(glob(".*").shortest_suffix("a.b.c"), Some(3));
        assert_eq!(glob(".*").longest_suffix("a.b.c"), Some(1));
        assert_eq!(glob("x").shortest_prefix("abc"), None);
        assert_eq!(glob("+(b)").parts("abbc").from(0), Some(1..3));
        assert_eq!(glob("é*(b)").parts("aébbcé").from(4), Some(6..8));
        assert_eq!(glob("a!(b)").parts("cab").from(0), Some(1..2));
        assert_eq!(glob("!(b)").longest_suffix("ab"), Some(0));
        assert_eq!(glob("").parts("ab").from(1), Some(1..1));
    }

    #[test]
    fn no_pattern_takes_exponential_time() {
        let text = "a".repeat(3000);
        assert!(!matches(&"*a".repeat(30).replace("*a", "*a*"), &"b".repeat(3000)));
        assert!(!Glob::new("+(+(a)|*(aa))b", EXTENDED).matches(&text[..300]));
        assert!(!Glob::new("*!(!(a)x)*!(b)c", EXTENDED).matches(&text[..100]));
        let long = "a".repeat(300_000);
        assert_eq!(Glob::new("a*a*b", EXTENDED).parts(&long).from(0), None);
        let letters = Glob::new("[a-c]", NONE);
        let parts = letters.parts(&long);
        assert!((0..long.len()).all(|at| parts.from(at) == Some(at..at + 1)));
    }

    #[test]
    fn a_stopped_pattern_matches_nothing() {
        let cancel = Cancel::new();
        let glob = Glob::new("*!(!(a)b)", EXTENDED).stopped_by(&cancel);
        assert!(glob.matches("ab"));
        cancel.stop(crate::Stop::TimedOut);
        assert!(!glob.matches("ab"));
    }

    #[test]
    fn groups_nest_only_so_deep() {
        let nested = |depth: usize| Glob::new(&format!("{}a{}", "@(".repeat(depth), ")".repeat(depth)), EXTENDED);
        assert!(nested(Glob::DEPTH).matches("a") && !nested(Glob::DEPTH).is_too_deep());
        assert!(nested(Glob::DEPTH + 1).is_too_deep());
    }
}
