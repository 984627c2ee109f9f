//! One process from its start to its end: how long it took, the most memory it held, what it answered.
use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
    os::unix::process::CommandExt,
    path::Path,
    process::{ChildStdout, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};
use xxhash_rust::xxh3::xxh3_64;

/// Nobody waits longer for a command.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);

/// What one process cost.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub(crate) time: Duration,
    /// The most memory that it, or one of its children, held, in KiB.
    pub(crate) memory: u64,
    /// None if it was killed.
    pub(crate) status: Option<i32>,
}

/// The lines of an answer in whatever order, without the `/` or `./` that paths begin with.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Answer {
    pub(crate) lines: u64,
    sum: u64,
}

/// Run `command` with its output into a pipe: into `/dev/null` some tools stop at the first match.
pub(crate) fn run(command: &mut Command, errors: &Path) -> Run {
    let mut buffer = vec![0; 256 << 10];
    watched(command, errors, |mut output| while output.read(&mut buffer).is_ok_and(|read| read > 0) {})
}

/// The same, and the answer.
pub(crate) fn ask(command: &mut Command, errors: &Path) -> (Run, Answer) {
    let mut answer = Answer::default();
    let run = watched(command, errors, |output| {
        let (mut output, mut line) = (BufReader::new(output), Vec::new());
        while output.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            let bare = line.strip_prefix(b".").unwrap_or(&line);
            let bare = bare.strip_prefix(b"/").unwrap_or(bare);
            answer.lines += 1;
            answer.sum = answer.sum.wrapping_add(xxh3_64(bare));
            line.clear();
        }
    });
    (run, answer)
}

#[allow(clippy::zombie_processes, reason = "`wait` waits for it, by its number")]
fn watched(command: &mut Command, errors: &Path, read: impl FnOnce(ChildStdout)) -> Run {
    let errors = File::create(errors).expect("a file for what goes wrong");
    command.env("LC_ALL", "C.UTF-8").stdout(Stdio::piped()).stderr(errors).process_group(0);
    let (tell, told) = mpsc::channel();
    let (ended, end) = mpsc::channel::<()>();
    let watchdog = thread::spawn(move || {
        if let Ok(process) = told.recv()
            && end.recv_timeout(LIMIT).is_err_and(|why| why == mpsc::RecvTimeoutError::Timeout)
            && let Some(process) = rustix::process::Pid::from_raw(process)
        {
            let _ = rustix::process::kill_process_group(process, rustix::process::Signal::KILL);
        }
    });
    let begun = Instant::now();
    let mut child = command.spawn().expect("it starts");
    let process = child.id().cast_signed();
    let _ = tell.send(process);
    read(child.stdout.take().expect("piped"));
    let (status, memory) = wait(process);
    let time = begun.elapsed();
    drop(ended);
    let _ = watchdog.join();
    Run { time, memory, status }
}

/// Wait for a child: its status, and the most memory that it held.
#[allow(unsafe_code, reason = "only wait4 tells the memory of a process that has ended")]
fn wait(process: i32) -> (Option<i32>, u64) {
    let mut status = 0;
    // SAFETY: `rusage` is numbers only, and both pointers are to values that live until the call returns.
    let (ended, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        (libc::wait4(process, &raw mut status, 0, &raw mut usage), usage)
    };
    assert_eq!(ended, process, "a child of ours, waited for once");
    (libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)), usage.ru_maxrss.cast_unsigned())
}
