//! What the program's filter is run on: the values, lines or texts of stdin and the files.
use super::{
    evaluate::{Interpreter, Result, Stop},
    events::Events,
    meter::{self, Held},
    read::{Next, Parser},
    value::{Array, Value},
};
use crate::{Call, Error, FsError, Input, Status, records::Records};
use std::{
    collections::VecDeque,
    io::{BufRead, Write},
};

/// How the inputs are read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mode {
    /// `-R`
    pub(super) raw: bool,
    /// `-s`
    pub(super) slurp: bool,
    /// `--stream`
    pub(super) stream: bool,
}

/// The inputs that are still to come.
#[derive(Default)]
pub(super) struct Inputs {
    files: VecDeque<String>,
    mode: Mode,
    open: Option<Open>,
    /// What `--stream` still has to tell of the value read last.
    events: Events,
    /// The file read last; `None` before the first.
    name: Option<String>,
    line: usize,
    slurped: bool,
    /// Whether a file could not be read.
    pub(super) failed: bool,
}

struct Open {
    input: Input,
    parser: Parser,
    /// For `-R`.
    lines: Records,
    /// The beginning of a line whose end has not come yet.
    rest: Vec<u8>,
    /// What is kept of the text.
    held: Held,
}

/// A text that is no JSON ends the run.
const PARSE_ERROR: Status = Status(5);

impl Inputs {
    pub(super) fn new(files: Vec<String>, mode: Mode) -> Inputs {
        let files = if files.is_empty() { vec!["-".to_string()] } else { files };
        Inputs { files: files.into(), mode, ..Inputs::default() }
    }

    /// The file that the last input came from; `None` before the first.
    pub(super) fn file(&self) -> Option<&str> {
        self.name.as_deref().map(|name| if name == "-" { "<stdin>" } else { name })
    }

    /// How many lines of it have been read.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// Where the last input came from, for messages.
    pub(super) fn place(&self) -> String {
        match self.name.as_deref() {
            None => "<unknown>".to_string(),
            Some("-") => format!("<stdin>:{}", self.line),
            Some(name) => format!("{name}:{}", self.line),
        }
    }

    /// The next input.
    pub(super) fn next(&mut self, call: &mut Call<'_>) -> Result<Option<Value>> {
        if self.mode.slurp { self.slurp(call) } else { self.following(call) }
    }

    /// The next value of the files, or with `--stream` the next event.
    fn following(&mut self, call: &mut Call<'_>) -> Result<Option<Value>> {
        if !self.mode.stream || self.mode.raw {
            return self.read(call);
        }
        if let Some(event) = self.events.next() {
            return Ok(Some(event));
        }
        let Some(value) = self.read(call)? else { return Ok(None) };
        self.events = Events::of(value);
        Ok(self.events.next())
    }

    /// All inputs as one.
    fn slurp(&mut self, call: &mut Call<'_>) -> Result<Option<Value>> {
        if std::mem::replace(&mut self.slurped, true) {
            return Ok(None);
        }
        if self.mode.raw {
            let mut text = Vec::new();
            let mut held = Held::default();
            while self.open_next(call)? {
                while let Some(open) = &mut self.open {
                    let count = match open.input.fill_buf() {
                        Ok([]) => break,
                        Ok(bytes) => {
                            text.extend_from_slice(bytes);
                            bytes.len()
                        }
                        Err(error) => {
                            self.complain(call, error)?;
                            break;
                        }
                    };
                    open.input.consume(count);
                    held.set(text.capacity());
                    meter::check()?;
                }
                self.open = None;
            }
            return Ok(Some(Value::text(decoded(text))));
        }
        let mut values = Array::default();
        while let Some(value) = self.following(call)? {
            values.push(value)?;
        }
        Ok(Some(values.into()))
    }

