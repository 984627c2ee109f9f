//! What every store must do.
use super::{SERVER, cat, collection, everything, ingest, ingest_to, path, site};
use crate::support::tree::{copy_of, literal, repository};
use docsh::{
    ingest::{self as ingesting, Reading, Summary},
    site::{Options, Site, Visitor},
    store::{
        SearchAnswer, Store, StoreError, TreeAnswer,
        chroma::{Chroma, ChromaWriter},
        embedded::{Embedded, EmbeddedWriter},
        memory::Memory,
    },
    tree::{Rules, Tree},
};
use docsh_builtins::{Cancel, Needle, Needles};
use std::{collections::BTreeMap, path::Path};

/// Pages with everything that has ever been lost: no last line end, none at all, CRLF, wide characters, long lines,
/// many chunks, a name that is too long for an id, access of each kind.
fn files() -> Vec<(String, String)> {
    let long_name = format!("deep/{}/page.md", "section-".repeat(25));
    let chunky = (0..400).map(|n| format!("## Heading {n}\n\nText about needle-{n} and nothing else.\n\n")).collect();
    let mut files: Vec<(String, String)> = [
        ("index.md", "---\ntitle: Home\nupdated: 2026-01-15\n---\n# Home\n"),
        ("empty.md", ""),
        ("no-end.md", "one\ntwo"),
        ("crlf.md", "one\r\ntwo\r\n"),
        ("blank.md", "\n\n\n"),
        ("wide/日本語.md", "認証 🎉 é\u{301} \u{2028} end\n"),
        ("a b'c.md", "a name with a space and a quote\n"),
        ("auth/staff.md", "---\npublic: false\n---\nsigned in only\n"),
        ("auth/eng.md", "---\ngroups: [eng, ops]\n---\nengineers only\n"),
        ("x#1.md", "a name like an id\n"),
        ("x", "a name that is the start of another\n"),
    ]
    .map(|(path, text)| (path.to_string(), text.to_string()))
    .into();
    files.push(("chunky.md".into(), chunky));
    files.push(("long-line.txt".into(), format!("start\n{}\nafter needle-x\n", "é".repeat(20_000))));
    files.push((long_name, "a long name holds needle-long\n".repeat(100)));
    files.sort();
    files
}

fn borrowed(files: &[(String, String)]) -> Vec<(&str, &str)> {
    files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect()
}

/// The store as a tree, and the tree's bytes read back.
fn check(name: &str, store: &dyn Store, files: &[(String, String)]) {
    let cancel = Cancel::new();
    let TreeAnswer::Tree(tree) = store.tree(None, &cancel).unwrap() else { panic!("{name}: no tree") };
    let paths: Vec<&str> = tree.pages().map(|page| tree.path(page)).collect();
    let mut expected: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    expected.sort_by_key(|path| path.replace('/', "\0"));
    assert_eq!(paths, expected, "{name}");
    assert!(matches!(store.tree(Some(tree.version()), &cancel), Ok(TreeAnswer::NotModified)), "{name}");

    // All at once, backwards, one of them twice.
    let texts: BTreeMap<&str, &str> = borrowed(files).into_iter().collect();
    let mut pages: Vec<_> = tree.pages().collect();
    pages.reverse();
    pages.push(pages[0]);
    let refs: Vec<_> = pages.iter().map(|&page| tree.page_ref(page)).collect();
    let read = store.pages(&refs, &cancel).unwrap();
    assert_eq!(read.len(), pages.len(), "{name}");
    for (page, text) in pages.iter().zip(read) {
        let (path, text) = (tree.path(*page), text.unwrap());
        assert_eq!(String::from_utf8_lossy(&text), texts[path], "{name}: {path}");
        if let Some(size) = tree.size(*page) {
            assert_eq!(size, text.len() as u64, "{name}: {path}");
        }
    }
    assert!(store.pages(&[], &cancel).unwrap().is_empty(), "{name}");

    missing_page(name, store, &tree);
    searches(name, store, &tree, &texts);

    let stopped = Cancel::new();
    stopped.stop(docsh_builtins::Stop::Interrupted);
    let result = store.pages(&refs, &stopped);
    assert!(store.is_resident() || matches!(result, Err(StoreError::Stopped(_))), "{name}");
}

