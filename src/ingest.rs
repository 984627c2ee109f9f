//! Reading a docs folder into a site: which files become pages, what their frontmatter says, how they are cut into
//! chunks, and how the result reaches a store so that readers see the old site or the new one. It stands beside `site/`
//! because it is the only writer: what serves visitors never reaches this folder.
mod chunks;
mod facts;
pub mod folder;
pub mod frontmatter;
mod known;
mod navigation;
mod published;
mod read;
mod rules;
mod tree;

pub use known::Known;
pub use navigation::Reason;
pub use published::published;
pub use read::{Folder, Reading, Source, read, read_again};
pub use rules::AccessRules;

use crate::{
    store::{
        NewPage, StoreError, Writer,
        chroma::{Survey, Surveyed},
        lazy::LazyFiles,
    },
    tree::{Lazy, Tree, access::Class, order},
};
use docsh_builtins::Cancel;
use std::{collections::HashSet, panic::resume_unwind, thread};

/// Pages and bytes of one step of writing: enough for several requests at once.
const STEP: (usize, usize) = (512, 8 << 20);

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
    /// Pages whose text or access was written.
    pub written: usize,
    /// Records deleted because no tree names them.
    pub swept: usize,
}

/// Make the site of `writer` hold exactly `folder`; what it holds already is not written again. `progress` is told how
/// many of how many pages are written.
pub fn write(
    writer: &mut dyn Writer,
    folder: &Folder,
    base_url: Option<&str>,
    progress: &mut dyn FnMut(usize, usize),
    cancel: &Cancel,
) -> Result<Summary, StoreError> {
    let (current, tree) = thread::scope(|scope| {
        let making = thread::Builder::new().spawn_scoped(scope, || tree::of(folder, base_url));
        let current = writer.current(cancel);
        let made = making.ok().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        // No thread is to be had.
        (current, made.unwrap_or_else(|| tree::of(folder, base_url)))
    });
    let current = current?;
    let mut summary = compare(current.as_ref(), folder);
    let is_todo =
        |source: &&Source| source.lazy.is_none() && (!is_same(current.as_ref(), source) || !writer.holds(&source.page));
    let todo: Vec<&Source> = folder.sources.iter().filter(is_todo).collect();
    let stored = folder.sources.iter().filter(|source| source.lazy.is_none());
    let pages: Vec<&NewPage> = stored.map(|source| &source.page).collect();
    writer.name(&tree, &pages);
    let is_written = current.as_ref().is_some_and(|current| {
        let layout = current.layout();
        *current.version().0 == *tree.version
            && layout.base_url.as_deref() == tree.base_url.as_deref()
            && layout.is_plain == tree.is_plain
    });
    if !is_written || !todo.is_empty() || !writer.is_complete() {
        put(writer, &todo, progress, cancel)?;
        summary.written = todo.len();
        writer.put_tree(&tree, &pages, cancel)?;
    }
    summary.swept = writer.sweep(cancel)?;
    Ok(summary)
}

/// Write pages step by step, so that no more of them is in memory than a step's.
fn put(
    writer: &mut dyn Writer,
    todo: &[&Source],
    progress: &mut dyn FnMut(usize, usize),
    cancel: &Cancel,
) -> Result<(), StoreError> {
    let mut rest = todo;
    while !rest.is_empty() {
        progress(todo.len() - rest.len(), todo.len());
        let mut bytes = 0;
        let fits = rest.iter().take(STEP.0).take_while(|source| {
            bytes += source.size;
            bytes <= STEP.1
        });
        let (step, later) = rest.split_at(fits.count().max(1));
        let pages: Vec<NewPage> = step.iter().map(|source| source.load()).collect::<Result<_, _>>()?;
        writer.put_pages(&pages.iter().collect::<Vec<_>>(), cancel)?;
        rest = later;
    }
    progress(todo.len(), todo.len());
    Ok(())
}

/// What would become of the site whose tree is `current`.
pub fn compare(current: Option<&Tree>, folder: &Folder) -> Summary {
    let mut summary = Summary::default();
    for source in &folder.sources {
        match current.is_some_and(|tree| tree.page(&source.page.slug).is_some()) {
            false => summary.added += 1,
            true if is_same(current, source) => summary.unchanged += 1,
            true => summary.changed += 1,
        }
    }
    let new: HashSet<&str> = folder.sources.iter().map(|source| source.page.slug.as_str()).collect();
    let is_gone = |tree: &Tree, page| !new.contains(tree.slug(page));
    summary.removed = current.map_or(0, |tree| tree.pages().filter(|&page| is_gone(tree, page)).count());
    summary
}

