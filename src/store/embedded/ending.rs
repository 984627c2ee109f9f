//! What stands behind the database in a site's file: the tree as it is in memory, so that a reader maps it instead of
//! having SQLite put it together from its pages. SQLite takes the length of a database from its header, and does not
//! look behind it.
//!
//! The tree's bytes; how many these are (8 bytes); whether there is an index, as 0 or 1 (8); the checksum of the tree
//! (8), of all that stands before it (8), and of these four numbers (8); [`MAGIC`]. Numbers are little-endian. A file
//! whose ending is not whole is read without it: the database holds all that is needed.
#![allow(clippy::disallowed_types, reason = "the site is a file of the host")]
use super::checksum;
use crate::{store::mapped, tree::Tree};
use std::{
    fs::File,
    io::{self, Write},
    os::unix::fs::FileExt,
};
use xxhash_rust::xxh3::Xxh3;

/// The last bytes of the file: the form of the ending, and its version.
const MAGIC: &[u8; 8] = b"docshFE1";
/// Bytes of what stands behind the tree.
const SIZE: usize = 5 * 8 + MAGIC.len();
/// Bytes that are read at once.
const STEP: usize = 256 << 10;

/// Where the tree is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ending {
    start: u64,
    len: usize,
    tree: i64,
    database: i64,
    /// Whether the database has an index.
    pub(super) has_index: bool,
}

impl Ending {
    /// Put it behind the database in `file`, which is open at its end.
    pub(super) fn write(file: &mut File, tree: &Tree, has_index: bool) -> io::Result<()> {
        let tree = tree.as_bytes();
        let database = checksum_up_to(file, file.metadata()?.len())?;
        let mut numbers = Vec::with_capacity(SIZE);
        numbers.extend((tree.len() as u64).to_le_bytes());
        numbers.extend(u64::from(has_index).to_le_bytes());
        numbers.extend(checksum(tree).to_le_bytes());
        numbers.extend(database.to_le_bytes());
        let sum = checksum(&numbers);
        numbers.extend(sum.to_le_bytes());
        numbers.extend(MAGIC);
        file.write_all(tree)?;
        file.write_all(&numbers)
    }

    /// That of a file of so many bytes, if it has one that is whole.
    pub(super) fn read(file: &File, size: u64) -> Option<Ending> {
        let mut bytes = [0; SIZE];
        let end = size.checked_sub(SIZE as u64)?;
        file.read_exact_at(&mut bytes, end).ok()?;
        let (numbers, magic) = bytes.split_last_chunk::<8>()?;
        let (numbers, sum) = numbers.split_last_chunk::<8>()?;
        if magic != MAGIC || checksum(numbers) != i64::from_le_bytes(*sum) {
            return None;
        }
        let (numbers, _) = numbers.as_chunks::<8>();
        let [len, has_index, tree, database] = numbers.try_into().ok()?;
        let len = u64::from_le_bytes(len);
        Some(Ending {
            start: end.checked_sub(len)?,
            len: usize::try_from(len).ok()?,
            tree: i64::from_le_bytes(tree),
            database: i64::from_le_bytes(database),
            has_index: u64::from_le_bytes(has_index) != 0,
        })
    }

    /// The tree, mapped or read; nothing where it is not as it was written.
    pub(super) fn tree(&self, file: &File, is_mapped: bool) -> Option<Tree> {
        let read = if is_mapped { mapped::part } else { mapped::copy };
        let bytes = read(file, self.start, self.len).ok()?;
        if checksum(&bytes) != self.tree {
            return None;
        }
        Tree::from_bytes(bytes)
    }

    /// Whether the whole database is as it was written: all pages, and the index.
    pub(super) fn has_whole_database(&self, file: &File) -> bool {
        checksum_up_to(file, self.start).is_ok_and(|sum| sum == self.database)
    }
}

/// The checksum of a file's first bytes.
fn checksum_up_to(file: &File, end: u64) -> io::Result<i64> {
    let (mut sum, mut step) = (Xxh3::new(), vec![0; STEP]);
    let mut at = 0;
    while at < end {
        let count = usize::try_from(end - at).map_or(STEP, |left| left.min(STEP));
        file.read_exact_at(&mut step[..count], at)?;
        sum.update(&step[..count]);
        at += count as u64;
    }
    Ok(sum.digest() as i64)
}
