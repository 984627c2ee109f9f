//! Strings and texts that are being made: they are paid for before they grow, and never become longer than a limit.
use super::{
    evaluate::{Result, Stop},
    meter::{self, Held},
    value::Value,
};
use crate::{Error, Status};

/// Bytes of one string, at most.
pub(super) const LONGEST: usize = 64 << 20;

/// What takes the pieces of a text one after the other.
pub(super) trait Sink {
    /// Take `piece`; an error ends the writing.
    fn put(&mut self, piece: &str) -> Result;
}

/// A string that is being made.
#[derive(Debug, Default)]
pub(super) struct Draft {
    text: String,
    held: Held,
}

impl Draft {
    /// The string, finished.
    pub(super) fn into_string(self) -> String {
        self.text
    }

    /// Another one that begins as this one does.
    pub(super) fn copy(&self) -> Result<Draft> {
        let mut copy = Draft::default();
        copy.put(&self.text)?;
        Ok(copy)
    }

    /// The string as a value.
    pub(super) fn into_value(self) -> Value {
        Value::text(self.text)
    }
}

impl Sink for Draft {
    fn put(&mut self, piece: &str) -> Result {
        let length = self.text.len() + piece.len();
        if length > self.text.capacity() {
            fits(length)?;
            let capacity = length.max(2 * self.text.capacity());
            self.held.set(capacity);
            meter::check()?;
            self.text.reserve_exact(capacity - self.text.len());
        }
        meter::step()?;
        self.text.push_str(piece);
        Ok(())
    }
}

/// Whether a string may have so many bytes.
pub(super) fn fits(length: usize) -> Result {
    if length > LONGEST {
        let message = format!("limit of {} MiB for one string reached", LONGEST >> 20);
        return Err(Stop::Fatal(Error::Failed(message, Status(126))));
    }
    Ok(())
}