/// Whether the old tree says of the page what the new one will.
fn is_same(tree: Option<&Tree>, source: &Source) -> bool {
    let page = &source.page;
    let Some((tree, old)) = tree.and_then(|tree| Some((tree, tree.page(&page.slug)?))) else { return false };
    let is_text_same = match &source.lazy {
        // The address names the version.
        Some(lazy) => tree.lazy(old).is_some_and(|old| old.url == lazy.url),
        None => tree.hash(old) == Some(page.hash) && tree.chunks(old) == Some(page.chunks.len() as u32),
    };
    is_text_same && *tree.class(old) == page.class
}

/// What is wrong with pages of a survey, as lines to show; those pages stay out of the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SurveyReport {
    /// Pages of the tree.
    pub pages: usize,
    /// What was left out, one line each.
    pub warnings: Vec<String>,
    /// Pages of which nobody says who may see them.
    pub silent: Vec<String>,
}

/// Write the tree of pages that somebody else's pipeline keeps. Who may see a page is said by its chunks, else by
/// `rules`, else by `default`; when nobody says so of some page, nothing is written.
pub fn write_survey(
    writer: &mut dyn Writer,
    survey: &Survey,
    rules: Option<&AccessRules>,
    default: Option<&Class>,
    base_url: Option<&str>,
    cancel: &Cancel,
) -> Result<SurveyReport, StoreError> {
    let mut report = SurveyReport::default();
    let mut pages: Vec<(&str, &Surveyed, &Class)> = Vec::new();
    for (slug, page) in &survey.pages {
        let class = page.class.as_ref().or_else(|| rules?.class(slug)).or(default);
        match (&page.problem, class) {
            (Some(problem), _) => report.warnings.push(format!("{slug}: left out: it {problem}")),
            (None, Some(class)) => pages.push((slug, page, class)),
            (None, None) => report.silent.push(slug.clone()),
        }
    }
    report.pages = pages.len();
    if report.silent.is_empty() && report.pages > 0 {
        pages.sort_by(|a, b| order(a.0, b.0));
        let tree = tree::of_survey(pages.into_iter(), base_url);
        writer.name(&tree, &[]);
        writer.put_tree(&tree, &[], cancel)?;
        writer.sweep(cancel)?;
    }
    Ok(report)
}

/// Let the site point to `place` (`s3://bucket/prefix`) for every file of more than `over` bytes, and tell how many
/// those are. Objects are named by their version, so that readers of the old site still find what it points to.
pub fn point(folder: &mut Folder, over: usize, place: &str) -> usize {
    let mut count = 0;
    for source in folder.sources.iter_mut().filter(|source| source.size > over) {
        let NewPage { slug, hash, .. } = &source.page;
        let url = format!("{}/{}/{slug}", place.trim_end_matches('/'), hash.short());
        source.lazy = Some(Lazy { url: url.into(), etag: None });
        count += 1;
    }
    count
}

/// Point to `place`, and upload for `site` what is pointed to.
pub fn upload(
    files: &LazyFiles,
    site: &str,
    folder: &mut Folder,
    over: usize,
    place: &str,
    cancel: &Cancel,
) -> Result<usize, (String, StoreError)> {
    let count = point(folder, over, place);
    for source in &mut folder.sources {
        let Some(lazy) = &source.lazy else { continue };
        let put = source.load().and_then(|page| files.put(&lazy.url, site, page.body, cancel));
        source.lazy = Some(put.map_err(|error| (source.page.slug.clone(), error))?);
    }
    Ok(count)
}

/// Delete what earlier ingests have uploaded to `place` for `site`, except what its tree of now and the one before,
/// `previous`, point to: readers may still hold that one.
pub fn clean(
    files: &LazyFiles,
    site: &str,
    folder: &Folder,
    previous: Option<&Tree>,
    place: &str,
    cancel: &Cancel,
) -> Result<usize, StoreError> {
    let old = previous.into_iter().flat_map(|tree| tree.pages().filter_map(|page| tree.lazy(page)));
    let new = folder.sources.iter().filter_map(|source| source.lazy.as_ref());
    let keep = old.chain(new).map(|lazy| lazy.url.to_string()).collect();
    files.clean(place, site, &keep, cancel)
}
