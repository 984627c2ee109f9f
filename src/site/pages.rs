//! Page text in memory: bounded in bytes, and fetched once however many readers want it at the same time.
//!
//! Text is kept without identity, under its hash where the tree tells it (then for ever), else under its slug (then for
//! the site's `ttl`); files elsewhere in the same way, under their address and version. Whether a visitor may see the page is decided before anybody asks here.
use crate::{
    site::tree::{Hash, Lazy},
    store::{
        Page, PageRef, Store, StoreError,
        shelf::{Shelf, ShelfKey},
    },
};
use bytes::Bytes;
use docsh_builtins::{Cancel, Stop};
use moka::sync::Cache;
use parking_lot::{Condvar, Mutex};
use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

/// How late a waiting reader may notice a stop.
const PATIENCE: Duration = Duration::from_millis(20);

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
}

#[derive(Clone)]
struct Kept {
    body: Bytes,
    since: Instant,
}

/// A page that somebody is fetching.
#[derive(Default)]
struct Flight {
    landed: Mutex<Option<Page>>,
    news: Condvar,
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
                match self.get(&key) {
                    Some(body) => {
                        cancel.usage().hits(1);
                        answers[at] = Some(Ok(body));
                    }
                    None => match self.claim(&key) {
                        Ok(claim) => mine.push((at, claim)),
                        Err(flight) => others.push((at, flight)),
                    },
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

    /// Whether reading the page asks nobody.
    pub(super) fn holds(&self, page: &PageRef<'_>) -> bool {
        self.get(&Key::of(page)).is_some()
    }

    /// The whole of a file elsewhere: what is kept, else what `fetch` answers, once however many readers want it.
    pub(super) fn read_lazy(&self, lazy: &Lazy, fetch: impl Fn() -> Page, cancel: &Cancel) -> Page {
        loop {
            if let Some(body) = self.lazy(lazy) {
                cancel.usage().hits(1);
                return Ok(body);
            }
            let key = Key::Lazy(lazy.clone());
            match self.claim(&key) {
                Ok(claim) => {
                    let page = fetch();
                    if let Ok(body) = &page {
                        self.put(key, body.clone());
                    }
                    claim.land(page.clone());
                    return page;
                }
                Err(flight) => match flight.wait(cancel)? {
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
                self.put(claim.key.clone(), body.clone());
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
            Key::Slug(_) => false,
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
        Ok(Claim { cache: self, key: key.clone() })
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

/// The duty to land a flight, kept even when the fetching thread panics.
struct Claim<'a> {
    cache: &'a PageCache,
    key: Key,
}

impl Claim<'_> {
    fn land(self, page: Page) {
        self.end(page);
    }

    fn end(&self, page: Page) {
        if let Some(flight) = self.cache.flights.lock().remove(&self.key) {
            *flight.landed.lock() = Some(page);
            flight.news.notify_all();
        }
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.end(Err(Stop::Abandoned.into()));
    }
}

impl Flight {
    fn wait(&self, cancel: &Cancel) -> Result<Page, Stop> {
        let mut landed = self.landed.lock();
        loop {
            if let Some(page) = &*landed {
                return Ok(page.clone());
            }
            cancel.check()?;
            self.news.wait_for(&mut landed, PATIENCE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{
        access::Asker,
        tree::{Layout, TreeVersion},
    };
    use crate::store::{SearchAnswer, TreeAnswer};
    use docsh_builtins::Needles;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Answers every page with its slug, slowly, and counts.
    #[derive(Default)]
    struct Slow {
        requests: AtomicUsize,
        pages: AtomicUsize,
        fails: bool,
    }

    impl Store for Slow {
        fn tree(&self, _: Option<&TreeVersion>, _: &Cancel) -> Result<TreeAnswer, StoreError> {
            Ok(TreeAnswer::NotModified)
        }
        fn pages(&self, pages: &[PageRef<'_>], cancel: &Cancel) -> Result<Vec<Page>, StoreError> {
            self.requests.fetch_add(1, Ordering::Relaxed);
            self.pages.fetch_add(pages.len(), Ordering::Relaxed);
            cancel.sleep(Duration::from_millis(50))?;
            if self.fails {
                return Err(Stop::TimedOut.into());
            }
            Ok(pages.iter().map(|page| Ok(Bytes::copy_from_slice(page.slug.as_bytes()))).collect())
        }
        fn search(&self, _: &Needles, _: &Layout, _: Option<&Asker>, _: &Cancel) -> Result<SearchAnswer, StoreError> {
            Ok(SearchAnswer::CannotTell)
        }
    }

    fn page<'a>(slug: &'a str, hash: Option<Hash>) -> PageRef<'a> {
        static LAYOUT: std::sync::LazyLock<Layout> = std::sync::LazyLock::new(Layout::default);
        static VERSION: std::sync::LazyLock<TreeVersion> = std::sync::LazyLock::new(|| TreeVersion("1".into()));
        PageRef { slug, chunks: None, hash, class: None, asker: None, layout: &LAYOUT, version: &VERSION }
    }

    fn refs<'a>(slugs: &[&'a str]) -> Vec<PageRef<'a>> {
        slugs.iter().map(|slug| page(slug, None)).collect()
    }

    fn read(cache: &PageCache, store: &Slow, slugs: &[&str], cancel: &Cancel) -> Vec<String> {
        let pages = cache.read(store, &refs(slugs), cancel);
        pages
            .into_iter()
            .map(|page| page.map_or_else(|e| e.to_string(), |b| String::from_utf8_lossy(&b).into()))
            .collect()
    }

    #[test]
    fn many_readers_cost_one_request() {
        let (cache, store) = (PageCache::new(1 << 20, Duration::from_secs(60), None), Slow::default());
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| assert_eq!(read(&cache, &store, &["a", "b", "a"], &Cancel::new()), ["a", "b", "a"]));
            }
        });
        assert_eq!(store.pages.load(Ordering::Relaxed), 2);
        assert_eq!(read(&cache, &store, &["b"], &Cancel::new()), ["b"]);
        assert_eq!((cache.holds(&page("a", None)), cache.holds(&page("c", None))), (true, false));
        assert_eq!(store.requests.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn a_stopped_reader_does_not_stop_the_others() {
        let (cache, store) = (PageCache::new(1 << 20, Duration::from_secs(60), None), Slow::default());
        let stopped = Cancel::new().within(Duration::from_millis(10));
        std::thread::scope(|scope| {
            scope.spawn(|| assert_eq!(read(&cache, &store, &["a"], &stopped), ["Timed out"]));
            std::thread::sleep(Duration::from_millis(5));
            assert_eq!(read(&cache, &store, &["a"], &Cancel::new()), ["a"]);
        });
    }

    #[test]
    fn what_has_no_hash_is_kept_for_a_while() {
        let (cache, store) = (PageCache::new(1 << 20, Duration::ZERO, None), Slow::default());
        read(&cache, &store, &["a"], &Cancel::new());
        read(&cache, &store, &["a"], &Cancel::new());
        let hashed = [page("a", Some(Hash::of(b"a")))];
        cache.read(&store, &hashed, &Cancel::new());
        cache.read(&store, &hashed, &Cancel::new());
        assert_eq!(store.requests.load(Ordering::Relaxed), 3);
    }

    #[test]
    fn a_failure_is_not_kept() {
        let (cache, store) =
            (PageCache::new(1 << 20, Duration::from_secs(60), None), Slow { fails: true, ..Slow::default() });
        assert_eq!(read(&cache, &store, &["a"], &Cancel::new()), ["Timed out"]);
        assert_eq!(read(&cache, &store, &["a"], &Cancel::new()), ["Timed out"]);
        assert_eq!(store.requests.load(Ordering::Relaxed), 2);
    }
}
