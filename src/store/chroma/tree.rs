//! The tree of a collection: its record, the parts that it may be in, and what it says of how pages are kept.
use super::{
    Chroma,
    client::{Client, Collection, Fault, Include, Record, Slice, Which},
    ids,
};
use crate::{
    store::{StoreError, TREE_ID},
    tree::{Hash, Layout, Tree, TreeVersion},
};
use docsh_builtins::{
    Cancel,
    glob::{Glob, GlobFlags},
};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// What foreign collections are joined with.
const FOREIGN_JOINER: &str = "\n";

impl Chroma {
    /// The tree's record.
    pub(super) fn tree_record(&self, include: Include, cancel: &Cancel) -> Result<Option<Record>, StoreError> {
        let ids = [TREE_ID.to_string()];
        self.with(cancel, async |client, collection| {
            let records = client.get(&collection.id, Which::Ids(&ids), None, include, Slice::default()).await?;
            // Whatever else a server answers is not the tree.
            Ok(records.into_iter().find(|record| record.id == TREE_ID))
        })
    }

    /// The parts of a tree after the first, in order; `None` for one that is not there.
    async fn tree_parts(
        &self,
        client: &Client,
        collection: &Collection,
        ids: &[String],
    ) -> Result<Vec<Option<String>>, Fault> {
        let records = self.by_ids(client, collection, ids, None, Include::All).await?;
        let mut texts: HashMap<String, Option<String>> =
            records.into_iter().map(|record| (record.id, record.document)).collect();
        Ok(ids.iter().map(|id| texts.remove(id).flatten()).collect())
    }

    fn bad_record(&self, reason: impl Into<String>) -> StoreError {
        StoreError::BadRecord { site: self.site.clone(), reason: reason.into() }
    }

    /// The tree in `record`, whose first part it is.
    pub(super) fn read_tree(&self, record: Record, cancel: &Cancel) -> Result<Tree, StoreError> {
        let metadata = &record.metadata;
        let said = |name| metadata.get(name).and_then(Value::as_str);
        let own = match metadata.get("docsh_layout") {
            None => false,
            Some(layout) if layout.as_u64() == Some(1) => true,
            Some(_) => return Err(self.bad_record("is of a newer docsh; use a newer one, or")),
        };
        let mut text = record.document.ok_or_else(|| self.bad_record("has no text"))?;
        let parts = metadata.get("parts").map_or(Some(1), Value::as_u64);
        let parts = parts.and_then(|parts| u32::try_from(parts).ok()).filter(|parts| (1..=100_000).contains(parts));
        let parts = parts.ok_or_else(|| self.bad_record("has an impossible number of `parts`"))?;
        if parts > 1 {
            let version = said("tree_version").ok_or_else(|| self.bad_record("has parts and no `tree_version`"))?;
            let ids: Vec<String> = ids::tree_parts(version, parts).collect();
            let rest = self.with(cancel, async |client, collection| self.tree_parts(client, collection, &ids).await)?;
            for (n, part) in rest.into_iter().enumerate() {
                let missing = || self.bad_record(format!("is incomplete: part {} of {parts} is missing", n + 1));
                text.push_str(&part.ok_or_else(missing)?);
            }
        }
        let joiner = said("joiner").or(self.config.joiner.as_deref());
        let joiner = joiner.unwrap_or(if own { "" } else { FOREIGN_JOINER });
        let stated = metadata.get("line_aligned").and_then(Value::as_bool);
        let layout = Layout {
            joiner: joiner.into(),
            // Joined with whole line ends, no line can be spread over two chunks.
            line_aligned: stated.unwrap_or(!joiner.is_empty() && joiner.bytes().all(|byte| byte == b'\n')),
            base_url: said("base_url").or(self.config.base_url.as_deref()).map(Into::into),
            page_extension: self.config.page_extension.as_str().into(),
            is_own: own,
            is_plain: metadata.get("plain") == Some(&Value::Bool(true)),
        };
        let version = version(metadata, &text);
        let mut tree = Tree::from_record(text.as_bytes(), layout, self.config.rules, version)
            .map_err(|refusal| StoreError::BadTree { site: self.site.clone(), refusal })?;
        let flags = GlobFlags { pathname: true, ..GlobFlags::default() };
        let views: Vec<Glob> = self.config.views.iter().map(|pattern| Glob::new(pattern, flags)).collect();
        tree.mark_views(&views);
        Ok(tree)
    }
}

/// The version that the record states, else one made of its text.
pub(super) fn version(metadata: &Map<String, Value>, text: &str) -> TreeVersion {
    match metadata.get("tree_version").and_then(Value::as_str) {
        Some(version) => TreeVersion(version.into()),
        None => TreeVersion(Hash::of(text.as_bytes()).to_string().into()),
    }
}
