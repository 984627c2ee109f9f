//! Page text in memory: bounded in bytes, and fetched once however many readers want it at the same time.
//!
//! Text is kept without identity, under its hash where the tree tells it (then for ever), else under its slug (then for
//! the site's `ttl`); files elsewhere in the same way, under their address and version. Whether a visitor may see the
//! page is decided before anybody asks here. What the store answered to a search is kept beside it, for `ttl`.
mod flight;

use crate::{
    store::{
        Page, PageRef, Store, StoreError,
        shelf::{Shelf, ShelfKey},
    },
    tree::{Hash, Lazy},
};
use bytes::Bytes;
use docsh_builtins::Cancel;
use flight::{Claim, Flight};
use moka::sync::Cache;
use parking_lot::Mutex;
use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

/// The pages in memory, and behind them the shelf that the process shares with others.
pub(super) struct PageCache {
    kept: OnceLock<Cache<Key, Kept>>,
    shelf: Option<Box<dyn Shelf>>,
    flights: Mutex<HashMap<Key, Arc<Flight>>>,
    capacity: u64,
    ttl: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Hash(Hash),
    Slug(Arc<str>),
    Lazy(Lazy),
    Answer(Hash),
}

/// Where a page is to be had.
enum Sought<'a> {
    /// Here.
    Kept(Bytes),
    /// Nowhere yet: whoever asked fetches it.
    Mine(Claim<'a>),
    /// Somebody is fetching it.
    Others(Arc<Flight>),
}

#[derive(Clone)]
struct Kept {
    body: Bytes,
    since: Instant,
}

impl PageCache {
    /// Keeps at most `capacity` bytes; what has no hash for `ttl`.
    pub(super) fn new(capacity: u64, ttl: Duration, shelf: Option<Box<dyn Shelf>>) -> PageCache {
        PageCache { kept: OnceLock::new(), shelf, flights: Mutex::default(), capacity, ttl }
    }

    /// The text of each of `pages`, in their order: what is kept, and the rest in one request to the store.
    pub(super) fn read(&self, store: &dyn Store, pages: &[PageRef<'_>], cancel: &Cancel) -> Vec<Page> {
        if store.is_resident() {
            return match store.pages(pages, cancel) {
                Ok(read) => read,
                Err(error) => vec![Err(error); pages.len()],
            };
        }
        let mut answers: Vec<Option<Page>> = vec![None; pages.len()];
        loop {
            let missing: Vec<usize> = (0..pages.len()).filter(|&at| answers[at].is_none()).collect();
            if missing.is_empty() {
                return answers.into_iter().flatten().collect();
            }
            let (mut mine, mut others) = (Vec::new(), Vec::new());
            for at in missing {
                let key = Key::of(&pages[at]);
                match self.seek(&key) {
                    Sought::Kept(body) => {
                        cancel.usage().hits(1);
                        answers[at] = Some(Ok(body));
                    }
                    Sought::Mine(claim) => mine.push((at, claim)),
                    Sought::Others(flight) => others.push((at, flight)),
                }
            }
            // Fetch before waiting: two readers that each wait for the other's pages must not both stand still.
            self.fetch(store, pages, mine, &mut answers, cancel);
            for (at, flight) in others {
                // Another reader's stop is not ours: then the page is still missing in the next round.
                answers[at] = match flight.wait(cancel) {
                    Ok(Err(StoreError::Stopped(_))) => None,
                    Ok(page) => {
                        cancel.usage().hits(page.is_ok().into());
                        Some(page)
                    }
                    Err(stop) => Some(Err(stop.into())),
                };
            }
        }
    }

    /// What has kept the shelf from serving; told once.
    pub(super) fn trouble(&self) -> Option<&'static str> {
        self.shelf.as_ref()?.trouble()
    }

    /// Whether reading the page asks nobody.
    pub(super) fn holds(&self, page: &PageRef<'_>) -> bool {
        self.get(&Key::of(page)).is_some()
    }

    /// The whole of a file elsewhere: what is kept, else what `fetch` answers, once however many readers want it.
    pub(super) fn read_lazy(&self, lazy: &Lazy, fetch: impl Fn() -> Page, cancel: &Cancel) -> Page {
        let key = Key::Lazy(lazy.clone());
        loop {
            match self.seek(&key) {
                Sought::Kept(body) => {
                    cancel.usage().hits(1);
                    return Ok(body);
                }
                Sought::Mine(claim) => {
                    let page = fetch();
                    if let Ok(body) = &page {
                        self.put(key, body.clone());
                    }
                    claim.land(page.clone());
                    return page;
                }
                Sought::Others(flight) => match flight.wait(cancel)? {
                    Err(StoreError::Stopped(_)) => {}
                    page => return page,
                },
            }
        }
    }

    /// The whole of a file elsewhere, if it is kept.
    pub(super) fn lazy(&self, lazy: &Lazy) -> Option<Bytes> {
        self.get(&Key::Lazy(lazy.clone()))
    }

