//! The tables of a tree, in one run of bytes: that of a file which is read once, with a row decoded when it is looked
//! at. A tree of a million pages costs no more to take up than its bytes cost to read.
use super::rows::{Below, Folder, Page, Row};
use bytes::Bytes;
use std::{cmp::Ordering, ops::Range};

/// The bytes, and where in them the tables are.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    bytes: Bytes,
    pages: Range<usize>,
    folders: Range<usize>,
    below: Range<usize>,
    /// Paths, titles and addresses.
    text: Range<usize>,
}

/// How many rows each table has, and how many bytes of text there are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub(super) pages: u32,
    pub(super) folders: u32,
    pub(super) below: u32,
    pub(super) text: u64,
}

impl Tables {
    /// Put tables after what `bytes` hold already.
    pub(super) fn after(mut bytes: Vec<u8>, pages: &[Page], folders: &[Folder], below: &[Below], text: &str) -> Tables {
        bytes.reserve_exact(
            pages.len() * Page::SIZE + folders.len() * Folder::SIZE + below.len() * Below::SIZE + text.len(),
        );
        let pages = append(&mut bytes, pages);
        let folders = append(&mut bytes, folders);
        let below = append(&mut bytes, below);
        let start = bytes.len();
        bytes.extend(text.as_bytes());
        let text = start..bytes.len();
        Tables { pages, folders, below, text, bytes: bytes.into() }
    }

    /// The tables in `bytes` from `start` on; `None` where a folder refers to what is not there. A page is looked at
    /// with as much care as is needed when it is looked at.
    pub(super) fn at(start: usize, counts: Counts, bytes: Bytes) -> Option<Tables> {
        let Counts { pages, folders, below, text } = counts;
        let (pages, next) = table::<Page>(start, pages)?;
        let (folders, next) = table::<Folder>(next, folders)?;
        let (below, next) = table::<Below>(next, below)?;
        let text = next..next.checked_add(usize::try_from(text).ok()?)?;
        let tables = Tables { bytes, pages, folders, below, text };
        (tables.text.end == tables.bytes.len() && tables.is_sound()).then_some(tables)
    }

    /// Whether every folder refers to what is there, and a walk over folders ends.
    fn is_sound(&self) -> bool {
        let (pages, folders) = (self.page_count(), self.folder_count());
        let below = (self.below.len() / Below::SIZE) as u32;
        folders > 0
            && (0..folders).all(|at| {
                let folder = self.folder(at);
                let is_in = |range: &Range<u32>, count| range.start <= range.end && range.end <= count;
                is_in(&folder.pages, pages) && is_in(&folder.below, below) && (at + 1..=folders).contains(&folder.end)
            })
    }

    /// The bytes, with what stands before the tables.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn page_count(&self) -> u32 {
        (self.pages.len() / Page::SIZE) as u32
    }

    pub(super) fn folder_count(&self) -> u32 {
        (self.folders.len() / Folder::SIZE) as u32
    }

    pub(super) fn page(&self, at: u32) -> Page {
        self.row(&self.pages, at)
    }

    pub(super) fn folder(&self, at: u32) -> Folder {
        self.row(&self.folders, at)
    }

    /// The classes below a folder.
    pub(super) fn below(&self, folder: &Folder) -> impl Iterator<Item = Below> + '_ {
        folder.below.clone().map(|at| self.row(&self.below, at))
    }

    /// Set a flag of some pages.
    pub(super) fn set_flag(&mut self, pages: &[u32], flag: u8) {
        if pages.is_empty() {
            return;
        }
        // Bytes that nobody else holds are not copied.
        let mut bytes = Vec::from(std::mem::take(&mut self.bytes));
        for &at in pages {
            if let Some(flags) = bytes.get_mut(self.pages.start + at as usize * Page::SIZE + Page::FLAGS) {
                *flags |= flag;
            }
        }
        self.bytes = bytes.into();
    }

    /// So many bytes of the text. Of a damaged file it is empty where there is none.
    pub(super) fn text(&self, start: usize, len: usize) -> &[u8] {
        self.bytes.get(self.text.clone()).and_then(|text| text.get(start..start + len)).unwrap_or_default()
    }

    /// The path of the page in this row, as bytes.
    pub(super) fn path(&self, page: &Page) -> &[u8] {
        self.text(page.text as usize, page.path_len.into())
    }

    /// The path of a folder, as bytes.
    pub(super) fn folder_path(&self, folder: &Folder) -> &[u8] {
        // Only the root of an empty tree has no page below it.
        let is_empty = folder.pages.is_empty();
        let first = (!is_empty).then(|| self.path(&self.page(folder.pages.start)));
        first.and_then(|path| path.get(..folder.path_len.into())).unwrap_or_default()
    }

    #[inline]
    fn row<R: Row>(&self, table: &Range<usize>, at: u32) -> R {
        let start = table.start + at as usize * R::SIZE;
        R::read(self.bytes.get(start..start + R::SIZE).unwrap_or_default())
    }
}

/// The row of which `compare` says that it is equal, among rows that are in order.
pub(super) fn search(rows: Range<u32>, compare: impl Fn(u32) -> Ordering) -> Option<u32> {
    let Range { mut start, mut end } = rows;
    while start < end {
        let middle = start + (end - start) / 2;
        match compare(middle) {
            Ordering::Less => start = middle + 1,
            Ordering::Equal => return Some(middle),
            Ordering::Greater => end = middle,
        }
    }
    None
}

/// Add a table; where it is.
fn append<R: Row>(bytes: &mut Vec<u8>, rows: &[R]) -> Range<usize> {
    let start = bytes.len();
    rows.iter().for_each(|row| row.write(bytes));
    start..bytes.len()
}

/// Where a table of so many rows is that begins at `start`, and where the next one begins.
fn table<R: Row>(start: usize, rows: u32) -> Option<(Range<usize>, usize)> {
    let end = start.checked_add(R::SIZE.checked_mul(rows as usize)?)?;
    Some((start..end, end))
}
