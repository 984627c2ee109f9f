//! A site in memory: a list of pages, sorted by path. The bundled site and a folder of the host are both this.
mod bundled;
mod folder;

pub use folder::Skipped;

use super::{Page, PageRef, SearchAnswer, Store, StoreError, TreeAnswer};
use crate::tree::{
    Builder, Facts, Layout, Rules, TreeVersion,
    access::{Asker, Class},
    order,
};
use bytes::Bytes;
use docsh_builtins::{Cancel, Needles};
use std::{borrow::Cow, sync::Arc};

/// Pages in memory. The tree never changes.
pub struct Memory {
    site: Arc<str>,
    /// Sorted by [`order`] of their slugs.
    files: Vec<File>,
    layout: Layout,
}

/// One page.
#[derive(Clone, Debug)]
pub struct File {
    /// Its relative path.
    pub slug: Cow<'static, str>,
    /// Its text.
    pub body: Bytes,
    /// Its title.
    pub title: Option<Cow<'static, str>>,
    /// Where it is on the web, relative to the site's address, if not where its path says.
    pub address: Option<Cow<'static, str>>,
    /// How many pages the navigation puts before it, if it puts it anywhere.
    pub order: Option<u32>,
    /// Who may see it.
    pub class: Class,
    /// Seconds since the epoch.
    pub mtime: Option<i64>,
    /// Permission bits.
    pub mode: u16,
    /// Whether it holds parts for some visitors only.
    pub view: bool,
}

impl Memory {
    /// A site called `site` of these files.
    pub fn new(site: &str, mut files: Vec<File>, layout: Layout) -> Memory {
        files.sort_by(|a, b| order(&*a.slug, &*b.slug));
        Memory { site: site.into(), files, layout }
    }
}

impl Store for Memory {
    fn tree(&self, known: Option<&TreeVersion>, _: &Cancel) -> Result<TreeAnswer, StoreError> {
        if known.is_some() {
            return Ok(TreeAnswer::NotModified);
        }
        let mut builder = Builder::new(self.layout.clone(), Rules::Marked);
        let built = self
            .files
            .iter()
            .try_for_each(|file| {
                builder.add(Facts {
                    class: file.class.clone(),
                    size: Some(file.body.len() as u64),
                    mtime: file.mtime,
                    mode: file.mode,
                    title: file.title.as_deref(),
                    address: file.address.as_deref(),
                    order: file.order,
                    view: file.view,
                    ..Facts::new(&file.slug)
                })
            })
            .and_then(|()| builder.finish(TreeVersion("memory".into())));
        match built {
            Ok(tree) => Ok(TreeAnswer::Tree(Box::new(tree))),
            Err(refusal) => Err(StoreError::BadTree { site: self.site.clone(), refusal }),
        }
    }

    fn pages(&self, pages: &[PageRef<'_>], _: &Cancel) -> Result<Vec<Page>, StoreError> {
        let page = |page: &PageRef<'_>| match self.files.binary_search_by(|file| order(&*file.slug, page.slug)) {
            Ok(at) => Ok(self.files[at].body.clone()),
            Err(_) => Err(StoreError::BadPage {
                site: self.site.clone(),
                slug: page.slug.to_string(),
                reason: "is not in the store".into(),
            }),
        };
        Ok(pages.iter().map(page).collect())
    }

    fn search(&self, _: &Needles, _: &Layout, _: Option<&Asker>, _: &Cancel) -> Result<SearchAnswer, StoreError> {
        Ok(SearchAnswer::CannotTell)
    }

    fn is_resident(&self) -> bool {
        true
    }
}
