//! The one door between blocking commands and async clients.
//!
//! Commands run on plain threads, so blocking one is fine; the runtime itself never calls this. The runtime is started
//! by the first wait (17 µs) and serves every store of the process: a one-shot that finds all in its cache has none.
use docsh_builtins::{Cancel, Stop, Usage};
use std::{
    io,
    sync::{Arc, OnceLock},
    time::Duration,
};
use tokio::{runtime::Runtime, select, time};

/// How late a waiting call may notice a stop.
const PATIENCE: Duration = Duration::from_millis(20);

static RUNTIME: OnceLock<Runtime> = OnceLock::new();

tokio::task_local! {
    /// The counters of the run that waits.
    static USAGE: Arc<Usage>;
}

/// Count a request that the work of a wait is about to send, to a server of this kind.
pub(super) fn count_request(server: &'static str) {
    tracing::debug!(server, "request");
    // Outside of a wait there is no run to count for.
    let _ = USAGE.try_with(|usage| usage.request());
}

/// Why a wait has no result.
#[derive(Debug)]
pub(super) enum Cut {
    /// The run was stopped first; the work has been dropped, and with it its connection.
    Stopped(Stop),
    /// The system has no threads or files left for a runtime.
    NoRuntime(io::Error),
}

/// Wait for `work`, which is built inside the runtime, or until the run is stopped.
pub(super) fn wait<T>(cancel: &Cancel, work: impl AsyncFnOnce() -> T) -> Result<T, Cut> {
    cancel.check().map_err(Cut::Stopped)?;
    let stopped = async {
        loop {
            time::sleep(PATIENCE).await;
            if let Err(stop) = cancel.check() {
                return stop;
            }
        }
    };
    runtime().map_err(Cut::NoRuntime)?.block_on(async {
        select! {
            biased;
            stop = stopped => Err(Cut::Stopped(stop)),
            done = USAGE.scope(cancel.usage().clone(), async { work().await }) => Ok(done),
        }
    })
}

fn runtime() -> io::Result<&'static Runtime> {
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime);
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(RUNTIME.get_or_init(|| runtime))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn a_hung_request_is_dropped_at_the_deadline() {
        let cancel = Cancel::new().within(Duration::from_millis(100));
        let cut = wait(&cancel, async || std::future::pending::<()>().await);
        assert!(matches!(cut, Err(Cut::Stopped(Stop::TimedOut))), "{cut:?}");
    }

    #[test]
    fn many_stages_may_wait_at_once() {
        // Each ends only when all of them wait.
        let waiting = AtomicUsize::new(0);
        let all_wait = async || {
            waiting.fetch_add(1, Ordering::Relaxed);
            while waiting.load(Ordering::Relaxed) < 32 {
                time::sleep(Duration::from_millis(1)).await;
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..32 {
                scope.spawn(|| wait(&Cancel::new().within(Duration::from_secs(60)), all_wait).unwrap());
            }
        });
    }
}
