//! The site that is compiled into the binary: the made-up company Acme. It costs nothing until it is asked for, and
//! then microseconds: `ingest/bundle.rs` has read the folder, its frontmatter included, when the binary was built.
use super::{File, Memory};
use crate::tree::{Layout, access::Class};
use bytes::Bytes;

/// A page as the build wrote it down.
struct Bundled {
    slug: &'static str,
    title: Option<&'static str>,
    is_public: bool,
    groups: &'static [&'static str],
    mtime: Option<i64>,
    view: bool,
    body: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

impl Memory {
    /// The name of the bundled site.
    pub const BUNDLED: &str = "acme";

    /// The bundled site.
    pub fn bundled() -> Memory {
        let file = |page: &Bundled| File {
            slug: page.slug.into(),
            body: Bytes::from_static(page.body),
            title: page.title.map(Into::into),
            address: None,
            order: None,
            class: Class::of(page.is_public, page.groups.iter().map(|&group| group.to_string())),
            mtime: page.mtime,
            mode: 0o644,
            view: page.view,
        };
        let layout = Layout { base_url: Some("https://docs.acme.example".into()), ..Layout::default() };
        Memory::new(Memory::BUNDLED, PAGES.iter().map(file).collect(), layout)
    }
}
