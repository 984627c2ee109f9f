//! `docsh ingest` as a command, and what readers see while it is at work or when it is killed.
use super::{SERVER, collection, conformance::records, everything, ingest, ingest_to, site};
use crate::support::{proxy::Fault, service::post, tree::literal};
use clap::Parser;
use docsh::{
    cli::{
        config::{self, Environment},
        ingest::{Args, run},
    },
    site::{Options, Site, Visitor},
    store::chroma::ChromaWriter,
    tree::Rules,
};
use docsh_builtins::Cancel;
use serde_json::{Value, json};
use std::path::Path;

#[derive(Parser)]
struct Words {
    #[command(flatten)]
    args: Args,
}

/// Run the command with these words, under this configuration.
fn command(config: &Path, words: &[&str]) -> Result<u8, (u8, String)> {
    let args = Words::try_parse_from(["ingest"].iter().chain(words)).unwrap().args;
    let config = config::load(Some(config), Environment::host(true)).unwrap();
    run(&args, &config, &Cancel::new()).map(|status| status.0).map_err(|refusal| (refusal.status, refusal.message))
}

#[test]
fn the_configuration_says_where_a_site_goes() {
    let docs = literal([("a.md", "---\ntitle: A\n---\npublic\n"), ("b.md", "---\npublic: false\n---\nprivate\n")]);
    let dir = docs.path().to_str().unwrap();
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("sites/docs.db");
    let (chroma, _proxy) = collection();
    let config = home.path().join("config.toml");
    let text = format!(
        "[sites.docs]\nfile = {:?}\nbase_url = \"https://docs.example\"\n[sites.remote]\nurl = {:?}\ncollection = {:?}\n",
        file.to_str().unwrap(),
        chroma.url,
        chroma.collection
    );
    std::fs::write(&config, text).unwrap();

    assert_eq!(command(&config, &[dir, "--site", "docs", "--dry-run"]), Ok(0));
    assert!(!file.exists());
    assert_eq!(command(&config, &[dir, "--site", "docs"]), Ok(0));
    let embedded = Site::embedded("docs", file.as_os_str(), Rules::Required, Options::default()).unwrap();
    assert_eq!(command(&config, &[dir, "--site", "remote"]), Ok(0));
    let remote = site(&chroma).unwrap();
    for (visitor, pages) in [(Visitor::Anonymous, 1), (Visitor::member::<String>([]), 2)] {
        assert_eq!(everything(&embedded, &visitor).len(), pages);
        assert_eq!(everything(&remote, &visitor), everything(&embedded, &visitor));
    }
    let about = embedded.session(&Visitor::Anonymous).about(&super::path("a.md")).unwrap();
    assert_eq!((about.title.as_deref(), about.url.as_deref()), (Some("A"), Some("https://docs.example/a")));

    assert_eq!(command(&config, &[dir, "--site", "remote", "--access", "private"]), Ok(0));
    assert_eq!(everything(&site(&chroma).unwrap(), &Visitor::Anonymous).len(), 0);

    let refusal = |words: &[&str]| command(&config, words).unwrap_err();
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(refusal(&[empty.path().to_str().unwrap(), "--site", "docs"]).0, 78);
    assert_eq!(refusal(&["/no/such/folder", "--site", "docs"]).0, 78);
    assert_eq!(refusal(&[dir, "--site", "docs", "--to", "chroma"]).0, 78);
    assert_eq!(refusal(&[dir, "--site", "new", "--to", "chroma"]).0, 64);
}

/// The ids of a collection, sorted.
fn ids(config: &docsh::store::chroma::ChromaConfig) -> Vec<String> {
    let answer = post(SERVER.port, &format!("{}/get", records(config)), &json!({ "include": [] }));
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let mut ids: Vec<String> = answer["ids"].as_array().unwrap().iter().map(|id| id.as_str().unwrap().into()).collect();
    ids.sort();
    ids
}

#[test]
fn whenever_it_is_killed_readers_see_the_old_site_or_the_new_one() {
    let long = "words and more words\n".repeat(300);
    let changed = format!("{long}and a new end\n");
    let private = format!("---\npublic: false\n---\n{long}");
    let old = [("a.md", long.as_str()), ("b.md", "old\n"), ("gone.md", "gone\n"), ("d.json", "{}")];
    let new = [("a.md", changed.as_str()), ("b.md", "old\n"), ("c.md", private.as_str()), ("d.json", "{}")];
    let visitors = [Visitor::Anonymous, Visitor::member::<String>([])];
    let seen = |config: &docsh::store::chroma::ChromaConfig| {
        let direct = docsh::store::chroma::ChromaConfig { url: SERVER.url(), ..config.clone() };
        let site = site(&direct).unwrap();
        visitors.each_ref().map(|visitor| everything(&site, visitor))
    };
    let (clean, _proxy) = collection();
    ingest_to(&clean, &new);
    let (after, clean_ids) = (seen(&clean), ids(&clean));

    let (mut was_old, mut was_new) = (false, false);
    for requests in 0.. {
        let (config, proxy) = collection();
        ingest_to(&config, &old);
        let before = seen(&config);
        proxy.set(Fault::Until(requests));
        let done = ChromaWriter::open(config.clone(), &Cancel::new()).and_then(|mut writer| ingest(&mut writer, &new));
        let now = seen(&config);
        assert!(now == before || now == after, "killed after {requests} requests: {now:?}");
        was_old |= now == before;
        was_new |= now == after && done.is_err();
        proxy.set(Fault::None);
        ingest_to(&config, &new);
        assert_eq!(seen(&config), after, "repaired after {requests} requests");
        assert_eq!(ids(&config), clean_ids, "repaired after {requests} requests");
        if done.is_ok() {
            break;
        }
    }
    assert!(was_old && was_new);
}
