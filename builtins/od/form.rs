//! One way of showing bytes.
use crate::extended::{Extended, Style};

/// How many bytes make a field and what it shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    kind: Kind,
    size: usize,
    /// `z`: the characters of the line at its end.
    pub(super) trailer: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `a`
    Named,
    /// `c`
    Escaped,
    Signed,
    Unsigned,
    Octal,
    Hexadecimal,
    Float,
}

impl Form {
    pub(super) const fn new(kind: Kind, size: usize) -> Form {
        Form { kind, size, trailer: false }
    }

    /// Bytes of a field.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Columns of its widest field.
    pub(super) fn columns(&self) -> usize {
        let by_size = |widths: [usize; 4]| widths[self.size.trailing_zeros().min(3) as usize];
        match self.kind {
            Kind::Named | Kind::Escaped => 3,
            Kind::Signed => by_size([4, 6, 11, 20]),
            Kind::Unsigned => by_size([3, 5, 10, 20]),
            Kind::Octal => by_size([3, 6, 11, 22]),
            Kind::Hexadecimal => by_size([2, 4, 8, 16]),
            Kind::Float => match self.size {
                4 => 15,
                8 => 24,
                _ => 29,
            },
        }
    }

    /// A field; bytes that are missing at the end count as zero.
    pub(super) fn show(&self, bytes: &[u8], big_endian: bool) -> String {
        let mut word = [0; 16];
        word[..bytes.len()].copy_from_slice(bytes);
        if big_endian {
            word[..self.size].reverse();
        }
        let value = u128::from_le_bytes(word);
        let bits = self.size as u32 * 8;
        match self.kind {
            Kind::Named => named(bytes[0]),
            Kind::Escaped => escaped(bytes[0]),
            Kind::Signed => {
                let shift = 128 - bits;
                ((value << shift) as i128 >> shift).to_string()
            }
            Kind::Unsigned => value.to_string(),
            Kind::Octal => format!("{value:0width$o}", width = self.columns()),
            Kind::Hexadecimal => format!("{value:0width$x}", width = self.columns()),
            Kind::Float => self.float(value),
        }
    }

    /// The fewest digits that mean this number and no other.
    fn float(&self, value: u128) -> String {
        let single = f32::from_bits(value as u32);
        let double = f64::from_bits(value as u64);
        let (number, digits, tiny) = match self.size {
            4 => (Extended::from_f64(f64::from(single)), 6, single.abs() < f32::MIN_POSITIVE),
            8 => (Extended::from_f64(double), 15, double.abs() < f64::MIN_POSITIVE),
            _ => {
                let exponent = (value >> 64) as u16;
                (Extended::from_bits(value as u64, exponent), 18, exponent & 0x7fff == 0)
            }
        };
        let same = |text: &str| match self.size {
            4 => text.parse() == Ok(single),
            8 => text.parse() == Ok(double),
            _ => Extended::parse(text).0 == number,
        };
        let least = if tiny { 1 } else { digits };
        let shown = |precision| number.format('g', Style { precision: Some(precision), ..Style::default() });
        (least..digits + 4).map(shown).find(|text| same(text)).unwrap_or_else(|| shown(digits + 3))
    }
}

fn named(byte: u8) -> String {
    const NAMES: [&str; 33] = [
        "nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs", "ht", "nl", "vt", "ff", "cr", "so", "si", "dle",
        "dc1", "dc2", "dc3", "dc4", "nak", "syn", "etb", "can", "em", "sub", "esc", "fs", "gs", "rs", "us", "sp",
    ];
    match byte & 0x7f {
        127 => "del".to_string(),
        low => match NAMES.get(usize::from(low)) {
            Some(name) => (*name).to_string(),
            None => char::from(low).to_string(),
        },
    }
}

fn escaped(byte: u8) -> String {
    match byte {
        0 => "\\0".to_string(),
        7 => "\\a".to_string(),
        8 => "\\b".to_string(),
        b'\t' => "\\t".to_string(),
        b'\n' => "\\n".to_string(),
        11 => "\\v".to_string(),
        12 => "\\f".to_string(),
        b'\r' => "\\r".to_string(),
        b' '..=b'~' => char::from(byte).to_string(),
        byte => format!("{byte:03o}"),
    }
}

/// Read a type string, `x1z` or `acd4`.
pub(super) fn parse(text: &str) -> Result<Vec<Form>, String> {
    let mut forms = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let kind = match letter {
            'a' => Kind::Named,
            'c' => Kind::Escaped,
            'd' => Kind::Signed,
            'f' => Kind::Float,
            'o' => Kind::Octal,
            'u' => Kind::Unsigned,
            'x' => Kind::Hexadecimal,
            letter => return Err(format!("invalid character '{letter}' in type string ‘{text}’")),
        };
        rest = &rest[letter.len_utf8()..];
        let size = match kind {
            Kind::Named | Kind::Escaped => 1,
            _ => {
                let (size, length) = size(rest, kind);
                let sizes: &[u64] = if kind == Kind::Float { &[4, 8, 16] } else { &[1, 2, 4, 8] };
                if !sizes.contains(&size) {
                    let what = if kind == Kind::Float { "floating point" } else { "integral" };
                    return Err(format!(
                        "invalid type string ‘{text}’;\nthis system doesn't provide a {size}-byte {what} type"
                    ));
                }
                rest = &rest[length..];
                size as usize
            }
        };
        let trailer = rest.starts_with('z');
        rest = rest.strip_prefix('z').unwrap_or(rest);
        forms.push(Form { kind, size, trailer });
    }
    Ok(forms)
}

/// The size that stands behind a type's letter, and its length.
fn size(text: &str, kind: Kind) -> (u64, usize) {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 {
        return (text[..digits].parse().unwrap_or(u64::MAX), digits);
    }
    let named = match (kind, text.chars().next()) {
        (Kind::Float, Some('F')) => Some(4),
        (Kind::Float, Some('D')) => Some(8),
        (Kind::Float, Some('L')) => Some(16),
        (Kind::Float, _) => None,
        (_, Some('C')) => Some(1),
        (_, Some('S')) => Some(2),
        (_, Some('I')) => Some(4),
        (_, Some('L')) => Some(8),
        _ => None,
    };
    match (named, kind) {
        (Some(size), _) => (size, 1),
        (None, Kind::Float) => (8, 0),
        (None, _) => (4, 0),
    }
}
