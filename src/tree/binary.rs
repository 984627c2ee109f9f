//! A tree as it is kept on the disk, which is how it is in memory too: a head, and the tables. Reading it costs no
//! JSON, no sorting, no interning and no look at a page.
//!
//! The form is docsh's own and carries its version; a reader that does not find exactly that has found nothing. Every
//! reference is checked, when it is read or when it is followed, so that a damaged file is no danger
//! to the process; whoever keeps trees where they may be damaged keeps a checksum beside them.
//!
//! `MAGIC`, the length of the head (4 bytes), the head, and the tables of `tables.rs` one after the other.
use super::{
    Head, Layout, Lazy, PageId, Tree, TreeVersion,
    rows::{Below, Folder, Page},
    tables::{Counts, Tables},
};
use crate::tree::access::{Class, Classes};
use bytes::Bytes;
use std::sync::Arc;

/// The format, and its version.
const MAGIC: &[u8; 8] = b"docshTR4";

impl Tree {
    /// The tree of these rows.
    pub(super) fn of_rows(head: Head, pages: &[Page], folders: &[Folder], below: &[Below], text: &str) -> Tree {
        let counts = Counts {
            pages: pages.len() as u32,
            folders: folders.len() as u32,
            below: below.len() as u32,
            text: text.len() as u64,
        };
        let written = head.write(counts);
        let mut bytes = Vec::from(*MAGIC);
        bytes.extend((written.len() as u32).to_le_bytes());
        bytes.extend(written);
        Tree { head, tables: Tables::after(bytes, pages, folders, below, text) }
    }

    /// The tree as bytes.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.tables.bytes()
    }

    /// The tree in `bytes`; `None` for anything else.
    pub(crate) fn from_bytes(bytes: Bytes) -> Option<Tree> {
        let mut from = Reader(bytes.strip_prefix(MAGIC)?);
        let len = from.number()? as usize;
        let (head, counts) = Head::read(Reader(from.0.get(..len)?))?;
        let tables = Tables::at(MAGIC.len() + 4 + len, counts, bytes)?;
        Some(Tree { head, tables })
    }
}

impl Head {
    fn write(&self, counts: Counts) -> Vec<u8> {
        let Head { lazy, classes, layout, is_open, version } = self;
        let mut out = Writer(Vec::new());
        out.text(&version.0);
        let Layout { joiner, line_aligned, base_url, page_extension, is_own, is_plain } = layout;
        out.text(joiner);
        out.optional(base_url.as_deref());
        out.text(page_extension);
        out.0.extend([u8::from(*line_aligned), u8::from(*is_own), u8::from(*is_plain), u8::from(*is_open)]);
        out.number(classes.all().len() as u32);
        for class in classes.all() {
            let (kind, groups): (u32, &[String]) = match class {
                Class::Public => (0, &[]),
                Class::SignedIn => (1, &[]),
                Class::Groups(groups) => (2, groups),
                Class::Nobody => (3, &[]),
            };
            out.number(kind);
            out.number(groups.len() as u32);
            groups.iter().for_each(|group| out.text(group));
        }
        out.number(lazy.len() as u32);
        for (page, lazy) in lazy {
            out.number(page.0);
            out.text(&lazy.url);
            out.optional(lazy.etag.as_deref());
        }
        let Counts { pages, folders, below, text } = counts;
        [pages, folders, below].into_iter().for_each(|count| out.number(count));
        out.0.extend(text.to_le_bytes());
        out.0
    }

    fn read(mut from: Reader<'_>) -> Option<(Head, Counts)> {
        let version = TreeVersion(from.shared()?);
        let (joiner, base_url, page_extension) = (from.shared()?, from.optional()?, from.shared()?);
        let [line_aligned, is_own, is_plain, is_open] = from.bytes::<4>()?.map(|flag| flag != 0);
        let layout = Layout { joiner, line_aligned, base_url, page_extension, is_own, is_plain };
        let mut classes = Classes::default();
        for at in 0..from.number()? {
            let kind = from.number()?;
            let groups: Option<Vec<String>> = (0..from.number()?).map(|_| from.text().map(str::to_string)).collect();
            let class = match kind {
                0 => Class::Public,
                1 => Class::SignedIn,
                2 => Class::Groups(groups?.into()),
                3 => Class::Nobody,
                _ => return None,
            };
            // Classes are numbered by their order: one that is there twice would shift all others.
            (u32::from(classes.intern(class)?.0) == at).then_some(())?;
        }
        let mut lazy = Vec::new();
        for _ in 0..from.number()? {
            let page = PageId(from.number()?);
            lazy.push((page, Lazy { url: from.shared()?, etag: from.optional()? }));
        }
        let (pages, folders, below) = (from.number()?, from.number()?, from.number()?);
        let counts = Counts { pages, folders, below, text: u64::from_le_bytes(from.bytes()?) };
        from.0.is_empty().then_some((Head { lazy, classes, layout, is_open, version }, counts))
    }
}

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, number: u32) {
        self.0.extend(number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u32);
        self.0.extend(text.as_bytes());
    }

    fn optional(&mut self, text: Option<&str>) {
        self.0.push(u8::from(text.is_some()));
        self.text(text.unwrap_or_default());
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*bytes)
    }

    fn number(&mut self) -> Option<u32> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn text(&mut self) -> Option<&'a str> {
        let len = self.number()? as usize;
        let (text, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        std::str::from_utf8(text).ok()
    }

    fn shared(&mut self) -> Option<Arc<str>> {
        self.text().map(Arc::from)
    }

    fn optional(&mut self) -> Option<Option<Arc<str>>> {
        let [is_there] = self.bytes()?;
        let text = self.shared()?;
        Some((is_there != 0).then_some(text))
    }
}
