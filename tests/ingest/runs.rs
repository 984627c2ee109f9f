//! One folder ingested again and again, into both stores.
use super::Home;
use crate::support::{
    docsh::Docsh,
    service,
    tree::{copy_of, literal, repository},
};
use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Everything that a visitor can read, with its paths.
const EVERYTHING: &str =
    "find / -type f | sort | while read -r page; do echo \"$page\"; cat \"$page\"; done | sha256sum";

fn numbers(report: &serde_json::Value) -> [u64; 5] {
    ["added", "changed", "removed", "unchanged", "written"].map(|name| report[name].as_u64().unwrap())
}

/// Twice the same, then an edit, then a deletion.
fn again_and_again(home: &Home) {
    let docs = copy_of("fixtures/acme");
    let dry = home.ingest_json(docs.path(), &["--dry-run"]);
    let first = home.ingest_json(docs.path(), &[]);
    let pages = first["pages"].as_u64().unwrap();
    assert!(pages > 80, "{pages}");
    assert_eq!(numbers(&first), [pages, 0, 0, 0, pages]);
    assert_eq!((numbers(&dry), dry["dryRun"].as_bool()), ([pages, 0, 0, 0, 0], Some(true)));
    let before = home.says(EVERYTHING);

    let second = home.ingest_json(docs.path(), &[]);
    assert_eq!(numbers(&second), [0, 0, 0, pages, 0]);
    assert_eq!(home.says(EVERYTHING), before);

    let edited = docs.path().join("auth/oauth.mdx");
    let text = fs::read_to_string(&edited).unwrap() + "One more line.\n";
    fs::write(&edited, &text).unwrap();
    assert_eq!(numbers(&home.ingest_json(docs.path(), &["--dry-run"])), [0, 1, 0, pages - 1, 0]);
    assert_eq!(numbers(&home.ingest_json(docs.path(), &[])), [0, 1, 0, pages - 1, 1]);
    assert_eq!(home.says("tail -1 /auth/oauth.mdx"), "One more line.\n[0]");

    fs::remove_file(docs.path().join("auth/mfa.mdx")).unwrap();
    assert_eq!(numbers(&home.ingest_json(docs.path(), &[])), [0, 0, 1, pages - 1, 0]);
    assert_eq!(home.says("cat /auth/mfa.mdx"), "cat: /auth/mfa.mdx: No such file or directory\n[1]");
}

#[test]
fn a_file_is_written_only_where_the_folder_has_changed() {
    let home = Home::new();
    again_and_again(&home);
    let docs = literal([("a.md", "a\n")]);
    home.ingest(docs.path(), &[]);
    let (before, text) = (fs::metadata(home.file()).unwrap(), fs::read(home.file()).unwrap());
    home.ingest(docs.path(), &[]);
    let after = fs::metadata(home.file()).unwrap();
    assert_eq!((after.ino(), after.mtime_nsec()), (before.ino(), before.mtime_nsec()));
    assert_eq!(fs::read(home.file()).unwrap(), text);
}

#[test]
fn what_is_known_of_a_folder_is_no_reason_to_write_other_pages() {
    let home = Home::caching();
    again_and_again(&home);
    let docs = literal([("a.md", "a\n"), ("b.md", "b\n")]);
    // Files that have just changed are not known yet.
    thread::sleep(Duration::from_millis(120));
    home.ingest(docs.path(), &[]);
    let cache = home.docsh(&["cache", "stats"]).run().text();
    assert!(cache.contains(": 0 pages, 0 trees and 2 ingested folders, "), "{cache}");
    for args in [&[][..], &["--full"]] {
        assert_eq!(numbers(&home.ingest_json(docs.path(), args)), [0, 0, 0, 2, 0], "{args:?}");
    }
    fs::write(docs.path().join("a.md"), "b\n").unwrap();
    assert_eq!(numbers(&home.ingest_json(docs.path(), &[])), [0, 1, 0, 1, 1]);
    assert_eq!(home.says("cat /a.md"), "b\n[0]");
}

#[test]
fn a_collection_is_written_only_where_the_folder_has_changed() {
    let server = service::chroma();
    again_and_again(&Home::on_chroma(server.port));
}

/// Kill the writer at random moments: readers see the old site or the new one, and the next run repairs the rest.
fn killed(home: &Home) {
    let (old, new) = (copy_of("fixtures/acme"), copy_of("fixtures/acme"));
    for name in ["auth/oauth.mdx", "guides/errors.mdx", "index.mdx", "sdks/go.mdx"] {
        let text = fs::read_to_string(new.path().join(name)).unwrap();
        fs::write(new.path().join(name), text.replace("the", "that")).unwrap();
    }
    fs::remove_dir_all(new.path().join("tutorials")).unwrap();
    let seen = |dir: &Path| {
        home.ingest(dir, &[]);
        home.says(EVERYTHING)
    };
    let begun = Instant::now();
    let (after, before) = (seen(new.path()), seen(old.path()));
    assert!(before != after);
    let span = begun.elapsed() / 2;
    let mut random = fastrand::Rng::with_seed(7);
    for round in 0..20 {
        let dir = new.path().display().to_string();
        let mut writer = home.docsh(&["ingest", &dir, "--site", "docs"]).spawn();
        thread::sleep(span.mul_f64(random.f64()));
        let _ = writer.kill();
        writer.wait().unwrap();
        let now = home.says(EVERYTHING);
        assert!(now == before || now == after, "round {round}: {now}");
        assert_eq!(seen(new.path()), after, "round {round}");
        assert_eq!(seen(old.path()), before, "round {round}");
    }
}

