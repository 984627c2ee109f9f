//! Folders, which exist because pages are below them: what a visitor finds in them, and what is told of them.
use super::{FolderId, Node, PageId, Tree, page::as_str, rows::Folder};
use crate::tree::access::Visible;

impl Tree {
    /// Every page at any depth below a folder.
    pub fn pages_below(&self, folder: FolderId) -> impl ExactSizeIterator<Item = PageId> + use<> {
        self.tables.folder(folder.0).pages.map(PageId)
    }

    /// The children of a folder that exist for the session, with their names, sorted by bytes.
    pub fn children<'a>(&'a self, folder: FolderId, visible: &'a Visible) -> Children<'a> {
        let row = self.tables.folder(folder.0);
        let skip = if row.path_len == 0 { 0 } else { usize::from(row.path_len) + 1 };
        Children { tree: self, visible, skip, page: row.pages.start, folder: folder.0 + 1, of: row }
    }

    /// Whether the folder exists for the session: the root, and any folder above a page that does.
    pub fn sees_folder(&self, folder: FolderId, visible: &Visible) -> bool {
        let row = self.tables.folder(folder.0);
        folder == Tree::ROOT || self.tables.below(&row).any(|below| visible.has(below.class))
    }

    /// The folder's time: the newest below it that the session may see.
    pub fn folder_time(&self, folder: FolderId, visible: &Visible) -> i64 {
        let row = self.tables.folder(folder.0);
        let seen = self.tables.below(&row).filter(|below| visible.has(below.class));
        seen.map(|below| below.newest).max().unwrap_or(0)
    }

    /// How many subfolders of the folder exist for the session.
    pub fn subfolders(&self, folder: FolderId, visible: &Visible) -> u32 {
        let row = self.tables.folder(folder.0);
        if self.tables.below(&row).all(|below| visible.has(below.class)) {
            return row.subfolders;
        }
        let (mut at, mut count) = (folder.0 + 1, 0);
        while at < row.end {
            count += u32::from(self.sees_folder(FolderId(at), visible));
            at = self.tables.folder(at).end;
        }
        count
    }
}

/// The children of one folder; see [`Tree::children`].
pub struct Children<'a> {
    tree: &'a Tree,
    visible: &'a Visible,
    /// How much of a path is the folder's.
    skip: usize,
    /// The next page to look at, which is a child unless it is in `folder`.
    page: u32,
    folder: u32,
    of: Folder,
}

impl<'a> Children<'a> {
    fn name(&self, path: &'a [u8]) -> &'a str {
        as_str(path.get(self.skip..).unwrap_or_default())
    }
}

impl<'a> Iterator for Children<'a> {
    type Item = (&'a str, Node);

    fn next(&mut self) -> Option<(&'a str, Node)> {
        let tables = &self.tree.tables;
        while self.page < self.of.pages.end {
            let subfolder = (self.folder < self.of.end).then(|| tables.folder(self.folder));
            if let Some(sub) = subfolder.filter(|sub| sub.pages.start == self.page) {
                let id = FolderId(self.folder);
                (self.page, self.folder) = (sub.pages.end, sub.end);
                if self.tree.sees_folder(id, self.visible) {
                    return Some((self.name(tables.folder_path(&sub)), Node::Folder(id)));
                }
            } else {
                let id = PageId(self.page);
                self.page += 1;
                let row = tables.page(id.0);
                if self.visible.has(row.class) {
                    return Some((self.name(tables.path(&row)), Node::Page(id)));
                }
            }
        }
        None
    }
}
