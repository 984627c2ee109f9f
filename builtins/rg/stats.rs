//! What `--stats` and `--json` count.
use crate::scan::Scan;
use std::time::{Duration, Instant};

/// The sums of one search, or of all.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stats {
    pub(super) elapsed: Duration,
    pub(super) searches: u64,
    pub(super) searches_with_match: u64,
    pub(super) bytes_searched: u64,
    pub(super) bytes_printed: u64,
    pub(super) matched_lines: u64,
    pub(super) matches: u64,
}

impl Stats {
    /// A search that had `begun` then has ended, as far as `scan` came.
    pub(super) fn finish(&mut self, scan: &Scan<'_>, begun: Instant) {
        self.elapsed = begun.elapsed();
        self.searches_with_match = u64::from(scan.count > 0);
        self.bytes_searched = scan.searched;
    }

    pub(super) fn add(&mut self, other: &Stats) {
        self.elapsed += other.elapsed;
        self.searches += other.searches;
        self.searches_with_match += other.searches_with_match;
        self.bytes_searched += other.bytes_searched;
        self.bytes_printed += other.bytes_printed;
        self.matched_lines += other.matched_lines;
        self.matches += other.matches;
    }

    /// As `--stats` prints it; `total` is the time of the whole command.
    pub(super) fn text(&self, total: Duration) -> String {
        format!(
            "\n{} matches\n{} matched lines\n{} files contained matches\n{} files searched\n{} bytes printed\n\
             {} bytes searched\n{:.6} seconds spent searching\n{:.6} seconds\n",
            self.matches,
            self.matched_lines,
            self.searches_with_match,
            self.searches,
            self.bytes_printed,
            self.bytes_searched,
            self.elapsed.as_secs_f64(),
            total.as_secs_f64()
        )
    }
}
