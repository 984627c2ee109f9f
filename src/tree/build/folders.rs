//! The folders of a tree, which are told by the paths of its pages.
use crate::tree::rows::{Below, Folder, Page};

/// The folders above `pages`, in preorder, and the classes below each.
pub(super) fn folders<'a>(pages: &'a [Page], path: impl Fn(&'a Page) -> &'a str) -> (Vec<Folder>, Vec<Below>) {
    let mut folders = vec![Folder { pages: 0..0, path_len: 0, end: 0, subfolders: 0, below: 0..0 }];
    let mut below = Vec::new();
    // The folders around the page at hand, and the classes seen in each so far.
    let mut open: Vec<(usize, Vec<Below>)> = vec![(0, Vec::new())];
    let (mut previous, mut previous_dir) = ("", "");
    for (at, page) in pages.iter().enumerate() {
        let path = path(page);
        let dir = memchr::memrchr(b'/', path.as_bytes()).map_or("", |slash| &path[..slash]);
        // Most pages are in the folder of the one before, which is still open.
        if dir != previous_dir {
            // Close what does not hold this page.
            while let Some((top, _)) = open.last() {
                let len = usize::from(folders[*top].path_len);
                if len == 0
                    || (dir.get(..len) == previous.get(..len) && matches!(dir.as_bytes().get(len), None | Some(b'/')))
                {
                    break;
                }
                close(&mut open, &mut folders, &mut below, at);
            }
            // Open the folders between the innermost open one and the page.
            let mut from = open.last().map_or(0, |(top, _)| usize::from(folders[*top].path_len));
            while from < dir.len() {
                let start = if from == 0 { 0 } else { from + 1 };
                from = dir[start..].find('/').map_or(dir.len(), |slash| start + slash);
                if let Some((outer, _)) = open.last() {
                    folders[*outer].subfolders += 1;
                }
                open.push((folders.len(), Vec::new()));
                folders.push(Folder { pages: at as u32..0, path_len: from as u16, end: 0, subfolders: 0, below: 0..0 });
            }
        }
        if let Some((_, seen)) = open.last_mut() {
            merge(seen, Below { class: page.class, newest: page.mtime });
        }
        (previous, previous_dir) = (path, dir);
    }
    while !open.is_empty() {
        close(&mut open, &mut folders, &mut below, pages.len());
    }
    (folders, below)
}

/// The innermost open folder ends before page `at`.
fn close(open: &mut Vec<(usize, Vec<Below>)>, folders: &mut [Folder], below: &mut Vec<Below>, at: usize) {
    let count = folders.len();
    let Some((folder, seen)) = open.pop() else { return };
    let start = below.len() as u32;
    below.extend(&seen);
    let row = &mut folders[folder];
    row.pages.end = at as u32;
    row.end = count as u32;
    row.below = start..below.len() as u32;
    if let Some((_, outer)) = open.last_mut() {
        seen.into_iter().for_each(|class| merge(outer, class));
    }
}

fn merge(seen: &mut Vec<Below>, new: Below) {
    match seen.binary_search_by(|old| old.class.cmp(&new.class)) {
        Ok(at) => seen[at].newest = seen[at].newest.max(new.newest),
        Err(at) => seen.insert(at, new),
    }
}
