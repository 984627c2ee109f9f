//! The host's terminal: lines typed into a command, keys pressed in a pager, the size of the window.
//!
//! Nothing here sits in a host call for longer than a tick, so a stop ends any wait, and what is typed next goes to the
//! prompt. The terminal is given back as it was.
use docsh_builtins::{Cancel, Key, Keyboard};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::{Errno, read},
    stdio::{stdin, stdout},
    termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetwinsize, tcsetattr},
};
use std::{
    env,
    io::{self, BufRead, Read},
};

/// How long a wait lasts before it looks whether the run was stopped, in nanoseconds.
const TICK: i64 = 20_000_000;
/// How long the rest of a key's sequence may take, in nanoseconds: then Escape was pressed alone.
const SEQUENCE: i64 = 50_000_000;

/// Columns and rows of the window; those of old when it does not say.
pub fn size() -> (u16, u16) {
    match tcgetwinsize(stdout()) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col, size.ws_row),
        _ => (80, 24),
    }
}

/// What the terminal is called, when the name is one.
pub fn name() -> Option<String> {
    let is_name = |name: &String| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-._".contains(&byte));
    env::var("TERM").ok().filter(|name| !name.is_empty()).filter(is_name)
}

/// Whether the terminal can do no more than print lines.
pub fn is_plain() -> bool {
    name().is_none_or(|name| matches!(name.as_str(), "dumb" | "cons25" | "emacs"))
}

/// Whether colours are welcome: <https://no-color.org>.
pub fn wants_colour() -> bool {
    !is_plain() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Whether there is something to read within so many nanoseconds.
fn is_ready(nanoseconds: i64) -> io::Result<bool> {
    let wait = Timespec { tv_sec: 0, tv_nsec: nanoseconds };
    match poll(&mut [PollFd::from_borrowed_fd(stdin(), PollFlags::IN)], Some(&wait)) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// What there is to read; nothing at its end.
fn read_some(buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match read(stdin(), &mut *buffer) {
            Err(Errno::INTR) => {}
            result => return Ok(result?),
        }
    }
}

/// The lines of a person who types into a command. Ctrl-D ends it for the command that reads; the next begins anew.
pub struct TypedLines {
    cancel: Cancel,
    line: Vec<u8>,
    at: usize,
}

impl TypedLines {
    /// What is typed until `cancel` stops the run.
    pub fn new(cancel: &Cancel) -> TypedLines {
        TypedLines { cancel: cancel.clone(), line: Vec::new(), at: 0 }
    }
}

impl BufRead for TypedLines {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.line.len() {
            loop {
                self.cancel.check()?;
                if is_ready(TICK)? {
                    break;
                }
            }
            self.line.resize(4096, 0);
            let count = read_some(&mut self.line)?;
            self.line.truncate(count);
            self.at = 0;
        }
        Ok(&self.line[self.at..])
    }

    fn consume(&mut self, n: usize) {
        self.at = (self.at + n).min(self.line.len());
    }
}

impl Read for TypedLines {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buf)?;
        self.consume(count);
        Ok(count)
    }
}

/// The terminal with its keys handed over one by one. Ctrl-C stays a signal.
pub struct Keys {
    before: Termios,
    size: (u16, u16),
}

impl Keys {
    /// Take the keys, until this is dropped.
    pub fn take() -> io::Result<Keys> {
        let before = tcgetattr(stdin())?;
        let mut mode = before.clone();
        mode.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::IEXTEN);
        mode.special_codes[SpecialCodeIndex::VMIN] = 1;
        mode.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(stdin(), OptionalActions::Drain, &mode)?;
        Ok(Keys { before, size: size() })
    }

    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        match read_some(&mut byte)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(byte[0]),
        }
    }

    /// The key whose sequence begins with Escape, which has been read.
    fn sequence(&mut self) -> io::Result<Key> {
        if !is_ready(SEQUENCE)? {
            return Ok(Key::Escape);
        }
        let introducer = self.byte()?;
        if !matches!(introducer, b'[' | b'O') {
            return Ok(Key::Escape);
        }
        let mut number = 0u16;
        loop {
            let byte = self.byte()?;
            match byte {
                b'0'..=b'9' => number = number.saturating_mul(10).saturating_add(u16::from(byte - b'0')),
                // Shift, Alt and Ctrl with the key.
                b';' => number = 0,
                _ => return Ok(named(byte, number)),
            }
        }
    }

    /// The character whose encoding begins with `first`.
    fn character(&mut self, first: u8) -> io::Result<Key> {
        let length = match first {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => 1,
        };
        let mut bytes = vec![first];
        while bytes.len() < length {
            bytes.push(self.byte()?);
        }
        let c = std::str::from_utf8(&bytes).ok().and_then(|text| text.chars().next());
        Ok(Key::Char(c.unwrap_or(char::REPLACEMENT_CHARACTER)))
    }
}

/// The key of the sequence `ESC [ number byte`, as xterm, the Linux console and tmux send it.
fn named(byte: u8, number: u16) -> Key {
    match (byte, number) {
        (b'A', _) => Key::Up,
        (b'B', _) => Key::Down,
        (b'C', _) => Key::Right,
        (b'D', _) => Key::Left,
        (b'H', _) | (b'~', 1 | 7) => Key::Home,
        (b'F', _) | (b'~', 4 | 8) => Key::End,
        (b'~', 5) => Key::PageUp,
        (b'~', 6) => Key::PageDown,
        _ => Key::Escape,
    }
}

impl Keyboard for Keys {
    fn key(&mut self, cancel: &Cancel) -> io::Result<Key> {
        loop {
            cancel.check()?;
            if is_ready(TICK)? {
                break;
            }
            if self.size != size() {
                self.size = size();
                return Ok(Key::Resized);
            }
        }
        match self.byte()? {
            0x1b => self.sequence(),
            b'\r' | b'\n' => Ok(Key::Char('\n')),
            b'\t' => Ok(Key::Char('\t')),
            0x7f | 0x08 => Ok(Key::Backspace),
            byte @ 1..=26 => Ok(Key::Control(char::from(byte - 1 + b'a'))),
            byte => self.character(byte),
        }
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // A terminal that is gone needs nothing back.
        let _ = tcsetattr(stdin(), OptionalActions::Drain, &self.before);
    }
}
