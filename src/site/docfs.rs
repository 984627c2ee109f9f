//! The file system of one session: names, folders and what `stat` tells from the tree, text from the store, nothing of
//! what the visitor may not see.
mod views;

use super::{
    Shared, Visitor,
    access::{Asker, Visible},
    lazy::{self, Stream},
    openapi,
    overview::{Overview, Overviews},
    search,
    tree::{FolderId, Lazy, Node, PageId, SUFFIXES, Tree},
};
use crate::store::{Page, PageRef, StoreError};
use bytes::{Buf, Bytes};
use docsh_builtins::{Cancel, Entry, ErrorKind, Fs, FsResult, Kind, Meta, Needles, VPath};
use parking_lot::Mutex;
use std::{
    collections::VecDeque,
    io::{self, BufRead, Cursor, Read},
    sync::Arc,
    vec,
};
use views::Views;

/// The most bytes that reading ahead asks for at once.
const WINDOW: u64 = 8 << 20;
/// The same for the first read of a walk: a hundred usual pages in one request.
const FIRST_WINDOW: u64 = 1 << 20;
/// What a page is taken to weigh when the tree does not say.
const TYPICAL: u64 = 8 << 10;
/// A folder's size.
const FOLDER_SIZE: u64 = 4096;

/// A site as one visitor sees it. A clone is the same session.
#[derive(Clone)]
pub(super) struct DocFs(Arc<Session>);

struct Session {
    site: Arc<Shared>,
    tree: Arc<Tree>,
    visible: Visible,
    visitor: Visitor,
    /// What the store is told of the visitor, if anything.
    asker: Option<Asker>,
    /// What this visitor sees of pages that hold parts for some visitors only.
    views: Mutex<Views>,
    overviews: Option<Overviews>,
}

impl DocFs {
    pub(super) fn new(site: Arc<Shared>, tree: Arc<Tree>, visitor: Visitor, overviews: Option<Overviews>) -> DocFs {
        let visible = tree.classes().visible(&visitor);
        let asker = site.options.acl_in_query.then(|| tree.classes().asker(&visitor));
        DocFs(Arc::new(Session { site, tree, visible, visitor, asker, views: Mutex::default(), overviews }))
    }

    /// What `path` names for this visitor.
    fn node(&self, path: &VPath) -> FsResult<Node> {
        let Session { tree, visible, .. } = &*self.0;
        let node = tree.find(path.slug()).filter(|&node| match node {
            Node::Page(page) => tree.sees_page(page, visible),
            Node::Folder(folder) => tree.sees_folder(folder, visible),
        });
        node.ok_or_else(|| ErrorKind::NotFound.at(path))
    }

    fn page(&self, path: &VPath) -> FsResult<PageId> {
        match self.node(path)? {
            Node::Page(page) => Ok(page),
            Node::Folder(_) => Err(ErrorKind::IsADirectory.at(path)),
        }
    }

    /// Whether the site gets this overview: it has no such file that the visitor may see, and there is something to see.
    fn has(&self, overview: Overview) -> bool {
        let Session { tree, visible, overviews, .. } = &*self.0;
        overviews.is_some()
            && !tree.layout().is_plain
            && self.node(&overview.path()).is_err()
            && tree.children(Tree::ROOT, visible).next().is_some()
    }

    /// The text of the overview that `path` names, if it names one.
    fn overview(&self, path: &VPath) -> Option<Bytes> {
        let Session { tree, visible, overviews, .. } = &*self.0;
        let overviews = overviews.as_ref().filter(|_| path.parent().is_root() && !path.is_root())?;
        let named = |overview: &Overview| path.name() == Some(overview.name()) && self.has(*overview);
        Overview::ALL.into_iter().find(named).map(|overview| overviews.text(overview, tree, visible))
    }

    /// The text of each page, which this visitor may see.
    fn read(&self, pages: &[PageId], cancel: &Cancel) -> Vec<Result<Bytes, ErrorKind>> {
        let tree = &self.0.tree;
        let stored: Vec<PageId> = pages.iter().copied().filter(|&page| tree.lazy(page).is_none()).collect();
        let mut stored = self.read_stored(&stored, cancel).into_iter();
        let text = |&page: &PageId| {
            let text = match tree.lazy(page) {
                Some(pointer) => self.read_lazy(page, pointer, cancel),
                None => stored.next().unwrap_or(Err(StoreError::Lazy { reason: "is not in the store".into() })),
            };
            let text = self.view(page, text.map_err(ErrorKind::from)?)?;
            cancel.usage().page();
            cancel.usage().text(text.len());
            Ok(text)
        };
        pages.iter().map(text).collect()
    }

