use super::*;
use ::ring::{
    hmac,
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use serde_json::{Value, json};

const NOW: i64 = 1_800_000_000;

/// A token with this header and these claims, signed by `sign`.
fn token(header: Value, claims: &Value, sign: impl Fn(&[u8]) -> Vec<u8>) -> String {
    let message = format!("{}.{}", BASE64.encode(header.to_string()), BASE64.encode(claims.to_string()));
    format!("{message}.{}", BASE64.encode(sign(message.as_bytes())))
}

fn pair(seed: u8) -> Ed25519KeyPair {
    Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap()
}

/// A public key as a PEM file: the DER of its kind, and the key.
fn pem(prefix: &[u8], key: &[u8]) -> String {
    let der = base64::engine::general_purpose::STANDARD.encode([prefix, key].concat());
    format!("-----BEGIN PUBLIC KEY-----\n{der}\n-----END PUBLIC KEY-----\n")
}

fn ed_pem(pair: &Ed25519KeyPair) -> String {
    pem(&[0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00], pair.public_key().as_ref())
}

fn rules() -> TokenRules {
    TokenRules::with_key(ed_pem(&pair(1)).as_bytes(), None).unwrap().meant_for(Some("docs.acme.com"), None).unwrap()
}

fn admit(claims: Value) -> Result<Admission, TokenError> {
    let signed = token(json!({"alg": "EdDSA"}), &claims, |message| pair(1).sign(message).as_ref().to_vec());
    rules().admit(&signed, NOW)
}

fn good() -> Value {
    json!({"host": "docs.acme.com", "expiresAt": NOW + 100, "groups": ["admin"], "content": {"x": [1]}, "sub": "u"})
}

#[test]
fn a_good_token_admits_a_member() {
    let expected = Admission { visitor: Visitor::member(["admin"]), ends: NOW + 100 };
    assert_eq!(admit(good()), Ok(expected.clone()));
    assert_eq!((expected.has_ended(NOW + 104), expected.has_ended(NOW + 106)), (false, true));
    let bare = admit(json!({"host": "docs.acme.com", "exp": NOW as f64 + 0.5})).unwrap();
    assert_eq!(bare, Admission { visitor: Visitor::member::<String>([]), ends: NOW });
    // `exp` guards the start, `expiresAt` the session.
    let both = admit(json!({"host": "docs.acme.com", "exp": NOW + 1, "expiresAt": NOW + 9})).unwrap();
    assert_eq!(both.ends, NOW + 9);
}

#[test]
fn what_a_token_claims_is_checked() {
    let with = |name: &str, value: Value| {
        let mut claims = good();
        claims[name] = value;
        admit(claims)
    };
    assert_eq!(with("host", "docs.acme.com.evil".into()), Err(TokenError::Host));
    assert_eq!(with("host", Value::Null), Err(TokenError::Host));
    assert_eq!(with("expiresAt", (NOW - 6).into()), Err(TokenError::Expired));
    assert_eq!(with("exp", (NOW - 6).into()), Err(TokenError::Expired));
    assert!(with("exp", (NOW - 4).into()).is_ok());
    assert_eq!(with("nbf", (NOW + 6).into()), Err(TokenError::Early));
    assert!(with("nbf", (NOW + 4).into()).is_ok());
    assert_eq!(admit(json!({"host": "docs.acme.com"})), Err(TokenError::NoEnd));
    for (name, value) in
        [("groups", json!("admin")), ("groups", json!([1])), ("exp", json!("soon")), ("exp", json!(1e30))]
    {
        assert_eq!(with(name, value.clone()), Err(TokenError::Malformed), "{name}: {value}");
    }
}

#[test]
fn the_audience_must_be_named() {
    let rules = TokenRules::with_key(ed_pem(&pair(1)).as_bytes(), None).unwrap().meant_for(None, Some("docs")).unwrap();
    let admit = |aud: Value| {
        let claims = json!({"aud": aud, "exp": NOW + 9});
        rules.admit(&token(json!({"alg": "EdDSA"}), &claims, |message| pair(1).sign(message).as_ref().to_vec()), NOW)
    };
    assert!(admit(json!("docs")).is_ok() && admit(json!(["x", "docs"])).is_ok());
    assert_eq!(admit(json!("doc")), Err(TokenError::Audience));
    assert_eq!(admit(json!([])), Err(TokenError::Audience));
}

#[test]
fn a_forged_token_is_refused() {
    let by = |seed: u8| move |message: &[u8]| pair(seed).sign(message).as_ref().to_vec();
    let refusal = |token: &str| rules().admit(token, NOW).unwrap_err();
    let signed = token(json!({"alg": "EdDSA"}), &good(), by(1));
    assert_eq!(refusal(&token(json!({"alg": "EdDSA"}), &good(), by(2))), TokenError::Signature);
    // Another payload under the same signature.
    let mut parts: Vec<String> = signed.split('.').map(str::to_string).collect();
    parts[1] = BASE64.encode(json!({"host": "docs.acme.com", "exp": NOW + 9, "groups": ["root"]}).to_string());
    assert_eq!(refusal(&parts.join(".")), TokenError::Signature);
    assert!(matches!(refusal(&signed[..signed.len() - 4]), TokenError::Signature | TokenError::Malformed));
    assert_eq!(refusal(&token(json!({"alg": "none"}), &good(), |_| vec![])), TokenError::Malformed);
    // The public key as the secret of an HMAC.
    let key = hmac::Key::new(hmac::HMAC_SHA256, ed_pem(&pair(1)).as_bytes());
    let confused = token(json!({"alg": "HS256"}), &good(), |message| hmac::sign(&key, message).as_ref().to_vec());
    assert!(matches!(refusal(&confused), TokenError::Signature | TokenError::Malformed));
    // A header that brings its own key.
    let own = json!({"alg": "EdDSA", "jku": "https://evil.example/jwks", "jwk": {"kty": "OKP", "crv": "Ed25519", "x": BASE64.encode(pair(2).public_key())}});
    assert!(matches!(refusal(&token(own, &good(), by(2))), TokenError::Signature | TokenError::Malformed));
    for text in ["", "a.b", "a.b.c", "..", "eyJhbGciOiJFZERTQSJ9.."] {
        assert!(matches!(refusal(text), TokenError::Malformed | TokenError::Signature), "{text}");
    }
}

#[test]
fn keys_of_a_set_are_chosen_by_name() {
    let jwk = |id: &str, seed: u8| json!({"kty": "OKP", "crv": "Ed25519", "kid": id, "x": BASE64.encode(pair(seed).public_key())});
    let other = json!({"kty": "RSA", "kid": "rsa", "n": "AQAB", "e": "AQAB"});
    let set = json!({"keys": [jwk("one", 1), jwk("two", 2), other]}).to_string();
    let rules = TokenRules::with_key_set(&set, None).unwrap().meant_for(Some("docs.acme.com"), None).unwrap();
    let admit = |header: Value, seed: u8| {
        rules.admit(&token(header, &good(), |message| pair(seed).sign(message).as_ref().to_vec()), NOW).map(|_| ())
    };
    assert_eq!(admit(json!({"alg": "EdDSA", "kid": "two"}), 2), Ok(()));
    assert_eq!(admit(json!({"alg": "EdDSA", "kid": "one"}), 2), Err(TokenError::Signature));
    assert_eq!(admit(json!({"alg": "EdDSA", "kid": "rsa"}), 2), Err(TokenError::Key));
    assert_eq!(admit(json!({"alg": "EdDSA"}), 1), Err(TokenError::Key));
}

#[test]
fn p256_and_a_named_secret_work_too() {
    let rng = SystemRandom::new();
    let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &rng).unwrap();
    let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8.as_ref(), &rng).unwrap();
    let prefix = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
        0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ];
    let pem = pem(&prefix, pair.public_key().as_ref());
    let rules = TokenRules::with_key(pem.as_bytes(), None).unwrap().meant_for(Some("docs.acme.com"), None).unwrap();
    let signed = token(json!({"alg": "ES256"}), &good(), |message| pair.sign(&rng, message).unwrap().as_ref().to_vec());
    assert!(rules.admit(&signed, NOW).is_ok());

    let names = ["HS256".to_string()];
    let secret =
        TokenRules::with_key(b"a long secret\n", Some(&names)).unwrap().meant_for(Some("docs.acme.com"), None).unwrap();
    let key = hmac::Key::new(hmac::HMAC_SHA256, b"a long secret");
    let signed = token(json!({"alg": "HS256"}), &good(), |message| hmac::sign(&key, message).as_ref().to_vec());
    assert!(secret.admit(&signed, NOW).is_ok());
}

#[test]
fn a_key_that_cannot_serve_is_named() {
    let message =
        |key: &[u8], algorithms: Option<&[String]>| TokenRules::with_key(key, algorithms).map(drop).unwrap_err();
    let ed = ed_pem(&pair(1));
    assert_eq!(message(b"secret", None), "holds no public key (PEM)");
    assert_eq!(message(b"-----BEGIN nothing", None), "holds no public key (PEM) of Ed25519, P-256 or RSA");
    assert_eq!(message(b"x", Some(&["none".into()])), "`algorithms`: \"none\" is none of EdDSA, ES256, RS256, HS256");
    assert_eq!(
        message(ed.as_bytes(), Some(&["RS256".into()])),
        "holds a key for EdDSA, which `algorithms` does not name"
    );
    let aimless = TokenRules::with_key(ed.as_bytes(), None).unwrap().meant_for(None, None).map(drop);
    assert_eq!(aimless, Err("a site with a key needs `host` or `audience`".into()));
}
