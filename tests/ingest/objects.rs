//! Large files in S3: uploaded under the name of their version, and deleted when no reader can want them any more.
use super::Home;
use crate::support::{
    service::{S3, s3s_fs},
    tree::literal,
};
use std::{collections::BTreeSet, fs};

#[test]
fn objects_that_no_tree_names_are_deleted_if_docsh_wrote_them() {
    let s3 = s3s_fs();
    s3.put("specs", "docs/deadbeef/mine.json", b"somebody else's");
    let home = Home::with_config(&format!(
        "[sites.docs]\nstore = \"embedded\"\nlazy.buckets = [\"specs\"]\n\
         s3 = {{ endpoint = \"{}\", region = \"us-east-1\" }}\n",
        s3.service.url()
    ));
    let docs = literal([("small.md", "small\n")]);
    let dir = docs.path().display().to_string();
    let run = |args: &[&str]| {
        let docsh = home.docsh(args).env("AWS_ACCESS_KEY_ID", S3::ACCESS_KEY);
        let answer = docsh.env("AWS_SECRET_ACCESS_KEY", S3::SECRET_KEY).env("AWS_EC2_METADATA_DISABLED", "true").run();
        assert_eq!(answer.status, 0, "{}", answer.complaints());
        answer.text()
    };
    // The versions of the large file that are there, and the other's.
    let objects = || -> BTreeSet<String> {
        let folder = fs::read_dir(s3.service.folder.join("data/specs/docs")).unwrap();
        folder
            .map(|entry| entry.unwrap())
            .filter(|entry| fs::read_dir(entry.path()).unwrap().next().is_some())
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect()
    };
    let ingest = |version: usize| {
        fs::write(docs.path().join("big.json"), format!("{{\"version\": {version}}}\n").repeat(100)).unwrap();
        let words = ["ingest", &dir, "--site", "docs", "--s3", "s3://specs/docs", "--lazy-over", "1KiB", "--json"];
        let report: serde_json::Value = serde_json::from_str(&run(&words)).unwrap();
        (
            report["uploaded"].as_u64().unwrap(),
            report["objectsDeleted"].as_u64().unwrap(),
            report["changed"].as_u64().unwrap(),
        )
    };
    assert_eq!(ingest(1), (1, 0, 0));
    let first = objects();
    assert_eq!(first.len(), 2);
    assert_eq!(ingest(1), (1, 0, 0));
    // Readers of the tree before may still want the first version.
    assert_eq!(ingest(2), (1, 0, 1));
    assert!(objects().is_superset(&first) && objects().len() == 3);
    assert_eq!(ingest(3), (1, 1, 1));
    let last = objects();
    assert_eq!((last.len(), last.contains("deadbeef")), (3, true));
    assert_eq!(last.intersection(&first).collect::<Vec<_>>(), ["deadbeef"]);
    assert_eq!(run(&["--site", "docs", "-c", "head -n 1 big.json; cat small.md"]), "{\"version\": 3}\nsmall\n");
}
