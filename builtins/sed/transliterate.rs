//! `y/abc/xyz/`: one character for another.
use std::collections::HashMap;

/// Which character becomes which.
pub(super) enum Transliteration {
    /// Only ASCII is named, so bytes can be looked up one by one, whatever the text is.
    Ascii(Box<[u8; 128]>),
    /// Characters; bytes that are no UTF-8 are characters of their own.
    Characters(HashMap<Vec<u8>, Vec<u8>>),
}

impl Transliteration {
    /// `None` when the two strings differ in length.
    pub(super) fn new(from: &[u8], to: &[u8]) -> Option<Transliteration> {
        let (from, to): (Vec<&[u8]>, Vec<&[u8]>) = (characters(from).collect(), characters(to).collect());
        if from.len() != to.len() {
            return None;
        }
        let pairs = || from.iter().zip(&to);
        if pairs().all(|(from, to)| from.is_ascii() && to.is_ascii()) {
            let mut table = Box::new(std::array::from_fn(|at| at as u8));
            // The first of several meanings wins.
            pairs().rev().for_each(|(from, to)| table[usize::from(from[0])] = to[0]);
            return Some(Transliteration::Ascii(table));
        }
        let mut map = HashMap::new();
        for (from, to) in pairs() {
            map.entry(from.to_vec()).or_insert_with(|| to.to_vec());
        }
        Some(Transliteration::Characters(map))
    }

    /// Replace every character of `text`.
    pub(super) fn apply(&self, text: &mut Vec<u8>) {
        match self {
            Transliteration::Ascii(table) => {
                for byte in text {
                    *byte = table.get(usize::from(*byte)).copied().unwrap_or(*byte);
                }
            }
            Transliteration::Characters(map) => {
                let replaced = characters(text).flat_map(|c| map.get(c).map_or(c, Vec::as_slice)).copied().collect();
                *text = replaced;
            }
        }
    }
}

/// The characters of `text`; each byte that is not part of one stands alone.
pub(super) fn characters(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.utf8_chunks().flat_map(|chunk| {
        let valid = chunk.valid();
        let bytes = chunk.invalid();
        valid
            .char_indices()
            .map(move |(at, c)| &valid.as_bytes()[at..at + c.len_utf8()])
            .chain((0..bytes.len()).map(move |at| &bytes[at..=at]))
    })
}
