//! Columns that text takes on a screen.
use unicode_width::UnicodeWidthChar;

/// Columns of `text`; control characters take none.
pub fn of(text: &str) -> usize {
    if text.is_ascii() {
        return text.bytes().filter(|byte| !byte.is_ascii_control()).count();
    }
    text.chars().filter_map(UnicodeWidthChar::width).sum()
}
