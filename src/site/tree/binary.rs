//! A tree as it is kept on the disk: its own tables, row by row. Reading it costs no JSON, no sorting and no interning.
//!
//! The form is docsh's own and carries its version; a reader that does not find exactly that has found nothing. Every
//! reference is checked, so that a damaged file can be read wrongly by nobody.
use super::{Below, Folder, Hash, Layout, Lazy, Page, PageId, Tree, TreeVersion};
use crate::site::access::{Class, ClassId, Classes};
use std::sync::Arc;

/// The format, and its version.
const MAGIC: &[u8; 8] = b"docshTR2";

impl Tree {
    /// The tree as bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer(Vec::with_capacity(self.text.len() + self.pages.len() * 80 + 1024));
        out.0.extend(MAGIC);
        out.text(&self.version.0);
        let Layout { joiner, line_aligned, base_url, page_extension, is_own, is_plain } = &self.layout;
        out.text(joiner);
        out.optional(base_url.as_deref());
        out.text(page_extension);
        out.0.extend([u8::from(*line_aligned), u8::from(*is_own), u8::from(*is_plain), u8::from(self.is_open)]);
        out.text(&self.text);
        out.number(self.classes.all().len() as u32);
        for class in self.classes.all() {
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
        out.number(self.pages.len() as u32);
        for page in &self.pages {
            out.number(page.text);
            out.0.extend(page.path_len.to_le_bytes());
            out.0.extend(page.title_len.to_le_bytes());
            out.0.extend(page.address_len.to_le_bytes());
            out.0.extend(page.class.0.to_le_bytes());
            out.0.extend(page.mode.to_le_bytes());
            out.0.extend([page.suffix_len, page.flags]);
            out.number(page.chunks);
            out.0.extend(page.size.to_le_bytes());
            out.0.extend(page.mtime.to_le_bytes());
            out.0.extend(page.hash.0);
        }
        out.number(self.folders.len() as u32);
        for folder in &self.folders {
            let Folder { pages, path_len, end, subfolders, below } = folder;
            out.0.extend(path_len.to_le_bytes());
            [pages.start, pages.end, *end, *subfolders, below.start, below.end].into_iter().for_each(|n| out.number(n));
        }
        out.number(self.below.len() as u32);
        for below in &self.below {
            out.0.extend(below.class.0.to_le_bytes());
            out.0.extend(below.newest.to_le_bytes());
        }
        out.number(self.lazy.len() as u32);
        for (page, lazy) in &self.lazy {
            out.number(page.0);
            out.text(&lazy.url);
            out.optional(lazy.etag.as_deref());
        }
        out.0
    }

    /// The tree in `bytes`; `None` for anything else.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Tree> {
        let mut from = Reader(bytes.strip_prefix(MAGIC)?);
        let version = TreeVersion(from.shared()?);
        let (joiner, base_url, page_extension) = (from.shared()?, from.optional()?, from.shared()?);
        let [line_aligned, is_own, is_plain, is_open] = from.bytes::<4>()?.map(|flag| flag != 0);
        let layout = Layout { joiner, line_aligned, base_url, page_extension, is_own, is_plain };
        let text = from.text()?.to_string();
        let mut classes = Classes::default();
        for _ in 0..from.number()? {
            let kind = from.number()?;
            let groups: Option<Vec<String>> = (0..from.number()?).map(|_| from.text().map(str::to_string)).collect();
            classes.intern(match kind {
                0 => Class::Public,
                1 => Class::SignedIn,
                2 => Class::Groups(groups?.into()),
                3 => Class::Nobody,
                _ => return None,
            })?;
        }
        let pages: Vec<Page> = (0..from.number()?).map(|_| from.page()).collect::<Option<_>>()?;
        let folders: Vec<Folder> = (0..from.number()?).map(|_| from.folder()).collect::<Option<_>>()?;
        let below: Vec<Below> = (0..from.number()?).map(|_| from.below()).collect::<Option<_>>()?;
        let mut lazy = Vec::new();
        for _ in 0..from.number()? {
            let page = PageId(from.number()?);
            lazy.push((page, Lazy { url: from.shared()?, etag: from.optional()? }));
        }
        let tree = Tree { text, pages, folders, below, lazy, classes, layout, is_open, version };
        (from.0.is_empty() && tree.is_sound()).then_some(tree)
    }

    /// Whether every row refers to what is there.
    fn is_sound(&self) -> bool {
        let classes = self.classes.all().len();
        let is_text = |start: usize, len: usize| self.text.get(start..start + len).is_some();
        let pages = self.pages.iter().all(|page| {
            let (start, len) = (page.text as usize, usize::from(page.path_len));
            is_text(start, len)
                && is_text(start, len - usize::from(page.suffix_len).min(len))
                && is_text(start + len, page.title_len.into())
                && is_text(start + len + usize::from(page.title_len), page.address_len.into())
                && page.suffix_len as usize <= len
                && usize::from(page.class.0) < classes
        });
        let (count, folders) = (self.pages.len() as u32, self.folders.len() as u32);
        let folders = self.folders.iter().zip(0u32..).all(|(folder, at)| {
            let Folder { pages, end, below, .. } = folder;
            let first = self.pages.get(pages.start as usize);
            let named = first.map_or(folder.path_len == 0, |page| is_text(page.text as usize, folder.path_len.into()));
            named
                && pages.start <= pages.end
                && pages.end <= count
                && (at + 1..=folders).contains(end)
                && below.start <= below.end
                && below.end as usize <= self.below.len()
        });
        let below = self.below.iter().all(|below| usize::from(below.class.0) < classes);
        pages && folders && below && !self.folders.is_empty()
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

    fn short(&mut self) -> Option<u16> {
        self.bytes().map(u16::from_le_bytes)
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

    fn page(&mut self) -> Option<Page> {
        let text = self.number()?;
        let (path_len, title_len, address_len) = (self.short()?, self.short()?, self.short()?);
        let (class, mode) = (ClassId(self.short()?), self.short()?);
        let [suffix_len, flags] = self.bytes()?;
        let chunks = self.number()?;
        let size = u64::from_le_bytes(self.bytes()?);
        let mtime = i64::from_le_bytes(self.bytes()?);
        let hash = Hash(self.bytes()?);
        Some(Page { text, path_len, title_len, address_len, class, mode, suffix_len, flags, chunks, size, mtime, hash })
    }

    fn folder(&mut self) -> Option<Folder> {
        let path_len = self.short()?;
        let pages = self.number()?..self.number()?;
        let (end, subfolders) = (self.number()?, self.number()?);
        Some(Folder { pages, path_len, end, subfolders, below: self.number()?..self.number()? })
    }

    fn below(&mut self) -> Option<Below> {
        Some(Below { class: ClassId(self.short()?), newest: i64::from_le_bytes(self.bytes()?) })
    }
}