    fn read_stored(&self, pages: &[PageId], cancel: &Cancel) -> Vec<Page> {
        let Session { site, tree, asker, .. } = &*self.0;
        let of_visitor = |&page: &PageId| PageRef { asker: asker.as_ref(), ..tree.page_ref(page) };
        let refs: Vec<PageRef<'_>> = pages.iter().map(of_visitor).collect();
        let mut read = site.pages.read(&*site.store, &refs, cancel);
        let is_changed = |page: &Page| matches!(page, Err(StoreError::BadPage { .. }));
        let changed: Vec<usize> = (0..read.len()).filter(|&at| is_changed(&read[at])).collect();
        if !changed.is_empty() {
            self.read_again(pages, &changed, &mut read, cancel);
        }
        read
    }

    fn read_lazy(&self, page: PageId, pointer: &Lazy, cancel: &Cancel) -> Page {
        let Session { site, tree, .. } = &*self.0;
        let (size, limit) = (tree.size(page), site.options.lazy_search);
        site.pages.read_lazy(pointer, || lazy::whole(&site.lazy, pointer, size, limit, cancel), cancel)
    }

    /// The text of a page as this visitor sees it.
    fn view(&self, page: PageId, text: Bytes) -> Result<Bytes, ErrorKind> {
        let Session { tree, visitor, views, .. } = &*self.0;
        if !tree.is_view(page) {
            return Ok(text);
        }
        if let Some(view) = views.lock().text(page) {
            return Ok(view);
        }
        let unclear = |reason: String| ErrorKind::Io(format!("the page {reason}").into());
        let view = openapi::view(tree.path(page), text, visitor).map_err(unclear)?;
        views.lock().keep(page, view.clone());
        Ok(view)
    }

    /// The size of a page as this visitor sees it, where it is known.
    fn known_size(&self, page: PageId) -> Option<u64> {
        let Session { tree, views, .. } = &*self.0;
        match tree.is_view(page) {
            true => views.lock().size(page),
            false => tree.size(page),
        }
    }

    /// Pages that are not as the tree says may have been written since: what a newer tree says of them is tried once.
    fn read_again(&self, pages: &[PageId], changed: &[usize], read: &mut [Page], cancel: &Cancel) {
        let Session { site, tree, visitor, asker, .. } = &*self.0;
        let Ok(newer) = site.snapshots.reload(tree.version(), &*site.store, cancel) else { return };
        if newer.version() == tree.version() {
            return;
        }
        let visible = newer.classes().visible(visitor);
        let find = |&at: &usize| {
            let page = newer.page(tree.path(pages[at])).filter(|&page| newer.sees_page(page, &visible))?;
            Some((at, PageRef { asker: asker.as_ref(), ..newer.page_ref(page) }))
        };
        let (places, refs): (Vec<usize>, Vec<PageRef<'_>>) = changed.iter().filter_map(find).unzip();
        for (at, page) in places.into_iter().zip(site.pages.read(&*site.store, &refs, cancel)) {
            read[at] = page;
        }
    }

    fn read_one(&self, page: PageId, cancel: &Cancel) -> Result<Bytes, ErrorKind> {
        self.read(&[page], cancel).pop().unwrap_or_else(|| Err(ErrorKind::Io("".into())))
    }

    fn folder_meta(&self, folder: FolderId, inode: u64) -> Meta {
        let Session { tree, visible, .. } = &*self.0;
        Meta {
            kind: Kind::Dir,
            size: Some(FOLDER_SIZE),
            mtime: tree.folder_time(folder, visible),
            mode: 0o755,
            links: 2 + tree.subfolders(folder, visible),
            inode,
            title: None,
            url: None,
        }
    }

    fn page_meta(&self, page: PageId, inode: u64) -> Meta {
        let tree = &self.0.tree;
        Meta {
            kind: Kind::File,
            size: self.known_size(page),
            mtime: tree.mtime(page),
            mode: tree.mode(page).into(),
            links: 1,
            inode,
            title: tree.title(page).map(Arc::from),
            url: tree.layout().base_url.as_deref().map(|base| address(base, tree.address(page)).into()),
        }
    }
}

impl From<StoreError> for ErrorKind {
    /// In the visitor's words; a stop stays a stop.
    fn from(error: StoreError) -> ErrorKind {
        match error {
            StoreError::Stopped(stop) => ErrorKind::Stopped(stop),
            error => ErrorKind::Io(error.cause()),
        }
    }
}

impl Fs for DocFs {
    fn stat(&self, path: &VPath) -> FsResult<Meta> {
        let inode = inode(path.as_str());
        if let Some(text) = self.overview(path) {
            let size = Some(text.len() as u64);
            let mtime = self.0.tree.folder_time(Tree::ROOT, &self.0.visible);
            return Ok(Meta { kind: Kind::File, size, mtime, mode: 0o644, links: 1, inode, title: None, url: None });
        }
        Ok(match self.node(path)? {
            Node::Page(page) => self.page_meta(page, inode),
            Node::Folder(folder) => self.folder_meta(folder, inode),
        })
    }

