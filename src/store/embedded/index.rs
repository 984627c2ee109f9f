//! The index of a site's file: for every three characters that follow each other in a page (a trigram), the pages that
//! hold them. A text of three characters or more is only in pages that hold all of its trigrams. Of a shorter one it
//! tells nothing: it would have to hold pairs as well, which are in most pages.
//!
//! It lies in blocks, each a row of the table `needle`. Which block has a trigram is told by the trigram's hash, and a
//! block is there even if it has none: so a trigram that is missing in its block is in no page. Each block begins with
//! its own id and stands beside a checksum. What was damaged where it lies is noticed by whoever reads it, and never
//! taken for "in no page".
//!
//! | id | block |
//! | --- | --- |
//! | 0, 1, … | of trigrams: each its code (8 bytes), the length of its list in bytes (4) and the list, pages by number, each as its distance from the one before, in LEB128 |
//! | -1 | how many of those there are (4 bytes) |
//! | -2, -3, … | the slugs of 256 pages, a line each, in the order of their numbers |
//!
//! Numbers are little-endian.
mod write;

pub(super) use write::write;

use super::checksum;
use rusqlite::{Connection, OptionalExtension};
use std::collections::{BTreeMap, BTreeSet};

/// The block that tells how many blocks of trigrams there are.
const HEAD: i64 = -1;
/// The block of the slugs of the first pages; the next one has the id below.
const NAMES: i64 = -2;
/// Pages whose slugs are in one block.
const NAMED: u32 = 256;
/// So few candidates are not worth another look: reading them costs less.
const FEW: usize = 4;

/// Why the index cannot tell.
#[derive(Debug)]
pub(super) enum Fault {
    /// It is not what was written.
    Damaged,
    /// The file cannot be read.
    Unreadable(rusqlite::Error),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Fault {
        Fault::Unreadable(error)
    }
}

/// The slugs of all pages that can contain `text`: perhaps of too many, never of too few. `None` where the index cannot
/// tell.
pub(super) fn find(file: &Connection, text: &str) -> Result<Option<Vec<String>>, Fault> {
    let trigrams: BTreeSet<u64> = trigrams(text).collect();
    if trigrams.is_empty() {
        return Ok(None);
    }
    let blocks = u32::from_le_bytes(array(&block(file, HEAD)?)?);
    let mut found: Option<Vec<u32>> = None;
    for trigram in trigrams {
        let block = block(file, block_of(trigram, blocks).into())?;
        let pages = list(&block, trigram)?;
        let both = match found {
            None => pages,
            Some(before) => common(before, pages),
        };
        let is_enough = both.len() <= FEW;
        found = Some(both);
        if is_enough {
            break;
        }
    }
    slugs(file, &found.unwrap_or_default()).map(Some)
}

/// What both lists of ascending numbers hold.
fn common(mut first: Vec<u32>, second: Vec<u32>) -> Vec<u32> {
    let mut second = second.into_iter().peekable();
    first.retain(|page| {
        while second.next_if(|other| other < page).is_some() {}
        second.peek() == Some(page)
    });
    first
}

/// Whether every block is as it was written, and there.
pub(super) fn is_whole(file: &Connection) -> Result<bool, rusqlite::Error> {
    let all = || -> Result<(), Fault> {
        let blocks = u32::from_le_bytes(array(&block(file, HEAD)?)?);
        (0..blocks).try_for_each(|id| block(file, id.into()).map(drop))?;
        // Nothing tells how many pages there are but the pages' own table.
        let pages: u32 = file.query_row("SELECT count(*) FROM page", [], |row| row.get(0))?;
        (0..pages.div_ceil(NAMED)).try_for_each(|at| block(file, NAMES - i64::from(at)).map(drop))
    };
    match all() {
        Ok(()) => Ok(true),
        Err(Fault::Damaged) => Ok(false),
        Err(Fault::Unreadable(error)) => Err(error),
    }
}

