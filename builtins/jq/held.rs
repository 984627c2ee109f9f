//! How much memory the values of a run hold: filters build values without end, so somebody has to count.
use std::cell::Cell;

thread_local! {
    /// Bytes held by the values of this thread. A run of jq stays on its thread.
    static HELD: Cell<usize> = const { Cell::new(0) };
}

/// Bytes held by one value; given back when it is dropped.
#[derive(Debug, Default)]
pub(super) struct Held(usize);

impl Held {
    pub(super) fn new(bytes: usize) -> Held {
        let mut held = Held(0);
        held.set(bytes);
        held
    }

    /// Hold so many bytes from now on.
    pub(super) fn set(&mut self, bytes: usize) {
        HELD.with(|held| held.set((held.get() + bytes).saturating_sub(self.0)));
        self.0 = bytes;
    }

    /// Hold `bytes` more.
    pub(super) fn add(&mut self, bytes: usize) {
        self.set(self.0 + bytes);
    }
}

impl Clone for Held {
    fn clone(&self) -> Held {
        Held::new(self.0)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.set(0);
    }
}

/// Bytes held by all values of this thread.
pub(super) fn total() -> usize {
    HELD.with(Cell::get)
}
