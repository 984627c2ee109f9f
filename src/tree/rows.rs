//! The rows of a tree's tables, each of a fixed number of bytes.
use super::Hash;
use crate::tree::access::ClassId;
use std::ops::Range;

/// One page.
#[derive(Clone, Debug)]
pub(super) struct Page {
    /// Where its path begins in the text; its title follows the path, and its address the title.
    pub(super) text: u32,
    pub(super) path_len: u16,
    pub(super) title_len: u16,
    pub(super) address_len: u16,
    pub(super) class: ClassId,
    pub(super) mode: u16,
    /// How many bytes of the path are `page_extension`.
    pub(super) suffix_len: u8,
    pub(super) flags: u8,
    /// Plus one; 0 when the tree does not say.
    pub(super) chunks: u32,
    /// `UNORDERED` when the tree does not say.
    pub(super) order: u32,
    /// `UNKNOWN` when the tree does not say.
    pub(super) size: u64,
    pub(super) mtime: i64,
    pub(super) hash: Hash,
}

pub(super) const UNKNOWN: u64 = u64::MAX;
pub(super) const UNORDERED: u32 = u32::MAX;
/// The page has a title, perhaps an empty one.
pub(super) const TITLED: u8 = 1;
/// The page holds parts for some visitors only.
pub(super) const VIEW: u8 = 2;
/// The page's text is fetched from elsewhere.
pub(super) const LAZY: u8 = 4;
/// A line of the page is spread over two chunks.
pub(super) const BROKEN_LINES: u8 = 8;
/// The hash of the page's text is known.
pub(super) const HASHED: u8 = 16;
/// The page has an address of its own, perhaps an empty one.
pub(super) const ADDRESSED: u8 = 32;

/// One folder.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    /// The pages at any depth below it; the first one's path begins with the folder's.
    pub(super) pages: Range<u32>,
    pub(super) path_len: u16,
    /// The folder after the last one below it.
    pub(super) end: u32,
    /// How many folders are directly in it.
    pub(super) subfolders: u32,
    /// Its rows in the table of the classes below each folder.
    pub(super) below: Range<u32>,
}

/// A class that is somewhere below a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Below {
    pub(super) class: ClassId,
    pub(super) newest: i64,
}

/// A row as bytes, numbers in little endian.
pub(super) trait Row {
    /// How many bytes that are.
    const SIZE: usize;

    /// Add the row to a table.
    fn write(&self, out: &mut Vec<u8>);

    /// The row in exactly so many bytes.
    fn read(bytes: &[u8]) -> Self;
}

impl Page {
    /// Where in a row the flags are.
    pub(super) const FLAGS: usize = 15;
}

impl Row for Page {
    const SIZE: usize = 72;

    fn write(&self, out: &mut Vec<u8>) {
        let mut row = [0; Page::SIZE];
        let mut at = 0;
        let mut put = |bytes: &[u8]| {
            row[at..at + bytes.len()].copy_from_slice(bytes);
            at += bytes.len();
        };
        put(&self.text.to_le_bytes());
        for short in [self.path_len, self.title_len, self.address_len, self.class.0, self.mode] {
            put(&short.to_le_bytes());
        }
        put(&[self.suffix_len, self.flags]);
        put(&self.chunks.to_le_bytes());
        put(&self.order.to_le_bytes());
        put(&self.size.to_le_bytes());
        put(&self.mtime.to_le_bytes());
        put(&self.hash.0);
        out.extend_from_slice(&row);
    }

    #[inline]
    fn read(bytes: &[u8]) -> Page {
        let mut from = Fields::of::<{ Page::SIZE }>(bytes);
        Page {
            text: from.number(),
            path_len: from.short(),
            title_len: from.short(),
            address_len: from.short(),
            class: ClassId(from.short()),
            mode: from.short(),
            suffix_len: from.next::<1>()[0],
            flags: from.next::<1>()[0],
            chunks: from.number(),
            order: from.number(),
            size: u64::from_le_bytes(from.next()),
            mtime: i64::from_le_bytes(from.next()),
            hash: Hash(from.next()),
        }
    }
}

impl Row for Folder {
    const SIZE: usize = 26;

    fn write(&self, out: &mut Vec<u8>) {
        let Folder { pages, path_len, end, subfolders, below } = self;
        out.extend(path_len.to_le_bytes());
        for number in [pages.start, pages.end, *end, *subfolders, below.start, below.end] {
            out.extend(number.to_le_bytes());
        }
    }

    #[inline]
    fn read(bytes: &[u8]) -> Folder {
        let mut from = Fields::of::<{ Folder::SIZE }>(bytes);
        Folder {
            path_len: from.short(),
            pages: from.number()..from.number(),
            end: from.number(),
            subfolders: from.number(),
            below: from.number()..from.number(),
        }
    }
}

impl Row for Below {
    const SIZE: usize = 10;

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.class.0.to_le_bytes());
        out.extend(self.newest.to_le_bytes());
    }

    #[inline]
    fn read(bytes: &[u8]) -> Below {
        let mut from = Fields::of::<{ Below::SIZE }>(bytes);
        Below { class: ClassId(from.short()), newest: i64::from_le_bytes(from.next()) }
    }
}

/// What is left of a row. Tables hold whole rows, so that none ends early.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    /// Those of a row of `N` bytes. That it has so many is looked at here, and not for each field again.
    #[inline]
    fn of<const N: usize>(row: &'a [u8]) -> Fields<'a> {
        let row: &[u8; N] = row.try_into().unwrap_or(&[0; N]);
        Fields(row)
    }

    #[inline]
    fn next<const N: usize>(&mut self) -> [u8; N] {
        let Some((bytes, rest)) = self.0.split_first_chunk() else { return [0; N] };
        self.0 = rest;
        *bytes
    }

    #[inline]
    fn number(&mut self) -> u32 {
        u32::from_le_bytes(self.next())
    }

    #[inline]
    fn short(&mut self) -> u16 {
        u16::from_le_bytes(self.next())
    }
}
