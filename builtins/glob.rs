//! Shell patterns, as fnmatch(3) and bash match them: `*`, `?`, `[a-z]`, `[[:alpha:]]`, and bash's extended
//! `?(…) *(…) +(…) @(…) !(…)`.
//!
//! A [`Glob`] is compiled once and matches names, or parts of a text for `${x#…}`. It takes characters, never bytes,
//! and its time is bounded by a polynomial of the text's length whatever the pattern: plain patterns take one pass with
//! one place to come back to, extended ones walk sets of places instead of trying ways.
mod class;
mod parse;
mod walk;

use parse::Token;
use walk::Places;

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
    /// Compile `pattern`. There are no wrong ones: what is not an operator stands for itself.
    pub fn new(pattern: &str, flags: GlobFlags) -> Glob {
        let tokens = parse::parse(pattern, flags);
        let plan = Plan::of(&tokens, flags);
        Glob { tokens, flags, plan }
    }

    /// Whether the whole of `text` matches.
    pub fn matches(&self, text: &str) -> bool {
        match &self.plan {
            Plan::Literal(literal) => literal == text,
            Plan::Affixes(prefix, suffix) => {
                text.len() >= prefix.len() + suffix.len() && text.starts_with(prefix) && text.ends_with(suffix)
            }
            Plan::Plain => walk::plain(&self.tokens, text, self.flags),
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

    /// The leftmost and of those the longest match that begins at byte `start` or later: `${x/…/…}`.
    pub fn find_at(&self, text: &str, start: usize) -> Option<std::ops::Range<usize>> {
        let first = match self.tokens.first() {
            Some(Token::Char(c)) if !self.flags.ignore_case => Some(*c),
            _ => None,
        };
        let places = text[start..].char_indices().map(|(at, c)| (start + at, Some(c)));
        places
            .chain([(text.len(), None)])
            .filter(|(_, c)| first.is_none() || *c == first)
            .find_map(|(at, _)| self.ends(text, at).last().map(|end| at..end))
    }

    /// Where matches that begin at `start` end.
    fn ends(&self, text: &str, start: usize) -> Places {
        walk::forwards(&self.tokens, text, Places::one(text, start), self.flags)
    }

    /// Where matches that end with the text begin.
    fn starts(&self, text: &str) -> Places {
        walk::backwards(&self.tokens, text, Places::one(text, text.len()), self.flags)
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
    parse::parse(pattern, flags).iter().any(|token| !matches!(token, Token::Char(_)))
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
        assert_eq!(glob("+(b)").find_at("abbc", 0), Some(1..3));
        assert_eq!(glob("!(b)").longest_suffix("ab"), Some(0));
        assert_eq!(glob("").find_at("ab", 1), Some(1..1));
    }

    #[test]
    fn no_pattern_takes_exponential_time() {
        let text = "a".repeat(3000);
        assert!(!matches(&"*a".repeat(30).replace("*a", "*a*"), &"b".repeat(3000)));
        assert!(!Glob::new("+(+(a)|*(aa))b", EXTENDED).matches(&text[..300]));
        assert!(!Glob::new("*!(!(a)x)*!(b)c", EXTENDED).matches(&text[..100]));
    }
}
