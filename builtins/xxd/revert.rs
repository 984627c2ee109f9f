//! `xxd -r`: the bytes of a dump.
//!
//! A line is a position, then pairs of digits; after as many bytes as a line holds, or after three characters that are
//! no digits, the rest of it is text. Plain digits have no positions and go on over the lines' ends.
use super::options::{Form, Options, Seek};
use crate::{Call, Error, Input, Result, Status};
use std::io::{BufRead, Write};

const SEEK_FAILED: Status = Status(5);

pub(super) fn run(call: &mut Call<'_>, options: &Options, input: &mut Input) -> Result<Status> {
    let base = match options.seek {
        Seek::Forward(count) => i128::from(count),
        Seek::FromEnd(count) => -i128::from(count),
    };
    let plain = options.form == Form::Plain;
    let mut reader =
        Reader { plain, columns: options.columns, recent: [None, Some(0), None], place: Place::Start, wanted: 0 };
    let mut written: i128 = 0;
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            return Ok(Status::OK);
        }
        let used = bytes.len();
        for &byte in bytes {
            let Some((position, value)) = reader.next(byte) else { continue };
            let target = base + i128::from(position);
            if target < written {
                return Err(Error::Failed("Sorry, cannot seek backwards.".to_string(), SEEK_FAILED));
            }
            // What the dump leaves out is NULs.
            while written < target {
                call.cancel.check()?;
                let count = usize::try_from(target - written).unwrap_or(usize::MAX).min(GAP.len());
                call.stdout.write_all(&GAP[..count])?;
                written += count as i128;
            }
            if let Some(value) = value {
                call.stdout.write_all(&[value])?;
                written += 1;
            }
        }
        input.consume(used);
    }
}

const GAP: [u8; 4096] = [0; 4096];

/// Where in a line the reader stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before its first digit.
    Start,
    /// In its position.
    Position,
    /// So many bytes have been read.
    Digits(usize),
    /// In what is passed over.
    Rest,
}

struct Reader {
    plain: bool,
    columns: usize,
    /// The last three characters as digits, the newest first.
    recent: [Option<u8>; 3],
    place: Place,
    /// The position of the next byte.
    wanted: u64,
}

impl Reader {
    /// Take the next character of the dump. Behind a position it tells where the next byte stands, and the byte when
    /// the character completes it.
    fn next(&mut self, byte: u8) -> Option<(u64, Option<u8>)> {
        if self.place == Place::Rest {
            if byte == b'\n' {
                self.end_line();
            }
            return None;
        }
        if byte == b'\r' || (self.plain && matches!(byte, b' ' | b'\n' | b'\t')) {
            return None;
        }
        let digit = char::from(byte).to_digit(16).map(|digit| digit as u8);
        self.recent = [digit, self.recent[0], self.recent[1]];
        if self.place == Place::Start {
            digit?;
            self.place = if self.plain { Place::Digits(0) } else { Place::Position };
        }
        if self.place == Place::Position {
            match digit {
                Some(digit) => self.wanted = (self.wanted << 4) | u64::from(digit),
                None => self.place = Place::Digits(0),
            }
            return None;
        }
        let mut found = (self.wanted, None);
        if let ([Some(low), Some(high), _], Place::Digits(count)) = (self.recent, self.place) {
            found.1 = Some(high << 4 | low);
            self.wanted += 1;
            self.recent[0] = None;
            if !self.plain {
                let count = count + 1;
                self.place = if count >= self.columns { Place::Rest } else { Place::Digits(count) };
            }
        } else if self.recent == [None; 3] {
            self.place = Place::Rest;
        }
        if byte == b'\n' {
            self.end_line();
        }
        Some(found)
    }

    fn end_line(&mut self) {
        if !self.plain {
            self.wanted = 0;
        }
        self.place = Place::Start;
    }
}
