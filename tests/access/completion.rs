//! What the prompt would complete: at every place of a line that is being typed, for every visitor, what it would on a
//! site without what is hidden.
use super::{Standing, chroma, embedded, searched_first, site};
use docsh::{
    cli::complete,
    shell::{Mode, Shell},
    site::{Site, Visitor},
};
use docsh_builtins::{Cancel, Input, Limits, Output, Session, Stdio};

/// What was run before, and the line.
const TYPED: &[(&str, &str)] = &[
    ("", "cat /"),
    ("", "cat /guides/"),
    ("", "cat /guides/deep/er/s"),
    ("", "cat /int"),
    ("", "cat int"),
    ("", "ls -l internal/eng/../billing/d"),
    ("", "cat '/guides/two w"),
    ("", "cat \"/guides/two w"),
    ("", "cat /guides/two\\ w"),
    ("", "cat < /data/"),
    ("", "cat /index.mdx 2> /data/r"),
    ("", "grep -r --include='*.md' token /guides/deep"),
    ("", "cd /e"),
    ("", "cd /guides/deep/er/"),
    ("", "pushd internal/"),
    ("", "/auth/k"),
    ("", "./auth/oau"),
    ("", "~/guides/adv"),
    ("", "cat ~/guides/deep/"),
    ("", "x=/internal/"),
    ("", "if [ -f /auth/o"),
    ("", "for f in /data/*; do cat \"$f\" /internal/e"),
    ("", "echo $(cat /internal/runb"),
    ("", "cat <(sort /data/w"),
    ("", "cat /日本/"),
    ("", "cat /empty-for-most/o && ls"),
    ("", "cat /guides.md | grep x /gui"),
    ("", "diff /index.md"),
    ("", "source /lib/v"),
    ("cd /guides", "cat "),
    ("cd /guides", "cat ../internal/"),
    ("cd /guides/deep/er", "cat ./s"),
    ("cd /internal/eng", "cat t"),
    ("cd /internal/partners/list", "ls ../"),
    ("HOME=/internal/eng", "cat ~/o"),
    ("cd /internal; cd /", "cat ~-/"),
    ("shopt -s dotglob; cd /data", "wc a"),
    ("alias show=cat", "show /big/l"),
    ("f() { cat /internal/runbook.md; }", "f /internal/"),
];

/// What would be completed at each place of `line`, one place a line.
fn told(site: &Site, visitor: &Visitor, before: &str, line: &str) -> String {
    let mut shell = Shell::new(site.session(visitor), Limits::default(), Session::new(), Mode::Interactive);
    let stdio = Stdio { stdin: Input::empty(), stdout: Output::null(), stderr: Output::null() };
    shell.run(before, 1, stdio, &Cancel::new());
    let mut told = String::new();
    for at in (0..=line.len()).filter(|&at| line.is_char_boundary(at)) {
        let (start, found) = complete(&shell, line, at);
        let pairs: Vec<String> =
            found.into_iter().map(|pair| format!("{:?}", (pair.display, pair.replacement))).collect();
        told += &format!("{}|{} <- {start}: {}\n", &line[..at], &line[at..], pairs.join(" "));
    }
    told
}

#[test]
fn what_is_hidden_is_never_completed() {
    let folder = tempfile::tempdir().unwrap();
    let whole = site::whole();
    let sites =
        [("a file", embedded(&folder.path().join("whole.db"), &whole)), ("Chroma", chroma(&whole, searched_first()))];
    let mut expected = vec![Vec::new(); TYPED.len()];
    for (n, standing) in Standing::all().iter().enumerate() {
        let rest = embedded(&folder.path().join(format!("rest-{n}.db")), &site::rest(standing));
        for (expected, (before, line)) in expected.iter_mut().zip(TYPED) {
            let without = told(&rest, &standing.visitor(), before, line);
            for (name, site) in &sites {
                assert_eq!(told(site, &standing.visitor(), before, line), without, "{name}, {standing:?}: {line}");
            }
            expected.push(without);
        }
    }
    // A line that is completed alike for everybody shows nothing.
    let is_dull = |told: &&Vec<String>| told.iter().all(|one| *one == told[0]);
    let dull: Vec<&String> = expected.iter().filter(is_dull).map(|told| &told[0]).collect();
    assert!(dull.is_empty(), "{} lines make no difference: {dull:#?}", dull.len());
}
