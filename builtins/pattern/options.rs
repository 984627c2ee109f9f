//! How patterns are read, and what a match must be.
use super::Syntax;

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
