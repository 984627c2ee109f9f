//! The host's side of the streams: its stdin, stdout, stderr and signals.
use super::terminal::{self, Keys, TypedLines};
use crate::shell::{Ended, Reader, Writer, pipe};
use docsh_builtins::{Cancel, Input, InputKind, Keyboard, Output, Session, Sink, Stdio, Stop, Terminal};
use parking_lot::Mutex;
use std::{
    fs::File,
    io::{self, BufRead, IsTerminal, Read, Write},
    mem::ManuallyDrop,
    os::fd::{AsFd, AsRawFd, BorrowedFd},
    sync::{Arc, atomic::AtomicBool},
    thread,
    time::Duration,
};

/// The process's streams, which `cancel` ends.
pub fn streams(cancel: &Cancel) -> Stdio {
    let stdin = match stdin_is_terminal() {
        true => Input::new(TypedLines::new(cancel), InputKind::Host),
        false => Input::new(HostInput { cancel: cancel.clone(), reader: None }, InputKind::Host),
    };
    let stdout = Output::new(Arc::new(HostOutput::new(io::stdout().as_fd(), cancel)));
    let stderr = Output::new(Arc::new(HostOutput::new(io::stderr().as_fd(), cancel)));
    Stdio { stdin, stdout, stderr: stderr.unbuffered() }
}

/// The same for a command of a prompt, which may take the keys of the terminal that it prints to.
pub fn streams_at_prompt(cancel: &Cancel) -> Stdio {
    let output = HostOutput { has_keys: !terminal::is_plain(), ..HostOutput::new(io::stdout().as_fd(), cancel) };
    Stdio { stdout: Output::new(Arc::new(output)), ..streams(cancel) }
}

/// Whether a person types at us.
pub fn stdin_is_terminal() -> bool {
    io::stdin().is_terminal()
}

/// Whether a person sees our output.
pub fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Tell the commands of `session` what the terminal is called, if they print to one.
pub fn name_terminal(session: &mut Session) {
    if let Some(name) = terminal::name().filter(|_| stdout_is_terminal()) {
        session.vars.export("TERM", &name);
    }
}

/// Whether a person sees our messages.
pub fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// A line on the process's stderr, outside of any run.
pub fn say(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// What is said of a run that was stopped.
pub fn stop_message(stop: Stop, time: Option<Duration>) -> String {
    match (stop, time) {
        (Stop::TimedOut, Some(time)) => format!("time limit of {} s reached", time.as_secs_f64()),
        (stop, _) => stop.to_string(),
    }
}

/// Say on stderr that the time was up, if that ended the run.
pub fn say_why_stopped(ended: Ended, time: Option<Duration>) {
    if let Ended::Stopped(Stop::TimedOut) = ended {
        say(&format!("docsh: {}\n", stop_message(Stop::TimedOut, time)));
    }
}

/// Let the signals that end a run stop `cancel`. A handler only stores a number, so no thread is needed.
pub fn stop_on_signals(cancel: &Cancel) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    for (signal, stop) in [(SIGINT, Stop::Interrupted), (SIGTERM, Stop::Terminated), (SIGHUP, Stop::HungUp)] {
        signal_hook::flag::register_usize(signal, cancel.flag(), stop.code())?;
    }
    Ok(())
}

/// While `condition` holds, let the signals that ask for the end have their usual effect: at a prompt nothing runs that
/// would look at a [`Cancel`].
pub fn end_on_signals_while(condition: &Arc<AtomicBool>) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    for signal in [SIGTERM, SIGHUP] {
        signal_hook::flag::register_conditional_default(signal, condition.clone())?;
    }
    Ok(())
}

/// The host's stdin, read ahead by a thread that starts with the first read and is never joined: a deadline ends any
/// wait, and the process may end while the thread still sits in its host call.
struct HostInput {
    cancel: Cancel,
    reader: Option<Reader>,
}

impl HostInput {
    fn reader(&mut self) -> io::Result<&mut Reader> {
        if self.reader.is_none() {
            let (reader, writer) = pipe(&self.cancel);
            thread::Builder::new().stack_size(64 * 1024).spawn(move || pump(&writer))?;
            self.reader = Some(reader);
        }
        self.reader.as_mut().ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

fn pump(writer: &Arc<Writer>) {
    let mut buffer = [0; 16 * 1024];
    let mut stdin = io::stdin().lock();
    loop {
        match stdin.read(&mut buffer) {
            Ok(0) => return,
            Ok(n) if writer.write(&buffer[..n]).is_ok() => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // Nobody reads any more, or the host's stdin is broken: either way it has ended.
            Ok(_) | Err(_) => return,
        }
    }
}

impl BufRead for HostInput {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader()?.fill_buf()
    }
    fn consume(&mut self, n: usize) {
        if let Some(reader) = &mut self.reader {
            reader.consume(n);
        }
    }
}

impl Read for HostInput {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.reader()?.read(buf)
    }
}

/// A stream of the host. When nobody reads it any more the whole run ends.
struct HostOutput {
    file: Mutex<ManuallyDrop<File>>,
    terminal: bool,
    has_keys: bool,
    cancel: Cancel,
}

impl HostOutput {
    fn new(fd: BorrowedFd<'_>, cancel: &Cancel) -> HostOutput {
        let terminal = fd.is_terminal();
        HostOutput { file: Mutex::new(unbuffered(fd)), terminal, has_keys: false, cancel: cancel.clone() }
    }
}

/// The descriptor as a file that is never closed: Rust's own handles on it hold lines back.
#[allow(unsafe_code, reason = "the descriptors 0 to 2 stay open as long as the process; the file is never dropped")]
fn unbuffered(fd: BorrowedFd<'_>) -> ManuallyDrop<File> {
    use std::os::fd::FromRawFd;
    ManuallyDrop::new(unsafe { File::from_raw_fd(fd.as_raw_fd()) })
}

impl Sink for HostOutput {
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let result = self.file.lock().write_all(bytes);
        if let Err(error) = &result
            && error.kind() == io::ErrorKind::BrokenPipe
        {
            self.cancel.stop(Stop::OutputGone);
        }
        result
    }

    fn terminal(&self) -> Option<Terminal> {
        if !self.terminal {
            return None;
        }
        let (columns, rows) = terminal::size();
        Some(Terminal { columns, rows, colour: terminal::wants_colour() })
    }

    fn keyboard(&self) -> io::Result<Option<Box<dyn Keyboard>>> {
        if !self.terminal || !self.has_keys || !stdin_is_terminal() {
            return Ok(None);
        }
        Ok(Some(Box::new(Keys::take()?)))
    }
}
