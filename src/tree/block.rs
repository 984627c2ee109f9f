//! The bytes that a tree is read into, whole.
use memmap2::{MmapMut, MmapOptions};
use std::{
    fmt,
    ops::{Deref, DerefMut},
};

/// From this size on the system is asked for the memory in one piece, all of it there. A usual allocation of a megabyte
/// is given out page by page, as each is first written, which takes longer than to write them.
const MAPPED: usize = 128 << 10;

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
    /// So many zeros.
    pub(crate) fn new(len: usize) -> Block {
        let map = if len < MAPPED { None } else { MmapOptions::new().len(len).populate().map_anon().ok() };
        Block { memory: map.map_or_else(|| Memory::Allocated(vec![0; len]), Memory::Mapped), len }
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

    #[test]
    fn small_and_large_blocks_are_zeros_that_can_be_written() {
        for len in [0, 7, MAPPED - 1, MAPPED, MAPPED + 4097] {
            let mut block = Block::new(len);
            assert!(block.len() == len && block.iter().all(|&byte| byte == 0), "{len}");
            block.fill(7);
            block.truncate(5);
            assert_eq!((&block.clone()[..], block.len()), (&[7; 5][..len.min(5)], len.min(5)));
        }
    }
}
