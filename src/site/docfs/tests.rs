use super::super::{Options, Site, Visitor};
use super::*;
use crate::store::memory::{File, Memory};
use crate::tree::{Layout, access::Class};
use std::io::Read;

fn file(slug: &'static str, text: &'static str, class: Class, mtime: i64) -> File {
    let (body, mtime) = (Bytes::from_static(text.as_bytes()), Some(mtime));
    File {
        slug: slug.into(),
        body,
        title: Some("T".into()),
        address: None,
        order: None,
        class,
        mtime,
        mode: 0o644,
        view: false,
    }
}

fn site() -> Site {
    let staff = || Class::of(false, ["staff".to_string()]);
    let files = vec![
        file("index.mdx", "home\n", Class::Public, 10),
        file("auth/index.mdx", "auth\n", Class::Public, 20),
        file("auth/oauth.mdx", "oauth\n", Class::Public, 30),
        file("auth/oauth.md", "older\n", Class::Public, 5),
        file("auth/secret.mdx", "secret\n", staff(), 90),
        file("auth/deep/er/x.md", "x\n", staff(), 80),
        file("auth/only.md", "only\n", Class::Public, 1),
        file("guides", "a page without a suffix", Class::Public, 1),
    ];
    let layout = Layout { base_url: Some("https://docs.example".into()), ..Layout::default() };
    Site::over(Memory::new("test", files, layout), Options::default(), &Cancel::new()).unwrap()
}

fn path(text: &str) -> VPath {
    VPath::root().join(text)
}

fn names(fs: &dyn Fs, dir: &str) -> Vec<String> {
    fs.list(&path(dir)).unwrap().into_iter().map(|entry| entry.name).collect()
}

#[test]
fn what_is_not_visible_does_not_exist() {
    let site = site();
    let (visitor, staff) = (site.session(&Visitor::Anonymous), site.session(&Visitor::member(["staff"])));
    assert_eq!(names(&*visitor, "/auth"), ["index.mdx", "oauth.md", "oauth.mdx", "only.md"]);
    assert_eq!(names(&*staff, "/auth"), ["deep", "index.mdx", "oauth.md", "oauth.mdx", "only.md", "secret.mdx"]);
    for hidden in ["/auth/secret.mdx", "/auth/deep", "/auth/deep/er/x.md", "/auth/nosuch"] {
        let hidden = path(hidden);
        let cancel = Cancel::new();
        let not_found = |result: Result<(), docsh_builtins::FsError>| {
            assert!(matches!(result.unwrap_err().kind, ErrorKind::NotFound), "{hidden}");
        };
        not_found(visitor.stat(&hidden).map(drop));
        not_found(visitor.list(&hidden).map(drop));
        not_found(visitor.open(&hidden, 0, &cancel).map(drop));
        not_found(visitor.size(&hidden, &cancel).map(drop));
        not_found(visitor.read_many(vec![hidden.clone()], &cancel).next().unwrap().1.map(drop));
    }
    assert_eq!(visitor.suffixed(&path("/auth/secret")), None);
    assert_eq!(staff.suffixed(&path("/auth/secret")), Some(path("/auth/secret.mdx")));
}

#[test]
fn a_folder_tells_only_of_what_is_visible() {
    let site = site();
    let told = |visitor: &Visitor, dir| {
        let meta = site.session(visitor).stat(&path(dir)).unwrap();
        (meta.mtime, meta.links, meta.size, meta.mode)
    };
    assert_eq!(told(&Visitor::Anonymous, "/auth"), (30, 2, Some(4096), 0o755));
    assert_eq!(told(&Visitor::member(["staff"]), "/auth"), (90, 3, Some(4096), 0o755));
    assert_eq!(told(&Visitor::Anonymous, "/"), (30, 3, Some(4096), 0o755));
}

#[test]
fn a_page_is_described() {
    let fs = site().session(&Visitor::Anonymous);
    let meta = |page| fs.stat(&path(page)).unwrap();
    let oauth = meta("/auth/oauth.mdx");
    assert_eq!((oauth.kind, oauth.size, oauth.mtime, oauth.mode, oauth.links), (Kind::File, Some(6), 30, 0o644, 1));
    let about = |page| fs.about(&path(page)).unwrap();
    assert_eq!(about("/auth/oauth.mdx").title.as_deref(), Some("T"));
    assert_eq!(about("/auth/oauth.mdx").url.as_deref(), Some("https://docs.example/auth/oauth"));
    assert_eq!(about("/auth/index.mdx").url.as_deref(), Some("https://docs.example/auth"));
    assert_eq!(about("/index.mdx").url.as_deref(), Some("https://docs.example"));
    assert_eq!(about("/auth").url, None);
    assert_ne!(oauth.inode, meta("/index.mdx").inode);
}

