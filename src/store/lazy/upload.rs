//! Uploading the files that a site will point to.
use super::{LazyFiles, Target, broken, check_status, clean, remote::content_range, text_of};
use crate::{
    store::{StoreError, bridge},
    tree::Lazy,
};
use bytes::Bytes;
use docsh_builtins::Cancel;
use reqwest::{
    Method,
    header::{self, HeaderMap, HeaderName, HeaderValue},
};

impl LazyFiles {
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
}

/// How large the file is that a part was given of.
fn total(answer: &reqwest::Response) -> Option<u64> {
    let found = text_of(answer, "content-range").as_deref().and_then(content_range).map(|(_, _, total)| total);
    found.filter(|_| answer.status().is_success())
}
