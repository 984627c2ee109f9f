//! A tree as the disk keeps it, and behind it what its store has found out of where it is ([`Place`]): the tree's
//! bytes, the seconds since the epoch (8 bytes), the words, how many bytes these two are (4). Numbers are
//! little-endian.
use crate::{
    store::{Place, disk::Disk},
    tree::{Hash, Tree},
};
use std::time::{Duration, UNIX_EPOCH};

/// Bytes of the number at the end.
const LENGTH: usize = 4;
/// Bytes of the time.
const TIME: usize = 8;

/// Keep a tree, and the place of its store.
pub(super) fn put(disk: &Disk, key: &Hash, tree: &Tree, place: Option<&Place>) {
    let behind = place.map(|Place { words, found }| {
        let seconds = found.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        [&seconds.to_le_bytes(), words.as_bytes()].concat()
    });
    let behind = behind.unwrap_or_default();
    disk.put_tree(key, &[tree.as_bytes(), &behind, &(behind.len() as u32).to_le_bytes()]);
}

/// The tree kept under `key`, how long ago its store said that it is the current one, and the place of the store.
pub(super) fn get(disk: &Disk, key: &Hash) -> Option<(Tree, Duration, Option<Place>)> {
    let (mut bytes, age) = disk.tree(key)?;
    let (rest, length) = bytes.split_last_chunk::<LENGTH>()?;
    let split = rest.len().checked_sub(u32::from_le_bytes(*length) as usize)?;
    let place = place(&rest[split..]);
    bytes.truncate(split);
    Some((Tree::from_bytes(bytes)?, age, place))
}

fn place(behind: &[u8]) -> Option<Place> {
    let (seconds, words) = behind.split_first_chunk::<TIME>()?;
    let found = UNIX_EPOCH.checked_add(Duration::from_secs(u64::from_le_bytes(*seconds)))?;
    Some(Place { words: String::from_utf8(words.to_vec()).ok()?, found })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Builder, Facts, Layout, Rules, TreeVersion};

    #[test]
    fn a_tree_is_kept_with_its_place_or_without() {
        let dir = tempfile::tempdir().unwrap();
        let disk = Disk::new(dir.path().as_os_str(), Duration::ZERO, 1 << 20);
        let (key, mut builder) = (Hash::of(b"key"), Builder::new(Layout::default(), Rules::Marked));
        builder.add(Facts::new("a.md")).unwrap();
        let tree = builder.finish(TreeVersion("1".into())).unwrap();
        let found = UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        for place in [Some(Place { words: "id 7".into(), found }), None] {
            put(&disk, &key, &tree, place.as_ref());
            let (kept, _, kept_place) = get(&disk, &key).unwrap();
            assert_eq!((kept.as_bytes(), kept_place), (tree.as_bytes(), place));
        }
        disk.put_tree(&key, &[tree.as_bytes()]);
        assert!(get(&disk, &key).is_none(), "nothing behind it says how long that is");
    }
}
