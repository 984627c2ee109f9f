//! Pages that were fetched together lie in one file, a pack, which has the name of each of them (hard links): to make a
//! file costs as much as to write a hundred pages. A page that came alone is a pack of its own; so is each where the
//! file system has no hard links.
//!
//! The texts one after the other; a row for each: its key (32 bytes), where it begins, how long it is, its checksum
//! (8 each); then the checksum of the rows (8) and their number (4). Numbers are little-endian.
use super::{Disk, ShelfKey};
use crate::tree::Hash;
use bytes::Bytes;
use std::{
    fs,
    io::{self, Write},
    os::unix::fs::FileExt,
    path::Path,
};
use xxhash_rust::xxh3::xxh3_64;

/// The most pages of a pack, so that its rows are read at once.
const PAGES: usize = 64;
/// Bytes of a row.
const ROW: usize = 32 + 3 * 8;
/// Bytes of what stands behind the rows.
const END: usize = 8 + 4;
/// Bytes of the end of a file that are read first: all rows are in them.
const TAIL: usize = PAGES * ROW + END;

impl Disk {
    /// Keep these texts, which came together.
    pub(super) fn put_pages(&self, mut texts: &[(ShelfKey, Bytes)]) -> io::Result<()> {
        while !texts.is_empty() {
            let mut bytes = 0;
            // What is thrown away at once should be a small part of the whole.
            let fits = texts.iter().take(PAGES).take_while(|(_, text)| {
                bytes += text.len() as u64;
                bytes <= self.step()
            });
            let (pack, rest) = texts.split_at(fits.count().max(1));
            if pack.len() == 1 || self.put_pack(pack).is_err() {
                pack.iter().try_for_each(|page| self.put_alone(page))?;
            }
            texts = rest;
        }
        Ok(())
    }

    fn put_alone(&self, page: &(ShelfKey, Bytes)) -> io::Result<()> {
        self.put_file(&self.page_file(&page.0), |file| write(file, std::slice::from_ref(page)))
    }

    fn put_pack(&self, pages: &[(ShelfKey, Bytes)]) -> io::Result<()> {
        let new = self.make(|file| write(file, pages))?;
        let named = pages.iter().try_for_each(|(key, _)| self.name(&new, &self.page_file(key)));
        fs::remove_file(&new).and(named)
    }

    /// Give a file another name, whatever has that so far.
    fn name(&self, file: &Path, name: &Path) -> io::Result<()> {
        match fs::hard_link(file, name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                name.parent().map_or(Ok(()), super::make_folder)?;
                fs::hard_link(file, name)
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let new = self.new_name();
                fs::hard_link(file, &new)?;
                fs::rename(&new, name).inspect_err(|_| drop(fs::remove_file(&new)))
            }
            done => done,
        }
    }
}

fn write(file: &mut fs::File, pages: &[(ShelfKey, Bytes)]) -> io::Result<u64> {
    let (mut rows, mut start) = (Vec::with_capacity(pages.len() * ROW), 0);
    for (key, text) in pages {
        file.write_all(text)?;
        rows.extend(key.id.0);
        rows.extend([start, text.len() as u64, xxh3_64(text)].map(u64::to_le_bytes).concat());
        start += text.len() as u64;
    }
    let sum = xxh3_64(&rows);
    rows.extend(sum.to_le_bytes());
    rows.extend((pages.len() as u32).to_le_bytes());
    file.write_all(&rows)?;
    Ok(start + rows.len() as u64)
}

/// The text with this key in a pack of so many bytes; nothing where it is not as it was written.
pub(super) fn read(file: &fs::File, size: u64, key: &Hash) -> Option<Vec<u8>> {
    let from = size.saturating_sub(TAIL as u64);
    let mut tail = vec![0; (size - from) as usize];
    file.read_exact_at(&mut tail, from).ok()?;
    let (rest, count) = tail.split_last_chunk::<4>()?;
    let (rest, sum) = rest.split_last_chunk::<8>()?;
    let rows = rest.len().checked_sub((u32::from_le_bytes(*count) as usize).checked_mul(ROW)?)?;
    let rows = &rest[rows..];
    if xxh3_64(rows) != u64::from_le_bytes(*sum) {
        return None;
    }
    let row = rows.as_chunks::<ROW>().0.iter().find(|row| row[..32] == key.0)?;
    let number = |at: usize| row[32 + 8 * at..].first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    let (start, length, sum) = (number(0)?, number(1)?, number(2)?);
    if start.checked_add(length)? > size {
        return None;
    }
    let in_tail = start.checked_sub(from).and_then(|start| tail.get(start as usize..)?.get(..length as usize));
    let text = match in_tail {
        Some(text) => text.to_vec(),
        None => {
            let mut text = vec![0; usize::try_from(length).ok()?];
            file.read_exact_at(&mut text, start).ok()?;
            text
        }
    };
    (xxh3_64(&text) == sum).then_some(text)
}