    fn list(&self, dir: &VPath) -> FsResult<Vec<Entry>> {
        let Node::Folder(folder) = self.node(dir)? else {
            return Err(ErrorKind::NotADirectory.at(dir));
        };
        let entry = |(name, node): (&str, Node)| Entry {
            name: name.to_string(),
            kind: if matches!(node, Node::Page(_)) { Kind::File } else { Kind::Dir },
        };
        let mut entries: Vec<Entry> = self.0.tree.children(folder, &self.0.visible).map(entry).collect();
        if folder == Tree::ROOT {
            let overviews = Overview::ALL.into_iter().filter(|overview| self.has(*overview));
            entries.extend(overviews.map(|overview| Entry { name: overview.name().to_string(), kind: Kind::File }));
            entries.sort_by(|a, b| a.name.cmp(&b.name));
        }
        Ok(entries)
    }

    fn open(&self, path: &VPath, from: u64, cancel: &Cancel) -> FsResult<Box<dyn BufRead + Send>> {
        if let Some(text) = self.overview(path) {
            let from = text.len().min(usize::try_from(from).unwrap_or(usize::MAX));
            return Ok(Box::new(io::Cursor::new(text.slice(from..))));
        }
        let page = self.page(path)?;
        let Session { site, tree, .. } = &*self.0;
        if let Some(pointer) = tree.lazy(page).filter(|_| !tree.is_view(page)) {
            if let Some(text) = site.pages.lazy(pointer) {
                let text = from_offset(&text, from);
                cancel.usage().hits(1);
                cancel.usage().page();
                cancel.usage().text(text.len());
                return Ok(Box::new(Cursor::new(text)));
            }
            let (files, size) = (site.lazy.clone(), tree.size(page));
            return Ok(Box::new(Stream::new(files, pointer, size, from, path.clone(), cancel)));
        }
        Ok(Box::new(Text { fs: self.clone(), page, path: path.clone(), from, rest: None, cancel: cancel.clone() }))
    }

    fn size(&self, path: &VPath, cancel: &Cancel) -> FsResult<u64> {
        if let Some(text) = self.overview(path) {
            return Ok(text.len() as u64);
        }
        let page = match self.node(path)? {
            Node::Page(page) => page,
            Node::Folder(_) => return Ok(FOLDER_SIZE),
        };
        let Session { site, tree, .. } = &*self.0;
        match (self.known_size(page), tree.lazy(page)) {
            (Some(size), _) => Ok(size),
            (None, Some(pointer)) if !tree.is_view(page) => {
                lazy::len(&site.lazy, pointer, cancel).map_err(|error| ErrorKind::from(error).at(path))
            }
            (None, _) => self.read_one(page, cancel).map(|text| text.len() as u64).map_err(|kind| kind.at(path)),
        }
    }

    fn read_many(
        &self,
        paths: Vec<VPath>,
        cancel: &Cancel,
    ) -> Box<dyn Iterator<Item = (VPath, FsResult<Bytes>)> + Send> {
        let (ready, cancel) = (VecDeque::new(), cancel.clone());
        Box::new(Many { fs: self.clone(), paths: paths.into_iter(), ready, window: FIRST_WINDOW, cancel })
    }

