//! One of the two files: its current line, taken into fields, and whether the file is in order.
use super::options::{Check, Options};
use crate::{Call, Error, FsError, Input, Result, quoted_if_odd, records::Records};
use std::{cmp::Ordering, ops::Range};

/// A line and where its fields are.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) text: Vec<u8>,
    pub(super) fields: Vec<Range<usize>>,
    key: usize,
}

impl Line {
    /// Field `number`, from 0.
    pub(super) fn field(&self, number: usize) -> Option<&[u8]> {
        self.fields.get(number).map(|range| &self.text[range.clone()])
    }

    /// The field that is compared; a line without it has an empty one.
    pub(super) fn key(&self) -> &[u8] {
        self.field(self.key).unwrap_or_default()
    }
}

/// A file at its current line.
pub(super) struct Side {
    name: String,
    key: usize,
    input: Input,
    records: Records,
    number: u64,
    pub(super) line: Option<Line>,
    before: Option<Vec<u8>>,
    pub(super) reported: bool,
}

impl Side {
    pub(super) fn open(call: &Call<'_>, name: &str, options: &Options, at: usize) -> Result<Side> {
        let input = match name {
            "-" => call.stdin.clone(),
            file => call.open(file).map_err(|error| Error::failed(format!("{}: {error}", quoted_if_odd(file))))?,
        };
        let records = Records::new(options.end);
        let (name, key) = (name.to_string(), options.keys[at]);
        Ok(Side { name, key, input, records, number: 0, line: None, before: None, reported: false })
    }

    /// Go to the next line.
    pub(super) fn advance(&mut self, call: &mut Call<'_>, options: &Options) -> Result<()> {
        let text = match self.records.next_bare(&mut self.input, &mut call.memory) {
            Ok(text) => text,
            Err(error) => {
                let cause = FsError::within(error)?;
                return Err(Error::failed(format!("{}: {cause}", quoted_if_odd(&self.name))));
            }
        };
        let next = text.map(|text| Line { text: text.to_vec(), fields: fields(text, options), key: self.key });
        let last = std::mem::replace(&mut self.line, next);
        if self.line.is_some() {
            self.number += 1;
            self.before = last.map(|line| line.key().to_vec());
        }
        Ok(())
    }

    /// Report, once, that the current line should have stood before the last.
    pub(super) fn check_order(&mut self, call: &mut Call<'_>, options: &Options, unpaired: bool) -> Result<()> {
        let wanted = match options.check {
            Check::Always => true,
            Check::WhenUnpaired => unpaired,
            Check::Never => false,
        };
        let (Some(before), Some(line)) = (&self.before, &self.line) else {
            return Ok(());
        };
        if self.reported || !wanted || options.compare(before, line.key()) != Ordering::Greater {
            return Ok(());
        }
        self.reported = true;
        let text = String::from_utf8_lossy(&line.text);
        let message = format!("{}:{}: is not sorted: {text}", quoted_if_odd(&self.name), self.number);
        match options.check {
            Check::Always => Err(Error::failed(message)),
            _ => call.warn(message),
        }
    }
}

fn fields(text: &[u8], options: &Options) -> Vec<Range<usize>> {
    if options.whole {
        return std::iter::once(0..text.len()).collect();
    }
    let mut fields = Vec::new();
    let mut at = 0;
    match options.separator {
        Some(separator) => {
            while let Some(length) = memchr::memchr(separator, &text[at..]) {
                fields.push(at..at + length);
                at += length + 1;
            }
            if !text.is_empty() {
                fields.push(at..text.len());
            }
        }
        None => {
            let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n');
            while at < text.len() {
                at += text[at..].iter().take_while(|byte| blank(byte)).count();
                // Blanks at the end are followed by an empty field.
                if at >= text.len() && fields.is_empty() {
                    break;
                }
                let length = text[at..].iter().take_while(|byte| !blank(byte)).count();
                fields.push(at..at + length);
                at += length;
            }
        }
    }
    fields
}
