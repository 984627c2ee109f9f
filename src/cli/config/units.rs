//! Times and sizes as people write them: `60`, `"60s"`, `"1h 30m"`; `1048576`, `"64 MiB"`, `"10MB"`.
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::time::Duration;

/// A length of time; a bare number counts seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span(pub Duration);

/// A size; a bare number counts bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub u64);

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(u64),
    Text(String),
}

impl Span {
    /// The time that `text` says.
    pub fn parse(text: &str) -> Option<Span> {
        if let Ok(seconds) = text.trim().parse() {
            return Some(Span(Duration::from_secs(seconds)));
        }
        text.parse::<jiff::SignedDuration>().ok()?.try_into().ok().map(Span)
    }
}

impl Bytes {
    /// The size that `text` says.
    pub fn parse(text: &str) -> Option<Bytes> {
        let text = text.trim();
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let number: u64 = text[..digits].parse().ok()?;
        let unit: u64 = match text[digits..].trim().to_ascii_lowercase().as_str() {
            "" | "b" => 1,
            "kb" => 1000,
            "mb" => 1_000_000,
            "gb" => 1_000_000_000,
            "k" | "kib" => 1 << 10,
            "m" | "mib" => 1 << 20,
            "g" | "gib" => 1 << 30,
            _ => return None,
        };
        number.checked_mul(unit).map(Bytes)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Span, D::Error> {
        match Written::deserialize(deserializer)? {
            Written::Number(seconds) => Ok(Span(Duration::from_secs(seconds))),
            Written::Text(text) => {
                Span::parse(&text).ok_or_else(|| D::Error::custom(format!("{text:?} is not a time, such as \"60s\"")))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        match Written::deserialize(deserializer)? {
            Written::Number(bytes) => Ok(Bytes(bytes)),
            Written::Text(text) => Bytes::parse(&text)
                .ok_or_else(|| D::Error::custom(format!("{text:?} is not a size, such as \"64MiB\""))),
        }
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{}ms", self.0.as_millis()))
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_read_as_written() {
        let seconds = |text| Span::parse(text).map(|span| span.0.as_secs());
        assert_eq!(
            ["60", "60s", "1h 30m", "2d", "-5s", "soon"].map(seconds),
            [Some(60), Some(60), Some(5400), None, None, None]
        );
        let bytes = |text| Bytes::parse(text).map(|bytes| bytes.0);
        assert_eq!(
            ["7", "64 MiB", "10MB", "2g", "many", "1.5MB", "99999999999g"].map(bytes),
            [Some(7), Some(64 << 20), Some(10_000_000), Some(2 << 30), None, None, None]
        );
    }
}
