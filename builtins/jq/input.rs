//! What the program's filter is run on: the values, lines or texts of stdin and the files.
use super::{
    evaluate::{Interpreter, Result, Stop},
    read::{Next, Parser},
    value::Value,
};
use crate::{Call, Error, FsError, Input, Status};
use std::{
    collections::VecDeque,
    io::{BufRead, Read, Write},
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
    /// Values that have been read and wait: events of `--stream`.
    waiting: VecDeque<Value>,
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
    /// The beginning of a line whose end has not come yet.
    rest: Vec<u8>,
    accounted: usize,
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
        if let Some(value) = self.waiting.pop_front() {
            return Ok(Some(value));
        }
        if self.mode.slurp {
            return self.slurp(call);
        }
        let value = self.read(call)?;
        if self.mode.stream
            && let Some(value) = value
        {
            events(&value, &mut Vec::new(), &mut self.waiting);
            return Ok(self.waiting.pop_front());
        }
        Ok(value)
    }

    /// All inputs as one.
    fn slurp(&mut self, call: &mut Call<'_>) -> Result<Option<Value>> {
        if std::mem::replace(&mut self.slurped, true) {
            return Ok(None);
        }
        if self.mode.raw {
            let mut text = Vec::new();
            while self.open_next(call)? {
                let Some(open) = &mut self.open else { break };
                let before = text.len();
                if let Err(error) = open.input.read_to_end(&mut text) {
                    self.complain(call, error)?;
                }
                call.memory.take(text.len() - before)?;
                self.open = None;
            }
            return Ok(Some(Value::text(String::from_utf8_lossy(&text))));
        }
        let mut values = Vec::new();
        while let Some(value) = self.read(call)? {
            match self.mode.stream {
                true => events(&value, &mut Vec::new(), &mut self.waiting),
                false => values.push(value),
            }
        }
        values.extend(self.waiting.drain(..));
        Ok(Some(Value::array(values)))
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
                Ok(Next::End) => self.close(call),
                Ok(Next::NeedMore) => self.more(call)?,
                Err(mistake) => {
                    let message = format!("parse error: {}", mistake.0);
                    return Err(Stop::Fatal(Error::Failed(message, PARSE_ERROR)));
                }
            }
        }
    }

    fn close(&mut self, call: &mut Call<'_>) {
        if let Some(open) = self.open.take() {
            call.memory.give(open.accounted);
        }
    }

    /// Open the next file that can be opened.
    fn open_next(&mut self, call: &mut Call<'_>) -> Result<bool> {
        while let Some(name) = self.files.pop_front() {
            let opened = if name == "-" { Ok(call.stdin.clone()) } else { call.open(&name) };
            match opened {
                Ok(input) => {
                    self.open = Some(Open { input, parser: Parser::new(), rest: Vec::new(), accounted: 0 });
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
            call.memory.take(count)?;
            open.accounted += count;
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
                return Ok(());
            }
        }
    }

    /// The next line, for `-R`.
    fn line_of_text(&mut self, call: &mut Call<'_>) -> Result<Option<Value>> {
        let Some(open) = &mut self.open else { return Ok(None) };
        let mut line = Vec::new();
        if let Err(error) = open.input.read_until(b'\n', &mut line) {
            self.complain(call, error)?;
            return Ok(None);
        }
        if line.is_empty() {
            self.close(call);
            return Ok(None);
        }
        if line.last() == Some(&b'\n') {
            line.pop();
            self.line += 1;
        }
        call.memory.take(line.len())?;
        call.memory.give(line.len());
        Ok(Some(Value::text(String::from_utf8_lossy(&line))))
    }
}

/// The events of a value, as `tostream` gives them.
fn events(value: &Value, path: &mut Vec<Value>, out: &mut VecDeque<Value>) {
    let leaf = |path: &[Value]| Value::array(vec![Value::array(path.to_vec()), value.clone()]);
    let children: Vec<(Value, Value)> = match value {
        Value::Array(array) if !array.items().is_empty() => {
            array.items().iter().enumerate().map(|(at, item)| (Value::number(at as f64), item.clone())).collect()
        }
        Value::Object(object) if !object.members().is_empty() => {
            object.members().iter().map(|(key, member)| (Value::text(&**key), member.clone())).collect()
        }
        _ => {
            out.push_back(leaf(path));
            return;
        }
    };
    let mut last = Value::Null;
    for (key, child) in children {
        path.push(key.clone());
        stacker::maybe_grow(super::RED_ZONE, super::GROWTH, || events(&child, path, out));
        path.pop();
        last = key;
    }
    path.push(last);
    out.push_back(Value::array(vec![Value::array(path.clone())]));
    path.pop();
}

impl Interpreter<'_, '_, '_> {
    /// The next input, for `input` and for the main loop.
    pub(super) fn next_input(&mut self) -> Result<Option<Value>> {
        self.inputs.next(self.call)
    }
}
