//! The path tree of a folder, as its record holds it: a JSON object of pages, sorted, so that equal folders give equal
//! bytes.
use super::{Folder, Source};
use crate::{
    site::{
        access::Class,
        tree::{Hash, Lazy, order},
    },
    store::NewTree,
};
use serde::Serialize;

#[derive(Serialize)]
struct Entry<'a> {
    #[serde(rename = "isPublic")]
    is_public: bool,
    groups: &'a [String],
    size: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chunks: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lazy: Option<Pointer<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line_aligned: Option<bool>,
}

#[derive(Serialize)]
struct Pointer<'a> {
    url: &'a str,
    size: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    etag: Option<&'a str>,
}

/// The tree of `folder`.
pub(super) fn of(folder: &Folder, base_url: Option<&str>) -> NewTree {
    let mut sources: Vec<&Source> = folder.sources.iter().collect();
    sources.sort_by(|a, b| order(&a.page.slug, &b.page.slug));
    let mut json = Vec::from(*b"{");
    for (at, source) in sources.iter().enumerate() {
        if at > 0 {
            json.push(b',');
        }
        json.push(b'\n');
        // Writing to memory does not fail, and no key here can be refused.
        let _ = serde_json::to_writer(&mut json, &source.page.slug);
        json.push(b':');
        let _ = serde_json::to_writer(&mut json, &entry(source));
    }
    json.extend(b"\n}");
    NewTree {
        version: Hash::of(&json).to_string(),
        json,
        base_url: base_url.map(|url| url.trim_end_matches('/').to_string()),
    }
}

fn entry<'a>(source: &'a Source) -> Entry<'a> {
    let (is_public, groups): (bool, &[String]) = match &source.page.class {
        Class::Public => (true, &[]),
        Class::SignedIn | Class::Nobody => (false, &[]),
        Class::Groups(groups) => (false, groups),
    };
    let is_stored = source.lazy.is_none();
    let pointer = |lazy: &'a Lazy| Pointer { url: &lazy.url, size: source.page.body.len(), etag: lazy.etag.as_deref() };
    let time = |seconds| jiff::Timestamp::from_second(seconds).ok().map(|time| time.to_string());
    Entry {
        is_public,
        groups,
        size: source.page.body.len(),
        updated_at: source.updated.and_then(time),
        title: source.title.as_deref(),
        chunks: is_stored.then_some(source.page.chunks.len()),
        hash: is_stored.then(|| source.page.hash.to_string()),
        lazy: source.lazy.as_ref().map(pointer),
        view: source.view.then_some("openapi"),
        line_aligned: (is_stored && !source.line_aligned).then_some(false),
    }
}
