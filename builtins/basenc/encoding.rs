//! The encodings: alphabets whose letters stand for so many bits, and Z85.

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Letters of `bits` bits, groups padded with `=`.
    Letters {
        alphabet: &'static str,
        bits: u32,
    },
    Hex,
    /// One letter a bit; the flag says that the lowest comes first.
    Bits(bool),
    Z85,
}

/// The text is not of the encoding.
pub(super) struct Wrong;

const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE64_URL: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BASE32: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BASE32_HEX: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
const Z85: &[u8; 85] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

impl Encoding {
    pub(super) fn named(name: &str) -> Option<Encoding> {
        Some(match name {
            "base64" => Encoding::Letters { alphabet: BASE64, bits: 6 },
            "base64url" => Encoding::Letters { alphabet: BASE64_URL, bits: 6 },
            "base32" => Encoding::Letters { alphabet: BASE32, bits: 5 },
            "base32hex" => Encoding::Letters { alphabet: BASE32_HEX, bits: 5 },
            "base16" => Encoding::Hex,
            "base2msbf" => Encoding::Bits(false),
            "base2lsbf" => Encoding::Bits(true),
            "z85" => Encoding::Z85,
            _ => return None,
        })
    }

    /// Bytes that are encoded together.
    pub(super) fn group(self) -> usize {
        match self {
            Encoding::Letters { bits: 6, .. } => 3,
            Encoding::Letters { .. } => 5,
            Encoding::Hex | Encoding::Bits(_) => 1,
            Encoding::Z85 => 4,
        }
    }

    /// Letters that are decoded together.
    pub(super) fn text_group(self) -> usize {
        match self {
            Encoding::Letters { bits: 6, .. } => 4,
            Encoding::Letters { .. } | Encoding::Bits(_) => 8,
            Encoding::Hex => 2,
            Encoding::Z85 => 5,
        }
    }

    /// Whether `byte` is one of its letters.
    pub(super) fn has(self, byte: u8) -> bool {
        match self {
            Encoding::Letters { alphabet, .. } => byte == b'=' || alphabet.as_bytes().contains(&byte),
            Encoding::Hex => byte.is_ascii_digit() || (b'A'..=b'F').contains(&byte),
            Encoding::Bits(_) => matches!(byte, b'0' | b'1'),
            Encoding::Z85 => Z85.contains(&byte),
        }
    }

    /// `None` when the length does not allow it.
    pub(super) fn encode(self, bytes: &[u8]) -> Option<String> {
        let mut text = String::with_capacity(bytes.len() * 2);
        match self {
            Encoding::Letters { alphabet, bits } => {
                for group in bytes.chunks(self.group()) {
                    let padded = group.len() * 8;
                    let value = group.iter().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
                    let value = value << ((self.group() - group.len()) * 8);
                    let letters = padded.div_ceil(bits as usize);
                    for at in 0..self.text_group() {
                        let shift = bits as usize * (self.text_group() - 1 - at);
                        let index = (value >> shift) as usize & (alphabet.len() - 1);
                        text.push(if at < letters { char::from(alphabet.as_bytes()[index]) } else { '=' });
                    }
                }
            }
            Encoding::Hex => bytes.iter().for_each(|byte| text += &format!("{byte:02X}")),
            Encoding::Bits(low_first) => {
                for byte in bytes {
                    let byte = if low_first { byte.reverse_bits() } else { *byte };
                    text += &format!("{byte:08b}");
                }
            }
            Encoding::Z85 => {
                for group in bytes.chunks(4) {
                    let value = u32::from_be_bytes(group.try_into().ok()?);
                    for power in (0..5).rev() {
                        text.push(char::from(Z85[(value / 85u32.pow(power) % 85) as usize]));
                    }
                }
            }
        }
        Some(text)
    }

    /// Decode `text` onto `out`, as far as it goes.
    pub(super) fn decode(self, text: &[u8], out: &mut Vec<u8>) -> Result<(), Wrong> {
        for group in text.chunks(self.text_group()) {
            match self {
                Encoding::Letters { alphabet, bits } => decode_letters(group, alphabet, bits, self.text_group(), out)?,
                Encoding::Hex => {
                    let digit = |byte: u8| if self.has(byte) { char::from(byte).to_digit(16) } else { None };
                    let [high, low] = group.try_into().map_err(|_| Wrong)?;
                    out.push((digit(high).ok_or(Wrong)? << 4 | digit(low).ok_or(Wrong)?) as u8);
                }
                Encoding::Bits(low_first) => {
                    let text = std::str::from_utf8(group).map_err(|_| Wrong)?;
                    let byte = u8::from_str_radix(text, 2).map_err(|_| Wrong)?;
                    if group.len() < 8 || !group.iter().all(|byte| self.has(*byte)) {
                        return Err(Wrong);
                    }
                    out.push(if low_first { byte.reverse_bits() } else { byte });
                }
                Encoding::Z85 => {
                    let mut value: u64 = 0;
                    for byte in group {
                        let digit = Z85.iter().position(|letter| letter == byte).ok_or(Wrong)?;
                        value = value * 85 + digit as u64;
                    }
                    let value = u32::try_from(value).map_err(|_| Wrong)?;
                    if group.len() < 5 {
                        return Err(Wrong);
                    }
                    out.extend(value.to_be_bytes());
                }
            }
        }
        Ok(())
    }
}

/// A group of letters; padding may end it, or be left out at the end of the text.
fn decode_letters(group: &[u8], alphabet: &str, bits: u32, whole: usize, out: &mut Vec<u8>) -> Result<(), Wrong> {
    let letters = group.iter().take_while(|byte| **byte != b'=').count();
    let padding = &group[letters..];
    let (mut value, mut held) = (0u64, 0);
    for byte in &group[..letters] {
        let index = alphabet.bytes().position(|letter| letter == *byte).ok_or(Wrong)?;
        value = value << bits | index as u64;
        held += bits;
        if held >= 8 {
            held -= 8;
            out.push((value >> held) as u8);
        }
    }
    let well_padded = padding.iter().all(|byte| *byte == b'=') && (padding.is_empty() || group.len() == whole);
    // A last letter that gives nothing to a byte is one too many; bits that are left over are passed over.
    if well_padded && held < bits && letters > 0 { Ok(()) } else { Err(Wrong) }
}
