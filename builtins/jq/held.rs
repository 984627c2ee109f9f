//! What the values of a run cost: the memory they hold, and the steps of comparing them. Filters build values without end,
//! and values that share their parts are far larger than what they hold, so somebody has to count.
use std::cell::Cell;

thread_local! {
    /// Bytes held by the values of this thread. A run of jq stays on its thread.
    static HELD: Cell<usize> = const { Cell::new(0) };
    /// Steps of comparing that are left until somebody looks at the clock.
    static STEPS: Cell<u64> = const { Cell::new(STEPS_AT_ONCE) };
}

/// Steps between two looks at the clock: some seconds of comparing.
const STEPS_AT_ONCE: u64 = 200_000_000;

/// Take one step; `false` when there is none left, and the answer of the comparison does not matter any more.
pub(super) fn step() -> bool {
    STEPS.with(|steps| {
        let left = steps.get();
        steps.set(left.saturating_sub(1));
        left > 0
    })
}

/// Whether steps were left; from now on all are again.
pub(super) fn renew_steps() -> bool {
    STEPS.with(|steps| steps.replace(STEPS_AT_ONCE) > 0)
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
