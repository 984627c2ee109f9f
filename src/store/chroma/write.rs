//! Writing a site into a collection. Chunks first, under ids of their version that no reader knows yet; then the tree,
//! its first part last, which is the moment at which readers see the new site; then what no tree names is deleted. Of a
//! collection that somebody else's pipeline fills, only the tree is written.
mod pack;

use super::{
    Chroma, ChromaConfig, Include, TREE_ID, Which,
    client::{Mode, Records},
    embed::{Embedder, EmbeddingsConfig},
    ids,
};
use crate::{
    store::{NewPage, NewTree, StoreError, Writer, bridge},
    tree::{Rules, Tree, access::Class},
};
use docsh_builtins::Cancel;
use futures_util::{StreamExt, TryStreamExt, stream};
use pack::{packed, split};
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::{
    collections::HashSet,
    iter,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::SystemTime,
};

/// Records of one request, which is what Chroma Cloud takes; a local server gains nothing from more.
const RECORDS: usize = 300;
/// Bytes of text of one request; a local server refuses 40 MB.
const BATCH_BYTES: usize = 4 << 20;
/// Requests under way at once, so that a distant server's latency is not waited for again and again, nor that of one
/// that makes embeddings; a local server writes one at a time. Chroma Cloud takes ten writes of a collection.
const WRITES: usize = 4;
/// The largest document of a local server that docsh writes, and of Chroma Cloud.
const LOCAL_DOCUMENT: usize = 8 << 20;
const CLOUD_DOCUMENT: usize = 16_384;
/// Marks a tree that was made of somebody else's chunks.
const SURVEYED: &str = "docsh_surveyed";

/// A collection that is being written.
pub struct ChromaWriter {
    pub(super) store: Chroma,
    /// Whether the chunks are somebody else's.
    is_beside: bool,
    /// Every id that the collection had at the start, or has been given since.
    present: HashSet<String>,
    /// Every id that the new tree will name.
    named: HashSet<String>,
    /// The new tree, as its record holds it.
    tree: String,
    /// What stands for an embedding: docsh asks for none, and Chroma takes no record without.
    embedding: Mutex<Arc<[f32]>>,
    /// Where the embeddings of chunks come from, if somebody else asks for them.
    embedder: Option<Embedder>,
    /// Whether the server takes lists as metadata (since 1.5.0); without, chunks do not name groups, only the tree
    /// does.
    takes_lists: AtomicBool,
}

impl ChromaWriter {
    /// Ready to write: the collection exists, made if need be, and is docsh's or empty.
    pub fn open(config: ChromaConfig, cancel: &Cancel) -> Result<ChromaWriter, StoreError> {
        let writer = ChromaWriter::on(config, cancel)?;
        writer.refuse_foreign(cancel)?;
        Ok(writer)
    }

    /// Ready to write the tree of a collection that somebody else's pipeline has filled.
    pub fn beside(config: ChromaConfig, cancel: &Cancel) -> Result<ChromaWriter, StoreError> {
        let mut writer = ChromaWriter { is_beside: true, ..ChromaWriter::on(config, cancel)? };
        writer.refuse_tree(cancel)?;
        writer.present.retain(|id| id.starts_with(TREE_ID));
        Ok(writer)
    }

    /// Ask this server for the embeddings of new chunks.
    pub fn embedding_with(self, config: EmbeddingsConfig) -> Result<ChromaWriter, StoreError> {
        Ok(ChromaWriter { embedder: Some(Embedder::new(config)?), ..self })
    }

    fn on(config: ChromaConfig, cancel: &Cancel) -> Result<ChromaWriter, StoreError> {
        // Only docsh's own trees are read here, and what they say is compared, not obeyed.
        let store = Chroma::new(ChromaConfig { rules: Rules::Marked, ..config });
        let client = store.client()?;
        let created = bridge::wait(cancel, async || {
            client.create(&store.config.collection).await.map_err(|fault| store.error(fault))
        });
        let collection = store.waited(created)?;
        *store.collection.lock() = Some((collection.clone(), SystemTime::now()));
        let records = store.with(cancel, async |client, collection| {
            store.all(client, collection, Which::All, None, Include::Nothing, u32::MAX).await
        })?;
        let present: HashSet<String> = records.into_iter().map(|record| record.id).collect();
        let placeholder: Arc<[f32]> = vec![0.0; collection.dimension.unwrap_or(1) as usize].into();
        Ok(ChromaWriter {
            store,
            is_beside: false,
            present,
            named: HashSet::new(),
            tree: String::new(),
            embedding: Mutex::new(placeholder),
            embedder: None,
            takes_lists: AtomicBool::new(true),
        })
    }