/// A page that is not there is that page's error alone.
fn missing_page(name: &str, store: &dyn Store, tree: &Tree) {
    let there = tree.page_ref(tree.page("index.md").unwrap());
    let gone = docsh::store::PageRef { slug: "gone.md", ..there };
    let read = store.pages(&[gone, there], &Cancel::new()).unwrap();
    assert!(matches!(&read[0], Err(StoreError::BadPage { slug, .. }) if slug == "gone.md"), "{name}: {:?}", read[0]);
    assert!(read[1].is_ok(), "{name}");
}

/// A search may find too much, never too little.
fn searches(name: &str, store: &dyn Store, tree: &Tree, texts: &BTreeMap<&str, &str>) {
    let literal = |text: &str| Needle::Literal(text.to_string());
    let regex = |text: &str| Needle::Regex(text.to_string());
    let rows = [
        (vec![literal("needle-7")], vec!["needle-7"]),
        (vec![literal("needle-long")], vec!["needle-long"]),
        (vec![literal("needle-x"), literal("認証 ")], vec!["needle-x", "認証 "]),
        (vec![literal("nowhere at all")], vec!["nowhere at all"]),
        (vec![literal("100%_'\"\\")], vec!["100%_'\"\\"]),
        (vec![regex("(?m)^engineers")], vec!["engineers"]),
        (vec![regex("(?mi)SIGNED\\b")], vec!["signed"]),
    ];
    for (any, words) in rows {
        let needles = Needles { any };
        let SearchAnswer::Pages(hits) = store.search(&needles, tree.layout(), None, &Cancel::new()).unwrap() else {
            continue;
        };
        for (path, text) in texts {
            let must = words.iter().any(|word| text.contains(word));
            assert!(!must || hits.iter().any(|hit| hit.slug == *path), "{name}: {needles:?} misses {path}");
        }
        assert!(hits.iter().all(|hit| tree.page_of_slug(&hit.slug).is_some()), "{name}: {needles:?}: {hits:?}");
    }
}

#[test]
fn memory() {
    let files = files();
    let dir = literal(borrowed(&files));
    let (memory, skipped) = Memory::folder(dir.path().as_os_str()).unwrap();
    assert!(skipped.is_empty());
    check("a folder", &memory, &files);
}

#[test]
fn embedded() {
    let files = files();
    let dir = tempfile::tempdir().unwrap();
    // Every character that an address of SQLite gives a meaning to.
    let file = dir.path().join("a ?#%é/site.db");
    // What a writer left that was killed, and what one that is at work has.
    let folder = file.parent().unwrap();
    std::fs::create_dir_all(folder).unwrap();
    let [dead, alive] = [u32::MAX, 1].map(|process| folder.join(format!("site.new-{process}")));
    for left in [&dead, &alive] {
        std::fs::write(left, "").unwrap();
        let hour_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
        std::fs::File::options().write(true).open(left).unwrap().set_modified(hour_ago).unwrap();
    }
    let summary = ingest(&mut EmbeddedWriter::open("site", &file), &borrowed(&files)).unwrap();
    assert_eq!(summary, Summary { added: files.len(), written: files.len(), ..Summary::default() });
    check("embedded", &Embedded::open("site", file.as_os_str(), Rules::Required).unwrap(), &files);
    // Without rules the tree is read from its JSON.
    check("embedded, open", &Embedded::open("site", file.as_os_str(), Rules::Off).unwrap(), &files);
    let mut left: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["site.db", "site.new-1"]);
}

#[test]
fn chroma() {
    let files = files();
    let (config, _proxy) = collection();
    let summary = ingest_to(&config, &borrowed(&files));
    assert_eq!(summary, Summary { added: files.len(), written: files.len(), ..Summary::default() });
    check("Chroma", &Chroma::new(config), &files);
}

