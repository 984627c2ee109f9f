//! A site in a Chroma collection, over HTTP.
//!
//! Pages are read by the ids of their chunks where the tree tells them (flat cost), else by their slug. What comes back
//! is checked, joined and hashed before it counts (`record`). An empty scope asks nothing, and no filter can be absent
//! by mistake (`filter`). The name of the collection is resolved to its id once, and again when the id is gone: one
//! that was deleted and made again has another id, and the old id is an error, never an empty collection.
mod audit;
mod client;
mod embed;
mod filter;
mod ids;
mod read;
mod record;
mod search;
mod survey;
mod tree;
mod write;

pub use embed::EmbeddingsConfig;
pub use record::Fields;
pub use survey::{Survey, SurveyFields, Surveyed};
pub use write::ChromaWriter;

use super::{
    Page, PageRef, Place, SearchAnswer, Store, StoreError, TREE_ID, TreeAnswer,
    bridge::{self, Cut},
};
use crate::tree::{Hash, Layout, Rules, Tree, TreeVersion, access::Asker};
use client::{Client, Collection, Fault, Include, Record, Which};
use docsh_builtins::{Cancel, Needles};
use parking_lot::Mutex;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use std::{
    collections::HashMap,
    ops::AsyncFn,
    sync::{Arc, OnceLock, atomic::AtomicUsize},
    time::SystemTime,
};

/// Where a site is, and how its collection is written.
#[derive(Clone)]
pub struct ChromaConfig {
    /// The site's name.
    pub site: String,
    /// The server, e.g. `http://127.0.0.1:8000`.
    pub url: String,
    /// The tenant.
    pub tenant: String,
    /// The database.
    pub database: String,
    /// The collection; the site's name unless configured.
    pub collection: String,
    /// Sent with every request: names and values. The values are secrets.
    pub headers: Vec<(String, String)>,
    /// The names of the metadata fields.
    pub fields: Fields,
    /// Stands between the chunks of a page, where the tree's record does not say.
    pub joiner: Option<String>,
    /// The address of the site on the web, where the tree's record does not say.
    pub base_url: Option<String>,
    /// What pages without a suffix are shown with.
    pub page_extension: String,
    /// What to do with access rules.
    pub rules: Rules,
    /// Patterns of the paths of API descriptions with parts for some visitors only, beside those that the tree marks.
    pub views: Vec<String>,
}

impl ChromaConfig {
    /// A site in a local server's default database.
    pub fn new(site: &str, url: &str) -> ChromaConfig {
        ChromaConfig {
            site: site.into(),
            url: url.into(),
            tenant: "default_tenant".into(),
            database: "default_database".into(),
            collection: site.into(),
            headers: Vec::new(),
            fields: Fields::default(),
            joiner: None,
            base_url: None,
            page_extension: String::new(),
            rules: Rules::Required,
            views: Vec::new(),
        }
    }
}

/// A collection that is a site.
pub struct Chroma {
    config: ChromaConfig,
    site: Arc<str>,
    url: Arc<str>,
    client: OnceLock<Client>,
    /// The collection, and when its name was looked up.
    collection: Mutex<Option<(Collection, SystemTime)>>,
    /// Ids asked for in one request; halved when a server says that it is too many.
    batch: AtomicUsize,
    /// The most records that one answer may have.
    answer: u32,
    is_cloud: bool,
}

impl Chroma {
    /// The site of this configuration; nobody is asked yet.
    pub fn new(config: ChromaConfig) -> Chroma {
        let host = reqwest::Url::parse(&config.url).ok().and_then(|url| url.host_str().map(str::to_string));
        let is_cloud = host.is_some_and(|host| host.ends_with(".trychroma.com"));
        Chroma {
            site: config.site.as_str().into(),
            url: config.url.as_str().into(),
            config,
            client: OnceLock::new(),
            collection: Mutex::new(None),
            batch: AtomicUsize::new(if is_cloud { 300 } else { 1000 }),
            answer: if is_cloud { 300 } else { 10_000 },
            is_cloud,
        }
    }

    fn client(&self) -> Result<&Client, StoreError> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let failed = |cause: String| StoreError::NoClient { site: self.site.clone(), cause };
        let mut headers = HeaderMap::new();
        for (name, value) in &self.config.headers {
            let wrong = || failed(format!("`headers`: {name:?} or its value cannot be sent"));
            let name: HeaderName = name.parse().map_err(|_| wrong())?;
            let mut value: HeaderValue = value.parse().map_err(|_| wrong())?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        let ChromaConfig { url, tenant, database, .. } = &self.config;
        let client = Client::new(url, tenant, database, headers).map_err(failed)?;
        Ok(self.client.get_or_init(|| client))
    }

    /// Do `work` with the collection and wait for it.
    fn with<T>(
        &self,
        cancel: &Cancel,
        work: impl AsyncFn(&Client, &Collection) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        self.waited(bridge::wait(cancel, async || self.with_collection(work).await))
    }

    /// Do `work` with the collection, whose id is looked up again when it is not known any more.
    async fn with_collection<T>(
        &self,
        work: impl AsyncFn(&Client, &Collection) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        let client = self.client()?;
        let known = self.collection.lock().clone();
        if let Some((collection, _)) = known {
            match work(client, &collection).await {
                Err(fault) if fault.is_not_found() => {}
                done => return done.map_err(|fault| self.error(fault)),
            }
        }
        let collection = match client.collection(&self.config.collection).await {
            Ok(collection) => collection,
            Err(fault) if fault.is_not_found() => return Err(self.no_collection()),
            Err(fault) => return Err(self.error(fault)),
        };
        *self.collection.lock() = Some((collection.clone(), SystemTime::now()));
        work(client, &collection).await.map_err(|fault| self.error(fault))
    }

