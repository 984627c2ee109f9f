//! Cooperative stop: an interrupt from outside, the time limit, a host stream that is gone.
//!
//! A [`Cancel`] is a cheap clone that every pipe, page read and long loop checks. It never stops anything by itself:
//! whoever holds it must ask. A stop that travels through [`std::io::Error`] stays a stop ([`Stop::of`]).
use crate::Usage;
use nix::time::{ClockId, clock_gettime};
use std::{
    error, fmt, io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

/// A handle on one run. Clones share the flag; a deadline belongs to the clone it was set on.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    flag: Arc<AtomicUsize>,
    /// The flag of the run that this one is a part of, e.g. of the script around `timeout`.
    outer: Option<Arc<Cancel>>,
    /// As [`now`] counts.
    deadline: Option<Duration>,
    usage: Arc<Usage>,
}

/// Why a run was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Ctrl-C; status 130.
    Interrupted,
    /// The time limit passed; status 124, as timeout(1).
    TimedOut,
    /// The host asked the process to end (SIGTERM); status 143.
    Terminated,
    /// The host's terminal or connection is gone (SIGHUP); status 129.
    HungUp,
    /// The host no longer reads our output; status 141.
    OutputGone,
    /// The run has made all the output that it may; status 126.
    OutputFull,
    /// The run has reached another of its limits, and has said which; status 126.
    OverLimit,
    /// This part of the run is no longer wanted (a process substitution nobody reads, `timeout`, a job at exit).
    Abandoned,
}

impl Stop {
    /// The exit status that the shell reports.
    pub const fn status(self) -> u8 {
        match self {
            Stop::Interrupted => 130,
            Stop::TimedOut => 124,
            Stop::Terminated | Stop::Abandoned => 143,
            Stop::HungUp => 129,
            Stop::OutputGone => 141,
            Stop::OutputFull | Stop::OverLimit => 126,
        }
    }

    /// The stop inside an I/O error, if that is what it is.
    pub fn of(error: &io::Error) -> Option<Stop> {
        error.get_ref()?.downcast_ref::<Stop>().copied()
    }

    /// What the flag of a [`Cancel`] holds after this stop.
    pub fn code(self) -> usize {
        Stop::ALL.iter().position(|&stop| stop == self).map_or(0, |at| at + 1)
    }

    const ALL: [Stop; 8] = [
        Stop::Interrupted,
        Stop::TimedOut,
        Stop::Terminated,
        Stop::HungUp,
        Stop::OutputGone,
        Stop::OutputFull,
        Stop::OverLimit,
        Stop::Abandoned,
    ];
}

impl Cancel {
    /// Never stops by itself.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// A part of this run that also stops `limit` from now, and can be stopped alone.
    pub fn within(&self, limit: Duration) -> Cancel {
        Cancel { deadline: now().checked_add(limit), ..self.part() }
    }

    /// A part of this run: it stops when this run stops, and can be stopped alone.
    pub fn part(&self) -> Cancel {
        Cancel { flag: Arc::default(), outer: Some(Arc::new(self.clone())), deadline: None, usage: self.usage.clone() }
    }

    /// A run of its own that stops when this one stops, can be stopped alone, and counts for itself.
    pub fn alone(&self) -> Cancel {
        Cancel { usage: Arc::default(), ..self.part() }
    }

    /// What the run has cost, its parts included.
    pub fn usage(&self) -> &Arc<Usage> {
        &self.usage
    }

    /// Ask every holder to stop. The first reason stays.
    pub fn stop(&self, why: Stop) {
        let _ = self.flag.compare_exchange(0, why.code(), Ordering::Relaxed, Ordering::Relaxed);
    }

    /// The flag itself, for a signal handler that may only store a [`Stop::code`].
    pub fn flag(&self) -> Arc<AtomicUsize> {
        self.flag.clone()
    }

    /// Take back an earlier stop, so that an interactive session goes on after Ctrl-C.
    pub fn reset(&self) {
        self.flag.store(0, Ordering::Relaxed);
    }

    /// `Err` if somebody has asked this run to stop, whatever the time is: at its end, how it has ended.
    pub fn was_asked(&self) -> Result<(), Stop> {
        match self.flag.load(Ordering::Relaxed).checked_sub(1) {
            Some(stop) => Err(Stop::ALL[stop.min(Stop::ALL.len() - 1)]),
            None => Ok(()),
        }
    }

    /// `Err` once the run should stop.
    pub fn check(&self) -> Result<(), Stop> {
        self.was_asked()?;
        if self.deadline.is_some_and(|deadline| now() >= deadline) {
            return Err(Stop::TimedOut);
        }
        self.outer.as_ref().map_or(Ok(()), |outer| outer.check())
    }

    /// Sleep for `time`, or until the run is stopped.
    pub fn sleep(&self, time: Duration) -> Result<(), Stop> {
        const STEP: Duration = Duration::from_millis(10);
        let end = Instant::now().checked_add(time);
        loop {
            self.check()?;
            let left = end.map_or(STEP, |end| end.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(STEP));
        }
    }
}

/// The clock of deadlines: the kernel's, as of its last tick.
#[cfg(target_os = "linux")]
const CLOCK: ClockId = ClockId::CLOCK_MONOTONIC_COARSE;
/// The same where ticks cannot be read.
#[cfg(not(target_os = "linux"))]
const CLOCK: ClockId = ClockId::CLOCK_MONOTONIC;

/// The time on a clock that only goes forward. It lags by a few milliseconds, and costs next to nothing to read: loops
/// look at it for every line.
fn now() -> Duration {
    // A clock of the kernel's own cannot fail to be read.
    clock_gettime(CLOCK).map_or(Duration::ZERO, Duration::from)
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::Interrupted => "Interrupted",
            Stop::TimedOut => "Timed out",
            Stop::Terminated => "Terminated",
            Stop::HungUp => "Hangup",
            Stop::OutputGone => "Broken pipe",
            Stop::OutputFull => "Output limit reached",
            Stop::OverLimit => "Limit reached",
            Stop::Abandoned => "Abandoned",
        })
    }
}

impl error::Error for Stop {}

impl From<Stop> for io::Error {
    fn from(stop: Stop) -> io::Error {
        io::Error::other(stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_stops_alone_and_with_the_whole() {
        let whole = Cancel::new();
        let part = whole.part();
        part.stop(Stop::Abandoned);
        assert_eq!((whole.check(), part.check()), (Ok(()), Err(Stop::Abandoned)));
        let other = whole.part();
        whole.stop(Stop::Interrupted);
        assert_eq!(other.check(), Err(Stop::Interrupted));
    }

    #[test]
    fn the_first_reason_stays_until_reset() {
        let run = Cancel::new();
        run.stop(Stop::HungUp);
        run.stop(Stop::Interrupted);
        assert_eq!(run.check(), Err(Stop::HungUp));
        run.reset();
        assert_eq!(run.check(), Ok(()));
    }

    #[test]
    fn a_stop_survives_an_io_error() {
        assert_eq!(Stop::of(&io::Error::from(Stop::TimedOut)), Some(Stop::TimedOut));
    }
}
