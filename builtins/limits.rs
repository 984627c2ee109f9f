//! How much one run may use. Each limit is named in the message of whoever hits it.
use crate::{Error, Result, Status};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

/// The limits of a run; `DESIGN`ed so that honest work over 10,000 pages never meets them.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Wall clock of one `-c`, script or request; `None` at a prompt. Status 124.
    pub time: Option<Duration>,
    /// Bytes of variables and of commands that must keep their whole input. Status 126.
    pub memory: u64,
    /// Bytes of output of a request; `None` where the host's pipe sets the pace. Status 126.
    pub output: Option<u64>,
    /// Nested function calls, `eval`s and `source`s. Status 126.
    pub depth: usize,
    /// Words that one expansion may make. Status 126.
    pub words: usize,
    /// Pipeline stages alive at once. Status 126.
    pub stages: usize,
    /// Background jobs alive at once. Status 126.
    pub jobs: usize,
    /// Bytes of one compiled regular expression. Status 126.
    pub regex: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            time: Some(Duration::from_secs(30)),
            memory: 256 << 20,
            output: None,
            depth: 1000,
            words: 100_000,
            stages: 256,
            jobs: 32,
            regex: 10 << 20,
        }
    }
}

/// The memory of a run, shared by all of its commands.
#[derive(Clone, Debug)]
pub struct Memory(Arc<Account>);

#[derive(Debug)]
struct Account {
    used: AtomicU64,
    limit: u64,
    /// Of the limit, what commands and variables may take.
    room: u64,
}

/// The part of the limit, one in so many, that goes to what nobody counts: the program itself, stacks, and the blocks
/// that an allocator keeps for later.
const UNCOUNTED: u64 = 16;

impl Memory {
    /// An account of `limit` bytes.
    pub fn new(limit: u64) -> Memory {
        Memory(Arc::new(Account { used: AtomicU64::new(0), limit, room: limit - limit / UNCOUNTED }))
    }

    /// Whether `bytes` more would fit now; the error names the limit, status 126.
    pub fn fits(&self, bytes: usize) -> Result<()> {
        match self.0.used.load(Ordering::Relaxed).saturating_add(bytes as u64) <= self.0.room {
            true => Ok(()),
            false => {
                let message = format!("memory limit of {} MiB reached", self.0.limit >> 20);
                Err(Error::Failed(message, Status(126)))
            }
        }
    }

    /// A command's own purse on this account: it gives back what it took when it is dropped.
    pub fn purse(&self) -> Purse {
        Purse { memory: self.clone(), taken: 0 }
    }
}

/// What one command has taken from the run's memory.
#[derive(Debug)]
pub struct Purse {
    memory: Memory,
    taken: u64,
}

impl Purse {
    /// Account for `bytes` more; the error names the limit, status 126.
    pub fn take(&mut self, bytes: usize) -> Result<()> {
        let bytes = bytes as u64;
        self.taken += bytes;
        self.memory.0.used.fetch_add(bytes, Ordering::Relaxed);
        self.fits(0)
    }

    /// Whether `bytes` more would fit now, as [`Memory::fits`].
    pub fn fits(&self, bytes: usize) -> Result<()> {
        self.memory.fits(bytes)
    }

    /// An empty purse on the same account.
    pub fn another(&self) -> Purse {
        self.memory.purse()
    }

    /// How many bytes it holds.
    pub fn held(&self) -> u64 {
        self.taken
    }

    /// Give `bytes` back early.
    pub fn give(&mut self, bytes: usize) {
        let bytes = (bytes as u64).min(self.taken);
        self.taken -= bytes;
        self.memory.0.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl Drop for Purse {
    fn drop(&mut self) {
        self.memory.0.used.fetch_sub(self.taken, Ordering::Relaxed);
    }
}

/// Bytes that a text may grow by between two looks at the memory it takes.
const STRIDE: usize = 1 << 16;

/// Pays for a text while it is being made, and gives all back when it is dropped: what the text then is, is counted
/// where it goes. A short text costs nothing.
pub(crate) struct Growth {
    purse: Purse,
    /// Up to here nothing more is to be paid.
    room: usize,
}

impl Growth {
    /// Of a text that `memory`'s account pays for.
    pub(crate) fn new(memory: &Purse) -> Growth {
        Growth { purse: memory.another(), room: STRIDE }
    }

    /// The text takes `bytes` by now.
    pub(crate) fn reach(&mut self, bytes: usize) -> Result<()> {
        if bytes > self.room {
            self.purse.take(bytes + STRIDE - self.room)?;
            self.room = bytes + STRIDE;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_purse_gives_back_what_it_took() {
        let memory = Memory::new(10 << 20);
        let mut first = memory.purse();
        first.take(8 << 20).unwrap();
        let message = memory.purse().take(4 << 20).unwrap_err().to_string();
        assert_eq!(message, "memory limit of 10 MiB reached");
        drop(first);
        memory.purse().take(4 << 20).unwrap();
    }

    #[test]
    fn a_text_is_paid_for_while_it_is_made() {
        let memory = Memory::new(1 << 20);
        let purse = memory.purse();
        for _ in 0..3 {
            let mut growth = Growth::new(&purse);
            growth.reach(800 << 10).unwrap();
            growth.reach(10).unwrap();
            assert!(memory.fits(200 << 10).is_err());
            assert_eq!(growth.reach(2 << 20).unwrap_err().to_string(), "memory limit of 1 MiB reached");
        }
        memory.fits(980_000).unwrap();
    }
}
