//! What an operator sees of docsh at work: `--trace`, a line on stderr after each command, and `$DOCSH_LOG`, events as
//! lines of JSON on stderr or in a file.
//!
//! Both tell numbers, names of sites and kinds of requests; never page text, commands, tokens or keys. Without
//! `$DOCSH_LOG` nothing listens, and an event costs a comparison.
use super::{Refusal, host};
use docsh_builtins::{Cancel, Cost, Status};
use std::{
    fs::OpenOptions,
    io,
    os::unix::fs::OpenOptionsExt,
    path::Path,
    sync::Mutex,
    time::{Duration, Instant},
};
use tracing::Level;
use tracing_subscriber::{Layer, filter::Targets, fmt, layer::SubscriberExt, util::SubscriberInitExt};

/// A run being watched.
#[must_use = "a watch that never ends tells nothing"]
pub struct Watch {
    since: Instant,
    is_traced: bool,
}

impl Watch {
    /// A run begins; `--trace` wants a line of it.
    pub fn start(is_traced: bool) -> Watch {
        Watch { since: Instant::now(), is_traced }
    }

    /// It has ended with `status`. Gives what it took, and what it cost since the last watch of this run ended.
    pub fn end(self, status: Status, cancel: &Cancel) -> (Duration, Cost) {
        let (took, cost) = (self.since.elapsed(), cancel.usage().take());
        let (seconds, Status(status)) = (took.as_secs_f64(), status);
        if self.is_traced {
            host::say(&format!("docsh: trace: time={seconds:.3}s status={status} {cost}\n"));
        }
        let Cost { requests, pages_read, cache_hits, bytes } = cost;
        tracing::info!(status, seconds, requests, pages_read, cache_hits, bytes, "run");
        (took, cost)
    }
}

/// Listen to events if `$DOCSH_LOG` says where: `stderr` or the absolute path of a file, perhaps after a level
/// (`debug:/var/log/docsh.log`); the level is `info` otherwise.
pub fn log(is_restricted: bool) -> Result<(), Refusal> {
    let Some(wanted) = std::env::var_os("DOCSH_LOG").filter(|value| !value.is_empty() && !is_restricted) else {
        return Ok(());
    };
    let wanted = wanted.to_string_lossy();
    let (level, place) = wanted.split_once(':').unwrap_or(("info", &wanted));
    let level: Level = level.parse().map_err(|_| {
        Refusal::config(format_args!("DOCSH_LOG: {level}: not a level: error, warn, info, debug or trace"))
    })?;
    // The libraries' events may hold what they were sent; only ours are known to be clean.
    let ours = Targets::new().with_target("docsh", level);
    let lines = fmt::layer().json().flatten_event(true).with_current_span(false).with_span_list(false);
    match place {
        "stderr" => tracing_subscriber::registry().with(lines.with_writer(io::stderr).with_filter(ours)).init(),
        _ => {
            let path = Path::new(place);
            if !path.is_absolute() {
                return Err(Refusal::config(format_args!("DOCSH_LOG: {place}: use `stderr` or an absolute path")));
            }
            let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path);
            let file = file.map_err(|error| Refusal::config(format_args!("DOCSH_LOG: {place}: {error}")))?;
            tracing_subscriber::registry().with(lines.with_writer(Mutex::new(file)).with_filter(ours)).init();
        }
    }
    Ok(())
}
