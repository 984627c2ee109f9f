//! Paths of pages: their order, and what they say of where a page is on the web.
use std::cmp::Ordering;

/// The order of paths: as bytes, with `/` before every other byte, so that a folder's subtree is one run and the names
/// in a folder are sorted by bytes.
pub(crate) fn order(a: impl AsRef<[u8]>, b: impl AsRef<[u8]>) -> Ordering {
    let (a, b) = (a.as_ref(), b.as_ref());
    let same = common(a, b);
    let rank = |byte: &u8| if *byte == b'/' { 0 } else { *byte };
    a.get(same).map(rank).cmp(&b.get(same).map(rank))
}

/// How many bytes are the same at the begin of both. Neighbours share their folder's path, so they are compared by
/// eights.
fn common(a: &[u8], b: &[u8]) -> usize {
    let eights = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
    let mut same = 0;
    for (x, y) in eights {
        let difference = u64::from_le_bytes(*x) ^ u64::from_le_bytes(*y);
        if difference != 0 {
            return same + difference.trailing_zeros() as usize / 8;
        }
        same += 8;
    }
    same + a[same..].iter().zip(&b[same..]).take_while(|(x, y)| x == y).count()
}

/// The suffixes that a page may be named without, and is published without.
pub(crate) const SUFFIXES: [&str; 2] = [".mdx", ".md"];

/// Where a page is on the web, relative to the site's address, unless the tree says otherwise: at its path, without its
/// suffix, and without a last `index`.
pub(crate) fn usual_address(path: &str) -> &str {
    let Some(page) = SUFFIXES.iter().find_map(|suffix| path.strip_suffix(suffix)) else { return path };
    match page.strip_suffix("index") {
        Some("") => "",
        Some(folder) => folder.strip_suffix('/').unwrap_or(page),
        None => page,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_stands_before_whatever_begins_like_it() {
        let sorted = ["", "a", "a/b", "a/b/c", "a-b", "ab", "a-folder-of-some-length/x", "a-folder-of-some-length-/x"];
        let sorted = sorted.map(|path| path.replace("a-folder", "b-folder"));
        for (at, first) in sorted.iter().enumerate() {
            assert_eq!(order(first, first), Ordering::Equal);
            for second in &sorted[at + 1..] {
                assert_eq!(
                    (order(first, second), order(second, first)),
                    (Ordering::Less, Ordering::Greater),
                    "{second}"
                );
            }
        }
    }

    #[test]
    fn what_two_paths_have_in_common_ends_at_any_byte() {
        let long = "0123456789abcdefghij";
        for at in 0..=long.len() {
            let other = format!("{}~~~~~~~~~~~~~~~~~~~~", &long[..at]);
            assert_eq!(common(long.as_bytes(), other.as_bytes()), at);
            assert_eq!(common(long.as_bytes(), &long.as_bytes()[..at]), at);
        }
    }
}
