//! Commands of a program: docsh's own shell, or nothing.
use crate::{Call, Cancel, Input, InputKind, Output, Result, Sink, Status, Stdio};
use bytes::Bytes;
use std::{
    io::{self, BufRead, Read, Write},
    sync::{
        Arc,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread::{self, JoinHandle},
};

/// Pieces of output that may wait to be read.
const WAITING: usize = 16;

/// A command that runs while its output is read.
pub(super) struct Command(JoinHandle<Status>);

fn words(command: &str) -> [String; 3] {
    ["sh".to_string(), "-c".to_string(), command.to_string()]
}

impl Command {
    /// Start `command` and give what it prints.
    pub(super) fn start(call: &Call<'_>, command: &str) -> Result<(Command, Input)> {
        let (sender, receiver) = sync_channel(WAITING);
        let stdout = Output::new(Arc::new(Sending(sender)));
        let io = Stdio { stdin: call.stdin.clone(), stdout, stderr: call.stderr.clone() };
        let (shell, mut session, cancel) = (call.shell.clone(), call.session.of_child(), call.cancel.clone());
        let words = words(command);
        let running = thread::Builder::new().spawn(move || shell.run(&words, io, &mut session, &cancel))?;
        let reader = Receiving { receiver, bytes: Bytes::new(), cancel: call.cancel.clone() };
        Ok((Command(running), Input::new(reader, InputKind::Pipe)))
    }

    /// Wait for its end. Whoever read from it has dropped that, so a command that still prints ends too.
    pub(super) fn wait(self) -> Status {
        // A panic of a stage is reported where the stage is run.
        self.0.join().unwrap_or(Status(70))
    }
}

/// Run `command` with `input` as its stdin.
pub(super) fn run_with(call: &mut Call<'_>, command: &str, input: Vec<u8>) -> Status {
    let io = Stdio { stdin: Input::bytes(input), stdout: call.stdout.clone(), stderr: call.stderr.clone() };
    let shell = call.shell.clone();
    shell.run(&words(command), io, &mut call.session.of_child(), &call.cancel)
}

/// Run `command` with the program's own streams.
pub(super) fn run(call: &mut Call<'_>, command: &str) -> Result<Status> {
    call.stdout.flush()?;
    call.stdin.release();
    let io = Stdio { stdin: call.stdin.clone(), stdout: call.stdout.clone(), stderr: call.stderr.clone() };
    let shell = call.shell.clone();
    let status = shell.run(&words(command), io, &mut call.session.of_child(), &call.cancel);
    call.cancel.check()?;
    Ok(status)
}

struct Sending(SyncSender<Bytes>);

impl Sink for Sending {
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        self.0.send(Bytes::copy_from_slice(bytes)).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

struct Receiving {
    receiver: Receiver<Bytes>,
    bytes: Bytes,
    cancel: Cancel,
}

impl BufRead for Receiving {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.bytes.is_empty() {
            match self.receiver.recv() {
                Ok(bytes) => self.bytes = bytes,
                // A command that was stopped has not come to its end.
                Err(_) => {
                    self.cancel.check()?;
                    break;
                }
            }
        }
        Ok(&self.bytes)
    }

    fn consume(&mut self, count: usize) {
        let _ = self.bytes.split_to(count);
    }
}

impl Read for Receiving {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}
