//! Large files that a site only points to: in S3, or at an https address.
//!
//! A pointer is obeyed only where the configuration allows its bucket or host. Reads are ranged: `Content-Range` is the
//! proof of a partial answer, `If-Match` the proof that it is still the same file; whatever else comes back is an error
//! in words that name neither bucket, key, host nor credential. No client follows a redirect, and nothing that
//! identifies docsh goes to an https address.
mod clean;
mod guard;
mod remote;
mod s3;
mod upload;

pub use s3::S3Config;

use super::{
    StoreError,
    bridge::{self, Cut},
    http,
    retry::{Next, retry},
};
use crate::tree::Lazy;
use bytes::Bytes;
use docsh_builtins::Cancel;
use remote::Remote;
use reqwest::StatusCode;
use std::{
    ops::Range,
    sync::{Arc, OnceLock},
    time::Duration,
};

/// Longer than any answer of a server that works.
const SILENCE: Duration = Duration::from_secs(30);

/// Which pointers a site obeys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LazyConfig {
    /// Buckets that `s3://` may name.
    pub buckets: Vec<String>,
    /// Hosts that `https://` may name, and addresses that a host may have although they are private.
    pub https_hosts: Vec<String>,
    /// How the buckets are reached.
    pub s3: S3Config,
}

/// The files that a site's pointers name.
pub struct LazyFiles {
    config: LazyConfig,
    clients: OnceLock<Result<Clients, String>>,
}

struct Clients {
    s3: s3::Buckets,
    https: reqwest::Client,
}

/// A file whose length is known and whose bytes are fetched by ranges.
pub trait Blob: Send + Sync {
    /// How many bytes it has.
    fn len(&self) -> u64;

    /// Whether it has none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// These bytes of it; the range is within its length.
    fn read(&self, range: Range<u64>, cancel: &Cancel) -> Result<Bytes, StoreError>;
}

/// Where a pointer leads.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    Object { bucket: String, key: String },
    Address(reqwest::Url),
}

/// Why there are no bytes, as the end of a sentence about the file.
#[derive(Debug)]
enum Fault {
    /// It would fail the same way again.
    Lasting(String),
    /// It may pass.
    Passing(String),
}

impl LazyFiles {
    /// The files that these rules allow; nobody is asked yet.
    pub fn new(config: LazyConfig) -> LazyFiles {
        LazyFiles { config, clients: OnceLock::new() }
    }

    /// The file that `lazy` names. Asks for its length only where the tree does not tell it.
    pub fn open(
        self: &Arc<Self>,
        lazy: &Lazy,
        size: Option<u64>,
        cancel: &Cancel,
    ) -> Result<Box<dyn Blob>, StoreError> {
        let target = self.target(&lazy.url).map_err(|reason| StoreError::Lazy { reason: reason.into() })?;
        let etag = lazy.etag.as_deref().map(quoted);
        Ok(Box::new(Remote::open(self.clone(), target, size, etag, cancel)?))
    }

