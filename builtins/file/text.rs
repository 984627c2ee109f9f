//! Text: its language, its encoding, its line ends.
use super::kind::Found;

/// A line longer than this is very long.
const LONG: usize = 300;
/// Where a language is looked for.
const HEAD: usize = 4096;

/// What text `bytes` are; `None` when they are no text.
pub(super) fn kind(bytes: &[u8]) -> Option<Found> {
    let (encoding, charset) = encoding(bytes)?;
    let language = language(bytes);
    let mut words = String::new();
    let mime = match &language {
        Some((name, _, mime)) if name.ends_with("text data") => {
            return Some(Found::new(*name, *mime, charset));
        }
        Some(("CSV", _, mime)) => {
            words += &format!("CSV {encoding} text");
            *mime
        }
        Some((name, is_executable, mime)) => {
            words += &format!("{name}, {encoding} text{}", if *is_executable { " executable" } else { "" });
            *mime
        }
        None => {
            words += &format!("{encoding} text");
            "text/plain"
        }
    };
    words += &match charset {
        "utf-16le" => line_ends(utf16(bytes, u16::from_le_bytes).as_bytes()),
        "utf-16be" => line_ends(utf16(bytes, u16::from_be_bytes).as_bytes()),
        _ => line_ends(bytes),
    };
    if bytes.contains(&0x1b) {
        words += ", with escape sequences";
    }
    if bytes.contains(&0x08) {
        words += ", with overstriking";
    }
    Some(Found::new(words, mime, charset))
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    String::from_utf16_lossy(&units)
}

/// The encoding in words and as a charset.
fn encoding(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    match bytes {
        [0xef, 0xbb, 0xbf, ..] => return Some(("Unicode text, UTF-8 (with BOM)", "utf-8")),
        [0xff, 0xfe, ..] => return Some(("Unicode text, UTF-16, little-endian", "utf-16le")),
        [0xfe, 0xff, ..] => return Some(("Unicode text, UTF-16, big-endian", "utf-16be")),
        _ => {}
    }
    // BEL, BS, TAB, LF, VT, FF, CR and ESC are text; other controls are not.
    let is_control = |byte: &u8| (*byte < 0x20 && !matches!(byte, 7..=13 | 0x1b)) || *byte == 0x7f;
    if bytes.iter().any(is_control) {
        return None;
    }
    if bytes.is_ascii() {
        return Some(("ASCII", "us-ascii"));
    }
    // A character cut off at the end of what was looked at is no mistake.
    let is_utf8 = match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    Some(match is_utf8 {
        true => ("Unicode text, UTF-8", "utf-8"),
        false if bytes.iter().any(|byte| (0x80..0xa0).contains(byte)) => ("Non-ISO extended-ASCII", "unknown-8bit"),
        false => ("ISO-8859", "iso-8859-1"),
    })
}

fn line_ends(bytes: &[u8]) -> String {
    let (mut lf, mut crlf, mut cr) = (0, 0, 0);
    let (mut length, mut longest) = (0, 0);
    let mut rest = bytes.iter().peekable();
    while let Some(byte) = rest.next() {
        match byte {
            b'\n' => lf += 1,
            b'\r' if rest.peek() == Some(&&b'\n') => {
                rest.next();
                crlf += 1;
            }
            b'\r' => cr += 1,
            _ => {
                length += 1;
                continue;
            }
        }
        longest = longest.max(length);
        length = 0;
    }
    longest = longest.max(length);
    let mut text = String::new();
    if longest > LONG {
        text += &format!(", with very long lines ({longest})");
    }
    match (crlf, cr, lf) {
        (0, 0, 0) => text += ", with no line terminators",
        (0, 0, _) => {}
        _ => {
            let names = [("CRLF", crlf), ("CR", cr), ("LF", lf)];
            let names: Vec<&str> = names.iter().filter(|(_, count)| *count > 0).map(|(name, _)| *name).collect();
            text += &format!(", with {} line terminators", names.join(", "));
        }
    }
    text
}

