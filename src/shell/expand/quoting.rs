//! Strings in quotes, so that a shell would read them back: `${x@Q}`, `declare -p`, `set`, `alias`.
use docsh_builtins::{Value, quote::ansi_c};

/// `'text'`, a single quote as `'\''`.
pub(crate) fn single_quoted(text: &str) -> String {
    if text == "'" {
        return "\\'".to_string();
    }
    // Made once and in its full length: it may be as long as the run's memory allows.
    let quotes = text.matches('\'').count();
    let mut quoted = String::with_capacity(text.len() + 3 * quotes + 2);
    quoted.push('\'');
    for (at, piece) in text.split('\'').enumerate() {
        quoted.push_str(if at == 0 { "" } else { "'\\''" });
        quoted.push_str(piece);
    }
    quoted.push('\'');
    quoted
}

/// `"text"`, as `declare -p` shows values.
pub(crate) fn double_quoted(text: &str) -> String {
    if has_controls(text) {
        return ansi_c(text);
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        if matches!(c, '"' | '\\' | '$' | '`') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('"');
    quoted
}

/// Whether `text` can only be shown as `$'…'`.
pub(super) fn has_controls(text: &str) -> bool {
    text.chars().any(char::is_control)
}

/// As `${x@Q}`: in single quotes, or `$'…'` where it must be.
pub(crate) fn quoted(text: &str) -> String {
    if has_controls(text) { ansi_c(text) } else { single_quoted(text) }
}

/// An associative key between brackets: in double quotes unless it is a plain word.
pub(super) fn key(key: &str) -> String {
    let plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "_-+=%@./:,^#~".contains(c));
    if plain && !key.starts_with(['~', '#']) && key != "@" && key != "*" {
        return key.to_string();
    }
    double_quoted(key)
}

/// `([0]="a" [1]="b")`, as `declare -p` shows an array.
pub(crate) fn compound(value: &Value) -> String {
    match value {
        Value::Indexed(array) => {
            let items: Vec<String> = array.iter().map(|(at, item)| format!("[{at}]={}", double_quoted(item))).collect();
            format!("({})", items.join(" "))
        }
        Value::Assoc(map) => {
            let items: String =
                map.iter().map(|(at, item)| format!("[{}]={} ", key(at), double_quoted(item))).collect();
            format!("({items})")
        }
        Value::Scalar(_) | Value::Unset => String::new(),
    }
}
