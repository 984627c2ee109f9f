//! One cache on the disk, many processes, some of them killed at any moment: no wrong byte, no failed start, and no
//! more on the disk than was allowed.
use super::{collection, ingest_to};
use crate::support::docsh::Docsh;
use std::{
    collections::HashMap,
    fs,
    os::unix::fs::MetadataExt,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

const CAPACITY: u64 = 256 << 10;
/// Processes at a time that must succeed, and what each of them does.
const READERS: usize = 16;
const LINES: &[&str] = &[
    "cat /a/*.md",
    "grep -rc needle-5 /",
    "cat /b/p1*.md /a/p04.md",
    "grep -rh needle-11 /b",
    "find / -name '*3.md' -exec tail -n 1 {} \\;",
];

fn pages() -> Vec<(String, String)> {
    let text = |n: usize| (0..120).map(move |line| format!("word {line} of page {n}, needle-{}\n", (n * line) % 97));
    (0..120).map(|n| (format!("{}/p{n:02}.md", ["a", "b"][n % 2]), text(n).collect())).collect()
}

/// The bytes of all files below `folder` that are whole. A file may have several names.
fn size(folder: &Path) -> u64 {
    let (mut folders, mut sizes) = (vec![folder.to_path_buf()], HashMap::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let is_new = entry.file_name().to_string_lossy().starts_with("new-");
            match entry.metadata() {
                Ok(meta) if meta.is_dir() => folders.push(entry.path()),
                Ok(meta) if !is_new => drop(sizes.insert(meta.ino(), meta.len())),
                Ok(_) | Err(_) => {}
            }
        }
    }
    sizes.values().sum()
}

#[test]
fn many_processes_share_a_cache_while_some_are_killed() {
    let pages = pages();
    let (config, _proxy) = collection();
    let borrowed: Vec<(&str, &str)> = pages.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    ingest_to(&config, &borrowed);
    let home = tempfile::tempdir().unwrap();
    let (cache, file) = (home.path().join("cache"), home.path().join("config.toml"));
    let text = format!(
        "[sites.docs]\nurl = {:?}\ncollection = {:?}\n[cache]\nfolder = {cache:?}\nsize = {CAPACITY}\n",
        config.url, config.collection
    );
    fs::write(&file, text).unwrap();
    let docsh = |line: &str, more: &[&str]| {
        let file = file.display().to_string();
        let args = [&["--config", file.as_str(), "--site", "docs"], more, &["-c", line]].concat();
        Docsh::new(args).deadline(Duration::from_secs(60))
    };
    let expected: Vec<Vec<u8>> = LINES.iter().map(|line| docsh(line, &["--no-cache"]).run().stdout).collect();
    assert!(expected.iter().all(|text| !text.is_empty()));

    let (is_over, largest) = (AtomicBool::new(false), std::sync::atomic::AtomicU64::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                largest.fetch_max(size(&cache), Ordering::Relaxed);
                thread::sleep(Duration::from_millis(5));
            }
        });
        for seed in 0..3 {
            let is_over = &is_over;
            let docsh = &docsh;
            scope.spawn(move || {
                let mut dice = fastrand::Rng::with_seed(seed);
                while !is_over.load(Ordering::Relaxed) {
                    let line = LINES[dice.usize(..LINES.len())];
                    docsh(line, &[]).deadline(Duration::from_millis(dice.u64(1..120))).run();
                }
            });
        }
        let readers: Vec<_> = (0..READERS)
            .map(|reader| {
                let (docsh, expected) = (&docsh, &expected);
                scope.spawn(move || {
                    for turn in 0..LINES.len() {
                        let at = (reader + turn) % LINES.len();
                        let answer = docsh(LINES[at], &[]).run();
                        let told = (answer.status, answer.complaints(), answer.timed_out);
                        assert_eq!(told, (0, String::new(), false), "{}", LINES[at]);
                        assert!(answer.stdout == expected[at], "{}: {}", LINES[at], answer.text());
                    }
                })
            })
            .collect();
        let ended: Vec<bool> = readers.into_iter().map(|reader| reader.join().is_ok()).collect();
        is_over.store(true, Ordering::Relaxed);
        assert!(ended.iter().all(|is_ok| *is_ok), "a reader has failed");
    });
    let largest = largest.into_inner();
    assert!(largest > CAPACITY / 4 && largest <= CAPACITY, "{largest} bytes of {CAPACITY}");
}
