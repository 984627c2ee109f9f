//! The bytes of a tree: as it was built, or as it lies in a file, where it is not read but mapped. To copy a megabyte
//! takes longer than to map it, since the system gives out memory page by page.
#![allow(clippy::disallowed_types, reason = "the files of trees are the host's")]
use memmap2::{MmapMut, MmapOptions};
use std::{
    fmt,
    fs::File,
    io,
    ops::{Deref, DerefMut},
    os::unix::fs::FileExt,
};

/// From this size on it pays to map.
const MAPPED: usize = 32 << 10;

/// Bytes of a fixed number.
pub(crate) struct Block {
    memory: Memory,
    len: usize,
}

enum Memory {
    Allocated(Vec<u8>),
    Mapped(MmapMut),
}

impl Block {
    /// So many bytes of a file from `start` on. The file must never be changed in place: what docsh keeps is replaced
    /// by a file of the same name. One that was cut short nevertheless ends the process when it is looked at.
    #[allow(unsafe_code, reason = "whoever writes these files, docsh alone, renames them into their places")]
    pub(crate) fn of_file(file: &File, start: u64, len: usize) -> io::Result<Block> {
        if len < MAPPED {
            let mut bytes = vec![0; len];
            file.read_exact_at(&mut bytes, start)?;
            return Ok(bytes.into());
        }
        if start.saturating_add(len as u64) > file.metadata()?.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // SAFETY: the file is not changed while it is mapped. What this process changes, it changes for itself.
        let map = unsafe { MmapOptions::new().offset(start).len(len).map_copy(file)? };
        Ok(Block { memory: Memory::Mapped(map), len })
    }

    /// Forget all but the first `len` bytes.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}

impl Deref for Block {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.memory {
            Memory::Allocated(bytes) => &bytes[..self.len],
            Memory::Mapped(bytes) => &bytes[..self.len],
        }
    }
}

impl DerefMut for Block {
    fn deref_mut(&mut self) -> &mut [u8] {
        match &mut self.memory {
            Memory::Allocated(bytes) => &mut bytes[..self.len],
            Memory::Mapped(bytes) => &mut bytes[..self.len],
        }
    }
}

impl From<Vec<u8>> for Block {
    fn from(bytes: Vec<u8>) -> Block {
        Block { len: bytes.len(), memory: Memory::Allocated(bytes) }
    }
}

impl Clone for Block {
    fn clone(&self) -> Block {
        self.to_vec().into()
    }
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn small_and_large_blocks_are_what_the_file_says_and_change_alone() {
        let mut file = tempfile::tempfile().unwrap();
        let bytes: Vec<u8> = (0..MAPPED + 5000).map(|at| at as u8).collect();
        file.write_all(&bytes).unwrap();
        for (start, len) in [(0, 0), (3, 7), (5, MAPPED - 1), (5, MAPPED), (4097, MAPPED + 100)] {
            let mut block = Block::of_file(&file, start as u64, len).unwrap();
            assert_eq!(block[..], bytes[start..start + len]);
            block.fill(7);
            block.truncate(5);
            assert_eq!((&block.clone()[..], block.len()), (&[7; 5][..len.min(5)], len.min(5)));
        }
        assert_eq!(Block::of_file(&file, 0, bytes.len()).unwrap()[..], bytes);
        for len in [20_000, 40_000] {
            assert!(Block::of_file(&file, 20_000, len).is_err());
        }
    }
}
