//! What a program has open besides its main input: streams to print to, files and commands to read from.
use super::{
    ast::RedirectKind,
    command::{Command, run_with},
    interpreter::Interpreter,
    reader::Reader,
    value::Text,
};
use crate::{Call, Device, Error, FsError, Opening, Output, Result, Status};
use std::{collections::HashMap, io::Write};

/// Where printed text goes.
pub(super) enum Goal<'f> {
    Stdout,
    Stderr,
    /// A file, or a device that is not one of these.
    File(&'f mut Output),
    /// What a command will read when it is closed.
    Command(&'f mut Vec<u8>),
}

/// A command that is printed to.
struct Pipe {
    name: Text,
    buffer: Vec<u8>,
}

/// A file or command that is read from.
struct Source {
    reader: Reader,
    /// The command behind it.
    command: Option<Command>,
}

/// All of them, by name.
#[derive(Default)]
pub(super) struct Files {
    pipes: Vec<Pipe>,
    /// Streams that were printed to by name; those that are files are written to at once.
    streams: Vec<(Text, Option<Output>)>,
    sources: HashMap<Text, Source>,
}

impl RedirectKind {
    pub(super) fn sign(self) -> &'static str {
        match self {
            RedirectKind::Write => ">",
            RedirectKind::Append => ">>",
            RedirectKind::Pipe => "|",
        }
    }
}

impl Files {
    /// Whether commands wait for what is printed to them.
    pub(super) fn prints_to_commands(&self) -> bool {
        !self.pipes.is_empty()
    }

    /// Where `print > name`, `>> name` or `| name` goes; the error is that of opening the file for writing.
    pub(super) fn output(&mut self, call: &Call<'_>, kind: RedirectKind, name: &Text) -> Result<Goal<'_>, FsError> {
        if kind == RedirectKind::Pipe {
            let at = match self.pipes.iter().position(|pipe| pipe.name == *name) {
                Some(at) => at,
                None => {
                    self.pipes.push(Pipe { name: name.clone(), buffer: Vec::new() });
                    self.pipes.len() - 1
                }
            };
            return Ok(Goal::Command(&mut self.pipes[at].buffer));
        }
        let text = String::from_utf8_lossy(name);
        let std = match Device::named(&text) {
            Some(Device::Fd(1)) => Some(Goal::Stdout),
            Some(Device::Fd(2)) => Some(Goal::Stderr),
            _ if text == "-" => Some(Goal::Stdout),
            _ => None,
        };
        let at = match self.streams.iter().position(|(stream, _)| stream == name) {
            Some(at) => at,
            None => {
                let opening = if kind == RedirectKind::Append { Opening::Append } else { Opening::Anew };
                let opened = if std.is_some() { None } else { Some(call.open_to_write(&text, opening)?.unbuffered()) };
                self.streams.push((name.clone(), opened));
                self.streams.len() - 1
            }
        };
        Ok(match (&mut self.streams[at].1, std) {
            (Some(file), _) => Goal::File(file),
            (None, goal) => goal.unwrap_or(Goal::Stdout),
        })
    }
}

impl Interpreter<'_, '_, '_> {
    /// Append a record of the file `name` to `record`: 1, 0 at its end, -1 when it cannot be read.
    pub(super) fn read_file(&mut self, name: &Text, record: &mut Vec<u8>) -> Result<f64> {
        if !self.files.sources.contains_key(name) {
            let text = String::from_utf8_lossy(name);
            let input = match &*text {
                "-" | "/dev/stdin" => Ok(self.call.stdin.clone()),
                text => self.call.open(text),
            };
            match input {
                Ok(input) => {
                    let source = Source { reader: Reader::new(input), command: None };
                    self.files.sources.insert(name.clone(), source);
                }
                Err(cause) => return self.unread(cause),
            }
        }
        self.read_source(name, record)
    }

    /// The same of what the command `name` prints.
    pub(super) fn read_command(&mut self, name: &Text, record: &mut Vec<u8>) -> Result<f64> {
        if !self.files.sources.contains_key(name) {
            self.call.stdout.flush()?;
            let (command, input) = Command::start(self.call, &String::from_utf8_lossy(name))?;
            let source = Source { reader: Reader::new(input), command: Some(command) };
            self.files.sources.insert(name.clone(), source);
        }
        self.read_source(name, record)
    }

    fn read_source(&mut self, name: &Text, record: &mut Vec<u8>) -> Result<f64> {
        let holds_output = self.files.prints_to_commands();
        let Some(source) = self.files.sources.get_mut(name) else { return Ok(-1.0) };
        source.reader.holds_output = holds_output;
        match source.reader.read(self.call, &self.specials.separator, record, &mut self.specials.rt) {
            Ok(found) => Ok(if found { 1.0 } else { 0.0 }),
            Err(error) => {
                self.files.sources.remove(name);
                self.unread(FsError::within(error)?)
            }
        }
    }

    /// A file that cannot be read: `ERRNO` says why.
    fn unread(&mut self, cause: FsError) -> Result<f64> {
        if let crate::ErrorKind::Stopped(stop) = cause.kind {
            return Err(stop.into());
        }
        self.specials.errno = Text::new(cause.to_string().into_bytes());
        Ok(-1.0)
    }

    /// `close(name)`: the status of the command, 0 of a file, -1 when nothing of that name is open.
    pub(super) fn close(&mut self, name: &Text) -> Result<f64> {
        if let Some(at) = self.files.pipes.iter().position(|pipe| pipe.name == *name) {
            self.call.stdout.flush()?;
            let pipe = self.files.pipes.remove(at);
            return self.run_pipe(pipe).map(|status| f64::from(status.0));
        }
        if let Some(source) = self.files.sources.remove(name) {
            let Source { reader, command } = source;
            drop(reader);
            return Ok(command.map_or(0.0, |command| f64::from(command.wait().0)));
        }
        if let Some(at) = self.files.streams.iter().position(|(stream, _)| stream == name) {
            self.files.streams.remove(at);
            self.call.stdout.flush()?;
            return Ok(0.0);
        }
        Ok(-1.0)
    }

    fn run_pipe(&mut self, pipe: Pipe) -> Result<Status> {
        self.call.memory.give(pipe.buffer.len());
        let status = run_with(self.call, &String::from_utf8_lossy(&pipe.name), pipe.buffer);
        self.call.cancel.check().map_err(Error::from)?;
        Ok(status)
    }

    /// Close everything at the end of the program, the newest first; stdout is handed on after the commands are done.
    pub(super) fn close_all(&mut self) -> Result<()> {
        while let Some(pipe) = self.files.pipes.pop() {
            self.run_pipe(pipe)?;
        }
        for (_, source) in self.files.sources.drain() {
            drop(source.reader);
            if let Some(command) = source.command {
                command.wait();
            }
        }
        self.call.stdout.flush()?;
        Ok(())
    }

    /// Whether `name` is open for printing.
    pub(super) fn is_output(&self, name: &Text) -> bool {
        self.files.streams.iter().any(|(stream, _)| stream == name)
            || self.files.pipes.iter().any(|pipe| pipe.name == *name)
    }
}
