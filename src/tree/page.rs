//! What is known of a page without asking anybody.
use super::{
    Hash, Layout, Lazy, PageId, Tree, TreeVersion,
    access::{Asker, Class, Visible},
    paths::usual_address,
    rows::{ADDRESSED, BROKEN_LINES, HASHED, LAZY, Page, TITLED, UNKNOWN, VIEW},
};
use docsh_builtins::glob::Glob;

/// A page to read, and what the tree says of how it is kept.
#[derive(Clone, Copy, Debug)]
pub struct PageRef<'a> {
    /// Its slug.
    pub slug: &'a str,
    /// How many chunks it has.
    pub chunks: Option<u32>,
    /// The hash of its text.
    pub hash: Option<Hash>,
    /// Who may see it, for records that say so themselves; `None` where no rules apply.
    pub class: Option<&'a Class>,
    /// Who asks, where the store is told.
    pub asker: Option<&'a Asker>,
    /// How the site keeps pages.
    pub layout: &'a Layout,
    /// Which tree says so.
    pub version: &'a TreeVersion,
}

impl Tree {
    /// Whether the page exists for the session.
    pub fn sees_page(&self, page: PageId, visible: &Visible) -> bool {
        visible.has(self.row(page).class)
    }

    /// The path of a page, without a leading slash.
    pub fn path(&self, page: PageId) -> &str {
        as_str(self.tables.path(&self.row(page)))
    }

    /// The name under which the store knows the page.
    pub fn slug(&self, page: PageId) -> &str {
        let row = self.row(page);
        let path = self.tables.path(&row);
        as_str(path.get(..path.len().saturating_sub(row.suffix_len.into())).unwrap_or_default())
    }

    /// Who may see the page.
    pub fn class(&self, page: PageId) -> &Class {
        self.classes().all().get(usize::from(self.row(page).class.0)).unwrap_or(&Class::Nobody)
    }

    /// What a store needs to know to read the page.
    pub fn page_ref(&self, page: PageId) -> PageRef<'_> {
        let class = self.class(page);
        PageRef {
            slug: self.slug(page),
            chunks: self.chunks(page),
            hash: self.hash(page),
            class: (!self.head.is_open).then_some(class),
            asker: None,
            layout: self.layout(),
            version: self.version(),
        }
    }

    /// The page's title.
    pub fn title(&self, page: PageId) -> Option<&str> {
        let row = self.row(page);
        let start = row.text as usize + usize::from(row.path_len);
        (row.flags & TITLED != 0).then(|| as_str(self.tables.text(start, row.title_len.into())))
    }

    /// Where the page is on the web, relative to the site's address.
    pub fn address(&self, page: PageId) -> &str {
        let row = self.row(page);
        if row.flags & ADDRESSED == 0 {
            return usual_address(self.path(page));
        }
        let start = row.text as usize + usize::from(row.path_len) + usize::from(row.title_len);
        as_str(self.tables.text(start, row.address_len.into()))
    }

    /// Where the page stands in the site's navigation: pages that it does not know come last.
    pub fn order(&self, page: PageId) -> u32 {
        self.row(page).order
    }

    /// The page's size in bytes.
    pub fn size(&self, page: PageId) -> Option<u64> {
        Some(self.row(page).size).filter(|&size| size != UNKNOWN)
    }

    /// The page's last change, in seconds since the epoch; 0 when nobody said.
    pub fn mtime(&self, page: PageId) -> i64 {
        self.row(page).mtime
    }

    /// The page's permission bits.
    pub fn mode(&self, page: PageId) -> u16 {
        self.row(page).mode
    }

    /// How many chunks the page has.
    pub fn chunks(&self, page: PageId) -> Option<u32> {
        self.row(page).chunks.checked_sub(1)
    }

    /// The hash of the page's text.
    pub fn hash(&self, page: PageId) -> Option<Hash> {
        let row = self.row(page);
        (row.flags & HASHED != 0).then_some(row.hash)
    }

    /// Whether the page holds parts for some visitors only, and rules apply.
    pub fn is_view(&self, page: PageId) -> bool {
        self.row(page).flags & VIEW != 0 && !self.head.is_open
    }

    /// Let the pages whose paths match one of `patterns` hold parts for some visitors only too.
    pub(crate) fn mark_views(&mut self, patterns: &[Glob]) {
        let is_view = |page: &PageId| patterns.iter().any(|pattern| pattern.matches(self.path(*page)));
        let pages: Vec<u32> = self.pages().filter(is_view).map(|page| page.0).collect();
        self.tables.set_flag(&pages, VIEW);
    }

    /// Whether no line of the page is spread over two chunks.
    pub fn is_line_aligned(&self, page: PageId) -> bool {
        self.layout().line_aligned && self.row(page).flags & BROKEN_LINES == 0
    }

    /// Where the page's text is, when it is not in the store.
    pub fn lazy(&self, page: PageId) -> Option<&Lazy> {
        if self.row(page).flags & LAZY == 0 {
            return None;
        }
        let lazy = &self.head.lazy;
        let at = lazy.binary_search_by_key(&page, |(page, _)| *page).ok()?;
        Some(&lazy[at].1)
    }

    fn row(&self, page: PageId) -> Page {
        self.tables.page(page.0)
    }
}

/// Text of the tables, which is UTF-8 unless the file is damaged.
pub(super) fn as_str(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}
