//! The coarse pass of a search: which pages have a chunk that holds a needle. Whatever might miss a page (an index that
//! cannot tell, a dialect, a limit, an error) is "cannot tell": then every page is a candidate.
//!
//! Literals of one or two characters are not asked for. Chroma Cloud's index is of three characters at a time, and
//! `$contains` with fewer finds nothing in it, where it should find a page. `$regex` would find them, by a look at
//! every document; but two characters are in most pages, which must then be read as well.
use super::{
    Chroma, Client, Collection, Fault, Include, Which,
    filter::Text,
    ids::{page_and_version, short_prefix},
    record::slug_of,
};
use crate::{
    store::{Hit, SearchAnswer, StoreError, TREE_ID},
    tree::{Layout, access::Asker},
};
use docsh_builtins::{Cancel, Needle, Needles};
use std::collections::BTreeSet;

/// More alternatives cost more scans than reading the pages would; thousands kill a local server.
const ALTERNATIVES: usize = 8;
/// A needle that is in more chunks than this, where they must be fetched slice by slice, narrows nothing.
const MATCHES: u32 = 30_000;
/// The longest pattern that Chroma Cloud takes, in characters.
const CLOUD_PATTERN: usize = 256;
/// Longer patterns make a local server fail (LIKE patterns end at 50,000 bytes).
const PATTERN: usize = 10_000;

impl Chroma {
    pub(super) fn find(
        &self,
        needles: &Needles,
        layout: &Layout,
        asker: Option<&Asker>,
        cancel: &Cancel,
    ) -> Result<SearchAnswer, StoreError> {
        if needles.any.is_empty() || needles.any.len() > ALTERNATIVES {
            return Ok(SearchAnswer::CannotTell);
        }
        let found = self.with(cancel, async |client, collection| match self.filter(needles, layout, collection) {
            Some(filter) => self.hits(client, collection, &filter, layout, asker).await.map(Some),
            None => Ok(None),
        });
        match found {
            Ok(Some(hits)) => Ok(SearchAnswer::Pages(hits.into_iter().collect())),
            Err(StoreError::Stopped(stop)) => Err(stop.into()),
            // Reading the candidates will meet the same fault, if it lasts, and report it.
            Ok(None) | Err(_) => Ok(SearchAnswer::CannotTell),
        }
    }

    /// The filter that every page with one of the needles passes, if this collection can be asked for it.
    fn filter(&self, needles: &Needles, layout: &Layout, collection: &Collection) -> Option<Text> {
        // Such an index has no parts of words and no expressions: it finds nothing, where it should find a page.
        if collection.is_word_index() {
            return None;
        }
        let longest = if self.is_cloud { CLOUD_PATTERN } else { PATTERN };
        let mut any = Vec::with_capacity(needles.any.len());
        for needle in &needles.any {
            let text = match needle {
                Needle::Regex(regex) => Text::Regex(regex.clone()),
                Needle::Literal(text) if text.chars().count() < 3 || text.contains('\0') => return None,
                // `$contains` stops at a NUL in the text, which only a foreign collection can hold; `$regex` does not.
                Needle::Literal(text) if layout.is_own => Text::Contains(text.clone()),
                Needle::Literal(text) => Text::Regex(regex_syntax::escape(text)),
            };
            let (Text::Contains(pattern) | Text::Regex(pattern)) = &text else { return None };
            if pattern.chars().count() > longest {
                return None;
            }
            any.push(text);
        }
        match any.len() {
            1 => any.pop(),
            _ => Some(Text::Any(any)),
        }
    }

    async fn hits(
        &self,
        client: &Client,
        collection: &Collection,
        filter: &Text,
        layout: &Layout,
        asker: Option<&Asker>,
    ) -> Result<BTreeSet<Hit>, Fault> {
        let which = Which::Text(filter);
        let unknown = || Fault::Garbled("a record names no page".into());
        if !layout.is_own {
            let records = self.all(client, collection, which, asker, Include::Metadata, MATCHES).await?;
            let records = records.iter().filter(|record| !record.id.starts_with(TREE_ID));
            return records
                .map(|record| {
                    let slug = slug_of(record, &self.config.fields).ok_or_else(unknown)?;
                    Ok(Hit { slug: slug.to_string(), version: None })
                })
                .collect();
        }
        let records = self.all(client, collection, which, asker, Include::Nothing, MATCHES).await?;
        let (mut hits, mut shortened) = (BTreeSet::new(), Vec::new());
        let hit = |slug: &str, version: &str| Hit { slug: slug.to_string(), version: Some(version.to_string()) };
        for record in records.into_iter().filter(|record| !record.id.starts_with(TREE_ID)) {
            match page_and_version(&record.id).ok_or_else(unknown)? {
                (page, _) if is_short(page) => shortened.push(record.id),
                (page, version) => drop(hits.insert(hit(page, version))),
            }
        }
        for record in self.by_ids(client, collection, &shortened, asker, Include::Metadata).await? {
            let slug = slug_of(&record, &self.config.fields).ok_or_else(unknown)?;
            let (_, version) = page_and_version(&record.id).ok_or_else(unknown)?;
            hits.insert(hit(slug, version));
        }
        Ok(hits)
    }
}

/// Whether `page` may be what stands for a slug that was too long.
fn is_short(page: &str) -> bool {
    page.len() == short_prefix("").len() && page.starts_with('~')
}
