//! From a folder to pages: which files are pages, who may see them, what is known of them.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "the folder that the user named is the host's")]
use super::{
    chunks::cut,
    folder::{self, Choice, Found},
    frontmatter::{Frontmatter, is_view},
    navigation::{Navigation, Place, Reason, Said, ranked},
};
use crate::{
    site::{
        access::Class,
        tree::{Hash, Lazy},
    },
    store::{NewPage, StoreError},
};
use bytes::Bytes;
use std::{
    collections::BTreeMap,
    fs, io,
    os::unix::fs::PermissionsExt,
    panic::resume_unwind,
    path::{Path, PathBuf},
    thread,
    time::UNIX_EPOCH,
};

/// How a folder is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Pages that say nothing are private.
    pub private: bool,
    /// Pages that ask not to be found too.
    pub include_hidden: bool,
    /// Which files count.
    pub choice: Choice,
    /// Keep no text in memory: it is read again when it is written.
    pub spare: bool,
}

/// A page, and what the tree will say of it.
#[derive(Clone, Debug)]
pub struct Source {
    /// The page; its text is empty where memory is spared.
    pub page: NewPage,
    /// Bytes of its text.
    pub size: usize,
    /// Its title.
    pub title: Option<String>,
    /// Where it is on the web, relative to the site's address, if not where its path says.
    pub address: Option<String>,
    /// Seconds since the epoch.
    pub updated: Option<i64>,
    /// Whether it holds parts for some visitors only.
    pub view: bool,
    /// Whether it may be run, of a folder that is taken as it is.
    pub executable: bool,
    /// Whether no line of it is spread over two chunks.
    pub line_aligned: bool,
    /// How many pages the navigation puts before it, if it puts it anywhere.
    pub order: Option<u32>,
    /// Where its text is, if it does not go into the store.
    pub lazy: Option<Lazy>,
    file: PathBuf,
}

/// What a folder holds.
#[derive(Clone, Debug, Default)]
pub struct Folder {
    /// Its pages, sorted by slug.
    pub sources: Vec<Source>,
    /// What was left out or hidden against its author's wish, one line each.
    pub warnings: Vec<String>,
    /// The files that are no pages, and why.
    pub left_out: Vec<(String, Reason)>,
    /// Whether it was taken as it is.
    pub is_plain: bool,
    /// Where its own configuration says that the site is on the web.
    pub base_url: Option<String>,
}

impl Folder {
    /// How many files were left out, by reason.
    pub fn left_out_by_reason(&self) -> BTreeMap<Reason, usize> {
        let mut counts = BTreeMap::new();
        self.left_out.iter().for_each(|(_, reason)| *counts.entry(*reason).or_default() += 1);
        counts
    }
}

/// Read `dir`.
pub fn read(dir: &Path, reading: Reading) -> Result<Folder, String> {
    let (found, warnings) = folder::walk(dir, reading.choice)?;
    let mut folder = Folder { warnings, is_plain: reading.choice.all, ..Folder::default() };
    let navigation = match reading.choice.all {
        true => Navigation::default(),
        false => Navigation::of(dir, &found, &mut folder.warnings),
    };
    let is_page = |file: &Found| reading.choice.include_config || !navigation.is_part(&file.slug);
    let files: Vec<Found> = found.into_iter().filter(is_page).collect();
    let mut places = Vec::new();
    for (file, source) in files.iter().zip(sources(&files, reading, &navigation)) {
        let slug = file.slug.clone();
        match source {
            Ok((source, place)) => {
                folder.sources.push(source);
                places.push(place);
            }
            Err((reason, fault)) => {
                folder.warnings.extend(fault.map(|fault| format!("{slug}: {fault}")));
                folder.left_out.push((slug, reason));
            }
        }
    }
    for (source, order) in folder.sources.iter_mut().zip(ranked(places)) {
        source.order = order;
    }
    folder.base_url = navigation.base_url;
    Ok(folder)
}

/// The page in a file and its place, or why there is none, with what to tell its author.
type Read = Result<(Source, Option<Place>), (Reason, Option<String>)>;

