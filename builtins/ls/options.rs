//! What the words of an `ls` command ask for.
mod read;
mod table;
mod time_style;

use super::names::Names;
use crate::{Glob, Unit};
pub(super) use read::read;
pub(super) use table::TABLE;
pub(super) use time_style::TimeStyle;

/// The layout of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Long,
    OnePerLine,
    Columns,
    Across,
    Commas,
}

/// What names are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Name,
    None,
    Time,
    Size,
    Extension,
    Version,
    Width,
}

/// Which dot files are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hidden {
    Left,
    /// `-A`: all but `.` and `..`.
    Shown,
    /// `-a`.
    ShownWithDots,
}

/// All that a command line says.
pub(super) struct Options {
    pub(super) format: Format,
    pub(super) sort: Sort,
    pub(super) reverse: bool,
    pub(super) folders_first: bool,
    pub(super) hidden: Hidden,
    /// Left out always (`-I`, `-B`).
    pub(super) ignored: Vec<Glob>,
    /// Left out unless `-a` or `-A` is given (`--hide`).
    pub(super) hides: Vec<Glob>,
    pub(super) directory: bool,
    pub(super) recursive: bool,
    pub(super) inode: bool,
    pub(super) blocks: bool,
    pub(super) numeric: bool,
    pub(super) owner: bool,
    pub(super) group: bool,
    pub(super) author: bool,
    pub(super) context: bool,
    pub(super) block_unit: Unit,
    pub(super) size_unit: Unit,
    pub(super) time: TimeStyle,
    pub(super) names: Names,
    /// Columns of a line; 0 is no limit.
    pub(super) width: usize,
    pub(super) tab: usize,
    /// What ends a line.
    pub(super) end: char,
    /// Whether the places of the names are told behind the listing.
    pub(super) dired: bool,
}

impl Options {
    /// Whether the size of a file is shown, or sorted by.
    pub(super) fn needs_size(&self) -> bool {
        self.format == Format::Long || self.blocks || self.sort == Sort::Size
    }

    /// Whether it matters how wide names are.
    pub(super) fn needs_width(&self) -> bool {
        let side_by_side = matches!(self.format, Format::Columns | Format::Across | Format::Commas);
        side_by_side || self.sort == Sort::Width
    }
}