#[test]
fn all_stores_show_each_visitor_the_same_site() {
    let dir = copy_of("fixtures/acme");
    let folder = ingesting::read(dir.path(), Reading::default()).unwrap();
    let write = |writer: &mut dyn docsh::store::Writer| {
        ingesting::write(writer, &folder, Some("https://docs.acme.example"), &mut |_, _| {}, &Cancel::new()).unwrap();
    };
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("acme.db");
    write(&mut EmbeddedWriter::open("acme", &file));
    let (config, _proxy) = collection();
    write(&mut ChromaWriter::open(config.clone(), &Cancel::new()).unwrap());
    let bundled = Site::bundled().unwrap();
    let (published, warnings) = docsh::ingest::published(dir.path().as_os_str()).unwrap();
    let published = Site::over(published, Options::default(), &Cancel::new()).unwrap();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let embedded = Site::embedded("acme", file.as_os_str(), Rules::Required, Options::default()).unwrap();
    let chroma = site(&config).unwrap();
    let told = Options { acl_in_query: true, memory: 0, ..Options::default() };
    let told = Site::chroma(config.clone(), told, &Cancel::new()).unwrap();
    let visitors = [
        Visitor::Anonymous,
        Visitor::member::<String>([]),
        Visitor::member(["admin"]),
        Visitor::member(["billing", "partners"]),
    ];
    let mut sizes = Vec::new();
    for visitor in visitors {
        let expected = everything(&bundled, &visitor);
        assert_eq!(everything(&published, &visitor), expected, "{visitor:?}");
        assert_eq!(everything(&embedded, &visitor), expected, "{visitor:?}");
        assert_eq!(everything(&chroma, &visitor), expected, "{visitor:?}");
        assert_eq!(everything(&told, &visitor), expected, "{visitor:?}");
        for site in [&embedded, &chroma] {
            let (one, other) = (site.session(&visitor), bundled.session(&visitor));
            for (page, _) in &expected {
                assert_eq!(one.stat(&path(page)).unwrap(), other.stat(&path(page)).unwrap(), "{page}");
            }
        }
        sizes.push(expected.len());
    }
    assert!(sizes.is_sorted() && sizes[0] < sizes[2], "{sizes:?}");
}

#[test]
fn a_second_ingest_writes_only_what_has_changed() {
    let (config, proxy) = collection();
    let body = "words and more words\n".repeat(200);
    let eng = format!("---\ngroups: [eng]\n---\n{body}");
    ingest_to(&config, &[("a.md", &body), ("b.md", &body), ("gone.md", "x"), ("eng.md", &eng)]);
    let old = site(&config).unwrap();
    assert_eq!(cat(&*old.session(&Visitor::Anonymous), "b.md").unwrap(), body);
    let page_before = raw(&config, "a.md");

    let changed = format!("{body}and a new end\n");
    let ops = eng.replace("[eng]", "[ops]");
    let summary = ingest_to(&config, &[("a.md", &body), ("b.md", &changed), ("new.md", "n"), ("eng.md", &ops)]);
    assert_eq!((summary.added, summary.changed, summary.unchanged, summary.removed), (1, 2, 1, 1));
    assert!(summary.swept > 0);
    assert_eq!(raw(&config, "a.md"), page_before);

    let new = site(&config).unwrap();
    assert_eq!(cat(&*new.session(&Visitor::Anonymous), "b.md").unwrap(), changed);
    assert_eq!(cat(&*new.session(&Visitor::member(["ops"])), "eng.md").unwrap(), ops);
    assert_eq!(cat(&*new.session(&Visitor::member(["eng"])), "eng.md"), Err("No such file or directory".into()));
    // A session that began before finds the new text of what it has not read yet.
    assert_eq!(cat(&*old.session(&Visitor::Anonymous), "gone.md").unwrap_err().split(' ').next(), Some("Input/output"));
    proxy.requests();
    let same = ingest_to(&config, &[("a.md", &body), ("b.md", &changed), ("new.md", "n"), ("eng.md", &ops)]);
    assert_eq!(same, Summary { unchanged: 4, ..Summary::default() });
    assert!(proxy.requests() <= 6, "collection, ids, tree twice, tree");
}

