//! The path tree of a folder, as its record holds it: a JSON object of pages, sorted, so that equal folders give equal
//! bytes.
use super::{Folder, Source};
use crate::{
    store::{NewTree, chroma::Surveyed},
    tree::{Hash, Lazy, access::Class, order},
};
use serde::Serialize;

#[derive(Default, Serialize)]
struct Entry<'a> {
    #[serde(rename = "isPublic")]
    is_public: bool,
    groups: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<u32>,
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
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    executable: bool,
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
    written(sources.iter().map(|source| (source.page.slug.as_str(), entry(source))), base_url, folder.is_plain)
}

/// The tree of pages of which only this is known, sorted.
pub(super) fn of_survey<'a>(
    pages: impl Iterator<Item = (&'a str, &'a Surveyed, &'a Class)>,
    base_url: Option<&str>,
) -> NewTree {
    let entry = |(slug, page, class): (&'a str, &'a Surveyed, &'a Class)| {
        let (is_public, groups) = access(class);
        let updated_at = page.updated.and_then(time);
        (slug, Entry { is_public, groups, updated_at, title: page.title.as_deref(), ..Entry::default() })
    };
    written(pages.map(entry), base_url, false)
}

fn written<'a>(entries: impl Iterator<Item = (&'a str, Entry<'a>)>, base_url: Option<&str>, is_plain: bool) -> NewTree {
    let mut json = Vec::from(*b"{");
    for (at, (slug, entry)) in entries.enumerate() {
        if at > 0 {
            json.push(b',');
        }
        json.push(b'\n');
        // Writing to memory does not fail, and no key here can be refused.
        let _ = serde_json::to_writer(&mut json, slug);
        json.push(b':');
        let _ = serde_json::to_writer(&mut json, &entry);
    }
    json.extend(b"\n}");
    NewTree {
        version: Hash::of(&json).to_string(),
        json,
        is_plain,
        base_url: base_url.map(|url| url.trim_end_matches('/').to_string()),
    }
}

fn entry<'a>(source: &'a Source) -> Entry<'a> {
    let (is_public, groups) = access(&source.page.class);
    let is_stored = source.lazy.is_none();
    let pointer = |lazy: &'a Lazy| Pointer { url: &lazy.url, size: source.size, etag: lazy.etag.as_deref() };
    Entry {
        is_public,
        groups,
        size: Some(source.size),
        updated_at: source.updated.and_then(time),
        title: source.title.as_deref(),
        url: source.address.as_deref(),
        order: source.order,
        chunks: is_stored.then_some(source.page.chunks.len()),
        hash: is_stored.then(|| source.page.hash.to_string()),
        lazy: source.lazy.as_ref().map(pointer),
        view: source.view.then_some("openapi"),
        line_aligned: (is_stored && !source.line_aligned).then_some(false),
        executable: source.executable,
    }
}

fn access(class: &Class) -> (bool, &[String]) {
    match class {
        Class::Public => (true, &[]),
        Class::SignedIn | Class::Nobody => (false, &[]),
        Class::Groups(groups) => (false, groups),
    }
}

fn time(seconds: i64) -> Option<String> {
    jiff::Timestamp::from_second(seconds).ok().map(|time| time.to_string())
}
