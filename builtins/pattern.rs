//! Patterns: the one place where the text of a regular expression becomes a matcher.
//!
//! [`Pattern::new`] reads one or more patterns of a [`Dialect`] and compiles them. POSIX dialects match as POSIX says:
//! the leftmost match, and of those the longest, on bytes; bytes that are not UTF-8 are matched by nothing. Perl's
//! dialect and that of the `regex` crate match as theirs do. What must be contained in every text that matches,
//! [`Pattern::needles`] tells.
//!
//! Every search ends: automata take linear time, and the two engines that backtrack have a limit on their steps, past
//! which a search is an error, never a wrong answer.
mod ast;
mod backrefs;
mod bracket;
pub(crate) mod class;
mod haystack;
mod longest;
mod lower;
mod needles;
mod parse;
mod perl;
mod rust;
mod syntax;
mod words;

pub(crate) use haystack::Haystack;
pub use syntax::Syntax;

use crate::{Error, Needles, Status};
use ast::Node;
use backrefs::Backrefs;
use longest::Longest;
use lower::Lower;
use perl::Perl;
use regex_automata::{Input, meta, util::primitives::NonMaxUsize};
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look};
use std::{borrow::Cow, error, fmt, ops::Range};
use words::Words;

/// The language that a pattern is written in.
#[derive(Clone, Copy, Debug)]
pub enum Dialect {
    /// POSIX, as one of GNU's tools reads it.
    Posix(Syntax),
    /// The text itself.
    Fixed,
    /// Perl's, by PCRE2.
    Perl,
    /// That of the `regex` crate, leftmost-first: ripgrep's.
    Rust,
}

/// How patterns are read and where they may match.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Letters match without regard to case.
    pub ignore_case: bool,
    /// The text holds lines: no match crosses a newline, and every anchor is one of a line.
    pub lines: bool,
    /// `^` and `$` match at newlines too: sed's `M`.
    pub anchors_at_newlines: bool,
    /// `\d` is any script's digit in Perl's dialect, as in ripgrep; in GNU grep it is ASCII's.
    pub unicode_digits: bool,
    /// Letters, digits and words are those of ASCII, and `.` is any byte (Rust's dialect).
    pub ascii: bool,
    /// A line may end with CR LF: `$` matches before both (Rust's dialect).
    pub crlf: bool,
    /// `.` matches a newline where the dialect leaves it to the caller (Perl's and Rust's).
    pub dot_matches_newline: bool,
    /// What a match must fill.
    pub whole: Whole,
    /// Bytes of the compiled pattern: [`crate::Limits::regex`].
    pub size: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            ignore_case: false,
            lines: false,
            anchors_at_newlines: false,
            unicode_digits: false,
            ascii: false,
            crlf: false,
            dot_matches_newline: false,
            whole: Whole::Any,
            size: 10 << 20,
        }
    }
}

/// What a match must fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    /// Nothing in particular.
    Any,
    /// Whole words: `grep -w`.
    Word,
    /// A whole line ([`Options::lines`]), else the whole text: `grep -x`, `find -regex`.
    Line,
}

/// A compiled pattern.
pub struct Pattern {
    parts: Vec<Engine>,
    groups: usize,
    names: Vec<Option<String>>,
    warnings: Vec<String>,
    bytewise: bool,
    options: Options,
}

enum Engine {
    Longest(Box<Longest>),
    Words(Box<Words>),
    Backrefs(Backrefs),
    Perl(Perl),
    First(meta::Regex, Hir),
}

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

/// Bytes that a byte of a pattern takes when it is compiled, at least.
const LEAST: usize = 16;

/// Why a pattern cannot be used, or why a search was given up; in GNU's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError(Cow<'static, str>);

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl error::Error for PatternError {}

impl From<&'static str> for PatternError {
    fn from(message: &'static str) -> PatternError {
        PatternError(message.into())
    }
}

impl From<String> for PatternError {
    fn from(message: String) -> PatternError {
        PatternError(message.into())
    }
}

impl From<PatternError> for Error {
    /// `name: message`, status 2; a command with another status maps it itself.
    fn from(error: PatternError) -> Error {
        Error::Failed(error.to_string(), Status(2))
    }
}