#[test]
fn who_may_see_a_page_changes_without_its_text() {
    let (config, _proxy) = collection();
    let text = |groups: &str| format!("---\ngroups: [{groups}]\n---\ntext\n");
    // The same text in both: only the navigation decides.
    ingest_to(&config, &[("a.json", "{}"), ("b.md", &text("eng"))]);
    let dir = literal([("a.json", "{}"), ("b.md", text("eng").as_str())]);
    let private = Reading { private: true, ..Reading::default() };
    let folder = ingesting::read(dir.path(), private).unwrap();
    let mut writer = ChromaWriter::open(config.clone(), &Cancel::new()).unwrap();
    let summary = ingesting::write(&mut writer, &folder, None, &mut |_, _| {}, &Cancel::new()).unwrap();
    assert_eq!((summary.changed, summary.unchanged, summary.swept), (1, 1, 0));
    let site = site(&config).unwrap();
    assert_eq!(cat(&*site.session(&Visitor::Anonymous), "a.json"), Err("No such file or directory".into()));
    assert_eq!(cat(&*site.session(&Visitor::member::<String>([])), "a.json"), Ok("{}".into()));
}

/// The records of a page as the server has them.
fn raw(config: &docsh::store::chroma::ChromaConfig, slug: &str) -> serde_json::Value {
    let answer = crate::support::service::post(
        SERVER.port,
        &format!("{}/get", records(config)),
        &serde_json::json!({ "where": { "page_slug": slug }, "include": ["documents", "metadatas", "embeddings"] }),
    );
    serde_json::from_str(&answer).unwrap()
}

/// The address of a collection's records.
pub(super) fn records(config: &docsh::store::chroma::ChromaConfig) -> String {
    let collections = "/api/v2/tenants/default_tenant/databases/default_database/collections";
    let answer = crate::support::service::get(SERVER.port, &format!("{collections}/{}", config.collection));
    let collection: serde_json::Value = serde_json::from_str(&answer).unwrap();
    format!("{collections}/{}", collection["id"].as_str().unwrap())
}

#[test]
fn requests_are_few() {
    let (config, proxy) = collection();
    let many: Vec<(String, String)> = (0..400).map(|n| (format!("d/page-{n}.md"), format!("page {n}\n"))).collect();
    ingest_to(&config, &borrowed(&many));
    proxy.requests();
    let site = site(&config).unwrap();
    assert_eq!(proxy.requests(), 2, "the collection's id, the tree");
    let fs = site.session(&Visitor::Anonymous);
    fs.list(&path("/d")).unwrap();
    fs.stat(&path("/d/page-7.md")).unwrap();
    fs.size(&path("/d/page-7.md"), &Cancel::new()).unwrap();
    let _ = fs.open(&path("/d/page-7.md"), 0, &Cancel::new()).unwrap();
    assert_eq!(proxy.requests(), 0, "names, sizes and opening ask nobody");
    assert_eq!(cat(&*fs, "/d/page-7.md").unwrap(), "page 7\n");
    assert_eq!(cat(&*fs, "/d/page-7.md").unwrap(), "page 7\n");
    assert_eq!(proxy.requests(), 1, "a page once");
    assert_eq!(site.session(&Visitor::member(["eng"])).list(&path("/d")).unwrap().len(), 400);
    assert_eq!(proxy.requests(), 0, "a second session has the tree");
    let needles = Needles { any: vec![Needle::Literal("page 3".into())] };
    let narrowed = fs.narrow(&[path("/d")], &needles, &Cancel::new()).unwrap().unwrap();
    assert_eq!((narrowed.len(), proxy.requests()), (112, 1), "one search; what is in memory is looked at too");
    assert_eq!(fs.narrow(&[path("/nosuch")], &needles, &Cancel::new()).unwrap(), Some(vec![]));
    assert_eq!(proxy.requests(), 0, "an empty scope asks nobody");
    let paths = (0..400).map(|n| path(&format!("/d/page-{n}.md"))).collect();
    let first = fs.read_many(paths, &Cancel::new()).take(3).count();
    assert_eq!((first, proxy.requests()), (3, 1), "the first window holds them");
    assert_eq!(everything(&site, &Visitor::Anonymous).len(), 400);
    assert!(proxy.requests() <= 10, "in bulk");
    assert_eq!(fs.narrow(&[path("/d")], &needles, &Cancel::new()).unwrap(), None);
    assert_eq!(proxy.requests(), 0, "all is in memory");
}

