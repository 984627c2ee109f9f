//! Streams: owned, cloneable open-file descriptions, as a file descriptor table needs them.
//!
//! A clone of an [`Input`] or [`Output`] is the same open file: they share its offset. That makes `2>&1`, `exec 3<f`,
//! `read -u 3` and a loop around `read` work as in a real shell. Each handle is for one command: it is dropped, or
//! released, before the next command uses the same file.
use crate::Keyboard;
use bytes::Bytes;
use parking_lot::{ArcMutexGuard, Mutex, RawMutex};
use std::{
    fmt,
    io::{self, BufRead, Read, Write},
    mem,
    sync::Arc,
};

type Source = Mutex<Box<dyn BufRead + Send>>;

/// A stream to read bytes from.
///
/// The file is locked by the first read and until the handle is dropped or [released](Input::release), so a command
/// that never reads never disturbs another that does.
pub struct Input {
    source: Arc<Source>,
    held: Option<ArcMutexGuard<RawMutex, Box<dyn BufRead + Send>>>,
    kind: InputKind,
}

/// What stands behind an [`Input`]; `rg` without paths and `less` behave by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// Nothing: `/dev/null`, or a session that was given no stdin.
    Empty,
    /// The host's standard input.
    Host,
    /// A stage of a pipeline, a process substitution, a here-document or here-string.
    Pipe,
    /// A file of the site, a here-document too long for a pipe.
    File,
}

impl Input {
    /// A stream over `reader`.
    pub fn new(reader: impl BufRead + Send + 'static, kind: InputKind) -> Input {
        let reader: Box<dyn BufRead + Send> = Box::new(reader);
        Input { source: Arc::new(Mutex::new(reader)), held: None, kind }
    }

    /// End of file at once.
    pub fn empty() -> Input {
        Input::new(io::empty(), InputKind::Empty)
    }

    /// These bytes.
    pub fn bytes(bytes: impl Into<Bytes>) -> Input {
        Input::new(io::Cursor::new(bytes.into()), InputKind::File)
    }

    /// What stands behind it.
    pub fn kind(&self) -> InputKind {
        self.kind
    }

    /// Unlock the file, so that another handle may read on from here.
    pub fn release(&mut self) {
        self.held = None;
    }

    fn reader(&mut self) -> &mut (dyn BufRead + Send) {
        let source = &self.source;
        &mut ***self.held.get_or_insert_with(|| Mutex::lock_arc(source))
    }
}

impl Clone for Input {
    fn clone(&self) -> Input {
        Input { source: self.source.clone(), held: None, kind: self.kind }
    }
}

impl Read for Input {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.reader().read(buf)
    }
}

impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader().fill_buf()
    }
    fn consume(&mut self, n: usize) {
        self.reader().consume(n);
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Input({:?})", self.kind)
    }
}

/// Where the bytes of an [`Output`] go: a pipe, the host, a buffer.
pub trait Sink: Send + Sync {
    /// Take all of `bytes`, in one piece as others see it. `BrokenPipe` when nobody reads any more.
    fn write(&self, bytes: &[u8]) -> io::Result<()>;

    /// The terminal behind it, if there is one.
    fn terminal(&self) -> Option<Terminal> {
        None
    }

    /// The inode number of the file behind it, if that is one of the tree.
    fn inode(&self) -> Option<u64> {
        None
    }

    /// The keys of that terminal, where a person sits at a prompt.
    fn keyboard(&self) -> io::Result<Option<Box<dyn Keyboard>>> {
        Ok(None)
    }
}

/// What a command may know of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Its width in columns.
    pub columns: u16,
    /// Its height in lines.
    pub rows: u16,
    /// Whether the user wants colour.
    pub colour: bool,
}

/// A stream to write bytes to.
///
/// Small writes are gathered, as stdio does, and handed on when [`flush`](Write::flush)ed, when [`Output::BUFFER`]
/// bytes have come together, at the end of each line where a terminal shows them, and when the handle is dropped. A
/// command that is about to wait flushes first.
pub struct Output {
    sink: Arc<dyn Sink>,
    buffer: Vec<u8>,
    unbuffered: bool,
    by_lines: bool,
}

