//! The dialects of POSIX patterns, told apart by what the GNU tools accept.
//!
//! A dialect is a set of small facts, as in glibc's `RE_SYNTAX_*`, and the parser asks these facts and nothing else.

/// How an operator is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// As the bare character; with a backslash it is the character itself.
    Bare,
    /// With a backslash; bare it is the character itself.
    Escaped,
    /// Not at all: the dialect lacks the operator.
    Never,
}

/// What `*` (or `+`, `?`, an interval) means where there is nothing to repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leading {
    /// The character itself.
    Literal,
    /// Nothing; grep warns.
    Skipped,
    /// "Invalid preceding regular expression".
    Invalid,
}

/// Which backslash sequences stand for a character, beyond the operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escapes {
    /// None.
    None,
    /// sed's: `\n \t \a \f \v \r`, `\cX`, `\dNNN`, `\oNNN`, `\xHH`; in brackets too.
    Sed,
    /// awk's: `\n \t \a \b \f \v \r`, octal, `\xHH`, and `\y` for a word edge; in brackets too.
    Awk,
}

/// A dialect of POSIX patterns.
#[derive(Clone, Copy, Debug)]
pub struct Syntax {
    pub(super) groups: Written,
    pub(super) intervals: Written,
    pub(super) alternation: Written,
    pub(super) plus: Written,
    /// `^` and `$` are anchors wherever they stand.
    pub(super) anchors_anywhere: bool,
    pub(super) leading: Leading,
    /// `a**`, `a*\{2\}` and a leading interval are errors.
    pub(super) strict_repeats: bool,
    /// An interval that makes no sense is taken as text.
    pub(super) bad_interval_is_text: bool,
    /// A `)` that closes nothing is taken as text.
    pub(super) stray_close_is_text: bool,
    /// `\w \W \s \S \b \B \< \>` and the buffer anchors.
    pub(super) gnu_operators: bool,
    pub(super) back_references: bool,
    /// `[:alpha:]` inside brackets.
    pub(super) classes: bool,
    /// A backslash escapes inside brackets.
    pub(super) list_escapes: bool,
    pub(super) dot_matches_newline: bool,
    /// A newline in the pattern is an alternation.
    pub(super) newline_alternates: bool,
    /// `[z-a]` is an error and not an empty set.
    pub(super) strict_ranges: bool,
    pub(super) escapes: Escapes,
    /// Collect grep's warnings, and refuse `[:space:]` outside of brackets.
    pub(super) warns: bool,
}

impl Syntax {
    /// `RE_SYNTAX_POSIX_BASIC`: `expr`, `csplit`, `nl`, `find -regextype posix-basic`.
    pub const POSIX_BASIC: Syntax = Syntax {
        groups: Written::Escaped,
        intervals: Written::Escaped,
        alternation: Written::Escaped,
        plus: Written::Escaped,
        anchors_anywhere: false,
        leading: Leading::Literal,
        strict_repeats: true,
        bad_interval_is_text: false,
        stray_close_is_text: false,
        gnu_operators: true,
        back_references: true,
        classes: true,
        list_escapes: false,
        dot_matches_newline: true,
        newline_alternates: false,
        strict_ranges: true,
        escapes: Escapes::None,
        warns: false,
    };

    /// `RE_SYNTAX_POSIX_MINIMAL_BASIC`: no `\+ \? \|`.
    pub const POSIX_MINIMAL_BASIC: Syntax =
        Syntax { alternation: Written::Never, plus: Written::Never, strict_repeats: false, ..Syntax::POSIX_BASIC };

    /// `RE_SYNTAX_POSIX_EXTENDED`: bash's `[[ =~ ]]`, `less`, `find -regextype posix-extended`.
    pub const POSIX_EXTENDED: Syntax = Syntax {
        groups: Written::Bare,
        intervals: Written::Bare,
        alternation: Written::Bare,
        plus: Written::Bare,
        anchors_anywhere: true,
        leading: Leading::Invalid,
        strict_repeats: false,
        stray_close_is_text: true,
        ..Syntax::POSIX_BASIC
    };

