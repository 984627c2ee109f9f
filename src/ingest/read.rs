//! From a folder to pages: which files are pages, who may see them, what is known of them.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "the folder that the user named is the host's")]
use super::{
    facts::{Facts, NoText, text},
    folder::{self, Choice, Found},
    frontmatter::Frontmatter,
    known::{Known, Record, Stamp},
    navigation::{Navigation, Place, Reason, Said, ranked},
};
use crate::{
    store::{NewPage, StoreError},
    tree::{Hash, Lazy, access::Class},
};
use bytes::Bytes;
use std::{
    collections::BTreeMap,
    fs, io,
    os::unix::fs::PermissionsExt,
    panic::resume_unwind,
    path::{Path, PathBuf},
    thread,
    time::{SystemTime, UNIX_EPOCH},
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
    read_again(dir, reading, Known::default).map(|(folder, _)| folder)
}

/// Read `dir`, of which `recall` tells what it said the last time; and what it says now, to be recalled the next time.
/// What is known of a file saves reading it only where memory is spared: its text is not among it.
pub fn read_again(
    dir: &Path,
    reading: Reading,
    recall: impl FnOnce() -> Known + Send,
) -> Result<(Folder, Known), String> {
    let begun = SystemTime::now();
    let (walked, recalled) = thread::scope(|scope| {
        // Without a thread to be had nothing is known.
        let recalling = thread::Builder::new().spawn_scoped(scope, recall).ok();
        let walked = folder::walk(dir, reading.choice);
        let joined = recalling.map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        (walked, joined.unwrap_or_default())
    });
    let ((found, warnings), mut known) = (walked?, recalled);
    let mut folder = Folder { warnings, is_plain: reading.choice.all, ..Folder::default() };
    let navigation = match reading.choice.all {
        true => Navigation::default(),
        false => Navigation::of(dir, &found, &mut folder.warnings),
    };
    let is_page = |file: &Found| reading.choice.include_config || !navigation.is_part(&file.slug);
    let files: Vec<Found> = found.into_iter().filter(is_page).collect();
    let (mut places, mut records) = (Vec::new(), Vec::new());
    for (file, (source, record)) in files.iter().zip(sources(&files, reading, &navigation, &known)) {
        let slug = file.slug.clone();
        records.extend(record.map(|record| (slug.clone(), record)));
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
    known.learn(files.iter().map(|file| file.slug.as_str()), records, begun);
    Ok((folder, known))
}

/// The page in a file and its place, or why there is none, with what to tell its author.
type Read = Result<(Source, Option<Place>), (Reason, Option<String>)>;

/// The page in each of `files`, in their order, read on all cores; and what has been found out of those not known.
fn sources(files: &[Found], reading: Reading, navigation: &Navigation, known: &Known) -> Vec<(Read, Option<Record>)> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let share = files.len().div_ceil(cores).max(1);
    let read = |part: &[Found]| part.iter().map(|file| source(file, reading, navigation, known)).collect::<Vec<_>>();
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

fn source(file: &Found, reading: Reading, navigation: &Navigation, known: &Known) -> (Read, Option<Record>) {
    let unreadable = |error: io::Error| (Err((Reason::Unreadable, Some(format!("left out: {error}")))), None);
    // Looked at before it is read: of a file that changes meanwhile, the stamp is that of another text.
    let meta = match fs::metadata(&file.path) {
        Ok(meta) => meta,
        Err(error) => return unreadable(error),
    };
    let stamp = Stamp::of(&meta);
    if reading.spare
        && let Some(said) = known.said(&file.slug, &stamp)
    {
        return (page(file, &meta, said, Bytes::new(), reading, navigation), None);
    }
    let read = match fs::read(&file.path) {
        Ok(bytes) => text(&file.slug, bytes),
        Err(error) => return unreadable(error),
    };
    let said = read.as_ref().map(|text| Facts::of(&file.slug, text)).map_err(NoText::clone);
    let body = read.ok().filter(|_| !reading.spare).map(Bytes::from).unwrap_or_default();
    (page(file, &meta, &said, body, reading, navigation), Some(Record { stamp, said }))
}

/// The page in a file that says this.
fn page(
    file: &Found,
    meta: &fs::Metadata,
    said: &Result<Facts, NoText>,
    body: Bytes,
    reading: Reading,
    navigation: &Navigation,
) -> Read {
    let facts = said.as_ref().map_err(|NoText(fault)| (Reason::NotText, fault.clone()))?;
    let all = reading.choice.all;
    let unsaid = Frontmatter::default();
    let front = if all { &unsaid } else { &facts.front };
    let Said { title, is_public, left_out, address, place } = match all {
        true => Said::default(),
        false => navigation.says(&file.slug, front),
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
        let fault = front.fault.as_deref().unwrap_or_default();
        return Err((Reason::Unclear, Some(format!("nobody will see it: {fault}"))));
    };
    // A folder that is taken as it is keeps its times and modes; elsewhere they are accidents of a checkout.
    let modified = all.then(|| meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()).flatten();
    let page = NewPage {
        slug: file.slug.clone(),
        body,
        hash: facts.hash,
        chunks: facts.chunks(),
        class: Class::of(is_public, front.groups.iter().cloned()),
    };
    let source = Source {
        page,
        size: facts.size,
        title: front.title(title.as_deref()),
        address,
        updated: front.updated.or(modified.map(|time| time.as_secs() as i64)),
        view: !all && facts.view,
        executable: all && meta.permissions().mode() & 0o111 != 0,
        line_aligned: facts.line_aligned,
        order: None,
        lazy: None,
        file: file.path.clone(),
    };
    Ok((source, place))
}

impl Source {
    /// The page with its text, which must still be the one that was read first.
    pub(super) fn load(&self) -> Result<NewPage, StoreError> {
        if self.page.body.len() == self.size {
            return Ok(self.page.clone());
        }
        let body = match fs::read(&self.file) {
            Ok(body) if Hash::of(&body) == self.page.hash => Ok(Bytes::from(body)),
            Ok(_) => Err(io::Error::other("it has changed meanwhile; run this again, if need be with --full")),
            Err(error) => Err(error),
        };
        let failed = |error: io::Error| StoreError::Folder { folder: self.page.slug.clone(), cause: error.to_string() };
        Ok(NewPage { body: body.map_err(failed)?, ..self.page.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Titles and hashes of the pages, which are read again as far as need be.
    fn titles(dir: &Path, known: &mut Known) -> Vec<(String, String)> {
        let reading = Reading { spare: true, ..Reading::default() };
        let told = |source: &Source| (source.title.clone().unwrap_or_default(), source.page.hash.short());
        let (folder, now) = read_again(dir, reading, || std::mem::take(known)).unwrap();
        *known = now;
        folder.sources.iter().map(told).collect()
    }

    /// Whether the file `a.md` is among what is known now and was not before.
    fn names_a(known: &Known) -> bool {
        known.news().unwrap().windows(4).any(|bytes| bytes == b"a.md")
    }

    #[test]
    fn only_what_has_changed_is_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.md");
        fs::write(&file, "# One\n").unwrap();
        fs::write(dir.path().join("b.png"), b"\x89PNG\0").unwrap();
        thread::sleep(Duration::from_millis(120));
        let mut known = Known::default();
        let one = || ("One".to_string(), "5add2e4a".to_string());
        assert_eq!(titles(dir.path(), &mut known), [one()]);
        let kept = known.news().unwrap();

        // What is known is believed, without a look into the file.
        let mut doctored = kept.clone();
        let place = doctored.windows(3).position(|bytes| bytes == b"One").unwrap();
        doctored[place..place + 3].copy_from_slice(b"Uno");
        let mut known = Known::from_bytes(&doctored);
        assert_eq!(titles(dir.path(), &mut known), [("Uno".to_string(), one().1)]);
        assert_eq!(known.news(), None);

        // A file of the same size and time is another one.
        let modified = fs::metadata(&file).unwrap().modified().unwrap();
        fs::write(&file, "# Two\n").unwrap();
        fs::File::open(&file).unwrap().set_modified(modified).unwrap();
        let two = || ("Two".to_string(), "9bddb161".to_string());
        let mut known = Known::from_bytes(&kept);
        assert_eq!(titles(dir.path(), &mut known), [two()]);
        // It has just changed, so that it may change once more without another time.
        assert!(!names_a(&known));
        thread::sleep(Duration::from_millis(120));
        assert_eq!(titles(dir.path(), &mut known), [two()]);
        assert!(names_a(&known));

        fs::remove_file(&file).unwrap();
        assert_eq!(titles(dir.path(), &mut known), []);
        assert!(!names_a(&known));
    }

    #[test]
    fn what_is_known_of_a_file_does_not_say_what_its_folder_does() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a.md"), "text\n").unwrap();
        thread::sleep(Duration::from_millis(120));
        let mut known = Known::default();
        let classes = |known: &mut Known, private| {
            let reading = Reading { spare: true, private, ..Reading::default() };
            let (folder, now) = read_again(dir.path(), reading, || std::mem::take(known)).unwrap();
            *known = now;
            folder.sources.iter().map(|source| (source.page.class.clone(), source.title.clone())).collect::<Vec<_>>()
        };
        assert_eq!(classes(&mut known, false), [(Class::Public, None)]);
        assert_eq!(classes(&mut known, true), [(Class::SignedIn, None)]);
        let docs = r#"{"navigation":[{"group":"A","public":true,"pages":["a"]}]}"#;
        fs::write(dir.path().join("docs.json"), docs).unwrap();
        assert_eq!(classes(&mut known, true), [(Class::Public, None)]);
    }

    #[test]
    fn chunks_are_known_by_their_ends() {
        let text = format!("# A\n{}\n# B\n{}\n", "a\n".repeat(500), "b\n".repeat(500));
        let facts = Facts::of("a.md", &text);
        assert_eq!(facts.chunks(), [0..1005, 1005..2010]);
        let kept = postcard::to_stdvec(&facts).unwrap();
        assert_eq!(postcard::from_bytes::<Facts>(&kept).unwrap(), facts);
    }
}
