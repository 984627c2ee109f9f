//! `-D`: where the names stand in a listing, for Emacs' mode that reads them back.
use crate::{Output, Result};
use std::io::Write;

/// What every line but blank ones begins with.
const MARGIN: &str = "  ";

/// Bytes that the place of one name takes.
pub(super) const PLACE: usize = size_of::<(usize, usize)>();

/// Places of names in what has been written, in bytes from its start. As in GNU's, the bytes of a colour do not count.
#[derive(Default)]
pub(super) struct Dired {
    at: usize,
    names: Vec<(usize, usize)>,
    folders: Vec<(usize, usize)>,
}

impl Dired {
    /// What a line begins with.
    pub(super) fn margin(&mut self) -> &'static str {
        self.at += MARGIN.len();
        MARGIN
    }

    /// `bytes` have been written that are no name.
    pub(super) fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// The name of an item has been written, in `bytes`.
    pub(super) fn name(&mut self, bytes: usize) {
        self.names.push((self.at, self.at + bytes));
        self.at += bytes;
    }

    /// The name of a folder has been written, in `bytes`, above what is in it.
    pub(super) fn folder(&mut self, bytes: usize) {
        self.folders.push((self.at, self.at + bytes));
        self.at += bytes;
    }

    /// The lines at the end of the listing.
    pub(super) fn finish(&self, out: &mut Output, quoting: &str) -> Result<()> {
        for (title, places) in [("//DIRED//", &self.names), ("//SUBDIRED//", &self.folders)] {
            if places.is_empty() {
                continue;
            }
            write!(out, "{title}")?;
            for (start, end) in places {
                write!(out, " {start} {end}")?;
            }
            writeln!(out)?;
        }
        writeln!(out, "//DIRED-OPTIONS// --quoting-style={quoting}")?;
        Ok(())
    }
}
