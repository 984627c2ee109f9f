//! A file that was damaged where it lies, at any of its bytes: what is read of it is what was written, or it is told;
//! and the next ingest mends it.
use super::{answer_of, cat, ingest};
use docsh::{
    ingest::Summary,
    site::{Options, SearchFrom, Site, Visitor},
    store::embedded::EmbeddedWriter,
    tree::Rules,
};
use docsh_builtins::{Cancel, Kind, VPath};
use std::{collections::BTreeMap, fs, path::Path};

/// The path of every page, whoever may see it, and its text or what its reader is told.
fn pages(file: &Path) -> Option<BTreeMap<String, Result<String, String>>> {
    let site = Site::embedded("docs", file.as_os_str(), Rules::Required, Options::default()).ok()?;
    let fs = site.session(&Visitor::member(["eng"]));
    let (mut folders, mut pages) = (vec![VPath::root()], BTreeMap::new());
    while let Some(folder) = folders.pop() {
        for entry in fs.list(&folder).unwrap() {
            let child = folder.child(&entry.name);
            match entry.kind {
                Kind::Dir => folders.push(child),
                _ => drop(pages.insert(child.to_string(), cat(&*fs, child.slug()))),
            }
        }
    }
    Some(pages)
}

/// The same bytes with one bit of the byte at this place turned.
fn flip(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    damaged[at] ^= 1 << (at % 8);
    damaged
}

/// What searches answer that ask the index first, in a process that maps the file.
fn searched(file: &Path) -> Option<String> {
    let search_from = SearchFrom { pages: 0, bytes: 0 };
    let options = Options { search_from, is_brief: true, ..Options::default() };
    let site = Site::embedded("docs", file.as_os_str(), Rules::Required, options).ok()?;
    let line = "grep -rl 'line 39' /; grep -rl 'he pla' /; grep -rl 'nowhere' /; grep -rh -e Start -e Welcome /";
    Some(answer_of(site.session(&Visitor::member(["eng"])), line, &Cancel::new()))
}

/// Write a small site with an index into `file`; what that did.
fn write_site(file: &Path) -> Summary {
    let long: String = (0..400).map(|n| format!("line {n} of a long page\n")).collect();
    let files = [
        ("index.md", "# Welcome\n"),
        ("guides/long.md", &long),
        ("guides/start.md", "---\ntitle: Start here\n---\nStart.\n"),
        ("internal/plan.md", "---\ngroups: [eng]\n---\nThe plan.\n"),
    ];
    ingest(&mut EmbeddedWriter::open("docs", file).index_from(0), &files).unwrap()
}

#[test]
fn a_damaged_file_is_told_and_never_misread() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("docs.db");
    let write = || write_site(&file);
    write();
    let (whole, expected) = (fs::read(&file).unwrap(), pages(&file).unwrap());
    assert_eq!((expected.len(), expected.values().filter(|text| text.is_ok()).count()), (4, 4));
    let answer = "/guides/long.md\n/internal/plan.md\ntitle: Start here\nStart.\n# Welcome\n[stderr]\n[status 0]\n";
    assert_eq!(searched(&file).unwrap(), answer);
    let flipped = (0..whole.len()).step_by(37).map(|at| (at, flip(&whole, at)));
    let cut = (0..whole.len()).step_by(997).map(|length| (length, whole[..length].to_vec()));
    let (mut refused, mut told, mut unharmed) = (0, 0, 0);
    for (at, damaged) in flipped.chain(cut) {
        fs::write(&file, &damaged).unwrap();
        let Some(found) = pages(&file) else {
            refused += 1;
            continue;
        };
        assert!(found.keys().eq(expected.keys()), "byte {at}: {:?}", found.keys());
        let is_right = |(path, text): (&String, &Result<String, String>)| text.is_err() || *text == expected[path];
        assert!(found.iter().all(is_right), "byte {at}");
        // All of the answer, or a complaint. Four searches take longer than reading four pages.
        if at.is_multiple_of(4) {
            let search = searched(&file).unwrap();
            assert!(search == answer || search.contains("[stderr]\ngrep: "), "byte {at}: {search}");
        }
        match found.values().any(Result::is_err) {
            true => told += 1,
            false => unharmed += 1,
        }
    }
    assert!(refused > 100 && told > 100 && unharmed > 0, "{refused} refused, {told} told, {unharmed} unharmed");
    // In the middle of the long page: the page is told, and the next ingest writes it again.
    let place = whole.windows(8).position(|bytes| bytes == b"line 200").unwrap();
    let mut damaged = whole;
    damaged[place] = b'L';
    fs::write(&file, &damaged).unwrap();
    let error = "Input/output error (the page is damaged in the store)";
    assert_eq!(pages(&file).unwrap()["/guides/long.md"], Err(error.into()));
    let site = Site::embedded("docs", file.as_os_str(), Rules::Required, Options::default()).unwrap();
    let mut found = Vec::new();
    site.check(&mut |path, problem| found.push(format!("{path} {problem}")), &Cancel::new()).unwrap();
    assert_eq!(found, ["guides/long.md is damaged in the store"]);
    assert_eq!((write().written, pages(&file).unwrap() == expected), (1, true));
    // In what stands behind the database: readers do without, and the next ingest, of the same pages, makes it anew.
    let whole = fs::read(&file).unwrap();
    let at = whole.len() - 20;
    fs::write(&file, flip(&whole, at)).unwrap();
    assert_eq!(pages(&file).unwrap(), expected);
    assert_eq!((write().unchanged, fs::read(&file).unwrap() == whole), (4, true));
}

