//! What a run of jq costs: the memory that its values and its stack hold, and its time. Filters build values without
//! end, and values that share their parts are far larger than what they hold, so somebody has to count.
//!
//! The account belongs to the thread, on which a run of jq stays: a value gives back what it held wherever it is
//! dropped.
use crate::{Call, Cancel, Purse, Result};
use std::cell::{Cell, RefCell};

/// Stack that must be left before a filter's or a value's nesting goes deeper, and what is added when it is not.
const RED_ZONE: usize = 128 * 1024;
pub(super) const GROWTH: usize = 2 * 1024 * 1024;
/// Steps between two looks at the clock.
const STEPS: u32 = 1000;
/// Bytes that are paid for although nothing holds them, at most.
const SLACK: u64 = 1 << 20;

thread_local! {
    /// Bytes held on this thread.
    static HELD: Cell<usize> = const { Cell::new(0) };
    /// Steps that are left until somebody looks at the clock.
    static LEFT: Cell<u32> = const { Cell::new(STEPS) };
    /// The run that pays.
    static RUN: RefCell<Option<Run>> = const { RefCell::new(None) };
}

struct Run {
    cancel: Cancel,
    purse: Purse,
}

/// As long as it lives, what happens on this thread is paid for by one run.
pub(super) struct Watch(());

impl Watch {
    pub(super) fn new(call: &Call<'_>) -> Watch {
        let run = Run { cancel: call.cancel.clone(), purse: call.memory.another() };
        RUN.with_borrow_mut(|watched| *watched = Some(run));
        Watch(())
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        RUN.with_borrow_mut(|watched| *watched = None);
    }
}

/// Whether the run may go on: its deadline, and the memory that it holds.
pub(super) fn check() -> Result<()> {
    RUN.with_borrow_mut(|run| {
        let Some(run) = run else { return Ok(()) };
        run.cancel.check()?;
        let (held, paid) = (HELD.get() as u64, run.purse.held());
        if held > paid {
            run.purse.take((held - paid) as usize)?;
        } else if paid - held > SLACK {
            run.purse.give((paid - held) as usize);
        }
        Ok(())
    })
}

/// Take one of many small steps.
pub(super) fn step() -> Result<()> {
    match LEFT.get() {
        0 => {
            LEFT.set(STEPS);
            check()
        }
        left => {
            LEFT.set(left - 1);
            Ok(())
        }
    }
}

/// Go one level deeper, on more stack when little is left; the run pays for it.
pub(super) fn deeper<T, E: From<crate::Error>>(step: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    if stacker::remaining_stack().is_some_and(|left| left >= RED_ZONE) {
        return step();
    }
    let _stack = Held::new(GROWTH);
    check()?;
    stacker::grow(GROWTH, step)
}

/// Bytes held by one value; given back when it is dropped.
#[derive(Debug, Default)]
pub(super) struct Held(usize);

impl Held {
    pub(super) fn new(bytes: usize) -> Held {
        HELD.set(HELD.get() + bytes);
        Held(bytes)
    }

    /// Hold so many bytes from now on.
    pub(super) fn set(&mut self, bytes: usize) {
        HELD.set((HELD.get() + bytes).saturating_sub(self.0));
        self.0 = bytes;
    }
}

/// A list that pays before it grows.
#[derive(Debug)]
pub(super) struct Pile<T> {
    items: Vec<T>,
    held: Held,
}

impl<T> Pile<T> {
    pub(super) fn new() -> Pile<T> {
        Pile { items: Vec::new(), held: Held::default() }
    }

    /// Put `item` on top.
    pub(super) fn push(&mut self, item: T) -> Result<()> {
        if self.items.len() == self.items.capacity() {
            let capacity = (2 * self.items.capacity()).max(4);
            self.held.set(capacity * size_of::<T>());
            check()?;
            self.items.reserve_exact(capacity - self.items.len());
        }
        step()?;
        self.items.push(item);
        Ok(())
    }

    /// Take the last item.
    pub(super) fn pop(&mut self) -> Option<T> {
        self.items.pop()
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
