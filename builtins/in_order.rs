//! Work on many items by several threads, with the results in the order of the items.
//!
//! Items are handed out in batches, so that short ones cost no more than long ones, and what waits is bounded. Little
//! work is done where it is, without any thread. What work would print is [`Kept`] until its turn has come.
use crate::Result;
use std::{
    any::Any,
    collections::BTreeMap,
    io::{self, Write},
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Mutex, mpsc},
    thread,
};

/// The weight of a batch: bytes of text.
const BATCH: usize = 256 << 10;
/// Batches that may wait for a thread, or for their turn: the next pages are read while those before are searched. Few
/// of them, so that their memory is used again before the processor's cache has lost it.
const WAITING: usize = 16;
/// Threads of a command at most: memory, not processors, is what more of them would wait for.
pub(crate) const THREADS: usize = 8;

/// Bytes that one item may print ahead of its turn.
const MUCH: usize = 1 << 20;

/// A batch's results, or what its thread panicked with.
type Answer<R> = (usize, Result<Vec<R>, Box<dyn Any + Send>>);

/// Do `work` on `items`, each of which weighs so many bytes, and hand the results to `take` in the order of the items,
/// until it breaks or fails. The items are read by this thread.
pub(crate) fn in_order<T: Send, R: Send>(
    items: &mut dyn Iterator<Item = Result<(T, usize)>>,
    work: &(dyn Fn(T) -> R + Sync),
    take: &mut dyn FnMut(R) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let mut first = Batch::of(items)?;
    // How many processors there are is asked of files: not for a little work.
    let threads = if first.is_full() { threads() } else { 1 };
    if threads < 2 {
        return alone(&mut first, items, work, take);
    }
    let (send, receive) = mpsc::channel::<(usize, Vec<T>)>();
    let receive = &Mutex::new(receive);
    thread::scope(move |scope| {
        let (answer, answers) = mpsc::channel::<Answer<R>>();
        for _ in 0..threads {
            let answer = answer.clone();
            scope.spawn(move || {
                loop {
                    let next = receive.lock().ok().and_then(|receive| receive.recv().ok());
                    let Some((number, batch)) = next else { return };
                    let results = catch_unwind(AssertUnwindSafe(|| batch.into_iter().map(work).collect()));
                    // Nobody waits for it any more once the search has ended.
                    let _ = answer.send((number, results));
                }
            });
        }
        let (mut sent, mut taken) = (0, 0);
        let mut early = BTreeMap::new();
        let mut batch = first;
        loop {
            let is_full = sent - taken == WAITING;
            let answer = if batch.items.is_empty() && sent == taken {
                return Ok(());
            } else if batch.items.is_empty() || is_full {
                answers.recv().ok()
            } else {
                let _ = send.send((sent, std::mem::take(&mut batch.items)));
                sent += 1;
                batch = Batch::of(items)?;
                answers.try_recv().ok()
            };
            early.extend(answer.into_iter().chain(answers.try_iter()));
            while let Some(results) = early.remove(&taken) {
                taken += 1;
                for result in results.unwrap_or_else(|panic| resume_unwind(panic)) {
                    if take(result)?.is_break() {
                        return Ok(());
                    }
                }
            }
        }
    })
}

/// How many threads much work is worth.
pub(crate) fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(THREADS)
}

/// The same in this thread.
fn alone<T, R>(
    first: &mut Batch<T>,
    rest: &mut dyn Iterator<Item = Result<(T, usize)>>,
    work: &(dyn Fn(T) -> R + Sync),
    take: &mut dyn FnMut(R) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let first = std::mem::take(&mut first.items).into_iter().map(Ok);
    for item in first.chain(rest.map(|item| item.map(|(item, _)| item))) {
        if take(work(item?))?.is_break() {
            break;
        }
    }
    Ok(())
}

struct Batch<T> {
    items: Vec<T>,
    weight: usize,
}

impl<T> Batch<T> {
    /// The next one.
    fn of(items: &mut dyn Iterator<Item = Result<(T, usize)>>) -> Result<Batch<T>> {
        let mut batch = Batch { items: Vec::new(), weight: 0 };
        while !batch.is_full()
            && let Some(item) = items.next()
        {
            let (item, weight) = item?;
            batch.items.push(item);
            // An item that weighs nothing is an item, too.
            batch.weight += weight + 64;
        }
        Ok(batch)
    }

    fn is_full(&self) -> bool {
        self.weight >= BATCH
    }
}

/// Keeps what is printed ahead of its turn. It fails when that is much: then the work is done again in its turn.
#[derive(Default)]
pub(crate) struct Kept(Vec<u8>);

impl Kept {
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MUCH {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Error, Status};

    /// The results for `count` items of `weight` bytes, as far as `until`.
    fn results(count: usize, weight: usize, until: usize) -> (Result<()>, Vec<usize>) {
        let mut taken = Vec::new();
        let mut items = (0..count).map(|item| match item {
            9_999 => Err(Error::Quiet(Status(3))),
            _ => Ok((item, weight)),
        });
        let end = in_order(&mut items, &|item| item * 2, &mut |result| {
            taken.push(result);
            Ok(if taken.len() == until { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        });
        (end, taken)
    }

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for (count, weight) in [(0, 0), (3, 10), (3, 1 << 20), (5_000, 0), (5_000, 5_000), (40, 300 << 10)] {
            let (end, taken) = results(count, weight, usize::MAX);
            end.unwrap();
            assert_eq!(taken, (0..count).map(|item| item * 2).collect::<Vec<_>>(), "{count} of {weight}");
        }
    }

    #[test]
    fn who_takes_them_may_stop_and_so_may_who_reads() {
        assert_eq!(results(5_000, 5_000, 70).1.len(), 70);
        assert_eq!(results(5_000, 0, 1).1, [0]);
        let (end, taken) = results(20_000, 5_000, usize::MAX);
        assert!(end.is_err());
        assert!(taken.len() < 10_000 && taken.iter().enumerate().all(|(at, &result)| result == at * 2));
    }

    #[test]
    fn a_panic_of_a_thread_is_one_of_the_caller() {
        let result = catch_unwind(|| {
            let work = |item: usize| if item == 700 { panic!("item 700") } else { item };
            in_order(&mut (0..5_000).map(|item| Ok((item, 5_000))), &work, &mut |_| Ok(ControlFlow::Continue(())))
        });
        assert_eq!(result.unwrap_err().downcast_ref::<&str>(), Some(&"item 700"));
    }
}