#[test]
fn a_file_that_is_written_in_place_does_not_change_the_tree_that_is_in_use() {
    let dir = tempfile::tempdir().unwrap();
    let (file, other) = (dir.path().join("docs.db"), dir.path().join("other.db"));
    // So many that the tree is large enough to be mapped.
    let pages: Vec<String> = (0..600).map(|n| format!("folder/page-{n}.md")).collect();
    let files: Vec<(&str, &str)> = pages.iter().map(|path| (path.as_str(), "old\n")).collect();
    ingest(&mut EmbeddedWriter::open("docs", &file).index_from(0), &files).unwrap();
    ingest(&mut EmbeddedWriter::open("docs", &other).index_from(0), &[("a.md", "new\n"), ("b.md", "new\n")]).unwrap();
    let options = Options { search_from: SearchFrom { pages: 0, bytes: 0 }, ..Options::default() };
    let open = || Site::embedded("docs", file.as_os_str(), Rules::Required, options.clone()).unwrap();
    let whole = fs::read(&file).unwrap();
    for content in [fs::read(&other).unwrap(), Vec::new()] {
        fs::write(&file, &whole).unwrap();
        let site = open();
        fs::write(&file, content).unwrap();
        let line = "find / -type f | wc -l; cat /folder/page-7.md; grep -r nowhere /folder | head -1";
        let answer = answer_of(site.session(&Visitor::Anonymous), line, &Cancel::new());
        assert!(answer.starts_with("600\n[stderr]\ncat: /folder/page-7.md: Input/output error"), "{answer}");
        assert!(answer.contains("grep: /folder/page-0.md: Input/output error"), "{answer}");
    }
}

#[test]
fn what_is_no_regular_file_is_not_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("docs.db");
    let made = std::process::Command::new("mkfifo").arg(&file).status().unwrap();
    assert!(made.success());
    let open = || Site::embedded("docs", file.as_os_str(), Rules::Required, Options::default()).map(drop);
    let told = format!("site docs: {} is not a site that docsh has written", file.display());
    assert_eq!(open().unwrap_err().to_string(), told);
    // An ingest puts its file in the place.
    assert_eq!((write_site(&file).written, open().is_ok()), (4, true));
}

#[test]
fn a_damaged_index_is_told_and_made_again() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("docs.db");
    let write = || write_site(&file);
    write();
    let (mut bytes, answer) = (fs::read(&file).unwrap(), searched(&file));
    // The trigram `pla` as the index has it: 21 bits a character.
    let code = (u64::from('p') << 42 | u64::from('l') << 21 | u64::from('a')).to_le_bytes();
    let places: Vec<usize> = (0..bytes.len() - 8).filter(|&at| bytes[at..at + 8] == code).collect();
    assert_eq!(places.len(), 1);
    bytes[places[0]] ^= 1;
    fs::write(&file, &bytes).unwrap();
    assert_eq!(searched(&file), answer, "every page is read instead");
    let problems = || {
        let site = Site::embedded("docs", file.as_os_str(), Rules::Required, Options::default()).unwrap();
        let mut found = Vec::new();
        site.check(&mut |path, problem| found.push(format!("{path}: {problem}")), &Cancel::new()).unwrap();
        found
    };
    let told = ": the index of the site is damaged, so that searches read every page; run `docsh ingest` again";
    assert_eq!(problems(), [told]);
    assert_eq!((write().written, searched(&file) == answer, problems().len()), (4, true, 0));
}
