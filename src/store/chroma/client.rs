//! Chroma's HTTP API v2: the handful of requests that docsh makes, typed, so that none can be sent with a filter
//! missing.
use super::filter::{OfPages, Text, Where};
use crate::{
    store::{
        answer::{self, Unread},
        bridge, http,
        retry::{Next, retry},
    },
    tree::access::Asker,
};
use reqwest::{Method, StatusCode, header::HeaderMap};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use std::{sync::Arc, time::Duration};

/// Longer than any answer of a server that works.
const SILENCE: Duration = Duration::from_secs(30);
/// The longest answer that is read, in bytes. A tree of a million pages needs a third of it.
const LONGEST: u64 = 256 << 20;

/// A database of a Chroma server.
pub(super) struct Client {
    http: reqwest::Client,
    /// `…/api/v2/tenants/T/databases/D/collections`.
    collections: String,
    /// What no message may hold.
    secrets: Vec<String>,
}

/// What went wrong with a request.
#[derive(Debug)]
pub(super) enum Fault {
    /// No answer: no connection, or one that broke.
    Unreachable(String),
    /// An answer other than 2xx, with its message.
    Refused(StatusCode, String, Option<Duration>),
    /// An answer that is not what the API promises.
    Garbled(String),
    /// An answer without an end, or of too much at once.
    TooLong,
}

impl Fault {
    /// Whether a request asked for more than the server's quota allows, or than is read of one answer.
    pub(super) fn is_too_much(&self) -> bool {
        match self {
            Fault::Refused(StatusCode::UNPROCESSABLE_ENTITY, message, _) => message.contains("uota"),
            Fault::TooLong => true,
            Fault::Refused(..) | Fault::Unreachable(_) | Fault::Garbled(_) => false,
        }
    }

    /// Whether the server knows no such collection.
    pub(super) fn is_not_found(&self) -> bool {
        matches!(self, Fault::Refused(StatusCode::NOT_FOUND, ..))
    }

    /// Whether the server does not take a value as it is written.
    pub(super) fn is_bad_value(&self) -> bool {
        matches!(self, Fault::Refused(StatusCode::UNPROCESSABLE_ENTITY | StatusCode::BAD_REQUEST, ..))
            && !self.is_too_much()
    }

    fn next(&self) -> Next {
        match self {
            Fault::Unreachable(_) => Next::Again(None),
            Fault::Refused(status, _, pause) if matches!(status.as_u16(), 429 | 502 | 503 | 504) => Next::Again(*pause),
            Fault::Refused(..) | Fault::Garbled(_) | Fault::TooLong => Next::Never,
        }
    }
}

/// A collection as the server describes it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Collection {
    pub(super) id: Arc<str>,
    #[serde(default)]
    pub(super) dimension: Option<u32>,
    #[serde(default)]
    schema: Value,
}

impl Collection {
    /// Whether its text index knows whole words only.
    pub(super) fn is_word_index(&self) -> bool {
        let algorithm = self.schema.pointer("/keys/#document/string/fts_index/config/algorithm");
        algorithm.and_then(Value::as_str) == Some("token_bitmap")
    }
}

/// Which records to get.
#[derive(Clone, Copy, Debug)]
pub(super) enum Which<'a> {
    /// Those with these ids. None for none.
    Ids(&'a [String]),
    /// Those of these pages. None for none.
    Pages(OfPages<'a>),
    /// Those with this text.
    Text(&'a Text),
    /// All of them.
    All,
}

impl Which<'_> {
    /// An empty scope asks nothing: Chroma would answer everything.
    fn is_empty(&self) -> bool {
        match self {
            Which::Ids(ids) => ids.is_empty(),
            Which::Pages(pages) => pages.slugs.is_empty(),
            Which::Text(Text::Any(any)) => any.is_empty(),
            Which::Text(_) | Which::All => false,
        }
    }
}

/// What to get of each record, beside its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Include {
    Nothing,
    Metadata,
    All,
}

/// A part of the records in the server's order.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slice {
    pub(super) limit: Option<u32>,
    pub(super) offset: u32,
}

#[derive(Serialize)]
struct GetBody<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    ids: Option<&'a [String]>,
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    filter: Option<Where<'a>>,
    #[serde(rename = "where_document", skip_serializing_if = "Option::is_none")]
    text: Option<&'a Text>,
    include: &'static [&'static str],
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<u32>,
    #[serde(skip_serializing_if = "is_zero")]
    offset: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[derive(Deserialize)]
