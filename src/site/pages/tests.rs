use super::*;
use crate::store::{SearchAnswer, TreeAnswer};
use crate::tree::{Layout, TreeVersion, access::Asker};
use docsh_builtins::{Needles, Stop};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Answers every page with its slug, slowly, and counts.
struct Slow {
    requests: AtomicUsize,
    pages: AtomicUsize,
    pause: Duration,
    fails: bool,
}

impl Default for Slow {
    fn default() -> Slow {
        let [requests, pages] = Default::default();
        Slow { requests, pages, pause: Duration::from_millis(50), fails: false }
    }
}

impl Store for Slow {
    fn tree(&self, _: Option<&TreeVersion>, _: &Cancel) -> Result<TreeAnswer, StoreError> {
        Ok(TreeAnswer::NotModified)
    }
    fn pages(&self, pages: &[PageRef<'_>], cancel: &Cancel) -> Result<Vec<Page>, StoreError> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.pages.fetch_add(pages.len(), Ordering::Relaxed);
        cancel.sleep(self.pause)?;
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
    pages.into_iter().map(|page| page.map_or_else(|e| e.to_string(), |b| String::from_utf8_lossy(&b).into())).collect()
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
fn a_page_that_lands_while_it_is_looked_for_is_not_fetched_again() {
    let cache = PageCache::new(1 << 20, Duration::from_secs(60), None);
    let store = Slow { pause: Duration::ZERO, ..Slow::default() };
    let slugs: Vec<String> = (0..2000).map(|n| n.to_string()).collect();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| slugs.iter().for_each(|slug| drop(read(&cache, &store, &[slug], &Cancel::new()))));
        }
    });
    assert_eq!(store.pages.load(Ordering::Relaxed), slugs.len());
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
