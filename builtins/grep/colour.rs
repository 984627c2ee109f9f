//! GNU grep's colours, as `GREP_COLORS` has them when it is not set.
use std::io::{self, Write};

/// A matched string.
pub(super) const MATCH: &str = "01;31";
/// A file name.
pub(super) const NAME: &str = "35";
/// A line number, a byte offset.
pub(super) const NUMBER: &str = "32";
/// What stands between the fields of a line and between groups of lines.
pub(super) const SEPARATOR: &str = "36";

/// `text`, in the colour `code` when colours are on.
pub(super) fn paint(out: &mut dyn Write, on: bool, code: &str, text: &[u8]) -> io::Result<()> {
    if !on {
        return out.write_all(text);
    }
    write!(out, "\x1b[{code}m\x1b[K")?;
    out.write_all(text)?;
    out.write_all(b"\x1b[m\x1b[K")
}
