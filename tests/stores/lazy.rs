//! Large files in S3: read by ranges, checked, and never taken for something else.
use super::{answer_of, cat, foreign::filled, path};
use crate::support::{
    https::Https,
    proxy::{Fault, Proxy},
    service::{S3, s3s_fs, seaweedfs},
};
use docsh::{
    ingest::{self, Reading, Summary},
    site::{Options, Site, Visitor},
    store::{
        chroma::{ChromaConfig, ChromaWriter},
        lazy::{LazyConfig, LazyFiles, S3Config},
        trust_native_certificates,
    },
};
use docsh_builtins::{Cancel, ErrorKind, Fs};
use serde_json::json;
use std::{
    io::Read,
    sync::{Arc, LazyLock, Mutex},
};

/// One server for the whole run.
static STRICT: LazyLock<S3> = LazyLock::new(s3s_fs);
/// Another one, whose bucket `public` needs no credentials.
pub(super) static SEAWEED: LazyLock<S3> = LazyLock::new(seaweedfs);
/// Credentials come from the environment, which is the process's.
static ENVIRONMENT: Mutex<()> = Mutex::new(());

/// A megabyte and a bit, no two lines of it equal.
fn text() -> String {
    (0..40_000).map(|n| format!("line {n} of a large file\n")).collect()
}

/// A site that points to these files: path, pointer.
fn pointing(files: &[(&str, serde_json::Value)]) -> (ChromaConfig, Proxy) {
    let tree: serde_json::Map<String, serde_json::Value> =
        files.iter().map(|(path, lazy)| (path.to_string(), json!({ "isPublic": true, "lazy": lazy }))).collect();
    let tree = serde_json::Value::Object(tree).to_string();
    filled(&[("__path_tree__", &tree, json!({ "kind": "path_tree" }))])
}

/// A session on it that reaches buckets through `endpoint`.
fn open(config: &ChromaConfig, endpoint: &str, anonymous: bool) -> Arc<dyn Fs> {
    let s3 = S3Config { endpoint: Some(endpoint.into()), region: Some("us-east-1".into()), anonymous };
    let lazy = LazyConfig { buckets: vec!["specs".into(), "public".into()], https_hosts: vec![], s3 };
    let options = Options { lazy, lazy_search: 2 << 20, ..Options::default() };
    Site::chroma(config.clone(), options, &Cancel::new()).unwrap().session(&Visitor::Anonymous)
}

/// Do this with the credentials that the servers know, or others.
fn with_credentials<T>(secret: &str, work: impl FnOnce() -> T) -> T {
    let _alone = ENVIRONMENT.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let variables = [
        ("AWS_ACCESS_KEY_ID", S3::ACCESS_KEY),
        ("AWS_SECRET_ACCESS_KEY", secret),
        ("AWS_EC2_METADATA_DISABLED", "true"),
    ];
    for (name, value) in variables {
        set(name, value);
    }
    work()
}

#[allow(unsafe_code, reason = "the lock above keeps other tests from looking at these variables meanwhile")]
fn set(name: &str, value: &str) {
    unsafe { std::env::set_var(name, value) };
}

#[test]
fn a_large_file_is_read_by_ranges() {
    let text = text();
    STRICT.put("specs", "deep/v2 é+.json", text.as_bytes());
    let pointer = json!({ "url": "s3://specs/deep/v2 é+.json", "size": text.len() });
    let (config, _proxy) =
        pointing(&[("big.json", pointer), ("unsized.json", json!({ "url": "s3://specs/deep/v2 é+.json" }))]);
    with_credentials(S3::SECRET_KEY, || {
        let proxy = Proxy::to(STRICT.service.port);
        let fs = open(&config, &proxy.url(), false);
        assert_eq!(fs.stat(&path("big.json")).unwrap().size, Some(text.len() as u64));
        let mut reader = fs.open(&path("big.json"), 0, &Cancel::new()).unwrap();
        assert_eq!(proxy.requests(), 0, "listed, and opened, without asking");
        let mut start = vec![0; 1000];
        reader.read_exact(&mut start).unwrap();
        assert_eq!((start.as_slice(), proxy.requests()), (&text.as_bytes()[..1000], 1), "a block for its beginning");
        let mut end = String::new();
        fs.open(&path("big.json"), text.len() as u64 - 100, &Cancel::new()).unwrap().read_to_string(&mut end).unwrap();
        assert_eq!((end.as_str(), proxy.requests()), (&text[text.len() - 100..], 1), "a block for its end");
        assert_eq!(cat(&*fs, "big.json").unwrap(), text);
        assert!(proxy.requests() < 8, "blocks that double");
        assert_eq!(fs.size(&path("unsized.json"), &Cancel::new()).unwrap(), text.len() as u64);
        assert_eq!(cat(&*fs, "unsized.json").unwrap(), text);
        let read = fs.read_many(vec![path("big.json")], &Cancel::new()).next().unwrap().1.unwrap();
        assert!(read == text.as_bytes());
    });
}