impl Output {
    /// Bytes gathered at most before they are handed on.
    pub const BUFFER: usize = 16 * 1024;

    /// A stream into `sink`.
    pub fn new(sink: Arc<dyn Sink>) -> Output {
        let by_lines = sink.terminal().is_some();
        Output { sink, buffer: Vec::new(), unbuffered: false, by_lines }
    }

    /// Bytes vanish.
    pub fn null() -> Output {
        Output::new(Arc::new(Null))
    }

    /// Bytes are kept; read them with [`Capture::take`].
    pub fn capture() -> (Output, Arc<Capture>) {
        let capture = Arc::new(Capture::default());
        (Output::new(capture.clone()), capture)
    }

    /// The same stream, each write handed on at once: stderr.
    pub fn unbuffered(mut self) -> Output {
        self.unbuffered = true;
        self
    }

    /// The terminal behind it, if there is one.
    pub fn terminal(&self) -> Option<Terminal> {
        self.sink.terminal()
    }

    /// The inode number of the file behind it, if that is one of the tree.
    pub fn inode(&self) -> Option<u64> {
        self.sink.inode()
    }

    /// The keys of that terminal, where a person sits at a prompt: then a long text is shown page by page.
    pub fn keyboard(&self) -> io::Result<Option<Box<dyn Keyboard>>> {
        self.sink.keyboard()
    }

    /// Whether both go to the same place.
    pub fn is_same(&self, other: &Output) -> bool {
        Arc::ptr_eq(&self.sink, &other.sink)
    }

    fn hand_on(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let mut buffer = mem::take(&mut self.buffer);
        let result = self.sink.write(&buffer);
        buffer.clear(); // after a failure too: what could not be written is not written twice
        self.buffer = buffer;
        result
    }
}

impl Clone for Output {
    /// The same open file; what this handle has gathered stays its own.
    fn clone(&self) -> Output {
        Output { sink: self.sink.clone(), buffer: Vec::new(), unbuffered: self.unbuffered, by_lines: self.by_lines }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.unbuffered || self.buffer.len() + bytes.len() > Output::BUFFER {
            self.hand_on()?;
        }
        if self.unbuffered || bytes.len() >= Output::BUFFER {
            self.sink.write(bytes)?;
        } else {
            self.buffer.extend_from_slice(bytes);
            if self.by_lines && memchr::memchr(b'\n', bytes).is_some() {
                self.hand_on()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.hand_on()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // A command that must know whether its last bytes arrived flushes; the shell does so after each command.
        let _ = self.hand_on();
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Output")
    }
}

struct Null;

impl Sink for Null {
    fn write(&self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }
}

/// A [`Sink`] that keeps what it is given.
#[derive(Default)]
pub struct Capture(Mutex<Vec<u8>>);

impl Capture {
    /// What has been written since the last `take`.
    pub fn take(&self) -> Vec<u8> {
        mem::take(&mut self.0.lock())
    }
}

impl Sink for Capture {
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        self.0.lock().extend_from_slice(bytes);
        Ok(())
    }
}

/// One entry of the file descriptor table.
#[derive(Clone, Debug)]
pub enum Stream {
    /// Open for reading.
    Input(Input),
    /// Open for writing.
    Output(Output),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_the_offset() {
        let mut first = Input::bytes("one\ntwo\n");
        let mut second = first.clone();
        let mut line = String::new();
        first.read_line(&mut line).unwrap();
        first.release();
        second.read_line(&mut line).unwrap();
        assert_eq!(line, "one\ntwo\n");
    }

    #[test]
    fn small_writes_are_gathered_until_flushed_or_dropped() {
        let (mut out, seen) = Output::capture();
        out.write_all(b"a").unwrap();
        assert_eq!(seen.take(), b"");
        out.flush().unwrap();
        assert_eq!(seen.take(), b"a");
        out.write_all(b"b").unwrap();
        drop(out);
        assert_eq!(seen.take(), b"b");
    }

    #[test]
    fn large_writes_keep_their_place() {
        let (mut out, seen) = Output::capture();
        out.write_all(b"small").unwrap();
        out.write_all(&[b'x'; Output::BUFFER]).unwrap();
        assert!(seen.take().starts_with(b"smallxxx"));
    }
}
