//! Sets of characters: POSIX classes as the C.UTF-8 locale has them, from Unicode's properties.
use regex_syntax::{
    Parser,
    hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind},
};
use std::sync::LazyLock;

/// The set of the POSIX class `name`; `None` for a name that there is not.
pub(crate) fn posix(name: &str) -> Option<&'static ClassUnicode> {
    static ALPHA: Lazy = Lazy::new(|| property(r"[\p{Alphabetic}\p{Nd}--0-9]"));
    static ALNUM: Lazy = Lazy::new(|| property(r"[\p{Alphabetic}\p{Nd}]"));
    static BLANK: Lazy = Lazy::new(|| property(r"[\t\p{Zs}--\u{A0}\u{2007}\u{202F}]"));
    static CNTRL: Lazy = Lazy::new(|| property(r"[\p{Cc}\u{2028}\u{2029}]"));
    static DIGIT: Lazy = Lazy::new(|| property("[0-9]"));
    static GRAPH: Lazy = Lazy::new(|| without(&PRINT, &SPACE));
    static LOWER: Lazy = Lazy::new(|| property(r"\p{Lowercase}"));
    static PRINT: Lazy = Lazy::new(|| property(r"[^\p{Cc}\p{Cn}\u{2028}\u{2029}]"));
    static PUNCT: Lazy = Lazy::new(|| without(&GRAPH, &ALNUM));
    static SPACE: Lazy = Lazy::new(|| property(r"[\t-\r\p{Zs}\u{2028}\u{2029}--\u{A0}\u{2007}\u{202F}]"));
    static UPPER: Lazy = Lazy::new(|| property(r"\p{Uppercase}"));
    static XDIGIT: Lazy = Lazy::new(|| property("[0-9A-Fa-f]"));
    Some(match name {
        "alpha" => &ALPHA,
        "alnum" => &ALNUM,
        "blank" => &BLANK,
        "cntrl" => &CNTRL,
        "digit" => &DIGIT,
        "graph" => &GRAPH,
        "lower" => &LOWER,
        "print" => &PRINT,
        "punct" => &PUNCT,
        "space" => &SPACE,
        "upper" => &UPPER,
        "xdigit" => &XDIGIT,
        _ => return None,
    })
}

/// What `\w` matches: letters, digits and `_`.
pub(crate) fn word() -> &'static ClassUnicode {
    static WORD: Lazy = Lazy::new(|| property(r"[_\p{Alphabetic}\p{Nd}]"));
    &WORD
}

/// What Unicode counts among the letters of a word and [`word`] does not: combining marks, joiners, ties.
pub(super) fn stray() -> &'static ClassUnicode {
    static STRAY: Lazy = Lazy::new(|| property(r"[\p{M}\p{Pc}\p{Join_Control}--_\p{Alphabetic}\p{Nd}]"));
    &STRAY
}

fn without(class: &ClassUnicode, other: &ClassUnicode) -> ClassUnicode {
    let mut rest = class.clone();
    rest.difference(other);
    rest
}

/// The set from `first` to `last`.
pub(super) fn range(first: char, last: char) -> ClassUnicode {
    ClassUnicode::new([ClassUnicodeRange::new(first, last)])
}

/// Whether `c` is in `class`.
pub(crate) fn contains(class: &ClassUnicode, c: char) -> bool {
    let ranges = class.ranges();
    let at = ranges.partition_point(|range| range.end() < c);
    ranges.get(at).is_some_and(|range| range.start() <= c)
}

type Lazy = LazyLock<ClassUnicode>;

/// A set written in the syntax of the `regex` crate. The expressions are those above and no others.
fn property(expression: &str) -> ClassUnicode {
    match Parser::new().parse(expression).map(|hir| hir.into_kind()) {
        Ok(HirKind::Class(Class::Unicode(class))) => class,
        _ => unreachable!("the expression of a class is a class: {expression}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_those_of_the_c_utf8_locale() {
        let table = [
            ("alpha", "aé字٣", "1_ -"),
            ("alnum", "a1é", "_-"),
            ("digit", "09", "٣a"),
            ("blank", " \t\u{3000}", "\n\u{A0}"),
            ("space", " \t\n\r\u{2028}", "\u{A0}a"),
            ("punct", "!-_$+~—。🎉\u{A0}", "a1 \n"),
            ("graph", "a!é🎉", " \n\t"),
            ("print", "a! é", "\n\t\u{2028}"),
            ("cntrl", "\n\t\u{7f}\u{2028}", "a "),
            ("upper", "AÉ", "aé1"),
            ("lower", "aéß", "AÉ1"),
            ("xdigit", "0afAF", "gé"),
        ];
        for (name, inside, outside) in table {
            let class = posix(name).unwrap();
            assert!(inside.chars().all(|c| contains(class, c)), "{name}");
            assert!(!outside.chars().any(|c| contains(class, c)), "{name}");
        }
    }
}
