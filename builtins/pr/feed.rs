//! The text of a file, piece by piece.
use crate::{FsResult, Input, Purse, Result, limits::Growth};
use std::io::{self, BufRead};

/// What ends a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Newline,
    /// The rest of the page stays empty.
    FormFeed,
    File,
}

/// The text up to the end of a line, a form feed or the end of the file.
pub(super) struct Piece {
    pub(super) text: Vec<u8>,
    pub(super) ending: Ending,
}

impl Piece {
    /// Whether it is no line: a form feed, or the end of the file, where a line would begin.
    pub(super) fn is_bare(&self) -> bool {
        self.text.is_empty() && self.ending != Ending::Newline
    }
}

/// A file that is read by pieces.
pub(super) struct Feed {
    /// The file as it was called.
    pub(super) name: String,
    input: FsResult<Input>,
    /// Pays for the longest piece.
    growth: Growth,
}

impl Feed {
    pub(super) fn new(name: &str, input: FsResult<Input>, memory: &Purse) -> Feed {
        Feed { name: name.to_string(), input, growth: Growth::new(memory) }
    }

    /// The next piece. After a page that was full, a form feed says what is known, and is passed over.
    pub(super) fn next(&mut self, after_full_page: bool) -> Result<Piece> {
        let input = match &mut self.input {
            Ok(input) => input,
            Err(error) => return Err(io::Error::from(error.clone()).into()),
        };
        if after_full_page && input.fill_buf()?.first() == Some(&b'\x0c') {
            input.consume(1);
            pass_newline(input)?;
        }
        let mut text = Vec::new();
        let ending = loop {
            let bytes = input.fill_buf()?;
            if bytes.is_empty() {
                break Ending::File;
            }
            let end = memchr::memchr2(b'\n', b'\x0c', bytes);
            let ending = end.map(|at| bytes[at]);
            let length = end.unwrap_or(bytes.len());
            text.extend_from_slice(&bytes[..length]);
            input.consume(length + usize::from(ending.is_some()));
            self.growth.reach(text.len())?;
            match ending {
                None => {}
                Some(b'\n') => break Ending::Newline,
                Some(_) => {
                    pass_newline(input)?;
                    break Ending::FormFeed;
                }
            }
        };
        // Another column may read the same file on.
        input.release();
        Ok(Piece { text, ending })
    }
}

/// A newline right behind a form feed belongs to it.
fn pass_newline(input: &mut Input) -> Result<()> {
    if input.fill_buf()?.first() == Some(&b'\n') {
        input.consume(1);
    }
    Ok(())
}
