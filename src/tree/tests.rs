use super::*;
use crate::tree::access::Visitor;
use base64::Engine;
use std::io::Write;

fn read(json: &str) -> Result<Tree, Refusal> {
    Tree::from_record(json.as_bytes(), Layout::default(), Rules::Required, TreeVersion("1".into()))
}

fn public(paths: &[&str]) -> Tree {
    let mut builder = Builder::new(Layout::default(), Rules::Marked);
    paths.iter().for_each(|path| builder.add(Facts::new(path)).unwrap());
    builder.finish(TreeVersion("1".into())).unwrap()
}

fn names(tree: &Tree, folder: &str, visitor: &Visitor) -> Vec<String> {
    let Some(Node::Folder(folder)) = tree.find(folder) else { panic!("no folder {folder}") };
    let visible = tree.classes().visible(visitor);
    let name = |(name, node): (&str, Node)| match node {
        Node::Folder(_) => format!("{name}/"),
        Node::Page(_) => name.to_string(),
    };
    tree.children(folder, &visible).map(name).collect()
}

#[test]
fn children_are_sorted_by_the_bytes_of_their_names() {
    let tree = public(&["a/z", "a-b/c", "a.md", "a/b/c/d", "a/b.md", "a/b-/x", "z", "é/x"]);
    let all = |folder| names(&tree, folder, &Visitor::Anonymous);
    assert_eq!(all(""), ["a/", "a-b/", "a.md", "z", "é/"]);
    assert_eq!(all("a"), ["b/", "b-/", "b.md", "z"]);
    assert_eq!(all("a/b"), ["c/"]);
    assert_eq!(all("a/b/c"), ["d"]);
}

#[test]
fn every_path_is_found_and_no_other() {
    let paths = ["a/b/c", "a/b/d/e", "a/b-/c", "a-/c", "b", "ab/c"];
    let tree = public(&paths);
    for path in paths {
        let Some(Node::Page(page)) = tree.find(path) else { panic!("{path}") };
        assert_eq!(tree.path(page), path);
    }
    for folder in ["", "a", "a/b", "a/b/d", "a/b-", "a-", "ab"] {
        assert!(matches!(tree.find(folder), Some(Node::Folder(_))), "{folder}");
    }
    for path in ["a/", "a/b/", "a/b/c/", "c", "a/b/d/e/f", "A", "b/"] {
        assert_eq!(tree.find(path), None, "{path}");
    }
    let below = |folder| match tree.find(folder) {
        Some(Node::Folder(folder)) => tree.pages_below(folder).map(|page| tree.path(page)).collect::<Vec<_>>(),
        _ => vec![],
    };
    assert_eq!(below("a/b"), ["a/b/c", "a/b/d/e"]);
    assert_eq!(below("").len(), 6);
}

#[test]
fn a_folder_exists_by_what_is_visible_below_it() {
    let tree = read(
        r#"{"open/a": {"isPublic": true, "updated_at": "2026-01-01"},
            "open/staff/b": {"isPublic": false, "updated_at": "2026-03-01T00:00:00Z"},
            "ops/c/d": {"groups": ["ops"]},
            "lost/e": {"isPublic": "yes"}, "lost/f": {"groups": "ops"}, "lost/g": {"groups": [1]},
            "lost/h": {"isPublic": false, "isPublic": true}}"#,
    )
    .unwrap();
    assert_eq!(names(&tree, "", &Visitor::Anonymous), ["open/"]);
    assert_eq!(names(&tree, "open", &Visitor::Anonymous), ["a"]);
    assert_eq!(names(&tree, "open", &Visitor::member(["x"])), ["a", "staff/"]);
    assert_eq!(names(&tree, "", &Visitor::member(["ops"])), ["open/", "ops/"]);
    let Some(Node::Folder(open)) = tree.find("open") else { panic!() };
    let time = |visitor| tree.folder_time(open, &tree.classes().visible(&visitor));
    assert_eq!(time(Visitor::Anonymous), 1_767_225_600);
    assert_eq!(time(Visitor::member(["ops"])), 1_772_323_200);
}

#[test]
fn what_an_entry_says_is_known() {
    let hash = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    let tree = read(&format!(
        r#"{{"a.md": {{"isPublic": true, "groups": [], "size": 5120, "updated_at": "2026-03-01T00:00:00Z", "title": "OAuth \"2\"",
                     "chunks": 4, "hash": "{hash}", "unknown": {{"x": [1, {{}}]}}}},
            "v2.json": {{"isPublic": true, "view": "openapi", "lazy": {{"url": "s3://b/k", "size": 7, "etag": "e"}}}},
            "bare": null, "odd": {{"size": -1, "title": 5, "hash": "md5", "line_aligned": false, "chunks": 2.0}}}}"#
    ))
    .unwrap();
    let page = |path| tree.page(path).unwrap();
    let a = page("a.md");
    assert_eq!((tree.size(a), tree.mtime(a), tree.title(a)), (Some(5120), 1_772_323_200, Some("OAuth \"2\"")));
    assert_eq!((tree.chunks(a), tree.hash(a).map(|hash| hash.to_string())), (Some(4), Some(hash.to_string())));
    assert_eq!((tree.is_view(a), tree.lazy(a), tree.is_line_aligned(a)), (false, None, true));
    let lazy = Lazy { url: "s3://b/k".into(), etag: Some("e".into()) };
    assert_eq!((tree.size(page("v2.json")), tree.lazy(page("v2.json"))), (Some(7), Some(&lazy)));
    assert!(tree.is_view(page("v2.json")));
    let odd = page("odd");
    assert_eq!((tree.size(odd), tree.title(odd), tree.hash(odd), tree.chunks(odd)), (None, None, None, Some(2)));
    assert!(!tree.is_line_aligned(odd));
}