struct GetAnswer {
    ids: Vec<String>,
    #[serde(default)]
    documents: Option<Vec<Option<String>>>,
    #[serde(default)]
    metadatas: Option<Vec<Option<Map<String, Value>>>>,
}

/// A record of a collection.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Record {
    pub(super) id: String,
    pub(super) document: Option<String>,
    pub(super) metadata: Map<String, Value>,
}

/// Records to write.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Records {
    pub(super) ids: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) embeddings: Vec<Arc<[f32]>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) documents: Vec<String>,
    pub(super) metadatas: Vec<Value>,
}

impl Records {
    /// Whether a metadata value is a list.
    pub(super) fn has_lists(&self) -> bool {
        self.metadatas.iter().filter_map(Value::as_object).any(|map| map.values().any(Value::is_array))
    }

    /// The same records with null for lists.
    pub(super) fn without_lists(&self) -> Records {
        let mut records = self.clone();
        for value in records.metadatas.iter_mut().filter_map(Value::as_object_mut).flat_map(Map::values_mut) {
            if value.is_array() {
                *value = Value::Null;
            }
        }
        records
    }
}

/// How to write them.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mode {
    /// Write them whole; of an existing record's metadata, what is not named stays.
    Upsert,
    /// Change the metadata of existing records only.
    Update,
}

impl Client {
    /// A client of the database; connects to nobody yet.
    pub(super) fn new(url: &str, tenant: &str, database: &str, headers: HeaderMap) -> Result<Client, String> {
        let secrets = secrets(&headers);
        let http =
            http::builder_for(url, SILENCE)?.default_headers(headers).build().map_err(|error| error.to_string())?;
        let mut collections = reqwest::Url::parse(url).map_err(|error| error.to_string())?;
        collections
            .path_segments_mut()
            .map_err(|()| "it is not an address of a server".to_string())?
            .pop_if_empty()
            .extend(["api", "v2", "tenants", tenant, "databases", database, "collections"]);
        Ok(Client { http, collections: collections.into(), secrets })
    }

    /// The collection of this name.
    pub(super) async fn collection(&self, name: &str) -> Result<Collection, Fault> {
        self.send(Method::GET, &[name], None::<&()>).await
    }

    /// The collection of this name, made if need be.
    pub(super) async fn create(&self, name: &str) -> Result<Collection, Fault> {
        let body = serde_json::json!({ "name": name, "get_or_create": true });
        self.send(Method::POST, &[], Some(&body)).await
    }

    /// Records, in the server's order, which is not the order of ids; with `asker`, those that it may see.
    pub(super) async fn get(
        &self,
        collection: &str,
        which: Which<'_>,
        asker: Option<&Asker>,
        include: Include,
        slice: Slice,
    ) -> Result<Vec<Record>, Fault> {
        if which.is_empty() {
            return Ok(Vec::new());
        }
        let (ids, pages, text) = match which {
            Which::Ids(ids) => (Some(ids), None, None),
            Which::Pages(pages) => (None, Some(pages), None),
            Which::Text(text) => (None, None, Some(text)),
            Which::All => (None, None, None),
        };
        let include: &[&str] = match include {
            Include::Nothing => &[],
            Include::Metadata => &["metadatas"],
            Include::All => &["documents", "metadatas"],
        };
        let Slice { limit, offset } = slice;
        let body = GetBody { ids, filter: Where::of(pages, asker), text, include, limit, offset };
        let answer: GetAnswer = self.send(Method::POST, &[collection, "get"], Some(&body)).await?;
        let count = answer.ids.len();
        let mut documents = answer.documents.unwrap_or_default().into_iter();
        let mut metadatas = answer.metadatas.unwrap_or_default().into_iter();
        let wrong = |len: usize| len != 0 && len != count;
        if wrong(documents.len()) || wrong(metadatas.len()) {
            return Err(Fault::Garbled("its lists have different lengths".into()));
        }
        let record = |id| Record {
            id,
            document: documents.next().flatten(),
            metadata: metadatas.next().flatten().unwrap_or_default(),
        };
        Ok(answer.ids.into_iter().map(record).collect())
    }

