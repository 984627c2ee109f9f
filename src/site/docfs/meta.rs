//! What `stat` tells, from the tree alone.
use super::{DocFs, FOLDER_SIZE, Session};
use crate::tree::{FolderId, Node, PageId, Tree};
use docsh_builtins::{Kind, Meta, VPath};

impl DocFs {
    pub(super) fn node_meta(&self, node: Node, inode: Inode) -> Meta {
        match node {
            Node::Page(page) => self.page_meta(page, inode),
            Node::Folder(folder) => self.folder_meta(folder, inode),
        }
    }

    pub(super) fn overview_meta(&self, text: &[u8], inode: Inode) -> Meta {
        let Session { tree, visible, .. } = &*self.0;
        Meta {
            kind: Kind::File,
            size: Some(text.len() as u64),
            mtime: tree.folder_time(Tree::ROOT, visible),
            nanos: 0,
            mode: 0o644,
            links: 1,
            inode: inode.number(),
        }
    }

    fn folder_meta(&self, folder: FolderId, inode: Inode) -> Meta {
        let Session { tree, visible, .. } = &*self.0;
        Meta {
            kind: Kind::Dir,
            size: Some(FOLDER_SIZE),
            mtime: tree.folder_time(folder, visible),
            nanos: 0,
            mode: 0o755,
            links: 2 + tree.subfolders(folder, visible),
            inode: inode.number(),
        }
    }

    fn page_meta(&self, page: PageId, inode: Inode) -> Meta {
        let tree = &self.0.tree;
        Meta {
            kind: Kind::File,
            size: self.known_size(page),
            mtime: tree.mtime(page),
            nanos: 0,
            mode: tree.mode(page).into(),
            links: 1,
            inode: inode.number(),
        }
    }
}

/// The address of a page on the web, from the site's and its own.
pub(in crate::site) fn address(base: &str, own: &str) -> String {
    if own.is_empty() { base.to_string() } else { format!("{base}/{own}") }
}

/// A path's inode number: FNV-1a of it, never 0.
#[derive(Clone, Copy)]
pub(super) struct Inode(u64);

impl Inode {
    const START: Inode = Inode(0xcbf2_9ce4_8422_2325);

    /// That of `path`.
    pub(super) fn of(path: &VPath) -> Inode {
        Inode::START.with(path.as_str())
    }

    /// What those of all that is in the folder `dir` begin with.
    pub(super) fn below(dir: &VPath) -> Inode {
        Inode::START.with(if dir.is_root() { "" } else { dir.as_str() }).with("/")
    }

    /// That of `name` in the folder that this was made for.
    pub(super) fn child(self, name: &str) -> Inode {
        self.with(name)
    }

    fn with(self, text: &str) -> Inode {
        let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        Inode(text.bytes().fold(self.0, step))
    }

    /// As it is shown: 62 bits, so that a script may do signed arithmetic with it.
    fn number(self) -> u64 {
        (self.0 >> 2).max(1)
    }
}