    /// A collection that somebody else's pipeline has filled is never written to.
    fn refuse_foreign(&self, cancel: &Cancel) -> Result<(), StoreError> {
        let record = self.store.tree_record(Include::Metadata, cancel)?;
        let is_ours = match record {
            Some(record) => record.metadata.contains_key("docsh_layout"),
            None => self.present.iter().all(|id| is_ours(id)),
        };
        if is_ours {
            return Ok(());
        }
        let collection = &self.store.config.collection;
        Err(StoreError::Foreign {
            site: self.store.site.clone(),
            reason: format!(
                "the collection {collection:?} holds records that docsh has not written; name another `collection`, or \
                 empty this one"
            ),
        })
    }

    /// A tree that somebody else has written, or docsh's own, is never replaced by one of a survey.
    fn refuse_tree(&self, cancel: &Cancel) -> Result<(), StoreError> {
        let record = self.store.tree_record(Include::Metadata, cancel)?;
        let refuse = |reason: &str| {
            let collection = &self.store.config.collection;
            let reason = format!("the collection {collection:?} {reason}");
            Err(StoreError::Foreign { site: self.store.site.clone(), reason })
        };
        match record {
            Some(record) if record.metadata.contains_key("docsh_layout") => {
                refuse("is docsh's own; ingest its folder again instead")
            }
            Some(record) if !record.metadata.contains_key(SURVEYED) => {
                refuse("has a record `__path_tree__` that docsh has not written; delete it to have it made anew")
            }
            Some(_) | None => Ok(()),
        }
    }

    fn metadata(&self, page: &NewPage, number: usize) -> Value {
        let (is_public, groups) = match &page.class {
            Class::Public => (true, Value::Null),
            Class::Groups(groups) if self.takes_lists.load(Ordering::Relaxed) => (false, json!(groups)),
            Class::SignedIn | Class::Groups(_) | Class::Nobody => (false, Value::Null),
        };
        // Written key by key, `groups` as null too: an upsert keeps the old value of what it does not name.
        let fields = &self.store.config.fields;
        let mut metadata = json!({ "isPublic": is_public, "groups": groups });
        metadata[&fields.page] = page.slug.as_str().into();
        metadata[&fields.index] = number.into();
        metadata
    }

    /// The chunks of `pages` in requests of a bearable size, each made when it is about to be sent.
    fn batches<'a>(&'a self, mode: Mode, pages: Vec<&'a NewPage>) -> impl Iterator<Item = (Mode, Records)> + 'a {
        let of_page = |page: &'a NewPage| {
            chunk_ids(page).zip(&page.chunks).enumerate().map(move |(number, (id, range))| (page, number, id, range))
        };
        let mut chunks = pages.into_iter().flat_map(of_page);
        iter::from_fn(move || {
            let (mut batch, mut bytes) = (Records::default(), 0);
            while batch.ids.len() < RECORDS
                && bytes < BATCH_BYTES
                && let Some((page, number, id, range)) = chunks.next()
            {
                batch.ids.push(id);
                batch.metadatas.push(self.metadata(page, number));
                if matches!(mode, Mode::Upsert) {
                    bytes += range.len();
                    batch.documents.push(String::from_utf8_lossy(&page.body[range.clone()]).into_owned());
                    batch.embeddings.push(self.embedding.lock().clone());
                }
            }
            (!batch.ids.is_empty()).then_some((mode, batch))
        })
    }

    /// Send `requests`, some at once and in any order; what they have written.
    fn send_all(
        &self,
        requests: impl Iterator<Item = impl Future<Output = Result<Vec<String>, StoreError>>>,
        cancel: &Cancel,
    ) -> Result<Vec<String>, StoreError> {
        let sent = bridge::wait(cancel, async || stream::iter(requests).buffer_unordered(WRITES).try_concat().await);
        self.store.waited(sent)
    }

    async fn send(&self, mode: Mode, records: Records) -> Result<Vec<String>, StoreError> {
        self.store
            .with_collection(async |client, collection| match client.write(&collection.id, mode, &records).await {
                Err(fault) if fault.is_bad_value() && records.has_lists() => {
                    self.takes_lists.store(false, Ordering::Relaxed);
                    client.write(&collection.id, mode, &records.without_lists()).await
                }
                done => done,
            })
            .await?;
        Ok(records.ids)
    }

    /// Write chunks with the embeddings that somebody makes for them, if somebody does.
    async fn send_chunks(&self, mode: Mode, mut chunks: Records) -> Result<Vec<String>, StoreError> {
        if let Some(embedder) = self.embedder.as_ref().filter(|_| !chunks.documents.is_empty()) {
            chunks.embeddings = embedder.embed(&chunks.documents).await?;
            // A collection takes one length only, which its first record decides.
            if let Some(first) = chunks.embeddings.first() {
                *self.embedding.lock() = vec![0.0; first.len()].into();
            }
        }
        self.send(mode, chunks).await
    }

    fn document_limit(&self) -> usize {
        if self.store.is_cloud { CLOUD_DOCUMENT } else { LOCAL_DOCUMENT }
    }

    fn tree_record(&self, id: String, text: &str, metadata: Value) -> Records {
        Records {
            ids: vec![id],
            embeddings: vec![self.embedding.lock().clone()],
            documents: vec![text.to_string()],
            metadatas: vec![metadata],
        }
    }
}

