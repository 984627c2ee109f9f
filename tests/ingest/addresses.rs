//! Where pages are on the web, and the overviews of sites that have none.
use super::Home;
use crate::support::tree::{literal, repository};

#[test]
fn url_prints_the_address_of_a_page() {
    let home = Home::new();
    home.ingest(&repository("fixtures/sites/docusaurus"), &["--base-url", "https://kite.example/"]);
    let rows = [
        ("url docs/01-start/01-intro.md", "https://kite.example/docs\n[0]"),
        ("url docs/02-guides/advanced/wind", "https://kite.example/docs/guides/advanced/wind-and-weather\n[0]"),
        ("cd docs; url 01-start", "https://kite.example/docs/start\n[0]"),
        ("url 'docs/01-start/01-intro.md#Introduction'", "https://kite.example/docs#intro\n[0]"),
        ("url docs/api/1.0.md#10", "https://kite.example/docs/api/1.0#10\n[0]"),
        ("url docs/api/1.0.md#11", "url: docs/api/1.0.md#11: there is no heading \"11\"\n[1]"),
    ];
    for (line, expected) in rows {
        assert_eq!(home.says(line), expected, "{line}");
    }
    home.ingest(&repository("fixtures/sites/mkdocs"), &[]);
    assert_eq!(
        home.says("url docs/guide/first.md docs"),
        "https://harbour.example/docs/guide/first/\nhttps://harbour.example/docs\n[0]"
    );
}

#[test]
fn a_site_without_overviews_gets_them_as_its_visitor_sees_it() {
    let home = Home::new();
    home.ingest(
        &repository("fixtures/sites/mintlify"),
        &["--access", "private", "--base-url", "https://lumen.example"],
    );
    let expected = "# lumen.example\n\n> Every page of this site. `cat` the path of one to read it.\n\n## /\n\n\
        - [Lumen](https://lumen.example): `/index.mdx`\n- [Quickstart](https://lumen.example/quickstart): `/quickstart.mdx`\n\n\
        ## /help\n\n- [Help](https://lumen.example/help): `/help/index.mdx`\n- [Contact](https://lumen.example/help/contact): `/help/contact.mdx`\n\n\
        ## /api\n\n- [API](https://lumen.example/api/overview): `/api/overview.mdx`\n\
        - [Get a user](https://lumen.example/api/get-user): `/api/get-user.mdx`\n\n\
        ## /ja\n\n- [ようこそ](https://lumen.example/ja): `/ja/index.mdx`\n[0]";
    assert_eq!(home.says("cat /llms.txt"), expected);
    assert_eq!(home.says("ls /"), "AGENTS.md\napi\nhelp\nindex.mdx\nja\nllms.txt\nquickstart.mdx\n[0]");
    assert_eq!(home.says("grep -rl 'Get a user' /"), "/llms.txt\n[0]");
    assert_eq!(
        home.says("wc -c < /llms.txt; stat -c %s /llms.txt").lines().collect::<std::collections::BTreeSet<_>>().len(),
        2
    );
    assert_eq!(
        home.says("grep -o '^- `/[a-z]*/`: .*' /AGENTS.md"),
        "- `/api/`: 2 pages\n- `/help/`: 2 pages\n- `/ja/`: 1 page\n[0]"
    );
    let secret = home.says_as("signed-in", "grep -c Secret /llms.txt");
    assert_eq!(secret, "1\n[0]");
}

#[test]
fn a_site_keeps_its_own_overviews_and_a_folder_as_it_is_gets_none() {
    let home = Home::new();
    let docs = literal([("AGENTS.md", "ours\n"), ("llms.txt", "---\n"), ("x.md", "---\npublic: false\n---\n")]);
    home.ingest(docs.path(), &[]);
    assert_eq!(home.says("ls -m /; cat AGENTS.md"), "AGENTS.md, llms.txt\nours\n[0]");
    let docs = literal([("x.md", "---\npublic: false\n---\n"), ("docs.json", "{}"), (".dot", "")]);
    home.ingest(docs.path(), &["--all"]);
    assert_eq!(
        home.says("ls -mA /; cat x; stat -c %Y x.md"),
        ".dot, docs.json, x.md\n1736942400\ncat: x: No such file or directory\n[0]"
    );
    let dir = docs.path().display().to_string();
    let answer = home.docsh(&["--dir", &dir, "-c", "ls -mA /"]).run();
    assert_eq!(answer.text(), ".dot, docs.json, x.md\n");
}