/// Each refusal names the key that is wrong.
#[test]
fn what_cannot_be_a_tree_is_refused_whole() {
    let long = "x".repeat(256);
    let deep = "x/".repeat(2100) + "y";
    let rows = [
        (r#"{"": {"isPublic": true}}"#.to_string(), r#"the path "" is empty"#.to_string()),
        (r#"{"/a": {"isPublic": true}}"#.into(), r#"the path "/a" begins with a slash; paths are relative"#.into()),
        (r#"{"a//b": {}}"#.into(), r#"the path "a//b" has an empty name in it"#.into()),
        (r#"{"a/": {}}"#.into(), r#"the path "a/" has an empty name in it"#.into()),
        (r#"{"../x": {}}"#.into(), r#"the path "../x" has `.` or `..` in it"#.into()),
        (r#"{"a/./x": {}}"#.into(), r#"the path "a/./x" has `.` or `..` in it"#.into()),
        (r#"{"a\u0000": {}}"#.into(), r#"the path "a\0" has a NUL or a newline in it"#.into()),
        (r#"{"a\nb": {}}"#.into(), r#"the path "a\nb" has a NUL or a newline in it"#.into()),
        (format!(r#"{{"{long}": {{}}}}"#), format!("the path {long:?} has a name of more than 255 bytes")),
        (format!(r#"{{"{deep}": {{}}}}"#), format!("the path {deep:?} is longer than 4,096 bytes")),
        (r#"{"__path_tree__/x": {}}"#.into(), r#"the path "__path_tree__/x" is the name of the tree's own record"#.into()),
        (r#"{"b": {"groups": []}, "a": {}, "b": {}}"#.into(), r#"the path "b" is named twice"#.into()),
        (
            r#"{"auth": {"isPublic": true}, "auth-x": {}, "auth/a": {}}"#.into(),
            r#""auth" is a page and a folder at once (`page_extension = ".mdx"` in the configuration would tell them apart)"#
                .into(),
        ),
        (
            r#"{"a": {"size": 3}, "b": {}}"#.into(),
            "no page says who may see it; set `access = \"open\"` in the configuration if everybody may see everything".into(),
        ),
    ];
    for (json, expected) in rows {
        assert_eq!(read(&json).unwrap_err().to_string(), expected);
    }
    for json in ["[]", "{", r#"{"a": {"isPublic": true}} x"#, r#"{"a": 7}"#, "", "%%%", "aGVsbG8="] {
        assert!(matches!(read(json), Err(Refusal::Format(_))), "{json}");
    }
}

#[test]
fn a_packed_record_is_the_same_tree() {
    let json = br#"{"a/b": {"isPublic": true}}"#;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(json).unwrap();
    let packed = base64::engine::general_purpose::STANDARD.encode(gzip.finish().unwrap());
    assert!(read(&packed).unwrap().page("a/b").is_some());
    let error = read(&packed[..packed.len() / 8 * 4]).unwrap_err();
    assert!(error.to_string().contains("the gzip inside is broken"), "{error}");
}

/// More JSON than may be read of a tree without so many pages.
#[test]
fn a_large_tree_is_read_as_it_is_inflated() {
    let record = |count: usize, last: &str| {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let (mut hash, title) = (sha2::Sha256::default(), "A title of some length ".repeat(100));
        let mut write = |text: &str| {
            sha2::Digest::update(&mut hash, text);
            gzip.write_all(text.as_bytes()).unwrap();
        };
        for n in 0..count {
            let comma = if n == 0 { "{" } else { ",\n" };
            write(&format!(r#"{comma}"d{:03}/p{n:06}.md":{{"isPublic":true,"size":{n},"title":"{title}"}}"#, n / 1000));
        }
        write(last);
        let text = base64::engine::general_purpose::STANDARD.encode(gzip.finish().unwrap());
        (text.into_bytes(), Hash(sha2::Digest::finalize(hash).into()).to_string())
    };
    let read = |record: &[u8], version: &str| {
        Tree::from_record(record, Layout::default(), Rules::Required, TreeVersion(version.into()))
    };
    let (whole, hash) = record(30_000, "}");
    let tree = read(&whole, &hash).unwrap();
    assert_eq!((tree.len(), tree.size(tree.page("d020/p020007.md").unwrap())), (30_000, Some(20_007)));
    let (whole, hash) = record(8000, r#","../x":{}}"#);
    assert!(matches!(read(&whole, &hash), Err(Refusal::Path { .. })));
    let (whole, _) = record(8000, "}");
    assert_eq!(read(&whole, &hash).unwrap_err(), Refusal::Torn);
    let error = read(&whole[..whole.len() / 8 * 4], &hash).unwrap_err().to_string();
    assert!(error.contains("the gzip inside is broken"), "{error}");
}

#[test]
fn a_bomb_is_refused() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let spaces = vec![b' '; 1 << 20];
    gzip.write_all(b"{").unwrap();
    (0..65).for_each(|_| gzip.write_all(&spaces).unwrap());
    let packed = base64::engine::general_purpose::STANDARD.encode(gzip.finish().unwrap());
    assert_eq!(read(&packed).unwrap_err(), Refusal::TooLarge("64 MiB of JSON and 1 KiB a page"));
}

#[test]
fn open_access_makes_everything_public() {
    let json = br#"{"a": {}, "b": {"isPublic": "x"}, "c": {"groups": ["g"]}}"#;
    let tree = Tree::from_record(json, Layout::default(), Rules::Off, TreeVersion("1".into())).unwrap();
    assert_eq!(names(&tree, "", &Visitor::Anonymous), ["a", "b", "c"]);
}

#[test]
fn a_page_extension_tells_pages_and_folders_apart() {
    let layout = Layout { page_extension: ".mdx".into(), ..Layout::default() };
    let json = br#"{"auth": {"isPublic": true, "title": "T"}, "auth/oauth": {}, "v1.2": {}, "spec.json": {}}"#;
    let tree = Tree::from_record(json, layout, Rules::Required, TreeVersion("1".into())).unwrap();
    let all = Visitor::member(["x"]);
    assert_eq!(names(&tree, "", &all), ["auth/", "auth.mdx", "spec.json", "v1.2.mdx"]);
    let auth = tree.page("auth.mdx").unwrap();
    assert_eq!(tree.page_of_slug("auth"), Some(auth));
    assert_eq!((tree.page_of_slug("auth.mdx"), tree.page_of_slug("spec.json")), (None, tree.page("spec.json")));
    assert_eq!((tree.slug(auth), tree.path(auth), tree.title(auth)), ("auth", "auth.mdx", Some("T")));
}

#[test]
fn a_tree_survives_its_binary_form() {
    let layout = Layout {
        joiner: "\n".into(),
        base_url: Some("https://x".into()),
        page_extension: ".mdx".into(),
        is_plain: true,
        ..Layout::default()
    };
    let hash = Hash::of(b"text");
    let json = format!(
        r#"{{"a": {{"isPublic": true, "title": "T é", "url": "elsewhere/", "executable": true, "size": 5, "updated_at": "2026-03-01", "chunks": 2, "hash": "{hash}"}},
            "a/b/c.json": {{"groups": ["eng", "ops"], "view": "openapi", "lazy": {{"url": "s3://b/k", "etag": "e"}}}},
            "日本/語.md": {{"isPublic": 3, "line_aligned": false}}, "z/y": {{}}}}"#
    );
    let tree = Tree::from_record(json.as_bytes(), layout, Rules::Required, TreeVersion("v1".into())).unwrap();
    let bytes = tree.as_bytes().to_vec();
    let read = Tree::from_bytes(bytes.clone().into()).unwrap();
    assert_eq!(read.as_bytes(), tree.as_bytes());
    let (old, new) = (&tree.head, &read.head);
    assert_eq!((&new.lazy, &new.layout, &new.version), (&old.lazy, &old.layout, &old.version));
    assert_eq!((new.classes.all(), new.is_open), (old.classes.all(), old.is_open));
    for length in 0..bytes.len() {
        assert!(Tree::from_bytes(bytes[..length].to_vec().into()).is_none(), "{length}");
    }
    // A damaged file is no tree, or one whose every row can be looked at.
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x41;
        if let Some(tree) = Tree::from_bytes(damaged.into()) {
            let visible = tree.classes().visible(&Visitor::member(["eng"]));
            for page in tree.pages() {
                let _ = (
                    tree.path(page),
                    tree.slug(page),
                    tree.title(page),
                    tree.address(page),
                    tree.class(page),
                    tree.find(tree.path(page)),
                    tree.page_ref(page).slug,
                    tree.lazy(page),
                );
            }
            for folder in (0..tree.tables.folder_count()).map(FolderId) {
                let counted =
                    (tree.children(folder, &visible).take(100).count(), tree.pages_below(folder).take(100).count());
                assert!(counted.0 < 100 && counted.1 < 100, "{at}: {counted:?}");
                let _ = (tree.subfolders(folder, &visible), tree.folder_time(folder, &visible));
            }
        }
    }
}
