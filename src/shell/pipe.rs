//! A bounded byte pipe between two stages of a pipeline, and the other ends a descriptor may have.
//!
//! One buffer, two ends. A writer appends and waits while it is full (back-pressure); the reader takes the whole buffer
//! at once, so bytes arrive as soon as they are handed on and large runs move with one swap. A dropped reader is
//! `BrokenPipe` to the writers, the last dropped writer is end of file to the reader, and a stopped run is an error to
//! both: a stopped writer is no end of file.
use docsh_builtins::{Cancel, Purse, Sink};
use parking_lot::{Condvar, Mutex, MutexGuard};
use std::{
    io::{self, BufRead, Read},
    mem,
    sync::Arc,
    time::Duration,
};

/// Bytes a writer may be ahead of its reader; as a Linux pipe.
const CAPACITY: usize = 64 * 1024;
/// How late a blocked end may notice a stop.
const PATIENCE: Duration = Duration::from_millis(20);

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    cancel: Cancel,
}

#[derive(Default)]
struct State {
    bytes: Vec<u8>,
    waiting: bool,
    writer_gone: bool,
    reader_gone: bool,
}

/// The two ends of a new pipe, which `cancel` breaks.
pub fn pipe(cancel: &Cancel) -> (Reader, Arc<Writer>) {
    let shared = Arc::new(Shared { state: Mutex::default(), changed: Condvar::new(), cancel: cancel.clone() });
    (Reader { shared: shared.clone(), bytes: Vec::new(), at: 0 }, Arc::new(Writer { shared }))
}

impl Shared {
    /// Wait while `blocked`, noticing a stop within `PATIENCE`.
    fn wait_while(&self, blocked: impl Fn(&State) -> bool) -> io::Result<MutexGuard<'_, State>> {
        let mut state = self.state.lock();
        while blocked(&state) {
            self.cancel.check()?;
            state.waiting = true;
            self.changed.wait_for(&mut state, PATIENCE);
        }
        self.wake(&mut state);
        Ok(state)
    }

    /// Wake the other end if it sleeps. The state it sees is the one at unlock.
    fn wake(&self, state: &mut State) {
        if mem::take(&mut state.waiting) {
            self.changed.notify_all();
        }
    }
}

/// The end a stage reads.
pub struct Reader {
    shared: Arc<Shared>,
    bytes: Vec<u8>,
    at: usize,
}

impl BufRead for Reader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.bytes.len() {
            self.bytes.clear();
            self.at = 0;
            let mut state = self.shared.wait_while(|state| state.bytes.is_empty() && !state.writer_gone)?;
            self.shared.cancel.check()?;
            mem::swap(&mut self.bytes, &mut state.bytes);
        }
        Ok(&self.bytes[self.at..])
    }

    fn consume(&mut self, n: usize) {
        self.at += n;
    }
}

impl Read for Reader {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.fill_buf()?.read(buf)?;
        self.consume(n);
        Ok(n)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.shared.state.lock().reader_gone = true;
        self.shared.changed.notify_all();
    }
}

/// The end a stage writes. Its clones are one writer: the reader sees end of file when the last is dropped.
pub struct Writer {
    shared: Arc<Shared>,
}

impl Sink for Writer {
    fn write(&self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            self.shared.cancel.check()?;
            let mut state = self.shared.wait_while(|state| state.bytes.len() >= CAPACITY && !state.reader_gone)?;
            if state.reader_gone {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            let (now, later) = bytes.split_at(bytes.len().min(CAPACITY - state.bytes.len()));
            state.bytes.extend_from_slice(now);
            bytes = later;
        }
        Ok(())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.shared.state.lock().writer_gone = true;
        self.shared.changed.notify_all();
    }
}

/// What a command substitution writes into: it grows against the run's memory, and says when that is used up.
pub struct Collector(Mutex<Collected>);

struct Collected {
    bytes: Vec<u8>,
    purse: Purse,
    full: bool,
}

impl Collector {
    /// An empty one, whose bytes are paid from `purse`.
    pub fn new(purse: Purse) -> Arc<Collector> {
        Arc::new(Collector(Mutex::new(Collected { bytes: Vec::new(), purse, full: false })))
    }

    /// What was written, or `None` when it did not fit into the run's memory.
    pub fn take(&self) -> Option<Vec<u8>> {
        let mut state = self.0.lock();
        (!state.full).then(|| mem::take(&mut state.bytes))
    }
}

impl Sink for Collector {
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut state = self.0.lock();
        if state.full || state.purse.take(bytes.len()).is_err() {
            state.full = true;
            state.bytes = Vec::new();
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        state.bytes.extend_from_slice(bytes);
        Ok(())
    }
}

/// A descriptor that is closed, or open for reading only: writing is `Bad file descriptor`.
pub struct Closed;

impl Sink for Closed {
    fn write(&self, _: &[u8]) -> io::Result<()> {
        Err(io::Error::other("write error: Bad file descriptor"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use docsh_builtins::{Output, Stop};
    use std::io::Write;

    #[test]
    fn bytes_arrive_before_the_writer_ends() {
        let (mut reader, writer) = pipe(&Cancel::new());
        writer.write(b"one").unwrap();
        assert_eq!(reader.fill_buf().unwrap(), b"one");
    }

    #[test]
    fn a_reader_that_went_away_breaks_the_pipe() {
        let (reader, writer) = pipe(&Cancel::new());
        drop(reader);
        assert_eq!(writer.write(b"x").unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn the_last_writer_ends_the_file() {
        let (mut reader, writer) = pipe(&Cancel::new());
        let mut first = Output::new(writer.clone());
        let second = Output::new(writer);
        first.write_all(b"kept").unwrap();
        drop(second);
        drop(first);
        let mut all = String::new();
        reader.read_to_string(&mut all).unwrap();
        assert_eq!(all, "kept");
    }

    #[test]
    fn a_full_pipe_waits_for_its_reader() {
        let (mut reader, writer) = pipe(&Cancel::new());
        let thread = std::thread::spawn(move || writer.write(&vec![b'x'; 3 * CAPACITY]));
        let mut all = Vec::new();
        reader.read_to_end(&mut all).unwrap();
        thread.join().unwrap().unwrap();
        assert_eq!(all.len(), 3 * CAPACITY);
    }

    #[test]
    fn a_stopped_writer_is_no_end_of_file() {
        let cancel = Cancel::new();
        let (mut reader, writer) = pipe(&cancel);
        cancel.stop(Stop::TimedOut);
        drop(writer);
        assert_eq!(Stop::of(&reader.fill_buf().unwrap_err()), Some(Stop::TimedOut));
    }
}
