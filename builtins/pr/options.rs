//! What the words of `pr` ask for.
mod old;
mod read;
mod table;
mod value;

pub(super) use read::read;
pub(super) use table::TABLE;

/// What was asked for.
pub(super) struct Options {
    /// `-` is standard input; none is too.
    pub(super) files: Vec<String>,
    /// The first and the last page to print.
    pub(super) first: u64,
    pub(super) last: u64,
    pub(super) columns: usize,
    /// Columns are filled by rows.
    pub(super) across: bool,
    /// Each file is a column.
    pub(super) parallel: bool,
    pub(super) double: bool,
    /// How the date of the head is written, as `date` does.
    pub(super) date: String,
    /// What the head says instead of the file's name.
    pub(super) header: Option<String>,
    /// Pages have a head and a foot.
    pub(super) framed: bool,
    /// A form feed of the text ends a page without a frame, too.
    pub(super) keeps_form_feeds: bool,
    /// A form feed ends a page, instead of empty lines.
    pub(super) form_feed: bool,
    /// Lines of a page.
    pub(super) length: i64,
    pub(super) margin: i64,
    pub(super) width: i64,
    pub(super) truncate: bool,
    pub(super) join: bool,
    /// What stands between columns, where that was said.
    pub(super) separator: Option<String>,
    /// What the text calls a tab; it becomes blanks where `expand` says so.
    pub(super) input_tab: Tab,
    pub(super) expand: bool,
    /// What blanks become, where `unexpand` says so.
    pub(super) output_tab: Tab,
    pub(super) unexpand: bool,
    pub(super) unprintable: Unprintable,
    pub(super) numbers: Option<Numbers>,
    /// The number of the first line.
    pub(super) start: i32,
    /// The lines of pages that are not printed have numbers.
    pub(super) counts_skipped: bool,
    /// Nothing is said of a file that cannot be opened.
    pub(super) quiet: bool,
}

/// A byte that reaches to the next multiple of `width`.
#[derive(Clone, Copy)]
pub(super) struct Tab {
    pub(super) byte: u8,
    pub(super) width: i64,
}

/// Numbers before lines.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    pub(super) separator: u8,
    pub(super) digits: i64,
}

/// What becomes of bytes that do not print.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unprintable {
    AsIs,
    /// `\007`
    Octal,
    /// `^G`, and `\351` above ASCII.
    Hat,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            files: Vec::new(),
            first: 1,
            last: u64::MAX,
            columns: 1,
            across: false,
            parallel: false,
            double: false,
            date: "%Y-%m-%d %H:%M".to_string(),
            header: None,
            framed: true,
            keeps_form_feeds: false,
            form_feed: false,
            length: 66,
            margin: 0,
            width: 72,
            truncate: false,
            join: false,
            separator: None,
            input_tab: Tab { byte: b'\t', width: 8 },
            expand: false,
            output_tab: Tab { byte: b'\t', width: 8 },
            unexpand: false,
            unprintable: Unprintable::AsIs,
            numbers: None,
            start: 1,
            counts_skipped: true,
            quiet: false,
        }
    }
}
