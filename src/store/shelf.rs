//! The tier between a process's memory and its store: page text that several processes share, and answers to searches.
//!
//! A shelf holds text without identity, under keys that name the site, the page and its version; it may lose anything
//! at any time. What it gives is checked against the tree's hash before it counts.
use crate::tree::{Hash, Layout, TreeVersion};
use bytes::Bytes;
use docsh_builtins::{Cancel, Needles};

/// Text that outlives the process.
pub trait Shelf: Send + Sync {
    /// What is there under each key. A shelf that is slow or gone has nothing.
    fn get(&self, keys: &[ShelfKey], cancel: &Cancel) -> Vec<Option<Bytes>>;

    /// Keep these.
    fn put(&self, texts: &[(ShelfKey, Bytes)], cancel: &Cancel);

    /// What has kept it from serving, in words for whoever runs docsh; told once.
    fn trouble(&self) -> Option<&'static str> {
        None
    }
}

/// Names a version of a page of a site, or an answer about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShelfKey {
    /// What names it, hashed.
    pub id: Hash,
    /// Whether the version is that of the text, so that it is right for ever; else it is the tree's, and the text is
    /// believed for the site's `ttl`.
    pub is_lasting: bool,
}

impl ShelfKey {
    /// The key of a page with this hash, or in a tree of this version.
    pub fn of(site: &Hash, joiner: &str, slug: &str, hash: Option<Hash>, version: &TreeVersion) -> ShelfKey {
        let version = hash.map_or_else(|| version.0.to_string(), |hash| hash.to_string());
        // Nothing that stands before the last two can hold a NUL.
        let name = format!("{site}\0{slug}\0{version}\0{joiner}");
        ShelfKey { id: Hash::of(name.as_bytes()), is_lasting: hash.is_some() }
    }

    /// The key of what a search of a tree of this version and layout was answered, which no page's key is.
    pub fn of_answer(site: &Hash, version: &TreeVersion, layout: &Layout, needles: &Needles) -> ShelfKey {
        let name = format!("{site} {version:?} {layout:?} {needles:?}");
        ShelfKey { id: Hash::of(name.as_bytes()), is_lasting: false }
    }
}

/// Shelves one behind the other, the nearest first; what a far one has is put on the nearer ones.
pub struct Shelves(pub Vec<Box<dyn Shelf>>);

impl Shelf for Shelves {
    fn get(&self, keys: &[ShelfKey], cancel: &Cancel) -> Vec<Option<Bytes>> {
        let mut found: Vec<Option<Bytes>> = vec![None; keys.len()];
        for (depth, shelf) in self.0.iter().enumerate() {
            let missing: Vec<usize> = (0..keys.len()).filter(|&at| found[at].is_none()).collect();
            if missing.is_empty() {
                break;
            }
            let asked: Vec<ShelfKey> = missing.iter().map(|&at| keys[at]).collect();
            let mut new = Vec::new();
            for (at, text) in missing.into_iter().zip(shelf.get(&asked, cancel)) {
                new.extend(text.clone().map(|text| (keys[at], text)));
                found[at] = text;
            }
            for nearer in self.0[..depth].iter().filter(|_| !new.is_empty()) {
                nearer.put(&new, cancel);
            }
        }
        found
    }

    fn put(&self, texts: &[(ShelfKey, Bytes)], cancel: &Cancel) {
        self.0.iter().for_each(|shelf| shelf.put(texts, cancel));
    }

    fn trouble(&self) -> Option<&'static str> {
        self.0.iter().find_map(|shelf| shelf.trouble())
    }
}
