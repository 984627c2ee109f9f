//! What may be wrong with a site or its server: one clear line that names the site and what to mend, the status of a
//! process that cannot start, and nothing that is not content is ever served as if it were.
use super::{
    answer_of, cat, collection,
    foreign::{add, chunk, filled},
    ingest_to, path, site,
};
use crate::support::proxy::Fault;
use docsh::{
    site::{CacheFolder, Options, Secret, Site, Visitor},
    store::chroma::ChromaConfig,
    tree::Rules,
};
use docsh_builtins::{Cancel, ErrorKind, Stop};
use serde_json::json;
use std::{ffi::OsStr, time::Duration};

/// Why the site cannot be opened.
fn refusal(config: &ChromaConfig) -> (String, u8) {
    let error = site(config).map(drop).unwrap_err();
    (error.to_string(), error.status())
}

/// The site whose tree is this record.
fn with_tree(tree: &str) -> ChromaConfig {
    let (config, _proxy) = filled(&[("__path_tree__", tree, json!({ "kind": "path_tree" }))]);
    ChromaConfig { site: "docs".into(), url: format!("http://127.0.0.1:{}", super::SERVER.port), ..config }
}

#[test]
fn a_server_that_is_not_there() {
    let config = ChromaConfig::new("docs", "http://127.0.0.1:9");
    let expected = "site docs: the Chroma server at http://127.0.0.1:9 cannot be reached (Connection refused); is it \
                    running, and is `url` right?";
    assert_eq!(refusal(&config), (expected.into(), 69));
}

#[test]
fn a_collection_that_is_not_there() {
    let (config, _proxy) = collection();
    let (message, status) = refusal(&ChromaConfig { site: "docs".into(), collection: "nope".into(), ..config });
    assert!(
        message.starts_with("site docs: there is no collection \"nope\" in default_tenant/default_database at http")
    );
    assert_eq!(status, 78);
}

#[test]
fn a_collection_without_a_tree() {
    let (config, _proxy) = filled(&[("a#0", "text", chunk("a", 0))]);
    let config = ChromaConfig { site: "docs".into(), ..config };
    let expected = format!(
        "site docs: the collection \"{}\" has no record `__path_tree__`; write one with `docsh ingest`",
        config.collection
    );
    assert_eq!(refusal(&config), (expected, 78));
}

