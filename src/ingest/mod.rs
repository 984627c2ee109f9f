//! Reading a docs folder into a site: which files become pages, what their frontmatter says, how they are cut into
//! chunks, and how the result reaches a store so that readers see the old site or the new one. It stands beside `site/`
//! and `store/` because it is the only writer: what serves visitors never reaches this folder.
mod chunks;
pub mod folder;
pub mod frontmatter;
mod navigation;
mod read;
mod tree;

pub use read::{Folder, Reading, Source, read};

use crate::{
    site::tree::{PageId, Tree},
    store::{NewPage, StoreError, Writer, lazy::LazyFiles},
};
use docsh_builtins::Cancel;
use std::collections::HashSet;

/// Pages of one step of writing.
const STEP: usize = 64;

/// What an ingest did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Pages that were not there before.
    pub added: usize,
    /// Pages with another text, or for other visitors.
    pub changed: usize,
    /// Pages as they were.
    pub unchanged: usize,
    /// Pages that are no more.
    pub removed: usize,
    /// Records deleted because no tree names them.
    pub swept: usize,
}

/// Make the site of `writer` hold exactly `folder`. `progress` is told how many of how many pages are written.
pub fn write(
    writer: &mut dyn Writer,
    folder: &Folder,
    base_url: Option<&str>,
    progress: &mut dyn FnMut(usize, usize),
    cancel: &Cancel,
) -> Result<Summary, StoreError> {
    let mut summary = Summary::default();
    let current = writer.current(cancel)?;
    let mut todo: Vec<&NewPage> = Vec::new();
    for source in &folder.sources {
        let page = &source.page;
        let old = current.as_ref().and_then(|tree| Some((tree, tree.page(&page.slug)?)));
        let same = old.is_some_and(|(tree, old)| is_same(tree, old, source));
        match (old, same) {
            (None, _) => summary.added += 1,
            (Some(_), false) => summary.changed += 1,
            (Some(_), true) => summary.unchanged += 1,
        }
        if source.lazy.is_none() && (!same || !writer.holds(page)) {
            todo.push(page);
        }
    }
    if let Some(tree) = &current {
        let new: HashSet<&str> = folder.sources.iter().map(|source| source.page.slug.as_str()).collect();
        summary.removed = tree.pages().filter(|&page| !new.contains(tree.slug(page))).count();
    }
    let mut done = 0;
    for step in todo.chunks(STEP) {
        progress(done, todo.len());
        writer.put_pages(step, cancel)?;
        done += step.len();
    }
    progress(done, todo.len());
    let stored = folder.sources.iter().filter(|source| source.lazy.is_none());
    let pages: Vec<NewPage> = stored.map(|source| source.page.clone()).collect();
    writer.put_tree(&tree::of(folder, base_url), &pages, cancel)?;
    summary.swept = writer.sweep(cancel)?;
    Ok(summary)
}

/// Whether the old tree says of the page what the new one will.
fn is_same(tree: &Tree, old: PageId, source: &Source) -> bool {
    let page = &source.page;
    let is_text_same = match &source.lazy {
        Some(lazy) => tree.lazy(old) == Some(lazy),
        None => tree.hash(old) == Some(page.hash) && tree.chunks(old) == Some(page.chunks.len() as u32),
    };
    is_text_same && *tree.class(old) == page.class
}

/// Upload every file of more than `over` bytes to `place` (`s3://bucket/prefix`) and let the site point to it. Objects
/// are named by their version, so that readers of the old site still find what it points to.
pub fn upload(
    files: &LazyFiles,
    folder: &mut Folder,
    over: usize,
    place: &str,
    cancel: &Cancel,
) -> Result<usize, (String, StoreError)> {
    let mut count = 0;
    for source in folder.sources.iter_mut().filter(|source| source.page.body.len() > over) {
        let page = &source.page;
        let url = format!("{}/{}/{}", place.trim_end_matches('/'), page.hash.short(), page.slug);
        let put = files.put(&url, page.body.clone(), cancel);
        source.lazy = Some(put.map_err(|error| (page.slug.clone(), error))?);
        count += 1;
    }
    Ok(count)
}
