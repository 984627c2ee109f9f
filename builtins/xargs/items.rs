//! The items of the input, one by one.
use super::options::{Options, Split};
use crate::{Error, Input, Result};
use std::io::{BufRead, Read};

/// One argument.
pub(super) struct Item {
    pub(super) text: String,
    /// The line is over with it, and does not go on after trailing blanks.
    pub(super) ends_line: bool,
}

/// Reads items.
pub(super) struct Items {
    input: Input,
    split: Split,
    end: Option<String>,
    is_over: bool,
    saw_nul: bool,
}

impl Items {
    /// No item may be longer than a command line.
    const LONGEST: usize = super::options::COMMAND_SIZE;

    pub(super) fn new(input: Input, options: &Options) -> Items {
        let end = options.end.clone().filter(|_| !matches!(options.split, Split::Byte(_)));
        Items { input, split: options.split, end, is_over: false, saw_nul: false }
    }

    /// Whether a NUL was met where none belongs, since one last asked.
    pub(super) fn saw_nul(&mut self) -> bool {
        std::mem::take(&mut self.saw_nul)
    }

    /// The next item; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Item>> {
        if self.is_over {
            return Ok(None);
        }
        let item = match self.split {
            Split::Byte(byte) => self.until(byte)?,
            Split::Blanks => self.word(false)?,
            Split::Lines => self.word(true)?,
        };
        match item {
            Some(item) if self.end.as_ref() == Some(&item.text) => {
                self.is_over = true;
                Ok(None)
            }
            item => Ok(item),
        }
    }

    fn until(&mut self, byte: u8) -> Result<Option<Item>> {
        let mut bytes = Vec::new();
        let most = Items::LONGEST as u64;
        (&mut self.input).take(most).read_until(byte, &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        if bytes.last() == Some(&byte) {
            bytes.pop();
        } else if bytes.len() as u64 == most {
            return Err(too_long());
        }
        if let Some(end) = bytes.iter().position(|byte| *byte == 0) {
            bytes.truncate(end);
        }
        Ok(Some(Item { text: text(bytes), ends_line: true }))
    }

    fn peek(&mut self) -> Result<Option<u8>> {
        Ok(self.input.fill_buf()?.first().copied())
    }

    /// A word, or with `whole_line` a line, without its quotes.
    fn word(&mut self, whole_line: bool) -> Result<Option<Item>> {
        let mut bytes = Vec::new();
        let (mut quote, mut is_begun) = (None, false);
        while let Some(byte) = self.peek()? {
            self.input.consume(1);
            if bytes.len() >= Items::LONGEST {
                return Err(too_long());
            }
            match (quote, byte) {
                (Some(open), byte) if byte == open => quote = None,
                (Some(open), b'\n') => return Err(unmatched(open)),
                (Some(_), byte) => bytes.push(byte),
                (None, 0) => {
                    self.saw_nul = true;
                    self.skip_item(whole_line)?;
                    return Ok(Some(Item { text: text(bytes), ends_line: true }));
                }
                (None, b'\'' | b'"') => {
                    is_begun = true;
                    quote = Some(byte);
                }
                (None, b'\\') => {
                    is_begun = true;
                    if let Some(next) = self.peek()? {
                        self.input.consume(1);
                        bytes.push(next);
                    }
                }
                (None, b'\n') if is_begun => return Ok(Some(Item { text: text(bytes), ends_line: true })),
                (None, b'\n') => {}
                (None, byte) if is_blank(byte) && !is_begun => {}
                (None, byte) if is_blank(byte) && !whole_line => {
                    // A line that ends in blanks goes on in the next one.
                    return Ok(Some(Item { text: text(bytes), ends_line: false }));
                }
                (None, byte) => {
                    is_begun = true;
                    bytes.push(byte);
                }
            }
        }
        match quote {
            Some(open) => Err(unmatched(open)),
            // An empty item that nothing ends is none.
            None => Ok((!bytes.is_empty()).then(|| Item { text: text(bytes), ends_line: true })),
        }
    }

    /// Pass over the rest of an item.
    fn skip_item(&mut self, whole_line: bool) -> Result<()> {
        while let Some(byte) = self.peek()? {
            self.input.consume(1);
            if byte == b'\n' || (is_blank(byte) && !whole_line) {
                break;
            }
        }
        Ok(())
    }
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn too_long() -> Error {
    Error::failed("argument line too long")
}

fn unmatched(quote: u8) -> Error {
    let name = if quote == b'\'' { "single" } else { "double" };
    Error::failed(format!(
        "unmatched {name} quote; by default quotes are special to xargs unless you use the -0 option"
    ))
}