/// A block without its id.
fn block(file: &Connection, id: i64) -> Result<Vec<u8>, Fault> {
    let mut statement = file.prepare_cached("SELECT sum, body FROM needle WHERE id = ?1")?;
    let row = statement.query_row([id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let (sum, mut body): (i64, Vec<u8>) = row.ok_or(Fault::Damaged)?;
    if sum != checksum(&body) || !body.starts_with(&id.to_le_bytes()) {
        return Err(Fault::Damaged);
    }
    body.drain(..8);
    Ok(body)
}

/// The pages that hold `trigram`, by their numbers, from its block.
fn list(block: &[u8], trigram: u64) -> Result<Vec<u32>, Fault> {
    let mut rest = block;
    while !rest.is_empty() {
        let (code, after) = rest.split_at_checked(8).ok_or(Fault::Damaged)?;
        let (length, after) = after.split_at_checked(4).ok_or(Fault::Damaged)?;
        let length = u32::from_le_bytes(array(length)?) as usize;
        let (pages, after) = after.split_at_checked(length).ok_or(Fault::Damaged)?;
        if u64::from_le_bytes(array(code)?) == trigram {
            return Ok(numbers(pages));
        }
        rest = after;
    }
    Ok(Vec::new())
}

/// The page numbers of a list.
fn numbers(list: &[u8]) -> Vec<u32> {
    let (mut numbers, mut before, mut distance, mut shift) = (Vec::new(), 0_u32, 0_u32, 0_u32);
    for byte in list {
        distance |= u32::from(byte & 0x7f).wrapping_shl(shift);
        shift += 7;
        if byte & 0x80 == 0 {
            before = before.wrapping_add(distance);
            numbers.push(before);
            (distance, shift) = (0, 0);
        }
    }
    numbers
}

/// The slugs of pages with these numbers, which ascend.
fn slugs(file: &Connection, pages: &[u32]) -> Result<Vec<String>, Fault> {
    let mut by_block: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for page in pages {
        by_block.entry(page / NAMED).or_default().push((page % NAMED) as usize);
    }
    let mut slugs = Vec::with_capacity(pages.len());
    for (at, places) in by_block {
        let block = String::from_utf8(block(file, NAMES - i64::from(at))?).map_err(|_| Fault::Damaged)?;
        let lines: Vec<&str> = block.split('\n').collect();
        for place in places {
            slugs.push(lines.get(place).ok_or(Fault::Damaged)?.to_string());
        }
    }
    Ok(slugs)
}

/// The codes of the trigrams of `text`: three characters of 21 bits.
fn trigrams(text: &str) -> impl Iterator<Item = u64> + '_ {
    let mut last = 0;
    let codes = text.chars().map(move |character| {
        last = (last << 21 | u64::from(character)) & ((1 << 63) - 1);
        last
    });
    codes.skip(2)
}

/// The block of a trigram, of so many.
fn block_of(trigram: u64, blocks: u32) -> u32 {
    ((spread(trigram) * u64::from(blocks)) >> 32) as u32
}

/// 32 bits of it, spread evenly, as Knuth's multiplicative hashing does it: those in the middle of the product.
fn spread(trigram: u64) -> u64 {
    trigram.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}

fn array<const N: usize>(bytes: &[u8]) -> Result<[u8; N], Fault> {
    bytes.try_into().map_err(|_| Fault::Damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of these pages, with an index of so many blocks.
    fn indexed(pages: &[(&str, &str)], blocks: u32) -> Connection {
        let file = Connection::open_in_memory().unwrap();
        file.execute_batch("CREATE TABLE page(id INTEGER PRIMARY KEY, slug TEXT, body BLOB)").unwrap();
        for (slug, body) in pages {
            file.execute("INSERT INTO page(slug, body) VALUES (?1, ?2)", (slug, body.as_bytes())).unwrap();
        }
        write::write_blocks(&file, blocks, 2, &docsh_builtins::Cancel::new()).unwrap();
        file
    }

    fn found(file: &Connection, text: &str) -> Vec<String> {
        find(file, text).unwrap().unwrap()
    }

    #[test]
    fn pages_are_found_by_all_of_their_text() {
        let pages = [("a.md", "tokens"), ("b.md", "to"), ("c.md", "a token, größer als 日本語"), ("d.md", "")];
        for blocks in [1, 2, 100] {
            let file = indexed(&pages, blocks);
            for (text, expected) in [
                ("token", vec!["a.md", "c.md"]),
                ("tokens", vec!["a.md"]),
                ("Token", vec![]),
                ("größer", vec!["c.md"]),
                ("日本語", vec!["c.md"]),
                ("本語x", vec![]),
                ("a t", vec!["c.md"]),
            ] {
                assert_eq!(found(&file, text), expected, "{text} in {blocks} blocks");
            }
            assert!(is_whole(&file).unwrap());
            assert_eq!(find(&file, "to").unwrap(), None, "two characters");
        }
    }

    #[test]
    fn many_pages_have_their_names_in_many_blocks() {
        let text = |n: usize| if n.is_multiple_of(3) { "every third page" } else { "others" };
        let pages: Vec<(String, &str)> = (0..1000).map(|n| (format!("p{n}.md"), text(n))).collect();
        let pages: Vec<(&str, &str)> = pages.iter().map(|(slug, body)| (slug.as_str(), *body)).collect();
        let file = indexed(&pages, 7);
        let expected: Vec<String> = (0..1000).step_by(3).map(|n| format!("p{n}.md")).collect();
        assert_eq!(found(&file, "third page"), expected);
    }

    #[test]
    fn what_was_damaged_or_is_missing_is_told() {
        let pages = [("a.md", "tokens"), ("b.md", "other")];
        for statement in [
            "DELETE FROM needle WHERE id = 0",
            "DELETE FROM needle WHERE id = -1",
            "DELETE FROM needle WHERE id = -2",
            "UPDATE needle SET id = 7 WHERE id = 0",
            "UPDATE needle SET body = x'00' WHERE id = 0",
            "UPDATE needle SET sum = sum + 1 WHERE id = -2",
            "UPDATE needle SET body = (SELECT body FROM needle WHERE id = -2), sum = (SELECT sum FROM needle WHERE id = -2)",
        ] {
            let file = indexed(&pages, 1);
            file.execute_batch(statement).unwrap();
            assert!(matches!(find(&file, "tokens"), Err(Fault::Damaged)), "{statement}");
            assert!(!is_whole(&file).unwrap(), "{statement}");
        }
    }
}