/// Whether docsh wrote the record with this id: what others have added since is never deleted.
fn is_ours(id: &str) -> bool {
    ids::page_of(id).is_some() || id.starts_with(TREE_ID)
}

fn chunk_ids(page: &NewPage) -> impl Iterator<Item = String> {
    ids::versioned(&page.slug, page.hash, page.chunks.len() as u32)
}

impl Writer for ChromaWriter {
    fn current(&mut self, cancel: &Cancel) -> Result<Option<Tree>, StoreError> {
        let record = self.store.tree_record(Include::All, cancel)?;
        match record.map(|record| self.store.read_tree(record, cancel)) {
            None => Ok(None),
            Some(Ok(tree)) => Ok(Some(tree)),
            // A tree that cannot be read is replaced; nothing is known of what it named.
            Some(Err(StoreError::BadTree { .. } | StoreError::BadRecord { .. })) => Ok(None),
            Some(Err(error)) => Err(error),
        }
    }

    fn holds(&self, page: &NewPage) -> bool {
        chunk_ids(page).all(|id| self.present.contains(&id))
    }

    fn put_pages(&mut self, pages: &[&NewPage], cancel: &Cancel) -> Result<(), StoreError> {
        // Of what is there already, only what it says of access may have changed: its embedding stays.
        let (there, new): (Vec<&NewPage>, Vec<&NewPage>) = pages.iter().partition(|page| self.holds(page));
        let batches = self.batches(Mode::Upsert, new).chain(self.batches(Mode::Update, there));
        let batches = batches.map(|(mode, chunks)| self.send_chunks(mode, chunks));
        let written = self.send_all(batches, cancel)?;
        self.present.extend(written);
        Ok(())
    }

    fn name(&mut self, tree: &NewTree, pages: &[&NewPage]) {
        self.tree = packed(&tree.json);
        let parts = split(&self.tree, self.document_limit()).len() as u32;
        self.named = pages.iter().flat_map(|page| chunk_ids(page)).collect();
        self.named.extend(ids::tree_parts(&tree.version, parts));
        self.named.insert(TREE_ID.to_string());
    }

    fn put_tree(&mut self, tree: &NewTree, _: &[&NewPage], cancel: &Cancel) -> Result<(), StoreError> {
        let parts: Vec<&str> = split(&self.tree, self.document_limit());
        let part_ids: Vec<String> = ids::tree_parts(&tree.version, parts.len() as u32).collect();
        let later = part_ids.into_iter().zip(&parts[1..]).map(|(id, part)| {
            let record = self.tree_record(id, part, json!({ "kind": "path_tree" }));
            self.send(Mode::Upsert, record)
        });
        self.send_all(later, cancel)?;
        let mut metadata = json!({
            "kind": "path_tree",
            "tree_version": tree.version,
            "base_url": tree.base_url,
            "plain": tree.is_plain,
            "parts": parts.len(),
        });
        if self.is_beside {
            metadata[SURVEYED] = true.into();
            metadata["joiner"] = json!(self.store.config.joiner);
        } else {
            metadata["docsh_layout"] = 1.into();
            metadata["joiner"] = "".into();
            // Where it is not so, the page says it in the tree.
            metadata["line_aligned"] = true.into();
        }
        let first = self.tree_record(TREE_ID.to_string(), parts[0], metadata);
        self.send_all(iter::once(self.send(Mode::Upsert, first)), cancel).map(drop)
    }

    fn sweep(&mut self, cancel: &Cancel) -> Result<usize, StoreError> {
        let stale: Vec<String> = self.present.difference(&self.named).filter(|id| is_ours(id)).cloned().collect();
        let deletions = stale.chunks(RECORDS).map(async |ids| {
            self.store.with_collection(async |client, collection| client.delete(&collection.id, ids).await).await?;
            Ok(Vec::new())
        });
        self.send_all(deletions, cancel)?;
        self.present.retain(|id| self.named.contains(id));
        Ok(stale.len())
    }
}
