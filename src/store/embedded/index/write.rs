//! Making the index of a file whose pages are written. Pages are looked at once for each share of the blocks, so that
//! no more of them than a share's is in memory.
use super::{HEAD, NAMED, NAMES, block_of, checksum, spread, trigrams};
use docsh_builtins::Cancel;
use rusqlite::{Connection, params};
use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

/// Bytes of text for which there is a block: its trigrams are about half as much.
const BLOCK: u64 = 64 << 10;
/// Bytes of text whose trigrams may be in memory.
const SHARE: u64 = 128 << 20;

/// Make the table `needle` of the pages in the table `page`, which hold so many bytes of text. When the run is stopped
/// it is left unfinished.
pub(in crate::store::embedded) fn write(file: &Connection, text: u64, cancel: &Cancel) -> rusqlite::Result<()> {
    let blocks = u32::try_from(text / BLOCK).unwrap_or(u32::MAX).clamp(1, 1 << 20);
    let shares = u32::try_from(text / SHARE).unwrap_or(u32::MAX).saturating_add(1);
    write_blocks(file, blocks, shares, cancel)
}

/// The pages of a trigram.
#[derive(Default)]
struct List {
    last: u32,
    /// As they are written.
    pages: Vec<u8>,
}

impl List {
    fn push(&mut self, page: u32) {
        // The first distance is that from 0, which may be none.
        if page == self.last && !self.pages.is_empty() {
            return;
        }
        let mut distance = page - self.last;
        while distance >= 0x80 {
            self.pages.push(distance as u8 | 0x80);
            distance >>= 7;
        }
        self.pages.push(distance as u8);
        self.last = page;
    }
}

/// The same of so many blocks, in so many shares.
pub(super) fn write_blocks(file: &Connection, blocks: u32, shares: u32, cancel: &Cancel) -> rusqlite::Result<()> {
    file.execute_batch("CREATE TABLE main.needle(id INTEGER PRIMARY KEY, sum INTEGER NOT NULL, body BLOB NOT NULL)")?;
    put(file, HEAD, &blocks.to_le_bytes())?;
    write_names(file)?;
    let start = |share: u32| (u64::from(blocks) * u64::from(share) / u64::from(shares)) as u32;
    for share in 0..shares {
        let mine = start(share)..start(share + 1);
        if mine.is_empty() {
            continue;
        }
        let mut lists: HashMap<u64, List, BuildHasherDefault<Spread>> = HashMap::default();
        let mut statement = file.prepare_cached("SELECT body FROM main.page ORDER BY id")?;
        let mut rows = statement.query([])?;
        let mut page = 0;
        while let Some(row) = rows.next()? {
            if cancel.check().is_err() {
                return Ok(());
            }
            let text = String::from_utf8_lossy(row.get_ref(0)?.as_bytes()?);
            for trigram in trigrams(&text).filter(|&trigram| mine.contains(&block_of(trigram, blocks))) {
                lists.entry(trigram).or_default().push(page);
            }
            page += 1;
        }
        let mut lists: Vec<(u64, List)> = lists.into_iter().collect();
        lists.sort_unstable_by_key(|(trigram, _)| (block_of(*trigram, blocks), *trigram));
        let mut rest = lists.as_slice();
        for id in mine {
            let (block, others) = rest.split_at(rest.partition_point(|(trigram, _)| block_of(*trigram, blocks) == id));
            rest = others;
            let mut body = Vec::new();
            for (trigram, List { pages, .. }) in block {
                body.extend(trigram.to_le_bytes());
                body.extend((pages.len() as u32).to_le_bytes());
                body.extend(pages);
            }
            put(file, id.into(), &body)?;
        }
    }
    Ok(())
}

/// Write the slugs of the pages in the order of their numbers.
fn write_names(file: &Connection) -> rusqlite::Result<()> {
    let mut statement = file.prepare("SELECT slug FROM main.page ORDER BY id")?;
    let slugs = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
    let blocks = slugs.chunks(NAMED as usize).map(|slugs| slugs.join("\n"));
    (0..).zip(blocks).try_for_each(|(at, names)| put(file, NAMES - at, names.as_bytes()))
}

fn put(file: &Connection, id: i64, content: &[u8]) -> rusqlite::Result<()> {
    let body = [&id.to_le_bytes(), content].concat();
    let mut insert = file.prepare_cached("INSERT INTO main.needle(id, sum, body) VALUES (?1, ?2, ?3)")?;
    insert.execute(params![id, checksum(&body), body]).map(drop)
}

/// Hashes trigrams quickly: nobody but the author of the pages chooses them.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, trigram: u64) {
        self.0 = spread(self.0 ^ trigram);
    }

    fn finish(&self) -> u64 {
        // Tables look at the lowest bits and at the highest ones.
        self.0 | self.0 << 32
    }
}
