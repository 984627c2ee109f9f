//! A file of a scratch folder: its bytes, in blocks that are paid for, and those who read and write it.
use docsh_builtins::{ErrorKind, Opening, Sink};
use parking_lot::Mutex;
use std::{
    io::{self, BufRead, Read},
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

/// Bytes of a block, as on a disk: what a file takes is a multiple of it.
pub const BLOCK: usize = 4096;
/// Bytes copied at once for a reader.
const PIECE: usize = 64 * 1024;

/// The bytes that a session was given, and how many may still be taken of them.
pub struct Room {
    capacity: u64,
    left: Mutex<u64>,
    /// What all sessions share, of which this one may find less than it was given.
    within: Option<Arc<Room>>,
}

impl Room {
    pub fn new(capacity: u64, within: Option<Arc<Room>>) -> Room {
        Room { capacity, left: Mutex::new(capacity), within }
    }

    /// Take so many bytes, or none of them.
    pub fn take(&self, bytes: u64) -> Result<(), ErrorKind> {
        let mut left = self.left.lock();
        let rest = left.checked_sub(bytes).ok_or(ErrorKind::NoSpace)?;
        self.within.as_ref().map_or(Ok(()), |within| within.take(bytes))?;
        *left = rest;
        Ok(())
    }

    pub fn give(&self, bytes: u64) {
        *self.left.lock() += bytes;
        if let Some(within) = &self.within {
            within.give(bytes);
        }
    }

    /// The bytes in all, and those that may still be taken.
    pub fn look(&self) -> (u64, u64) {
        let left = *self.left.lock();
        (self.capacity, self.within.as_ref().map_or(left, |within| left.min(within.look().1)))
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // Files have given back what they took; names are gone with the folder.
        if let Some(within) = &self.within {
            within.give(self.capacity - *self.left.get_mut());
        }
    }
}

/// A file. It lives as long as somebody has it open, whether it still has a name or not.
pub struct File {
    content: Mutex<Content>,
    room: Arc<Room>,
}

struct Content {
    blocks: Vec<Box<[u8; BLOCK]>>,
    size: u64,
    stamp: Stamp,
}

/// What is told of a file or folder.
#[derive(Clone, Copy)]
pub struct Stamp {
    /// Seconds since the epoch, and nanoseconds of that second.
    pub time: (i64, u32),
    /// Permission bits.
    pub mode: u32,
    /// Its number, which it keeps under all names.
    pub inode: u64,
}

impl Stamp {
    /// Of something new.
    pub fn new(mode: u32, inode: u64) -> Stamp {
        Stamp { time: now(), mode, inode }
    }
}

/// Seconds since the epoch, and nanoseconds of that second.
fn now() -> (i64, u32) {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (since.as_secs() as i64, since.subsec_nanos())
}

impl File {
    pub fn new(stamp: Stamp, room: Arc<Room>) -> File {
        File { content: Mutex::new(Content { blocks: Vec::new(), size: 0, stamp }), room }
    }

    pub fn size(&self) -> u64 {
        self.content.lock().size
    }

    pub fn stamp(&self) -> Stamp {
        self.content.lock().stamp
    }

    pub fn set(&self, change: impl FnOnce(&mut Stamp)) {
        change(&mut self.content.lock().stamp);
    }

    /// Cut it, or fill it with NULs.
    pub fn resize(&self, size: u64) -> Result<(), ErrorKind> {
        let mut content = self.content.lock();
        content.reserve(size, &self.room)?;
        let kept = size.div_ceil(BLOCK as u64) as usize;
        self.room.give(((content.blocks.len() - kept) * BLOCK) as u64);
        content.blocks.truncate(kept);
        let in_last = (size % BLOCK as u64) as usize;
        if let Some(last) = content.blocks.last_mut().filter(|_| in_last > 0) {
            // What is cut off must not come back when the file grows again.
            last[in_last..].fill(0);
        }
        content.size = size;
        content.stamp.time = now();
        Ok(())
    }

    /// The bytes from `at` on, at most so many.
    pub fn read(&self, at: u64, most: usize) -> Vec<u8> {
        let content = self.content.lock();
        let end = content.size.min(at.saturating_add(most as u64));
        let mut bytes = Vec::with_capacity(end.saturating_sub(at) as usize);
        let mut at = at;
        while at < end {
            let start = (at % BLOCK as u64) as usize;
            let count = (BLOCK - start).min((end - at) as usize);
            bytes.extend_from_slice(&content.blocks[(at / BLOCK as u64) as usize][start..start + count]);
            at += count as u64;
        }
        bytes
    }
}

impl Drop for File {
    fn drop(&mut self) {
        self.room.give((self.content.lock().blocks.len() * BLOCK) as u64);
    }
}

impl Content {
    /// Have blocks for `size` bytes; new ones are NULs.
    fn reserve(&mut self, size: u64, room: &Room) -> Result<(), ErrorKind> {
        let wanted = usize::try_from(size.div_ceil(BLOCK as u64)).map_err(|_| ErrorKind::NoSpace)?;
        let missing = wanted.saturating_sub(self.blocks.len());
        room.take((missing as u64).checked_mul(BLOCK as u64).ok_or(ErrorKind::NoSpace)?)?;
        self.blocks.extend((0..missing).map(|_| Box::new([0; BLOCK])));
        Ok(())
    }

    fn write(&mut self, at: u64, mut bytes: &[u8], room: &Room) -> Result<u64, ErrorKind> {
        let mut at = at;
        while !bytes.is_empty() {
            let start = (at % BLOCK as u64) as usize;
            let (head, tail) = bytes.split_at(bytes.len().min(BLOCK - start));
            self.reserve(at + head.len() as u64, room)?;
            self.blocks[(at / BLOCK as u64) as usize][start..start + head.len()].copy_from_slice(head);
            at += head.len() as u64;
            self.size = self.size.max(at);
            bytes = tail;
        }
        self.stamp.time = now();
        Ok(at)
    }
}

/// A file open for writing, at a place of its own.
pub struct Writer {
    file: Arc<File>,
    /// Where the next byte goes; `None` for always the end.
    at: Mutex<Option<u64>>,
}

impl Writer {
    pub fn open(file: Arc<File>, opening: Opening) -> Result<Writer, ErrorKind> {
        if opening == Opening::Anew {
            file.resize(0)?;
        }
        let at = Mutex::new((opening != Opening::Append).then_some(0));
        Ok(Writer { file, at })
    }
}

impl Sink for Writer {
    fn inode(&self) -> Option<u64> {
        Some(self.file.stamp().inode)
    }

    /// What fits is written before the rest is refused.
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut place = self.at.lock();
        let mut content = self.file.content.lock();
        let at = place.unwrap_or(content.size);
        let written = content.write(at, bytes, &self.file.room);
        let end = written
            .map_err(|_| io::Error::new(io::ErrorKind::StorageFull, format!("write error: {}", ErrorKind::NoSpace)))?;
        if let Some(at) = place.as_mut() {
            *at = end;
        }
        Ok(())
    }
}

/// A file open for reading; it sees what is written behind it, as on a disk.
pub struct Reader {
    file: Arc<File>,
    /// Where the next piece begins.
    at: u64,
    piece: io::Cursor<Vec<u8>>,
}

impl Reader {
    pub fn new(file: Arc<File>, from: u64) -> Reader {
        Reader { file, at: from, piece: io::Cursor::default() }
    }
}

impl BufRead for Reader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.piece.fill_buf()?.is_empty() {
            let piece = self.file.read(self.at, PIECE);
            self.at += piece.len() as u64;
            self.piece = io::Cursor::new(piece);
        }
        self.piece.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.piece.consume(count);
    }
}

impl Read for Reader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(into)?;
        self.consume(count);
        Ok(count)
    }
}
