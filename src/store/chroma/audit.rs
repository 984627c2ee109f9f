//! What only the records themselves tell of a collection: chunks that belong to no page, and chunks that end inside a
//! line where the tree promises that none does, so that a search would miss what lies on their border.
use super::{
    Chroma, Include, Which,
    client::{Record, Slice},
    ids, record,
};
use crate::{
    site::tree::{PageId, Tree},
    store::{StoreError, TREE_ID},
};
use docsh_builtins::Cancel;
use std::collections::BTreeMap;

/// Records of one answer.
const STEP: u32 = 1000;

impl Chroma {
    /// Read every record; `found` is told slugs and what is wrong with them, as the end of a sentence.
    pub(super) fn audit_records(
        &self,
        tree: &Tree,
        found: &mut dyn FnMut(&str, &str),
        cancel: &Cancel,
    ) -> Result<(), StoreError> {
        let step = if self.is_cloud { self.answer } else { STEP };
        let mut audit = Audit { tree, is_own: tree.layout().is_own, strays: BTreeMap::new(), found };
        let mut offset = 0;
        loop {
            let slice = Slice { limit: Some(step), offset };
            let records = self.with(cancel, async |client, collection| {
                client.get(&collection.id, Which::All, None, Include::All, slice).await
            })?;
            for record in records.iter().filter(|record| !record.id.starts_with(TREE_ID)) {
                audit.look(
                    record,
                    record::slug_of(record, &self.config.fields),
                    record::number_of(record, &self.config.fields),
                );
            }
            offset += records.len() as u32;
            if (records.len() as u32) < step {
                audit.tell_of_strays();
                return Ok(());
            }
        }
    }
}

struct Audit<'a> {
    tree: &'a Tree,
    is_own: bool,
    /// How many chunks of each page that the tree does not know.
    strays: BTreeMap<String, usize>,
    found: &'a mut dyn FnMut(&str, &str),
}

impl Audit<'_> {
    fn look(&mut self, record: &Record, slug: Option<&str>, number: Option<u64>) {
        let name = slug.unwrap_or(&record.id);
        let Some(page) =
            slug.and_then(|slug| self.tree.page_of_slug(slug)).filter(|&page| self.is_current(record, page))
        else {
            *self.strays.entry(name.to_string()).or_default() += 1;
            return;
        };
        // The last chunk of a page ends as the page ends.
        let is_last = self.tree.chunks(page).is_none_or(|chunks| number.is_none_or(|n| n + 1 >= chunks.into()));
        let text = record.document.as_deref().unwrap_or_default();
        let is_joined_bare = self.tree.layout().joiner.is_empty();
        if self.tree.is_line_aligned(page) && is_joined_bare && !is_last && !text.ends_with('\n') {
            (self.found)(name, "has a chunk that ends inside a line, which searches may miss");
        }
    }

    /// Whether a record is of the version of its page that the tree speaks of.
    fn is_current(&self, record: &Record, page: PageId) -> bool {
        let version = ids::page_and_version(&record.id).map(|(_, version)| version.to_string());
        !self.is_own || version == self.tree.hash(page).map(|hash| hash.short())
    }

    fn tell_of_strays(&mut self) {
        for (slug, count) in std::mem::take(&mut self.strays) {
            let what = if count == 1 { "a chunk".to_string() } else { format!("{count} chunks") };
            (self.found)(
                &slug,
                &format!("has {what} that the tree does not name; `docsh ingest` removes what is its own"),
            );
        }
    }
}
