//! Keys, one at a time: what a pager asks of a terminal.
use crate::Cancel;
use std::io;

/// A key that a person pressed, or what else the terminal has to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A character; Enter is `'\n'`, Tab `'\t'`.
    Char(char),
    /// A letter with Ctrl, in lower case.
    Control(char),
    /// Escape alone, or a sequence that is none of those below.
    Escape,
    /// The key that takes back a character.
    Backspace,
    /// Cursor up.
    Up,
    /// Cursor down.
    Down,
    /// Cursor left.
    Left,
    /// Cursor right.
    Right,
    /// A screen up.
    PageUp,
    /// A screen down.
    PageDown,
    /// To the beginning.
    Home,
    /// To the end.
    End,
    /// The window has another size now.
    Resized,
}

/// A terminal that hands over each key as it is pressed and shows none of them, until this is dropped.
pub trait Keyboard: Send {
    /// Wait for the next key, or until the run is stopped. `UnexpectedEof` when nobody is there any more.
    fn key(&mut self, cancel: &Cancel) -> io::Result<Key>;
}
