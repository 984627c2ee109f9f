//! A docs folder as the site that ingest would make of it, without writing one: an author looks at it as a visitor.
use super::read::{Reading, Source, read};
use crate::{
    store::{
        StoreError,
        memory::{File, Memory},
    },
    tree::Layout,
};
use std::{borrow::Cow, ffi::OsStr};

/// The docs folder `dir` of the host as a site, with its rules, and its warnings.
pub fn published(dir: &OsStr) -> Result<(Memory, Vec<String>), StoreError> {
    let failed = |cause| StoreError::Folder { folder: dir.display().to_string(), cause };
    let folder = read(dir.as_ref(), Reading::default()).map_err(failed)?;
    let file = |source: Source| File {
        slug: source.page.slug.into(),
        body: source.page.body,
        title: source.title.map(Cow::Owned),
        address: source.address.map(Cow::Owned),
        order: source.order,
        class: source.page.class,
        mtime: source.updated,
        mode: 0o644,
        view: source.view,
    };
    let files = folder.sources.into_iter().map(file).collect();
    Ok((Memory::new("the folder", files, Layout::default()), folder.warnings))
}
