//! What parses and what does not, against the bash of this machine: `fixtures/syntax/corpus.txt`, snippet by snippet,
//! and every beginning of a snippet of several lines.
use docsh::syntax::{Completeness, ParseOptions, completeness};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const CORPUS: &str = include_str!("../fixtures/syntax/corpus.txt");
const OPTIONS: ParseOptions<'static> = ParseOptions { extglob: true, aliases: None };

/// The snippets: `#= name` begins a group and its first snippet, `#-` the next one, `#-e` one written with escapes.
pub(crate) fn snippets() -> Vec<String> {
    let mut snippets = Vec::new();
    let mut lines: Vec<&str> = Vec::new();
    let mut escaped = false;
    for line in CORPUS.split('\n').chain(["#="]) {
        if line != "#-" && line != "#-e" && !line.starts_with("#=") {
            lines.push(line);
            continue;
        }
        let mut snippet = lines.join("\n");
        lines.clear();
        if escaped {
            snippet = snippet.replace("\\r", "\r").replace("\\n", "\n").replace("\\t", "\t");
        }
        if !snippet.trim().is_empty() {
            snippets.push(snippet);
        }
        escaped = line == "#-e";
    }
    snippets
}

/// What bash says of a text that it only reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Accepted,
    /// The text ends too early.
    Incomplete,
    Refused,
}

pub(crate) fn bash(text: &str) -> Verdict {
    let output = Command::new("bash").args(["-O", "extglob", "-n", "-c", text]).env("LC_ALL", "C.UTF-8").output();
    let output = output.expect("these tests need bash 5.2");
    let messages = String::from_utf8_lossy(&output.stderr);
    let early = ["unexpected end of file", "unexpected EOF", "token `EOF'", "delimited by end-of-file"];
    if early.iter().any(|message| messages.contains(message)) || ends_in_backslash(text) {
        Verdict::Incomplete
    } else if messages.is_empty() {
        Verdict::Accepted
    } else {
        Verdict::Refused
    }
}

/// bash takes the end of the text for the end of the line; whoever types it goes on.
fn ends_in_backslash(text: &str) -> bool {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1
}

fn docsh(text: &str) -> Verdict {
    match completeness(text, &OPTIONS) {
        Completeness::Complete => Verdict::Accepted,
        Completeness::Incomplete => Verdict::Incomplete,
        Completeness::Wrong(_) => Verdict::Refused,
    }
}

/// The texts on which the two differ.
fn differences(texts: &[String]) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let differ = || {
        let mut found = Vec::new();
        while let Some(text) = texts.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (bash, docsh) = (bash(text), docsh(text));
            if bash != docsh {
                found.push(format!("bash {bash:?}, docsh {docsh:?}: {text:?}"));
            }
        }
        found
    };
    let mut found = thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(differ)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect::<Vec<_>>()
    });
    found.sort();
    found
}

#[test]
fn snippets_parse_where_bash_parses_them() {
    let snippets = snippets();
    assert_eq!(snippets.len(), 793);
    assert_eq!(differences(&snippets), EXPECTED);
}

#[test]
fn beginnings_are_complete_where_bash_runs_them() {
    let mut beginnings = Vec::new();
    for snippet in snippets() {
        let ends = snippet.match_indices('\n').map(|(end, _)| end + 1);
        beginnings.extend(ends.map(|end| snippet[..end].to_owned()));
    }
    assert!(beginnings.len() > 300);
    assert_eq!(differences(&beginnings), [""; 0]);
}

/// Where docsh differs, and means to.
const EXPECTED: [&str; 2] = [
    r#"bash Accepted, docsh Refused: "coproc C { cat; }; echo x >&${C[1]}; read -r l <&${C[0]}; echo $l""#,
    r#"bash Accepted, docsh Refused: "coproc cat; echo ok; kill $COPROC_PID 2>/dev/null""#,
];
