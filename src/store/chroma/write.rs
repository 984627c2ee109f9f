//! Writing a site into a collection. Chunks first, under ids of their version that no reader knows yet; then the tree,
//! its first part last, which is the moment at which readers see the new site; then what no tree names is deleted.
use super::{
    Chroma, ChromaConfig, Include, TREE_ID, Which,
    client::{Mode, Records},
    ids,
};
use crate::{
    site::{
        access::Class,
        tree::{Rules, Tree},
    },
    store::{NewPage, NewTree, StoreError, Writer, bridge},
};
use base64::Engine;
use docsh_builtins::Cancel;
use serde_json::{Value, json};
use std::{
    collections::HashSet,
    io::Write as _,
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
/// Trees up to this size stay readable JSON.
const PLAIN_TREE: usize = 16_384;

/// A collection that is being written.
pub struct ChromaWriter {
    store: Chroma,
    /// Every id that the collection had at the start, or has been given since.
    present: HashSet<String>,
    /// Every id that the new tree will name.
    named: HashSet<String>,
    /// What stands for an embedding: docsh asks for none, and Chroma takes no record without.
    embedding: Arc<[f32]>,
    /// Whether the server takes lists as metadata (since 1.5.0); without, chunks do not name groups, only the tree does.
    takes_lists: AtomicBool,
}

impl ChromaWriter {
    /// Ready to write: the collection exists, made if need be, and is docsh's or empty.
    pub fn open(config: ChromaConfig, cancel: &Cancel) -> Result<ChromaWriter, StoreError> {
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
        let writer =
            ChromaWriter { store, present, named: HashSet::new(), embedding, takes_lists: AtomicBool::new(true) };
        writer.refuse_foreign(cancel)?;
        Ok(writer)
    }

    /// A collection that somebody else's pipeline has filled is never written to.
    fn refuse_foreign(&self, cancel: &Cancel) -> Result<(), StoreError> {
        let record = self.store.tree_record(Include::All, cancel)?;
        let is_ours = match record {
            Some(record) => record.metadata.contains_key("docsh_layout"),
            None => self.present.iter().all(|id| ids::page_of(id).is_some() || id.starts_with(TREE_ID)),
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
            for batch in self.batches(&pages, mode) {
                self.send(mode, &batch, cancel)?;
                self.present.extend(batch.ids);
            }
        }
        Ok(())
    }

    fn put_tree(&mut self, tree: &NewTree, pages: &[NewPage], cancel: &Cancel) -> Result<(), StoreError> {
        let text = packed(&tree.json);
        let limit = if self.store.is_cloud { CLOUD_DOCUMENT } else { LOCAL_DOCUMENT };
        let parts: Vec<&str> = split(&text, limit);
        let part_ids: Vec<String> = ids::tree_parts(&tree.version, parts.len() as u32).collect();
        for (id, part) in part_ids.iter().zip(&parts[1..]) {
            self.put_record(id.clone(), part, json!({ "kind": "path_tree" }), cancel)?;
        }
        let metadata = json!({
            "kind": "path_tree",
            "docsh_layout": 1,
            "tree_version": tree.version,
            "joiner": "",
            "line_aligned": true, // where it is not so, the page says it in the tree
            "base_url": tree.base_url,
            "parts": parts.len(),
        });
        self.put_record(TREE_ID.to_string(), parts[0], metadata, cancel)?;
        self.named = pages.iter().flat_map(chunk_ids).collect();
        self.named.extend(part_ids);
        self.named.insert(TREE_ID.to_string());
        Ok(())
    }

    fn sweep(&mut self, cancel: &Cancel) -> Result<usize, StoreError> {
        let stale: Vec<String> = self.present.difference(&self.named).cloned().collect();
        let size = if self.store.is_cloud { CLOUD_RECORDS } else { LOCAL_RECORDS };
        for ids in stale.chunks(size) {
            self.store.with(cancel, async |client, collection| client.delete(&collection.id, ids).await)?;
        }
        self.present.retain(|id| self.named.contains(id));
        Ok(stale.len())
    }
}

/// A tree as its record holds it: readable while it is small.
fn packed(json: &[u8]) -> String {
    if json.len() <= PLAIN_TREE {
        return String::from_utf8_lossy(json).into_owned();
    }
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    // Writing to memory does not fail.
    let _ = gzip.write_all(json);
    base64::engine::general_purpose::STANDARD.encode(gzip.finish().unwrap_or_default())
}

/// `text` in parts of at most `limit` bytes, none inside a character; one part at least.
fn split(text: &str, limit: usize) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), text);
    loop {
        let (part, more) = rest.split_at(rest.floor_char_boundary(limit));
        parts.push(part);
        if more.is_empty() {
            return parts;
        }
        rest = more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_split_between_characters() {
        assert_eq!(split("", 4), [""]);
        assert_eq!(split("abcd", 4), ["abcd"]);
        assert_eq!(split("aéébc", 4), ["aé", "ébc"]);
        assert!(packed(b"{}").starts_with('{'));
        assert!(!packed(&vec![b' '; PLAIN_TREE + 1]).starts_with(' '));
    }
}
