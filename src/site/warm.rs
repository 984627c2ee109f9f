//! Reading a whole site ahead: in the background of a long-lived process that searches again and again, or on request.
//! From then on such a process searches in memory, which is quicker than any request.
use super::{Shared, Site};
use crate::store::StoreError;
use crate::tree::PageId;
use docsh_builtins::Cancel;
use std::{
    sync::{Arc, Weak, atomic::Ordering},
    thread,
};

/// Pages read at once.
const STEP: usize = 200;
/// From which recursive search on a process is taken for one that searches.
const SEARCHES: usize = 2;

impl Site {
    /// Read every page into the caches, whoever may see it; how many there were. `progress` is told how many of how
    /// many are read. Files elsewhere are left where they are.
    pub fn warm(&self, progress: &mut dyn FnMut(usize, usize), cancel: &Cancel) -> Result<usize, StoreError> {
        let tree = self.shared.snapshots.tree();
        let pages: Vec<PageId> = tree.pages().filter(|&page| tree.lazy(page).is_none()).collect();
        for (step, some) in pages.chunks(STEP).enumerate() {
            progress(step * STEP, pages.len());
            read(&self.shared, some, cancel)?;
        }
        progress(pages.len(), pages.len());
        Ok(pages.len())
    }

    /// Begin to read the site ahead in the background, if it has been searched more than once and all of it fits into
    /// memory. Only long-lived processes ask for this.
    pub(super) fn warm_in_background(&self) {
        let Shared { searches, is_warming, .. } = &*self.shared;
        if searches.load(Ordering::Relaxed) < SEARCHES
            || !fits(&self.shared)
            || is_warming.swap(true, Ordering::Relaxed)
        {
            return;
        }
        let site = Arc::downgrade(&self.shared);
        // Without a thread the site stays as it is, which is no fault.
        let _ = thread::Builder::new().name("warm".into()).spawn(move || warm_while_used(&site));
    }
}

/// Whether the text of all pages is known to fit into what a process may read ahead.
fn fits(site: &Shared) -> bool {
    let tree = site.snapshots.tree();
    let limit = site.options.warm_limit.min(site.options.memory);
    let sizes: Option<u64> = tree.pages().filter(|&page| tree.lazy(page).is_none()).map(|page| tree.size(page)).sum();
    !site.store.is_resident() && sizes.is_some_and(|bytes| bytes <= limit)
}

/// Read step by step, until all is read, the store fails, or nobody uses the site any more.
fn warm_while_used(site: &Weak<Shared>) {
    let Some(tree) = site.upgrade().map(|site| site.snapshots.tree()) else { return };
    let pages: Vec<PageId> = tree.pages().filter(|&page| tree.lazy(page).is_none()).collect();
    for some in pages.chunks(STEP) {
        let Some(site) = site.upgrade() else { return };
        let refs: Vec<_> = some.iter().map(|&page| tree.page_ref(page)).collect();
        if site.pages.read(&*site.store, &refs, &Cancel::new()).iter().any(Result::is_err) {
            return;
        }
    }
}

fn read(site: &Shared, pages: &[PageId], cancel: &Cancel) -> Result<(), StoreError> {
    let tree = site.snapshots.tree();
    let refs: Vec<_> = pages.iter().map(|&page| tree.page_ref(page)).collect();
    site.pages.read(&*site.store, &refs, cancel).into_iter().try_for_each(|page| page.map(drop))
}
