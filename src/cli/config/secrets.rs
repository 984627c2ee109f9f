//! Secrets stand in variables and files that the configuration names, never in it.
use std::{fs, path::Path};

/// Whether a header's value is one that a configuration file must not hold.
pub(super) fn is_secret(header: &str) -> bool {
    let name = header.to_ascii_lowercase();
    ["token", "auth", "key", "secret", "cookie", "password"].iter().any(|word| name.contains(word))
}

/// What stands in this file, which the configuration names for a secret.
pub(super) fn secret_of_file(file: &Path) -> Result<String, String> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(text.trim_end_matches(['\r', '\n']).to_string()),
        Err(error) => Err(format!("{}: {error}", file.display())),
    }
}

/// Refuse what is no address, or one that holds a secret itself; `key` is the name that it stands under.
pub(super) fn check_url(key: &str, url: &str) -> Result<(), String> {
    let wrong = |reason: &str| Err(format!("`{key}` {reason}"));
    let Some((scheme, rest)) = url.split_once("://") else {
        return wrong("is not an address, such as http://host:8000");
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    match (scheme, authority) {
        (_, "") => wrong("names no host"),
        (_, authority) if authority.contains('@') => wrong("holds a secret: name a variable or a file that does"),
        ("http" | "https", _) => Ok(()),
        _ => wrong("is neither http nor https"),
    }
}
