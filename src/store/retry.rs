//! Asking again after a fault that passes: a server that is busy, a connection that broke. Only for requests that may
//! be sent twice, as all of docsh's are.
use std::time::{Duration, SystemTime};
use tokio::time;

/// The pauses between tries; one try more than pauses.
const PAUSES: [Duration; 3] = [Duration::from_millis(100), Duration::from_millis(300), Duration::from_millis(900)];
/// The longest pause that a server may ask for.
const LONGEST: Duration = Duration::from_secs(5);

/// What a failed try says about the next one.
pub(super) enum Next {
    /// It would fail the same way.
    Never,
    /// It may succeed, after the pause that the server asked for, if any.
    Again(Option<Duration>),
}

/// The first success of `work`, or its last failure.
pub(super) async fn retry<T, E>(work: impl AsyncFn() -> Result<T, E>, next: impl Fn(&E) -> Next) -> Result<T, E> {
    for pause in PAUSES {
        match work().await {
            Ok(done) => return Ok(done),
            Err(error) => match next(&error) {
                Next::Never => return Err(error),
                Next::Again(asked) => time::sleep(asked.unwrap_or(pause + jitter(pause)).min(LONGEST)).await,
            },
        }
    }
    work().await
}

/// Up to half of `pause`, so that many clients do not come back at once.
fn jitter(pause: Duration) -> Duration {
    let nanos = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.subsec_nanos());
    pause.mul_f64(f64::from(nanos % 1000) / 2000.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::bridge::wait;
    use docsh_builtins::Cancel;
    use std::sync::atomic::{AtomicU32, Ordering};

    fn tries(fail: u32, next: impl Fn(&u32) -> Next) -> (Result<u32, u32>, u32) {
        let count = AtomicU32::new(0);
        let work = async || match count.fetch_add(1, Ordering::Relaxed) + 1 {
            n if n <= fail => Err(n),
            n => Ok(n),
        };
        let result = wait(&Cancel::new(), async || retry(work, next).await).unwrap();
        (result, count.load(Ordering::Relaxed))
    }

    #[test]
    fn passing_faults_are_asked_again_and_others_are_not() {
        let soon = |_: &u32| Next::Again(Some(Duration::from_millis(1)));
        assert_eq!(tries(2, soon), (Ok(3), 3));
        assert_eq!(tries(9, soon), (Err(4), 4));
        assert_eq!(tries(9, |_| Next::Never), (Err(1), 1));
    }
}
