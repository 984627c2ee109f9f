//! Session tokens: who the visitor is, as the site's own login says (a JWT in Mintlify's format).
//!
//! The algorithm comes from the site's key, never from the token; a token that is bad, expired or for another host is
//! refused, never taken for an anonymous visit. `content` and `apiPlaygroundInputs` are not even read.
mod ring;

use crate::tree::access::Visitor;
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey, Validation, decode, decode_header, jwk::JwkSet};
use serde::{Deserialize, Deserializer};
use std::collections::HashSet;

/// How far two clocks may be apart, in seconds.
const LEEWAY: i64 = 5;

/// Which tokens a site takes.
#[derive(Clone, Debug)]
pub struct TokenRules {
    keys: Vec<Key>,
    host: Option<String>,
    audience: Option<String>,
}

#[derive(Clone, Debug)]
struct Key {
    id: Option<String>,
    key: DecodingKey,
    algorithm: Algorithm,
}

/// What a good token says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admission {
    /// Who the visitor is.
    pub visitor: Visitor,
    /// When the session ends, in seconds since the epoch: a long-lived process asks before each command.
    pub ends: i64,
}

impl Admission {
    /// Whether the session has ended.
    pub fn has_ended(&self, now: i64) -> bool {
        now > self.ends.saturating_add(LEEWAY)
    }
}

/// Why a token is refused, in words for its bearer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Not a token at all.
    #[error("it is not a token")]
    Malformed,
    /// Signed with another key, or with an algorithm that the key is not for.
    #[error("its signature is not by the site's key")]
    Signature,
    /// No key can be chosen.
    #[error("it does not say which of the site's keys it is signed with (`kid`)")]
    Key,
    /// For another host.
    #[error("it is for another host")]
    Host,
    /// For another audience.
    #[error("it is for another audience")]
    Audience,
    /// Neither `exp` nor `expiresAt`.
    #[error("it has no end (`exp` or `expiresAt`)")]
    NoEnd,
    /// Past its end.
    #[error("it has expired")]
    Expired,
    /// Before its beginning.
    #[error("it is not valid yet")]
    Early,
}

#[derive(Deserialize)]
struct Claims {
    host: Option<String>,
    aud: Option<Audience>,
    #[serde(default, deserialize_with = "time")]
    exp: Option<i64>,
    #[serde(default, rename = "expiresAt", deserialize_with = "time")]
    expires_at: Option<i64>,
    #[serde(default, deserialize_with = "time")]
    nbf: Option<i64>,
    #[serde(default)]
    groups: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

/// Seconds since the epoch, perhaps with a fraction.
fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let number = f64::deserialize(deserializer)?;
    match (-1e15..1e15).contains(&number) {
        true => Ok(Some(number as i64)),
        false => Err(serde::de::Error::custom("not a time")),
    }
}

impl TokenRules {
    /// Tokens signed with the key in `pem`: Ed25519 or P-256; RSA, or a secret for HMAC, only where `algorithms` says
    /// so.
    pub fn with_key(pem: &[u8], algorithms: Option<&[String]>) -> Result<TokenRules, String> {
        let allowed = allowed(algorithms)?;
        let is_pem = pem.starts_with(b"-----BEGIN");
        let key = match is_pem {
            true => DecodingKey::from_ed_pem(pem)
                .or_else(|_| DecodingKey::from_ec_pem(pem))
                .or_else(|_| DecodingKey::from_rsa_pem(pem))
                .map_err(|_| "holds no public key (PEM) of Ed25519, P-256 or RSA")?,
            false if allowed == [Algorithm::HS256] => {
                DecodingKey::from_secret(pem.trim_ascii_end()).map_err(|_| "holds no secret")?
            }
            false => return Err("holds no public key (PEM)".into()),
        };
        let algorithm = algorithm(&key, &allowed)?;
        Ok(TokenRules { keys: vec![Key { id: None, key, algorithm }], host: None, audience: None })
    }

    /// Tokens signed with one of the keys in `jwks`.
    pub fn with_key_set(jwks: &str, algorithms: Option<&[String]>) -> Result<TokenRules, String> {
        let allowed = allowed(algorithms)?;
        let set: JwkSet = serde_json::from_str(jwks).map_err(|error| format!("is no set of keys (JWKS): {error}"))?;
        let mut keys = Vec::new();
        for jwk in &set.keys {
            // A set may hold keys for other uses; they are none of ours.
            let Ok(key) = DecodingKey::from_jwk(jwk) else { continue };
            let Ok(algorithm) = algorithm(&key, &allowed) else { continue };
            keys.push(Key { id: jwk.common.key_id.clone(), key, algorithm });
        }
        match keys.is_empty() {
            true => Err("holds no key of Ed25519 or P-256, or of what `algorithms` names".into()),
            false => Ok(TokenRules { keys, host: None, audience: None }),
        }
    }

