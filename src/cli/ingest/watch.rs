//! `--watch`: ingest again whenever the folder changes. The folder is looked at twice a second, which works on every
//! file system and costs a walk; a change counts once it has settled.
use super::{Args, Config, Refusal, host, once};
use crate::ingest::folder::{Choice, walk};
use docsh_builtins::Cancel;
use std::{
    collections::hash_map::DefaultHasher,
    fs,
    hash::{Hash, Hasher},
    path::Path,
    time::Duration,
};

const PAUSE: Duration = Duration::from_millis(500);

/// Run it until interrupted, which is its usual end. What goes wrong is told, and tried again with the next change.
pub(super) fn run(args: &Args, dir: &Path, config: &Config, cancel: &Cancel) -> Result<(), Refusal> {
    let mut seen = look(dir);
    once(args, dir, config, cancel)?;
    host::say(&format!("docsh: watching {}\n", dir.display()));
    while cancel.sleep(PAUSE).is_ok() {
        let now = look(dir);
        if now == seen {
            continue;
        }
        if cancel.sleep(PAUSE).is_err() {
            break;
        }
        // Still being written: wait for the next look.
        if look(dir) != now {
            continue;
        }
        seen = now;
        if let Err(refusal) = once(args, dir, config, cancel) {
            host::say(&format!("docsh: {}\n", refusal.message));
        }
    }
    Ok(())
}

/// What tells one state of the folder from another: names, sizes, times. Files count that ingest leaves out, such as
/// the navigation, which decides about others.
fn look(dir: &Path) -> u64 {
    let mut state = DefaultHasher::new();
    let choice = Choice { all: false, include_config: true };
    let found = walk(dir, choice).map(|(found, _)| found).unwrap_or_default();
    let ignoring = [".mintignore", ".gitignore"].map(|name| dir.join(name));
    for path in found.into_iter().map(|file| file.path).chain(ignoring) {
        let meta = fs::metadata(&path).ok();
        (path, meta.map(|meta| (meta.len(), meta.modified().ok()))).hash(&mut state);
    }
    state.finish()
}
