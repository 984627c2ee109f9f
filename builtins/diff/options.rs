//! What the words of `diff` ask for.
mod read;
mod table;
mod typed;

use super::text::Ignored;
use crate::{
    Call, Glob, Result,
    pattern::{self, Dialect, Pattern, Syntax},
};
pub(crate) use read::columns;
pub(super) use read::read;
pub(super) use table::TABLE;

/// How changes are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Normal,
    Context,
    Unified,
    SideBySide,
    Ed,
    ForwardEd,
    Rcs,
    /// By the formats of groups and lines.
    Merged,
}

/// The formats of `--*-group-format` and `--*-line-format`, where they were given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Formats {
    pub(crate) old_group: Option<String>,
    pub(crate) new_group: Option<String>,
    pub(crate) same_group: Option<String>,
    pub(crate) changed_group: Option<String>,
    pub(crate) old_line: Option<String>,
    pub(crate) new_line: Option<String>,
    pub(crate) same_line: Option<String>,
}

/// What is asked for.
pub(crate) struct Options {
    pub(crate) style: Style,
    pub(crate) brief: bool,
    pub(crate) identical: bool,
    pub(crate) context: usize,
    pub(crate) width: usize,
    pub(crate) left_column: bool,
    pub(crate) no_common: bool,
    pub(crate) function: Option<Pattern>,
    pub(crate) labels: Vec<String>,
    pub(crate) expand_tabs: bool,
    pub(crate) initial_tab: bool,
    pub(crate) no_blank: bool,
    pub(crate) recursive: bool,
    pub(crate) new_file: bool,
    pub(crate) new_first: bool,
    pub(crate) name_case: bool,
    pub(crate) exclude: Vec<Glob>,
    pub(crate) starting_file: Option<String>,
    pub(crate) ignored: Ignored,
    pub(crate) blank_lines: bool,
    pub(crate) matching: Option<Pattern>,
    pub(crate) text: bool,
    pub(crate) minimal: bool,
    pub(crate) horizon: usize,
    pub(crate) formats: Formats,
    pub(crate) colour: bool,
    /// Whether what is printed of two files goes through `pr`.
    pub(crate) paginate: bool,
    /// The options as they were typed, for the lines `diff -r a b`.
    pub(crate) typed: String,
}

impl Options {
    /// Nothing asked for.
    pub(crate) fn new() -> Options {
        Options {
            style: Style::Normal,
            brief: false,
            identical: false,
            context: 3,
            width: 130,
            left_column: false,
            no_common: false,
            function: None,
            labels: Vec::new(),
            expand_tabs: false,
            initial_tab: false,
            no_blank: false,
            recursive: false,
            new_file: false,
            new_first: false,
            name_case: false,
            exclude: Vec::new(),
            starting_file: None,
            ignored: Ignored { tab_size: 8, ..Ignored::default() },
            blank_lines: false,
            matching: None,
            text: false,
            minimal: false,
            horizon: 0,
            formats: Formats::default(),
            colour: false,
            paginate: false,
            typed: String::new(),
        }
    }

    /// What file `at`, 0 or 1, is called: `name`, unless a label was given.
    pub(crate) fn label<'l>(&'l self, at: usize, name: &'l str) -> &'l str {
        self.labels.get(at).map_or(name, String::as_str)
    }

    /// Whether some changes are passed over.
    pub(crate) fn passes_over(&self) -> bool {
        self.blank_lines || self.matching.is_some()
    }
}

/// The operands, and what they are compared to when `--from-file` or `--to-file` says so.
pub(super) struct Operands {
    pub(super) files: Vec<String>,
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
}

/// One pattern of all of `patterns`; none of none.
pub(crate) fn compile(call: &Call<'_>, patterns: &[&str]) -> Result<Option<Pattern>> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let options = pattern::Options { size: call.limits.regex, ..pattern::Options::default() };
    Ok(Some(Pattern::new(patterns, Dialect::Posix(Syntax::GREP), options)?))
}