#[test]
fn the_repository_is_ingested_as_written() {
    assert!(repository("fixtures/acme/docs.json").is_file());
    let folder = ingesting::read(&repository("fixtures/acme"), Reading::default()).unwrap();
    for source in &folder.sources {
        let file = std::fs::read(Path::new(&repository("fixtures/acme")).join(&source.page.slug)).unwrap();
        let joined: Vec<u8> =
            source.page.chunks.iter().flat_map(|range| source.page.body[range.clone()].to_vec()).collect();
        assert!(joined == file, "{}", source.page.slug);
    }
    let is_there = |slug: &str| folder.sources.iter().any(|source| source.page.slug == slug);
    let left_out = ["docs.json", ".mintignore", "drafts/pricing-2027.mdx", "guides/hidden-preview.mdx"];
    assert!(left_out.iter().all(|slug| !is_there(slug)));
    let hidden: Vec<&str> = folder.left_out.iter().map(|(slug, _)| slug.as_str()).collect();
    assert!(["guides/hidden-preview.mdx", "guides/old-status-page.mdx"].iter().all(|slug| hidden.contains(slug)));
    assert_eq!(folder.warnings.len(), 1, "{:?}", folder.warnings);
}

#[test]
fn a_process_that_searches_reads_the_site_ahead() {
    let (config, proxy) = collection();
    let many: Vec<(String, String)> =
        (0..900).map(|n| (format!("d{}/p{n:03}.md", n % 9), format!("page {n}\n"))).collect();
    ingest_to(&config, &borrowed(&many));
    let open = |warm_limit| {
        let options = Options { warm_limit, ..Options::default() };
        Site::chroma(config.clone(), options, &Cancel::new()).unwrap()
    };
    // How many pages of the site are read when each command is followed by the next.
    let read_after = |site: &Site, searches: usize| {
        let fs = site.session(&Visitor::Anonymous);
        for _ in 0..searches {
            fs.narrow(&[path("/d1")], &Needles { any: vec![Needle::Literal("page 30".into())] }, &Cancel::new())
                .unwrap();
        }
        site.freshen(&Cancel::new()).unwrap();
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
        loop {
            proxy.set(crate::support::proxy::Fault::HangUp(usize::MAX));
            let short = Cancel::new().within(std::time::Duration::from_millis(50));
            let paths = many.iter().map(|(slug, _)| path(slug)).collect();
            let read = fs.read_many(paths, &short).filter(|(_, text)| text.is_ok()).count();
            proxy.set(crate::support::proxy::Fault::None);
            if read > 0 || searches < 2 || std::time::Instant::now() > deadline {
                return read;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    };
    assert_eq!(read_after(&open(1 << 20), 1), 0, "one search is none");
    assert!(read_after(&open(1 << 20), 2) > 0);
    assert_eq!(read_after(&open(1000), 1), 0);
    let site = open(0);
    assert_eq!(site.warm(&mut |_, _| {}, &Cancel::new()).unwrap(), 900);
    proxy.requests();
    assert_eq!(everything(&site, &Visitor::Anonymous).len(), 900);
    assert_eq!(proxy.requests(), 0);
}
