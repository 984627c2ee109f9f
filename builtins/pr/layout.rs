//! The measures of a page.
use super::options::{Options, Tab, Unprintable};
use crate::{Error, Result};

/// Lines of a page's head, and of its foot.
const HEAD: i64 = 5;
pub(super) const FOOT: i64 = 5;
/// A tab of a number's separator, whatever else is called a tab.
const TAB: i64 = 8;

/// How lines find their columns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fill {
    /// Each file is a column.
    Parallel,
    /// One file, column after column, all of the same height. A page is kept until it is whole.
    Down,
    /// One file, row after row; also one file in one column.
    Across,
}

/// What all pages of a file have in common. Widths are columns of the screen.
pub(super) struct Layout {
    pub(super) fill: Fill,
    pub(super) columns: usize,
    /// Lines of text on a page.
    pub(super) body: i64,
    pub(super) double: bool,
    pub(super) framed: bool,
    pub(super) keeps_form_feeds: bool,
    pub(super) form_feed: bool,
    pub(super) margin: i64,
    /// Of the page, without its margin.
    pub(super) width: i64,
    /// Of a column of text.
    pub(super) column: i64,
    pub(super) truncate: bool,
    /// Stands between columns; also `Some` where there is one column only and it was asked for.
    pub(super) separator: Option<Vec<u8>>,
    pub(super) input_tab: Tab,
    pub(super) expand: bool,
    pub(super) output_tab: Tab,
    pub(super) unexpand: bool,
    pub(super) unprintable: Unprintable,
    pub(super) numbers: Option<Numbers>,
    pub(super) start: i32,
}

/// Numbers before lines.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    pub(super) separator: u8,
    pub(super) digits: usize,
    /// Of the number and its separator.
    pub(super) width: i64,
}

impl Numbers {
    /// What stands between a number and its line, where there are several columns: blanks for a tab.
    pub(super) fn gap(self) -> Vec<u8> {
        match self.separator {
            b'\t' => vec![b' '; self.width as usize - self.digits],
            separator => vec![separator],
        }
    }
}

impl Tab {
    /// How far a tab reaches from column `at`.
    pub(super) fn from(self, at: i64) -> i64 {
        self.width - at % self.width
    }
}

impl Layout {
    /// The pages of one file, or of `files` side by side: as many as could be opened of those that are named, among
    /// which the page is divided.
    pub(super) fn new(options: &Options, files: usize) -> Result<Layout> {
        let parallel = options.parallel && !options.files.is_empty();
        let columns = if parallel { options.files.len() } else { options.columns };
        let fill = match (parallel, options.across || columns == 1) {
            (true, _) => Fill::Parallel,
            (false, true) => Fill::Across,
            (false, false) => Fill::Down,
        };
        let fits_frame = options.length > HEAD + FOOT;
        let framed = options.framed && fits_frame;
        let lines = if framed { options.length - HEAD - FOOT } else { options.length };
        let mut separator = options.separator.clone().map(String::into_bytes);
        if columns > 1 {
            separator = match separator {
                None if options.join => Some(b"\t".to_vec()),
                None => Some(b" ".to_vec()),
                // Columns that are aligned cannot be so by a tab.
                Some(text) if text == b"\t" && !options.join => Some(b" ".to_vec()),
                said => said,
            };
        }
        let by_tab = separator.as_deref() == Some(b"\t");
        let numbers = options.numbers.map(|numbers| Numbers {
            separator: numbers.separator,
            digits: numbers.digits as usize,
            width: numbers.digits + if numbers.separator == b'\t' { TAB - numbers.digits % TAB } else { 1 },
        });
        let aside = numbers.filter(|_| parallel).map_or(0, |numbers| numbers.width);
        let between = (columns as i64 - 1).saturating_mul(separator.as_ref().map_or(0, Vec::len) as i64);
        let column = (options.width - aside).saturating_sub(between) / columns as i64;
        if column < 1 {
            return Err(Error::failed("page width too narrow"));
        }
        Ok(Layout {
            fill,
            columns: if parallel { files } else { columns },
            body: if options.double { (lines / 2).max(1) } else { lines },
            double: options.double,
            framed,
            keeps_form_feeds: options.keeps_form_feeds || !fits_frame,
            form_feed: options.form_feed,
            margin: options.margin,
            width: options.width,
            column,
            truncate: (options.truncate || columns > 1) && !options.join,
            separator,
            input_tab: options.input_tab,
            expand: options.expand || columns > 1 && !by_tab,
            output_tab: options.output_tab,
            unexpand: options.unexpand || columns > 1,
            unprintable: options.unprintable,
            numbers,
            start: options.start,
        })
    }

    /// Columns of the separator.
    pub(super) fn between(&self) -> i64 {
        self.separator.as_ref().map_or(0, Vec::len) as i64
    }

    /// Digits of a line's number.
    pub(super) fn digits(&self) -> usize {
        self.numbers.map_or(0, |numbers| numbers.digits)
    }

    /// Where the text of column `at` begins, the separator before it included; 0 is wherever the last one ended.
    pub(super) fn start_of(&self, at: usize) -> i64 {
        if at == 0 {
            return self.margin + self.between();
        }
        if !self.truncate {
            return 0;
        }
        let numbers = self.numbers.filter(|_| self.fill == Fill::Parallel).map_or(0, |numbers| numbers.width);
        self.margin + numbers + at as i64 * (self.column + self.between())
    }

    /// Whether the lines of column `at` have numbers.
    pub(super) fn numbers_at(&self, at: usize) -> Option<Numbers> {
        self.numbers.filter(|_| self.fill != Fill::Parallel || at == 0)
    }
}
