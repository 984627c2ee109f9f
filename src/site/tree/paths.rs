//! Paths of pages: their order, and what they say of where a page is on the web.
use std::cmp::Ordering;

/// The order of paths: as bytes, with `/` before every other byte, so that a folder's subtree is one run and the names
/// in a folder are sorted by bytes.
pub(crate) fn order(a: impl AsRef<[u8]>, b: impl AsRef<[u8]>) -> Ordering {
    let (a, b) = (a.as_ref(), b.as_ref());
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let rank = |byte: &u8| if *byte == b'/' { 0 } else { *byte };
    a.get(same).map(rank).cmp(&b.get(same).map(rank))
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
