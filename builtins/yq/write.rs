//! JSON, compact as `jq` writes it, as YAML in blocks of two blanks.
//!
//! The text is gone through once, without a tree and without recursion.
use saphyr::Scalar;

/// A list or a map that is being written.
struct Open {
    is_map: bool,
    /// The blanks before its items or keys.
    indent: usize,
    /// Whether its first item stands on the line that is there: behind `- `.
    inline: bool,
    count: usize,
}

/// `json` as a document. A string alone is bare when it is asked for.
pub(super) fn document(json: &[u8], raw: bool) -> String {
    let json = String::from_utf8_lossy(json);
    if raw && json.starts_with('"') {
        return decoded(&json) + "\n";
    }
    let mut out = String::new();
    let mut open: Vec<Open> = Vec::new();
    let mut rest = &*json;
    while let Some(first) = rest.chars().next() {
        match first {
            ',' => rest = &rest[1..],
            ']' | '}' => {
                open.pop();
                rest = &rest[1..];
            }
            _ => {
                let is_key = item(&mut open, &mut out);
                if is_key {
                    let (key, after) = token(rest);
                    out.push_str(&scalar(key, 0));
                    out.push(':');
                    rest = after.strip_prefix(':').unwrap_or(after);
                }
                rest = value(rest, &mut open, &mut out, is_key);
            }
        }
    }
    out
}

/// Begin the next item of what is open; whether it has a key.
fn item(open: &mut [Open], out: &mut String) -> bool {
    let Some(last) = open.last_mut() else { return false };
    if last.count > 0 || !last.inline {
        out.extend(std::iter::repeat_n(' ', last.indent));
    }
    last.count += 1;
    if !last.is_map {
        out.push_str("- ");
    }
    last.is_map
}

/// Write the value that `rest` begins with, or begin it; gives what follows.
fn value<'a>(rest: &'a str, open: &mut Vec<Open>, out: &mut String, has_key: bool) -> &'a str {
    let indent = open.last().map_or(0, |last| last.indent + 2);
    let blank = if has_key { " " } else { "" };
    if let Some((empty, after)) = ["{}", "[]"].iter().find_map(|empty| Some((empty, rest.strip_prefix(empty)?))) {
        out.push_str(&format!("{blank}{empty}\n"));
        return after;
    }
    if rest.starts_with(['{', '[']) {
        // Behind a key it begins on the next line, behind `- ` on the same.
        let inline = !has_key && !open.is_empty();
        if has_key {
            out.push('\n');
        }
        open.push(Open { is_map: rest.starts_with('{'), indent, inline, count: 0 });
        return &rest[1..];
    }
    let (text, after) = token(rest);
    out.push_str(&format!("{blank}{}\n", scalar(text, indent)));
    after
}

/// The scalar that `text` begins with, and what follows.
fn token(text: &str) -> (&str, &str) {
    let mut end = text.len();
    if text.starts_with('"') {
        let mut escaped = false;
        for (at, byte) in text.bytes().enumerate().skip(1) {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => {
                    end = at + 1;
                    break;
                }
                _ => {}
            }
        }
    } else {
        end = text.find([',', ']', '}', ':']).unwrap_or(end).max(1);
    }
    text.split_at(end)
}

/// A scalar as YAML: bare where that is read back the same, as a block where it has several lines, else in quotes.
fn scalar(json: &str, indent: usize) -> String {
    if !json.starts_with('"') {
        return json.to_string();
    }
    let text = decoded(json);
    let printable = |c: char| c == '\n' || c == '\t' || !c.is_control();
    if indent > 0 && text.contains('\n') && text.chars().all(printable) && !text.starts_with([' ', '\n', '\t']) {
        let end = match (text.ends_with("\n\n"), text.ends_with('\n')) {
            (true, _) => "+",
            (_, true) => "",
            _ => "-",
        };
        let blanks = " ".repeat(indent);
        let line = |line: &str| if line.is_empty() { String::new() } else { format!("{blanks}{line}") };
        let body = text.strip_suffix('\n').unwrap_or(&text);
        return format!("|{end}\n{}", body.split('\n').map(line).collect::<Vec<_>>().join("\n"));
    }
    if is_plain(&text) { text } else { json.to_string() }
}

/// Whether `text` without quotes is the same text.
fn is_plain(text: &str) -> bool {
    let starts_as_text = |c: char| !c.is_whitespace() && !"-?:,[]{}#&*!|>'\"%@`".contains(c);
    let mut letters = text.chars();
    let starts = match (letters.next(), letters.next()) {
        (Some('-' | '?' | ':'), Some(second)) => !second.is_whitespace(),
        (Some(first), _) => starts_as_text(first),
        (None, _) => false,
    };
    starts
        && !text.ends_with([' ', '\t', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.chars().any(char::is_control)
        && !matches!(text.to_ascii_lowercase().as_str(), "yes" | "no" | "on" | "off" | "y" | "n" | "<<" | "---" | "...")
        && matches!(Scalar::parse_from_cow(text.into()), Scalar::String(_))
}

fn decoded(json: &str) -> String {
    serde_json::from_str(json).unwrap_or_else(|_| json.to_string())
}