    /// Write records.
    pub(super) async fn write(&self, collection: &str, mode: Mode, records: &Records) -> Result<(), Fault> {
        let verb = match mode {
            Mode::Upsert => "upsert",
            Mode::Update => "update",
        };
        self.send::<Value>(Method::POST, &[collection, verb], Some(records)).await.map(drop)
    }

    /// Delete the records with these ids. None for none.
    pub(super) async fn delete(&self, collection: &str, ids: &[String]) -> Result<(), Fault> {
        if ids.is_empty() {
            return Ok(());
        }
        let body = serde_json::json!({ "ids": ids });
        self.send::<Value>(Method::POST, &[collection, "delete"], Some(&body)).await.map(drop)
    }

    /// A request and its answer, asked again while the fault is one that passes.
    async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &[&str],
        body: Option<&impl Serialize>,
    ) -> Result<T, Fault> {
        let mut url = reqwest::Url::parse(&self.collections).map_err(|error| Fault::Unreachable(error.to_string()))?;
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.extend(path);
        }
        let body = match body.map(serde_json::to_vec).transpose() {
            Ok(body) => body.map(bytes::Bytes::from),
            Err(error) => return Err(Fault::Garbled(error.to_string())),
        };
        let once = async || {
            let mut request = self.http.request(method.clone(), url.clone());
            if let Some(body) = &body {
                request = request.header("content-type", "application/json").body(body.clone());
            }
            bridge::count_request("chroma");
            let answer = request.send().await.map_err(unreachable)?;
            let (status, pause) = (answer.status(), retry_after(answer.headers()));
            let bytes = answer::body(answer, LONGEST).await.map_err(|unread| match unread {
                Unread::TooLong => Fault::TooLong,
                Unread::Broken(error) => unreachable(error),
            })?;
            if !status.is_success() {
                return Err(Fault::Refused(status, message(&bytes, &self.secrets), pause));
            }
            serde_json::from_slice(&bytes).map_err(|error| Fault::Garbled(error.to_string()))
        };
        retry(once, Fault::next).await
    }
}

/// The innermost cause, which is the one to mend, without the address.
fn unreachable(error: reqwest::Error) -> Fault {
    let error = error.without_url();
    if error.is_timeout() {
        return Fault::Unreachable("it does not answer in time".into());
    }
    let mut cause: &dyn std::error::Error = &error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let text = cause.to_string();
    Fault::Unreachable(text.split(" (os error").next().unwrap_or(&text).to_string())
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    headers.get("retry-after")?.to_str().ok()?.parse().ok().map(Duration::from_secs)
}

/// What is never shown of the headers that are sent: their values, and of one like `Bearer x` the last word.
fn secrets(headers: &HeaderMap) -> Vec<String> {
    let values = headers.values().filter_map(|value| value.to_str().ok());
    let parts = values.flat_map(|value| [Some(value), value.rsplit_once(' ').map(|(_, last)| last)]);
    // Shorter ones are no secrets, and stand in many a word.
    parts.flatten().filter(|secret| secret.len() > 3).map(String::from).collect()
}

/// What the server says is wrong, on one line. It may say it with what it was sent.
fn message(body: &[u8], secrets: &[String]) -> String {
    let text = match serde_json::from_slice::<Value>(body) {
        Ok(value) => value.get("message").and_then(Value::as_str).map(str::to_string),
        Err(_) => Some(String::from_utf8_lossy(body).into_owned()),
    };
    let text = secrets.iter().fold(text.unwrap_or_default(), |text, secret| text.replace(secret, "(secret)"));
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    line.trim().chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;

    #[test]
    fn what_a_server_says_shows_nothing_of_the_headers_it_was_sent() {
        let mut headers = HeaderMap::new();
        headers.insert("x-chroma-token", HeaderValue::from_static("ck-12345"));
        headers.insert("authorization", HeaderValue::from_static("Bearer s3cr3t-token"));
        headers.insert("x-short", HeaderValue::from_static("a"));
        let told = |body: &str| message(body.as_bytes(), &secrets(&headers));
        assert_eq!(told(r#"{"message":"no access for ck-12345"}"#), "no access for (secret)");
        assert_eq!(
            told("<p>Bearer s3cr3t-token\nof s3cr3t-token is no good</p>"),
            "<p>(secret) of (secret) is no good</p>"
        );
        assert_eq!(told(r#"{"message":"a message"}"#), "a message");
    }
}
