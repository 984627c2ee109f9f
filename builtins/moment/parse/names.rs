//! What the words of a date text stand for: months, days of the week, units, zones.
use crate::moment::{MONTHS, WEEKDAYS};

/// The months, days and seconds of a unit.
pub(super) fn unit(name: &str) -> Option<(i64, i64, i64)> {
    Some(match name.strip_suffix('s').filter(|name| name.len() > 2).unwrap_or(name) {
        "year" => (12, 0, 0),
        "month" => (1, 0, 0),
        "fortnight" => (0, 14, 0),
        "week" => (0, 7, 0),
        "day" => (0, 1, 0),
        "hour" => (0, 0, 3600),
        "minute" | "min" => (0, 0, 60),
        "second" | "sec" => (0, 0, 1),
        _ => return None,
    })
}

/// The month of a name or its first three letters.
pub(super) fn month(word: &str) -> Option<i64> {
    named(word, &MONTHS, &[("sept", 9)], 1)
}

/// The day of a name or its first three letters, Sunday being 0.
pub(super) fn weekday(word: &str) -> Option<i64> {
    named(word, &WEEKDAYS, &[("tues", 2), ("wednes", 3), ("thur", 4), ("thurs", 4)], 0)
}

fn named(word: &str, names: &[&str], others: &[(&str, i64)], first: i64) -> Option<i64> {
    let is = |name: &str| word.eq_ignore_ascii_case(name) || word.eq_ignore_ascii_case(&name[..3]);
    let at = names.iter().position(|name| is(name)).map(|at| at as i64 + first);
    at.or_else(|| others.iter().find(|(name, _)| *name == word).map(|(_, number)| *number))
}

/// How often a unit is taken behind this word.
pub(super) fn ordinal(word: &str) -> Option<i64> {
    const WORDS: [&str; 12] = [
        "first", "", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
    ];
    match word {
        "last" => Some(-1),
        "this" => Some(0),
        "next" => Some(1),
        word => WORDS.iter().position(|name| *name == word).map(|at| at as i64 + 1),
    }
}

/// Minutes east of UTC.
pub(super) fn zone(word: &str) -> Option<i64> {
    Some(match word {
        "utc" | "gmt" | "z" | "ut" | "wet" => 0,
        "bst" | "cet" | "met" | "west" => 60,
        "cest" | "mest" | "eet" => 120,
        "eest" | "msk" => 180,
        "ist" => 330,
        "jst" | "kst" => 540,
        "est" => -300,
        "edt" => -240,
        "cst" => -360,
        "cdt" => -300,
        "mst" => -420,
        "mdt" => -360,
        "pst" => -480,
        "pdt" => -420,
        _ => return None,
    })
}
