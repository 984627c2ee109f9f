//! Objects of S3: where they are, and requests that are signed for them.
//!
//! Credentials come from AWS's usual places (environment, profile files, web identity, ECS, the instance), found by
//! `reqsign`; variables that are set to nothing count as not set, and the instance's service is asked for a second
//! only.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "credentials are files and variables of the host"
)]
use super::Fault;
use crate::store::{
    answer::{self, Unread},
    bridge,
};
use bytes::Bytes;
use reqsign_aws_v4::{Credential, DefaultCredentialProvider, RequestSigner};
use reqsign_core::{Context, Env, Error, FileRead, HttpSend, Result as Signed, Signer};
use reqwest::{Method, header::HeaderMap};
use std::{collections::HashMap, env, path::PathBuf, time::Duration};

/// The longest wait for a service that gives credentials.
const PATIENCE: Duration = Duration::from_secs(1);
/// The longest answer of one, in bytes.
const CREDENTIALS: u64 = 1 << 20;

/// How buckets are reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct S3Config {
    /// The server, if it is not AWS.
    pub endpoint: Option<String>,
    /// The region; the environment's, else `us-east-1`.
    pub region: Option<String>,
    /// Requests are not signed: the buckets are public.
    pub anonymous: bool,
}

/// A client of some buckets.
pub(super) struct Buckets {
    endpoint: Option<String>,
    region: String,
    http: reqwest::Client,
    /// None for buckets that are public.
    signer: Option<Signer<Credential>>,
}

impl Buckets {
    pub(super) fn new(config: &S3Config, http: reqwest::Client) -> Buckets {
        let host = Host { http: http.clone() };
        let named = || ["AWS_REGION", "AWS_DEFAULT_REGION"].into_iter().find_map(|name| host.var(name));
        let region = config.region.clone().or_else(named).unwrap_or_else(|| "us-east-1".to_string());
        let context = Context::new().with_file_read(host.clone()).with_http_send(host.clone()).with_env(host);
        let signer = || Signer::new(context, DefaultCredentialProvider::new(), RequestSigner::new("s3", &region));
        let signer = (!config.anonymous).then(signer);
        let endpoint = config.endpoint.as_ref().map(|url| url.trim_end_matches('/').to_string());
        Buckets { endpoint, region, http, signer }
    }

    /// A signed request for an object.
    pub(super) async fn request(
        &self,
        method: Method,
        bucket: &str,
        key: &str,
        headers: HeaderMap,
    ) -> Result<reqwest::RequestBuilder, Fault> {
        self.signed(method, self.url(bucket, key), headers).await
    }

    /// A signed request for what a bucket holds.
    pub(super) async fn listing(&self, bucket: &str, query: &[(&str, &str)]) -> Result<reqwest::RequestBuilder, Fault> {
        let query: Vec<String> =
            query.iter().map(|(name, value)| format!("{name}={}", encoded(value).replace('/', "%2F"))).collect();
        self.signed(Method::GET, format!("{}?{}", self.url(bucket, ""), query.join("&")), HeaderMap::new()).await
    }

    async fn signed(&self, method: Method, url: String, headers: HeaderMap) -> Result<reqwest::RequestBuilder, Fault> {
        let lasting = |reason: &str| Fault::Lasting(reason.to_string());
        let request = http::Request::builder().method(&method).uri(&url).body(());
        let (mut parts, ()) = request.map_err(|_| lasting("has no address"))?.into_parts();
        parts.headers = headers;
        if let Some(signer) = &self.signer {
            let denied = |_| lasting("may not be fetched (there are no credentials for its store)");
            signer.sign(&mut parts, None).await.map_err(denied)?;
        }
        Ok(self.http.request(method, url).headers(parts.headers))
    }

    /// AWS names buckets in the host, where its certificate covers them; other servers in the path.
    fn url(&self, bucket: &str, key: &str) -> String {
        let key = encoded(key);
        match &self.endpoint {
            Some(endpoint) => format!("{endpoint}/{bucket}/{key}"),
            None if bucket.contains('.') => format!("https://s3.{}.amazonaws.com/{bucket}/{key}", self.region),
            None => format!("https://{bucket}.s3.{}.amazonaws.com/{key}", self.region),
        }
    }
}

/// A key as a signed address holds it: every byte but the unreserved ones as `%XX`, slashes as they are.
fn encoded(key: &str) -> String {
    let mut text = String::with_capacity(key.len());
    for byte in key.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => text.push(byte.into()),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

/// What the search for credentials may touch: files, variables, and the services that give them out.
#[derive(Clone, Debug)]
struct Host {
    http: reqwest::Client,
}

impl FileRead for Host {
    async fn file_read(&self, path: &str) -> Signed<Vec<u8>> {
        // Small files of the user: quicker than a thread for them.
        std::fs::read(path).map_err(|error| Error::unexpected(error.to_string()))
    }
}

impl Env for Host {
    fn var(&self, key: &str) -> Option<String> {
        env::var(key).ok().filter(|value| !value.is_empty())
    }

    fn vars(&self) -> HashMap<String, String> {
        env::vars().filter(|(_, value)| !value.is_empty()).collect()
    }

    fn home_dir(&self) -> Option<PathBuf> {
        self.var("HOME").map(PathBuf::from)
    }
}

impl HttpSend for Host {
    async fn http_send(&self, request: http::Request<Bytes>) -> Signed<http::Response<Bytes>> {
        let failed = |error: reqwest::Error| Error::unexpected(error.without_url().to_string());
        let (parts, body) = request.into_parts();
        let request = self.http.request(parts.method, parts.uri.to_string()).headers(parts.headers).body(body);
        bridge::count_request("credentials");
        let answer = request.timeout(PATIENCE).send().await.map_err(failed)?;
        let mut response = http::Response::builder().status(answer.status());
        if let Some(headers) = response.headers_mut() {
            *headers = answer.headers().clone();
        }
        let body = answer::body(answer, CREDENTIALS).await.map_err(|unread| match unread {
            Unread::TooLong => Error::unexpected("an answer without an end"),
            Unread::Broken(error) => failed(error),
        })?;
        response.body(body).map_err(|error| Error::unexpected(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_have_addresses() {
        let url = |endpoint: Option<&str>, bucket| {
            let config =
                S3Config { endpoint: endpoint.map(Into::into), region: Some("eu-west-1".into()), anonymous: true };
            Buckets::new(&config, crate::store::http::client(std::time::Duration::from_secs(1)).unwrap())
                .url(bucket, "a b/c+é.json")
        };
        assert_eq!(url(None, "acme"), "https://acme.s3.eu-west-1.amazonaws.com/a%20b/c%2B%C3%A9.json");
        assert_eq!(url(None, "a.b"), "https://s3.eu-west-1.amazonaws.com/a.b/a%20b/c%2B%C3%A9.json");
        assert_eq!(url(Some("http://127.0.0.1:9000/"), "acme"), "http://127.0.0.1:9000/acme/a%20b/c%2B%C3%A9.json");
    }
}