/// The page in each of `files`, in their order, read on all cores.
fn sources(files: &[Found], reading: Reading, navigation: &Navigation) -> Vec<Read> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let share = files.len().div_ceil(cores).max(1);
    let read = |part: &[Found]| part.iter().map(|file| source(file, reading, navigation)).collect::<Vec<_>>();
    thread::scope(|scope| {
        let start = |part| (part, thread::Builder::new().spawn_scoped(scope, move || read(part)));
        let readers: Vec<_> = files.chunks(share).map(start).collect();
        let done = readers.into_iter().map(|(part, reader)| match reader {
            Ok(reader) => reader.join().unwrap_or_else(|panic| resume_unwind(panic)),
            // No thread is to be had.
            Err(_) => read(part),
        });
        done.flatten().collect()
    })
}

fn source(file: &Found, reading: Reading, navigation: &Navigation) -> Read {
    let Found { slug, path } = file;
    let bytes = fs::read(path).map_err(|error| (Reason::Unreadable, Some(format!("left out: {error}"))))?;
    let text = text(slug, bytes).map_err(|fault| (Reason::NotText, fault))?;
    let all = reading.choice.all;
    let front = if all { Frontmatter::default() } else { Frontmatter::of(slug, &text) };
    let Said { title, is_public, left_out, address, place } = match all {
        true => Said::default(),
        false => navigation.says(slug, &front),
    };
    let own = [(front.draft, Reason::Draft), (front.hidden, Reason::Hidden)];
    let reason = own.into_iter().find_map(|(is_set, reason)| is_set.then_some(reason)).or(left_out);
    if let Some(reason) = reason
        && !(reason == Reason::Hidden && reading.include_hidden)
    {
        return Err((reason, None));
    }
    let default = !reading.private || is_public;
    let Some(is_public) = front.is_public(default) else {
        let fault = front.fault.unwrap_or_default();
        return Err((Reason::Unclear, Some(format!("nobody will see it: {fault}"))));
    };
    // A folder that is taken as it is keeps its times and modes; elsewhere they are accidents of a checkout.
    let meta = if all { fs::metadata(path).ok() } else { None };
    let modified = meta.as_ref().and_then(|meta| meta.modified().ok()?.duration_since(UNIX_EPOCH).ok());
    let cut = cut(&text);
    let page = NewPage {
        hash: Hash::of(text.as_bytes()),
        chunks: cut.chunks,
        class: Class::of(is_public, front.groups.iter().cloned()),
        body: Bytes::new(),
        slug: slug.clone(),
    };
    let source = Source {
        size: text.len(),
        title: front.title(title.as_deref()),
        address,
        updated: front.updated.or(modified.map(|time| time.as_secs() as i64)),
        view: !all && is_view(&page.slug, &text),
        executable: meta.is_some_and(|meta| meta.permissions().mode() & 0o111 != 0),
        line_aligned: cut.line_aligned,
        order: None,
        lazy: None,
        file: path.clone(),
        page,
    };
    let body = if reading.spare { Bytes::new() } else { text.into() };
    Ok((Source { page: NewPage { body, ..source.page }, ..source }, place))
}

/// The text of a file, or what to tell its author: nothing of images and their like.
fn text(slug: &str, bytes: Vec<u8>) -> Result<String, Option<String>> {
    let is_markdown = [".md", ".mdx"].iter().any(|suffix| slug.ends_with(suffix));
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        return Err(is_markdown.then(|| format!("left out: there is a NUL in it, at byte {at}")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Some(format!("left out: it is not UTF-8, from byte {at} on"))
    })
}

impl Source {
    /// The page with its text, which must still be the one that was read first.
    pub(super) fn load(&self) -> Result<NewPage, StoreError> {
        if self.page.body.len() == self.size {
            return Ok(self.page.clone());
        }
        let body = match fs::read(&self.file) {
            Ok(body) if Hash::of(&body) == self.page.hash => Ok(Bytes::from(body)),
            Ok(_) => Err(io::Error::other("it has changed meanwhile; run this again")),
            Err(error) => Err(error),
        };
        let failed = |error: io::Error| StoreError::Folder { folder: self.page.slug.clone(), cause: error.to_string() };
        Ok(NewPage { body: body.map_err(failed)?, ..self.page.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_text_is_told_unless_it_is_an_image() {
        assert_eq!(text("a.md", b"a\xffb".to_vec()), Err(Some("left out: it is not UTF-8, from byte 1 on".into())));
        assert_eq!(text("a.md", b"ab\0".to_vec()), Err(Some("left out: there is a NUL in it, at byte 2".into())));
        assert_eq!(text("a.png", b"\x89PNG\0".to_vec()), Err(None));
        assert_eq!(text("a.txt", "é".into()), Ok("é".into()));
    }
}
