//! What a shell takes of the run's memory: its variables and parameters as long as they live, words and texts as long
//! as a command works on them.
//!
//! Nothing is taken without asking first, and what does not fit ends the run. So a value that doubles, an array that
//! grows and a function that hands a long text to itself all meet the same limit, in whatever number of stages.
use super::{interp::Interp, jump::Outcome};
use docsh_builtins::{Input, InputKind, Purse, Value};
use std::io::{self, BufRead, Cursor, Read};

/// What the allocator takes for the shortest text.
pub const ALLOCATION: usize = 32;
/// What a string takes besides its text.
const STRING: usize = size_of::<String>() + ALLOCATION;

impl Interp {
    /// Count `bytes` more of variables and parameters. When they do not seem to fit, all are counted anew: what a
    /// function's end or a tool has dropped is given back only then.
    pub fn hold(&mut self, bytes: usize) -> Outcome<()> {
        match self.held.take(bytes) {
            Ok(()) => Ok(()),
            Err(_) => self.hold_anew(bytes),
        }
    }

    /// Count all variables and parameters, as a tool may have left them, and `bytes` more.
    pub fn hold_anew(&mut self, bytes: usize) -> Outcome<()> {
        self.held = self.world.memory.purse();
        let held = self.state_bytes();
        self.held.take(held + bytes).or_else(|limit| self.over_limit(limit))
    }

    /// What the variables and parameters take, and the texts of aliases and traps.
    pub fn state_bytes(&self) -> usize {
        let session = &self.env.session;
        let others = weight(&session.positional) + Value::scalar_bytes(self.env.last_word.len());
        let aliases: usize = self.env.aliases.iter().map(|(name, value)| weight(&[name, value])).sum();
        let traps: usize = self.env.traps.0.values().map(|action| weight(&[action])).sum();
        session.vars.bytes() + others + aliases + traps
    }

    /// `bytes` of variables or parameters are gone.
    pub fn let_go(&mut self, bytes: usize) {
        self.held.give(bytes);
    }

    /// Whether `bytes` more would fit for a moment.
    pub fn room_for(&self, bytes: usize) -> Outcome<()> {
        self.world.memory.fits(bytes).or_else(|limit| self.over_limit(limit))
    }

    /// Pay for `words` until the purse is dropped.
    pub fn pay_for(&self, words: &[String]) -> Outcome<Purse> {
        let mut purse = self.world.memory.purse();
        self.pay(&mut purse, weight(words))?;
        Ok(purse)
    }

    /// Pay for `bytes` more out of `purse`.
    pub fn pay(&self, purse: &mut Purse, bytes: usize) -> Outcome<()> {
        purse.take(bytes).or_else(|limit| self.over_limit(limit))
    }

    /// Make `args` the positional parameters, and give those that they replace.
    pub fn set_positional(&mut self, args: Vec<String>) -> Outcome<Vec<String>> {
        self.hold(weight(&args))?;
        let outer = std::mem::replace(&mut self.env.session.positional, args);
        self.let_go(weight(&outer));
        Ok(outer)
    }

    /// Run `body` with `args` as the positional parameters, and put the outer ones back.
    pub fn with_positional<T>(
        &mut self,
        args: Vec<String>,
        body: impl FnOnce(&mut Interp) -> Outcome<T>,
    ) -> Outcome<T> {
        let paid = self.pay_for(&self.env.session.positional)?;
        let outer = self.set_positional(args)?;
        let result = body(self);
        drop(paid);
        self.set_positional(outer)?;
        result
    }

    /// All of `input` as text, for a script: what is no UTF-8 becomes U+FFFD.
    pub fn read_text(&self, input: &mut Input) -> Outcome<io::Result<String>> {
        Ok(self.read_whole(input)?.map(text))
    }

    /// All of `input`.
    pub fn read_whole(&self, input: &mut Input) -> Outcome<io::Result<Vec<u8>>> {
        let mut purse = self.world.memory.purse();
        let mut bytes = Vec::new();
        loop {
            let taken = match input.fill_buf() {
                Ok([]) => return Ok(Ok(bytes)),
                Ok(more) => {
                    self.pay(&mut purse, more.len())?;
                    bytes.extend_from_slice(more);
                    more.len()
                }
                Err(error) => {
                    self.cancel.check()?;
                    return Ok(Err(error));
                }
            };
            input.consume(taken);
        }
    }

    /// A stream that reads `text`: a here-document. As in bash it is a pipe while a pipe can hold it, else a file.
    pub fn document(&self, text: String) -> Outcome<Input> {
        /// Bytes that Linux' pipes hold.
        const PIPE: usize = 64 * 1024;
        let mut paid = self.world.memory.purse();
        self.pay(&mut paid, text.len())?;
        let kind = if text.len() <= PIPE { InputKind::Pipe } else { InputKind::File };
        Ok(Input::new(Document { text: Cursor::new(text), _paid: paid }, kind))
    }
}

/// About how many bytes `words` take.
pub fn weight(words: &[impl AsRef<str>]) -> usize {
    words.iter().map(|word| word.as_ref().len() + STRING).sum()
}

/// `bytes` as text, without a copy where they are text already.
pub fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// A here-document, paid for as long as it may be read.
struct Document {
    text: Cursor<String>,
    _paid: Purse,
}

impl Read for Document {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.text.read(buf)
    }
}

impl BufRead for Document {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.text.fill_buf()
    }

    fn consume(&mut self, n: usize) {
        self.text.consume(n);
    }
}
