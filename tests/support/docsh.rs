//! Running the built binary once, with a deadline, in an environment that holds nothing of the caller's.
use std::{
    io::{Read, Write},
    os::unix::process::ExitStatusExt,
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

/// One run of the binary, to be filled in.
pub(crate) struct Docsh {
    command: Command,
    stdin: Vec<u8>,
    deadline: Duration,
}

/// What a process printed and how it ended.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    /// The exit status; 128 + N for a process that signal N ended.
    pub(crate) status: i32,
    /// It was still running at the deadline, and was killed.
    pub(crate) timed_out: bool,
    pub(crate) took: Duration,
}

impl Docsh {
    /// The binary with these arguments, an empty stdin, ten seconds.
    pub(crate) fn new<I: IntoIterator<Item = A>, A: AsRef<std::ffi::OsStr>>(args: I) -> Docsh {
        let mut command = Command::new(env!("CARGO_BIN_EXE_docsh"));
        command.args(args);
        Docsh::from_command(command)
    }

    /// The same for another program: the real tools that docsh is compared with.
    pub(crate) fn from_command(mut command: Command) -> Docsh {
        let path = std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into());
        command.env_clear().env("PATH", path).env("LC_ALL", "C.UTF-8").env("TZ", "UTC").env("HOME", "/nonexistent");
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Docsh { command, stdin: Vec::new(), deadline: Duration::from_secs(10) }
    }

    pub(crate) fn current_dir(mut self, dir: &std::path::Path) -> Docsh {
        self.command.current_dir(dir);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Docsh {
        self.command.env(name, value);
        self
    }

    pub(crate) fn stdin(mut self, bytes: &[u8]) -> Docsh {
        self.stdin = bytes.to_vec();
        self
    }

    pub(crate) fn deadline(mut self, deadline: Duration) -> Docsh {
        self.deadline = deadline;
        self
    }

    /// Start it, with nobody at its streams.
    pub(crate) fn spawn(mut self) -> Child {
        self.command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.command.spawn().expect("the binary starts")
    }

    /// Run it to its end, or to the deadline.
    pub(crate) fn run(mut self) -> Answer {
        let start = Instant::now();
        self.command.stdin(if self.stdin.is_empty() { Stdio::null() } else { Stdio::piped() });
        let mut child = self.command.spawn().expect("the binary starts");
        if let Some(mut pipe) = child.stdin.take() {
            // A process that does not read its stdin is no fault of the test.
            thread::spawn(move || pipe.write_all(&self.stdin));
        }
        let stdout = drain(child.stdout.take().expect("piped"));
        let stderr = drain(child.stderr.take().expect("piped"));
        let timed_out = !wait(&mut child, start + self.deadline);
        if timed_out {
            let _ = child.kill();
        }
        let status = child.wait().expect("a child to wait for");
        Answer {
            stdout: stdout.recv().unwrap_or_default(),
            stderr: stderr.recv().unwrap_or_default(),
            status: status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)),
            timed_out,
            took: start.elapsed(),
        }
    }
}

impl Answer {
    /// stdout as text, for those who know that it is.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// stderr as text.
    pub(crate) fn complaints(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }
}

/// Read a pipe to its end on a thread of its own.
fn drain(mut pipe: impl Read + Send + 'static) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        let _ = sender.send(bytes);
    });
    receiver
}

/// Wait for the child's end until `deadline`; whether it came. It looks often at first, since most runs take
/// milliseconds.
fn wait(child: &mut Child, deadline: Instant) -> bool {
    let mut pause = Duration::from_micros(200);
    loop {
        if child.try_wait().expect("a child to ask").is_some() {
            return true;
        }
        if Instant::now() >= deadline {
            return false;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}
