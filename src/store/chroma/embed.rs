//! Embeddings of chunks, from any server with the interface of OpenAI: `POST …/embeddings`. They are for others who
//! search the collection by meaning; docsh itself never asks for one.
use crate::store::{
    StoreError,
    answer::{self, Unread},
    bridge, http,
    retry::{Next, retry},
};
use reqwest::StatusCode;
use serde::Deserialize;
use serde_json::json;
use std::{sync::Arc, time::Duration};

/// Texts of one request, and their bytes; servers differ in what they take, and all take this.
const TEXTS: usize = 96;
const BYTES: usize = 200_000;
/// The longest answer that is read, in bytes: several times what so many embeddings need.
const LONGEST: u64 = 64 << 20;
const SILENCE: Duration = Duration::from_secs(60);

/// Where embeddings come from.
#[derive(Clone, PartialEq, Eq)]
pub struct EmbeddingsConfig {
    /// The address, up to `/v1` or to `/embeddings`.
    pub url: String,
    /// The model.
    pub model: String,
    /// Sent as a bearer token; a secret.
    pub key: Option<String>,
}

/// A client of such a server.
pub(super) struct Embedder {
    http: reqwest::Client,
    url: String,
    config: EmbeddingsConfig,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    index: usize,
    embedding: Vec<f32>,
}

/// What went wrong with a request: whether it may pass, and the words for it.
struct Fault {
    passes: bool,
    message: String,
}

impl Embedder {
    /// A client; connects to nobody yet.
    pub(super) fn new(config: EmbeddingsConfig) -> Result<Embedder, StoreError> {
        let http = http::client(SILENCE).map_err(|error| failed(&config, error))?;
        let base = config.url.trim_end_matches('/');
        let url = if base.ends_with("/embeddings") { base.to_string() } else { format!("{base}/embeddings") };
        Ok(Embedder { http, url, config })
    }

    /// The embedding of each text, in their order, all of one length.
    pub(super) async fn embed(&self, texts: &[String]) -> Result<Vec<Arc<[f32]>>, StoreError> {
        let (mut embeddings, mut rest) = (Vec::with_capacity(texts.len()), texts);
        while !rest.is_empty() {
            let mut bytes = 0;
            let fits = rest.iter().take(TEXTS).take_while(|text| {
                bytes += text.len();
                bytes <= BYTES
            });
            let (batch, later) = rest.split_at(fits.count().max(1));
            let next = |fault: &Fault| if fault.passes { Next::Again(None) } else { Next::Never };
            let answer = retry(async || self.ask(batch).await, next).await;
            embeddings.extend(answer.map_err(|fault| failed(&self.config, fault.message))?);
            rest = later;
        }
        match embeddings.windows(2).all(|pair| pair[0].len() == pair[1].len()) {
            true => Ok(embeddings),
            false => Err(failed(&self.config, "it answers embeddings of different lengths".into())),
        }
    }

    async fn ask(&self, texts: &[String]) -> Result<Vec<Arc<[f32]>>, Fault> {
        let body = json!({ "model": self.config.model, "input": texts, "encoding_format": "float" }).to_string();
        let mut request = self.http.post(&self.url).header("content-type", "application/json").body(body);
        if let Some(key) = &self.config.key {
            request = request.bearer_auth(key);
        }
        let lost = |error: reqwest::Error| Fault { passes: true, message: error.without_url().to_string() };
        bridge::count_request("embeddings");
        let answer = request.send().await.map_err(lost)?;
        let status = answer.status();
        let bytes = answer::body(answer, LONGEST).await.map_err(|unread| match unread {
            Unread::TooLong => Fault { passes: false, message: "its answer does not end".into() },
            Unread::Broken(error) => lost(error),
        })?;
        if !status.is_success() {
            let passes = status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
            return Err(Fault { passes, message: format!("it answers with status {}", status.as_u16()) });
        }
        let wrong = |message: String| Fault { passes: false, message };
        let answer: Answer =
            serde_json::from_slice(&bytes).map_err(|error| wrong(format!("its answer is not understood ({error})")))?;
        let mut embeddings = vec![None; texts.len()];
        for Item { index, embedding } in answer.data {
            let is_sound = !embedding.is_empty() && embedding.iter().all(|number| number.is_finite());
            if let Some(place) = embeddings.get_mut(index).filter(|_| is_sound) {
                *place = Some(embedding.into());
            }
        }
        let all: Option<Vec<Arc<[f32]>>> = embeddings.into_iter().collect();
        all.ok_or_else(|| wrong("it does not answer an embedding for each text".into()))
    }
}

fn failed(config: &EmbeddingsConfig, reason: String) -> StoreError {
    StoreError::Embeddings { url: config.url.as_str().into(), reason }
}