    /// Do `once`, again if it may pass, until the run is stopped.
    fn wait<T>(&self, once: impl AsyncFn() -> Result<T, Fault>, cancel: &Cancel) -> Result<T, StoreError> {
        let next = |fault: &Fault| match fault {
            Fault::Lasting(_) => Next::Never,
            Fault::Passing(_) => Next::Again(None),
        };
        match bridge::wait(cancel, async || retry(once, next).await) {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(Fault::Lasting(reason) | Fault::Passing(reason))) => Err(StoreError::Lazy { reason }),
            Err(Cut::Stopped(stop)) => Err(stop.into()),
            Err(Cut::NoRuntime(_)) => Err(StoreError::Lazy { reason: "cannot be fetched now".into() }),
        }
    }

    /// Where a pointer leads, if it may be followed.
    fn target(&self, url: &str) -> Result<Target, &'static str> {
        if let Some(rest) = url.strip_prefix("s3://") {
            let (bucket, key) = rest.split_once('/').filter(|(_, key)| !key.is_empty()).ok_or("has no address")?;
            // A client would take the key's `..` for a step out of the bucket.
            if key.split('/').any(|name| matches!(name, "." | "..")) {
                return Err("has no address");
            }
            let is_allowed = self.config.buckets.iter().any(|allowed| allowed == bucket);
            let object = || Target::Object { bucket: bucket.to_string(), key: key.to_string() };
            return if is_allowed { Ok(object()) } else { Err("is at an address that the site does not allow") };
        }
        let address = reqwest::Url::parse(url).map_err(|_| "has no address")?;
        guard::check(&address, &self.config.https_hosts)?;
        Ok(Target::Address(address))
    }

    fn clients(&self) -> Result<&Clients, StoreError> {
        let clients = self.clients.get_or_init(|| {
            let s3 = http::client(SILENCE)?;
            let guarded =
                http::builder(SILENCE)?.https_only(true).dns_resolver(guard::Public::new(&self.config.https_hosts));
            let https = guarded.build().map_err(|error| error.to_string())?;
            Ok(Clients { s3: s3::Buckets::new(&self.config.s3, s3), https })
        });
        clients.as_ref().map_err(|_| StoreError::Lazy { reason: "cannot be fetched: no connection can be made".into() })
    }
}

/// Whether a request has succeeded.
fn check_status(status: StatusCode) -> Result<(), Fault> {
    let lasting = |reason: &str| Err(Fault::Lasting(reason.to_string()));
    match status {
        _ if status.is_success() => Ok(()),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => lasting("may not be fetched (access is denied)"),
        StatusCode::NOT_FOUND => lasting("is not where the site says"),
        StatusCode::PRECONDITION_FAILED => lasting("has changed since the site was written"),
        StatusCode::RANGE_NOT_SATISFIABLE => lasting("is shorter than the site says"),
        _ if status.is_redirection() => lasting("has moved; redirects are not followed"),
        _ if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
            Err(Fault::Passing("cannot be fetched now (its server is busy or broken)".into()))
        }
        _ => lasting("cannot be fetched (its server refuses the request)"),
    }
}

fn text_of(answer: &reqwest::Response, name: &str) -> Option<String> {
    answer.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_string)
}

fn broken(error: &reqwest::Error) -> Fault {
    match error.is_timeout() {
        true => Fault::Passing("cannot be fetched (no answer in time)".into()),
        false => Fault::Passing("cannot be fetched (no connection, or one that broke)".into()),
    }
}

/// An entity tag as HTTP writes it.
fn quoted(etag: &str) -> String {
    if etag.starts_with('"') || etag.starts_with("W/") { etag.to_string() } else { format!("\"{etag}\"") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_allowed_pointers_are_followed() {
        let files = LazyFiles::new(LazyConfig {
            buckets: vec!["acme-specs".into()],
            https_hosts: vec!["specs.acme.com".into()],
            ..LazyConfig::default()
        });
        let object = Target::Object { bucket: "acme-specs".into(), key: "a/v2.json".into() };
        assert_eq!(files.target("s3://acme-specs/a/v2.json"), Ok(object));
        assert!(matches!(files.target("https://specs.acme.com/v2.json?x=1"), Ok(Target::Address(_))));
        for url in [
            "s3://other/v2.json",
            "s3://acme-specs",
            "s3://acme-specs/",
            "s3://acme-specs/../other/v2.json",
            "s3://acme-specs/a/../../other/v2.json",
            "s3://acme-specs/a/./v2.json",
            "s3://acme-specs/..",
            "https://evil.example/v2.json",
            "https://user@specs.acme.com/v2.json",
            "http://specs.acme.com/v2.json",
            "file:///etc/passwd",
            "specs.acme.com/v2.json",
        ] {
            assert!(files.target(url).is_err(), "{url}");
        }
        assert!(LazyFiles::new(LazyConfig::default()).target("s3://acme-specs/v2.json").is_err());
    }
}
