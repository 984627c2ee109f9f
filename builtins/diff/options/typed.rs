//! The words as they were typed: the old way to write numbers among the letters, and what of them is repeated in the
//! output.
use super::TABLE;
use crate::{Quoting, args::Takes};

/// The words without the digits among their letters, which are the old way to write a number of context lines: `-2`,
/// `-u0`.
pub(super) fn without_digits(words: &[String]) -> (Vec<String>, Option<usize>) {
    let takes_value =
        |letter: char| TABLE.iter().any(|opt| opt.short == Some(letter) && matches!(opt.takes, Takes::Value(_)));
    let mut context: Option<String> = None;
    let mut dashes = false;
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        dashes |= word == "--";
        let cluster = word.strip_prefix('-').filter(|cluster| !dashes && !cluster.starts_with('-'));
        let Some(cluster) = cluster.filter(|cluster| !cluster.is_empty()) else {
            kept.push(word.clone());
            continue;
        };
        // From a letter that takes a value on, the cluster is that value.
        let value = cluster.find(takes_value).unwrap_or(cluster.len());
        let (letters, value) = cluster.split_at(value);
        let mut follows_digit = false;
        for digit in letters.chars() {
            if digit.is_ascii_digit() {
                let digits = context.get_or_insert_default();
                if !std::mem::replace(&mut follows_digit, true) {
                    digits.clear();
                }
                digits.push(digit);
            } else {
                follows_digit = false;
            }
        }
        let letters: String = letters.chars().filter(|letter| !letter.is_ascii_digit()).collect();
        if !letters.is_empty() || !value.is_empty() {
            kept.push(format!("-{letters}{value}"));
        }
        if value.chars().count() == 1 {
            kept.extend(words.next().cloned());
        }
    }
    (kept, context.map(|digits| digits.parse().unwrap_or(usize::MAX)))
}

/// The options among `words`, each after a blank, as the lines `diff -r a b` repeat them.
pub(super) fn repeated(words: &[String]) -> String {
    let takes_word = |word: &str| {
        let Some(cluster) = word.strip_prefix('-').filter(|cluster| !cluster.starts_with('-')) else {
            return false;
        };
        let taker = cluster.find(|letter| "CUWFLxXSIDF".contains(letter));
        taker.is_some_and(|at| at + 1 == cluster.len())
    };
    let mut typed = String::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--" {
            break;
        }
        if word.len() < 2 || !word.starts_with('-') {
            continue;
        }
        typed += &format!(" {}", Quoting::Shell.quote(word));
        if takes_word(word)
            && let Some(value) = words.next()
        {
            typed += &format!(" {}", Quoting::Shell.quote(value));
        }
    }
    typed
}
