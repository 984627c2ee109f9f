//! What an ingest tells: how far it is while it runs, and what it did at its end.
use super::{Args, Folder, Summary, host};
use crate::ingest::Reason;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Map, Value, json};
use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

/// How often a line tells of progress where there is no terminal.
const PAUSE: Duration = Duration::from_secs(5);

/// How far it is: a bar on a terminal, now and then a line elsewhere.
pub(super) struct Progress {
    bar: ProgressBar,
    told: Instant,
}

impl Progress {
    pub(super) fn new() -> Progress {
        let target =
            if host::stderr_is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos} of {len} pages, {eta} left") {
            bar.set_style(style);
        }
        Progress { bar, told: Instant::now() }
    }

    /// A line of its own, whatever else is shown.
    pub(super) fn say(&self, line: &str) {
        self.bar.suspend(|| host::say(&format!("docsh: {line}\n")));
    }

    pub(super) fn show(&mut self, done: usize, total: usize) {
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
        if self.bar.is_hidden() && self.told.elapsed() > PAUSE {
            self.told = Instant::now();
            self.say(&format!("{done} of {total} pages written"));
        }
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// What an ingest did.
pub(super) struct Report<'a> {
    args: &'a Args,
    begun: Instant,
    pub(super) summary: Summary,
    /// Files in S3 that the site points to.
    pub(super) uploaded: usize,
    /// Older ones that were deleted there.
    pub(super) cleaned: usize,
}

impl<'a> Report<'a> {
    pub(super) fn new(args: &'a Args, begun: Instant) -> Report<'a> {
        Report { args, begun, summary: Summary::default(), uploaded: 0, cleaned: 0 }
    }

    /// Tell it: on stderr for people, on stdout for programs.
    pub(super) fn tell(&self, folder: &Folder) {
        if self.args.json {
            // A reader that has gone has seen enough.
            let _ = io::stdout().write_all(format!("{}\n", self.json(folder)).as_bytes());
        } else {
            host::say(&self.text(folder));
        }
    }

    fn text(&self, folder: &Folder) -> String {
        let Summary { added, changed, unchanged, removed, .. } = self.summary;
        let (pages, chunks, bytes) = weight(folder);
        let seconds = self.begun.elapsed().as_secs_f64();
        let would = if self.args.dry_run { "would hold " } else { "" };
        let mut text = format!(
            "site {}: {would}{}, {}, {}, in {seconds:.2} s: {added} added, {changed} changed, {removed} removed, \
             {unchanged} unchanged\n",
            self.args.site,
            count(pages, "page"),
            count(chunks, "chunk"),
            count(bytes, "byte"),
        );
        if self.uploaded > 0 {
            text += &format!("in S3: {}, {} deleted\n", count(self.uploaded, "file"), count(self.cleaned, "old one"));
        }
        let left_out = folder.left_out_by_reason();
        if !left_out.is_empty() {
            let parts: Vec<String> =
                left_out.iter().map(|(reason, number)| format!("{number} {}", word(*reason))).collect();
            text += &format!("left out: {}\n", parts.join(", "));
        }
        text
    }

    fn json(&self, folder: &Folder) -> Value {
        let Summary { added, changed, unchanged, removed, written, swept } = self.summary;
        let (pages, chunks, bytes) = weight(folder);
        let skipped: Vec<Value> =
            folder.left_out.iter().map(|(path, reason)| json!({ "path": path, "reason": word(*reason) })).collect();
        let numbers = [
            ("pages", pages),
            ("chunks", chunks),
            ("bytes", bytes),
            ("added", added),
            ("changed", changed),
            ("removed", removed),
            ("unchanged", unchanged),
            ("written", written),
            ("uploaded", self.uploaded),
            ("recordsDeleted", swept),
            ("objectsDeleted", self.cleaned),
        ];
        let mut report = Map::new();
        report.insert("site".into(), self.args.site.as_str().into());
        report.insert("dryRun".into(), self.args.dry_run.into());
        report.extend(numbers.map(|(name, number)| (name.to_string(), number.into())));
        report.insert("skipped".into(), skipped.into());
        report.insert("warnings".into(), folder.warnings.clone().into());
        report.insert("seconds".into(), self.begun.elapsed().as_secs_f64().into());
        report.into()
    }
}

/// The pages of a folder, their chunks and their bytes.
fn weight(folder: &Folder) -> (usize, usize, usize) {
    let stored = folder.sources.iter().filter(|source| source.lazy.is_none());
    let chunks = stored.map(|source| source.page.chunks.len()).sum();
    (folder.sources.len(), chunks, folder.sources.iter().map(|source| source.size).sum())
}

/// Why a file was left out.
fn word(reason: Reason) -> &'static str {
    match reason {
        Reason::Hidden => "hidden",
        Reason::Draft => "draft",
        Reason::Excluded => "excluded",
        Reason::NotText => "not text",
        Reason::Unclear => "of unclear access",
        Reason::Unreadable => "unreadable",
    }
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
