//! What a recursive search costs on a large site in Chroma: few pages beyond those that match, few requests.
use super::{answer_of, collection, ingest_to, path, site};
use docsh::{
    site::{Options, Site, Visitor},
    store::chroma::ChromaConfig,
};
use docsh_builtins::Cancel;

const PAGES: usize = 5000;

/// Words that few pages hold: one page in so many, from which one on.
const RARE: &[(&str, usize, usize)] = &[
    ("QuotaExceeded", 311, 7),
    ("retry_budget", 401, 11),
    ("Überlauf", 499, 3),
    ("x-acme-trace", 613, 29),
    ("ERR42", 1201, 5),
    ("認証方式", 907, 1),
    ("a->b()", 997, 2),
];

/// Searches, and the words whose pages match.
const SEARCHES: &[(&str, &[&str])] = &[
    ("grep -r QuotaExceeded /", &["QuotaExceeded"]),
    ("grep -rn retry_budget", &["retry_budget"]),
    ("grep -rl x-acme-trace /", &["x-acme-trace"]),
    ("grep -rc ERR42 /", &["ERR42"]),
    ("grep -rh Überlauf /", &["Überlauf"]),
    ("grep -r 認証方 /", &["認証方式"]),
    ("grep -ri quotaexceeded /", &["QuotaExceeded"]),
    ("grep -rhi ÜBERLAUF /", &["Überlauf"]),
    ("grep -riw err42 .", &["ERR42"]),
    ("grep -rw ERR42 /", &["ERR42"]),
    ("grep -rx 'Here is x-acme-trace' /", &["x-acme-trace"]),
    ("grep -r '^Here is QuotaExceeded' /", &["QuotaExceeded"]),
    ("grep -r 'retry_budget$' /", &["retry_budget"]),
    ("grep -rE 'ERR42|x-acme-trace' /", &["ERR42", "x-acme-trace"]),
    ("grep -rE '(ERR|err)42' /", &["ERR42"]),
    ("grep -rE 'retry_(budget|limit)' /", &["retry_budget"]),
    ("grep -rE 'ERR[0-9]2' /", &["ERR42"]),
    ("grep -r '[Qq]uotaExceeded' /", &["QuotaExceeded"]),
    ("grep -r 'Quota.*ceeded' /", &["QuotaExceeded"]),
    ("grep -re ERR42 -e 認証方式 /", &["ERR42", "認証方式"]),
    ("grep -rF 'a->b()' /", &["a->b()"]),
    ("grep -rF -e 'a->b()' -e ERR42 /", &["a->b()", "ERR42"]),
    ("grep -ro 'x-acme-[a-z]*' /", &["x-acme-trace"]),
    ("grep -rA1 ERR42 /", &["ERR42"]),
    ("grep -r --include='*.md' 'ERR42' /", &["ERR42"]),
    ("rg QuotaExceeded", &["QuotaExceeded"]),
    ("rg -i quotaexceeded /", &["QuotaExceeded"]),
    ("rg -S quotaexceeded", &["QuotaExceeded"]),
    ("rg -w ERR42", &["ERR42"]),
    ("rg -l 'ERR42|Überlauf'", &["ERR42", "Überlauf"]),
    ("rg -F 'a->b()'", &["a->b()"]),
    ("rg -c -e ERR42 -e x-acme-trace", &["ERR42", "x-acme-trace"]),
    ("find / -name '*.md' -exec grep -l ERR42 {} +", &["ERR42"]),
    ("find / -type f | xargs grep -l retry_budget", &["retry_budget"]),
    ("cat $(grep -rl Überlauf /)", &["Überlauf"]),
];

fn pages() -> Vec<(String, String)> {
    let page = |n: usize| {
        let mut text = format!("# Page {n}\n\nTokens, quotas, errors and retries are words of every page.\n");
        for (word, _, _) in RARE.iter().filter(|(_, one_in, first)| n % one_in == *first) {
            text += &format!("Here is {word}\n");
        }
        (format!("d{:02}/p{n:04}.md", n / 100), text)
    };
    (0..PAGES).map(page).collect()
}

fn cold(config: &ChromaConfig) -> Site {
    Site::chroma(config.clone(), Options::default(), &Cancel::new()).unwrap()
}

#[test]
fn a_search_reads_little_beyond_what_matches() {
    let pages = pages();
    let (config, proxy) = collection();
    let borrowed: Vec<(&str, &str)> = pages.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    ingest_to(&config, &borrowed);
    for (line, words) in SEARCHES {
        let matching = pages.iter().filter(|(_, text)| words.iter().any(|word| text.contains(word))).count();
        assert!((1..=20).contains(&matching), "{line}: {matching} pages match");
        let cancel = Cancel::new();
        let answer = answer_of(cold(&config).session(&Visitor::Anonymous), line, &cancel);
        assert!(answer.ends_with("[stderr]\n[status 0]\n") || answer.contains("[status 123]"), "{line}: {answer}");
        for (path, _) in pages.iter().filter(|(_, text)| words.iter().any(|word| text.contains(word))) {
            let is_named = answer.contains(path.as_str()) || line.contains("-rh") || line.starts_with("cat");
            assert!(is_named, "{line}: {path} is missing");
        }
        let read = cancel.usage().take().pages_read as usize;
        assert!(read <= 2 * matching + 10, "{line}: {read} pages are read for {matching} that match");
    }

    // A hundred candidates, none of which can be told from the others beforehand.
    proxy.requests();
    let cold = site(&config).unwrap();
    let search = |line: &str| answer_of(cold.session(&Visitor::Anonymous), line, &Cancel::new());
    assert!(search("grep -rc Tokens /d07").contains("/d07/p0742.md:1\n"));
    let requests = proxy.requests();
    assert!(requests <= 4, "cold, a hundred pages: {requests} requests");
    search("grep -ri TOKENS /d07; cat /d07/p0742.md; rg quotas /d07");
    assert_eq!(proxy.requests(), 0, "warm");
    assert_eq!(cold.session(&Visitor::member(["eng"])).list(&path("/d07")).unwrap().len(), 100);
    assert_eq!(proxy.requests(), 0, "a second session has the tree");
}
