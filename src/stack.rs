//! Room on the stack for what calls itself: the parser, the interpreter, arithmetic, braces.
//!
//! `stacker` asks the C library where the stack ends. For the main thread that reads `/proc/self/maps`, a tenth of a
//! millisecond, as much as a fifteenth of a whole start. So the main thread notes once where its stack is, and only who
//! comes near its end asks. A stack that `stacker` has made lies elsewhere, and there it is asked always.
use rustix::process::{Resource, getrlimit};
use std::cell::Cell;

/// What the kernel gives at least to a stack without limit.
const UNLIMITED: u64 = 8 << 20;
/// Left out of the reckoning: arguments, environment and what had been called before the note.
const RESERVE: usize = 256 << 10;

thread_local! {
    /// The addresses between which this thread's stack is known to lie; none, until they are noted.
    static SPAN: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// Note where the main thread's stack is: below here, as far as the process's limit allows.
pub fn note_main_thread() {
    let limit = getrlimit(Resource::Stack).current.unwrap_or(UNLIMITED).min(UNLIMITED);
    let here = address();
    let size = usize::try_from(limit).unwrap_or(0).saturating_sub(RESERVE);
    // Whoever calls this may have callees a little further up.
    SPAN.set((here.saturating_sub(size), here + RESERVE / 2));
}

/// Run `body` with at least `needed` bytes of stack, on a new one of `growth` bytes if there are fewer.
pub fn with_room<T>(needed: usize, growth: usize, body: impl FnOnce() -> T) -> T {
    let (low, high) = SPAN.get();
    let here = address();
    match here <= high && here.saturating_sub(needed) > low {
        true => body(),
        false => stacker::maybe_grow(needed, growth, body),
    }
}

/// About where the stack's top is now.
#[inline(always)]
fn address() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(&here).addr()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum_to(n: u64) -> u64 {
        with_room(64 << 10, 1 << 20, || if n == 0 { 0 } else { n + std::hint::black_box(sum_to(n - 1)) })
    }

    #[test]
    fn a_thread_goes_deeper_than_its_stack_noted_or_not() {
        let deep = |noted: bool| {
            let body = move || {
                if noted {
                    // As if the thread were a main thread with a small limit.
                    let here = address();
                    SPAN.set((here - (512 << 10), here));
                }
                sum_to(20_000)
            };
            std::thread::Builder::new().stack_size(1 << 20).spawn(body).unwrap().join().unwrap()
        };
        assert_eq!((deep(false), deep(true)), (200_010_000, 200_010_000));
    }
}