    fn waited<T>(&self, result: Result<Result<T, StoreError>, Cut>) -> Result<T, StoreError> {
        match result {
            Ok(done) => done,
            Err(Cut::Stopped(stop)) => Err(stop.into()),
            Err(Cut::NoRuntime(error)) => {
                Err(StoreError::NoClient { site: self.site.clone(), cause: error.to_string() })
            }
        }
    }

    fn error(&self, fault: Fault) -> StoreError {
        let (site, url) = (self.site.clone(), self.url.clone());
        match fault {
            Fault::Unreachable(cause) => StoreError::Unreachable { site, url, cause },
            Fault::Refused(status, message, _) if matches!(status.as_u16(), 401 | 403) => {
                StoreError::Refused { site, url, message: said(status.as_u16(), &message) }
            }
            Fault::Refused(status, message, _) => {
                StoreError::Unexpected { site, url, message: said(status.as_u16(), &message) }
            }
            Fault::Garbled(message) => StoreError::Unexpected { site, url, message },
            Fault::TooLong => StoreError::Unexpected { site, url, message: "it does not end".into() },
        }
    }

    fn no_collection(&self) -> StoreError {
        let ChromaConfig { collection, tenant, database, .. } = &self.config;
        StoreError::NoCollection {
            site: self.site.clone(),
            url: self.url.clone(),
            collection: collection.as_str().into(),
            database: format!("{tenant}/{database}"),
        }
    }
}

fn said(status: u16, message: &str) -> String {
    if message.is_empty() { format!("status {status}") } else { format!("status {status}: {message}") }
}

impl Store for Chroma {
    fn tree(&self, known: Option<&TreeVersion>, cancel: &Cancel) -> Result<TreeAnswer, StoreError> {
        // Whether it is still the known one is a small question, if its writer has named it.
        if let Some(known) = known {
            let record = self.tree_record(Include::Metadata, cancel)?;
            let stated = record.as_ref().and_then(|record| record.metadata.get("tree_version")?.as_str());
            if stated == Some(&*known.0) {
                return Ok(TreeAnswer::NotModified);
            }
        }
        let record = self.tree_record(Include::All, cancel)?;
        let collection = self.config.collection.as_str();
        let no_tree = || StoreError::NoTree { site: self.site.clone(), collection: collection.into() };
        let record = record.ok_or_else(no_tree)?;
        let text = record.document.as_deref().unwrap_or_default();
        let version = tree::version(&record.metadata, text);
        if known == Some(&version) {
            return Ok(TreeAnswer::NotModified);
        }
        let tree = self.read_tree(record, cancel).or_else(|error| {
            // Parts are missing also when a writer has replaced the tree meanwhile.
            match self.tree_record(Include::All, cancel)? {
                Some(newer)
                    if tree::version(&newer.metadata, newer.document.as_deref().unwrap_or_default()) != version =>
                {
                    self.read_tree(newer, cancel)
                }
                _ => Err(error),
            }
        })?;
        Ok(TreeAnswer::Tree(Box::new(tree)))
    }

    fn pages(&self, pages: &[PageRef<'_>], cancel: &Cancel) -> Result<Vec<Page>, StoreError> {
        // A page that is asked for twice is read once.
        let (mut places, mut once) = (HashMap::new(), Vec::new());
        for page in pages {
            places.entry(page.slug).or_insert_with(|| {
                once.push(*page);
                once.len() - 1
            });
        }
        let found = self.with(cancel, async |client, collection| self.records(client, collection, &once).await)?;
        let page = |(page, records): (&PageRef<'_>, Vec<Record>)| {
            record::join(page, records, &self.config.fields).map_err(|reason| StoreError::BadPage {
                site: self.site.clone(),
                slug: page.slug.to_string(),
                reason,
            })
        };
        let read: Vec<Page> = once.iter().zip(found).map(page).collect();
        Ok(pages.iter().map(|page| read[places[page.slug]].clone()).collect())
    }

    fn identity(&self) -> Option<Hash> {
        let ChromaConfig { url, tenant, database, collection, fields, .. } = &self.config;
        let name = [url, tenant, database, collection, &fields.page, &fields.index].map(String::as_str).join("\0");
        Some(Hash::of(name.as_bytes()))
    }

    fn tree_identity(&self) -> Option<Hash> {
        let ChromaConfig { joiner, base_url, page_extension, rules, views, .. } = &self.config;
        let store = self.identity()?;
        Some(Hash::of(format!("{store} {rules:?} {joiner:?} {base_url:?} {page_extension:?} {views:?}").as_bytes()))
    }

    fn place(&self) -> Option<Place> {
        let (collection, found) = self.collection.lock().clone()?;
        Some(Place { words: serde_json::to_string(&collection).ok()?, found })
    }

    fn take_place(&self, Place { words, found }: Place) {
        // What cannot be read is looked up.
        *self.collection.lock() = serde_json::from_str(&words).ok().map(|collection| (collection, found));
    }

    fn search(
        &self,
        needles: &Needles,
        layout: &Layout,
        asker: Option<&Asker>,
        cancel: &Cancel,
    ) -> Result<SearchAnswer, StoreError> {
        self.find(needles, layout, asker, cancel)
    }

    fn audit(&self, tree: &Tree, found: &mut dyn FnMut(&str, &str), cancel: &Cancel) -> Result<(), StoreError> {
        self.audit_records(tree, found, cancel)
    }
}
