//! The ids of chunks. docsh names a chunk by its page, the version of the page and its number, so that a changed page
//! is written beside the old one and the tree decides between them.
use crate::{store::TREE_ID, tree::Hash};

/// The longest id that every Chroma takes, in bytes.
const MAX_ID: usize = 128;

/// The ids of all chunks of a page of this version: `<slug>@<hash8>#<n>`, or, where one would be too long,
/// `~<32 digits of the slug's hash>@<hash8>#<n>`.
pub(super) fn versioned(slug: &str, hash: Hash, chunks: u32) -> impl Iterator<Item = String> {
    let version = hash.short();
    let longest = format!("@{version}#{}", chunks.saturating_sub(1)).len();
    let prefix = match slug.len() + longest > MAX_ID {
        true => format!("{}@{version}", short_prefix(slug)),
        false => format!("{slug}@{version}"),
    };
    (0..chunks).map(move |n| format!("{prefix}#{n}"))
}

/// The ids of a page that somebody else wrote with the number of the chunk at the end.
pub(super) fn numbered(slug: &str, separator: &str, chunks: u32) -> impl Iterator<Item = String> {
    (0..chunks).map(move |n| format!("{slug}{separator}{n}"))
}

/// What stands for the slug in an id that would be too long.
pub(super) fn short_prefix(slug: &str) -> String {
    format!("~{}", &Hash::of(slug.as_bytes()).to_string()[..32])
}

/// The part of an id that docsh wrote which names the page: the slug, or its short prefix. `None` for an id of another
/// form, the tree's records included.
pub(super) fn page_of(id: &str) -> Option<&str> {
    page_and_version(id).map(|(page, _)| page)
}

/// The same, and the beginning of the hash of the page's text.
pub(super) fn page_and_version(id: &str) -> Option<(&str, &str)> {
    let (version, number) = id.rsplit_once('#')?;
    let (page, hash) = version.rsplit_once('@')?;
    let is_ours = hash.len() == 8
        && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && !page.is_empty()
        && page != TREE_ID;
    is_ours.then_some((page, hash))
}

/// The ids of the parts of a tree after the first, which is [`TREE_ID`] itself.
pub(super) fn tree_parts(version: &str, parts: u32) -> impl Iterator<Item = String> {
    (1..parts).map(move |n| format!("{TREE_ID}@{version}#{n}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_name_page_version_and_number() {
        let hash = Hash::of(b"text");
        let ids: Vec<String> = versioned("auth/oauth.mdx", hash, 2).collect();
        assert_eq!(ids, ["auth/oauth.mdx@982d9e3e#0", "auth/oauth.mdx@982d9e3e#1"]);
        assert_eq!(page_of(&ids[0]), Some("auth/oauth.mdx"));
        assert_eq!(numbered("a", "::", 2).collect::<Vec<_>>(), ["a::0", "a::1"]);
    }

    #[test]
    fn long_ids_are_shortened_for_the_whole_page() {
        let hash = Hash::of(b"text");
        let fits = "x".repeat(128 - "@982d9e3e#9".len());
        assert_eq!(versioned(&fits, hash, 10).last().unwrap().len(), 128);
        let ids: Vec<String> = versioned(&fits, hash, 11).collect();
        assert!(ids.iter().all(|id| page_of(id) == Some(&short_prefix(&fits))), "{ids:?}");
    }

    #[test]
    fn other_ids_name_no_page() {
        for id in ["__path_tree__", "__path_tree__@0123abcd#1", "a#1", "a::1", "a@12#1", "a@0123abcd#", "@0123abcd#1"] {
            assert_eq!(page_of(id), None, "{id}");
        }
    }
}
