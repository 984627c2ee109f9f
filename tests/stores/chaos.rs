//! Misfortune of every kind, thrown by dice: whatever the network and the servers do, no answer with status 0 is a
//! wrong one, nothing that is not text of the site is shown as if it were, nothing panics, and the time limit holds.
//!
//! `DOCSH_MISFORTUNES=200` runs so many instead of the usual number, and `DOCSH_SEED=7000` begins with that seed.
use super::{answer_of, collection, lazy::SEAWEED};
use crate::support::{
    proxy::{Fault, Misfortune, Proxy},
    tree::literal,
};
use docsh::{
    ingest::{self, Reading},
    site::{CacheFolder, Options, Site, Visitor},
    store::{
        chroma::{ChromaConfig, ChromaWriter},
        lazy::{LazyConfig, S3Config},
    },
    tree::Lazy,
};
use docsh_builtins::Cancel;
use fastrand::Rng;
use std::{
    collections::{BTreeSet, HashMap},
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

const USUAL: u64 = 120;
const LIMIT: Duration = Duration::from_secs(3);
/// How late a busy machine may notice that the limit is reached.
const GRACE: Duration = Duration::from_secs(10);

/// Command lines, and whether each line of their answer is one of the answer without misfortune, however much is
/// missing.
const LINES: &[(&str, bool)] = &[
    ("cat /a/p00.md", true),
    ("cat /a/*.md", true),
    ("set -o pipefail; cat /b/p1*.md | grep word", true),
    ("set -o pipefail; cat /a/*.md | sort -u", true),
    ("grep -r needle-7 /", true),
    ("grep -ril NEEDLE-1 /", true),
    ("grep -rc needle-3 /a", false),
    ("rg needle-2", true),
    ("find / -name '*.md' -exec grep -h needle-9 {} +", true),
    ("wc -c /b/*.md", false),
    ("ls -lR /", true),
    ("tail -n 2 /a/p07.md /large.txt", true),
    ("head -c 100 /large.txt", true),
    ("cat /large.txt", true),
    ("sed -n 3p /b/p11.md; cat /a/p05.md", true),
];

/// A site whose large file is in S3.
fn written() -> (ChromaConfig, HashMap<&'static str, String>) {
    let pages: Vec<(String, String)> = (0..60)
        .map(|n| {
            let lines =
                |n: usize| (0..40).map(move |line| format!("word {line} of page {n}, needle-{}\n", (n + line) % 97));
            (format!("{}/p{n:02}.md", ["a", "b"][n % 2]), lines(n).collect())
        })
        .collect();
    let large: String = (0..9000).map(|n| format!("line {n} of a large file\n")).collect();
    SEAWEED.put("public", "large.txt", large.as_bytes());
    let files = pages.iter().map(|(path, text)| (path.as_str(), text.as_str())).chain([("large.txt", large.as_str())]);
    let dir = literal(files);
    let mut folder = ingest::read(dir.path(), Reading::default()).unwrap();
    let source = folder.sources.iter_mut().find(|source| source.page.slug == "large.txt").unwrap();
    source.lazy = Some(Lazy { url: "s3://public/large.txt".into(), etag: None });
    let (config, _proxy) = collection();
    let mut writer = ChromaWriter::open(config.clone(), &Cancel::new()).unwrap();
    ingest::write(&mut writer, &folder, None, &mut |_, _| {}, &Cancel::new()).unwrap();
    let site = Site::chroma(config.clone(), options(&SEAWEED.service.url()), &Cancel::new()).unwrap();
    let answer = |line| answer_of(site.session(&Visitor::Anonymous), line, &Cancel::new());
    (config, LINES.iter().map(|&(line, _)| (line, answer(line))).collect())
}

fn options(s3: &str) -> Options {
    let s3 = S3Config { endpoint: Some(s3.into()), region: Some("us-east-1".into()), anonymous: true };
    let lazy = LazyConfig { buckets: vec!["public".into()], https_hosts: vec![], s3 };
    // Every search asks first: there are few pages.
    let search_from = docsh::site::SearchFrom { pages: 0, bytes: 0 };
    Options { lazy, search_from, ttl: Duration::ZERO, ..Options::default() }
}

/// What is wrong with the answer to a line under the misfortunes of this seed.
fn suffer(
    seed: u64,
    config: &ChromaConfig,
    expected: &HashMap<&str, String>,
    cache: &std::path::Path,
) -> Option<String> {
    let mut dice = Rng::with_seed(seed);
    let (line, is_text) = LINES[dice.usize(..LINES.len())];
    let percent = [3, 15, 40, 90][dice.usize(..4)];
    let (chroma, s3) = (Proxy::to(super::SERVER.port), Proxy::to(SEAWEED.service.port));
    // A file in S3 has no hash: a byte that changes on its way is TLS's to notice.
    let fault = |seed, flips| Fault::Chance(Misfortune { dice: Rng::with_seed(seed), percent, flips });
    chroma.set(fault(seed, true));
    s3.set(fault(seed + 1, false));
    let config = ChromaConfig { url: chroma.url(), ..config.clone() };
    let folder = CacheFolder { folder: cache.into(), capacity: 1 << 20 };
    let options = Options { cache: dice.bool().then_some(folder), ..options(&s3.url()) };
    let started = Instant::now();
    let cancel = Cancel::new().within(LIMIT);
    let answer = match Site::chroma(config, options, &cancel) {
        Ok(site) => answer_of(site.session(&Visitor::Anonymous), line, &cancel),
        Err(error) => format!("[stderr]\ndocsh: {error}\n[status {}]\n", error.status()),
    };
    let (took, expected) = (started.elapsed(), &expected[line]);
    let (stdout, rest) = answer.rsplit_once("[stderr]\n")?;
    let known: BTreeSet<&str> = expected.lines().collect();
    let is_known = |line: &&str| known.contains(line) || known.iter().any(|known| known.starts_with(line));
    let stranger = stdout.lines().find(|line| is_text && !is_known(line));
    let wrong = match () {
        () if took > LIMIT + GRACE => "it hangs".to_string(),
        () if rest.contains("[status 70]") || rest.contains("panicked") => "it panics".to_string(),
        () if rest.ends_with("[status 0]\n") && answer != *expected => {
            "it is wrong, and says that all is well".to_string()
        }
        () if rest.starts_with("[status") && !["[status 0]\n", "[status 1]\n", "[status 124]\n"].contains(&rest) => {
            "it fails without a word".to_string()
        }
        () => format!("it shows a line that is none: {:?}", stranger?),
    };
    Some(format!(
        "seed {seed}, {percent} %, {took:?}: {line}: {wrong}\n{}",
        answer.chars().take(2000).collect::<String>()
    ))
}

#[test]
fn nothing_goes_wrong_silently() {
    let number = |name, usual| std::env::var(name).map_or(usual, |number| number.parse().expect("a number"));
    let (runs, first) = (number("DOCSH_MISFORTUNES", USUAL), number("DOCSH_SEED", 0));
    let (config, expected) = written();
    let cache = tempfile::tempdir().unwrap();
    let (next, wrong) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= runs {
                        break;
                    }
                    let found = suffer(first + seed, &config, &expected, cache.path());
                    wrong.lock().unwrap().extend(found);
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} of {runs}:\n{}", wrong.len(), wrong.join("\n"));
}
