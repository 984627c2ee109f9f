//! Pages as streams: one that is fetched by its first read, and many in a row, read ahead.
use super::DocFs;
use crate::tree::PageId;
use bytes::{Buf, Bytes};
use docsh_builtins::{Cancel, ErrorKind, FsResult, VPath};
use std::{
    collections::VecDeque,
    io::{self, BufRead, Read},
    vec,
};

/// The most bytes that reading ahead asks for at once.
const WINDOW: u64 = 8 << 20;
/// The same for the first read of a walk: a hundred usual pages in one request.
const FIRST_WINDOW: u64 = 1 << 20;
/// What a page is taken to weigh when the tree does not say.
const TYPICAL: u64 = 8 << 10;

/// What `text` holds from this byte on.
pub(super) fn from_offset(text: &Bytes, from: u64) -> Bytes {
    text.slice(text.len().min(usize::try_from(from).unwrap_or(usize::MAX))..)
}

/// A page being read: its first read fetches it.
pub(super) struct Text {
    fs: DocFs,
    page: PageId,
    path: VPath,
    from: u64,
    rest: Option<Bytes>,
    cancel: Cancel,
}

impl Text {
    /// The page from this byte on, as yet unread.
    pub(super) fn new(fs: DocFs, page: PageId, path: VPath, from: u64, cancel: Cancel) -> Text {
        Text { fs, page, path, from, rest: None, cancel }
    }
}

impl BufRead for Text {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.cancel.check()?;
        let rest = match self.rest.take() {
            Some(rest) => rest,
            None => {
                let text = self.fs.read_one(self.page, &self.cancel).map_err(|kind| kind.at(&self.path))?;
                from_offset(&text, self.from)
            }
        };
        Ok(self.rest.insert(rest))
    }

    fn consume(&mut self, n: usize) {
        if let Some(rest) = &mut self.rest {
            rest.advance(n);
        }
    }
}

impl Read for Text {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.fill_buf()?.read(buf)?;
        self.consume(n);
        Ok(n)
    }
}

/// Pages in a row, read ahead by [`FIRST_WINDOW`] bytes, then, if somebody is asked for them, twice that, up to
/// [`WINDOW`]: a walk costs few requests, and who stops early has cost little.
pub(super) struct Many {
    fs: DocFs,
    paths: vec::IntoIter<VPath>,
    ready: VecDeque<(VPath, FsResult<Bytes>)>,
    window: u64,
    cancel: Cancel,
}

impl Many {
    /// These pages, none of them read yet.
    pub(super) fn new(fs: DocFs, paths: Vec<VPath>, cancel: Cancel) -> Many {
        Many { fs, paths: paths.into_iter(), ready: VecDeque::new(), window: FIRST_WINDOW, cancel }
    }

    fn fetch(&mut self) {
        let (mut found, mut pages, mut weight) = (Vec::new(), Vec::new(), 0);
        while weight < self.window {
            let Some(path) = self.paths.next() else { break };
            let page = self.fs.page_near(&path, pages.last().copied().map(PageId::next));
            if let Ok(page) = page {
                weight += self.fs.0.tree.size(page).unwrap_or(TYPICAL);
                pages.push(page);
            }
            found.push((path, page));
        }
        // What is at hand is not worth reading far ahead.
        if !self.fs.0.site.store.is_resident() {
            self.window = (self.window * 2).min(WINDOW);
        }
        let mut texts = self.fs.read(&pages, &self.cancel).into_iter();
        for (path, page) in found {
            let text = page.and_then(|_| match texts.next() {
                Some(text) => text.map_err(|kind| kind.at(&path)),
                None => Err(ErrorKind::Io("".into()).at(&path)),
            });
            let text = text.or_else(|error| self.fs.overview(&path).ok_or(error));
            self.ready.push_back((path, text));
        }
    }
}

impl Iterator for Many {
    type Item = (VPath, FsResult<Bytes>);

    fn next(&mut self) -> Option<(VPath, FsResult<Bytes>)> {
        if self.ready.is_empty() {
            self.fetch();
        }
        self.ready.pop_front()
    }
}
