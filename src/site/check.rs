//! Looking at a whole site for its owner: every page is read and checked, whoever may see it.
use super::{Site, lazy, openapi};
use crate::store::StoreError;
use crate::tree::{
    PageId, Tree,
    access::{Class, Visitor},
};
use docsh_builtins::Cancel;

/// Pages read at once.
const STEP: usize = 200;

/// What a site holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Its pages.
    pub pages: usize,
    /// Those that everybody may see.
    pub public: usize,
    /// Those without a hash in the tree, which caches cannot keep for long.
    pub unhashed: usize,
    /// Those with a problem.
    pub problems: usize,
}

impl Site {
    /// Check every page; `found` is told the path of each that has a problem, and what that is, as the end of a
    /// sentence.
    pub fn check(&self, found: &mut dyn FnMut(&str, &str), cancel: &Cancel) -> Result<Report, StoreError> {
        let tree = self.shared.snapshots.tree();
        let mut report = Report { pages: tree.len(), ..Report::default() };
        let pages: Vec<PageId> = tree.pages().collect();
        for step in pages.chunks(STEP) {
            cancel.check()?;
            let (lazy, stored): (Vec<PageId>, Vec<PageId>) = step.iter().partition(|&&page| tree.lazy(page).is_some());
            let refs: Vec<_> = stored.iter().map(|&page| tree.page_ref(page)).collect();
            let read = self.shared.pages.read(&*self.shared.store, &refs, cancel);
            let mut problems: Vec<(PageId, String)> = Vec::new();
            for (&page, text) in stored.iter().zip(read) {
                match text {
                    Ok(text) => problems.extend(content_problem(&tree, page, text).map(|problem| (page, problem))),
                    Err(StoreError::Stopped(stop)) => return Err(stop.into()),
                    Err(StoreError::BadPage { reason, .. }) => problems.push((page, reason)),
                    Err(error) => return Err(error),
                }
            }
            for page in lazy {
                let Some(pointer) = tree.lazy(page) else { continue };
                match lazy::probe(&self.shared.lazy, pointer, tree.size(page), cancel) {
                    Ok(()) => {}
                    Err(StoreError::Lazy { reason }) => problems.push((page, reason)),
                    Err(error) => return Err(error),
                }
            }
            for &page in step {
                match tree.class(page) {
                    Class::Public => report.public += 1,
                    Class::Nobody => {
                        problems.push((page, "can be seen by nobody: its access is wrongly written".into()))
                    }
                    Class::SignedIn | Class::Groups(_) => {}
                }
                report.unhashed += usize::from(tree.hash(page).is_none());
            }
            problems.sort();
            report.problems += problems.len();
            problems.iter().for_each(|(page, problem)| found(tree.path(*page), problem));
        }
        let mut each = |slug: &str, problem: &str| {
            report.problems += 1;
            found(tree.page_of_slug(slug).map_or(slug, |page| tree.path(page)), problem);
        };
        self.shared.store.audit(&tree, &mut each, cancel)?;
        Ok(report)
    }
}

/// What is wrong with a page whose text is as the tree says.
fn content_problem(tree: &Tree, page: PageId, text: bytes::Bytes) -> Option<String> {
    if let Some(size) = tree.size(page).filter(|&size| size != text.len() as u64) {
        return Some(format!("has {} bytes where the tree says {size}", text.len()));
    }
    let view = tree.is_view(page).then(|| openapi::view(tree.path(page), text, &Visitor::Anonymous));
    view.and_then(Result::err)
}
