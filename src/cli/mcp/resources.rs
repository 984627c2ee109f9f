//! Pages as MCP resources: `docs://SITE/PATH`, listed in the order of their paths, a hundred at a time.
use docsh_builtins::{About, Cancel, Fs, Kind, Meta, VPath};
use rmcp::{
    ErrorData,
    model::{ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate},
};
use std::{cmp::Ordering, io::Read};

/// Resources of one answer.
const SLICE: usize = 50;
/// The most bytes of a page that is given whole; the tool reads larger ones in parts.
const LARGEST: u64 = 4 << 20;

/// The pages after the one that `cursor` names.
pub(super) fn list(site: &str, fs: &dyn Fs, cursor: Option<&str>) -> ListResourcesResult {
    let after: Vec<&str> =
        cursor.into_iter().flat_map(|path| path.split('/')).filter(|part| !part.is_empty()).collect();
    let mut pages = Vec::new();
    walk(fs, &VPath::root(), &after, &mut pages);
    let next = (pages.len() > SLICE).then(|| pages[SLICE - 1].as_str().to_string());
    pages.truncate(SLICE);
    let resource = |path: &VPath| Some(resource(site, path, &fs.stat(path).ok()?, fs.about(path).ok()?));
    let mut slice = ListResourcesResult::with_all_items(pages.iter().filter_map(resource).collect());
    slice.next_cursor = next;
    slice
}

/// Add the pages below `folder` that come after the path `after`, until there is one more than a slice.
fn walk(fs: &dyn Fs, folder: &VPath, after: &[&str], pages: &mut Vec<VPath>) {
    let (first, rest) = after.split_first().map_or(("", after), |(first, rest)| (*first, rest));
    for entry in fs.list(folder).unwrap_or_default() {
        let order = if first.is_empty() { Ordering::Greater } else { entry.name.as_str().cmp(first) };
        let path = folder.child(&entry.name);
        match (order, entry.kind) {
            (Ordering::Less, _) => {}
            (Ordering::Equal, Kind::Dir) => walk(fs, &path, rest, pages),
            (Ordering::Greater, Kind::Dir) => walk(fs, &path, &[], pages),
            (Ordering::Equal, _) => {}
            (Ordering::Greater, _) => pages.push(path),
        }
        if pages.len() > SLICE {
            return;
        }
    }
}

fn resource(site: &str, path: &VPath, meta: &Meta, about: About) -> Resource {
    let mut resource = Resource::new(uri(site, path), path.as_str()).with_mime_type(mime(path));
    if let Some(title) = about.title {
        resource = resource.with_title(title);
    }
    match meta.size {
        Some(size) => resource.with_size(size),
        None => resource,
    }
}

/// How any page is named.
pub(super) fn template(site: &str) -> ResourceTemplate {
    ResourceTemplate::new(format!("docs://{site}/{{+path}}"), "page").with_description("A page of the documentation")
}

/// The page that `uri` names.
pub(super) fn read(site: &str, fs: &dyn Fs, uri: &str, cancel: &Cancel) -> Result<ReadResourceResult, ErrorData> {
    let missing = || ErrorData::resource_not_found(format!("there is no page {uri}"), None);
    let path = path(site, uri).ok_or_else(missing)?;
    let path = [Some(path.clone()), fs.suffixed(&path)].into_iter().flatten();
    let path = path.into_iter().find(|path| fs.stat(path).is_ok_and(|meta| !meta.is_dir())).ok_or_else(missing)?;
    let failed = |error: &dyn std::fmt::Display| ErrorData::internal_error(format!("{uri}: {error}"), None);
    let mut text = Vec::new();
    let page = fs.open(&path, 0, cancel).map_err(|error| failed(&error))?;
    page.take(LARGEST + 1).read_to_end(&mut text).map_err(|error| failed(&error))?;
    if text.len() as u64 > LARGEST {
        return Err(failed(&format_args!("larger than {LARGEST} bytes; read it in parts with the tool")));
    }
    let text = String::from_utf8_lossy(&text).into_owned();
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(mime(&path))]))
}

/// `docs://SITE/PATH`, with what an address may not hold as `%XX`.
fn uri(site: &str, path: &VPath) -> String {
    let mut uri = format!("docs://{site}");
    for byte in path.as_str().bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// The path in a URI of this site.
fn path(site: &str, uri: &str) -> Option<VPath> {
    let rest = uri.strip_prefix("docs://")?.strip_prefix(site)?;
    let mut bytes = Vec::new();
    let mut rest = rest.strip_prefix('/')?.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                (digit()? * 16 + digit()?) as u8
            }
            _ => byte,
        });
    }
    Some(VPath::root().join(&String::from_utf8(bytes).ok()?))
}

/// What a page is, going by its name.
fn mime(path: &VPath) -> &'static str {
    match path.as_str().rsplit_once('.').map(|(_, suffix)| suffix) {
        Some("md" | "mdx") => "text/markdown",
        Some("json") => "application/json",
        Some("yaml" | "yml") => "application/yaml",
        _ => "text/plain",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{Site, Visitor};
    use std::collections::BTreeSet;

    #[test]
    fn every_visible_page_is_listed_once() {
        let fs = Site::bundled().unwrap().session(&Visitor::Anonymous);
        let (mut names, mut cursor, mut rounds) = (Vec::new(), None, 0);
        loop {
            let slice = list("acme", &*fs, cursor.as_deref());
            assert!(slice.resources.len() <= SLICE);
            names.extend(slice.resources.into_iter().map(|resource| resource.name));
            rounds += 1;
            cursor = slice.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        let once: BTreeSet<&String> = names.iter().collect();
        assert!(rounds > 1, "{} pages", names.len());
        assert_eq!(once.len(), names.len());
        assert!(names.contains(&"/index.mdx".to_string()) && !names.iter().any(|name| name.starts_with("/internal")));
    }

    #[test]
    fn pages_are_read_by_their_addresses() {
        let fs = Site::bundled().unwrap().session(&Visitor::Anonymous);
        let odd = VPath::root().join("guides/quick start (legacy).md");
        let address = uri("acme", &odd);
        assert_eq!(address, "docs://acme/guides/quick%20start%20%28legacy%29.md");
        let read = |uri: &str| read("acme", &*fs, uri, &Cancel::new());
        assert!(read(&address).is_ok());
        assert!(read("docs://acme/auth/oauth").is_ok());
        for missing in
            ["docs://acme/internal/style-guide.md", "docs://acme/auth", "docs://other/index.mdx", "file:///etc"]
        {
            assert!(read(missing).is_err(), "{missing}");
        }
    }
}