#[test]
fn a_tree_that_is_none() {
    let rows = [
        ("{\"a\": {", "it is not a JSON object of pages, plain or base64 of gzip: EOF"),
        ("H4sIAAAAAAAAA6tWSlayUqhWKs==", "it is not a JSON object of pages, plain or base64 of gzip: "),
        ("H4sIAAAAAAAAA6tWSg==", "the gzip inside is broken"),
        (r#"{"../x": {"isPublic": true}}"#, r#"the path "../x" has `.` or `..` in it"#),
        (r#"{"a": {}, "b": {"size": 1}}"#, "no page says who may see it; set `access = \"open\"`"),
    ];
    for (tree, expected) in rows {
        let (message, status) = refusal(&with_tree(tree));
        assert!(message.starts_with("site docs: its path tree cannot be used: "), "{message}");
        assert!(message.contains(expected), "{message}");
        assert_eq!(status, 78);
    }
}

#[test]
fn a_tree_whose_parts_are_missing() {
    let record = ("__path_tree__", "{", json!({ "docsh_layout": 1, "parts": 3, "tree_version": "v" }));
    let (config, _proxy) = filled(&[record]);
    let (message, status) = refusal(&ChromaConfig { site: "docs".into(), ..config });
    let expected = "site docs: the record `__path_tree__` is incomplete: part 1 of 3 is missing; write it again with \
                    `docsh ingest`";
    assert_eq!((message.as_str(), status), (expected, 78));
}

#[test]
fn a_page_with_a_hole_is_an_error_and_prints_nothing() {
    let tree = r#"{"whole": {"isPublic": true}, "hole": {"isPublic": true}, "stranger": {"isPublic": true, "chunks": 1},
                   "none": {"isPublic": true}}"#;
    let (config, _proxy) = filled(&[
        ("__path_tree__", tree, json!({ "kind": "path_tree" })),
        ("whole#0", "whole", chunk("whole", 0)),
        ("hole#0", "SHOWN", chunk("hole", 0)),
        ("hole#2", "SHOWN", chunk("hole", 2)),
        ("stranger#0", "SHOWN", chunk("whole", 0)),
    ]);
    let fs = site(&config).unwrap().session(&Visitor::Anonymous);
    let error = |reason: &str| Err(format!("Input/output error (the page {reason})"));
    assert_eq!(cat(&*fs, "hole"), error("is incomplete: its chunk number 1 is missing"));
    assert_eq!(cat(&*fs, "stranger"), error("has a chunk that belongs to another page"));
    assert_eq!(cat(&*fs, "none"), error("is not in the store"));
    // The stranger claims to be a second chunk number 0 of the page.
    assert_eq!(cat(&*fs, "whole"), error("has two chunks number 0"));
}

#[test]
fn a_changed_page_is_never_served_as_the_old_one() {
    let (config, _proxy) = collection();
    ingest_to(&config, &[("a.md", "text\n")]);
    let reader = site(&config).unwrap();
    // Somebody writes into a chunk behind the tree's back.
    let id = "a.md@b9e68e1b#0";
    let forged = json!({ "page_slug": "a.md", "chunk_index": 0, "isPublic": true });
    let body = json!({ "ids": [id], "documents": ["forged\n"], "metadatas": [forged], "embeddings": [[0.0]] });
    let url = format!("{}/upsert", super::conformance::records(&config));
    assert_eq!(crate::support::service::post(super::SERVER.port, &url, &body), "{}");
    let text = cat(&*reader.session(&Visitor::Anonymous), "a.md");
    assert_eq!(text, Err("Input/output error (the page is not the version that the tree speaks of)".into()));
}

#[test]
fn faults_that_pass_are_not_seen() {
    let (config, proxy) = collection();
    ingest_to(&config, &[("a.md", "text\n")]);
    let busy = "HTTP/1.1 429 Too Many Requests\nretry-after: 0\ncontent-length: 0\n\n";
    for fault in [Fault::HangUp(1), Fault::Answer(2, busy)] {
        proxy.set(fault.clone());
        let fs = site(&config).unwrap().session(&Visitor::Anonymous);
        assert_eq!(cat(&*fs, "a.md"), Ok("text\n".into()), "{fault:?}");
    }
}

#[test]
fn faults_that_stay_are_told() {
    let (config, proxy) = collection();
    ingest_to(&config, &[("a.md", "text\n")]);
    let config = ChromaConfig { site: "docs".into(), ..config };
    let url = proxy.url();
    let rows = [
        (
            "HTTP/1.1 403 Forbidden\ncontent-length: 27\n\n{\"message\":\"no such token\"}",
            format!(
                "the Chroma server at {url} refuses the request (status 403: no such token); check the site's `headers`"
            ),
            78,
        ),
        (
            "HTTP/1.1 500 Oops\ncontent-length: 0\n\n",
            format!("the Chroma server at {url} gives an unexpected answer (status 500)"),
            69,
        ),
        (
            "HTTP/1.1 302 Found\nlocation: http://127.0.0.1:9/\ncontent-length: 0\n\n",
            format!("the Chroma server at {url} gives an unexpected answer (status 302)"),
            69,
        ),
        (
            "HTTP/1.1 200 OK\ncontent-length: 5\n\nhello",
            format!("the Chroma server at {url} gives an unexpected answer (expected value at line 1 column 1)"),
            69,
        ),
    ];
    for (answer, expected, status) in rows {
        proxy.set(Fault::Answer(usize::MAX, answer));
        assert_eq!(refusal(&config), (format!("site docs: {expected}"), status));
    }
    proxy.set(Fault::None);
    let fs = site(&config).unwrap().session(&Visitor::Anonymous);
    proxy.set(Fault::Answer(usize::MAX, "HTTP/1.1 500 Oops\ncontent-length: 0\n\n"));
    assert_eq!(cat(&*fs, "a.md"), Err("Input/output error (the site's store gives no answer)".into()));
}

#[test]
fn a_server_that_never_answers_is_given_up_at_the_deadline() {
    let (config, proxy) = collection();
    ingest_to(&config, &[("a.md", "text\n")]);
    let fs = site(&config).unwrap().session(&Visitor::Anonymous);
    proxy.set(Fault::Silence);
    let cancel = Cancel::new().within(Duration::from_millis(200));
    let read = fs.read_many(vec![path("a.md")], &cancel).next().unwrap().1;
    assert!(matches!(read.unwrap_err().kind, ErrorKind::Stopped(Stop::TimedOut)));
}

#[test]
fn a_collection_that_is_made_anew_is_found_again() {
    let (config, _proxy) = collection();
    ingest_to(&config, &[("a.md", "text\n")]);
    let fs = site(&config).unwrap().session(&Visitor::Anonymous);
    let name = format!("/api/v2/tenants/default_tenant/databases/default_database/collections/{}", config.collection);
    crate::support::service::delete(super::SERVER.port, &name);
    ingest_to(&config, &[("a.md", "text\n")]);
    assert_eq!(cat(&*fs, "a.md"), Ok("text\n".into()));
}

#[test]
fn a_file_that_is_no_site() {
    let dir = tempfile::tempdir().unwrap();
    let open = |name: &str| {
        let file = dir.path().join(name);
        let error =
            Site::embedded("docs", file.as_os_str(), Rules::Required, Options::default()).map(drop).unwrap_err();
        assert_eq!(error.status(), 78);
        error.to_string().replace(dir.path().to_str().unwrap(), "")
    };
    let (nothing, text) = ("none.db", "text.db");
    std::fs::write(dir.path().join(text), "not a database at all, but long enough to look at").unwrap();
    assert_eq!(open(nothing), "site docs: there is no /none.db; make it with `docsh ingest DIR --site docs`");
    assert_eq!(open(text), "site docs: /text.db is not a site that docsh has written");
    assert!(Site::dir(OsStr::new("/no/such")).is_err());
}

#[test]
fn two_versions_of_a_page_do_not_mix() {
    let (config, _proxy) = collection();
    ingest_to(&config, &[("a.md", "old\n")]);
    let old = site(&config).unwrap();
    // What a writer that was killed before its tree leaves behind.
    let new = "a.md@79fbf79b#0";
    add(&config, &[(new, "new\n", chunk("a.md", 0))]);
    assert_eq!(cat(&*old.session(&Visitor::Anonymous), "a.md"), Ok("old\n".into()));
    assert_eq!(cat(&*site(&config).unwrap().session(&Visitor::Anonymous), "a.md"), Ok("old\n".into()));
    // The next ingest repairs the rest.
    let summary = ingest_to(&config, &[("a.md", "old\n")]);
    assert_eq!((summary.unchanged, summary.swept), (1, 1));
}

/// The site, with a cache on the disk, as another process would open it.
fn cached(config: &ChromaConfig, folder: &tempfile::TempDir, ttl: u64, max_stale: u64) -> Result<Site, String> {
    let options = cached_options(folder, ttl, max_stale);
    Site::chroma(config.clone(), options, &Cancel::new()).map_err(|error| error.to_string())
}

fn cached_options(folder: &tempfile::TempDir, ttl: u64, max_stale: u64) -> Options {
    let cache = CacheFolder { folder: folder.path().into(), capacity: 1 << 20 };
    let seconds = Duration::from_secs;
    Options { ttl: seconds(ttl), max_stale: seconds(max_stale), cache: Some(cache), ..Options::default() }
}

#[test]
fn a_warm_process_asks_nobody_within_the_ttl() {
    let (config, proxy) = collection();
    let folder = tempfile::tempdir().unwrap();
    ingest_to(&config, &[("a.md", "text\n"), ("b.md", "---\ngroups: [eng]\n---\nsecret\n")]);
    let read = |page| cat(&*cached(&config, &folder, 60, 60).unwrap().session(&Visitor::Anonymous), page);
    assert_eq!(read("a.md"), Ok("text\n".into()));
    proxy.requests();
    proxy.set(Fault::HangUp(usize::MAX));
    assert_eq!(read("a.md"), Ok("text\n".into()));
    // Cached or not, what the visitor may not see does not exist.
    let eng = cached(&config, &folder, 60, 60).unwrap().session(&Visitor::member(["eng"]));
    assert_eq!(read("b.md"), Err("No such file or directory".into()));
    assert_eq!(proxy.requests(), 0);
    assert_eq!(cat(&*eng, "b.md"), Err("Input/output error (the site's store cannot be reached)".into()));
}

#[test]
fn an_answer_to_a_search_is_believed_as_long_as_its_tree() {
    let (config, proxy) = collection();
    let pages: Vec<(String, String)> = (0..400).map(|n| (format!("p{n}.md"), format!("number {n}.\n"))).collect();
    let mut files: Vec<(&str, &str)> = pages.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    files.push(("plan.md", "---\ngroups: [eng]\n---\nnumber 77.\n"));
    ingest_to(&config, &files);
    let folder = tempfile::tempdir().unwrap();
    let search = |site: &Site, visitor: &Visitor| {
        proxy.requests();
        let answer = answer_of(site.session(visitor), "grep -rl 'number 77[.]' /", &Cancel::new());
        (answer, proxy.requests())
    };
    let open = |ttl| cached(&config, &folder, ttl, 60).unwrap();
    let (one, both) = ("/p77.md\n[stderr]\n[status 0]\n", "/p77.md\n/plan.md\n[stderr]\n[status 0]\n");
    assert_eq!(search(&open(60), &Visitor::Anonymous), (one.into(), 2), "the search, and the page");
    let second = open(60);
    assert_eq!(search(&second, &Visitor::Anonymous), (one.into(), 0), "another process");
    // The store's answer is for everybody, and is cut for each.
    assert_eq!(search(&second, &Visitor::member(["eng"])), (both.into(), 1), "the page");
    // What the store was asked for one visitor is no answer for another, nor for itself.
    let told = Options { acl_in_query: true, ..cached_options(&folder, 60, 60) };
    let told = || Site::chroma(config.clone(), told.clone(), &Cancel::new()).unwrap();
    assert_eq!(search(&told(), &Visitor::Anonymous), (one.into(), 1));
    assert_eq!(search(&told(), &Visitor::Anonymous), (one.into(), 1));
    // With a tree the answers about it go.
    files[3].1 = "number 77. too\n";
    ingest_to(&config, &files);
    let newer = "/p3.md\n/p77.md\n[stderr]\n[status 0]\n";
    assert_eq!(search(&open(0), &Visitor::Anonymous).0, newer);
    assert_eq!(search(&open(0), &Visitor::Anonymous), (newer.into(), 1), "an aged answer is none");
}

#[test]
fn a_search_of_texts_without_hashes_is_asked_each_time() {
    let slugs: Vec<String> = (0..400).map(|n| format!("p{n}.md")).collect();
    let entries = slugs.iter().map(|slug| (slug.clone(), json!({ "isPublic": true, "chunks": 1 })));
    let tree = serde_json::Value::Object(entries.collect()).to_string();
    let (config, _proxy) = filled(&[("__path_tree__", &tree, json!({ "kind": "path_tree" }))]);
    let ids: Vec<String> = slugs.iter().map(|slug| format!("{slug}#0")).collect();
    let text = |at: usize| if at == 7 { "a needle" } else { "nothing" };
    // The last page has no text yet.
    let records: Vec<_> = (0..399).map(|at| (ids[at].as_str(), text(at), chunk(&slugs[at], 0))).collect();
    add(&config, &records);
    let folder = tempfile::tempdir().unwrap();
    let search = || {
        let site = cached(&config, &folder, 60, 60).unwrap();
        answer_of(site.session(&Visitor::Anonymous), "grep -rl 'needle' /", &Cancel::new())
    };
    assert_eq!(search(), "/p7.md\n[stderr]\n[status 0]\n");
    add(&config, &[(&ids[399], "a needle too", chunk(&slugs[399], 0))]);
    assert_eq!(search(), "/p399.md\n/p7.md\n[stderr]\n[status 0]\n");
}

#[test]
fn an_aged_tree_is_asked_for_and_serves_on_while_the_store_is_down() {
    let (config, proxy) = collection();
    let folder = tempfile::tempdir().unwrap();
    ingest_to(&config, &[("a.md", "old\n")]);
    let read = |site: &Site| cat(&*site.session(&Visitor::Anonymous), "a.md");
    assert_eq!(read(&cached(&config, &folder, 0, 60).unwrap()), Ok("old\n".into()));
    proxy.set(Fault::HangUp(usize::MAX));
    let stale = cached(&config, &folder, 0, 60).unwrap();
    let warning = stale.warning.clone().unwrap();
    assert!(warning.contains("cannot be reached") && warning.ends_with("; showing what was read 0 s ago"), "{warning}");
    assert_eq!(read(&stale), Ok("old\n".into()));
    assert!(cached(&config, &folder, 0, 0).is_err_and(|error| error.contains("cannot be reached")));
    proxy.set(Fault::None);
    ingest_to(&config, &[("a.md", "new\n")]);
    assert_eq!(read(&stale), Ok("old\n".into()));
    assert_eq!(stale.freshen(&Cancel::new()).unwrap(), None);
    assert_eq!(read(&stale), Ok("new\n".into()));
    let fresh = cached(&config, &folder, 0, 60).unwrap();
    assert_eq!((read(&fresh), fresh.warning), (Ok("new\n".into()), None));
}

#[test]
fn machines_share_text_through_redis_and_do_without_it() {
    let redis = crate::support::service::redis();
    let (config, proxy) = collection();
    ingest_to(&config, &[("a.md", "text\n"), ("b.md", "other\n")]);
    // Each machine has no disk in common with the others.
    let machine = |url: &str| {
        let options = Options { redis: Some(Secret(url.into())), ..Options::default() };
        Site::chroma(config.clone(), options, &Cancel::new()).unwrap()
    };
    let url = format!("redis://127.0.0.1:{}", redis.port);
    let read = |site: &Site, page| cat(&*site.session(&Visitor::Anonymous), page);
    assert_eq!(read(&machine(&url), "a.md"), Ok("text\n".into()));
    let second = machine(&url);
    proxy.requests();
    assert_eq!((read(&second, "a.md"), proxy.requests()), (Ok("text\n".into()), 0));
    assert_eq!((read(&second, "b.md"), proxy.requests()), (Ok("other\n".into()), 1));
    // Whoever can write to it cannot change a page.
    let key = docsh::store::shelf::ShelfKey::of(
        &docsh::store::Store::identity(&docsh::store::chroma::Chroma::new(config.clone())).unwrap(),
        "",
        "a.md",
        Some(docsh::tree::Hash::of(b"text\n")),
        &second.version(),
    );
    let forged = format!("SET docsh:v1:{} forged\r\nQUIT\r\n", key.id);
    assert!(crate::support::service::talk(redis.port, forged.as_bytes()).unwrap().starts_with("+OK"));
    let third = machine(&url);
    proxy.requests();
    assert_eq!((read(&third, "a.md"), proxy.requests()), (Ok("text\n".into()), 1));
    assert_eq!(third.trouble(), None);
    drop(redis);
    assert_eq!(read(&machine(&url), "a.md"), Ok("text\n".into()));
    let without = machine("redis://127.0.0.1:9");
    assert_eq!(read(&without, "a.md"), Ok("text\n".into()));
    // Whoever runs it is told, once.
    let trouble = "the Redis of [cache] does not answer; its pages are read from the site's store meanwhile";
    assert_eq!((without.trouble(), without.trouble()), (Some(trouble), None));
    assert_eq!((read(&without, "b.md"), without.trouble()), (Ok("other\n".into()), None));
}

#[test]
fn a_check_names_every_page_that_is_not_right() {
    let tree = r#"{"good": {"isPublic": true}, "hole": {"isPublic": true}, "odd": {"isPublic": "yes"},
                   "spec.json": {"groups": ["eng"], "view": "openapi"}, "sized": {"isPublic": true, "size": 3},
                   "far": {"isPublic": true, "lazy": {"url": "s3://nobody/x", "size": 3}}}"#;
    let (config, _proxy) = filled(&[
        ("__path_tree__", tree, json!({ "kind": "path_tree" })),
        ("good#0", "good", chunk("good", 0)),
        ("hole#1", "hole", chunk("hole", 1)),
        ("odd#0", "odd", chunk("odd", 0)),
        ("spec#0", "{ not json", chunk("spec.json", 0)),
        ("sized#0", "four", chunk("sized", 0)),
    ]);
    let mut found = Vec::new();
    let mut each = |path: &str, problem: &str| found.push(format!("{path} {problem}"));
    let report = site(&config).unwrap().check(&mut each, &Cancel::new()).unwrap();
    assert_eq!((report.pages, report.public, report.unhashed, report.problems), (6, 4, 6, 5));
    assert_eq!(
        found,
        [
            "far is at an address that the site does not allow",
            "hole is incomplete: its chunk number 0 is missing",
            "odd can be seen by nobody: its access is wrongly written",
            "sized has 4 bytes where the tree says 3",
            "spec.json is not JSON: key must be a string at line 1 column 3",
        ]
    );
    let acme = Site::bundled().unwrap().check(&mut |path, problem| panic!("{path} {problem}"), &Cancel::new()).unwrap();
    assert_eq!((acme.problems, acme.pages > acme.public), (0, true));
}
