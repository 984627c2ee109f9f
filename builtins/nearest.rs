//! The known word that a user probably meant.

/// The candidate nearest to `word` by edit distance, if one is near enough to be worth naming.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match word.chars().count() {
        0..=2 => 1,
        3..=5 => 2,
        _ => 3,
    };
    candidates
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
    }
}
