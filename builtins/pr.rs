//! `pr`: text set in pages for a printer, in one column or several, or files side by side.
//!
//! The way of a line: [`feed`] gives a [piece](feed::Piece) of a file, [`text`] what of it fits into a column,
//! [`pages`] the place on the page, and [`pen`] writes it, with tabs for blanks. [`options`] reads the words, and
//! [`layout`] makes of them the measures of a page. Text streams, but for columns that are filled downwards: those
//! keep one page.
mod feed;
mod layout;
mod options;
mod pages;
mod pen;
#[cfg(test)]
mod tests;
mod text;

use crate::{Builtin, Call, Error, ErrorKind, Moment, Result, Status, quoted_if_odd, width};
use feed::Feed;
use layout::Layout;
use options::Options;
use pages::{Pages, Turned};

pub(crate) static PR: Builtin = Builtin {
    name: "pr",
    synopsis: "[OPTION]... [FILE]...",
    about: "Paginate or columnate FILE(s) for printing.",
    options: options::TABLE,
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let options = options::read(call)?;
    let mut status = Status::OK;
    if options.files.is_empty() {
        let feed = Feed::new("-", Ok(call.stdin.clone()), &call.memory);
        let title = Title::new(call, &options, None);
        print(call, &options, vec![feed], &title)?;
    } else if options.parallel {
        let mut feeds = Vec::new();
        for file in &options.files {
            feeds.extend(open(call, &options, file, &mut status)?);
        }
        let title = Title::new(call, &options, Some(""));
        if !feeds.is_empty() {
            print(call, &options, feeds, &title)?;
        }
    } else {
        for file in &options.files {
            if let Some(feed) = open(call, &options, file, &mut status)? {
                let title = Title::new(call, &options, Some(file));
                print(call, &options, vec![feed], &title)?;
            }
        }
    }
    Ok(status)
}

/// The text of `file`; none, and a status of failure, when it cannot be opened.
fn open(call: &mut Call<'_>, options: &Options, file: &str, status: &mut Status) -> Result<Option<Feed>> {
    let opened = if file == "-" { Ok(call.stdin.clone()) } else { call.open(file) };
    match opened {
        // A folder opens, and cannot be read.
        Err(error) if !matches!(error.kind, ErrorKind::IsADirectory) => {
            if !options.quiet {
                call.warn(format_args!("{}: {error}", quoted_if_odd(file)))?;
            }
            *status = Status::FAILURE;
            Ok(None)
        }
        opened => Ok(Some(Feed::new(file, opened, &call.memory))),
    }
}

/// The pages of `feeds`, which are side by side when there are several.
fn print(call: &mut Call<'_>, options: &Options, feeds: Vec<Feed>, title: &Title) -> Result<()> {
    let layout = Layout::new(options, feeds.len())?;
    let mut memory = call.memory.another();
    memory.take(layout.digits() + layout.columns * pages::COLUMN_SIZE)?;
    let mut pages = Pages::new(&layout, title, feeds, &mut call.stdout, memory.another(), &call.cancel);
    let turned = pages.turn_to(options.first, options.counts_skipped);
    match turned? {
        Turned::There => pages.print(options.first, options.last)?,
        Turned::Nothing => {}
        Turned::Beyond(count) => {
            let first = options.first;
            call.warn(format_args!("starting page number {first} exceeds page count {count}"))?;
        }
    }
    Ok(())
}

/// What the head of each page says before the page's number.
struct Title {
    date: String,
    text: String,
}

impl Title {
    /// Of a `file` with a time of its own; others have the time of day.
    fn new(call: &Call<'_>, options: &Options, file: Option<&str>) -> Title {
        let own = file.filter(|file| !matches!(*file, "" | "-"));
        let seconds = own.and_then(|file| call.stat(file).ok()).map_or_else(|| call.now(), |meta| meta.mtime);
        let text = options.header.as_deref().unwrap_or(own.unwrap_or_default());
        Title { date: Moment::utc(seconds).format(&options.date), text: text.to_string() }
    }

    /// The blanks before and after the text, which stands in the middle of a page of `columns`; the date begins the
    /// head and the page's number, `page`, ends it.
    fn blanks(&self, page: &str, columns: i64) -> (i64, i64) {
        let wide = |text: &str| i64::try_from(width::of(text)).unwrap_or(i64::MAX);
        let around = columns.saturating_sub(wide(&self.date)).saturating_sub(wide(&self.text)).max(0);
        let free = around.saturating_sub(wide(page)).max(0);
        ((free / 2).max(1), (free - free / 2).max(1))
    }
}

/// The end of a run whose text could not be read.
fn unreadable(file: &str, error: Error) -> Error {
    match crate::FsError::within(error) {
        Ok(cause) => Error::failed(format!("{}: {cause}", quoted_if_odd(file))),
        Err(error) => error,
    }
}