    /// Only tokens for this host, this audience, or both. One of them must be given: a token for another site of the
    /// same login is not for this one.
    pub fn meant_for(self, host: Option<&str>, audience: Option<&str>) -> Result<TokenRules, String> {
        if host.is_none() && audience.is_none() {
            return Err("a site with a key needs `host` or `audience`".into());
        }
        Ok(TokenRules { host: host.map(Into::into), audience: audience.map(Into::into), ..self })
    }

    /// What `token` says, if it is good at the time `now` (seconds since the epoch).
    pub fn admit(&self, token: &str, now: i64) -> Result<Admission, TokenError> {
        // Fails only when it is installed already.
        let _ = ring::PROVIDER.install_default();
        let header = decode_header(token).map_err(|_| TokenError::Malformed)?;
        let key = match (self.keys.as_slice(), header.kid) {
            ([key], None) => key,
            ([key], Some(_)) if key.id.is_none() => key,
            (keys, Some(id)) => keys.iter().find(|key| key.id.as_ref() == Some(&id)).ok_or(TokenError::Key)?,
            (_, None) => return Err(TokenError::Key),
        };
        let mut validation = Validation::new(key.algorithm);
        // What a token claims is checked below, all of it in one place.
        (validation.validate_exp, validation.validate_aud) = (false, false);
        validation.required_spec_claims = HashSet::new();
        let claims = match decode::<Claims>(token, &key.key, &validation) {
            Ok(decoded) => decoded.claims,
            Err(error) => {
                use jsonwebtoken::errors::ErrorKind::{InvalidAlgorithm, InvalidKeyFormat, InvalidSignature};
                return Err(match error.kind() {
                    InvalidSignature | InvalidAlgorithm | InvalidKeyFormat => TokenError::Signature,
                    _ => TokenError::Malformed,
                });
            }
        };
        self.check(claims, now)
    }

    fn check(&self, claims: Claims, now: i64) -> Result<Admission, TokenError> {
        if self.host.is_some() && claims.host != self.host {
            return Err(TokenError::Host);
        }
        if let Some(audience) = &self.audience {
            let is_meant = match &claims.aud {
                Some(Audience::One(name)) => name == audience,
                Some(Audience::Many(names)) => names.contains(audience),
                None => false,
            };
            if !is_meant {
                return Err(TokenError::Audience);
            }
        }
        let ends = claims.expires_at.or(claims.exp).ok_or(TokenError::NoEnd)?;
        if [claims.exp, claims.expires_at].into_iter().flatten().any(|end| now > end.saturating_add(LEEWAY)) {
            return Err(TokenError::Expired);
        }
        if claims.nbf.is_some_and(|start| now < start.saturating_sub(LEEWAY)) {
            return Err(TokenError::Early);
        }
        Ok(Admission { visitor: Visitor::member(claims.groups.unwrap_or_default()), ends })
    }
}

/// The algorithms that the configuration allows.
fn allowed(names: Option<&[String]>) -> Result<Vec<Algorithm>, String> {
    let Some(names) = names else { return Ok(vec![Algorithm::EdDSA, Algorithm::ES256]) };
    let algorithm = |name: &String| match name.as_str() {
        "EdDSA" => Ok(Algorithm::EdDSA),
        "ES256" => Ok(Algorithm::ES256),
        "RS256" => Ok(Algorithm::RS256),
        "HS256" => Ok(Algorithm::HS256),
        _ => Err(format!("`algorithms`: {name:?} is none of EdDSA, ES256, RS256, HS256")),
    };
    names.iter().map(algorithm).collect()
}

/// The one algorithm that a key is for.
fn algorithm(key: &DecodingKey, allowed: &[Algorithm]) -> Result<Algorithm, String> {
    let algorithm = match key.family() {
        AlgorithmFamily::Ed => Algorithm::EdDSA,
        // A point of P-256, not compressed; P-384 is longer.
        AlgorithmFamily::Ec if key.try_get_as_bytes().is_ok_and(|point| point.len() == 65) => Algorithm::ES256,
        AlgorithmFamily::Ec => return Err("holds a key of another curve than P-256".into()),
        AlgorithmFamily::Rsa => Algorithm::RS256,
        AlgorithmFamily::Hmac => Algorithm::HS256,
    };
    match allowed.contains(&algorithm) {
        true => Ok(algorithm),
        false => Err(format!("holds a key for {algorithm:?}, which `algorithms` does not name")),
    }
}

#[cfg(test)]
mod tests;
