//! What a run has cost: requests, pages and bytes, counted by whoever reads on its behalf.
//!
//! A [`Usage`] hangs on the run's [`Cancel`](crate::Cancel), which reaches every reader anyway; the parts of a run
//! count into the whole. It tells numbers only, never names or text.
use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
};

/// The counters of one run.
#[derive(Debug, Default)]
pub struct Usage {
    requests: AtomicU64,
    pages_read: AtomicU64,
    cache_hits: AtomicU64,
    bytes: AtomicU64,
}

/// What the counters said at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Requests sent to servers, repeated ones included.
    pub requests: u64,
    /// Pages whose text was read, wherever it came from.
    pub pages_read: u64,
    /// Those of them that some cache had.
    pub cache_hits: u64,
    /// Bytes of page text read.
    pub bytes: u64,
}

impl Usage {
    /// A request goes out.
    pub fn request(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    /// A page's text is about to be handed out, all of it or the first of several parts.
    pub fn page(&self) {
        self.pages_read.fetch_add(1, Ordering::Relaxed);
    }

    /// So much text has been handed out.
    pub fn text(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// So many pages were in a cache.
    pub fn hits(&self, pages: usize) {
        self.cache_hits.fetch_add(pages as u64, Ordering::Relaxed);
    }

    /// What has been counted so far.
    pub fn look(&self) -> Cost {
        let look = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Cost {
            requests: look(&self.requests),
            pages_read: look(&self.pages_read),
            cache_hits: look(&self.cache_hits),
            bytes: look(&self.bytes),
        }
    }

    /// What was counted since the last time this was asked.
    pub fn take(&self) -> Cost {
        let take = |counter: &AtomicU64| counter.swap(0, Ordering::Relaxed);
        Cost {
            requests: take(&self.requests),
            pages_read: take(&self.pages_read),
            cache_hits: take(&self.cache_hits),
            bytes: take(&self.bytes),
        }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cost { requests, pages_read, cache_hits, bytes } = self;
        write!(f, "requests={requests} pages={pages_read} cached={cache_hits} bytes={bytes}")
    }
}
