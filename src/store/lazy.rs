//! Large files that a site only points to: in S3, or at an https address.
//!
//! A pointer is obeyed only where the configuration allows its bucket or host. Reads are ranged: `Content-Range` is the
//! proof of a partial answer, `If-Match` the proof that it is still the same file; whatever else comes back is an error
//! in words that name neither bucket, key, host nor credential. No client follows a redirect, and nothing that
//! identifies docsh goes to an https address.
mod clean;
mod guard;
mod s3;

pub use s3::S3Config;

use super::{
    StoreError,
    bridge::{self, Cut},
    retry::{Next, retry},
    tls,
};
use crate::site::tree::Lazy;
use bytes::Bytes;
use docsh_builtins::Cancel;
use reqwest::{
    Method, StatusCode,
    header::{self, HeaderMap, HeaderName, HeaderValue},
    redirect,
};
use std::{
    ops::Range,
    sync::{Arc, OnceLock},
    time::Duration,
};

/// Longer than any answer of a server that works.
const CONNECT: Duration = Duration::from_secs(5);
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

/// A pointer being read.
struct Remote {
    files: Arc<LazyFiles>,
    target: Target,
    len: u64,
    /// The version that the first answer was of, or that the tree names.
    etag: Option<String>,
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

/// A range of a file, and what the server says of the whole.
struct Part {
    bytes: Bytes,
    total: u64,
    etag: Option<String>,
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
        let mut remote = Remote { files: self.clone(), target, len: size.unwrap_or(0), etag };
        if size.is_none() {
            let first = remote.fetch(0..1, None, cancel)?;
            (remote.len, remote.etag) = (first.total, remote.etag.or(first.etag));
        }
        Ok(Box::new(remote))
    }

    /// Upload `text` of `site` for `url`, which must be `s3://`, unless the object is there with this size: the address
    /// names its version. The answer is what the tree says of it.
    pub fn put(&self, url: &str, site: &str, text: Bytes, cancel: &Cancel) -> Result<Lazy, StoreError> {
        let refuse = |reason: &str| StoreError::Lazy { reason: reason.into() };
        let Target::Object { bucket, key } = self.target(url).map_err(refuse)? else {
            return Err(refuse("can only be uploaded to S3"));
        };
        let clients = self.clients()?;
        let mark = HeaderValue::from_str(site).map_err(|_| refuse("cannot be uploaded under this site's name"))?;
        let mark = HeaderMap::from_iter([(HeaderName::from_static(clean::SITE), mark)]);
        let once = async || {
            let range = HeaderMap::from_iter([(header::RANGE, HeaderValue::from_static("bytes=0-0"))]);
            let there = clients.s3.request(Method::GET, &bucket, &key, range).await?;
            bridge::count_request("s3");
            let there = there.send().await.map_err(|error| broken(&error))?;
            let answer = match total(&there) == Some(text.len() as u64) {
                true => there,
                false => {
                    let request = clients.s3.request(Method::PUT, &bucket, &key, mark.clone()).await?;
                    bridge::count_request("s3");
                    request.body(text.clone()).send().await.map_err(|error| broken(&error))?
                }
            };
            let etag = text_of(&answer, "etag");
            check_status(answer.status()).map(|()| etag)
        };
        let etag = self.wait(once, cancel)?;
        let etag = etag.map(|etag| etag.trim_matches('"').into());
        Ok(Lazy { url: url.into(), etag })
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
            let tls = tls::config()?;
            let usual = || {
                let builder = reqwest::Client::builder().tls_backend_preconfigured(tls.clone());
                let builder = builder.redirect(redirect::Policy::none()).no_proxy();
                builder.connect_timeout(CONNECT).read_timeout(SILENCE)
            };
            let s3 = usual().build().map_err(|error| error.to_string())?;
            let guarded = usual().https_only(true).dns_resolver(guard::Public::new(&self.config.https_hosts));
            let https = guarded.build().map_err(|error| error.to_string())?;
            Ok(Clients { s3: s3::Buckets::new(&self.config.s3, s3), https })
        });
        clients.as_ref().map_err(|_| StoreError::Lazy { reason: "cannot be fetched: no connection can be made".into() })
    }
}

impl Remote {
    fn fetch(&self, range: Range<u64>, total: Option<u64>, cancel: &Cancel) -> Result<Part, StoreError> {
        let clients = self.files.clients()?;
        let mut headers = HeaderMap::new();
        let lasting = |_| StoreError::Lazy { reason: "has an impossible version".into() };
        headers.insert("range", format!("bytes={}-{}", range.start, range.end - 1).parse().map_err(lasting)?);
        if let Some(etag) = &self.etag {
            headers.insert("if-match", etag.parse().map_err(lasting)?);
        }
        let once = async || {
            let request = match &self.target {
                Target::Object { bucket, key } => clients.s3.request(Method::GET, bucket, key, headers.clone()).await?,
                Target::Address(url) => clients.https.get(url.clone()).headers(headers.clone()),
            };
            bridge::count_request("file");
            let answer = request.send().await.map_err(|error| broken(&error))?;
            check(answer, &range, total).await
        };
        self.files.wait(once, cancel)
    }
}

impl Blob for Remote {
    fn len(&self) -> u64 {
        self.len
    }

    fn read(&self, range: Range<u64>, cancel: &Cancel) -> Result<Bytes, StoreError> {
        if range.is_empty() {
            return Ok(Bytes::new());
        }
        self.fetch(range, Some(self.len), cancel).map(|part| part.bytes)
    }
}

/// The bytes of an answer, if it is one to what was asked.
async fn check(answer: reqwest::Response, range: &Range<u64>, total: Option<u64>) -> Result<Part, Fault> {
    let lasting = |reason: &str| Err(Fault::Lasting(reason.to_string()));
    check_status(answer.status())?;
    let etag = text_of(&answer, "etag");
    let (start, end, length) = match text_of(&answer, "content-range").as_deref().map(content_range) {
        Some(Some(found)) => found,
        // The whole file, in answer to a request for what is the whole file.
        None if range.start == 0 && answer.content_length() == Some(range.end) => (0, range.end, range.end),
        _ => return lasting("cannot be fetched in parts"),
    };
    if total.is_some_and(|total| total != length) {
        return lasting("has another size than the site says");
    }
    if start != range.start || end != range.end.min(length) {
        return lasting("cannot be fetched in parts");
    }
    let bytes = answer.bytes().await.map_err(|error| broken(&error))?;
    match bytes.len() as u64 == end - start {
        true => Ok(Part { bytes, total: length, etag }),
        false => Err(Fault::Passing("was cut off on its way".into())),
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

/// How large the file is that a part was given of.
fn total(answer: &reqwest::Response) -> Option<u64> {
    let found = text_of(answer, "content-range").as_deref().and_then(content_range).map(|(_, _, total)| total);
    found.filter(|_| answer.status().is_success())
}

/// The start, the end and the whole of `bytes START-LAST/TOTAL`.
fn content_range(text: &str) -> Option<(u64, u64, u64)> {
    let (range, total) = text.strip_prefix("bytes ")?.split_once('/')?;
    let (start, last) = range.split_once('-')?;
    Some((start.parse().ok()?, last.parse::<u64>().ok()?.checked_add(1)?, total.parse().ok()?))
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

    #[test]
    fn ranges_are_read() {
        assert_eq!(content_range("bytes 0-99/1000"), Some((0, 100, 1000)));
        for text in ["bytes 0-99/*", "bytes */1000", "items 0-9/10", "0-9/10", "bytes 9/10"] {
            assert_eq!(content_range(text), None, "{text}");
        }
    }
}