    fn narrow(&self, scope: &[VPath], needles: &Needles, cancel: &Cancel) -> FsResult<Option<Vec<VPath>>> {
        let Session { site, tree, visible, asker, .. } = &*self.0;
        let nodes = scope.iter().filter_map(|path| self.node(path).ok());
        match search::narrow(site, tree, visible, nodes, needles, asker.as_ref(), cancel) {
            Ok(None) => Ok(None),
            Ok(Some(pages)) => {
                // The store knows nothing of overviews: they may always match.
                let is_asked =
                    |overview: &Overview| scope.iter().any(|path| path.is_root() || *path == overview.path());
                let overviews = Overview::ALL.into_iter().filter(|overview| is_asked(overview) && self.has(*overview));
                let pages = pages.into_iter().map(|page| VPath::root().join(tree.path(page)));
                Ok(Some(pages.chain(overviews.map(Overview::path)).collect()))
            }
            Err(error) => Err(ErrorKind::from(error).at(scope.first().unwrap_or(&VPath::root()))),
        }
    }

    fn suffixed(&self, path: &VPath) -> Option<VPath> {
        let name = path.name().filter(|_| !self.0.tree.layout().is_plain)?;
        let mut paths = SUFFIXES.into_iter().map(|suffix| path.parent().child(&format!("{name}{suffix}")));
        paths.find(|path| self.page(path).is_ok())
    }
}

/// What `text` holds from this byte on.
fn from_offset(text: &Bytes, from: u64) -> Bytes {
    text.slice(text.len().min(usize::try_from(from).unwrap_or(usize::MAX))..)
}

/// A page being read: its first read fetches it.
struct Text {
    fs: DocFs,
    page: PageId,
    path: VPath,
    from: u64,
    rest: Option<Bytes>,
    cancel: Cancel,
}

impl BufRead for Text {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.cancel.check()?;
        let rest = match self.rest.take() {
            Some(rest) => rest,
            None => {
                let text = self.fs.read_one(self.page, &self.cancel).map_err(|kind| kind.at(&self.path))?;
                from_offset(&text, self.from)
            }
        };
        Ok(self.rest.insert(rest))
    }

    fn consume(&mut self, n: usize) {
        if let Some(rest) = &mut self.rest {
            rest.advance(n);
        }
    }
}

impl Read for Text {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.fill_buf()?.read(buf)?;
        self.consume(n);
        Ok(n)
    }
}

/// Pages in a row, read ahead by [`FIRST_WINDOW`] bytes, then twice that, up to [`WINDOW`]: a walk costs few requests,
/// and who stops early has cost little.
struct Many {
    fs: DocFs,
    paths: vec::IntoIter<VPath>,
    ready: VecDeque<(VPath, FsResult<Bytes>)>,
    window: u64,
    cancel: Cancel,
}

impl Many {
    fn fetch(&mut self) {
        let (mut found, mut pages, mut weight) = (Vec::new(), Vec::new(), 0);
        while weight < self.window {
            let Some(path) = self.paths.next() else { break };
            let page = self.fs.page(&path);
            if let Ok(page) = page {
                weight += self.fs.0.tree.size(page).unwrap_or(TYPICAL);
                pages.push(page);
            }
            found.push((path, page));
        }
        self.window = (self.window * 2).min(WINDOW);
        let mut texts = self.fs.read(&pages, &self.cancel).into_iter();
        for (path, page) in found {
            let text = page.and_then(|_| match texts.next() {
                Some(text) => text.map_err(|kind| kind.at(&path)),
                None => Err(ErrorKind::Io("".into()).at(&path)),
            });
            let text = text.or_else(|error| self.fs.overview(&path).ok_or(error));
            self.ready.push_back((path, text));
        }
    }
}

impl Iterator for Many {
    type Item = (VPath, FsResult<Bytes>);

    fn next(&mut self) -> Option<(VPath, FsResult<Bytes>)> {
        if self.ready.is_empty() {
            self.fetch();
        }
        self.ready.pop_front()
    }
}

/// The address of a page on the web, from the site's and its own.
pub(super) fn address(base: &str, own: &str) -> String {
    if own.is_empty() { base.to_string() } else { format!("{base}/{own}") }
}

/// A path's inode number: FNV-1a of it, never 0.
fn inode(path: &str) -> u64 {
    let hash = path
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    // 62 bits, so that a script may do signed arithmetic with it.
    (hash >> 2).max(1)
}

#[cfg(test)]
mod tests;
