//! What ingest makes of a folder of each kind: `fixtures/sites/KIND` as `fixtures/sites/KIND.json` says. With
//! `UPDATE_EXPECT=1` the expectations are written anew, for somebody to read before they are committed.
use super::Home;
use crate::support::tree::repository;
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs};

/// The tree and the files that were left out, as the expectation holds them.
fn made(kind: &str, args: &[&str]) -> Value {
    let home = Home::new();
    let report = home.ingest_json(&repository(&format!("fixtures/sites/{kind}")), args);
    let site = rusqlite::Connection::open(home.file()).unwrap();
    let tree: Vec<u8> = site.query_row("SELECT body FROM tree", [], |row| row.get(0)).unwrap();
    let mut tree: BTreeMap<String, Value> = serde_json::from_slice(&tree).unwrap();
    for (slug, entry) in &mut tree {
        let entry = entry.as_object_mut().unwrap();
        // What the text decides is checked against the text.
        let text = fs::read(repository(&format!("fixtures/sites/{kind}/{slug}"))).unwrap();
        assert_eq!(entry.remove("size"), Some(text.len().into()), "{slug}");
        assert_eq!(entry.remove("hash").unwrap(), docsh::tree::Hash::of(&text).to_string(), "{slug}");
    }
    json!({ "tree": tree, "skipped": report["skipped"], "warnings": report["warnings"] })
}

fn check(kind: &str, args: &[&str]) {
    let made = made(kind, args);
    let file = repository(&format!("fixtures/sites/{kind}.json"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&file, format!("{made:#}\n")).unwrap();
    }
    let expected: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(made, expected, "{kind}: {made:#}");
}

#[test]
fn mintlify() {
    check("mintlify", &["--access", "private"]);
}

#[test]
fn mkdocs() {
    check("mkdocs", &[]);
}

#[test]
fn docusaurus() {
    check("docusaurus", &[]);
}

#[test]
fn the_folder_of_pages_finds_its_configuration_beside_it() {
    let home = Home::new();
    let report = home.ingest_json(&repository("fixtures/sites/mkdocs/docs"), &[]);
    let skipped = ["attic/old.md", "drafts/idea.md", "guide/next.draft.md"];
    let found: Vec<&str> =
        report["skipped"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert_eq!(found, skipped);
    assert_eq!(home.says("url guide/first.md"), "https://harbour.example/docs/guide/first/\n[0]");
    let report =
        home.ingest_json(&repository("fixtures/sites/docusaurus/docs"), &["--base-url", "https://kite.example/docs"]);
    assert_eq!(report["skipped"].as_array().unwrap().len(), 2);
    assert_eq!(
        home.says("url 02-guides/2-knots.md 01-start/01-intro.md"),
        "https://kite.example/docs/guides/strings\nhttps://kite.example/docs\n[0]"
    );
    assert_eq!(home.says("grep -o 'All about strings' llms.txt"), "All about strings\n[0]");
}

#[test]
fn the_overview_is_in_the_order_of_the_navigation() {
    let rows = [
        (
            "mintlify",
            "Lumen Quickstart Changes Setup Help Contact API Get Create A ようこそ snippets/note.mdx specs/hooks.yaml \
             specs/openapi.json",
        ),
        ("mkdocs", "Home The First Tuning Kept CLI docs/reference/sample.yaml"),
        ("docusaurus", "Introduction All The Start Wind Guides 1.0 About"),
        ("plain", "Notes notes/rain.csv notes/soil.md"),
    ];
    for (kind, expected) in rows {
        let home = Home::new();
        home.ingest_json(&repository(&format!("fixtures/sites/{kind}")), &[]);
        // The first word of each title.
        let told = home.says("sed -n 's/^- .\\([^] ]*\\).*/\\1/p' /llms.txt | paste -sd' '");
        assert_eq!(told, format!("{expected}\n[0]"), "{kind}");
    }
}

#[test]
fn plain() {
    check("plain", &[]);
}