    /// `grep`.
    pub const GREP: Syntax =
        Syntax { strict_repeats: false, newline_alternates: true, warns: true, ..Syntax::POSIX_BASIC };

    /// `grep -E`.
    pub const EGREP: Syntax = Syntax {
        leading: Leading::Skipped,
        bad_interval_is_text: true,
        newline_alternates: true,
        warns: true,
        ..Syntax::POSIX_EXTENDED
    };

    /// `sed`.
    pub const SED: Syntax = Syntax { escapes: Escapes::Sed, ..Syntax::POSIX_BASIC };

    /// `sed -E`.
    pub const SED_EXTENDED: Syntax =
        Syntax { escapes: Escapes::Sed, stray_close_is_text: false, ..Syntax::POSIX_EXTENDED };

    /// `sed --posix`: without `\+ \? \|`.
    pub const SED_POSIX: Syntax = Syntax { alternation: Written::Never, plus: Written::Never, ..Syntax::SED };

    /// gawk, as the text stands between slashes or in a string whose own escapes have been read.
    pub const AWK: Syntax = Syntax {
        leading: Leading::Literal,
        bad_interval_is_text: true,
        back_references: false,
        list_escapes: true,
        escapes: Escapes::Awk,
        ..Syntax::POSIX_EXTENDED
    };

    /// `find -regextype gnu-awk`: [`Syntax::AWK`] without awk's own escapes.
    pub const GNU_AWK: Syntax = Syntax { back_references: true, escapes: Escapes::None, ..Syntax::AWK };

    /// `find -regextype posix-awk`.
    pub const POSIX_AWK: Syntax =
        Syntax { list_escapes: true, bad_interval_is_text: true, gnu_operators: false, ..Syntax::POSIX_EXTENDED };

    /// `find -regextype awk`: as awk was before POSIX.
    pub const OLD_AWK: Syntax = Syntax {
        intervals: Written::Never,
        leading: Leading::Literal,
        gnu_operators: false,
        back_references: false,
        list_escapes: true,
        ..Syntax::POSIX_EXTENDED
    };

    /// `find -regextype emacs`.
    pub const EMACS: Syntax = Syntax {
        intervals: Written::Never,
        plus: Written::Bare,
        classes: false,
        strict_repeats: false,
        dot_matches_newline: false,
        strict_ranges: false,
        ..Syntax::POSIX_BASIC
    };

    /// `find -regex` when nothing else is asked for: [`Syntax::EMACS`] with a dot that matches a newline.
    pub const FIND: Syntax = Syntax { dot_matches_newline: true, ..Syntax::EMACS };

    /// The names that `find -regextype` knows, in the order in which it lists them.
    pub const FIND_NAMES: [&'static str; 13] = [
        "findutils-default",
        "ed",
        "emacs",
        "gnu-awk",
        "grep",
        "posix-awk",
        "awk",
        "posix-basic",
        "posix-egrep",
        "egrep",
        "posix-extended",
        "posix-minimal-basic",
        "sed",
    ];

    /// The dialect that `find -regextype` calls `name`.
    pub fn named(name: &str) -> Option<Syntax> {
        const QUIET_GREP: Syntax = Syntax { warns: false, ..Syntax::GREP };
        const QUIET_EGREP: Syntax = Syntax { warns: false, ..Syntax::EGREP };
        Some(match name {
            "findutils-default" => Syntax::FIND,
            "ed" | "sed" | "posix-basic" => Syntax::POSIX_BASIC,
            "emacs" => Syntax::EMACS,
            "gnu-awk" => Syntax::GNU_AWK,
            "grep" => QUIET_GREP,
            "posix-awk" => Syntax::POSIX_AWK,
            "awk" => Syntax::OLD_AWK,
            "posix-egrep" | "egrep" => QUIET_EGREP,
            "posix-extended" => Syntax::POSIX_EXTENDED,
            "posix-minimal-basic" => Syntax::POSIX_MINIMAL_BASIC,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_name_is_known() {
        assert!(Syntax::FIND_NAMES.iter().all(|name| Syntax::named(name).is_some()));
        assert!(Syntax::named("perl").is_none());
    }
}
