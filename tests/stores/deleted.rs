//! The rule that proves the access rules: for every visitor, a site is exactly the site from which the pages that the
//! visitor may not see were deleted. Every path, every listing, everything that `stat` tells, every byte.
use super::path;
use crate::support::tree::repository;
use docsh::{
    ingest::{self, Reading},
    site::{Options, Site, Visitor},
    store::memory::{File, Memory},
    tree::{Layout, access::Class},
};
use docsh_builtins::{Cancel, Fs, Kind, Meta, Needle, Needles, VPath};
use std::{collections::BTreeSet, io::Read};

fn files() -> Vec<File> {
    let folder = ingest::read(&repository("fixtures/acme"), Reading::default()).unwrap();
    let mut files: Vec<File> = folder
        .sources
        .into_iter()
        .map(|source| File {
            slug: source.page.slug.into(),
            body: source.page.body,
            title: source.title.map(Into::into),
            address: source.address.map(Into::into),
            order: source.order,
            class: source.page.class,
            mtime: source.updated,
            mode: 0o644,
            view: source.view,
        })
        .collect();
    // More of what may go wrong: whole folders of one class, the newest page invisible, the same name with and without.
    let groups = |names: &[&str]| Class::of(false, names.iter().map(|name| name.to_string()));
    let more = [
        ("mixed/deep/er/admin.md", groups(&["admin"]), 4_000_000_000),
        ("mixed/deep/open.md", Class::Public, 5),
        ("mixed/staff/only.mdx", Class::SignedIn, 3_000_000_000),
        ("mixed/both.md", groups(&["admin", "billing"]), 6),
        ("mixed/both.mdx", groups(&["billing"]), 7),
        ("nobody/at/all.md", Class::Nobody, 8),
    ];
    files.extend(more.map(|(slug, class, mtime)| File {
        slug: slug.into(),
        body: format!("text of {slug}\n").into(),
        title: None,
        address: None,
        order: None,
        class,
        mtime: Some(mtime),
        mode: 0o644,
        view: false,
    }));
    files
}

fn site(files: Vec<File>) -> Site {
    Site::over(Memory::new("test", files, Layout::default()), Options::default(), &Cancel::new()).unwrap()
}

fn text(fs: &dyn Fs, page: &VPath) -> String {
    let mut text = String::new();
    fs.open(page, 0, &Cancel::new()).unwrap().read_to_string(&mut text).unwrap();
    text
}

/// Everything that can be learned of a path; `all` are the paths of the whole site.
fn learned(fs: &dyn Fs, at: &VPath) -> String {
    let cancel = Cancel::new();
    let meta = fs.stat(at).map_err(|error| error.to_string());
    let list = fs.list(at).map_err(|error| error.to_string());
    let size = fs.size(at, &cancel).map_err(|error| error.to_string());
    let text = match &meta {
        Ok(Meta { kind: Kind::File, .. }) => text(fs, at),
        _ => fs.open(at, 0, &cancel).map(|_| "opened".to_string()).unwrap_or_else(|error| error.to_string()),
    };
    let bulk = fs.read_many(vec![at.clone()], &cancel).next().unwrap().1.map_err(|error| error.to_string());
    // After the text has been read, so that sizes are known on both sides.
    let meta = meta.and_then(|_| fs.stat(at).map_err(|error| error.to_string()));
    format!("{meta:?} {list:?} {size:?} {:?} {text} {bulk:?}", fs.suffixed(at))
}

#[test]
fn a_site_is_the_site_without_what_is_invisible() {
    let all = files();
    let mut paths: BTreeSet<VPath> = BTreeSet::from([VPath::root(), path("nosuch"), path("nobody/at")]);
    for file in &all {
        let mut at = path(&file.slug);
        // Each page, its folders, the page without its suffix, and a path below the page.
        paths.extend([at.child("below"), path(file.slug.rsplit_once('.').map_or("", |(bare, _)| bare))]);
        while paths.insert(at.clone()) {
            at = at.parent();
        }
    }
    let whole = site(all.clone());
    let visitors = [
        Visitor::Anonymous,
        Visitor::member::<String>([]),
        Visitor::member(["admin"]),
        Visitor::member(["billing"]),
        Visitor::member(["partners", "nobody"]),
        Visitor::member(["admin", "billing", "partners"]),
    ];
    let needles = Needles { any: vec![Needle::Literal("token".into())] };
    for visitor in visitors {
        let seen = whole.session(&visitor);
        let left: Vec<File> = all
            .iter()
            .filter(|file| visitor.sees(&file.class))
            .map(|file| File {
                body: text(&*seen, &path(&file.slug)).into(),
                view: false,
                class: Class::Public,
                ..file.clone()
            })
            .collect();
        let deleted = site(left).session(&Visitor::Anonymous);
        for at in &paths {
            assert_eq!(learned(&*seen, at), learned(&*deleted, at), "{visitor:?}: {at}");
        }
        let narrow = |fs: &dyn Fs| fs.narrow(&[VPath::root()], &needles, &Cancel::new()).unwrap();
        assert_eq!(narrow(&*seen), narrow(&*deleted));
    }
}
