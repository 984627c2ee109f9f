//! The text of pages as the visitor sees it: from the caches, the store, or where a pointer leads.
use super::{DocFs, Session};
use crate::{
    site::{lazy, openapi},
    store::{Page, PageRef, StoreError},
    tree::{Lazy, PageId},
};
use bytes::Bytes;
use docsh_builtins::{Cancel, ErrorKind};

impl DocFs {
    /// The text of each page, which this visitor may see.
    pub(super) fn read(&self, pages: &[PageId], cancel: &Cancel) -> Vec<Result<Bytes, ErrorKind>> {
        let tree = &self.0.tree;
        let stored: Vec<PageId> = pages.iter().copied().filter(|&page| tree.lazy(page).is_none()).collect();
        let mut stored = self.read_stored(&stored, cancel).into_iter();
        let text = |&page: &PageId| {
            let text = match tree.lazy(page) {
                Some(pointer) => self.read_lazy(page, pointer, cancel),
                None => stored.next().unwrap_or(Err(StoreError::Lazy { reason: "is not in the store".into() })),
            };
            let text = self.view(page, text.map_err(ErrorKind::from)?)?;
            cancel.usage().page();
            cancel.usage().text(text.len());
            Ok(text)
        };
        pages.iter().map(text).collect()
    }

    fn read_stored(&self, pages: &[PageId], cancel: &Cancel) -> Vec<Page> {
        let Session { site, tree, asker, .. } = &*self.0;
        let of_visitor = |&page: &PageId| PageRef { asker: asker.as_ref(), ..tree.page_ref(page) };
        let refs: Vec<PageRef<'_>> = pages.iter().map(of_visitor).collect();
        let mut read = site.pages.read(&*site.store, &refs, cancel);
        let is_changed = |page: &Page| matches!(page, Err(StoreError::BadPage { .. }));
        let changed: Vec<usize> = (0..read.len()).filter(|&at| is_changed(&read[at])).collect();
        if !changed.is_empty() {
            self.read_again(pages, &changed, &mut read, cancel);
        }
        read
    }

    fn read_lazy(&self, page: PageId, pointer: &Lazy, cancel: &Cancel) -> Page {
        let Session { site, tree, .. } = &*self.0;
        let (size, limit) = (tree.size(page), site.options.lazy_search);
        site.pages.read_lazy(pointer, || lazy::whole(&site.lazy, pointer, size, limit, cancel), cancel)
    }

    /// The text of a page as this visitor sees it.
    fn view(&self, page: PageId, text: Bytes) -> Result<Bytes, ErrorKind> {
        let Session { tree, visitor, views, .. } = &*self.0;
        if !tree.is_view(page) {
            return Ok(text);
        }
        if let Some(view) = views.lock().text(page) {
            return Ok(view);
        }
        let unclear = |reason: String| ErrorKind::Io(format!("the page {reason}").into());
        let view = openapi::view(tree.path(page), text, visitor).map_err(unclear)?;
        views.lock().keep(page, view.clone());
        Ok(view)
    }

    /// The size of a page as this visitor sees it, where it is known.
    pub(super) fn known_size(&self, page: PageId) -> Option<u64> {
        let Session { tree, views, .. } = &*self.0;
        match tree.is_view(page) {
            true => views.lock().size(page),
            false => tree.size(page),
        }
    }

    /// Pages that are not as the tree says may have been written since: what a newer tree says of them is tried once.
    fn read_again(&self, pages: &[PageId], changed: &[usize], read: &mut [Page], cancel: &Cancel) {
        let Session { site, tree, visitor, asker, .. } = &*self.0;
        let Ok(newer) = site.snapshots.reload(tree.version(), &*site.store, cancel) else { return };
        if newer.version() == tree.version() {
            return;
        }
        let visible = newer.classes().visible(visitor);
        let find = |&at: &usize| {
            let page = newer.page(tree.path(pages[at])).filter(|&page| newer.sees_page(page, &visible))?;
            Some((at, PageRef { asker: asker.as_ref(), ..newer.page_ref(page) }))
        };
        let (places, refs): (Vec<usize>, Vec<PageRef<'_>>) = changed.iter().filter_map(find).unzip();
        for (at, page) in places.into_iter().zip(site.pages.read(&*site.store, &refs, cancel)) {
            read[at] = page;
        }
    }

    pub(super) fn read_one(&self, page: PageId, cancel: &Cancel) -> Result<Bytes, ErrorKind> {
        self.read(&[page], cancel).pop().unwrap_or_else(|| Err(ErrorKind::Io("".into())))
    }
}

impl From<StoreError> for ErrorKind {
    /// In the visitor's words; a stop stays a stop.
    fn from(error: StoreError) -> ErrorKind {
        match error {
            StoreError::Stopped(stop) => ErrorKind::Stopped(stop),
            error => ErrorKind::Io(error.cause()),
        }
    }
}