    /// What the store answered to a search, here or in another process, not longer than `ttl` ago.
    pub(super) fn answer(&self, key: &ShelfKey, cancel: &Cancel) -> Option<Bytes> {
        // What the shelf has is as old as it is: in memory it would begin to age anew.
        self.get(&Key::Answer(key.id)).or_else(|| self.shelf.as_ref()?.get(&[*key], cancel).pop()?)
    }

    /// Keep what the store answered to a search.
    pub(super) fn keep_answer(&self, key: ShelfKey, answer: Bytes, cancel: &Cancel) {
        self.put(Key::Answer(key.id), answer.clone());
        if let Some(shelf) = &self.shelf {
            shelf.put(&[(key, answer)], cancel);
        }
    }

    fn fetch(
        &self,
        store: &dyn Store,
        pages: &[PageRef<'_>],
        mine: Vec<(usize, Claim<'_>)>,
        answers: &mut [Option<Page>],
        cancel: &Cancel,
    ) {
        if mine.is_empty() {
            return;
        }
        let wanted: Vec<PageRef<'_>> = mine.iter().map(|(at, _)| pages[*at]).collect();
        let read = self.fetch_all(store, &wanted, cancel);
        for ((at, claim), page) in mine.into_iter().zip(read) {
            if let Ok(body) = &page {
                self.put(claim.key().clone(), body.clone());
            }
            claim.land(page.clone());
            answers[at] = Some(page);
        }
    }

    /// From the shelf, and what it lacks from the store.
    fn fetch_all(&self, store: &dyn Store, wanted: &[PageRef<'_>], cancel: &Cancel) -> Vec<Page> {
        let ask = |wanted: &[PageRef<'_>]| match store.pages(wanted, cancel) {
            Ok(read) => read,
            Err(error) => vec![Err(error); wanted.len()],
        };
        let (Some(shelf), Some(site)) = (&self.shelf, store.identity()) else { return ask(wanted) };
        let key = |page: &PageRef<'_>| ShelfKey::of(&site, &page.layout.joiner, page.slug, page.hash, page.version);
        let keys: Vec<ShelfKey> = wanted.iter().map(key).collect();
        let is_right = |page: &PageRef<'_>, text: &Bytes| page.hash.is_none_or(|hash| hash == Hash::of(text));
        let on_shelf = shelf.get(&keys, cancel).into_iter().zip(wanted);
        let mut read: Vec<Option<Page>> =
            on_shelf.map(|(text, page)| text.filter(|text| is_right(page, text)).map(Ok)).collect();
        let missing: Vec<usize> = (0..wanted.len()).filter(|&at| read[at].is_none()).collect();
        cancel.usage().hits(wanted.len() - missing.len());
        if !missing.is_empty() {
            let pages: Vec<PageRef<'_>> = missing.iter().map(|&at| wanted[at]).collect();
            let mut new = Vec::new();
            for (at, page) in missing.into_iter().zip(ask(&pages)) {
                new.extend(page.as_ref().ok().map(|text| (keys[at], text.clone())));
                read[at] = Some(page);
            }
            shelf.put(&new, cancel);
        }
        read.into_iter().flatten().collect()
    }

    fn get(&self, key: &Key) -> Option<Bytes> {
        let kept = self.kept.get()?.get(key)?;
        let is_lasting = match key {
            Key::Hash(_) => true,
            Key::Slug(_) | Key::Answer(_) => false,
            Key::Lazy(lazy) => lazy.etag.is_some(),
        };
        let is_fresh = is_lasting || kept.since.elapsed() < self.ttl;
        is_fresh.then_some(kept.body)
    }

    fn put(&self, key: Key, body: Bytes) {
        if body.len() as u64 > self.capacity {
            return;
        }
        let kept = self.kept.get_or_init(|| {
            let weigh = |_: &Key, kept: &Kept| u32::try_from(kept.body.len()).unwrap_or(u32::MAX).saturating_add(300);
            Cache::builder().max_capacity(self.capacity).weigher(weigh).build()
        });
        kept.insert(key, Kept { body, since: Instant::now() });
    }

    /// The right to fetch a page, or the flight of whoever has it.
    fn claim(&self, key: &Key) -> Result<Claim<'_>, Arc<Flight>> {
        let mut flights = self.flights.lock();
        if let Some(flight) = flights.get(key) {
            return Err(flight.clone());
        }
        flights.insert(key.clone(), Arc::default());
        Ok(Claim::new(self, key.clone()))
    }

    /// What is kept of a page, or who fetches it. A page that has landed since it was looked for is kept by now: only
    /// whoever holds its claim, and still finds nothing, fetches it.
    fn seek(&self, key: &Key) -> Sought<'_> {
        if let Some(body) = self.get(key) {
            return Sought::Kept(body);
        }
        match self.claim(key) {
            Ok(claim) => match self.get(key) {
                Some(body) => {
                    claim.land(Ok(body.clone()));
                    Sought::Kept(body)
                }
                None => Sought::Mine(claim),
            },
            Err(flight) => Sought::Others(flight),
        }
    }
}

impl Key {
    fn of(page: &PageRef<'_>) -> Key {
        match page.hash {
            Some(hash) => Key::Hash(hash),
            None => Key::Slug(page.slug.into()),
        }
    }
}

#[cfg(test)]
mod tests;
