//! Reading files that are not in the store: by blocks that grow with what has been read, from any offset, so that
//! `head -c` of a large file fetches its beginning, `tail -c` its end, and a reader that stops early ends the transfer.
use crate::{
    store::{
        StoreError,
        lazy::{Blob, LazyFiles},
    },
    tree::Lazy,
};
use bytes::{Buf, Bytes, BytesMut};
use docsh_builtins::{Cancel, ErrorKind, VPath};
use std::{
    io::{self, BufRead, Read},
    sync::Arc,
};

/// The smallest block and the largest, in bytes. Between them a block is as large as all before it together.
const SMALLEST: u64 = 64 << 10;
const LARGEST: u64 = 8 << 20;

/// A file being read from an offset on.
pub(super) struct Stream {
    files: Arc<LazyFiles>,
    lazy: Lazy,
    size: Option<u64>,
    path: VPath,
    cancel: Cancel,
    /// Asked for by the first read.
    blob: Option<Box<dyn Blob>>,
    /// Where the reader began, and what is fetched next.
    start: u64,
    at: u64,
    buffer: Bytes,
}

impl Stream {
    pub(super) fn new(
        files: Arc<LazyFiles>,
        lazy: &Lazy,
        size: Option<u64>,
        from: u64,
        path: VPath,
        cancel: &Cancel,
    ) -> Stream {
        let (lazy, cancel) = (lazy.clone(), cancel.clone());
        Stream { files, lazy, size, path, cancel, blob: None, start: from, at: from, buffer: Bytes::new() }
    }

    fn fetch(&mut self) -> Result<(), StoreError> {
        let blob = match &self.blob {
            Some(blob) => blob,
            None => {
                self.cancel.usage().page();
                self.blob.insert(self.files.open(&self.lazy, self.size, &self.cancel)?)
            }
        };
        let block = (self.at - self.start).clamp(SMALLEST, LARGEST);
        let end = blob.len().min(self.at.saturating_add(block));
        if self.at < end {
            self.buffer = blob.read(self.at..end, &self.cancel)?;
            self.cancel.usage().text(self.buffer.len());
            self.at = end;
        }
        Ok(())
    }
}

impl BufRead for Stream {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.cancel.check()?;
        if self.buffer.is_empty() {
            self.fetch().map_err(|error| ErrorKind::from(error).at(&self.path))?;
        }
        Ok(&self.buffer)
    }

    fn consume(&mut self, n: usize) {
        self.buffer.advance(n);
    }
}

impl Read for Stream {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.fill_buf()?.read(buf)?;
        self.consume(n);
        Ok(n)
    }
}

/// The whole file, if it has no more than `limit` bytes.
pub(super) fn whole(
    files: &Arc<LazyFiles>,
    lazy: &Lazy,
    size: Option<u64>,
    limit: u64,
    cancel: &Cancel,
) -> Result<Bytes, StoreError> {
    let blob = files.open(lazy, size, cancel)?;
    if blob.len() > limit {
        let reason =
            format!("of {} bytes is larger than the {limit} that are read unasked; name it to read it", blob.len());
        return Err(StoreError::Lazy { reason });
    }
    let mut text = BytesMut::new();
    while (text.len() as u64) < blob.len() {
        let start = text.len() as u64;
        text.extend_from_slice(&blob.read(start..blob.len().min(start + LARGEST), cancel)?);
    }
    Ok(text.freeze())
}

/// How many bytes the file has.
pub(super) fn len(files: &Arc<LazyFiles>, lazy: &Lazy, cancel: &Cancel) -> Result<u64, StoreError> {
    files.open(lazy, None, cancel).map(|blob| blob.len())
}

/// Whether the file is there, as far as its first byte tells.
pub(super) fn probe(files: &Arc<LazyFiles>, lazy: &Lazy, size: Option<u64>, cancel: &Cancel) -> Result<(), StoreError> {
    let blob = files.open(lazy, size, cancel)?;
    blob.read(0..blob.len().min(1), cancel).map(drop)
}