/// Where the groups of a match are; group 0 is the match.
#[derive(Clone, Debug)]
pub struct Captures {
    slots: Vec<Option<NonMaxUsize>>,
}

impl Captures {
    /// The place of group `number`; `None` when it took no part in the match.
    pub fn get(&self, number: usize) -> Option<Range<usize>> {
        let start = (*self.slots.get(number * 2)?)?;
        let end = (*self.slots.get(number * 2 + 1)?)?;
        Some(start.get()..end.get())
    }

    /// How many groups there are, the match itself included.
    pub fn len(&self) -> usize {
        self.slots.len() / 2
    }

    /// Never: group 0 is always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    fn set_whole(&mut self, whole: Range<usize>) {
        self.slots[0] = NonMaxUsize::new(whole.start);
        self.slots[1] = NonMaxUsize::new(whole.end);
    }

    fn fill(&mut self, groups: impl Iterator<Item = Option<Range<usize>>>) {
        for (slots, group) in self.slots.chunks_exact_mut(2).zip(groups) {
            slots[0] = group.as_ref().and_then(|group| NonMaxUsize::new(group.start));
            slots[1] = group.as_ref().and_then(|group| NonMaxUsize::new(group.end));
        }
    }
}

impl Pattern {
    /// One POSIX pattern: what `sed`, `awk`, `expr` and their like need.
    pub fn posix(pattern: &str, syntax: Syntax, options: Options) -> Result<Pattern, PatternError> {
        Pattern::new(&[pattern], Dialect::Posix(syntax), options)
    }

    /// Patterns of which any may match. Groups are kept when there is one pattern only.
    pub fn new(patterns: &[impl AsRef<str>], dialect: Dialect, options: Options) -> Result<Pattern, PatternError> {
        // Megabytes of text take seconds to read, and do not fit when they have been.
        let length: usize = patterns.iter().map(|text| text.as_ref().len()).sum();
        if length > options.size / LEAST {
            return Err(parse::TOO_BIG.into());
        }
        let mut pattern = Pattern {
            parts: Vec::new(),
            groups: 0,
            names: vec![None],
            warnings: Vec::new(),
            bytewise: !options.ignore_case,
            options,
        };
        match dialect {
            Dialect::Posix(syntax) => pattern.add_posix(patterns, &syntax)?,
            Dialect::Fixed => {
                let nodes: Vec<Node> = patterns.iter().map(|text| literal(text.as_ref())).collect();
                pattern.add_automaton(&nodes, true)?;
            }
            Dialect::Perl => {
                for text in patterns {
                    let perl = Perl::new(text.as_ref(), &options)?;
                    pattern.groups = perl.groups();
                    pattern.names = perl.names();
                    pattern.parts.push(Engine::Perl(perl));
                }
            }
            Dialect::Rust => pattern.add_rust(patterns)?,
        }
        Ok(pattern)
    }

    fn add_posix(&mut self, patterns: &[impl AsRef<str>], syntax: &Syntax) -> Result<(), PatternError> {
        let mut regular = Vec::new();
        for text in patterns {
            let parsed = parse::parse(text.as_ref(), syntax)?;
            self.warnings.extend(parsed.warnings);
            self.bytewise &= parsed.bytewise;
            self.groups = parsed.groups as usize;
            if parsed.node.refers_back() {
                let lower = Lower {
                    options: &self.options,
                    dot_matches_newline: syntax.dot_matches_newline,
                    root: &parsed.node,
                    captures: false,
                    edges: true,
                };
                let part = Backrefs::new(&parsed.node, &lower, self.options.size)?;
                self.parts.push(Engine::Backrefs(part));
            } else {
                regular.push(parsed.node);
            }
        }
        if patterns.len() != 1 {
            self.groups = 0;
        }
        if !regular.is_empty() || patterns.is_empty() {
            self.add_automaton(&regular, syntax.dot_matches_newline)?;
        }
        Ok(())
    }