    /// The next value, or line, of the files.
    fn read(&mut self, call: &mut Call<'_>) -> Result<Option<Value>> {
        loop {
            if self.open.is_none() && !self.open_next(call)? {
                return Ok(None);
            }
            call.cancel.check()?;
            if self.mode.raw {
                if let Some(line) = self.line_of_text(call)? {
                    return Ok(Some(line));
                }
                continue;
            }
            let Some(open) = &mut self.open else { continue };
            let next = open.parser.next();
            self.line = open.parser.lines_read();
            match next {
                Ok(Next::Value(value)) => return Ok(Some(value)),
                Ok(Next::End) => self.open = None,
                Ok(Next::NeedMore) => self.more(call)?,
                Err(mistake) => {
                    let message = format!("parse error: {}", mistake.0);
                    return Err(Stop::Fatal(Error::Failed(message, PARSE_ERROR)));
                }
            }
        }
    }

    /// Open the next file that can be opened.
    fn open_next(&mut self, call: &mut Call<'_>) -> Result<bool> {
        while let Some(name) = self.files.pop_front() {
            let opened = if name == "-" { Ok(call.stdin.clone()) } else { call.open(&name) };
            match opened {
                Ok(input) => {
                    self.open = Some(Open {
                        input,
                        parser: Parser::new(),
                        lines: Records::lines(false),
                        rest: Vec::new(),
                        held: Held::default(),
                    });
                    self.name = Some(name);
                    self.line = 0;
                    return Ok(true);
                }
                Err(cause) => {
                    call.warn_apart(format_args!("error: Could not open file {name}: {cause}"));
                    self.failed = true;
                }
            }
        }
        Ok(false)
    }

    /// A file that cannot be read: jq goes on with the next.
    fn complain(&mut self, call: &mut Call<'_>, error: std::io::Error) -> Result {
        let cause = FsError::within(Error::Io(error))?;
        let name = self.name.clone().unwrap_or_default();
        call.warn_apart(format_args!("error: Could not open file {name}: {cause}"));
        self.failed = true;
        self.open = None;
        Ok(())
    }

    /// Give the parser more text: whole lines, until the file ends.
    fn more(&mut self, call: &mut Call<'_>) -> Result {
        let Some(open) = &mut self.open else { return Ok(()) };
        loop {
            call.stdout.flush()?;
            let bytes = match open.input.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) => return self.complain(call, error),
            };
            let count = bytes.len();
            if count == 0 {
                let rest = std::mem::take(&mut open.rest);
                open.parser.feed(&rest);
                open.parser.finish();
                return Ok(());
            }
            let end = memchr::memrchr(b'\n', bytes).map(|at| at + 1);
            open.rest.extend_from_slice(&bytes[..end.unwrap_or(count)]);
            let after = end.map(|end| bytes[end..].to_vec());
            open.input.consume(count);
            if let Some(after) = after {
                let lines = std::mem::replace(&mut open.rest, after);
                open.parser.feed(&lines);
            }
            open.held.set(open.rest.capacity() + open.parser.kept());
            meter::check()?;
            if end.is_some() {
                return Ok(());
            }
        }
    }

    /// The next line, for `-R`.
    fn line_of_text(&mut self, call: &mut Call<'_>) -> Result<Option<Value>> {
        let Some(open) = &mut self.open else { return Ok(None) };
        let line = match open.lines.next(&mut open.input, &mut call.memory) {
            Ok(line) => line,
            Err(Error::Io(error)) => {
                self.complain(call, error)?;
                return Ok(None);
            }
            Err(limit) => return Err(limit.into()),
        };
        let Some(line) = line else {
            self.open = None;
            return Ok(None);
        };
        let text = match line.strip_suffix(b"\n") {
            Some(text) => {
                self.line += 1;
                text
            }
            None => line,
        };
        Ok(Some(Value::text(String::from_utf8_lossy(text))))
    }
}

/// What is no UTF-8 becomes the replacement character.
fn decoded(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

impl Interpreter<'_, '_, '_> {
    /// The next input, for `input` and for the main loop.
    pub(super) fn next_input(&mut self) -> Result<Option<Value>> {
        self.inputs.next(self.call)
    }
}
