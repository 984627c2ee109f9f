//! The hash of a page's text.
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::{borrow::Cow, fmt};

/// The sha256 of a page's text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// The hash of `text`.
    pub fn of(text: &[u8]) -> Hash {
        use sha2::Digest;
        Hash(sha2::Sha256::digest(text).into())
    }

    /// The hash written as 64 hexadecimal digits.
    pub fn from_hex(hex: &str) -> Option<Hash> {
        let mut hash = [0; 32];
        if hex.len() != 64 || !hex.is_ascii() {
            return None;
        }
        for (byte, pair) in hash.iter_mut().zip(hex.as_bytes().chunks(2)) {
            let digit = |at: usize| char::from(pair[at]).to_digit(16);
            *byte = (digit(0)? * 16 + digit(1)?) as u8;
        }
        Some(Hash(hash))
    }

    /// Its first 8 digits, which chunk ids carry.
    pub fn short(&self) -> String {
        self.to_string()[..8].to_string()
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hash, D::Error> {
        let hex = Cow::<str>::deserialize(deserializer)?;
        Hash::from_hex(&hex).ok_or_else(|| D::Error::custom("expected 64 hexadecimal digits"))
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