    fn add_automaton(&mut self, nodes: &[Node], dot_matches_newline: bool) -> Result<(), PatternError> {
        let options = &self.options;
        let lower = |node| Lower { options, dot_matches_newline, root: node, captures: nodes.len() == 1, edges: true };
        let hirs = nodes.iter().map(|node| lower(node).hir(node)).collect();
        let hir = lower(&Node::Empty).whole(Hir::alternation(hirs));
        let longest = Longest::new(hir, self.options.size)?;
        self.parts.push(match self.options.whole == Whole::Word || nodes.iter().any(Node::has_edges) {
            true => Engine::Words(Box::new(Words::new(longest, nodes, self.options, dot_matches_newline))),
            false => Engine::Longest(Box::new(longest)),
        });
        Ok(())
    }

    fn add_rust(&mut self, patterns: &[impl AsRef<str>]) -> Result<(), PatternError> {
        let options = &self.options;
        let hir = rust::parse(patterns, options)?;
        self.groups = hir.properties().explicit_captures_len();
        let lower = Lower { options, dot_matches_newline: false, root: &Node::Empty, captures: false, edges: true };
        let hir = lower.whole(hir);
        let regex = longest::compile(&hir, options.size)?;
        self.names =
            regex.group_info().pattern_names(Default::default()).map(|name| name.map(str::to_string)).collect();
        self.parts.push(Engine::First(regex, hir));
        Ok(())
    }

    /// How many groups the pattern has, without the match itself.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// The names of the groups of Perl's and Rust's dialects, group 0 first.
    pub fn names(&self) -> &[Option<String>] {
        &self.names
    }

    /// What grep says on stderr about the pattern, without "grep: warning: ".
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Whether the search for the next match, past an empty one, goes on within a character, as glibc's does where nothing
    /// in the pattern needs characters.
    pub(crate) fn is_bytewise(&self) -> bool {
        self.bytewise
    }

    /// Room for the groups of a match.
    pub fn captures(&self) -> Captures {
        Captures { slots: vec![None; 2 * (self.groups + 1)] }
    }

    /// Whether the text, or with [`Options::lines`] a line of it, matches.
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
    /// [`Options::lines`].
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
    /// [`Options::lines`]. The end of the text is a place only in a last line that no newline ends.
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

    /// What every text that matches must contain; `None` when nothing can be proven.
    pub fn needles(&self) -> Option<Needles> {
        let mut hirs = Vec::new();
        for part in &self.parts {
            hirs.push(match part {
                Engine::Longest(longest) => longest.hir(),
                Engine::Words(words) => words.hir(),
                Engine::Backrefs(backrefs) => backrefs.hir(),
                Engine::First(_, hir) => hir,
                Engine::Perl(perl) => perl.hir()?,
            });
        }
        needles::needles(hirs)
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({:?})", self.options)
    }
}

