//! One fetch of a page, however many readers want it: whoever claims it fetches, the others wait until it has landed.
use super::{Key, PageCache};
use crate::store::Page;
use docsh_builtins::{Cancel, Stop};
use parking_lot::{Condvar, Mutex};
use std::time::Duration;

/// How late a waiting reader may notice a stop.
const PATIENCE: Duration = Duration::from_millis(20);

/// A page that somebody is fetching.
#[derive(Default)]
pub(super) struct Flight {
    landed: Mutex<Option<Page>>,
    news: Condvar,
}

/// The duty to land a flight, kept even when the fetching thread panics.
pub(super) struct Claim<'a> {
    cache: &'a PageCache,
    key: Key,
}

impl Claim<'_> {
    /// The right to fetch the page `key`.
    pub(super) fn new(cache: &PageCache, key: Key) -> Claim<'_> {
        Claim { cache, key }
    }

    /// The page.
    pub(super) fn key(&self) -> &Key {
        &self.key
    }

    /// Give the page to whoever waits for it.
    pub(super) fn land(self, page: Page) {
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
    /// The page once it has landed.
    pub(super) fn wait(&self, cancel: &Cancel) -> Result<Page, Stop> {
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
