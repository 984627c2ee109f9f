//! `--tree-only`: a collection that somebody else's pipeline has filled becomes a site.
use super::Home;
use crate::support::service::{self, get, post};
use serde_json::{Value, json};
use std::fs;

const COLLECTIONS: &str = "/api/v2/tenants/default_tenant/databases/default_database/collections";

/// The collection `docs` with these records: id, text, metadata.
fn filled(port: u16, records: &[(&str, &str, Value)]) -> String {
    let created: Value = serde_json::from_str(&post(port, COLLECTIONS, &json!({ "name": "docs" }))).unwrap();
    let collection = format!("{COLLECTIONS}/{}", created["id"].as_str().unwrap());
    let body = json!({
        "ids": records.iter().map(|record| record.0).collect::<Vec<_>>(),
        "documents": records.iter().map(|record| record.1).collect::<Vec<_>>(),
        "metadatas": records.iter().map(|record| &record.2).collect::<Vec<_>>(),
        "embeddings": vec![[0.5, 0.5]; records.len()],
    });
    post(port, &format!("{collection}/add"), &body);
    collection
}

#[test]
fn a_filled_collection_gets_a_tree() {
    let server = service::chroma();
    let collection = filled(
        server.port,
        &[
            ("1", "first", json!({ "doc": "guide/a.md", "n": 0, "name": "A" })),
            ("2", "second", json!({ "doc": "guide/a.md", "n": 1, "name": "A" })),
            ("3", "staff", json!({ "doc": "staff/b.md", "n": 0 })),
            ("4", "eng", json!({ "doc": "guide/c.md", "n": 0, "allow": "eng,ops", "open": false })),
            ("5", "torn", json!({ "doc": "torn.md", "n": 1 })),
            ("6", "stray", json!({ "n": 1 })),
        ],
    );
    let home = Home::with_config(&format!(
        "[sites.docs]\nurl = \"http://127.0.0.1:{}\"\npage_field = \"doc\"\nindex_field = \"n\"\n",
        server.port
    ));
    let rules = home.0.path().join("rules.toml");
    let run = |more: &[&str]| {
        let fields = ["--public-field", "open", "--groups-field", "allow", "--title-field", "name"];
        let answer = home.docsh(&[&["ingest", "--tree-only", "--site", "docs"], &fields[..], more].concat()).run();
        (answer.status, answer.complaints())
    };
    let torn = "docsh: torn.md: left out: it lacks a chunk, or has one twice\n";
    let (status, told) = run(&[]);
    assert_eq!(
        (status, told),
        (
            78,
            format!(
                "{torn}docsh: site docs: nobody says who may see 2 of its pages (guide/a.md, staff/b.md); say so with --access-from FILE or --access\n"
            )
        )
    );
    assert!(get(server.port, &format!("{collection}/count")) == "6", "nothing was written");

    fs::write(&rules, "[[rule]]\npaths = [\"staff/**\"]\npublic = false\n[[rule]]\npaths = [\"**\"]\npublic = true\n")
        .unwrap();
    let with_rules = ["--access-from", rules.to_str().unwrap()];
    assert_eq!(run(&with_rules), (0, format!("{torn}site docs: a tree of 3 pages; 1 records belong to no page\n")));
    let trusted =
        fs::read_to_string(home.config()).unwrap().replacen("[sites.docs]", "[sites.docs]\ntrust_caller = true", 1);
    fs::write(home.config(), trusted).unwrap();
    assert_eq!(home.says("ls -R /guide; cat /guide/a.md"), "/guide:\na.md\nfirst\nsecond[0]");
    assert_eq!(home.says_as("signed-in", "cat /staff/b.md; ls /guide"), "staffa.md\n[0]");
    assert_eq!(home.says_as("groups:ops", "cat /guide/c.md; grep -rl second /guide"), "eng/guide/a.md\n[0]");
    // Again: the tree is docsh's, and may be replaced.
    assert_eq!(run(&with_rules).0, 0);
    assert_eq!(get(server.port, &format!("{collection}/count")), "7");
}

#[test]
fn a_tree_that_docsh_has_not_written_is_left_alone() {
    let server = service::chroma();
    filled(
        server.port,
        &[
            ("__path_tree__", "{}", json!({ "kind": "path_tree" })),
            ("a#0", "a", json!({ "page_slug": "a", "chunk_index": 0 })),
        ],
    );
    let home = Home::on_chroma(server.port);
    let answer = home.docsh(&["ingest", "--tree-only", "--site", "docs", "--access", "public"]).run();
    assert_eq!(
        (answer.status, answer.complaints().as_str()),
        (
            78,
            "docsh: site docs: the collection \"docs\" has a record `__path_tree__` that docsh has not written; delete it to have it made anew\n"
        )
    );
    let answer = home.docsh(&["ingest", "--site", "docs"]).run();
    assert_eq!(answer.status, 64);
}
