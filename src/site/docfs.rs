//! The file system of one session: names, folders and what `stat` tells from the tree, text from the store, nothing of
//! what the visitor may not see.
mod meta;
mod reading;
mod streams;
mod views;

pub(super) use meta::address;

use super::{
    Shared, Visitor,
    lazy::{self, Stream},
    overview::{Overview, Overviews},
    search,
};
use crate::tree::{
    Node, PageId, SUFFIXES, Tree,
    access::{Asker, Visible},
};
use bytes::Bytes;
use docsh_builtins::{About, Cancel, Entry, ErrorKind, Fs, FsResult, Kind, Meta, Needles, VPath};
use meta::Inode;
use parking_lot::Mutex;
use std::{
    io::{BufRead, Cursor},
    sync::Arc,
};
use streams::{Many, Text, from_offset};
use views::Views;

/// A folder's size.
pub(super) const FOLDER_SIZE: u64 = 4096;

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

/// What is in a folder.
enum Child {
    Node(Node),
    Overview(Overview),
}

impl DocFs {
    pub(super) fn new(site: Arc<Shared>, tree: Arc<Tree>, visitor: Visitor, overviews: Option<Overviews>) -> DocFs {
        let visible = tree.classes().visible(&visitor);
        let asker = site.options.acl_in_query.then(|| tree.classes().asker(&visitor));
        DocFs(Arc::new(Session { site, tree, visible, visitor, asker, views: Mutex::default(), overviews }))
    }

    /// What `path` names for this visitor.
    fn node(&self, path: &VPath) -> FsResult<Node> {
        self.node_near(path, None)
    }

    /// The same where it is most likely the page `likely`.
    fn node_near(&self, path: &VPath, likely: Option<PageId>) -> FsResult<Node> {
        let Session { tree, visible, .. } = &*self.0;
        let node = tree.find_near(path.slug(), likely).filter(|&node| match node {
            Node::Page(page) => tree.sees_page(page, visible),
            Node::Folder(folder) => tree.sees_folder(folder, visible),
        });
        node.ok_or_else(|| ErrorKind::NotFound.at(path))
    }

    fn page(&self, path: &VPath) -> FsResult<PageId> {
        self.page_near(path, None)
    }

    fn page_near(&self, path: &VPath, likely: Option<PageId>) -> FsResult<PageId> {
        match self.node_near(path, likely)? {
            Node::Page(page) => Ok(page),
            Node::Folder(_) => Err(ErrorKind::IsADirectory.at(path)),
        }
    }

    /// What is in the folder `dir`, sorted by bytes.
    fn children(&self, dir: &VPath) -> FsResult<Vec<(String, Child)>> {
        let Session { tree, visible, .. } = &*self.0;
        let Some(folder) = tree.folder(dir.slug()).filter(|&folder| tree.sees_folder(folder, visible)) else {
            return self.page(dir).and(Err(ErrorKind::NotADirectory.at(dir)));
        };
        let child = |(name, node): (&str, Node)| (name.to_string(), Child::Node(node));
        let mut children: Vec<(String, Child)> = tree.children(folder, visible).map(child).collect();
        if folder == Tree::ROOT {
            let overviews = Overview::ALL.into_iter().filter(|overview| self.has(*overview));
            children.extend(overviews.map(|overview| (overview.name().to_string(), Child::Overview(overview))));
            children.sort_by(|(a, _), (b, _)| a.cmp(b));
        }
        Ok(children)
    }

    /// Whether the site gets this overview: it has no such file that the visitor may see, and there is something to
    /// see.
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
}

impl Fs for DocFs {
    fn stat(&self, path: &VPath) -> FsResult<Meta> {
        let inode = Inode::of(path);
        match self.overview(path) {
            Some(text) => Ok(self.overview_meta(&text, inode)),
            None => Ok(self.node_meta(self.node(path)?, inode)),
        }
    }

    fn list(&self, dir: &VPath) -> FsResult<Vec<Entry>> {
        let entry = |(name, child)| {
            let kind = if matches!(child, Child::Node(Node::Folder(_))) { Kind::Dir } else { Kind::File };
            Entry { name, kind }
        };
        Ok(self.children(dir)?.into_iter().map(entry).collect())
    }

    fn stat_all(&self, dir: &VPath) -> FsResult<Vec<(String, Meta)>> {
        let inodes = Inode::below(dir);
        let stat = |(name, child): (String, Child)| {
            let inode = inodes.child(&name);
            let meta = match child {
                Child::Node(node) => self.node_meta(node, inode),
                Child::Overview(overview) => {
                    self.overview_meta(&self.overview(&overview.path()).unwrap_or_default(), inode)
                }
            };
            (name, meta)
        };
        Ok(self.children(dir)?.into_iter().map(stat).collect())
    }

    fn about(&self, path: &VPath) -> FsResult<About> {
        if self.overview(path).is_some() {
            return Ok(About::default());
        }
        let tree = &self.0.tree;
        Ok(match self.node(path)? {
            Node::Folder(_) => About::default(),
            Node::Page(page) => About {
                title: tree.title(page).map(str::to_string),
                url: tree.layout().base_url.as_deref().map(|base| address(base, tree.address(page))),
            },
        })
    }

    fn open(&self, path: &VPath, from: u64, cancel: &Cancel) -> FsResult<Box<dyn BufRead + Send>> {
        if let Some(text) = self.overview(path) {
            return Ok(Box::new(Cursor::new(from_offset(&text, from))));
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
        Ok(Box::new(Text::new(self.clone(), page, path.clone(), from, cancel.clone())))
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
        Box::new(Many::new(self.clone(), paths, cancel.clone()))
    }

    fn narrow(&self, scope: &[VPath], needles: &Needles, cancel: &Cancel) -> FsResult<Option<Vec<VPath>>> {
        let Session { site, tree, visible, asker, .. } = &*self.0;
        let mut last = None;
        let nodes = scope.iter().filter_map(|path| {
            let node = self.node_near(path, last.map(PageId::next)).ok()?;
            last = if let Node::Page(page) = node { Some(page) } else { None };
            Some(node)
        });
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

#[cfg(test)]
mod tests;
