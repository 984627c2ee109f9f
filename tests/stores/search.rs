//! The coarse pass of a search against what is really there: over needles taken from the text at random, and others, no
//! page that matches is ever missing.
use super::{collection, ingest, ingest_to, path, site};
use docsh::{
    site::Visitor,
    store::{
        SearchAnswer, Store, TreeAnswer,
        chroma::Chroma,
        embedded::{Embedded, EmbeddedWriter},
    },
    tree::Rules,
};
use docsh_builtins::{Cancel, Needle, Needles};
use fastrand::Rng;
use regex_automata::meta::Regex;
use std::collections::BTreeSet;

/// Pages of words, symbols and wide characters; some long enough for several chunks, some with a line too long for one.
fn pages(dice: &mut Rng) -> Vec<(String, String)> {
    let words = [
        "token",
        "Token",
        "OAuth",
        "é",
        "日本語",
        "foo_bar",
        "100%",
        "a\\b",
        "\"quoted\"",
        "x'y",
        "->",
        "{{",
        "🎉",
        "STRASSE",
        "straße",
        "tab\there",
        "[a-z]*",
        "K",
        "ſ",
        "end.",
    ];
    let mut text = |lines: usize| {
        let mut text = String::new();
        for _ in 0..lines {
            let line: Vec<&str> = (0..1 + dice.usize(..12)).map(|_| words[dice.usize(..words.len())]).collect();
            text += &line.join([" ", "", "-"][dice.usize(..3)]);
            text.push('\n');
        }
        text
    };
    let mut pages: Vec<(String, String)> = (0..80).map(|n| (format!("p{n:02}.md"), text(1 + n * 2))).collect();
    pages.push(("long-line.txt".into(), text(2000).replace('\n', " ")));
    pages
}

/// A needle that may be in the pages, and the expression that says where it really is.
fn needle(dice: &mut Rng, pages: &[(String, String)]) -> (Needle, Regex) {
    let text = &pages[dice.usize(..pages.len())].1;
    let chars: Vec<char> = text.chars().collect();
    let (start, length) = (dice.usize(..chars.len()), 3 + dice.usize(..12));
    let piece: String = chars[start..].iter().take(length).take_while(|&&c| c != '\n').collect();
    let piece = if piece.chars().count() < 3 { "token".to_string() } else { piece };
    let escaped = regex_syntax::escape(&piece);
    let expression = match dice.usize(..5) {
        0 | 1 => return (Needle::Literal(piece), Regex::new(&escaped).unwrap()),
        2 => format!("(?mi){escaped}"),
        3 => format!("(?m)^{escaped}"),
        _ => format!("(?m){escaped}[^\\n]*$"),
    };
    let regex = Regex::new(&expression).unwrap();
    (Needle::Regex(expression), regex)
}

fn check(name: &str, store: &dyn Store, pages: &[(String, String)], dice: &mut Rng) {
    let TreeAnswer::Tree(tree) = store.tree(None, &Cancel::new()).unwrap() else { panic!() };
    let (mut told, mut narrowed) = (0, 0);
    for _ in 0..150 {
        let (any, regexes): (Vec<Needle>, Vec<Regex>) = (0..1 + dice.usize(..3)).map(|_| needle(dice, pages)).unzip();
        let needles = Needles { any };
        let SearchAnswer::Pages(hits) = store.search(&needles, tree.layout(), None, &Cancel::new()).unwrap() else {
            continue;
        };
        let found: BTreeSet<&str> = hits.iter().map(|hit| hit.slug.as_str()).collect();
        for (slug, text) in pages {
            let page = tree.page(slug).unwrap();
            let matches = regexes.iter().any(|regex| regex.is_match(text.as_bytes()));
            // A page with a line over several chunks is a candidate without being asked for.
            assert!(
                !matches || found.contains(slug.as_str()) || !tree.is_line_aligned(page),
                "{name}: {needles:?} misses {slug}"
            );
        }
        told += 1;
        narrowed += usize::from(found.len() < pages.len());
    }
    assert!(told > 20 && narrowed > told / 3, "{name}: of {told} searches {narrowed} narrowed");
}

#[test]
fn no_page_is_missed() {
    let mut dice = Rng::with_seed(7);
    let pages = pages(&mut dice);
    let borrowed: Vec<(&str, &str)> = pages.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let (config, _proxy) = collection();
    ingest_to(&config, &borrowed);
    check("Chroma", &Chroma::new(config), &pages, &mut dice);

    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("site.db");
    ingest(&mut EmbeddedWriter::open("site", &file).index_from(0), &borrowed).unwrap();
    check("embedded", &Embedded::open("site", file.as_os_str(), Rules::Required).unwrap(), &pages, &mut dice);
}

#[test]
fn what_cannot_be_told_is_a_candidate() {
    let many: Vec<(String, String)> = (0..320).map(|n| (format!("p{n:03}.md"), format!("page {n}\n"))).collect();
    let mut files: Vec<(&str, &str)> = many.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let long = format!("{}needle{}", "x".repeat(15_998), "y".repeat(20_000));
    let spec = "{\"x-mint\": {}}";
    files.extend([("long.txt", long.as_str()), ("spec.json", spec)]);
    let (config, proxy) = collection();
    ingest_to(&config, &files);
    let fs = site(&config).unwrap().session(&Visitor::Anonymous);
    let narrow = |any: Vec<Needle>| fs.narrow(&[path("/")], &Needles { any }, &Cancel::new()).unwrap();
    let literal = |text: &str| Needle::Literal(text.to_string());
    // The needle lies on the border of two chunks; the other file differs from visitor to visitor.
    assert_eq!(narrow(vec![literal("needle")]), Some(vec![path("long.txt"), path("spec.json")]));
    assert_eq!(narrow(vec![literal("page 300"), literal("page 17")]).map(|pages| pages.len()), Some(14));
    proxy.requests();
    assert_eq!(narrow(vec![literal("ab")]), None);
    assert_eq!(narrow(vec![literal("a\0bcd")]), None);
    assert_eq!(narrow((0..9).map(|n| literal(&format!("page {n}"))).collect()), None);
    assert_eq!(proxy.requests(), 0);
    // An expression that the server refuses, or a server that fails.
    assert_eq!(narrow(vec![Needle::Regex("(?m)(?=x)".into())]), None);
    proxy.set(super::super::support::proxy::Fault::Answer(1, "HTTP/1.1 500 Oops\ncontent-length: 0\n\n"));
    assert_eq!(narrow(vec![literal("page 300")]), None);
}
