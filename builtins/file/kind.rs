//! Kinds of file by their first bytes; text goes on to [`super::text`].
use super::text;

/// What a file is.
pub(super) struct Found {
    pub(super) words: String,
    pub(super) mime: String,
    pub(super) encoding: &'static str,
}

impl Found {
    pub(super) fn new(words: impl Into<String>, mime: impl Into<String>, encoding: &'static str) -> Found {
        Found { words: words.into(), mime: mime.into(), encoding }
    }
}

/// The suffixes of files of the kind `mime`, where they are known.
pub(super) fn extensions(mime: &str) -> &'static str {
    match mime {
        "image/jpeg" => "jpeg/jpg/jpe/jfif",
        "image/gif" => "gif",
        "image/webp" => "webp",
        "image/svg+xml" => "svg",
        "application/pdf" => "pdf",
        "application/x-bzip2" => "bz2",
        "application/x-xz" => "xz",
        "application/zstd" => "zst",
        "application/wasm" => "wasm",
        "font/woff2" => "woff2",
        _ => "???",
    }
}

/// What holds `bytes`.
pub(super) fn of(bytes: &[u8]) -> Found {
    if bytes.is_empty() {
        return Found::new("empty", "inode/x-empty", "binary");
    }
    if let Some((words, mime)) = binary(bytes) {
        return Found::new(words, mime, "binary");
    }
    text::kind(bytes).unwrap_or_else(|| Found::new("data", "application/octet-stream", "binary"))
}

fn binary(bytes: &[u8]) -> Option<(String, &'static str)> {
    let big = |at: usize| {
        bytes.get(at..at + 4).map_or(0, |four| four.iter().fold(0_u32, |value, byte| value << 8 | u32::from(*byte)))
    };
    let little = |at: usize| bytes.get(at..at + 2).map_or(0, |two| u16::from(two[0]) | u16::from(two[1]) << 8);
    let plain = |words: &str, mime: &'static str| Some((words.to_string(), mime));
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        let colour = match bytes.get(25) {
            Some(0) => "grayscale",
            Some(2) => "color RGB",
            Some(3) => "colormap",
            Some(4) => "gray+alpha",
            _ => "color RGBA",
        };
        let lace = if bytes.get(28) == Some(&1) { "interlaced" } else { "non-interlaced" };
        let depth = bytes.get(24).copied().unwrap_or(8);
        let colour = format!("{depth}-bit{}{colour}", if colour.starts_with("color ") { "/" } else { " " });
        return Some((format!("PNG image data, {} x {}, {colour}, {lace}", big(16), big(20)), "image/png"));
    }
    if bytes.starts_with(b"GIF8") && bytes.len() > 9 {
        let version = String::from_utf8_lossy(&bytes[3..6]).into_owned();
        return Some((format!("GIF image data, version {version}, {} x {}", little(6), little(8)), "image/gif"));
    }
    if let Some(rest) = bytes.strip_prefix(b"%PDF-") {
        let version: String = rest.iter().take(3).map(|byte| char::from(*byte)).collect();
        return Some((format!("PDF document, version {version}"), "application/pdf"));
    }
    let magics: [(&[u8], &str, &'static str); 12] = [
        (b"\xff\xd8\xff", "JPEG image data", "image/jpeg"),
        (b"PK\x03\x04", "Zip archive data", "application/zip"),
        (b"\x1f\x8b", "gzip compressed data", "application/gzip"),
        (b"BZh", "bzip2 compressed data", "application/x-bzip2"),
        (b"\xfd7zXZ\0", "XZ compressed data", "application/x-xz"),
        (b"\x28\xb5\x2f\xfd", "Zstandard compressed data (v0.8+)", "application/zstd"),
        (b"wOFF", "Web Open Font Format", "font/woff"),
        (b"wOF2", "Web Open Font Format (Version 2)", "font/woff2"),
        (b"\x7fELF", "ELF", "application/x-executable"),
        (b"\0asm", "WebAssembly (wasm) binary module", "application/wasm"),
        (b"OggS", "Ogg data", "application/ogg"),
        (b"\0\0\x01\0", "MS Windows icon resource", "image/vnd.microsoft.icon"),
    ];
    if let Some((_, words, mime)) = magics.iter().find(|(magic, ..)| bytes.starts_with(magic)) {
        return plain(words, mime);
    }
    match (bytes.get(..4), bytes.get(8..12), bytes.get(4..8)) {
        (Some(b"RIFF"), Some(b"WEBP"), _) => plain("RIFF (little-endian) data, Web/P image", "image/webp"),
        (Some(b"RIFF"), Some(b"WAVE"), _) => plain("RIFF (little-endian) data, WAVE audio", "audio/x-wav"),
        (_, _, Some(b"ftyp")) => plain("ISO Media, MP4 Base Media", "video/mp4"),
        _ => None,
    }
}
