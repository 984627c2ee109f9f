//! The beginning of the process as the C library calls it, with what Rust's own beginning would do for its standard
//! library: streams that were closed are `/dev/null`, so that no file of ours takes their places, and writing into a
//! pipe that nobody reads is an error instead of the end.
#![allow(
    unsafe_code,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the C library calls `main` by its name, and the process is the host's"
)]
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::{
    fs::File,
    io::{self, Write},
    panic::catch_unwind,
};

/// The status of a run that panicked, as Rust has it.
const PANICKED: i32 = 101;

/// The process, called once, by the C library. It passes the arguments to Rust's standard library too.
#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    open_closed_streams();
    // SAFETY: to ignore a signal installs no handler, and no second thread runs yet.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
    // A panic must not leave Rust.
    let status = catch_unwind(|| docsh::cli::main(std::env::args_os())).map_or(PANICKED, i32::from);
    // Whoever has gone has read enough.
    let _ = io::stdout().flush();
    status
}

fn open_closed_streams() {
    let (stdin, stdout, stderr) = (io::stdin(), io::stdout(), io::stderr());
    let none = PollFlags::empty();
    let mut streams = [PollFd::new(&stdin, none), PollFd::new(&stdout, none), PollFd::new(&stderr, none)];
    let _ = poll(&mut streams, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
    for stream in &streams {
        if stream.revents().contains(PollFlags::NVAL) {
            // It takes the lowest number that is free, which is this stream's, and keeps it.
            let null = File::options().read(true).write(true).open("/dev/null");
            std::mem::forget(null);
        }
    }
}
