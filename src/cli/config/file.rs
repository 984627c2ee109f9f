//! The configuration file as it is written. A key that is not here refuses to start, by name.
use super::units::{Bytes, Span};
use docsh_builtins::Limits;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::PathBuf};

/// The whole file.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// The site to explore when none is named.
    pub default_site: Option<String>,
    /// The sites by name.
    #[serde(default)]
    pub sites: BTreeMap<String, SiteTable>,
    /// What a run may use.
    #[serde(default)]
    pub limits: LimitsTable,
    /// What is kept of sites whose store is not at hand.
    #[serde(default)]
    pub cache: CacheTable,
    /// Where `docsh ingest` gets embeddings for Chroma from.
    pub embeddings: Option<EmbeddingsTable>,
}

/// A server of embeddings with the interface of OpenAI.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct EmbeddingsTable {
    /// Its address, up to `/v1` or to `/embeddings`.
    pub url: String,
    /// The model.
    pub model: String,
    /// The variable that holds the key.
    pub key_env: Option<String>,
    /// The file that holds it.
    pub key_file: Option<PathBuf>,
}

/// What is kept, and where.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CacheTable {
    /// Whether anything is kept on the disk.
    pub disk: Option<bool>,
    /// The folder, if it is not the user's usual one.
    pub folder: Option<PathBuf>,
    /// The most bytes on the disk.
    pub size: Option<Bytes>,
    /// The most bytes of page text in memory.
    pub memory: Option<Bytes>,
    /// The variable that holds the address of a Redis server.
    pub redis_env: Option<String>,
    /// The file that holds it.
    pub redis_file: Option<PathBuf>,
}

/// Which kind of store a site is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StoreKind {
    /// A file that `docsh ingest` has written.
    Embedded,
    /// A Chroma collection.
    Chroma,
    /// The example in the binary.
    Bundled,
}

/// What to do with access rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Everything is public.
    Open,
}

/// One site.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SiteTable {
    /// Where it is; a site with a `url` is in Chroma, any other in a file.
    pub store: Option<StoreKind>,
    /// Embedded: the file, if it is not in docsh's own folder.
    pub file: Option<PathBuf>,
    /// Chroma: the server.
    pub url: Option<String>,
    /// Chroma: the tenant.
    pub tenant: Option<String>,
    /// Chroma: the database.
    pub database: Option<String>,
    /// Chroma: the collection, if it is not called as the site.
    pub collection: Option<String>,
    /// Chroma: the variable that holds the value of `x-chroma-token`.
    pub token_env: Option<String>,
    /// Chroma: the file that holds it.
    pub token_file: Option<PathBuf>,
    /// Headers that are no secret.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Headers whose values are in these variables.
    #[serde(default)]
    pub headers_env: BTreeMap<String, String>,
    /// Headers whose values are in these files.
    #[serde(default)]
    pub headers_file: BTreeMap<String, PathBuf>,
    /// The metadata field of a chunk's page.
    pub page_field: Option<String>,
    /// The metadata field of a chunk's number.
    pub index_field: Option<String>,
    /// What stands between the chunks of a page.
    pub joiner: Option<String>,
    /// What pages without a suffix are shown with.
    pub page_extension: Option<String>,
    /// The address of the site on the web.
    pub base_url: Option<String>,
    /// What to do with access rules.
    pub access: Option<Access>,
    /// Whether whoever starts docsh may say who the visitor is (`--as`).
    pub trust_caller: Option<bool>,
    /// The host that tokens must be for.
    pub host: Option<String>,
    /// The audience that tokens must be for.
    pub audience: Option<String>,
    /// The file with the public key (PEM) that tokens are signed with.
    pub key_file: Option<PathBuf>,
    /// The file with the public keys (JWKS).
    pub jwks_file: Option<PathBuf>,
    /// Which algorithms tokens may be signed with; those of Ed25519 and P-256 unless named.
    pub algorithms: Option<Vec<String>>,
    /// Chroma: API descriptions with parts for some visitors only, as patterns of their paths.
    #[serde(default)]
    pub views: Vec<String>,
    /// Chroma: whether each request also says what the visitor may see.
    pub acl_in_query: Option<bool>,
    /// Up to how many bytes of text a long-lived process reads the whole site ahead.
    pub warm_limit: Option<Bytes>,
    /// Which pointers to files elsewhere are followed.
    #[serde(default)]
    pub lazy: LazyTable,
    /// How buckets are reached.
    #[serde(default)]
    pub s3: S3Table,
    /// How long the tree is believed.
    pub ttl: Option<Span>,
    /// How long it serves while the store is down.
    pub max_stale: Option<Span>,
}

/// Which pointers to files elsewhere are followed: none unless named.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LazyTable {
    /// Buckets that `s3://` may name.
    #[serde(default)]
    pub buckets: Vec<String>,
    /// Hosts that `https://` may name.
    #[serde(default)]
    pub https_hosts: Vec<String>,
}

/// How buckets are reached. Credentials come from AWS's usual places.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct S3Table {
    /// The server, if it is not AWS.
    pub endpoint: Option<String>,
    /// The region.
    pub region: Option<String>,
    /// The buckets are public: requests are not signed.
    pub anonymous: Option<bool>,
}

/// What a run may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LimitsTable {
    /// Wall clock.
    pub time: Option<Span>,
    /// Bytes of variables and whole inputs.
    pub memory: Option<Bytes>,
    /// Bytes of output of a request.
    pub output: Option<Bytes>,
    /// Nested calls.
    pub depth: Option<usize>,
    /// Words of one expansion.
    pub words: Option<usize>,
    /// Pipeline stages at once.
    pub stages: Option<usize>,
    /// Background jobs at once.
    pub jobs: Option<usize>,
    /// Bytes of one compiled expression.
    pub regex: Option<Bytes>,
    /// Bytes of a lazy file that a recursive search still reads.
    pub lazy_search: Option<Bytes>,
}

impl LimitsTable {
    /// Set what the file says.
    pub fn apply(&self, limits: &mut Limits) {
        let bytes = |value: Option<Bytes>, old: u64| value.map_or(old, |bytes| bytes.0);
        limits.time = self.time.map(|span| span.0).or(limits.time).filter(|time| !time.is_zero());
        limits.output = self.output.map(|bytes| bytes.0).or(limits.output);
        limits.memory = bytes(self.memory, limits.memory);
        limits.regex = bytes(self.regex, limits.regex as u64) as usize;
        limits.depth = self.depth.unwrap_or(limits.depth);
        limits.words = self.words.unwrap_or(limits.words);
        limits.stages = self.stages.unwrap_or(limits.stages);
        limits.jobs = self.jobs.unwrap_or(limits.jobs);
    }
}
