//! Deleting objects that no site points to any more: those that docsh has uploaded for this very site, and no others.
//!
//! An object counts as docsh's when its key has the form of docsh's uploads (`PREFIX/<8 digits>/PATH`) and its own
//! metadata names the site.
use super::{Fault, LazyFiles, Target, broken, check_status, text_of};
use crate::store::{
    StoreError,
    answer::{self, Unread},
    bridge,
};
use docsh_builtins::Cancel;
use reqwest::{Method, header::HeaderMap};
use serde::Deserialize;
use std::collections::HashSet;

/// The header that names the site an object was uploaded for.
pub(super) const SITE: &str = "x-amz-meta-docsh-site";

/// The longest listing that is read, in bytes; a thousand objects, which is what one may name, need a fifth of it.
const LISTING: u64 = 8 << 20;

/// The answer to ListObjectsV2.
#[derive(Deserialize)]
struct Listing {
    #[serde(rename = "Contents", default)]
    contents: Vec<Object>,
    #[serde(rename = "NextContinuationToken")]
    next: Option<String>,
}

#[derive(Deserialize)]
struct Object {
    #[serde(rename = "Key")]
    key: String,
}

impl LazyFiles {
    /// Delete the objects below `place` (`s3://bucket/prefix`) that were uploaded for `site` and whose addresses are
    /// not in `keep`, and tell how many those were.
    pub fn clean(&self, place: &str, site: &str, keep: &HashSet<String>, cancel: &Cancel) -> Result<usize, StoreError> {
        let place = place.trim_end_matches('/');
        // Any key of the place tells its bucket.
        let target =
            self.target(&format!("{place}/key")).map_err(|reason| StoreError::Lazy { reason: reason.into() })?;
        let Target::Object { bucket, key } = target else { return Ok(0) };
        let prefix = key.strip_suffix("key").unwrap_or_default();
        let mut stale = Vec::new();
        let mut from = None;
        loop {
            let listing = self.wait(async || self.list(&bucket, prefix, from.as_deref()).await, cancel)?;
            let keys = listing.contents.into_iter().map(|object| object.key);
            stale.extend(keys.filter(|key| is_upload(key, prefix) && !keep.contains(&format!("s3://{bucket}/{key}"))));
            from = listing.next;
            if from.is_none() {
                break;
            }
        }
        let mut deleted = 0;
        for key in stale {
            deleted += usize::from(self.wait(async || self.delete(&bucket, &key, site).await, cancel)?);
        }
        Ok(deleted)
    }

    async fn list(&self, bucket: &str, prefix: &str, from: Option<&str>) -> Result<Listing, Fault> {
        let clients =
            self.clients().map_err(|_| Fault::Lasting("cannot be listed: no connection can be made".into()))?;
        let mut query = vec![("list-type", "2"), ("prefix", prefix)];
        query.extend(from.map(|token| ("continuation-token", token)));
        bridge::count_request("s3");
        let answer = clients.s3.listing(bucket, &query).await?.send().await.map_err(|error| broken(&error))?;
        check_status(answer.status())?;
        let odd = || Fault::Lasting("cannot be listed (its server answers oddly)".into());
        let text = answer::body(answer, LISTING).await.map_err(|unread| match unread {
            Unread::TooLong => odd(),
            Unread::Broken(error) => broken(&error),
        })?;
        quick_xml::de::from_reader(&text[..]).map_err(|_| odd())
    }

    /// Delete an object, if it was uploaded for `site`; whether it was.
    async fn delete(&self, bucket: &str, key: &str, site: &str) -> Result<bool, Fault> {
        let clients =
            self.clients().map_err(|_| Fault::Lasting("cannot be deleted: no connection can be made".into()))?;
        let send = async |method| {
            let request = clients.s3.request(method, bucket, key, HeaderMap::new()).await?;
            bridge::count_request("s3");
            let answer = request.send().await.map_err(|error| broken(&error))?;
            check_status(answer.status()).map(|()| answer)
        };
        let is_ours = text_of(&send(Method::HEAD).await?, SITE).as_deref() == Some(site);
        if is_ours {
            send(Method::DELETE).await?;
        }
        Ok(is_ours)
    }
}

/// Whether a key has the form of those that docsh uploads to.
fn is_upload(key: &str, prefix: &str) -> bool {
    let version = key.strip_prefix(prefix).and_then(|rest| rest.split_once('/')).map(|(version, _)| version);
    version.is_some_and(|version| version.len() == 8 && version.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_uploads_are_looked_at() {
        let rows = [
            ("docs/0123abcd/a/b.json", true),
            ("docs/0123abcd", false),
            ("docs/0123abc/a", false),
            ("docs/0123abcz/a", false),
            ("other/0123abcd/a", false),
        ];
        for (key, expected) in rows {
            assert_eq!(is_upload(key, "docs/"), expected, "{key}");
        }
    }

    #[test]
    fn a_listing_is_read() {
        let xml = "<?xml version=\"1.0\"?><ListBucketResult><Name>b</Name><Contents><Key>a &amp; b</Key><Size>1</Size>\
                   </Contents><Contents><Key>c</Key></Contents><NextContinuationToken>t</NextContinuationToken>\
                   </ListBucketResult>";
        let listing: Listing = quick_xml::de::from_str(xml).unwrap();
        let keys: Vec<&str> = listing.contents.iter().map(|object| object.key.as_str()).collect();
        assert_eq!((keys, listing.next.as_deref()), (vec!["a & b", "c"], Some("t")));
    }
}
