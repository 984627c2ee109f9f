//! The text of a gzip stream (RFC 1952): its members one after the other.
use crate::{Error, Input, Result, Stop};
use flate2::{Crc, bufread::GzDecoder};
use std::{
    fmt,
    io::{self, BufRead, Chain, Cursor, Read, Write},
};

/// What is read: the bytes that were looked at, and the rest.
type Source = Counted<Chain<Cursor<Vec<u8>>, Input>>;

/// Reads what a compressed stream holds.
pub(crate) struct Inflated {
    state: State,
    text: u64,
    crc: Crc,
    overhead: u64,
    compressed: bool,
    mtime: u32,
    garbage: bool,
}

enum State {
    Member(Box<GzDecoder<Source>>),
    Between(Source),
    /// A step was interrupted by an error.
    Broken,
}

/// What is wrong with a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Damage {
    NotGzip,
    Truncated,
    Crc,
    Format,
}

impl Damage {
    /// The damage that an error tells of, if it is one.
    pub(super) fn of(error: &Error) -> Option<Damage> {
        let Error::Io(error) = error else { return None };
        error.get_ref()?.downcast_ref().copied()
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Damage::NotGzip => "not in gzip format",
            Damage::Truncated => "unexpected end of file",
            Damage::Crc => "invalid compressed data--crc error",
            Damage::Format => "invalid compressed data--format violated",
        })
    }
}

impl std::error::Error for Damage {}

const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Bytes of a member besides its header's texts: ten before, eight behind.
const FRAME: u64 = 18;

impl Inflated {
    /// Look at how `input` begins.
    pub(crate) fn new(mut input: Input) -> Result<Inflated> {
        let mut start = Vec::new();
        input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut start)?;
        let compressed = start == MAGIC;
        let source = Counted { inner: Cursor::new(start).chain(input), count: 0 };
        let state = State::Between(source);
        let crc = Crc::new();
        Ok(Inflated { state, text: 0, crc, overhead: 0, compressed, mtime: 0, garbage: false })
    }

    /// Whether it is a gzip stream at all.
    pub(crate) fn is_compressed(&self) -> bool {
        self.compressed
    }

    /// Why it is not.
    pub(super) fn damage(&self) -> Error {
        let begun = matches!(&self.state, State::Between(source) if source.inner.get_ref().0.get_ref().len() < 2);
        Error::Io(io::Error::other(if begun { Damage::Truncated } else { Damage::NotGzip }))
    }

    /// All of it as it stands, before anything has been read.
    pub(crate) fn into_source(self) -> Box<dyn BufRead + Send> {
        match self.state {
            State::Between(source) => Box::new(source),
            State::Member(decoder) => Box::new(decoder.into_inner()),
            State::Broken => Box::new(io::empty()),
        }
    }

    /// Whether something follows that is no member.
    pub(super) fn has_garbage(&self) -> bool {
        self.garbage
    }

    /// Bytes of text so far.
    pub(super) fn text(&self) -> u64 {
        self.text
    }

    /// Bytes of the stream so far.
    pub(super) fn packed(&self) -> u64 {
        match &self.state {
            State::Between(source) => source.count,
            State::Member(decoder) => decoder.get_ref().count,
            State::Broken => 0,
        }
    }

    /// Bytes of the last member's header and trailer.
    pub(super) fn overhead(&self) -> u64 {
        self.overhead
    }

    /// The checksum of the last member's text.
    pub(super) fn crc(&self) -> u32 {
        self.crc.sum()
    }

    /// The time that the last member's header holds, in seconds since the epoch; 0 is none.
    pub(super) fn mtime(&self) -> u32 {
        self.mtime
    }

    /// Begin the member that `source` stands at.
    fn begin(&mut self, source: Source) {
        let decoder = GzDecoder::new(source);
        if let Some(header) = decoder.header() {
            let texts = [header.filename(), header.comment()];
            let texts: u64 = texts.iter().flatten().map(|text| text.len() as u64 + 1).sum();
            self.overhead = FRAME + texts + header.extra().map_or(0, |extra| extra.len() as u64 + 2);
            self.mtime = header.mtime();
        }
        self.crc = Crc::new();
        self.state = State::Member(Box::new(decoder));
    }
}

impl Read for Inflated {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(&mut self.state, State::Broken) {
                State::Broken => return Ok(0),
                State::Member(mut decoder) => {
                    let count = decoder.read(buffer).map_err(damaged)?;
                    if count > 0 {
                        self.text += count as u64;
                        self.crc.update(&buffer[..count]);
                        self.state = State::Member(decoder);
                        return Ok(count);
                    }
                    self.state = State::Between(decoder.into_inner());
                }
                State::Between(mut source) => {
                    let rest = source.fill_buf()?;
                    match rest {
                        [] => {}
                        // Tapes are filled up with NULs.
                        [0, ..] => {
                            let used = rest.iter().take_while(|byte| **byte == 0).count();
                            source.consume(used);
                            self.state = State::Between(source);
                            continue;
                        }
                        [first, ..] if *first == MAGIC[0] => {
                            self.begin(source);
                            continue;
                        }
                        _ => self.garbage = true,
                    }
                    self.state = State::Between(source);
                    return Ok(0);
                }
            }
        }
    }
}

/// The decoder's errors by what they mean; those of the stream beneath stay as they are.
fn damaged(error: io::Error) -> io::Error {
    if Stop::of(&error).is_some() {
        return error;
    }
    match error.kind() {
        io::ErrorKind::UnexpectedEof => io::Error::other(Damage::Truncated),
        io::ErrorKind::InvalidInput if error.to_string().contains("checksum") => io::Error::other(Damage::Crc),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => io::Error::other(Damage::Format),
        _ => error,
    }
}

/// Counts the bytes that go through.
pub(super) struct Counted<S> {
    pub(super) inner: S,
    pub(super) count: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.count += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.count += count as u64;
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.count += count as u64;
        self.inner.consume(count);
    }
}
