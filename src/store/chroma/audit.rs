//! What only the records themselves tell of a collection: chunks that belong to no page, chunks that say otherwise than
//! the tree who may see them, and chunks that end inside a line where the tree promises that none does, so that a
//! search would miss what lies on their border.
use super::{
    Chroma, Include, Which,
    client::{Record, Slice},
    ids, record,
};
use crate::{
    store::{StoreError, TREE_ID},
    tree::{PageId, Tree, access::Class},
};
use docsh_builtins::Cancel;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

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
        let mut audit =
            Audit { tree, is_own: tree.layout().is_own, strays: BTreeMap::new(), told: BTreeSet::new(), found };
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
    /// Pages whose chunks say otherwise who may see them; one line for each is enough.
    told: BTreeSet<PageId>,
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
        if self.is_otherwise_open(record, page) && self.told.insert(page) {
            (self.found)(name, "has a chunk that says otherwise than the tree who may see it");
        }
        // The last chunk of a page ends as the page ends.
        let is_last = self.tree.chunks(page).is_none_or(|chunks| number.is_none_or(|n| n + 1 >= chunks.into()));
        let text = record.document.as_deref().unwrap_or_default();
        let is_joined_bare = self.tree.layout().joiner.is_empty();
        if self.tree.is_line_aligned(page) && is_joined_bare && !is_last && !text.ends_with('\n') {
            (self.found)(name, "has a chunk that ends inside a line, which searches may miss");
        }
    }

    /// Whether a record lets others in than the tree does. One that lets fewer in cannot be read, which is told where
    /// it is tried; one that only says "not public" of a page for groups was written to a server that takes no lists.
    fn is_otherwise_open(&self, record: &Record, page: PageId) -> bool {
        let said = |name| record.metadata.get(name);
        let is_list_lost = said("groups").is_none_or(Value::is_null);
        match (record::access(said("isPublic"), said("groups")), self.tree.class(page)) {
            (Some(own), class) if record::implies(class, &own) => {
                own != *class && !(own == Class::SignedIn && is_list_lost && matches!(class, Class::Groups(_)))
            }
            _ => false,
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
