//! Asking for records: by id, by page, or all that a filter matches, in requests that a server bears.
use super::{
    Chroma,
    client::{Client, Collection, Fault, Include, Record, Slice, Which},
    filter::OfPages,
    ids, record,
};
use crate::{store::PageRef, tree::access::Asker};
use futures_util::{StreamExt, TryStreamExt, stream};
use std::{collections::HashMap, sync::atomic::Ordering};

/// Requests under way at once.
const PARALLEL: usize = 4;
/// Slugs asked for in one filter.
const SLUGS: usize = 100;
/// The most records of so many pages: a server whose slices never end must not fill the memory.
const RECORDS: u32 = 1_000_000;

impl Chroma {
    /// The records with these ids, in any order; those that do not exist are left out.
    pub(super) async fn by_ids(
        &self,
        client: &Client,
        collection: &Collection,
        ids: &[String],
        asker: Option<&Asker>,
        include: Include,
    ) -> Result<Vec<Record>, Fault> {
        loop {
            let size = self.batch.load(Ordering::Relaxed);
            let batches = stream::iter(ids.chunks(size))
                .map(|ids| client.get(&collection.id, Which::Ids(ids), asker, include, Slice::default()))
                .buffer_unordered(PARALLEL);
            match batches.try_concat().await {
                Err(fault) if fault.is_too_much() && size > 1 => self.batch.store(size / 2, Ordering::Relaxed),
                done => return done,
            }
        }
    }

    /// Every record that the filter matches, fetched in slices that one answer may have. Bare ids have no such limit on
    /// a local server, and each slice costs a whole search.
    pub(super) async fn all(
        &self,
        client: &Client,
        collection: &Collection,
        which: Which<'_>,
        asker: Option<&Asker>,
        include: Include,
        most: u32,
    ) -> Result<Vec<Record>, Fault> {
        let limit = (self.is_cloud || include != Include::Nothing).then_some(self.answer);
        let mut records = Vec::new();
        loop {
            let slice = Slice { limit, offset: records.len() as u32 };
            let part = client.get(&collection.id, which, asker, include, slice).await?;
            let count = part.len() as u32;
            records.extend(part);
            if limit.is_none_or(|limit| count < limit) {
                return Ok(records);
            }
            if records.len() as u32 >= most {
                return Err(Fault::Garbled("it has too many records".into()));
            }
        }
    }

    /// Every record of these pages, found by their slugs.
    async fn by_slugs(
        &self,
        client: &Client,
        collection: &Collection,
        slugs: &[&str],
        asker: Option<&Asker>,
    ) -> Result<Vec<Record>, Fault> {
        let mut size = SLUGS;
        loop {
            let batches = stream::iter(slugs.chunks(size))
                .map(|slugs| {
                    let which = Which::Pages(OfPages { field: &self.config.fields.page, slugs });
                    self.all(client, collection, which, asker, Include::All, RECORDS)
                })
                .buffer_unordered(PARALLEL);
            match batches.try_concat().await {
                Err(fault) if fault.is_too_much() && size > 1 => size /= 2,
                done => return done,
            }
        }
    }

    /// The records of each of `pages`.
    pub(super) async fn records(
        &self,
        client: &Client,
        collection: &Collection,
        pages: &[PageRef<'_>],
    ) -> Result<Vec<Vec<Record>>, Fault> {
        let mut found: Vec<Vec<Record>> = vec![Vec::new(); pages.len()];
        // One visitor asks for all of them.
        let asker = pages.first().and_then(|page| page.asker);
        // By id, where the tree tells how many there are.
        let mut owner: HashMap<String, usize> = HashMap::new();
        for (at, page) in pages.iter().enumerate() {
            match (page.chunks, page.hash) {
                (Some(chunks), Some(hash)) if page.layout.is_own => {
                    owner.extend(ids::versioned(page.slug, hash, chunks).map(|id| (id, at)));
                }
                (Some(chunks), _) => {
                    let numbered = ["#", "::"].into_iter().flat_map(|mark| ids::numbered(page.slug, mark, chunks));
                    owner.extend(numbered.map(|id| (id, at)));
                }
                (None, _) => {}
            }
        }
        let ids: Vec<String> = owner.keys().cloned().collect();
        for record in self.by_ids(client, collection, &ids, asker, Include::All).await? {
            if let Some(&at) = owner.get(&record.id) {
                found[at].push(record);
            }
        }
        // By slug, where it does not, or where the ids are of another form.
        let is_left = |at: &usize| found[*at].is_empty() && pages[*at].chunks != Some(0) && !pages[*at].layout.is_own;
        let left: HashMap<&str, usize> = (0..pages.len()).filter(is_left).map(|at| (pages[at].slug, at)).collect();
        let slugs: Vec<&str> = left.keys().copied().collect();
        for record in self.by_slugs(client, collection, &slugs, asker).await? {
            if let Some(&at) = record::slug_of(&record, &self.config.fields).and_then(|slug| left.get(slug)) {
                found[at].push(record);
            }
        }
        Ok(found)
    }
}
