//! What `stat` tells, from the tree alone.
use super::{DocFs, FOLDER_SIZE, Session};
use crate::site::tree::{FolderId, PageId};
use docsh_builtins::{Kind, Meta};
use std::sync::Arc;

impl DocFs {
    pub(super) fn folder_meta(&self, folder: FolderId, inode: u64) -> Meta {
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

    pub(super) fn page_meta(&self, page: PageId, inode: u64) -> Meta {
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

/// The address of a page on the web, from the site's and its own.
pub(in crate::site) fn address(base: &str, own: &str) -> String {
    if own.is_empty() { base.to_string() } else { format!("{base}/{own}") }
}

/// A path's inode number: FNV-1a of it, never 0.
pub(super) fn inode(path: &str) -> u64 {
    let hash = path
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    // 62 bits, so that a script may do signed arithmetic with it.
    (hash >> 2).max(1)
}
