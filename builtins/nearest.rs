//! The known word that a user probably meant.

/// The candidate nearest to `word` by edit distance, if one is near enough to be worth naming.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match word.chars().count() {
        0..=5 => 1,
        6..=9 => 2,
        _ => 3,
    };
    // A short word has neighbours everywhere; who mistypes one seldom misses its first letter.
    let begins_alike = |candidate: &str| word.chars().count() > 3 || candidate.chars().next() == word.chars().next();
    candidates
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.chars().count())
        .filter(|(_, candidate)| begins_alike(candidate))
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
