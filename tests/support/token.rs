//! Session tokens for the tests: HS256, which a site's `algorithms` must name.
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use serde_json::{Value, json};
use std::{fs, path::Path};

/// The key of the tests' sites.
const SECRET: &str = "a secret of the tests that signs the tokens of visitors";

/// A configuration in `folder` with the bundled site as `docs`, which takes tokens.
pub(crate) fn config(folder: &Path) -> String {
    let (config, key) = (folder.join("config.toml"), folder.join("key"));
    fs::write(&key, SECRET).unwrap();
    let site = format!("store = \"bundled\"\nhost = \"docs\"\nkey_file = {key:?}\nalgorithms = [\"HS256\"]\n");
    fs::write(&config, format!("default_site = \"docs\"\n[sites.docs]\n{site}")).unwrap();
    config.display().to_string()
}

/// The token of a member of `groups`, good until 2100.
pub(crate) fn member(groups: &[&str]) -> String {
    claiming(json!({ "host": "docs", "exp": 4_102_444_800_u64, "groups": groups }))
}

/// The token that claims this.
pub(crate) fn claiming(claims: Value) -> String {
    let [head, claims] = [json!({ "alg": "HS256", "typ": "JWT" }), claims].map(|part| BASE64.encode(part.to_string()));
    let message = format!("{head}.{claims}");
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, SECRET.as_bytes());
    format!("{message}.{}", BASE64.encode(ring::hmac::sign(&key, message.as_bytes())))
}
