//! `/llms.txt` and `/AGENTS.md` of sites that have none: what there is, and how to look at it, for whoever arrives
//! knowing nothing. They are made of the tree as this visitor sees it, when somebody first asks for them.
use crate::tree::{FolderId, Node, PageId, Tree, access::Visible};
use bytes::Bytes;
use docsh_builtins::VPath;
use std::{collections::BTreeMap, fmt::Write, sync::OnceLock};

/// The most pages that `llms.txt` lists.
const MOST_PAGES: usize = 10_000;
/// The most folders that `AGENTS.md` lists.
const MOST_FOLDERS: usize = 40;

/// One of the two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overview {
    /// A guide for agents.
    Agents,
    /// An index of all pages, in the form that llmstxt.org describes.
    Llms,
}

impl Overview {
    /// In the order of their names.
    pub(super) const ALL: [Overview; 2] = [Overview::Agents, Overview::Llms];

    pub(super) fn name(self) -> &'static str {
        match self {
            Overview::Agents => "AGENTS.md",
            Overview::Llms => "llms.txt",
        }
    }

    pub(super) fn path(self) -> VPath {
        VPath::root().child(self.name())
    }
}

/// The overviews of one session.
#[derive(Default)]
pub(super) struct Overviews {
    agents: OnceLock<Bytes>,
    llms: OnceLock<Bytes>,
}

impl Overviews {
    /// The text of one of them, for whom `visible` is the site.
    pub(super) fn text(&self, overview: Overview, tree: &Tree, visible: &Visible) -> Bytes {
        let text = match overview {
            Overview::Agents => self.agents.get_or_init(|| agents(tree, visible).into()),
            Overview::Llms => self.llms.get_or_init(|| llms(tree, visible).into()),
        };
        text.clone()
    }
}

/// The pages below a folder that exist for the visitor.
fn pages<'a>(tree: &'a Tree, folder: FolderId, visible: &'a Visible) -> impl Iterator<Item = PageId> + 'a {
    tree.pages_below(folder).filter(|&page| tree.sees_page(page, visible))
}

fn agents(tree: &Tree, visible: &Visible) -> String {
    let count = pages(tree, Tree::ROOT, visible).count();
    let mut text = format!(
        "# Documentation\n\nA site as a read-only file system: {count} pages, each a file, each section a folder.\n\n\
         - `ls /`, `tree -L 2 /`, `find / -name '*.md*'` show what there is; `/llms.txt` lists all pages with their titles.\n\
         - `grep -rn WORDS /` searches everything, `grep -rl WORDS /FOLDER` names the pages.\n\
         - `cat PAGE`, `head -50 PAGE`, `sed -n '50,100p' PAGE` read; pipes, globs and loops work as in bash.\n\
         - `url PAGE#HEADING` prints the address to cite, where the site has one.\n\
         - Nothing can be written, and no other network is there.\n\n## Folders\n\n"
    );
    let folders = tree.children(Tree::ROOT, visible).filter_map(|(name, node)| match node {
        Node::Folder(folder) => Some((name, folder)),
        Node::Page(_) => None,
    });
    let folders: Vec<_> = folders.collect();
    // Writing to a string does not fail, here and below.
    for (name, folder) in folders.iter().take(MOST_FOLDERS) {
        let count = pages(tree, *folder, visible).count();
        let _ = writeln!(text, "- `/{name}/`: {count} page{}", if count == 1 { "" } else { "s" });
    }
    if folders.len() > MOST_FOLDERS {
        let _ = writeln!(text, "- and {} more: `ls /` lists them", folders.len() - MOST_FOLDERS);
    }
    text
}

fn llms(tree: &Tree, visible: &Visible) -> String {
    let base_url = tree.layout().base_url.as_deref();
    let title = base_url.map_or("Documentation", |url| url.split_once("://").map_or(url, |(_, host)| host));
    // As the navigation orders them; what it does not know comes last, by path.
    let mut all: Vec<PageId> = pages(tree, Tree::ROOT, visible).collect();
    all.sort_by_key(|&page| (tree.order(page), page));
    let left_out = all.len().saturating_sub(MOST_PAGES);
    let mut sections: BTreeMap<&str, Vec<PageId>> = BTreeMap::new();
    for page in all.into_iter().take(MOST_PAGES) {
        let folder = tree.path(page).split_once('/').map_or("", |(folder, _)| folder);
        sections.entry(folder).or_default().push(page);
    }
    // A section is where its first page is.
    let mut sections: Vec<(&str, Vec<PageId>)> = sections.into_iter().collect();
    sections.sort_by_key(|(_, pages)| pages.first().map(|&page| tree.order(page)));
    let mut text = format!("# {title}\n\n> Every page of this site. `cat` the path of one to read it.\n");
    for (folder, pages) in sections {
        let _ = writeln!(text, "\n## /{folder}\n");
        for page in pages {
            let path = tree.path(page);
            let title = tree.title(page).unwrap_or(path);
            let _ = match base_url {
                Some(base) => {
                    writeln!(text, "- [{title}]({}): `/{path}`", super::docfs::address(base, tree.address(page)))
                }
                None => writeln!(text, "- [{title}](/{path})"),
            };
        }
    }
    if left_out > 0 {
        let _ = writeln!(text, "\nAnd {left_out} more pages: `find / -type f` lists them.");
    }
    text
}