#[test]
fn a_folder_is_described_as_each_of_its_names_is() {
    let fs = site().session(&Visitor::member(["staff"]));
    for dir in ["/", "/auth", "/auth/deep/er"] {
        let dir = path(dir);
        let listed: Vec<(String, Kind)> =
            fs.list(&dir).unwrap().into_iter().map(|entry| (entry.name, entry.kind)).collect();
        let all = fs.stat_all(&dir).unwrap();
        assert!(!all.is_empty());
        assert_eq!(all.iter().map(|(name, meta)| (name.clone(), meta.kind)).collect::<Vec<_>>(), listed, "{dir}");
        for (name, meta) in all {
            assert_eq!(meta, fs.stat(&dir.child(&name)).unwrap(), "{dir} {name}");
        }
    }
    assert!(matches!(fs.stat_all(&path("/guides")).unwrap_err().kind, ErrorKind::NotADirectory));
}

#[test]
fn a_page_may_be_named_without_its_suffix() {
    let fs = site().session(&Visitor::Anonymous);
    assert_eq!(fs.suffixed(&path("/auth/oauth")), Some(path("/auth/oauth.mdx")));
    assert_eq!(fs.suffixed(&path("/auth/only")), Some(path("/auth/only.md")));
    assert_eq!(fs.suffixed(&path("/auth/nosuch")), None);
    assert_eq!(fs.suffixed(&path("/")), None);
}

#[test]
fn text_is_read_from_an_offset_on() {
    let fs = site().session(&Visitor::Anonymous);
    let from = |offset| {
        let mut text = String::new();
        fs.open(&path("/auth/oauth.mdx"), offset, &Cancel::new()).unwrap().read_to_string(&mut text).unwrap();
        text
    };
    assert_eq!((from(0), from(4), from(6), from(700)), ("oauth\n".into(), "h\n".into(), String::new(), String::new()));
    let error = fs.open(&path("/auth"), 0, &Cancel::new()).map(drop).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::IsADirectory));
}

#[test]
fn many_pages_come_in_their_order_with_what_is_wrong_between_them() {
    let fs = site().session(&Visitor::Anonymous);
    let paths = ["/guides", "/nosuch", "/auth", "/index.mdx", "/auth/only.md"].map(path);
    let read: Vec<String> = fs
        .read_many(paths.to_vec(), &Cancel::new())
        .map(|(path, text)| match text {
            Ok(text) => format!("{path}: {}", String::from_utf8_lossy(&text)),
            Err(error) => format!("{path}: {error}"),
        })
        .collect();
    assert_eq!(
        read,
        [
            "/guides: a page without a suffix",
            "/nosuch: No such file or directory",
            "/auth: Is a directory",
            "/index.mdx: home\n",
            "/auth/only.md: only\n"
        ]
    );
}

#[test]
fn the_bundled_site_keeps_its_secrets() {
    let site = Site::bundled().unwrap();
    let everything = |visitor: &Visitor| {
        let fs = site.session(visitor);
        let (mut dirs, mut text) = (vec![VPath::root()], String::new());
        while let Some(dir) = dirs.pop() {
            for entry in fs.list(&dir).unwrap() {
                let child = dir.child(&entry.name);
                match entry.kind {
                    Kind::Dir => dirs.push(child),
                    _ => drop(fs.open(&child, 0, &Cancel::new()).unwrap().read_to_string(&mut text).unwrap()),
                }
            }
        }
        text
    };
    let words =
        ["PAPER-LYNX", "VELVET-OTTER", "TIN-PELICAN", "QUARTZ-BADGER", "BRASS-NEWT", "PLUM-SEMAPHORE", "CEDAR-WALRUS"];
    let seen = |visitor| {
        let text = everything(&visitor);
        words.map(|word| text.contains(word))
    };
    let (yes, no) = (true, false);
    assert_eq!(seen(Visitor::Anonymous), [no; 7]);
    assert_eq!(seen(Visitor::member::<String>([])), [yes, no, no, no, no, no, no]);
    assert_eq!(seen(Visitor::member(["admin"])), [yes, yes, no, no, no, no, no]);
    assert_eq!(seen(Visitor::member(["billing"])), [yes, no, yes, no, no, no, no]);
    let size = |visitor: &Visitor| {
        let (fs, spec) = (site.session(visitor), path("/api-specs/v2.json"));
        let size = fs.size(&spec, &Cancel::new()).unwrap();
        let mut text = String::new();
        fs.open(&spec, 0, &Cancel::new()).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!((size, fs.stat(&spec).unwrap().size), (text.len() as u64, Some(text.len() as u64)));
        size
    };
    let whole = include_bytes!("../../../fixtures/acme/api-specs/v2.json").len() as u64;
    let sizes = [
        size(&Visitor::Anonymous),
        size(&Visitor::member(["admin"])),
        size(&Visitor::member(["admin", "billing", "partners"])),
    ];
    assert!(sizes[0] < sizes[1] && sizes[1] < whole && sizes[2] == whole, "{sizes:?} of {whole}");
}
