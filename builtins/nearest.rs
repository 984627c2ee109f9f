//! The known word that a user probably meant.

/// The candidate nearest to `word` by edit distance, if one is near enough to be worth naming.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    let limit = match length {
        0..=5 => 1,
        6..=9 => 2,
        _ => 3,
    };
    // A short word has neighbours everywhere; who mistypes one seldom misses its first letter.
    let begins_alike = |candidate: &str| length > 3 || candidate.chars().next() == word.chars().next();
    candidates
        // What differs in length by more is too far, and comparing a word of a megabyte takes seconds.
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= limit && begins_alike(candidate))
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_named_and_far_ones_are_not() {
        let names = ["grep", "sed", "head"];
        assert_eq!(nearest("gerp", names.into_iter()), Some("grep"));
        assert_eq!(nearest("haed", names.into_iter()), Some("head"));
        assert_eq!(nearest("kubectl", names.into_iter()), None);
        assert_eq!(nearest("fed", names.into_iter()), None);
        assert_eq!(nearest("expr", ["exit"].into_iter()), None);
    }
}
