//! The first pass of a recursive search: which pages of a scope can match at all. A pure optimisation: it may name too
//! many pages, never too few, and says nothing where asking would cost more than reading.
use super::{
    Shared,
    access::Visible,
    tree::{Node, PageId, Tree},
};
use crate::store::{SearchAnswer, StoreError};
use docsh_builtins::{Cancel, Needles};
use std::collections::BTreeSet;

/// The pages below `scope` that may contain one of `needles`, in the order of their paths; `None` for all of them.
pub(super) fn narrow(
    site: &Shared,
    tree: &Tree,
    visible: &Visible,
    scope: impl Iterator<Item = Node>,
    needles: &Needles,
    cancel: &Cancel,
) -> Result<Option<Vec<PageId>>, StoreError> {
    let mut pages: BTreeSet<PageId> = BTreeSet::new();
    for node in scope {
        match node {
            Node::Page(page) => drop(pages.insert(page)),
            Node::Folder(folder) => {
                pages.extend(tree.pages_below(folder).filter(|&page| tree.sees_page(page, visible)));
            }
        }
    }
    // An empty scope asks nothing.
    if pages.is_empty() {
        return Ok(Some(Vec::new()));
    }
    if needles.any.is_empty() || !pays(site, tree, &pages) {
        return Ok(None);
    }
    let slugs = match site.store.search(needles, tree.layout(), cancel)? {
        SearchAnswer::CannotTell => return Ok(None),
        SearchAnswer::Slugs(slugs) => slugs,
    };
    // The answer is cut to what the visitor may see before anything else looks at it.
    let found: BTreeSet<PageId> =
        slugs.iter().filter_map(|slug| tree.page_of_slug(slug)).filter(|page| pages.contains(page)).collect();
    let is_candidate = |&page: &PageId| {
        found.contains(&page)
            || !tree.is_line_aligned(page)
            || tree.is_view(page)
            || tree.lazy(page).is_some()
            // What is kept without a hash may be older than what was searched.
            || (tree.hash(page).is_none() && site.pages.holds(&tree.page_ref(page)))
    };
    Ok(Some(pages.into_iter().filter(is_candidate).collect()))
}

/// Whether asking the store first is likely to be quicker than reading every page.
fn pays(site: &Shared, tree: &Tree, pages: &BTreeSet<PageId>) -> bool {
    let from = site.options.search_from;
    if site.store.is_resident() {
        return pages.iter().map(|&page| tree.size(page).unwrap_or(0)).sum::<u64>() >= from.bytes;
    }
    let missing = pages.iter().filter(|&&page| tree.lazy(page).is_none() && !site.pages.holds(&tree.page_ref(page)));
    missing.take(from.pages).count() == from.pages
}
