//! One unit of a format, and how it shows bytes.
use crate::{
    extended::Extended,
    printf::directive::{Directive, Size},
};

/// What is printed so many times in a row.
pub(super) struct Unit<'a> {
    pub(super) times: usize,
    /// Whether the format says how many times.
    pub(super) counted: bool,
    /// Bytes that it takes each time.
    pub(super) bytes: usize,
    pub(super) parts: Vec<Part<'a>>,
}

/// A directive with the text around it, or a text alone.
pub(super) struct Part<'a> {
    before: &'a str,
    pub(super) after: &'a str,
    /// The same without the blank that is left out at the unit's last time.
    last_after: Option<&'a str>,
    directive: Option<Directive<'a>>,
    width: usize,
    pub(super) precision: Option<usize>,
    pub(super) shows: Shows,
    /// Bytes that it takes.
    pub(super) bytes: usize,
}

/// What a directive makes of its bytes; the letters are those of C for the radix.
pub(super) enum Shows {
    /// There is no directive.
    Nothing,
    /// `%_a`: where the bytes stand.
    Address(char),
    /// `%_A`: where the input ends.
    End(char),
    /// `%c`
    Character,
    /// `%_c`: characters that cannot be shown as escapes of C or in octal.
    Escaped,
    /// `%_p`: as a point.
    Printable,
    /// `%_u`: by their names in ASCII.
    Named,
    Signed,
    Unsigned(char),
    Float,
    /// `%s`
    Text,
}

/// A width or a precision beyond this is cut: nobody means it.
const WIDEST: usize = 1 << 20;

impl<'a> Part<'a> {
    pub(super) fn text(text: &'a str) -> Part<'a> {
        Part {
            before: text,
            after: "",
            last_after: None,
            directive: None,
            width: 0,
            precision: None,
            shows: Shows::Nothing,
            bytes: 0,
        }
    }

    pub(super) fn new(before: &'a str, directive: Directive<'a>, shows: Shows) -> Part<'a> {
        let size = |size| match size {
            Size::Given(size) => Some(usize::try_from(size).unwrap_or(0).min(WIDEST)),
            Size::None | Size::Argument => None,
        };
        let (width, precision) = (size(directive.width).unwrap_or(0), directive.precision.and_then(size));
        Part { width, precision, directive: Some(directive), shows, ..Part::text(before) }
    }

    fn show(&self, directive: &Directive<'_>, bytes: &[u8], address: u64, out: &mut Vec<u8>) {
        let integer = |value: i128, letter: char, out: &mut Vec<u8>| {
            Directive { letter, ..*directive }.integer(value, self.width, self.precision, out);
        };
        let text = |text: &[u8], out: &mut Vec<u8>| {
            let most = self.precision.unwrap_or(usize::MAX).min(text.len());
            directive.pad(&text[..most], self.width, out);
        };
        let byte = bytes.first().copied().unwrap_or(0);
        let is_shown = (b' '..=b'~').contains(&byte);
        match self.shows {
            Shows::Nothing => {}
            Shows::Address(radix) | Shows::End(radix) => integer(address.into(), radix, out),
            Shows::Character => directive.pad(&[byte], self.width, out),
            Shows::Printable => directive.pad(&[if is_shown { byte } else { b'.' }], self.width, out),
            Shows::Escaped => match escape(byte) {
                Some(escape) => text(escape.as_bytes(), out),
                None if is_shown => directive.pad(&[byte], self.width, out),
                None => text(format!("{byte:03o}").as_bytes(), out),
            },
            Shows::Named => match NAMES.get(usize::from(byte)) {
                Some(name) => text(name.as_bytes(), out),
                None if byte == 127 => text(b"del", out),
                None if is_shown => directive.pad(&[byte], self.width, out),
                None => text(format!("{byte:02x}").as_bytes(), out),
            },
            Shows::Signed => {
                // The sign is that of the highest byte.
                let bits = 64 - 8 * bytes.len() as u32;
                integer(((little_endian(bytes) << bits) as i64 >> bits).into(), 'd', out);
            }
            Shows::Unsigned(letter) => integer(little_endian(bytes).into(), letter, out),
            Shows::Float => {
                let value = match *bytes {
                    [a, b, c, d] => f64::from(f32::from_le_bytes([a, b, c, d])),
                    _ => f64::from_bits(little_endian(bytes)),
                };
                directive.float(Extended::from_f64(value), self.width, self.precision, out);
            }
            Shows::Text => text(bytes.split(|byte| *byte == 0).next().unwrap_or_default(), out),
        }
    }
}

impl Unit<'_> {
    /// Leave out the blank that ends it at its last time.
    pub(super) fn drop_last_blank(&mut self) {
        if let Some(part) = self.parts.last_mut()
            && let Some(cut) = part.after.strip_suffix(|c: char| c.is_ascii_whitespace())
        {
            part.last_after = Some(cut);
        }
    }

    /// Show the bytes of `block` from `at` on; what stands behind its first `count` bytes is blank.
    pub(super) fn print(&self, block: &[u8], at: &mut usize, count: usize, address: u64, out: &mut Vec<u8>) {
        for time in (1..=self.times).rev() {
            for part in &self.parts {
                let from = (*at).min(block.len());
                let to = match part.shows {
                    // Without a precision a text goes on to a NUL, whatever its count of bytes.
                    Shows::Text if part.precision.is_none() => block.len(),
                    _ => (from + part.bytes).min(block.len()),
                };
                let bytes = &block[from..to];
                out.extend_from_slice(part.before.as_bytes());
                if let Some(directive) = &part.directive {
                    let is_past = *at >= count && !matches!(part.shows, Shows::End(_));
                    match is_past {
                        true => directive.pad(b"", part.width, out),
                        false => part.show(directive, bytes, address + *at as u64, out),
                    }
                }
                let after = part.last_after.filter(|_| time == 1).unwrap_or(part.after);
                out.extend_from_slice(after.as_bytes());
                *at += part.bytes;
            }
        }
    }
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

fn escape(byte: u8) -> Option<&'static str> {
    Some(match byte {
        0 => "\\0",
        7 => "\\a",
        8 => "\\b",
        9 => "\\t",
        10 => "\\n",
        11 => "\\v",
        12 => "\\f",
        13 => "\\r",
        _ => return None,
    })
}

/// The characters of control.
const NAMES: [&str; 32] = [
    "nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs", "ht", "lf", "vt", "ff", "cr", "so", "si", "dle",
    "dc1", "dc2", "dc3", "dc4", "nak", "syn", "etb", "can", "em", "sub", "esc", "fs", "gs", "rs", "us",
];
