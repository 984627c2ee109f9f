//! The bytes of a line, as they stand in a column.
use super::{
    layout::{Fill, Layout, Numbers},
    options::{Tab, Unprintable},
};
use std::{iter::Copied, slice};

/// What one byte of a line becomes: some bytes, or a run of blanks.
#[derive(Clone, Copy)]
pub(super) enum Clump {
    Bytes([u8; 4], usize),
    Blanks(i64),
}

/// Goes through a line as far as it fits into its column.
pub(super) struct Text<'l> {
    layout: &'l Layout,
    bytes: Copied<slice::Iter<'l, u8>>,
    /// Columns that the text takes so far.
    pub(super) width: i64,
}

impl<'l> Text<'l> {
    pub(super) fn new(layout: &'l Layout, line: &'l [u8]) -> Text<'l> {
        Text { layout, bytes: line.iter().copied(), width: 0 }
    }

    /// The line's number stands in the column, too. Files side by side have a column for it.
    pub(super) fn add_number(&mut self, numbers: Numbers) {
        if self.layout.truncate && self.layout.fill != Fill::Parallel {
            self.width += numbers.width;
        }
    }

    fn clump(&mut self, byte: u8) -> Clump {
        let layout = self.layout;
        let tab = match byte {
            _ if byte == layout.input_tab.byte => Some(layout.input_tab),
            b'\t' => Some(Tab { byte, width: 8 }),
            _ => None,
        };
        let (clump, width) = match byte {
            _ if let Some(tab) = tab => {
                let width = tab.from(self.width);
                (if layout.expand { Clump::Blanks(width) } else { bare(byte) }, width)
            }
            b' '..=b'~' => (bare(byte), 1),
            _ => match layout.unprintable {
                Unprintable::Octal => (octal(byte), 4),
                Unprintable::Hat if byte >= 0x80 => (octal(byte), 4),
                Unprintable::Hat => (Clump::Bytes([b'^', byte ^ 0o100, 0, 0], 2), 2),
                Unprintable::AsIs if byte == b'\x08' && self.width == 0 => (Clump::Bytes([0; 4], 0), 0),
                Unprintable::AsIs if byte == b'\x08' => (bare(byte), -1),
                Unprintable::AsIs => (bare(byte), 0),
            },
        };
        self.width += width;
        clump
    }
}

impl Iterator for Text<'_> {
    type Item = Clump;

    /// The next clump; none at the end of the line, or when the column is full.
    fn next(&mut self) -> Option<Clump> {
        let byte = self.bytes.next()?;
        let before = self.width;
        let clump = self.clump(byte);
        if self.layout.truncate && self.width > self.layout.column {
            self.width = before;
            self.bytes = [].iter().copied();
            return None;
        }
        Some(clump)
    }
}

fn bare(byte: u8) -> Clump {
    Clump::Bytes([byte, 0, 0, 0], 1)
}

fn octal(byte: u8) -> Clump {
    let digit = |shift: u8| b'0' + (byte >> shift & 7);
    Clump::Bytes([b'\\', digit(6), digit(3), digit(0)], 4)
}
