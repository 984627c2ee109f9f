//! The JSON inside of a packed record, inflated as it is read, counted and hashed.
use crate::tree::{Hash, Refusal};
use base64::Engine;
use flate2::read::GzDecoder;
use sha2::{Digest, Sha256};
use std::{
    borrow::Cow,
    cell::Cell,
    io::{self, Read},
};

/// The most JSON of a tree, in bytes, beside what its pages need.
const MAX_JSON: u64 = 64 << 20;
/// What a page may need of JSON, in bytes, on average; docsh writes some 250.
const PAGE: u64 = 1 << 10;
/// The most JSON of a tree of however many pages.
const MOST: u64 = 2 << 30;

/// How many bytes of JSON may be read. It grows with the pages that are found in them, so that large sites can be read,
/// and a small record that inflates to nothing but bytes cannot.
pub(super) struct Allowance(Cell<u64>);

impl Default for Allowance {
    fn default() -> Allowance {
        Allowance(Cell::new(MAX_JSON))
    }
}

impl Allowance {
    /// A page has been read.
    pub(super) fn page(&self) {
        self.0.set((self.0.get() + PAGE).min(MOST));
    }

    /// Refuse more bytes than may be read.
    pub(super) fn check(&self, bytes: u64) -> Result<(), Refusal> {
        if bytes > self.0.get() { Err(Refusal::TooLarge("64 MiB of JSON and 1 KiB a page")) } else { Ok(()) }
    }
}

/// The bytes of a packed record, from its base64.
pub(super) fn unpack(text: &[u8]) -> Result<Vec<u8>, Refusal> {
    let mut text = Cow::Borrowed(text);
    if text.iter().any(u8::is_ascii_whitespace) {
        text.to_mut().retain(|byte| !byte.is_ascii_whitespace());
    }
    let packed = base64::engine::general_purpose::STANDARD.decode(&text);
    packed.map_err(|_| Refusal::Format("it begins with neither `{` nor base64".into()))
}

/// JSON that is being inflated.
pub(super) struct Source<'a> {
    gzip: GzDecoder<&'a [u8]>,
    read: u64,
    allowance: &'a Allowance,
    /// What the hash of all of it must be, and that of what has been read.
    hash: Option<(Hash, Sha256)>,
    fault: Option<Refusal>,
}

impl<'a> Source<'a> {
    /// The JSON in `packed`, whose hash is `named` if anything is.
    pub(super) fn new(packed: &'a [u8], allowance: &'a Allowance, named: Option<Hash>) -> Source<'a> {
        let hash = named.map(|named| (named, Sha256::new()));
        Source { gzip: GzDecoder::new(packed), read: 0, allowance, hash, fault: None }
    }

    /// Why reading it has failed: the reason here, if there is one, else `otherwise`.
    pub(super) fn fault(&mut self, otherwise: Refusal) -> Refusal {
        self.fault.take().unwrap_or(otherwise)
    }

    /// Refuse what has been read, if it is not what its hash names.
    pub(super) fn check_hash(self) -> Result<(), Refusal> {
        let is_torn = self.hash.is_some_and(|(named, read)| named != Hash(read.finalize().into()));
        if is_torn { Err(Refusal::Torn) } else { Ok(()) }
    }

    fn next(&mut self, buffer: &mut [u8]) -> Result<usize, Refusal> {
        let broken = |error| Refusal::Format(format!("the gzip inside is broken ({error})"));
        let count = self.gzip.read(buffer).map_err(broken)?;
        if let Some((_, hash)) = &mut self.hash {
            hash.update(&buffer[..count]);
        }
        self.read += count as u64;
        self.allowance.check(self.read).map(|()| count)
    }
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.next(buffer).map_err(|refusal| {
            let error = io::Error::other(refusal.to_string());
            self.fault = Some(refusal);
            error
        })
    }
}
