//! The text of a tree's record: packed where it is long, and split where a server takes no text as long as that.
use base64::Engine;
use std::io::Write;

/// Trees up to this size stay readable JSON.
const PLAIN_TREE: usize = 16_384;

/// A tree as its record holds it: readable while it is small.
pub(super) fn packed(json: &[u8]) -> String {
    if json.len() <= PLAIN_TREE {
        return String::from_utf8_lossy(json).into_owned();
    }
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    // Writing to memory does not fail.
    let _ = gzip.write_all(json);
    base64::engine::general_purpose::STANDARD.encode(gzip.finish().unwrap_or_default())
}

/// `text` in parts of at most `limit` bytes, none inside a character; one part at least.
pub(super) fn split(text: &str, limit: usize) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), text);
    loop {
        let (part, more) = rest.split_at(rest.floor_char_boundary(limit));
        parts.push(part);
        if more.is_empty() {
            return parts;
        }
        rest = more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_split_between_characters() {
        assert_eq!(split("", 4), [""]);
        assert_eq!(split("abcd", 4), ["abcd"]);
        assert_eq!(split("aéébc", 4), ["aé", "ébc"]);
        assert!(packed(b"{}").starts_with('{'));
        assert!(!packed(&vec![b' '; PLAIN_TREE + 1]).starts_with(' '));
    }
}
