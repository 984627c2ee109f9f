//! Files that are read one after the other as if they were one: `od` and `hexdump`.
use crate::{Call, Error, FsError, Input, Result, quoted_if_odd};
use std::io::BufRead;

/// Files as one stream of at most so many bytes.
pub(crate) struct Concatenation {
    files: std::vec::IntoIter<String>,
    input: Option<(String, Input)>,
    left: u64,
    failed: bool,
}

impl Concatenation {
    /// All bytes of `files` (`-` is stdin), but no more than `most`; what is skipped does not count.
    pub(crate) fn new(files: std::vec::IntoIter<String>, most: u64) -> Concatenation {
        Concatenation { files, input: None, left: most, failed: false }
    }

    /// Whether a file could not be opened or read; it has been reported.
    pub(crate) fn failed(&self) -> bool {
        self.failed
    }

    /// Read on into `block` until it holds `width` bytes or everything has been read.
    pub(crate) fn fill(&mut self, call: &mut Call<'_>, block: &mut Vec<u8>, width: usize) -> Result<()> {
        block.clear();
        while block.len() < width && self.left > 0 {
            let most = (width - block.len()).min(usize::try_from(self.left).unwrap_or(usize::MAX));
            let Some(taken) = self.take(call, most, |bytes| block.extend_from_slice(bytes))? else { break };
            self.left -= taken as u64;
        }
        Ok(())
    }

    /// Pass over `count` bytes; gives how many of them there are not.
    pub(crate) fn skip(&mut self, call: &mut Call<'_>, mut count: u64) -> Result<u64> {
        while count > 0 {
            let most = usize::try_from(count).unwrap_or(usize::MAX);
            match self.take(call, most, |_| {})? {
                Some(taken) => count -= taken as u64,
                None => break,
            }
        }
        Ok(count)
    }

    /// Hand at most `most` of the next bytes to `with`; `None` at the end of the last file.
    fn take(&mut self, call: &mut Call<'_>, most: usize, mut with: impl FnMut(&[u8])) -> Result<Option<usize>> {
        loop {
            let Some((name, input)) = &mut self.input else {
                let Some(name) = self.files.next() else { return Ok(None) };
                let opened = if name == "-" { Ok(call.stdin.clone()) } else { call.open(&name) };
                match opened {
                    Ok(input) => self.input = Some((name, input)),
                    Err(error) => {
                        let cause = FsError::within(Error::Io(error.into()))?;
                        self.complain(call, &name, &cause)?;
                    }
                }
                continue;
            };
            match input.fill_buf() {
                Ok([]) => self.input = None,
                Ok(bytes) => {
                    let count = bytes.len().min(most);
                    with(&bytes[..count]);
                    input.consume(count);
                    return Ok(Some(count));
                }
                Err(error) => {
                    let cause = FsError::within(error.into())?;
                    let name = name.clone();
                    self.input = None;
                    self.complain(call, &name, &cause)?;
                }
            }
        }
    }

    fn complain(&mut self, call: &mut Call<'_>, name: &str, cause: &FsError) -> Result<()> {
        self.failed = true;
        call.warn(format_args!("{}: {cause}", quoted_if_odd(name)))
    }
}
