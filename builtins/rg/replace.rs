//! `-r`: what a match is replaced with.
use crate::pattern::{Captures, Pattern};

/// `template` with `$1`, `$name`, `${1}` and `$$` filled in.
pub(super) fn expand(template: &str, pattern: &Pattern, text: &[u8], captures: &Captures, out: &mut Vec<u8>) {
    let mut rest = template;
    while let Some(at) = rest.find('$') {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('$') {
            out.push(b'$');
            rest = after;
            continue;
        }
        let Some((name, length)) = group_name(rest) else {
            out.push(b'$');
            continue;
        };
        rest = &rest[length..];
        let number = name
            .parse::<usize>()
            .ok()
            .or_else(|| pattern.names().iter().position(|known| known.as_deref() == Some(name)));
        if let Some(range) = number.and_then(|number| captures.get(number)) {
            out.extend_from_slice(&text[range]);
        }
    }
    out.extend_from_slice(rest.as_bytes());
}

/// The name of a group at the start of `text`, and how much of the text it takes.
fn group_name(text: &str) -> Option<(&str, usize)> {
    if let Some(braced) = text.strip_prefix('{') {
        let end = braced.find('}')?;
        return Some((&braced[..end], end + 2));
    }
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    (end > 0).then(|| (&text[..end], end))
}
