//! The first pass of a recursive search: which pages of a scope can match at all. A pure optimisation: it may name too
//! many pages, never too few, and says nothing where asking would cost more than reading.
use super::Shared;
use crate::store::{Hit, SearchAnswer, StoreError, shelf::ShelfKey};
use crate::tree::{
    Node, PageId, Tree,
    access::{Asker, Visible},
};
use docsh_builtins::{Cancel, Needles};
use std::{collections::BTreeSet, sync::atomic::Ordering};

/// The pages below `scope` that may contain one of `needles`, in the order of their paths; `None` for all of them.
pub(super) fn narrow(
    site: &Shared,
    tree: &Tree,
    visible: &Visible,
    scope: impl Iterator<Item = Node>,
    needles: &Needles,
    asker: Option<&Asker>,
    cancel: &Cancel,
) -> Result<Option<Vec<PageId>>, StoreError> {
    site.searches.fetch_add(1, Ordering::Relaxed);
    let mut pages: Vec<PageId> = Vec::new();
    for node in scope {
        match node {
            Node::Page(page) => pages.push(page),
            Node::Folder(folder) => {
                pages.extend(tree.pages_below(folder).filter(|&page| tree.sees_page(page, visible)));
            }
        }
    }
    pages.sort_unstable();
    pages.dedup();
    // An empty scope asks nothing.
    if pages.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let is_searchable = |page: PageId| tree.is_line_aligned(page) && !tree.is_view(page) && tree.lazy(page).is_none();
    if needles.any.is_empty() || !pays(site, tree, &pages) || !pages.iter().any(|&page| is_searchable(page)) {
        return Ok(None);
    }
    let Some(hits) = search(site, tree, needles, asker, cancel)? else { return Ok(None) };
    let mut found = BTreeSet::new();
    for Hit { slug, version } in hits {
        let page = tree.page_of_slug(&slug);
        let is_known = |page: PageId| tree.hash(page).map(|hash| hash.short()) == version;
        match page {
            // The answer is cut to what was asked, and so to what the visitor may see, before anything else looks at
            // it.
            Some(page) if pages.binary_search(&page).is_err() => {}
            Some(page) if version.is_none() || is_known(page) => drop(found.insert(page)),
            None if version.is_none() => {}
            // Other text was searched than the tree speaks of: what has no hit there may still match here.
            _ => return Ok(None),
        }
    }
    // What is in memory costs nothing to read, and may be older than what was searched.
    let is_kept = |page: PageId| !site.store.is_resident() && site.pages.holds(&tree.page_ref(page));
    let is_candidate = |&page: &PageId| found.contains(&page) || !is_searchable(page) || is_kept(page);
    Ok(Some(pages.into_iter().filter(is_candidate).collect()))
}

/// What the store answers, or has answered within the site's `ttl`: whoever refines a search asks for the same pages
/// again. A tree is believed for as long, and another tree's answers are others.
fn search(
    site: &Shared,
    tree: &Tree,
    needles: &Needles,
    asker: Option<&Asker>,
    cancel: &Cancel,
) -> Result<Option<Vec<Hit>>, StoreError> {
    // What the store says to one visitor is no answer for another; and where the tree does not name texts by their
    // hashes, a page may be read that is newer than an answer.
    let identity = site.store.identity().filter(|_| asker.is_none() && tree.layout().is_own);
    let key = identity.map(|identity| ShelfKey::of_answer(&identity, tree.version(), tree.layout(), needles));
    let kept = key.and_then(|key| site.pages.answer(&key, cancel));
    if let Some(hits) = kept.and_then(|answer| serde_json::from_slice(&answer).ok()) {
        return Ok(Some(hits));
    }
    let SearchAnswer::Pages(hits) = site.store.search(needles, tree.layout(), asker, cancel)? else { return Ok(None) };
    if let Some((key, answer)) = key.zip(serde_json::to_vec(&hits).ok()) {
        site.pages.keep_answer(key, answer.into(), cancel);
    }
    Ok(Some(hits))
}

/// Whether asking the store first is likely to be quicker than reading every page.
fn pays(site: &Shared, tree: &Tree, pages: &[PageId]) -> bool {
    let from = site.options.search_from;
    if site.store.is_resident() {
        return pages.iter().map(|&page| tree.size(page).unwrap_or(0)).sum::<u64>() >= from.bytes;
    }
    let missing = pages.iter().filter(|&&page| tree.lazy(page).is_none() && !site.pages.holds(&tree.page_ref(page)));
    missing.take(from.pages).count() == from.pages
}
