//! From a folder to pages: which files are pages, who may see them, what is known of them.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "the folder that the user named is the host's")]
use super::{
    chunks::cut,
    folder::{self, Choice},
    frontmatter::{Frontmatter, is_view},
    navigation::Navigation,
};
use crate::{
    site::{
        access::Class,
        tree::{Hash, Lazy},
    },
    store::NewPage,
};
use std::{fs, path::Path};

/// How a folder is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Pages that say nothing are private.
    pub private: bool,
    /// Pages that say `hidden`, `noindex` or `searchable: false` too.
    pub include_hidden: bool,
    /// Which files count.
    pub choice: Choice,
}

/// A page, and what the tree will say of it.
#[derive(Clone, Debug)]
pub struct Source {
    /// The page.
    pub page: NewPage,
    /// Its title.
    pub title: Option<String>,
    /// Seconds since the epoch.
    pub updated: Option<i64>,
    /// Whether it holds parts for some visitors only.
    pub view: bool,
    /// Whether no line of it is spread over two chunks.
    pub line_aligned: bool,
    /// Where its text is, if it does not go into the store.
    pub lazy: Option<Lazy>,
}

/// What a folder holds.
#[derive(Clone, Debug, Default)]
pub struct Folder {
    /// Its pages, sorted by slug.
    pub sources: Vec<Source>,
    /// What was left out or hidden against its author's wish, one line each.
    pub warnings: Vec<String>,
    /// Pages left out because they ask for it.
    pub hidden: usize,
    /// Files that are not text.
    pub binary: usize,
}

/// Read `dir`.
pub fn read(dir: &Path, reading: Reading) -> Result<Folder, String> {
    let (found, warnings) = folder::walk(dir, reading.choice)?;
    let mut folder = Folder { warnings, ..Folder::default() };
    let navigation = navigation(dir, &mut folder.warnings);
    for file in found {
        let text = match fs::read(&file.path).map(String::from_utf8) {
            Ok(Ok(text)) if !text.contains('\0') => text,
            Ok(_) => {
                folder.binary += 1;
                continue;
            }
            Err(error) => {
                folder.warnings.push(format!("{}: {error}", file.slug));
                continue;
            }
        };
        let front = Frontmatter::of(&file.slug, &text);
        if front.hidden && !reading.include_hidden && !reading.choice.all {
            folder.hidden += 1;
            continue;
        }
        let default = !reading.private || navigation.is_public(&file.slug);
        let Some(is_public) = front.is_public(default) else {
            let fault = front.fault.unwrap_or_default();
            folder.warnings.push(format!("{}: nobody will see it: {fault}", file.slug));
            continue;
        };
        let class = Class::of(is_public, front.groups);
        let title = front.title.or_else(|| navigation.title(&file.slug).map(str::to_string));
        folder.sources.push(source(file.slug, text, class, title, front.updated));
    }
    Ok(folder)
}

fn source(slug: String, text: String, class: Class, title: Option<String>, updated: Option<i64>) -> Source {
    let cut = cut(&text);
    let view = is_view(&slug, &text);
    let page = NewPage { slug, hash: Hash::of(text.as_bytes()), body: text.into(), chunks: cut.chunks, class };
    Source { page, title, updated, view, line_aligned: cut.line_aligned, lazy: None }
}

fn navigation(dir: &Path, warnings: &mut Vec<String>) -> Navigation {
    let mut navigation = Navigation::default();
    for name in Navigation::FILES {
        let Ok(text) = fs::read_to_string(dir.join(name)) else { continue };
        if let Err(error) = navigation.read(name, &text) {
            warnings.push(format!("{name}: not used: {error}"));
        }
    }
    navigation
}
