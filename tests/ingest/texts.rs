//! A page is its file, byte for byte, whatever is in it.
use super::Home;
use crate::support::service;
use docsh::ingest::{self, Reading};
use std::{fs, path::Path};

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let files: [(&str, Vec<u8>); 8] = [
        ("crlf.md", "# A\r\n\r\nline\r\n".repeat(400).into()),
        ("no-end.md", "one\ntwo".into()),
        ("empty.md", Vec::new()),
        ("long.txt", format!("start\n{}\nend\n", "é".repeat(40_000)).into()),
        ("blank.md", "\n\n \n".into()),
        ("fences.md", "```\n# no heading\n".repeat(500).into()),
        ("wide.md", "認証 🎉 e\u{301} \u{2028}\n".repeat(300).into()),
        ("latin.md", b"caf\xe9\n".to_vec()),
    ];
    for (name, bytes) in files {
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    dir
}

/// 50 MB of lines, no two equal.
fn large() -> String {
    let mut text = String::with_capacity(51 << 20);
    let mut n = 0;
    while text.len() < 50 << 20 {
        text += &format!("line {n}: {}\n", "words ".repeat(n % 40));
        n += 1;
    }
    text
}

/// Every chunk of every page, joined, is the file.
fn check_chunks(dir: &Path) -> usize {
    let folder = ingest::read(dir, Reading::default()).unwrap();
    for source in &folder.sources {
        let page = &source.page;
        let joined: Vec<u8> = page.chunks.iter().flat_map(|range| page.body[range.clone()].iter().copied()).collect();
        assert!(joined == fs::read(dir.join(&page.slug)).unwrap(), "{}", page.slug);
    }
    folder.sources.len()
}

/// Every page of the site is its file.
fn check_site(home: &Home, dir: &Path) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        let answer = home.docsh(&["--site", "docs", "-c", &format!("cat /{name}")]).run();
        if name == "latin.md" {
            assert_eq!(answer.complaints(), "cat: /latin.md: No such file or directory\n");
        } else {
            assert!(answer.stdout == fs::read(&path).unwrap(), "{name}: {}", answer.complaints());
        }
    }
}

#[test]
fn pages_of_a_file_are_their_files() {
    let (dir, home) = (folder(), Home::new());
    fs::write(dir.path().join("large.md"), large()).unwrap();
    assert_eq!(check_chunks(dir.path()), 8);
    let report = home.ingest_json(dir.path(), &[]);
    assert_eq!(report["warnings"][0], "latin.md: left out: it is not UTF-8, from byte 3 on");
    check_site(&home, dir.path());
}

#[test]
fn pages_of_a_collection_are_their_files() {
    let server = service::chroma();
    let (dir, home) = (folder(), Home::on_chroma(server.port));
    fs::write(dir.path().join("large.md"), large()).unwrap();
    let report = home.ingest_json(dir.path(), &[]);
    assert_eq!(report["pages"], 8);
    check_site(&home, dir.path());
}