/// `text` as a pattern that means just that.
fn literal(text: &str) -> Node {
    match text.chars().map(Node::Char).collect::<Vec<_>>() {
        chars if chars.is_empty() => Node::Empty,
        chars => Node::Concat(chars),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Options {
        Options::default()
    }

    /// Every match of `pattern` in `text`, as `sed 's/…/<&>/g'` would mark it.
    fn marked(pattern: &str, syntax: Syntax, text: &str) -> String {
        let pattern = match Pattern::posix(pattern, syntax, options()) {
            Ok(pattern) => pattern,
            Err(error) => return format!("error: {error}"),
        };
        let (mut out, mut at, mut last) = (String::new(), 0, None);
        while let Some(found) = pattern.find_at(text.as_bytes(), at).unwrap() {
            out += &text[at..found.start];
            if !found.is_empty() || last != Some(found.start) {
                out += &format!("<{}>", &text[found.clone()]);
            }
            at = found.end;
            last = Some(at);
            if found.is_empty() {
                let Some(next) = text[at..].chars().next() else { return out };
                out.push(next);
                at += next.len_utf8();
            }
        }
        out + &text[at..]
    }

    fn table(syntax: Syntax, text: &str, cases: &[(&str, &str)]) {
        for (pattern, expected) in cases {
            assert_eq!(&marked(pattern, syntax, text), expected, "{pattern}");
        }
    }

    #[test]
    fn words_are_of_letters_digits_and_underscores() {
        // A mark, a joiner, a tie and a variation selector are no part of a word; a vowel sign is.
        let text = "fo\u{301} fo\u{200d}fo fo\u{203f}x fo\u{fe0f} fo\u{345} xfo";
        let cases = [
            (r"\bfo\b", "<fo>\u{301} <fo>\u{200d}<fo> <fo>\u{203f}x <fo>\u{fe0f} fo\u{345} xfo"),
            (r"fo\>", "<fo>\u{301} <fo>\u{200d}<fo> <fo>\u{203f}x <fo>\u{fe0f} fo\u{345} x<fo>"),
            (r"\<fo", "<fo>\u{301} <fo>\u{200d}<fo> <fo>\u{203f}x <fo>\u{fe0f} <fo>\u{345} xfo"),
            (r"o\B", "fo\u{301} fo\u{200d}fo fo\u{203f}x fo\u{fe0f} f<o>\u{345} xfo"),
            (r"\(f\)o\b\1*", "<fo>\u{301} <fo>\u{200d}<fo> <fo>\u{203f}x <fo>\u{fe0f} fo\u{345} x<fo>"),
            (r"\b[a-z]*\b", "<fo>\u{301} <fo>\u{200d}<fo> <fo>\u{203f}<x> <fo>\u{fe0f} <>fo\u{345}<> <xfo>"),
        ];
        table(Syntax::SED, text, &cases);
        table(Syntax::SED, "x\u{301}", &[(r"\B", "x\u{301}<>"), (r"\(y*\)\1", "<>x<>\u{301}<>")]);
    }

    #[test]
    fn lines_with_words() {
        let whole = Options { lines: true, whole: Whole::Word, ..options() };
        let pattern = Pattern::posix("fo*", Syntax::GREP, whole).unwrap();
        let text = "xfo\nfo\u{fe0f}\nx\u{301}\nfo1\n_fo\u{301}\n\u{301}fo";
        let mut lines = Vec::new();
        let mut at = 0;
        while let Some(found) = pattern.line_at(text.as_bytes(), at).unwrap() {
            let start = text[..found].rfind('\n').map_or(0, |newline| newline + 1);
            let end = text[found..].find('\n').map_or(text.len(), |newline| found + newline);
            lines.push(&text[start..end]);
            at = end + 1;
        }
        assert_eq!(lines, ["fo\u{fe0f}", "\u{301}fo"]);
        assert_eq!(pattern.is_match("xfo\nfo\u{301}".as_bytes()), Ok(true));
        assert_eq!(pattern.is_match("xfo\nfo\u{345}\u{301}".as_bytes()), Ok(false));
    }

    #[test]
    fn basic_patterns_are_read_as_sed_reads_them() {
        table(
            Syntax::SED,
            "aab*a+b",
            &[
                (r"*a", "aab<*a>+b"),
                (r"\(*a\)", "aab<*a>+b"),
                (r"^*a", "aab*a+b"),
                (r"a**", "error: Invalid preceding regular expression"),
                (r"\{1\}a", "error: Invalid preceding regular expression"),
                (r"\|a", "<a><a>b<>*<a>+<>b<>"),
                (r"a^b", "aab*a+b"),
                (r"a$b", "aab*a+b"),
                (r"\+a", "aab*a+b"),
                (r"a\|*b", "<a><a>b*<a>+b"),
                (r"a*\{2\}", "error: Invalid preceding regular expression"),
                (r"\(^a\)", "<a>ab*a+b"),
                (r"x$\|b", "aa<b>*a+<b>"),
                (r"\(b$\)", "aab*a+<b>"),
                (r"\`a", "<a>ab*a+b"),
                (r"b\'", "aab*a+<b>"),
                (r"\x61", "<a><a>b*<a>+b"),
                (r"\d97", "<a><a>b*<a>+b"),
                (r"\o141", "<a><a>b*<a>+b"),
                (r"a\{1", r"error: Unmatched \{"),
                (r"a\{2,1\}", r"error: Invalid content of \{\}"),
                (r"a\{x\}", r"error: Invalid content of \{\}"),
                (r"\(a", r"error: Unmatched ( or \("),
                (r"a\)", r"error: Unmatched ) or \)"),
                (r"a\", "error: Trailing backslash"),
                (r"[a", "error: Unmatched [, [^, [:, [., or [="),
                (r"[[:foo:]]", "error: Invalid character class name"),
                (r"[[.foo.]]", "error: Invalid collation character"),
                (r"[z-a]", "error: Invalid range end"),
                (r"[a-c-e]", "error: Invalid range end"),
                (r"\1", "error: Invalid back reference"),
                (r"a\{32768\}", "error: Regular expression too big"),
                (r"\(a\)\1", "<aa>b*a+b"),
                (r"[*+]a\?", "aab<*a><+>b"),
                (r"[]b]", "aa<b>*a+<b>"),
                (r"[^]ab]", "aab<*>a<+>b"),
            ],
        );
        assert_eq!(marked(r"\n[\n\t]", Syntax::SED, "a\n\tb"), "a<\n\t>b");
    }

    #[test]
    fn extended_patterns_are_read_as_sed_reads_them() {
        table(
            Syntax::SED_EXTENDED,
            "aab*a+b{1}a",
            &[
                ("a{1", r"error: Unmatched \{"),
                ("a{x}", r"error: Invalid content of \{\}"),
                ("a)", r"error: Unmatched ) or \)"),
                ("*a", "error: Invalid preceding regular expression"),
                ("^*a", "error: Invalid preceding regular expression"),
                ("a|*b", "error: Invalid preceding regular expression"),
                ("{1}a", "error: Invalid preceding regular expression"),
                ("(^a)", "<a>ab*a+b{1}a"),
                ("a^b", "aab*a+b{1}a"),
                ("a{1}{2}", "<aa>b*a+b{1}a"),
                (r"\{", "aab*a+b<{>1}a"),
                ("}", "aab*a+b{1<}>a"),
                (r"(a)\1", "<aa>b*a+b{1}a"),
                ("(a)(b)\\3", "error: Invalid back reference"),
                ("a|ab", "<a><ab>*<a>+b{1}<a>"),
            ],
        );
    }

    #[test]
    fn grep_takes_what_makes_no_sense_as_text() {
        table(
            Syntax::EGREP,
            "aab*a+b{1}a",
            &[
                ("a{1", "aab*a+b{1}a"),
                ("b{1}a{", "aab*a+b{1}a"),
                (r"b\{1}a", "aab*a+<b{1}a>"),
                ("{1", "aab*a+b<{1>}a"),
                ("a)", "aab*a+b{1}a"),
                ("*b", "aa<b>*a+<b>{1}a"),
                ("{1}b", "aa<b>*a+<b>{1}a"),
                ("a{2,1}", r"error: Invalid content of \{\}"),
                ("[:alpha:]", "error: character class syntax is [[:space:]], not [:space:]"),
            ],
        );
        table(Syntax::GREP, "a{1}b", &[(r"\{1\}b", "a<{1}b>"), ("a|b", "a{1}b"), (r"a**", "<a>{<>1<>}<>b<>")]);
        let pattern = Pattern::posix("*b|+c|{1}d", Syntax::EGREP, options()).unwrap();
        assert_eq!(
            pattern.warnings(),
            ["* at start of expression", "+ at start of expression", "{...} at start of expression"]
        );
    }

    #[test]
    fn awk_has_its_own_escapes() {
        table(
            Syntax::AWK,
            "aab*a+b{1}a",
            &[
                ("*a", "aab<*a>+b{1}a"),
                ("{1}a", "aab*a+b<{1}a>"),
                (r"\ya", "<a>ab*<a>+b{1}<a>"),
                (r"\Ba", "a<a>b*a+b{1}a"),
                (r"a\>", "aab*<a>+b{1}<a>"),
                (r"[\]a]", "<a><a>b*<a>+b{1}<a>"),
                (r"a\53", "aab*<a+>b{1}a"),
                (r"(a)\1", "aab*a+b{1}a"),
            ],
        );
    }

    #[test]
    fn the_longest_of_the_leftmost_wins() {
        table(
            Syntax::EGREP,
            "abcd",
            &[("a|ab|abc", "<abc>d"), ("(a|ab)(c|bcd)", "<abcd>"), ("b*|b", "<>a<b>c<>d<>"), (r"\bab?|abcd", "<abcd>")],
        );
        let many = Pattern::new(&["ab", r"\(b\)\1", "abb"], Dialect::Posix(Syntax::GREP), options()).unwrap();
        assert_eq!(many.find_at(b"xabbx", 0), Ok(Some(1..4)));
        let fixed = Pattern::new(&["a.", "a.c"], Dialect::Fixed, options()).unwrap();
        assert_eq!(fixed.find_at(b"aba.c", 0), Ok(Some(2..5)));
        let none = Pattern::new(&[] as &[&str], Dialect::Fixed, options()).unwrap();
        assert_eq!(none.is_match(b""), Ok(false));
    }

    #[test]
    fn groups_are_those_of_the_longest_match() {
        let groups = |pattern: &str, syntax: Syntax, text: &str| {
            let pattern = Pattern::posix(pattern, syntax, options()).unwrap();
            let mut captures = pattern.captures();
            assert!(pattern.captures_at(text.as_bytes(), 0, &mut captures).unwrap());
            let group = |at| captures.get(at).map_or("-".to_string(), |range| text[range].to_string());
            (0..captures.len()).map(group).collect::<Vec<_>>().join("|")
        };
        assert_eq!(groups("(a|ab)(c|bcd)(d*)", Syntax::SED_EXTENDED, "xabcd"), "abcd|a|bcd|");
        assert_eq!(groups("(x)?(b)", Syntax::SED_EXTENDED, "ab"), "b|-|b");
        assert_eq!(groups(r"\(.\)\(.\)\2\1", Syntax::SED, "xabba"), "abba|a|b");
        assert_eq!(groups(r"é\(.*\)$", Syntax::SED, "aéb"), "éb|b");
    }

    #[test]
    fn bytes_that_are_not_utf8_are_matched_by_nothing() {
        let pattern = |text| Pattern::posix(text, Syntax::GREP, options()).unwrap();
        assert_eq!(pattern("a.b").is_match(b"a\xffb"), Ok(false));
        assert_eq!(pattern("a[^x]").is_match(b"a\xffb"), Ok(false));
        assert_eq!(pattern("b").find_at(b"a\xffb", 0), Ok(Some(2..3)));
        assert_eq!(pattern(r"\(b\)\1").find_at(b"a\xffbb", 0), Ok(Some(2..4)));
        assert_eq!(Pattern::new(&["b+"], Dialect::Perl, options()).unwrap().find_at(b"\xffabb", 0), Ok(Some(2..4)));
    }

    #[test]
    fn options_say_where_a_match_may_be() {
        let with = |text, options| Pattern::posix(text, Syntax::EGREP, options).unwrap();
        let word = Options { whole: Whole::Word, ..options() };
        assert_eq!(with("a+|aab", word).find_at(b"aab aa", 0), Ok(Some(0..3)));
        assert_eq!(with("a+", word).find_at(b"aab aa", 0), Ok(Some(4..6)));
        let line = Options { whole: Whole::Line, lines: true, ..options() };
        assert_eq!(with("a|ab", line).find_at(b"abc\nab\n", 0), Ok(Some(4..6)));
        let text = Options { whole: Whole::Line, ..options() };
        assert_eq!(with("a|ab", text).is_match(b"abc\nab"), Ok(false));
        let folded = Options { ignore_case: true, ..options() };
        assert_eq!(with("é[^a-c]", folded).find_at("ÉAÉD".as_bytes(), 0), Ok(Some(3..6)));
        assert_eq!(with("(a)\\1", folded).is_match(b"aA"), Ok(true));
        let anchors = Options { anchors_at_newlines: true, ..options() };
        assert_eq!(with("^b.*", anchors).find_at(b"a\nb\nc", 0), Ok(Some(2..5)));
    }

    #[test]
    fn lines_are_found_in_a_whole_page() {
        let lines = Options { lines: true, ..options() };
        let at = |text: &str, page: &[u8], from| {
            Pattern::posix(text, Syntax::GREP, lines).unwrap().line_at(page, from).unwrap()
        };
        assert_eq!(at("b", b"a\nb\n", 0), Some(3));
        assert_eq!(at("^$", b"a\nb\n", 0), None);
        assert_eq!(at("^$", b"a\n\nb", 0), Some(2));
        assert_eq!(at("b$", b"a\nb", 0), Some(3));
        assert_eq!(at("a[^x]*b", b"a\nb\n", 0), None);
        assert_eq!(at("x*", b"a\n", 2), None);
        assert_eq!(at(r"\(b\)\1", b"ab\nbb\n", 0), Some(3));
        let perl = Pattern::new(&[r"^\s*b"], Dialect::Perl, lines).unwrap();
        assert_eq!(perl.line_at(b"a\n\n b\n", 0), Ok(Some(3)));
    }

    #[test]
    fn what_takes_too_long_is_an_error() {
        let slow = Pattern::posix(r"\(a*\)\(a*\)\(a*\)\(a*\)b\1\2\3\4c", Syntax::GREP, options()).unwrap();
        let error = slow.is_match(("a".repeat(300) + "b" + &"a".repeat(299) + "c").as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), "too many steps to match the pattern");
        let perl = Pattern::new(&["(x+x+)+[yz]"], Dialect::Perl, options()).unwrap();
        let error = perl.is_match("x".repeat(4000).as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), "exceeded PCRE's backtracking limit");
        let big = Pattern::posix(r"\(\(a\{1000\}\)\{1000\}\)\{1000\}", Syntax::GREP, options()).unwrap_err();
        assert_eq!(big.to_string(), "Regular expression too big");
        let deep = "(".repeat(5000) + &")".repeat(5000);
        assert!(Pattern::posix(&deep, Syntax::EGREP, options()).is_err());
    }

    #[test]
    fn rusts_dialect_is_leftmost_first_and_keeps_to_lines() {
        let lines = Options { lines: true, ..options() };
        let rust = |patterns: &[&str], options| Pattern::new(patterns, Dialect::Rust, options);
        assert_eq!(rust(&["a|ab"], lines).unwrap().find_at(b"xab", 0), Ok(Some(1..2)));
        assert_eq!(rust(&[r"b\s+c|^d$"], lines).unwrap().line_at(b"b\nc\nd\n", 0), Ok(Some(5)));
        assert!(rust(&["a\\nb"], lines).unwrap_err().to_string().starts_with("the literal \"\\n\" is not allowed"));
        assert_eq!(rust(&["b\\s+c"], options()).unwrap().find_at(b"b\nc", 0), Ok(Some(0..3)));
        let many = rust(&["(x)1", "(?<n>y)2"], options()).unwrap();
        let mut captures = many.captures();
        assert_eq!(many.captures_at(b"-y2", 0, &mut captures), Ok(true));
        assert_eq!((captures.get(1), captures.get(2)), (None, Some(1..2)));
        assert_eq!(many.names(), [None, None, Some("n".to_string())]);
        assert_eq!(rust(&["("], lines).unwrap_err().to_string().lines().last(), Some("error: unclosed group"));
    }

    #[test]
    fn perl_says_what_pcre_says() {
        let error = |text| Pattern::new(&[text], Dialect::Perl, options()).unwrap_err().to_string();
        assert_eq!(error("(a"), "missing closing parenthesis");
        let digits = Pattern::new(&[r"\d+"], Dialect::Perl, options()).unwrap();
        assert_eq!(digits.find_at("٣12".as_bytes(), 0), Ok(Some(2..4)));
        let settings = Pattern::new(&["(*UCP)(*NO_START_OPT)a(*COMMIT)b"], Dialect::Perl, options()).unwrap();
        assert_eq!(settings.is_match(b"ab"), Ok(true));
        let any = Pattern::new(&[r"\d+"], Dialect::Perl, Options { unicode_digits: true, ..options() }).unwrap();
        assert_eq!(any.find_at("٣12".as_bytes(), 0), Ok(Some(0..4)));
        let words = Pattern::new(&[r"(?<w>\w+)"], Dialect::Perl, options()).unwrap();
        assert_eq!(words.find_at("é1".as_bytes(), 0), Ok(Some(0..3)));
        assert_eq!(words.names(), [None, Some("w".to_string())]);
    }
}
