use crate::{
    Cancel, Entry, Fs, FsResult, Meta, Needle, Needles, VPath,
    testing::{check, check_with_stdin, literal, run, run_on},
};
use bytes::Bytes;
use expect_test::expect;
use parking_lot::Mutex;
use regex_automata::meta;
use std::{io::BufRead, sync::Arc};

const TREE: &[(&str, &str)] = &[
    ("a/one.md", "alpha\nbeta token\ngamma\n"),
    ("a/two.mdx", "Token here\nno\ntoken\n"),
    ("a/b/deep.md", "token at the end"),
    ("c.txt", "one\ntwo\nthree\nfour\nfive\nsix\n"),
    ("bin", "tok\0en\ntoken\n"),
];

#[test]
fn lines_have_a_name_when_there_are_several_files() {
    check(
        TREE,
        "grep token a/one.md",
        expect![[r#"
            beta token
        "#]],
    );
    check(
        TREE,
        "grep -n token a/one.md a/two.mdx nosuch a",
        expect![[r#"
        a/one.md:2:beta token
        a/two.mdx:3:token
        [stderr]
        grep: nosuch: No such file or directory
        grep: a: Is a directory
        [status 2]
    "#]],
    );
    check(
        TREE,
        "grep -hn token a/one.md a/two.mdx",
        expect![[r#"
        2:beta token
        3:token
    "#]],
    );
    check(
        TREE,
        "grep -H token a/one.md",
        expect![[r#"
        a/one.md:beta token
    "#]],
    );
}

#[test]
fn trees_are_searched_in_the_order_of_bytes() {
    check(
        TREE,
        "grep -r token a",
        expect![[r#"
        a/b/deep.md:token at the end
        a/one.md:beta token
        a/two.mdx:token
    "#]],
    );
    check(
        TREE,
        "grep -ri token",
        expect![[r#"
        a/b/deep.md:token at the end
        a/one.md:beta token
        a/two.mdx:Token here
        a/two.mdx:token
        [stderr]
        grep: bin: binary file matches
    "#]],
    );
    check(
        TREE,
        "grep -r token ./a/ --include='*.md'",
        expect![[r#"
        ./a/b/deep.md:token at the end
        ./a/one.md:beta token
    "#]],
    );
    check(
        TREE,
        "grep -rc token --exclude-dir=b --exclude=bin",
        expect![[r#"
        a/one.md:1
        a/two.mdx:1
        c.txt:0
    "#]],
    );
    check(
        TREE,
        "grep -rL token /",
        expect![[r#"
        /c.txt
    "#]],
    );
    check(
        TREE,
        "grep -r token a/one.md",
        expect![[r#"
        beta token
    "#]],
    );
}

#[test]
fn context_comes_in_groups() {
    check(
        TREE,
        "grep -n -A1 -B1 -e one -e five c.txt",
        expect![[r#"
        1:one
        2-two
        --
        4-four
        5:five
        6-six
    "#]],
    );
    check(
        TREE,
        "grep -C1 --group-separator=## -e one -e six c.txt",
        expect![[r#"
        one
        two
        ##
        five
        six
    "#]],
    );
    check(
        TREE,
        "grep -1 --no-group-separator -e one -e six c.txt",
        expect![[r#"
        one
        two
        five
        six
    "#]],
    );
    check(
        TREE,
        "grep -A1 -h token a/one.md a/two.mdx",
        expect![[r#"
        beta token
        gamma
        --
        token
    "#]],
    );
    check(
        TREE,
        "grep -m1 -A2 t c.txt",
        expect![[r#"
        two
        three
        four
    "#]],
    );
    check(
        TREE,
        "grep -vA1 -n e c.txt",
        expect![[r#"
        2:two
        3-three
        4:four
        5-five
        6:six
    "#]],
    );
}

#[test]
fn a_stream_is_searched_as_a_page_is() {
    let text = TREE[3].1;
    check_with_stdin(
        &[],
        "grep -n -B1 -m2 t",
        text,
        expect![[r#"
        1-one
        2:two
        3:three
    "#]],
    );
    check_with_stdin(
        &[],
        "grep -Hc t",
        text,
        expect![[r#"
        (standard input):2
    "#]],
    );
    check_with_stdin(
        &[],
        "grep -l --label=x t -",
        text,
        expect![[r#"
        x
    "#]],
    );
    check_with_stdin(
        &[],
        "grep -bo 'e\\+$'",
        text,
        expect![[r#"
        2:e
        11:ee
        22:e
    "#]],
    );
    assert_eq!(run(&[], "grep -z t", b"one\0two\0").0, b"two\0");
}

#[test]
fn blocks_of_a_stream_join_without_a_seam() {
    // Longer than the block of a stream, so that it is searched in parts.
    let text: String = (0..40_000).map(|line| format!("line {line}\n")).collect();
    let (stdout, _, _) = run(&[], "grep -n -B2 -A1 '^line [123]9999$'", text.as_bytes());
    let expected = "19998-line 19997\n19999-line 19998\n20000:line 19999\n20001-line 20000\n--\n\
                    29998-line 29997\n29999-line 29998\n30000:line 29999\n30001-line 30000\n--\n\
                    39998-line 39997\n39999-line 39998\n40000:line 39999\n";
    assert_eq!(String::from_utf8(stdout).unwrap(), expected);
    let (stdout, _, _) = run(&[], "grep -b 39999", text.as_bytes());
    assert_eq!(String::from_utf8(stdout).unwrap(), format!("{}:line 39999\n", text.len() - 11));
}

#[test]
fn only_the_matches_are_printed() {
    check(
        TREE,
        "grep -on 't[a-z]*' c.txt",
        expect![[r#"
        2:two
        3:three
    "#]],
    );
    check(
        TREE,
        "grep -ob e c.txt",
        expect![[r#"
        2:e
        11:e
        12:e
        22:e
    "#]],
    );
    check(
        TREE,
        "grep -oE 'x*' c.txt",
        expect![[r#"
        x
    "#]],
    );
    check(TREE, "grep -ov t c.txt", expect![[r#""#]]);
    check_with_stdin(
        &[],
        "grep -o .",
        "日é",
        expect![[r#"
        日
        é
    "#]],
    );
}

#[test]
fn binary_files_match_without_showing_it() {
    check(
        TREE,
        "grep token bin",
        expect![[r#"
        [stderr]
        grep: bin: binary file matches
    "#]],
    );
    check(
        TREE,
        "grep -c '' bin",
        expect![[r#"
        3
    "#]],
    );
    check(
        TREE,
        "grep -I token bin",
        expect![[r#"
        [status 1]
    "#]],
    );
    let (stdout, stderr, status) = run(&[], "grep o", b"ok\no\xff\nok2\n");
    assert_eq!((&stdout[..], status.0), (&b"ok\nok2\n"[..], 0));
    assert_eq!(&stderr[..], b"grep: (standard input): binary file matches\n");
    assert_eq!(run(&[], "grep -a o", b"o\xff\n").0, b"o\xff\n");
}

#[test]
fn lines_are_counted_by_what_their_ends_tell() {
    let count = |pattern: &str, text: &[u8]| run(TREE, &format!("grep -c '{pattern}'"), text).0;
    for (text, every, filled) in [
        (&b""[..], "0\n", "0\n"),
        (b"\n", "1\n", "0\n"),
        (b"a", "1\n", "1\n"),
        (b"a\n\nb", "3\n", "2\n"),
        (b"a\n\n\n\xc3\xa9\n", "4\n", "2\n"),
        (b"a\n\xff\n\n\xffb\n", "4\n", "2\n"),
    ] {
        assert_eq!(count("", text), every.as_bytes(), "{text:?}");
        assert_eq!(count("^", text), every.as_bytes(), "{text:?}");
        assert_eq!(count("x*", text), every.as_bytes(), "{text:?}");
        assert_eq!(count(".", text), filled.as_bytes(), "{text:?}");
    }
    assert_eq!(run(TREE, "grep -rc . a", b"").0, b"a/b/deep.md:1\na/one.md:3\na/two.mdx:3\n");
}

#[test]
fn statuses_are_gnus() {
    let status = |command| run(TREE, command, b"").2.0;
    assert_eq!(status("grep token c.txt"), 1);
    assert_eq!(status("grep -q token nosuch a/one.md"), 0);
    assert_eq!(status("grep -s token nosuch a/one.md"), 2);
    assert_eq!(status("grep -L token a/one.md"), 0);
    assert_eq!(status("grep -L token c.txt"), 1);
    assert_eq!(status("grep -m0 token a/one.md"), 1);
    assert_eq!(status("grep -d skip token a"), 1);
    assert_eq!(status("grep -E -F x c.txt"), 2);
    assert_eq!(run(TREE, "grep -vc '' c.txt nosuch", b""), (Vec::new(), Vec::new(), crate::Status(1)));
    assert_eq!(run(TREE, "grep -vL '' c.txt", b"").0, b"c.txt\n");
}

#[test]
fn patterns_come_from_words_and_files() {
    let tree = &[("p", "one\n^six\n"), ("none", ""), TREE[3]];
    check(
        tree,
        "grep -f p c.txt",
        expect![[r#"
        one
        six
    "#]],
    );
    check(
        tree,
        "grep -c -f none c.txt",
        expect![[r#"
        0
        [status 1]
    "#]],
    );
    check(
        tree,
        "grep -vc -f none c.txt",
        expect![[r#"
        6
    "#]],
    );
    check(
        tree,
        "grep -wF -e on -e two c.txt",
        expect![[r#"
        two
    "#]],
    );
    check(
        tree,
        "grep -xE 'on|one|f.*e' c.txt",
        expect![[r#"
        one
        five
    "#]],
    );
    check(
        tree,
        "grep -P '^(?!t).{3}$' c.txt",
        expect![[r#"
        one
        six
    "#]],
    );
    check(
        tree,
        r"grep '\(.\)\1' c.txt",
        expect![[r#"
        three
    "#]],
    );
    check_with_stdin(
        tree,
        "grep -f - c.txt",
        "four\n",
        expect![[r#"
        four
    "#]],
    );
}

#[test]
fn wrong_words_are_named() {
    check(
        TREE,
        "grep",
        expect![[r#"
        [stderr]
        Usage: grep [OPTION]... PATTERNS [FILE]...
        Try 'grep --help' for more information.
        [status 2]
    "#]],
    );
    check(
        TREE,
        "grep -A x one c.txt",
        expect![[r#"
        [stderr]
        grep: x: invalid context length argument
        [status 2]
    "#]],
    );
    check(
        TREE,
        "grep '[a' c.txt",
        expect![[r#"
        [stderr]
        grep: Unmatched [, [^, [:, [., or [=
        [status 2]
    "#]],
    );
    check(
        TREE,
        "grep -E '*four' c.txt",
        expect![[r#"
        four
        [stderr]
        grep: warning: * at start of expression
    "#]],
    );
    check(
        TREE,
        "grep -P -e a -e b c.txt",
        expect![[r#"
        [stderr]
        grep: the -P option only supports a single pattern
        [status 2]
    "#]],
    );
    check(
        TREE,
        "grep --rm c.txt",
        expect![[r#"
        [stderr]
        grep: unrecognized option '--rm'
        Try 'grep --help' for more information.
        [status 2]
    "#]],
    );
}

#[test]
fn colours_are_gnus() {
    let coloured = |command| String::from_utf8(run(TREE, command, b"").0).unwrap().replace('\u{1b}', "^");
    let expected = "^[32m^[K2^[m^[K^[36m^[K:^[m^[K^[01;31m^[Kt^[m^[Kwo\n^[32m^[K3^[m^[K^[36m^[K-^[m^[Kthree\n";
    assert_eq!(coloured("grep --color=always -nA1 -m1 t c.txt"), expected);
    assert_eq!(coloured("grep --color=always -l token a/one.md"), "^[35m^[Ka/one.md^[m^[K\n");
    assert_eq!(coloured("grep --color t c.txt"), "two\nthree\n");
}

#[test]
fn names_can_end_with_a_null() {
    assert_eq!(run(TREE, "grep -lZ token a/one.md a/two.mdx", b"").0, b"a/one.md\0a/two.mdx\0");
    assert_eq!(run(TREE, "grep -HZ four c.txt", b"").0, b"c.txt\0four\n");
}

#[test]
fn tabs_line_up() {
    let stdout = |command| String::from_utf8(run(TREE, command, b"").0).unwrap();
    assert_eq!(stdout("grep -nT four c.txt"), " 4:\tfour\n");
    assert_eq!(stdout("grep -T four c.txt"), "four\n");
    assert_eq!(stdout("grep -bHT four c.txt"), "c.txt:14:\tfour\n");
}

/// A file system whose store can tell which pages hold a needle, and that notes which pages are read.
struct Narrowing {
    inner: Arc<dyn Fs>,
    pages: Vec<(&'static str, &'static str)>,
    read: Mutex<Vec<String>>,
}

impl Fs for Narrowing {
    fn stat(&self, path: &VPath) -> FsResult<Meta> {
        self.inner.stat(path)
    }
    fn list(&self, dir: &VPath) -> FsResult<Vec<Entry>> {
        self.inner.list(dir)
    }
    fn open(&self, path: &VPath, from: u64, cancel: &Cancel) -> FsResult<Box<dyn BufRead + Send>> {
        self.inner.open(path, from, cancel)
    }
    fn size(&self, path: &VPath, cancel: &Cancel) -> FsResult<u64> {
        self.inner.size(path, cancel)
    }
    fn read_many(
        &self,
        paths: Vec<VPath>,
        cancel: &Cancel,
    ) -> Box<dyn Iterator<Item = (VPath, FsResult<Bytes>)> + Send> {
        self.read.lock().extend(paths.iter().map(|path| path.slug().to_string()));
        self.inner.read_many(paths, cancel)
    }
    fn narrow(&self, scope: &[VPath], needles: &Needles, _: &Cancel) -> FsResult<Option<Vec<VPath>>> {
        let holds = |text: &str| {
            needles.any.iter().any(|needle| match needle {
                Needle::Literal(literal) => text.contains(literal),
                Needle::Regex(regex) => meta::Regex::new(regex).unwrap().is_match(text),
            })
        };
        let found = |path: &&VPath| self.pages.iter().any(|(name, text)| *name == path.slug() && holds(text));
        Ok(Some(scope.iter().filter(found).cloned().collect()))
    }
}

fn narrowing() -> Arc<Narrowing> {
    Arc::new(Narrowing { inner: literal(TREE), pages: TREE.to_vec(), read: Mutex::default() })
}

#[test]
fn pages_without_a_chance_are_not_read() {
    let fs = narrowing();
    assert_eq!(
        run_on(fs.clone(), "grep -rc 'beta.*tok'", b"").0,
        b"a/b/deep.md:0\na/one.md:1\na/two.mdx:0\nbin:0\nc.txt:0\n"
    );
    assert_eq!(*fs.read.lock(), ["a/one.md"]);
    let fs = narrowing();
    run_on(fs.clone(), "rg -i TOKEN", b"");
    assert_eq!(*fs.read.lock(), ["a/b/deep.md", "a/one.md", "a/two.mdx", "bin"]);
}

#[test]
fn asking_the_store_first_changes_no_answer() {
    let patterns = [
        "token",
        "tok",
        "to*",
        "^token$",
        "be|ga",
        "beta|four",
        "[Tt]oken",
        "(o|k)en",
        r"\btoken\b",
        "zzz",
        "",
        "o{2}",
        "fo.r",
    ];
    let commands = [
        "grep -rE",
        "grep -rniE",
        "grep -rcE",
        "grep -rlE",
        "grep -rLE",
        "grep -rvcE",
        "grep -rwoE",
        "grep -rxE",
        "grep -rF",
        "grep -rqE",
        "grep -rA1 -E",
        "grep -rzcE",
        "grep -rcP",
        "rg",
        "rg -c",
        "rg -il",
        "rg --files-without-match",
        "rg -v",
        "rg -U",
        "rg -wq",
        "rg -P",
    ];
    for pattern in patterns {
        for command in commands {
            let line = format!("{command} -e '{pattern}' .");
            assert_eq!(run_on(narrowing(), &line, b""), run(TREE, &line, b""), "{line}");
        }
    }
}
