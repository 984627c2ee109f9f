//! One record of a stream: up to a delimiter or a number of characters, and not a byte more.
use crate::shell::{interp::Interp, jump::Outcome};
use docsh_builtins::{Input, InputKind};
use std::{
    io::{self, BufRead},
    sync::mpsc,
    thread,
    time::Duration,
};

/// Where a record ends, and how its backslashes are read.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Until {
    /// The byte that ends it.
    pub delimiter: u8,
    /// The most characters to read.
    pub most: Option<usize>,
    /// The delimiter counts as a character like any other.
    pub exactly: bool,
    /// A backslash is a character like any other.
    pub raw: bool,
}

impl Until {
    /// To the end of the line.
    pub(in super::super) fn line() -> Until {
        Until { delimiter: b'\n', most: None, exactly: false, raw: false }
    }
}

/// Why a record ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) enum End {
    /// Its delimiter, which is not part of it.
    Delimiter,
    /// It has as many characters as were asked for.
    Full,
    /// The stream's end.
    #[default]
    File,
}

/// What was read.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Record {
    /// The text, without backslashes that escaped something.
    pub text: String,
    /// Where the characters stand that a backslash escaped: `IFS` does not cut there.
    pub escaped: Vec<usize>,
    /// Why it ended.
    pub end: End,
}

/// A stream that could not be read.
pub(in super::super) struct InputError(pub io::Error);

/// The next record of `input`. NUL bytes are dropped, as in bash.
pub(in super::super) fn next(shell: &Interp, input: &mut Input, until: &Until) -> Outcome<Result<Record, InputError>> {
    let mut paid = shell.world.memory.purse();
    let mut bytes = Vec::new();
    let mut escaped = Vec::new();
    let mut reader = Reader { until, after_backslash: false, left: until.most, inside: 0 };
    let end = loop {
        if reader.left == Some(0) {
            break End::Full;
        }
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Ok(Err(InputError(error))),
        };
        if buffer.is_empty() {
            break End::File;
        }
        let (used, end) = reader.take(buffer, &mut bytes, &mut escaped);
        shell.pay(&mut paid, used)?;
        input.consume(used);
        if let Some(end) = end {
            break end;
        }
    };
    // Byte offsets would move if the text had to be mended; then nothing is escaped any more.
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            escaped.clear();
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        }
    };
    Ok(Ok(Record { text, escaped, end }))
}

struct Reader<'u> {
    until: &'u Until,
    after_backslash: bool,
    /// Characters still wanted.
    left: Option<usize>,
    /// Bytes still to come of the character that has begun.
    inside: usize,
}

impl Reader<'_> {
    /// Take what belongs to the record from `buffer`: how many bytes that are, and why it ended there.
    fn take(&mut self, buffer: &[u8], bytes: &mut Vec<u8>, escaped: &mut Vec<usize>) -> (usize, Option<End>) {
        if self.until.raw && self.left.is_none() {
            let end = memchr::memchr(self.until.delimiter, buffer);
            let text = &buffer[..end.unwrap_or(buffer.len())];
            bytes.extend(text.iter().copied().filter(|byte| *byte != 0));
            return end.map_or((buffer.len(), None), |end| (end + 1, Some(End::Delimiter)));
        }
        for (at, &byte) in buffer.iter().enumerate() {
            let escape = std::mem::take(&mut self.after_backslash);
            if escape && byte == b'\n' {
                continue;
            }
            if !escape && byte == b'\\' && !self.until.raw {
                self.after_backslash = true;
                continue;
            }
            if !escape && byte == self.until.delimiter && !self.until.exactly {
                return (at + 1, Some(End::Delimiter));
            }
            if byte == 0 {
                continue;
            }
            if escape {
                escaped.push(bytes.len());
            }
            bytes.push(byte);
            if self.counts(byte) && self.left == Some(0) {
                return (at + 1, Some(End::Full));
            }
        }
        (buffer.len(), None)
    }

    /// Count `byte`; whether it completes a character.
    fn counts(&mut self, byte: u8) -> bool {
        match byte {
            0x80..0xc0 if self.inside > 0 => self.inside -= 1,
            0xc0..0xe0 => self.inside = 1,
            0xe0..0xf0 => self.inside = 2,
            0xf0.. => self.inside = 3,
            _ => self.inside = 0,
        }
        if self.inside > 0 {
            return false;
        }
        self.left = self.left.map(|left| left.saturating_sub(1));
        true
    }
}

/// Whether `input` has something to read, or its end, within `timeout`.
pub(super) fn is_ready(input: &Input, timeout: Duration) -> bool {
    /// How long "at once" may take another thread.
    const AT_ONCE: Duration = Duration::from_millis(5);
    if matches!(input.kind(), InputKind::Empty | InputKind::File) {
        return true;
    }
    let mut input = input.clone();
    let (sender, receiver) = mpsc::channel();
    // It looks without taking. When it is late, it waits on; what comes then is there for the next command.
    thread::spawn(move || {
        let _ = input.fill_buf();
        drop(input);
        sender.send(())
    });
    receiver.recv_timeout(timeout.max(AT_ONCE)).is_ok()
}
