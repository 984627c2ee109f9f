//! The main input: the records of the operands, in turn.
use super::{
    ast::Special,
    interpreter::{Flow, Interpreter},
    lexer::unescape,
    reader::Reader,
    value::{Slot, Text, Value},
};
use crate::{Error, ErrorKind, FsError, Result, Status};
use std::rc::Rc;

/// How far the operands have been read.
#[derive(Default)]
pub(super) struct Operands {
    /// The operand looked at last.
    at: usize,
    reader: Option<Reader>,
    /// Whether an operand was a file, so that stdin is not read.
    any_file: bool,
    /// Whether the main input has been begun.
    pub(super) begun: bool,
    ended: bool,
}

const ARGC: usize = 2;
const ARGV: usize = 3;

impl Interpreter<'_, '_, '_> {
    /// `ARGC` and `ARGV`: the name of the command and its operands.
    pub(super) fn set_operands(&mut self, name: &str, operands: &[String]) {
        self.globals[ARGC] = Slot::Value(Value::Number(operands.len() as f64 + 1.0));
        self.set_global_element(ARGV, b"0", Value::text(name));
        for (at, operand) in operands.iter().enumerate() {
            self.set_global_element(ARGV, (at + 1).to_string().as_bytes(), Value::input(operand.as_str()));
        }
    }

    /// Read the next record into `$0`; `false` at the end of all input.
    pub(super) fn next_record(&mut self) -> Result<bool> {
        let mut text = self.buffer();
        let found = self.read_main(&mut text)?;
        // After the end, `$0` and the fields stay what they were.
        if found {
            self.record.swap(&mut text);
        }
        self.give_back(text);
        Ok(found)
    }

    /// Append the next record of the main input to `text`, and count it.
    pub(super) fn read_main(&mut self, text: &mut Vec<u8>) -> Result<bool> {
        loop {
            self.call.cancel.check()?;
            if self.operands.reader.is_none() && !self.next_file()? {
                return Ok(false);
            }
            let Some(reader) = &mut self.operands.reader else { return Ok(false) };
            reader.holds_output = self.files.prints_to_commands();
            let read = reader.read(self.call, &self.specials.separator, text, &mut self.specials.rt);
            match read {
                Ok(true) => {
                    self.specials.nr += 1.0;
                    self.specials.fnr += 1.0;
                    return Ok(true);
                }
                Ok(false) => self.end_file()?,
                Err(error) => {
                    let name = String::from_utf8_lossy(&self.specials.filename).into_owned();
                    let cause = FsError::within(error)?;
                    self.operands.reader = None;
                    self.unreadable(&name, &cause)?;
                }
            }
            if self.specials.exiting {
                return Ok(false);
            }
        }
    }

    /// `nextfile`
    pub(super) fn leave_file(&mut self) -> Result<()> {
        self.end_file()
    }

    fn end_file(&mut self) -> Result<()> {
        self.operands.reader = None;
        let program = self.program;
        for block in &program.end_file {
            if let Flow::Exit = self.block(block)? {
                break;
            }
        }
        Ok(())
    }

    /// Open the next operand that is a file, carrying out assignments on the way.
    fn next_file(&mut self) -> Result<bool> {
        self.operands.begun = true;
        if self.operands.ended {
            return Ok(false);
        }
        loop {
            self.operands.at += 1;
            let argc = match &self.globals[ARGC] {
                Slot::Value(value) => value.number(),
                _ => 0.0,
            };
            if self.operands.at as f64 >= argc {
                self.operands.ended = true;
                if self.operands.any_file {
                    return Ok(false);
                }
                return self.begin_file(&Rc::new(b"-".to_vec()));
            }
            let array = self.global_array(ARGV);
            let operand = match array.borrow().get(self.operands.at.to_string().as_bytes()) {
                Some(super::array::Element::Value(value)) => value.to_text(&self.specials.convfmt),
                _ => continue,
            };
            if operand.is_empty() || self.assign_operand(&operand)? {
                continue;
            }
            self.operands.any_file = true;
            self.specials.argind = self.operands.at as f64;
            if self.begin_file(&operand)? {
                return Ok(true);
            }
            if self.specials.exiting {
                return Ok(false);
            }
        }
    }

    fn begin_file(&mut self, operand: &Text) -> Result<bool> {
        let name = String::from_utf8_lossy(operand).into_owned();
        let opened = match name.as_str() {
            "-" | "/dev/stdin" => Ok(self.call.stdin.clone()),
            name => self.call.open(name),
        };
        self.specials.filename = operand.clone();
        self.specials.fnr = 0.0;
        let mut failure = None;
        match opened {
            Ok(input) => self.operands.reader = Some(Reader::new(input)),
            Err(cause) => failure = Some(cause),
        }
        let program = self.program;
        let cause = failure.as_ref().map_or(String::new(), |cause| cause.to_string());
        if !program.begin_file.is_empty() {
            self.set_special(Special::Errno, Value::text(cause))?;
        }
        for block in &program.begin_file {
            match self.block(block)? {
                Flow::Exit => return Ok(false),
                // A rule that skips the file has dealt with what is wrong with it.
                Flow::NextFile => {
                    self.operands.reader = None;
                    return Ok(false);
                }
                _ => {}
            }
        }
        match failure {
            None => Ok(true),
            Some(cause) => {
                self.unreadable(&name, &cause)?;
                Ok(false)
            }
        }
    }

    /// A folder is passed over with a warning; what is missing ends the program.
    fn unreadable(&mut self, name: &str, cause: &FsError) -> Result<()> {
        match &cause.kind {
            ErrorKind::IsADirectory => {
                self.call.warn(format!("warning: command line argument `{name}' is a directory: skipped"))
            }
            ErrorKind::Stopped(stop) => Err((*stop).into()),
            cause => {
                let (source, line) = (&self.source, self.line);
                // Before the first statement there is no line to name.
                let place = if self.specials.nr > 0.0 { format!("{source}:{line}: ") } else { String::new() };
                let message = format!("{place}fatal: cannot open file `{name}' for reading: {cause}");
                Err(Error::Failed(message, Status(2)))
            }
        }
    }

    /// Carry out `name=text`, as an operand or of `-v`; `false` when it is none.
    pub(super) fn assign_operand(&mut self, operand: &[u8]) -> Result<bool> {
        let Some(at) = memchr::memchr(b'=', operand) else { return Ok(false) };
        let Ok(name) = std::str::from_utf8(&operand[..at]) else { return Ok(false) };
        if !is_name(name) {
            return Ok(false);
        }
        let value = Value::input(unescape(&operand[at + 1..], |_| ()));
        if let Some(special) = Special::named(name) {
            self.set_special(special, value)?;
        } else if let Some(place) = self.program.globals.iter().position(|global| **global == *name) {
            if !matches!(self.globals[place], Slot::Value(_) | Slot::Untyped(_)) {
                return Err(self.fatal(format!("cannot use array `{name}' as a variable")));
            }
            self.globals[place] = Slot::Value(value);
        }
        Ok(true)
    }
}

/// Whether `name` can be a variable's.
pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
