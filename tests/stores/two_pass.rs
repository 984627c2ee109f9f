//! A recursive search that asks the store first finds what one that reads everything finds: over random patterns, flags
//! and scopes, on an index of SQLite, on Chroma with docsh's chunks, and on collections of others, whose chunks may end
//! anywhere.
//!
//! `DOCSH_SEARCHES=20000` runs so many on each store instead of the usual number, and `DOCSH_SEED=7` others than usual.
use super::{answer_of, collection, foreign::filled, ingest, ingest_to};
use bytes::Bytes;
use docsh::{
    site::{Options, SearchFrom, Site, Visitor},
    store::{chroma::ChromaConfig, embedded::EmbeddedWriter},
    tree::Rules,
};
use docsh_builtins::{Cancel, Entry, Fs, FsResult, Meta, Needles, VPath};
use fastrand::Rng;
use serde_json::{Value, json};
use std::{
    io::BufRead,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

/// Words with everything that two expression engines, two cases or two encodings may disagree on.
const WORDS: &[&str] = &[
    "token",
    "Token",
    "TOKENS",
    "oauth",
    "OAuth2",
    "client_id",
    "foo-bar",
    "a.b.c",
    "100%",
    "a\\b",
    "\"quoted\"",
    "x'y",
    "->",
    "{{",
    "[a-z]*",
    "$HOME",
    "^start",
    "(paren)",
    "a|b",
    "++",
    "end.",
    "K",
    "K",
    "ſ",
    "s",
    "straße",
    "STRASSE",
    "İ",
    "ı",
    "i",
    "ΣΑΣ",
    "σας",
    "Ω",
    "ω",
    "Å",
    "å",
    "é",
    "e\u{301}",
    "日本語",
    "認証",
    "🎉",
    "привет",
    "ПРИВЕТ",
    "tab\there",
    "no\u{a0}break",
    "\u{2028}",
    "ǆ",
    "ﬁ",
];

/// Pages of such words: some empty, some without a last line end, some with CRLF, some of many chunks, one with a line
/// too long for a chunk.
fn pages(dice: &mut Rng) -> Vec<(String, String)> {
    let mut pages: Vec<(String, String)> = Vec::new();
    for n in 0..110 {
        let folder = ["", "auth/", "guides/", "guides/deep/er/", "api reference/", "日本/"][dice.usize(..6)];
        let lines = match n % 11 {
            0 => 0,
            10 => 90,
            _ => 1 + dice.usize(..12),
        };
        let end = if n % 13 == 0 { "\r\n" } else { "\n" };
        let mut text: String = (0..lines).map(|_| line(dice) + end).collect();
        if n % 7 == 0 {
            text = text.trim_end().to_string();
        }
        pages.push((format!("{folder}p{n:03}.{}", ["md", "mdx", "txt"][n % 3]), text));
    }
    let long: String = (0..3000).map(|_| line(dice) + " ").collect();
    pages.push(("long.txt".into(), format!("first\n{long}\nlast\n")));
    pages
}

fn line(dice: &mut Rng) -> String {
    let words: Vec<&str> = (0..dice.usize(..9)).map(|_| WORDS[dice.usize(..WORDS.len())]).collect();
    words.join([" ", " ", "", "-", "/"][dice.usize(..5)])
}

/// A piece of an expression; `quote` makes a literal of it.
fn piece(dice: &mut Rng, pages: &[(String, String)], quote: &dyn Fn(&str) -> String) -> String {
    let literal = match dice.bool() {
        true => WORDS[dice.usize(..WORDS.len())].to_string(),
        false => {
            let text = &pages[dice.usize(..pages.len())].1;
            let line = text.lines().nth(dice.usize(..20)).unwrap_or("token");
            let start = dice.usize(..line.chars().count().max(1));
            line.chars().skip(start).take(1 + dice.usize(..14)).collect()
        }
    };
    let literal = match dice.usize(..6) {
        0 => literal.to_uppercase(),
        1 => literal.to_lowercase(),
        _ => literal,
    };
    quote(&literal)
}

/// An expression in the syntax of `dialect`: `F`, `G`, `E` or `P`.
fn pattern(dice: &mut Rng, dialect: char, pages: &[(String, String)]) -> String {
    let special = match dialect {
        'F' => "",
        'G' => "\\.[]*^$",
        _ => "\\.[]*^$+?(){}|",
    };
    let quote = |text: &str| {
        text.chars().map(|c| if special.contains(c) { format!("\\{c}") } else { c.to_string() }).collect::<String>()
    };
    let mut next = || piece(dice, pages, &quote);
    let (one, two) = (next(), next());
    if dialect == 'F' {
        return one;
    }
    let or = if dialect == 'G' { "\\|" } else { "|" };
    let (open, close, many) = if dialect == 'G' { ("\\(", "\\)", "\\+") } else { ("(", ")", "+") };
    match dice.usize(..16) {
        0..4 => one,
        4 => format!("{one}.*{two}"),
        5 => format!("{one}{or}{two}"),
        6 => format!("{open}{one}{or}{two}{close}{}", quote(WORDS[dice.usize(..WORDS.len())])),
        7 => format!("^{one}"),
        8 => format!("{one}$"),
        9 => format!("\\b{one}\\b"),
        10 => format!("[[:alpha:]]{many}{one}"),
        11 => format!("[tTsSkK]{one}"),
        12 => format!("{one}[^a-y]*"),
        13 => format!("{open}{one}{close}*{two}"),
        14 => format!("\\w{many}{one}"),
        _ => format!("{open}.{close}\\1{one}"),
    }
}

/// A command line: a tool, its flags, one pattern or several, a scope.
fn command(dice: &mut Rng, pages: &[(String, String)]) -> String {
    let is_rg = dice.usize(..4) == 0;
    let dialect = if is_rg { ['F', 'E', 'E'][dice.usize(..3)] } else { ['F', 'G', 'E', 'E', 'P'][dice.usize(..5)] };
    let mut words = vec![if is_rg { "rg --sort path".to_string() } else { "grep -r".to_string() }];
    if dialect == 'F' || !is_rg {
        words.push(format!("-{dialect}"));
    }
    let flags: &[&str] = match is_rg {
        true => &["-i", "-i", "-S", "-w", "-x", "-v", "-l", "-c", "-o", "-n", "-U", "--files-without-match", "-m1"],
        false => &["-i", "-i", "-w", "-x", "-v", "-l", "-L", "-c", "-o", "-n", "-h", "-z", "-m1", "-b", "-q", "-A1"],
    };
    for _ in 0..dice.usize(..4) {
        words.push(flags[dice.usize(..flags.len())].to_string());
    }
    if dice.usize(..8) == 0 {
        words.push(if is_rg { "-g '*.md'" } else { "--include='*.md'" }.to_string());
    }
    for _ in 0..[1, 1, 1, 1, 2, 3][dice.usize(..6)] {
        words.push(format!("-e '{}'", pattern(dice, dialect, pages).replace('\'', "'\\''")));
    }
    let scopes =
        ["/", "/", "/", ".", "/guides", "/guides/deep /auth", "'/api reference'", "/long.txt /guides", "/*/*.md"];
    words.push(scopes[dice.usize(..scopes.len())].to_string());
    words.join(" ")
}

/// A site that counts how often a search was narrowed.
struct Watched {
    fs: Arc<dyn Fs>,
    narrowed: Arc<AtomicUsize>,
}

impl Fs for Watched {
    fn stat(&self, path: &VPath) -> FsResult<Meta> {
        self.fs.stat(path)
    }
    fn list(&self, dir: &VPath) -> FsResult<Vec<Entry>> {
        self.fs.list(dir)
    }
    fn open(&self, path: &VPath, from: u64, cancel: &Cancel) -> FsResult<Box<dyn BufRead + Send>> {
        self.fs.open(path, from, cancel)
    }
    fn size(&self, path: &VPath, cancel: &Cancel) -> FsResult<u64> {
        self.fs.size(path, cancel)
    }
    fn read_many(
        &self,
        paths: Vec<VPath>,
        cancel: &Cancel,
    ) -> Box<dyn Iterator<Item = (VPath, FsResult<Bytes>)> + Send> {
        self.fs.read_many(paths, cancel)
    }
    fn narrow(&self, scope: &[VPath], needles: &Needles, cancel: &Cancel) -> FsResult<Option<Vec<VPath>>> {
        let found = self.fs.narrow(scope, needles, cancel)?;
        let is_narrower = found.as_ref().is_some_and(|found| found.len() < scope.len());
        self.narrowed.fetch_add(usize::from(is_narrower), Ordering::Relaxed);
        Ok(found)
    }
}

fn answer(fs: Arc<dyn Fs>, line: &str) -> String {
    answer_of(fs, line, &Cancel::new().within(Duration::from_secs(30)))
}

/// Options under which a search asks the store always, or never. Nothing is kept in memory, where it would be looked at
/// whatever the store says.
fn asking(from: usize) -> Options {
    Options { search_from: SearchFrom { pages: from, bytes: from as u64 }, memory: 0, ..Options::default() }
}

/// Compare the two ways of searching; how many searches were narrowed.
fn compare(name: &str, open: impl Fn(Options) -> Site, pages: &[(String, String)], usual: usize) -> usize {
    let runs = std::env::var("DOCSH_SEARCHES").map_or(usual, |runs| runs.parse().expect("a number"));
    let narrowed = Arc::new(AtomicUsize::new(0));
    let (two_pass, plain) = (open(asking(0)), open(asking(usize::MAX)));
    let seed = std::env::var("DOCSH_SEED").map_or(20, |seed| seed.parse().expect("a number"));
    let mut dice = Rng::with_seed(seed);
    let mut found = 0;
    for _ in 0..runs {
        let line = command(&mut dice, pages);
        let fs = two_pass.session(&Visitor::Anonymous);
        let told = answer(Arc::new(Watched { fs, narrowed: narrowed.clone() }), &line);
        let expected = answer(plain.session(&Visitor::Anonymous), &line);
        assert_eq!(told, expected, "{name}: {line}");
        assert!(!expected.ends_with("[status 70]\n"), "{name}: {line}: it panics");
        found += usize::from(!expected.starts_with("[stderr]"));
    }
    let narrowed = narrowed.load(Ordering::Relaxed);
    println!("{name}: {runs} searches of seed {seed}, {found} with an answer, {narrowed} narrowed");
    assert!(found > runs / 4, "{name}: {found} of {runs} searches find something");
    narrowed
}

fn borrowed(pages: &[(String, String)]) -> Vec<(&str, &str)> {
    pages.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect()
}

#[test]
fn an_index_misses_nothing() {
    let pages = pages(&mut Rng::with_seed(1));
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("site.db");
    ingest(&mut EmbeddedWriter::open("site", &file).index_from(0), &borrowed(&pages)).unwrap();
    let open = |options| Site::embedded("site", file.as_os_str(), Rules::Required, options).unwrap();
    let narrowed = compare("embedded", open, &pages, USUAL);
    assert!(narrowed > USUAL / 10, "{narrowed} of {USUAL} searches are narrowed");
}

#[test]
fn chroma_misses_nothing() {
    let pages = pages(&mut Rng::with_seed(2));
    let (config, _proxy) = collection();
    ingest_to(&config, &borrowed(&pages));
    let open = |options| Site::chroma(config.clone(), options, &Cancel::new()).unwrap();
    let narrowed = compare("Chroma", open, &pages, USUAL);
    assert!(narrowed > USUAL / 4, "{narrowed} of {USUAL} searches are narrowed");
}

#[test]
fn chunks_that_end_anywhere_miss_nothing() {
    let mut dice = Rng::with_seed(3);
    let mut pages = pages(&mut dice);
    pages.push(("nul.txt".into(), "before\0token and OAuth2\n".into()));
    // Cut in the middle of lines, and joined as they are: no chunk can be asked for a line.
    let (config, _proxy) = foreign(&pages, |text| pieces(text, &mut dice));
    let open = |options| site_joined(&config, "", options);
    assert_eq!(compare("Chroma, cut anywhere", open, &pages, USUAL / 2), 0);
    // Cut at line ends, which joining puts back.
    let (config, _proxy) = foreign(&pages, |text| text.split('\n').map(str::to_string).collect());
    let open = |options| site_joined(&config, "\n", options);
    let narrowed = compare("Chroma, cut at lines", open, &pages, USUAL / 2);
    assert!(narrowed > USUAL / 8, "{narrowed} of {} searches are narrowed", USUAL / 2);
}

/// Searches on each store: some 60 s in all.
const USUAL: usize = 600;

fn site_joined(config: &ChromaConfig, joiner: &str, options: Options) -> Site {
    let config = ChromaConfig { joiner: Some(joiner.into()), ..config.clone() };
    Site::chroma(config, options, &Cancel::new()).unwrap()
}

/// A collection of somebody else's, whose pages are cut by `cut`.
fn foreign(
    pages: &[(String, String)],
    mut cut: impl FnMut(&str) -> Vec<String>,
) -> (ChromaConfig, crate::support::proxy::Proxy) {
    let (mut tree, mut records) = (serde_json::Map::new(), Vec::new());
    for (path, text) in pages {
        let chunks = cut(text);
        tree.insert(path.clone(), json!({ "isPublic": true, "chunks": chunks.len() }));
        let record = |(n, text)| (format!("{path}#{n}"), text, json!({ "page_slug": path, "chunk_index": n }));
        records.extend(chunks.into_iter().enumerate().map(record));
    }
    records.push(("__path_tree__".into(), Value::Object(tree).to_string(), json!({ "kind": "path_tree" })));
    let borrowed: Vec<(&str, &str, Value)> =
        records.iter().map(|(id, text, metadata)| (id.as_str(), text.as_str(), metadata.clone())).collect();
    filled(&borrowed)
}

/// `text` in pieces of 1 to 60 characters.
fn pieces(text: &str, dice: &mut Rng) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let (mut pieces, mut at) = (Vec::new(), 0);
    // The longest page would make thousands.
    let longest = if chars.len() > 20_000 { 2000 } else { 60 };
    while at < chars.len() {
        let end = (at + 1 + dice.usize(..longest)).min(chars.len());
        pieces.push(chars[at..end].iter().collect());
        at = end;
    }
    pieces
}
