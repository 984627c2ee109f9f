//! Collections that somebody else's pipeline has filled: ids of any form, joined with line ends, access in the tree
//! only.
use super::{SERVER, cat, collection, everything, path, site};
use crate::support::service::post;
use docsh::{
    site::Visitor,
    store::{
        StoreError,
        chroma::{ChromaConfig, ChromaWriter},
    },
    tree::Rules,
};
use docsh_builtins::{Cancel, Needle, Needles};
use serde_json::{Value, json};

/// A collection that holds these records: id, text, metadata.
pub(super) fn filled(records: &[(&str, &str, Value)]) -> (ChromaConfig, crate::support::proxy::Proxy) {
    let (config, proxy) = collection();
    let collections = "/api/v2/tenants/default_tenant/databases/default_database/collections";
    post(SERVER.port, collections, &json!({ "name": config.collection }));
    add(&config, records);
    (config, proxy)
}

/// Add records to a collection.
pub(super) fn add(config: &ChromaConfig, records: &[(&str, &str, Value)]) {
    let embeddings = vec![[0.0]; records.len()];
    let body = json!({
        "ids": records.iter().map(|record| record.0).collect::<Vec<_>>(),
        "documents": records.iter().map(|record| record.1).collect::<Vec<_>>(),
        "metadatas": records.iter().map(|record| record.2.clone()).collect::<Vec<_>>(),
        "embeddings": embeddings,
    });
    let answer = post(SERVER.port, &format!("{}/add", super::conformance::records(config)), &body);
    assert_eq!(answer, "{}");
}

pub(super) fn chunk(slug: &str, number: impl Into<Value>) -> Value {
    json!({ "page_slug": slug, "chunk_index": number.into() })
}

#[test]
fn ids_of_every_form_are_read() {
    let tree = r#"{"a": {"isPublic": true, "chunks": 2}, "b": {"isPublic": true, "chunks": 2}, "c": {"isPublic": true},
                   "d": {"isPublic": true, "chunks": 1}, "e": {"isPublic": true, "chunks": 0}}"#;
    let (config, _proxy) = filled(&[
        ("__path_tree__", tree, json!({ "kind": "path_tree" })),
        ("a#1", "a two", chunk("a", 1)),
        ("a#0", "a one", chunk("a", 0)),
        ("b::0", "b one", chunk("b", 0)),
        ("b::1", "b two", chunk("b", "1")),
        ("0193-uuid", "c three", chunk("c", 2.0)),
        ("0192-uuid", "c two", chunk("c", 1.0)),
        ("0191-uuid", "c one", chunk("c", 0.0)),
        ("odd", "d", chunk("d", 0)),
    ]);
    let site = site(&config).unwrap();
    let pages = everything(&site, &Visitor::Anonymous);
    let texts: Vec<&str> = pages.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, ["a one\na two", "b one\nb two", "c one\nc two\nc three", "d", ""]);
    let fs = site.session(&Visitor::Anonymous);
    assert_eq!(fs.stat(&path("c")).unwrap().size, None);
    assert_eq!(fs.size(&path("c"), &Cancel::new()).unwrap(), 19);
}

#[test]
fn a_search_tells_nothing_of_the_tree_and_misses_no_text_after_a_nul() {
    let pages: Vec<String> = (0..320).map(|n| format!("p{n:03}")).collect();
    let entries: Vec<String> = pages.iter().map(|page| format!("{page:?}: {{\"isPublic\": true}}")).collect();
    let mut records: Vec<(&str, &str, Value)> =
        pages.iter().map(|page| (page.as_str(), "text", chunk(page, 0))).collect();
    records[7].1 = "before\0after SECRET-WORD";
    records[9].1 = "SECRET-WORD";
    let tree = format!("{{{}}}", entries.join(","));
    records.push(("__path_tree__", &tree, json!({ "note": "SECRET-WORD" })));
    let (config, proxy) = filled(&records);
    let site = site(&config).unwrap();
    let fs = site.session(&Visitor::Anonymous);
    proxy.requests();
    let needles = Needles { any: vec![Needle::Literal("SECRET-WORD".into())] };
    let narrowed = fs.narrow(&[path("/")], &needles, &Cancel::new()).unwrap();
    assert_eq!(narrowed, Some(vec![path("p007"), path("p009")]));
    let needles = Needles { any: vec![Needle::Literal("isPublic".into())] };
    assert_eq!(fs.narrow(&[path("/")], &needles, &Cancel::new()).unwrap(), Some(vec![]));
    assert_eq!(proxy.requests(), 2);
}

#[test]
fn what_a_chunk_says_of_access_counts_too() {
    let tree = r#"{"open": {"isPublic": true}, "eng": {"groups": ["eng"]}}"#;
    let private = json!({ "page_slug": "open", "chunk_index": 0, "isPublic": false });
    let (mut config, _proxy) = filled(&[
        ("__path_tree__", tree, json!({ "kind": "path_tree" })),
        ("open#0", "private after all", private),
        (
            "eng#0",
            "for engineers",
            json!({ "page_slug": "eng", "chunk_index": 0, "isPublic": false, "groups": ["eng"] }),
        ),
    ]);
    let reader = site(&config).unwrap();
    let refused = cat(&*reader.session(&Visitor::Anonymous), "open");
    assert_eq!(refused, Err("Input/output error (the page has a chunk that fewer may see than the tree says)".into()));
    assert_eq!(cat(&*reader.session(&Visitor::member(["eng"])), "eng"), Ok("for engineers".into()));
    config.rules = Rules::Off;
    let open = site(&config).unwrap();
    assert_eq!(cat(&*open.session(&Visitor::Anonymous), "open"), Ok("private after all".into()));
}

