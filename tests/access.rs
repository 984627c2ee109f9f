//! What a visitor may not see does not exist: for every command line and every visitor, the answer on the whole site is
//! the answer on a site from which everything hidden was deleted. One byte of difference is a leak.
//!
//! The whole site is served from a file and from Chroma, to all visitors from one process, so that what one of them has
//! left in a cache is there when the next one asks.
mod completion;
mod lines;
mod site;

use crate::stores::{SERVER, answer_of, new_collection};
use docsh::{
    ingest::{self, Folder},
    site::{Options, SearchFrom, Site, Visitor},
    store::{
        Writer,
        chroma::{ChromaConfig, ChromaWriter},
        embedded::EmbeddedWriter,
    },
    tree::Rules,
};
use docsh_builtins::Cancel;
use site::Standing;
use std::{collections::BTreeSet, path::Path, time::Duration};

/// A file of docsh's own that holds `folder`, asked like a large one: a search goes to its index first.
fn embedded(file: &Path, folder: &Folder) -> Site {
    let mut writer = EmbeddedWriter::open("docs", file).index_from(0);
    write(&mut writer, folder);
    Site::embedded("docs", file.as_os_str(), Rules::Required, searched_first()).unwrap()
}

/// A collection that holds `folder`, asked like a large one.
fn chroma(folder: &Folder, options: Options) -> Site {
    let config = ChromaConfig { site: "docs".into(), ..ChromaConfig::new(&new_collection(), &SERVER.url()) };
    write(&mut ChromaWriter::open(config.clone(), &Cancel::new()).unwrap(), folder);
    Site::chroma(config, options, &Cancel::new()).unwrap()
}

fn write(writer: &mut dyn Writer, folder: &Folder) {
    ingest::write(writer, folder, Some("https://docs.example"), &mut |_, _| {}, &Cancel::new()).unwrap();
}

fn searched_first() -> Options {
    Options { search_from: SearchFrom { pages: 0, bytes: 0 }, ..Options::default() }
}

fn answer(site: &Site, visitor: &Visitor, line: &str) -> String {
    answer_of(site.session(visitor), line, &Cancel::new().within(Duration::from_secs(30)))
}

/// Compare every answer of `site` to every visitor with the expected one.
fn compare(name: &str, site: &Site, lines: &[String], expected: &[Vec<String>]) {
    let mut leaks = Vec::new();
    for (line, expected) in lines.iter().zip(expected) {
        // Who sees everything comes first, and leaves it in the caches.
        for (standing, expected) in Standing::all().iter().zip(expected).rev() {
            let told = answer(site, &standing.visitor(), line);
            if told != *expected {
                leaks.push(format!("{standing:?}: {line}\n--- told\n{told}--- without what is hidden\n{expected}"));
            }
        }
    }
    let count = leaks.len();
    leaks.truncate(5);
    assert!(leaks.is_empty(), "{name}: {count} answers tell of what is hidden:\n{}", leaks.join("\n"));
}

#[test]
fn what_is_hidden_makes_no_difference() {
    let lines = lines::all();
    let distinct: BTreeSet<&String> = lines.iter().collect();
    assert!(lines.len() >= 400 && distinct.len() == lines.len(), "{} lines", lines.len());

    let folder = tempfile::tempdir().unwrap();
    let deleted: Vec<(Visitor, Site)> = Standing::all()
        .iter()
        .enumerate()
        .map(|(n, standing)| {
            let rest = embedded(&folder.path().join(format!("rest-{n}.db")), &site::rest(standing));
            (standing.visitor(), rest)
        })
        .collect();
    let expected: Vec<Vec<String>> =
        lines.iter().map(|line| deleted.iter().map(|(visitor, site)| answer(site, visitor, line)).collect()).collect();

    // A line that tells everybody the same shows nothing.
    let dull = lines.iter().zip(&expected).filter(|(_, told)| told.iter().all(|one| *one == told[0]));
    let dull: Vec<String> = dull.map(|(line, told)| format!("{line}\n{}", told[0])).collect();
    assert!(dull.is_empty(), "{} lines make no difference:\n{}", dull.len(), dull.join("\n"));

    let whole = site::whole();
    compare("a file", &embedded(&folder.path().join("whole.db"), &whole), &lines, &expected);
    compare("Chroma", &chroma(&whole, searched_first()), &lines, &expected);
    // What is in memory is looked at whatever a search says; here nothing is. And the store is told who asks.
    let searches: Vec<String> = lines.iter().filter(|line| line.contains(" -r")).cloned().collect();
    let told = lines.iter().zip(&expected).filter(|(line, _)| line.contains(" -r"));
    let told: Vec<Vec<String>> = told.map(|(_, told)| told.clone()).collect();
    compare(
        "Chroma, forgetful",
        &chroma(&whole, Options { memory: 0, acl_in_query: true, ..searched_first() }),
        &searches,
        &told,
    );
}