/// JSON of so many lines, each of them a kilobyte.
fn json_of(lines: usize) -> String {
    let line = |n: usize| format!("\"k{n:06}\": \"{}\"", "x".repeat(984));
    let lines: Vec<String> = (0..lines).map(line).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// What a command line fetches of a file in S3 is what it needs, and at most two blocks.
fn fetches_what_it_needs(s3: &S3, anonymous: bool) {
    const BLOCKS: usize = 2 * (64 << 10);
    let huge = json_of(100_000);
    s3.put("public", "huge.json", huge.as_bytes());
    let pointer = json!({ "url": "s3://public/huge.json", "size": huge.len() });
    let (config, _proxy) = pointing(&[("huge.json", pointer)]);
    let proxy = Proxy::to(s3.service.port);
    let fs = open(&config, &proxy.url(), anonymous);
    let rows = [
        ("head -c 1000 /huge.json", 1000, huge[..1000].to_string()),
        ("tail -c 1000 /huge.json", 1000, huge[huge.len() - 1000..].to_string()),
        ("cat /huge.json | head -3", 3000, huge.lines().take(3).map(|line| format!("{line}\n")).collect()),
        ("jq 'keys | length' /huge.json", huge.len(), "100000\n".to_string()),
        ("grep -c '^\"k' /huge.json", huge.len(), "100000\n".to_string()),
    ];
    for (line, needed, expected) in rows {
        proxy.bytes();
        let told = answer_of(fs.clone(), line, &Cancel::new());
        let fetched = proxy.bytes();
        assert_eq!(told, format!("{expected}[stderr]\n[status 0]\n"), "{line}");
        assert!(fetched >= needed && fetched <= needed + BLOCKS, "{line}: {fetched} bytes for {needed}");
    }
}

#[test]
fn a_hundred_megabytes_are_fetched_as_needed() {
    with_credentials(S3::SECRET_KEY, || fetches_what_it_needs(&STRICT, false));
    fetches_what_it_needs(&SEAWEED, true);
}

#[test]
fn a_file_that_was_read_whole_is_not_fetched_again() {
    let text = text();
    SEAWEED.put("public", "whole.txt", text.as_bytes());
    let (config, _proxy) = pointing(&[("whole.txt", json!({ "url": "s3://public/whole.txt", "size": text.len() }))]);
    let proxy = Proxy::to(SEAWEED.service.port);
    let fs = open(&config, &proxy.url(), true);
    assert!(answer_of(fs.clone(), "grep -rc 'line 7' /", &Cancel::new()).starts_with("/whole.txt:"));
    assert!(proxy.requests() > 0);
    let told = answer_of(fs.clone(), "grep -rl 'line 8' /; tail -n 1 /whole.txt", &Cancel::new());
    assert_eq!(told, "/whole.txt\nline 39999 of a large file\n[stderr]\n[status 0]\n");
    assert_eq!(proxy.requests(), 0);
}

#[test]
fn an_https_address_is_read_like_a_bucket() {
    let text = text();
    let server = Https::serving(&[("/file.txt", &text), ("/short.txt", "twelve bytes")]);
    let at = |path: &str, size: usize, etag: &str| {
        let url = format!("https://localhost:{}{path}", server.port);
        json!({ "url": url, "size": size, "etag": etag })
    };
    let (config, _proxy) = pointing(&[
        ("file.txt", at("/file.txt", text.len(), "v1")),
        ("old.txt", at("/short.txt", 12, "v0")),
        ("longer.txt", at("/short.txt", 5, "v1")),
        ("moved.txt", at("/moved", 12, "v1")),
        ("gone.txt", at("/gone", 12, "v1")),
    ]);
    let open = |hosts: &[&str]| {
        let https_hosts = hosts.iter().map(|host| host.to_string()).collect();
        let lazy = LazyConfig { https_hosts, ..LazyConfig::default() };
        let options = Options { lazy, ..Options::default() };
        Site::chroma(config.clone(), options, &Cancel::new()).unwrap().session(&Visitor::Anonymous)
    };
    let told = |fs: &Arc<dyn Fs>, line: &str| answer_of(fs.clone(), line, &Cancel::new());
    // It stays: from now on the whole process trusts it, and nothing else.
    let certificate = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("https-certificate.pem");
    std::fs::write(&certificate, &server.certificate).unwrap();
    with_credentials(S3::SECRET_KEY, || {
        let error = |reason: &str| Err(format!("Input/output error (the file {reason})"));
        let broken = "cannot be fetched (no connection, or one that broke)";
        assert_eq!(cat(&*open(&["localhost", "127.0.0.1"]), "file.txt"), error(broken), "nobody trusts it yet");
        set("SSL_CERT_FILE", certificate.to_str().unwrap());
        trust_native_certificates();
        // The name is allowed, the private address that it has is not.
        assert_eq!(cat(&*open(&["localhost"]), "file.txt"), error(broken));
        let fs = open(&["localhost", "127.0.0.1"]);
        assert_eq!(server.heads(), [""; 0], "nothing has been asked so far");
        assert_eq!(told(&fs, "head -n 1 /file.txt"), "line 0 of a large file\n[stderr]\n[status 0]\n");
        assert_eq!(told(&fs, "tail -n 1 /file.txt"), "line 39999 of a large file\n[stderr]\n[status 0]\n");
        assert_eq!(cat(&*fs, "file.txt").unwrap(), text);
        let heads = server.heads();
        let names = heads.iter().flat_map(|head| head.lines().skip(1).filter_map(|line| line.split(':').next()));
        let known = ["host", "accept", "range", "if-match", ""];
        let strangers: Vec<&str> = names.filter(|name| !known.contains(name)).collect();
        assert!(heads.len() > 3 && strangers.is_empty(), "{strangers:?}");
        assert_eq!(cat(&*fs, "old.txt"), error("has changed since the site was written"));
        assert_eq!(cat(&*fs, "longer.txt"), error("has another size than the site says"));
        assert_eq!(cat(&*fs, "moved.txt"), error("has moved; redirects are not followed"));
        assert_eq!(cat(&*fs, "gone.txt"), error("is not where the site says"));
    });
}

#[test]
fn what_is_not_the_file_is_an_error() {
    STRICT.put("specs", "short.txt", b"twelve bytes");
    let at = |key: &str, size: u64| json!({ "url": format!("s3://specs/{key}"), "size": size });
    let (config, _proxy) = pointing(&[
        ("gone", at("nothing", 5)),
        ("shorter", at("short.txt", 99)),
        ("longer", at("short.txt", 5)),
        ("elsewhere", json!({ "url": "s3://secrets/short.txt", "size": 12 })),
        ("web", json!({ "url": "https://docs.example/x", "size": 12 })),
        ("huge", at("short.txt", 3 << 20)),
    ]);
    with_credentials(S3::SECRET_KEY, || {
        let proxy = Proxy::to(STRICT.service.port);
        let fs = open(&config, &proxy.url(), false);
        let error = |reason: &str| Err(format!("Input/output error (the file {reason})"));
        assert_eq!(cat(&*fs, "gone"), error("is not where the site says"));
        assert_eq!(cat(&*fs, "shorter"), error("has another size than the site says"));
        assert_eq!(cat(&*fs, "longer"), error("has another size than the site says"));
        for page in ["elsewhere", "web"] {
            assert_eq!(cat(&*fs, page), error("is at an address that the site does not allow"));
        }
        let skipped = fs.read_many(vec![path("huge")], &Cancel::new()).next().unwrap().1.unwrap_err();
        let expected = "the file of 3145728 bytes is larger than the 2097152 that are read unasked; name it to read it";
        assert!(matches!(&skipped.kind, ErrorKind::Io(reason) if **reason == *expected), "{skipped}");
        let asked = "HTTP/1.1 302 Found\nlocation: http://127.0.0.1:9/\ncontent-length: 0\n\n";
        proxy.set(Fault::Answer(1, asked));
        assert_eq!(cat(&*fs, "longer"), error("has moved; redirects are not followed"));
        // All of the file in answer to a request for its end is not its end.
        proxy.set(Fault::Answer(1, "HTTP/1.1 200 OK\ncontent-length: 5\n\nhello"));
        let mut end = String::new();
        let result = fs.open(&path("longer"), 2, &Cancel::new()).unwrap().read_to_string(&mut end);
        assert!(result.unwrap_err().to_string().contains("cannot be fetched in parts"));
        assert_eq!(end, "");
        // A body that ends too early is asked for again, and then an error.
        proxy.set(Fault::Answer(
            4,
            "HTTP/1.1 206 Partial Content\ncontent-range: bytes 0-4/5\ncontent-length: 3\n\nhel",
        ));
        assert_eq!(cat(&*fs, "longer"), error("was cut off on its way"));
    });
    with_credentials("a wrong secret", || {
        let fs = open(&config, &STRICT.service.url(), false);
        let denied = cat(&*fs, "gone").unwrap_err();
        assert_eq!(denied, "Input/output error (the file may not be fetched (access is denied))");
    });
}

#[test]
fn a_public_bucket_needs_no_credentials_and_a_changed_file_is_told() {
    let s3 = &*SEAWEED;
    s3.put("public", "v1.txt", b"first\n");
    s3.put("private", "v1.txt", b"secret\n");
    let (config, _proxy) = pointing(&[
        ("v1.txt", json!({ "url": "s3://public/v1.txt", "size": 6 })),
        ("old.txt", json!({ "url": "s3://public/v1.txt", "size": 6, "etag": "00000000000000000000000000000000" })),
    ]);
    let fs = open(&config, &s3.service.url(), true);
    assert_eq!(cat(&*fs, "v1.txt"), Ok("first\n".into()));
    assert_eq!(
        cat(&*fs, "old.txt"),
        Err("Input/output error (the file has changed since the site was written)".into())
    );
}

#[test]
fn ingest_uploads_large_files_and_points_to_them() {
    let large = text();
    let docs = crate::support::tree::literal([("small.md", "small\n"), ("specs/big é.json", large.as_str())]);
    STRICT.put("specs", "ready", b"");
    let (config, _proxy) = super::collection();
    with_credentials(S3::SECRET_KEY, || {
        let s3 = S3Config { endpoint: Some(STRICT.service.url()), region: Some("us-east-1".into()), anonymous: false };
        let files = LazyFiles::new(LazyConfig { buckets: vec!["specs".into()], https_hosts: vec![], s3 });
        let write = || {
            let mut folder = ingest::read(docs.path(), Reading::default()).unwrap();
            let uploaded = ingest::upload(&files, "docs", &mut folder, 1 << 20, "s3://specs/docs/", &Cancel::new());
            assert_eq!(uploaded.map_err(|(slug, error)| format!("{slug}: {error}")), Ok(1));
            let mut writer = ChromaWriter::open(config.clone(), &Cancel::new()).unwrap();
            ingest::write(&mut writer, &folder, None, &mut |_, _| {}, &Cancel::new()).unwrap()
        };
        assert_eq!(write(), Summary { added: 2, written: 1, ..Summary::default() });
        assert_eq!(write(), Summary { unchanged: 2, ..Summary::default() });
        let fs = open(&config, &STRICT.service.url(), false);
        assert_eq!(fs.stat(&path("specs/big é.json")).unwrap().size, Some(large.len() as u64));
        assert_eq!(cat(&*fs, "specs/big é.json").unwrap(), large);
        assert_eq!(cat(&*fs, "small.md").unwrap(), "small\n");
        let mut folder = ingest::read(docs.path(), Reading::default()).unwrap();
        let refused =
            ingest::upload(&files, "docs", &mut folder, 1 << 20, "s3://elsewhere/x", &Cancel::new()).unwrap_err();
        assert_eq!(refused.0, "specs/big é.json");
    });
}