/// The language, whether it is run, and its MIME type.
fn language(bytes: &[u8]) -> Option<(&'static str, bool, &'static str)> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]);
    let head = head.trim_start_matches('\u{feff}');
    if let Some(shebang) = head.lines().next().and_then(|line| line.strip_prefix("#!")) {
        return script(shebang);
    }
    let start = head.trim_start();
    if start.starts_with(['{', '[']) {
        if serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok() {
            return Some(("JSON text data", false, "application/json"));
        }
        if is_ndjson(bytes) {
            return Some(("New Line Delimited JSON text data", false, "application/x-ndjson"));
        }
    }
    let lower = start.get(..start.len().min(512)).unwrap_or(start).to_ascii_lowercase();
    if lower.starts_with("<?xml") {
        return Some(match lower.contains("<svg") {
            true => ("SVG Scalable Vector Graphics image", false, "image/svg+xml"),
            false => ("XML 1.0 document", false, "text/xml"),
        });
    }
    if lower.starts_with("<svg") {
        return Some(("SVG Scalable Vector Graphics image", false, "image/svg+xml"));
    }
    if ["<!doctype html", "<html", "<head", "<body"].iter().any(|tag| lower.starts_with(tag)) {
        return Some(("HTML document", false, "text/html"));
    }
    if is_csv(head) {
        return Some(("CSV", false, "text/csv"));
    }
    source(head)
}

fn script(shebang: &str) -> Option<(&'static str, bool, &'static str)> {
    let mut words = shebang.split_whitespace();
    let mut program = words.next()?.rsplit('/').next()?;
    if program == "env" {
        program = words.find(|word| !word.starts_with('-'))?;
    }
    Some(match program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
        "bash" => ("Bourne-Again shell script", true, "text/x-shellscript"),
        "sh" | "dash" => ("POSIX shell script", true, "text/x-shellscript"),
        "zsh" => ("Paul Falstad's zsh script", true, "text/x-shellscript"),
        "ksh" => ("Korn shell script", true, "text/x-shellscript"),
        "python" => ("Python script", true, "text/x-script.python"),
        "node" => ("Node.js script", true, "application/javascript"),
        "perl" => ("Perl script text executable", false, "text/x-perl"),
        "ruby" => ("Ruby script", true, "text/x-ruby"),
        "awk" | "gawk" => ("awk script", true, "text/x-awk"),
        "php" => ("PHP script", true, "text/x-php"),
        _ => return None,
    })
}

fn is_ndjson(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).take(64).peekable();
    let mut count = 0;
    while let Some(line) = lines.next() {
        let is_whole = serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok();
        // The last of the lines that were looked at may be cut off.
        if !is_whole && (count < 2 || lines.peek().is_some()) {
            return false;
        }
        count += 1;
    }
    count > 1
}

/// Ten lines, or all, with the same number of commas, two lines at least.
fn is_csv(head: &str) -> bool {
    let mut counts = head.split_inclusive('\n').filter(|line| line.ends_with('\n')).take(10).map(|line| {
        let mut is_quoted = false;
        line.chars()
            .filter(|c| {
                *c == ',' && !is_quoted
                    || *c == '"' && {
                        is_quoted = !is_quoted;
                        false
                    }
            })
            .count()
    });
    let Some(first) = counts.next().filter(|count| *count > 0) else { return false };
    let mut others = 0;
    counts.all(|count| {
        others += 1;
        count == first
    }) && others > 0
}

/// Sources by a line that only they have.
fn source(head: &str) -> Option<(&'static str, bool, &'static str)> {
    let has = |test: &dyn Fn(&str) -> bool| head.lines().any(test);
    if head.contains(".PHONY") {
        return Some(("makefile script", false, "text/x-makefile"));
    }
    let is_javascript = |line: &str| {
        (line.starts_with("import ") && (line.contains(" from \"") || line.contains(" from '")))
            || ["export const ", "export default ", "export function ", "export class "]
                .iter()
                .any(|start| line.starts_with(start))
    };
    if has(&is_javascript) {
        return Some(("JavaScript source", false, "application/javascript"));
    }
    let is_python = |line: &str| {
        (line.starts_with("from ") && line.contains(" import "))
            || (line.starts_with("def ") && line.trim_end().ends_with("):"))
    };
    if has(&is_python) {
        return Some(("Python script", true, "text/x-script.python"));
    }
    if has(&|line| line.starts_with("#include <") || line.starts_with("#include \"")) {
        return Some(("C source", false, "text/x-c"));
    }
    None
}