#[test]
fn ingest_leaves_other_peoples_collections_alone() {
    let (config, _proxy) = filled(&[("doc-1", "text", json!({ "source": "pipeline" }))]);
    let error = ChromaWriter::open(config.clone(), &Cancel::new()).map(drop).unwrap_err();
    assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    assert_eq!(error.status(), 78);
}

#[test]
fn the_configuration_tells_which_pages_hold_parts_for_some() {
    let spec = "{\"paths\": {\"/a\": {\"get\": {\"x-mint\": {\"groups\": [\"eng\"]}}}}, \"b\": 1}\n";
    let tree = r#"{"api/v2.json": {"isPublic": true}, "api/deep/v1.json": {"isPublic": true}}"#;
    let (mut config, _proxy) = filled(&[
        ("__path_tree__", tree, json!({ "kind": "path_tree" })),
        ("v2#0", spec, chunk("api/v2.json", 0)),
        ("v1#0", spec, chunk("api/deep/v1.json", 0)),
    ]);
    config.views = vec!["api/*.json".into()];
    let site = site(&config).unwrap();
    let fs = site.session(&Visitor::Anonymous);
    assert_eq!(cat(&*fs, "api/v2.json"), Ok("{\"paths\": {}, \"b\": 1}\n".into()));
    assert_eq!(cat(&*fs, "api/deep/v1.json"), Ok(spec.into()), "a star is no slash");
    assert_eq!(cat(&*site.session(&Visitor::member(["eng"])), "api/v2.json"), Ok(spec.into()));
}

#[test]
fn a_check_finds_what_only_the_records_tell() {
    let (config, _proxy) = collection();
    let text = "words of a line\n".repeat(300);
    super::ingest_to(&config, &[("a.md", &text), ("b.md", "b\n")]);
    let problems = || {
        let mut found = Vec::new();
        let mut each = |path: &str, problem: &str| found.push(format!("{path} {problem}"));
        site(&config).unwrap().check(&mut each, &Cancel::new()).unwrap();
        found
    };
    assert_eq!(problems(), [""; 0]);
    add(&config, &[("b.md@0123abcd#0", "older\n", chunk("b.md", 0)), ("x@0123abcd#0", "gone\n", chunk("x", 0))]);
    let stray = "has a chunk that the tree does not name; `docsh ingest` removes what is its own";
    assert_eq!(problems(), [format!("b.md {stray}"), format!("x {stray}")]);

    let tree = r#"{"cut": {"isPublic": true, "chunks": 2}, "whole": {"isPublic": true, "chunks": 2}}"#;
    let (config, _proxy) = filled(&[
        ("__path_tree__", tree, json!({ "joiner": "", "line_aligned": true })),
        ("cut#0", "half a ", chunk("cut", 0)),
        ("cut#1", "line", chunk("cut", 1)),
        ("whole#0", "a line\n", chunk("whole", 0)),
        ("whole#1", "the last", chunk("whole", 1)),
    ]);
    let mut found = Vec::new();
    let mut each = |path: &str, problem: &str| found.push(format!("{path} {problem}"));
    site(&config).unwrap().check(&mut each, &Cancel::new()).unwrap();
    assert_eq!(found, ["cut has a chunk that ends inside a line, which searches may miss"]);

    // Who may see a chunk, as it says itself: as the tree says, nothing, or something else.
    let tree = r#"{"same": {"groups": ["eng"]}, "silent": {"groups": ["eng"]}, "listless": {"groups": ["eng"]},
                   "wider": {"groups": ["eng"]}, "open": {"isPublic": false}, "closed": {"isPublic": true}}"#;
    let with = |slug: &str, more: Value| {
        let mut metadata = chunk(slug, 0);
        metadata.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        metadata
    };
    let (config, _proxy) = filled(&[
        ("__path_tree__", tree, json!({ "kind": "path_tree" })),
        ("same#0", "x", with("same", json!({ "isPublic": false, "groups": ["eng"] }))),
        ("silent#0", "x", chunk("silent", 0)),
        ("listless#0", "x", with("listless", json!({ "isPublic": false }))),
        ("wider#0", "x", with("wider", json!({ "isPublic": false, "groups": ["eng", "ops"] }))),
        ("open#0", "x", with("open", json!({ "isPublic": true }))),
        ("closed#0", "x", with("closed", json!({ "isPublic": false }))),
    ]);
    let mut found = Vec::new();
    let mut each = |path: &str, problem: &str| found.push(format!("{path} {problem}"));
    site(&config).unwrap().check(&mut each, &Cancel::new()).unwrap();
    let otherwise = "has a chunk that says otherwise than the tree who may see it";
    let fewer = "closed has a chunk that fewer may see than the tree says".to_string();
    assert_eq!(found, [fewer, format!("wider {otherwise}"), format!("open {otherwise}")]);
}
