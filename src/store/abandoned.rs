//! Files that a process began under a name of its own and was killed before it renamed them.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "they are files of the host")]
use std::{fs, path::Path, process, time::Duration};

/// A file that was touched more recently may belong to a process of another machine or container.
const QUIET: Duration = Duration::from_secs(60);
/// No file is written for so long, whatever has its process's number by now.
const DEAD: Duration = Duration::from_secs(24 * 3600);

/// Whether nobody will finish `file`, which the process with this number began.
pub(super) fn is_abandoned(file: &Path, process: u32) -> bool {
    let modified = fs::metadata(file).and_then(|meta| meta.modified());
    let age = modified.ok().and_then(|time| time.elapsed().ok()).unwrap_or_default();
    process != process::id() && age > QUIET && (age > DEAD || !is_running(process))
}

/// Whether there is a process with this number; where the system does not tell, there is.
fn is_running(process: u32) -> bool {
    let processes = Path::new("/proc");
    !processes.join("self").exists() || processes.join(process.to_string()).exists()
}
