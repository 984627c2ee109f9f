//! Reading a file by ranges, each answer checked against what was asked and which version it is of.
use super::{Blob, Fault, LazyFiles, Target, broken, check_status, text_of};
use crate::store::{
    StoreError,
    answer::{self, Unread},
    bridge,
};
use bytes::Bytes;
use docsh_builtins::Cancel;
use reqwest::{Method, header::HeaderMap};
use std::{ops::Range, sync::Arc};

/// A pointer being read.
pub(super) struct Remote {
    files: Arc<LazyFiles>,
    target: Target,
    len: u64,
    /// The version that the first answer was of, or that the tree names.
    etag: Option<String>,
}

/// A range of a file, and what the server says of the whole.
struct Part {
    bytes: Bytes,
    total: u64,
    etag: Option<String>,
}

impl Remote {
    /// A file, whose length is asked for where it is not known.
    pub(super) fn open(
        files: Arc<LazyFiles>,
        target: Target,
        size: Option<u64>,
        etag: Option<String>,
        cancel: &Cancel,
    ) -> Result<Remote, StoreError> {
        let mut remote = Remote { files, target, len: size.unwrap_or(0), etag };
        if size.is_none() {
            let first = remote.fetch(0..1, None, cancel)?;
            (remote.len, remote.etag) = (first.total, remote.etag.or(first.etag));
        }
        Ok(remote)
    }

    fn fetch(&self, range: Range<u64>, total: Option<u64>, cancel: &Cancel) -> Result<Part, StoreError> {
        let clients = self.files.clients()?;
        let mut headers = HeaderMap::new();
        let lasting = |_| StoreError::Lazy { reason: "has an impossible version".into() };
        headers.insert("range", format!("bytes={}-{}", range.start, range.end - 1).parse().map_err(lasting)?);
        if let Some(etag) = &self.etag {
            headers.insert("if-match", etag.parse().map_err(lasting)?);
        }
        let once = async || {
            let request = match &self.target {
                Target::Object { bucket, key } => clients.s3.request(Method::GET, bucket, key, headers.clone()).await?,
                Target::Address(url) => clients.https.get(url.clone()).headers(headers.clone()),
            };
            bridge::count_request("file");
            let answer = request.send().await.map_err(|error| broken(&error))?;
            check(answer, &range, total).await
        };
        self.files.wait(once, cancel)
    }
}

impl Blob for Remote {
    fn len(&self) -> u64 {
        self.len
    }

    fn read(&self, range: Range<u64>, cancel: &Cancel) -> Result<Bytes, StoreError> {
        if range.is_empty() {
            return Ok(Bytes::new());
        }
        self.fetch(range, Some(self.len), cancel).map(|part| part.bytes)
    }
}

/// The bytes of an answer, if it is one to what was asked.
async fn check(answer: reqwest::Response, range: &Range<u64>, total: Option<u64>) -> Result<Part, Fault> {
    let lasting = |reason: &str| Err(Fault::Lasting(reason.to_string()));
    check_status(answer.status())?;
    let etag = text_of(&answer, "etag");
    let (start, end, length) = match text_of(&answer, "content-range").as_deref().map(content_range) {
        Some(Some(found)) => found,
        // The whole file, in answer to a request for what is the whole file.
        None if range.start == 0 && answer.content_length() == Some(range.end) => (0, range.end, range.end),
        _ => return lasting("cannot be fetched in parts"),
    };
    if total.is_some_and(|total| total != length) {
        return lasting("has another size than the site says");
    }
    if start != range.start || end != range.end.min(length) {
        return lasting("cannot be fetched in parts");
    }
    match answer::body(answer, end - start).await {
        Ok(bytes) if bytes.len() as u64 == end - start => Ok(Part { bytes, total: length, etag }),
        Ok(_) => Err(Fault::Passing("was cut off on its way".into())),
        Err(Unread::TooLong) => lasting("cannot be fetched in parts"),
        Err(Unread::Broken(error)) => Err(broken(&error)),
    }
}

/// The start, the end and the whole of `bytes START-LAST/TOTAL`.
pub(super) fn content_range(text: &str) -> Option<(u64, u64, u64)> {
    let (range, total) = text.strip_prefix("bytes ")?.split_once('/')?;
    let (start, last) = range.split_once('-')?;
    Some((start.parse().ok()?, last.parse::<u64>().ok()?.checked_add(1)?, total.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        assert_eq!(content_range("bytes 0-99/1000"), Some((0, 100, 1000)));
        for text in ["bytes 0-99/*", "bytes */1000", "items 0-9/10", "0-9/10", "bytes 9/10"] {
            assert_eq!(content_range(text), None, "{text}");
        }
    }
}
