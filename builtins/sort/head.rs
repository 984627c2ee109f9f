//! Heads: words that order most lines without a look at the lines.
//!
//! A head tells what a [`Window`] shows of a line: some bytes of a key's text, a number. Lines whose heads differ are
//! in the order of their heads. Those whose heads are the same may have more to tell in the next window ([`Tie`]).
use super::{
    key::{Rules, Slot, counted},
    number::{HEAD_BITS, Number},
    options::Kind,
};

/// A part of a line: of one of the keys, or after the last of them of the whole line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Window {
    key: usize,
    /// Where it begins in the text of the key.
    at: usize,
}

/// What is known of lines whose heads are the same.
pub(super) enum Tie {
    /// They are equal.
    Equal,
    /// What this window shows decides.
    Next(Window),
    /// Only a comparison tells.
    Unknown,
}

/// Bytes of a text that a head holds, above a byte that counts them: they are as many as there are, or fewer.
const BYTES: usize = 7;
/// The count where there are more than [`BYTES`].
const MORE: u64 = BYTES as u64 + 1;
/// The power of no unit in a head, where no power is negative.
const NO_UNIT: i8 = 16;

impl Rules {
    /// The head of `line` in `window`.
    pub(super) fn head(&self, line: &[u8], window: Window) -> u64 {
        let Some(key) = self.keys.get(window.key) else {
            let head = of_text(line, window.at);
            return if self.reverse { !head } else { head };
        };
        let head = match self.slot(key, line) {
            Slot::Text(_) if key.kind() == Kind::Version => 0,
            Slot::Text(text) if key.is_plain() => of_text(text, window.at),
            Slot::Text(text) => {
                let mut bytes = [0; BYTES + 1];
                let shown = counted(key, text).skip(window.at);
                let count = bytes.iter_mut().zip(shown).map(|(to, byte)| *to = byte).count();
                of_text(&bytes[..count], 0)
            }
            Slot::Number(number) => number.head(),
            // The unit weighs more than the number.
            Slot::Human(power, number) => ((power + NO_UNIT) as u64) << HEAD_BITS | number.head(),
            Slot::General(number) => number.map_or(0, |number| number.rank() + 2),
            Slot::Month(month) => u64::from(month),
            Slot::Random(text) => self.hash(key, text).iter().take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
        };
        if key.reverse { !head } else { head }
    }

    /// What is known of lines that have this `head` in `window`.
    pub(super) fn tie(&self, window: Window, head: u64) -> Tie {
        let key = self.keys.get(window.key);
        let head = if key.map_or(self.reverse, |key| key.reverse) { !head } else { head };
        let is_decided = match key.map_or(Kind::Text, |key| key.kind()) {
            Kind::Text if head & 0xff == MORE => return Tie::Next(Window { at: window.at + BYTES, ..window }),
            Kind::Text | Kind::Month => true,
            Kind::Numeric | Kind::Human => Number::is_exact(head),
            Kind::General => head.is_multiple_of(2),
            Kind::Random | Kind::Version => false,
        };
        let windows = self.keys.len() + usize::from(self.compares_lines());
        match (is_decided, window.key + 1 < windows) {
            (false, _) => Tie::Unknown,
            (true, false) => Tie::Equal,
            (true, true) => Tie::Next(Window { key: window.key + 1, at: 0 }),
        }
    }
}

/// What of `text` is at `at`: so many bytes, and their count.
fn of_text(text: &[u8], at: usize) -> u64 {
    let shown = text.get(at..).unwrap_or_default();
    if let Some(word) = shown.first_chunk() {
        return u64::from_be_bytes(*word) & !0xff | MORE;
    }
    let mut word = [0; BYTES + 1];
    word[..shown.len()].copy_from_slice(shown);
    word[BYTES] = shown.len() as u8;
    u64::from_be_bytes(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_in_the_order_of_their_heads() {
        let texts =
            ["", "\0", "\0\0", "a", "a\0", "a\0b", "ab", "abcdefg", "abcdefg\0", "abcdefh", "abcdefhi", "\u{fc}"];
        let heads: Vec<u64> = texts.iter().map(|text| of_text(text.as_bytes(), 0)).collect();
        assert!(heads.is_sorted_by(|a, b| a < b), "{heads:x?}");
        assert_eq!(of_text(b"abcdefghij", 0), 0x6162_6364_6566_6708);
        assert_eq!(of_text(b"abcdefghij", 7), 0x6869_6a00_0000_0003);
        assert_eq!(of_text(b"ab", 7), 0);
    }
}
