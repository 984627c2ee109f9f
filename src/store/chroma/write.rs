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
    site::{
        access::Class,
        tree::{Rules, Tree},
    },
    store::{NewPage, NewTree, StoreError, Writer, bridge},
};
use docsh_builtins::Cancel;
use pack::{packed, split};
use serde_json::{Value, json};
use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Records of one request.
const LOCAL_RECORDS: usize = 1000;
const CLOUD_RECORDS: usize = 300;
/// Bytes of text of one request; a local server refuses 40 MB.
const BATCH_BYTES: usize = 8 << 20;
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
    embedding: Arc<[f32]>,
    /// Where the embeddings of chunks come from, if somebody else asks for them.
    embedder: Option<Embedder>,
    /// Whether the server takes lists as metadata (since 1.5.0); without, chunks do not name groups, only the tree does.
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
        *store.collection.lock() = Some(collection.clone());
        let records = store.with(cancel, async |client, collection| {
            store.all(client, collection, Which::All, None, Include::Nothing, u32::MAX).await
        })?;
        let present: HashSet<String> = records.into_iter().map(|record| record.id).collect();
        let embedding = vec![0.0; collection.dimension.unwrap_or(1) as usize].into();
        Ok(ChromaWriter {
            store,
            is_beside: false,
            present,
            named: HashSet::new(),
            tree: String::new(),
            embedding,
            embedder: None,
            takes_lists: AtomicBool::new(true),
        })
    }

    /// A collection that somebody else's pipeline has filled is never written to.
    fn refuse_foreign(&self, cancel: &Cancel) -> Result<(), StoreError> {
        let record = self.store.tree_record(Include::All, cancel)?;
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

    /// The chunks of `pages` in requests of a bearable size.
    fn batches(&self, pages: &[&NewPage], mode: Mode) -> Vec<Records> {
        let limit = if self.store.is_cloud { CLOUD_RECORDS } else { LOCAL_RECORDS };
        let (mut batches, mut batch, mut bytes) = (Vec::new(), Records::default(), 0);
        for page in pages {
            for (number, (id, range)) in chunk_ids(page).zip(&page.chunks).enumerate() {
                if batch.ids.len() == limit || bytes > BATCH_BYTES {
                    batches.push(std::mem::take(&mut batch));
                    bytes = 0;
                }
                batch.ids.push(id);
                batch.metadatas.push(self.metadata(page, number));
                if matches!(mode, Mode::Upsert) {
                    bytes += range.len();
                    batch.documents.push(String::from_utf8_lossy(&page.body[range.clone()]).into_owned());
                    batch.embeddings.push(self.embedding.clone());
                }
            }
        }
        batches.push(batch);
        batches
    }

    fn send(&self, mode: Mode, records: &Records, cancel: &Cancel) -> Result<(), StoreError> {
        if records.ids.is_empty() {
            return Ok(());
        }
        self.store.with(cancel, async |client, collection| match client.write(&collection.id, mode, records).await {
            Err(fault) if fault.is_bad_value() && records.has_lists() => {
                self.takes_lists.store(false, Ordering::Relaxed);
                client.write(&collection.id, mode, &records.without_lists()).await
            }
            done => done,
        })
    }

    fn document_limit(&self) -> usize {
        if self.store.is_cloud { CLOUD_DOCUMENT } else { LOCAL_DOCUMENT }
    }

    fn put_record(&self, id: String, text: &str, metadata: Value, cancel: &Cancel) -> Result<(), StoreError> {
        let records = Records {
            ids: vec![id],
            embeddings: vec![self.embedding.clone()],
            documents: vec![text.to_string()],
            metadatas: vec![metadata],
        };
        self.send(Mode::Upsert, &records, cancel)
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
        for (mode, pages) in [(Mode::Upsert, new), (Mode::Update, there)] {
            for mut batch in self.batches(&pages, mode) {
                if let Some(embedder) = self.embedder.as_ref().filter(|_| !batch.documents.is_empty()) {
                    batch.embeddings = embedder.embed(&batch.documents, cancel)?;
                    // A collection takes one length only, which its first record decides.
                    if let Some(first) = batch.embeddings.first() {
                        self.embedding = vec![0.0; first.len()].into();
                    }
                }
                self.send(mode, &batch, cancel)?;
                self.present.extend(batch.ids);
            }
        }
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
        for (id, part) in part_ids.into_iter().zip(&parts[1..]) {
            self.put_record(id, part, json!({ "kind": "path_tree" }), cancel)?;
        }
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
        self.put_record(TREE_ID.to_string(), parts[0], metadata, cancel)
    }

    fn sweep(&mut self, cancel: &Cancel) -> Result<usize, StoreError> {
        let stale: Vec<String> = self.present.difference(&self.named).filter(|id| is_ours(id)).cloned().collect();
        let size = if self.store.is_cloud { CLOUD_RECORDS } else { LOCAL_RECORDS };
        for ids in stale.chunks(size) {
            self.store.with(cancel, async |client, collection| client.delete(&collection.id, ids).await)?;
        }
        self.present.retain(|id| self.named.contains(id));
        Ok(stale.len())
    }
}