#[test]
fn a_killed_writer_leaves_a_whole_file() {
    killed(&Home::new());
}

#[test]
fn a_killed_writer_misleads_nobody_about_the_folder() {
    killed(&Home::caching());
}

#[test]
fn a_killed_writer_leaves_a_whole_collection() {
    let server = service::chroma();
    killed(&Home::on_chroma(server.port));
}

#[test]
fn watching_takes_up_what_changes() {
    let home = Home::new();
    let docs = literal([("a.md", "old\n")]);
    let dir = docs.path().display().to_string();
    let mut watcher = home.docsh(&["ingest", &dir, "--site", "docs", "--watch"]).spawn();
    let until = |line: &str, expected: &str| {
        let deadline = Instant::now() + Duration::from_secs(60);
        while home.says(line) != expected {
            assert!(Instant::now() < deadline, "{line}: {}", home.says(line));
            thread::sleep(Duration::from_millis(50));
        }
    };
    until("cat a.md", "old\n[0]");
    fs::write(docs.path().join("a.md"), "new and longer\n").unwrap();
    until("cat a.md", "new and longer\n[0]");
    fs::write(docs.path().join("b.md"), "b\n").unwrap();
    until("cat b.md", "b\n[0]");
    let ended = Command::new("kill").args(["-TERM", &watcher.id().to_string()]).stderr(Stdio::null()).status().unwrap();
    assert!(ended.success());
    assert_eq!(watcher.wait().unwrap().code(), Some(0));
}

#[test]
fn what_was_done_is_told() {
    let docs = literal([
        ("a.md", "# A\n"),
        ("hidden.md", "---\nhidden: true\n---\n"),
        ("draft.md", "---\ndraft: true\n---\n"),
        ("wrong.md", "---\ngroups: eng\n---\n"),
        ("image.png", "\u{0}\u{1}"),
    ]);
    fs::write(docs.path().join("latin.md"), b"caf\xe9\n").unwrap();
    let home = Home::new();
    let told = home.ingest(docs.path(), &[]).complaints();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], "docsh: latin.md: left out: it is not UTF-8, from byte 3 on");
    assert_eq!(lines[1], "docsh: wrong.md: nobody will see it: `groups` is not a list of names");
    let (start, end) = (lines[2].split(", in ").next().unwrap(), lines[2].split(" s: ").last().unwrap());
    assert_eq!(start, "site docs: 1 page, 1 chunk, 4 bytes");
    assert_eq!(end, "1 added, 0 changed, 0 removed, 0 unchanged");
    assert_eq!(lines[3], "left out: 1 hidden, 1 draft, 2 not text, 1 of unclear access");
    assert_eq!(lines.len(), 4);
    let report = home.ingest_json(docs.path(), &["--include-hidden"]);
    assert_eq!((report["pages"].as_u64(), report["added"].as_u64()), (Some(2), Some(1)));
    assert_eq!(report["skipped"][0], serde_json::json!({ "path": "draft.md", "reason": "draft" }));
}

/// Lines of the corpus of `fixtures/oracle`: some of every group.
fn lines() -> Vec<String> {
    let mut groups: Vec<_> =
        fs::read_dir(repository("fixtures/oracle/corpus")).unwrap().map(|group| group.unwrap().path()).collect();
    groups.sort();
    let text: String = groups.iter().map(|group| fs::read_to_string(group).unwrap()).collect();
    // All of them take a minute.
    let some = text.lines().step_by(4).map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    some.map(|case| case["cmd"].as_str().unwrap().to_string()).collect()
}

#[test]
fn a_folder_taken_as_it_is_answers_as_the_folder_does() {
    let server = service::chroma();
    let (homes, docs) = ([Home::new(), Home::on_chroma(server.port)], copy_of("fixtures/oracle/tree"));
    homes.iter().for_each(|home| drop(home.ingest(docs.path(), &["--all"])));
    let (dir, lines) = (docs.path().display().to_string(), lines());
    assert!(lines.len() > 300, "{}", lines.len());
    let told = |docsh: Docsh| {
        let answer = docsh.run();
        (answer.text(), answer.complaints(), answer.status)
    };
    let (lines, homes) = (&lines, &homes);
    let halves = lines.chunks(lines.len().div_ceil(2));
    thread::scope(|scope| {
        for half in halves {
            let dir = &dir;
            scope.spawn(move || {
                for line in half {
                    let expected = told(homes[0].docsh(&["--dir", dir, "-c", line]));
                    for home in homes {
                        assert_eq!(told(home.docsh(&["--site", "docs", "-c", line])), expected, "{line}");
                    }
                }
            });
        }
    });
}
