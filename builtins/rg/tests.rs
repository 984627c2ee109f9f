use crate::testing::{check, check_with_stdin, run};
use expect_test::expect;

const TREE: &[(&str, &str)] = &[
    (".hidden/x.md", "foo\n"),
    (".ignore", "skipped.*\nsub/\n!kept.log\n"),
    ("a/b/two.txt", "nothing\nfoo\n"),
    ("a/one.md", "foo bar\nbaz foo foo\n\nlast\n"),
    ("a/sub/y.md", "foo\n"),
    ("bin.dat", "x\0foo\n"),
    ("c.rs", "Foo\nfoo at end"),
    ("kept.log", "foo\n"),
    ("skipped.log", "foo\n"),
];

#[test]
fn the_tree_is_searched_without_what_is_hidden_or_ignored() {
    check(
        TREE,
        "rg foo",
        expect![[r#"
        a/b/two.txt:foo
        a/one.md:foo bar
        a/one.md:baz foo foo
        c.rs:foo at end
        kept.log:foo
    "#]],
    );
    check(
        TREE,
        "rg -l foo .",
        expect![[r#"
        ./a/b/two.txt
        ./a/one.md
        ./c.rs
        ./kept.log
    "#]],
    );
    check(
        TREE,
        "rg -l foo a/",
        expect![[r#"
        a/b/two.txt
        a/one.md
    "#]],
    );
    check(
        TREE,
        "rg -lu foo",
        expect![[r#"
        a/b/two.txt
        a/one.md
        a/sub/y.md
        c.rs
        kept.log
        skipped.log
    "#]],
    );
    check(
        TREE,
        "rg -luu foo",
        expect![[r#"
        .hidden/x.md
        a/b/two.txt
        a/one.md
        a/sub/y.md
        c.rs
        kept.log
        skipped.log
    "#]],
    );
    check(
        TREE,
        "rg -uuu foo bin.dat .hidden",
        expect![[r#"
        bin.dat: binary file matches (found "\0" byte around offset 1)
        .hidden/x.md:foo
    "#]],
    );
    check(
        TREE,
        "rg foo a/one.md",
        expect![[r#"
        foo bar
        baz foo foo
    "#]],
    );
}

#[test]
fn git_ignore_counts_in_a_repository_only() {
    let tree = &[
        (".gitignore", "x\n"),
        ("x", "foo\n"),
        ("repo/.git/HEAD", ""),
        ("repo/.gitignore", "/y\n"),
        ("repo/y", "foo\n"),
    ];
    check(
        tree,
        "rg -l foo",
        expect![[r#"
        x
    "#]],
    );
    check(
        tree,
        "rg -l --no-require-git foo",
        expect![[r#"
        [stderr]
        rg: No files were searched, which means ripgrep probably applied a filter you didn't expect.
        Running with --debug will show why files are being skipped.
        [status 2]
    "#]],
    );
    check(
        tree,
        "rg -l --no-ignore-vcs foo",
        expect![[r#"
        repo/y
        x
    "#]],
    );
}

#[test]
fn globs_and_types_choose_files() {
    check(
        TREE,
        "rg -l foo -g '*.md'",
        expect![[r#"
        a/one.md
    "#]],
    );
    check(
        TREE,
        "rg -l foo -g '!*.md'",
        expect![[r#"
        a/b/two.txt
        c.rs
        kept.log
    "#]],
    );
    check(
        TREE,
        "rg -l foo -g 'a/*'",
        expect![[r#"
        a/one.md
    "#]],
    );
    check(
        TREE,
        "rg -l foo --iglob '*.{MD,RS}'",
        expect![[r#"
        a/one.md
        c.rs
    "#]],
    );
    check(
        TREE,
        "rg -l foo -tmd -trust",
        expect![[r#"
        a/one.md
        c.rs
    "#]],
    );
    check(
        TREE,
        "rg -l foo -Tmd",
        expect![[r#"
        a/b/two.txt
        c.rs
        kept.log
    "#]],
    );
    check(
        TREE,
        "rg -l foo --type-add 'mine:*.log' -tmine",
        expect![[r#"
        kept.log
    "#]],
    );
    check(
        TREE,
        "rg -l foo -d1",
        expect![[r#"
        c.rs
        kept.log
    "#]],
    );
    check(
        TREE,
        "rg foo -t nosuch",
        expect![[r#"
        [stderr]
        rg: unrecognized file type: nosuch
        [status 2]
    "#]],
    );
    check(
        TREE,
        "rg foo -g '*.nosuch'",
        expect![[r#"
        [stderr]
        rg: No files were searched, which means ripgrep probably applied a filter you didn't expect.
        Running with --debug will show why files are being skipped.
        [status 2]
    "#]],
    );
}

#[test]
fn files_are_listed() {
    check(
        TREE,
        "rg --files",
        expect![[r#"
        a/b/two.txt
        a/one.md
        bin.dat
        c.rs
        kept.log
    "#]],
    );
    check(
        TREE,
        "rg --files --sortr path a c.rs",
        expect![[r#"
        c.rs
        a/one.md
        a/b/two.txt
    "#]],
    );
    check(
        TREE,
        "rg --files nosuch",
        expect![[r#"
        [stderr]
        rg: nosuch: No such file or directory
        [status 2]
    "#]],
    );
}

#[test]
fn lines_have_what_was_asked_for_before_them() {
    check(
        TREE,
        "rg -n foo a",
        expect![[r#"
        a/b/two.txt:2:foo
        a/one.md:1:foo bar
        a/one.md:2:baz foo foo
    "#]],
    );
    check(
        TREE,
        "rg --vimgrep foo a/one.md",
        expect![[r#"
        a/one.md:1:1:foo bar
        a/one.md:2:5:baz foo foo
        a/one.md:2:9:baz foo foo
    "#]],
    );
    check(
        TREE,
        "rg --column -b -o foo a/one.md",
        expect![[r#"
        1:1:0:foo
        2:5:12:foo
        2:9:16:foo
    "#]],
    );
    check(
        TREE,
        "rg --heading -n foo a",
        expect![[r#"
        a/b/two.txt
        2:foo

        a/one.md
        1:foo bar
        2:baz foo foo
    "#]],
    );
    check(
        TREE,
        "rg -I foo a",
        expect![[r#"
        foo
        foo bar
        baz foo foo
    "#]],
    );
    check(
        TREE,
        "rg --field-match-separator ' @ ' foo a/b",
        expect![[r#"
        a/b/two.txt @ foo
    "#]],
    );
}

#[test]
fn counts_and_names() {
    check(
        TREE,
        "rg -c foo a",
        expect![[r#"
        a/b/two.txt:1
        a/one.md:2
    "#]],
    );
    check(
        TREE,
        "rg --count-matches foo a",
        expect![[r#"
        a/b/two.txt:1
        a/one.md:3
    "#]],
    );
    check(
        TREE,
        "rg -co foo a/one.md",
        expect![[r#"
        3
    "#]],
    );
    check(
        TREE,
        "rg -c --include-zero last a",
        expect![[r#"
        a/b/two.txt:0
        a/one.md:1
    "#]],
    );
    check(
        TREE,
        "rg --files-without-match last a",
        expect![[r#"
        a/b/two.txt
    "#]],
    );
    check(
        TREE,
        "rg -cv foo a/one.md",
        expect![[r#"
        2
    "#]],
    );
}

#[test]
fn context_and_all_lines() {
    check(
        TREE,
        "rg -nA1 -e nothing -e at a c.rs",
        expect![[r#"
        a/b/two.txt:1:nothing
        a/b/two.txt-2-foo
        --
        c.rs:2:foo at end
    "#]],
    );
    check(
        TREE,
        "rg -C1 foo a",
        expect![[r#"
        a/b/two.txt-nothing
        a/b/two.txt:foo
        --
        a/one.md:foo bar
        a/one.md:baz foo foo
        a/one.md-
    "#]],
    );
    check(
        TREE,
        "rg --passthru -n last a/one.md",
        expect![[r#"
        1-foo bar
        2-baz foo foo
        3-
        4:last
    "#]],
    );
}

#[test]
fn matches_are_replaced() {
    check(
        TREE,
        "rg 'f(o)(?P<x>o)' -r '${1}$x$$-$0' a/one.md",
        expect![[r#"
        oo$-foo bar
        baz oo$-foo oo$-foo
    "#]],
    );
    check(
        TREE,
        "rg -o 'b(a.)' -r '<$1>' a/one.md",
        expect![[r#"
        <ar>
        <az>
    "#]],
    );
    check(
        TREE,
        "rg -P '(?<=foo )foo' -r X a/one.md",
        expect![[r#"
        baz foo X
    "#]],
    );
}

#[test]
fn a_match_may_be_of_several_lines() {
    check(
        TREE,
        "rg -Un 'bar\\nbaz' a",
        expect![[r#"
        a/one.md:1:foo bar
        a/one.md:2:baz foo foo
    "#]],
    );
    check(
        TREE,
        "rg -Uo 'bar\\nbaz' a",
        expect![[r#"
        a/one.md:bar
        a/one.md:baz
    "#]],
    );
    check(
        TREE,
        "rg -U --multiline-dotall -c 'foo.*last' a",
        expect![[r#"
        a/one.md:1
    "#]],
    );
    check(
        TREE,
        "rg -U 'bar\\nbaz' -r X a/one.md",
        expect![[r#"
        foo X foo foo
    "#]],
    );
    check(
        TREE,
        "rg 'bar\\nbaz' a",
        expect![[r#"
        [stderr]
        rg: the literal "\n" is not allowed in a regex

        Consider enabling multiline mode with the --multiline flag (or -U for short).
        When multiline mode is enabled, new line characters can be matched.
        [status 2]
    "#]],
    );
}

#[test]
fn a_match_may_hold_the_end_of_the_last_line() {
    let tree = &[("x", "x ab\ny\n")];
    for (flags, expected) in [("-o", "b\ny\n"), ("-r Z", "x aZ\n"), ("-o -r Z", "Z\n"), ("--vimgrep", "x:1:4:x ab\n")] {
        let (stdout, _, status) = run(tree, &format!("rg -U {flags} 'b[^a-w]*' x"), b"");
        assert_eq!((String::from_utf8_lossy(&stdout).as_ref(), status.0), (expected, 0), "{flags}");
    }
}

#[test]
fn long_lines_are_cut() {
    check(
        TREE,
        "rg -M 8 foo a/one.md",
        expect![[r#"
        foo bar
        [Omitted long matching line]
    "#]],
    );
    check(
        TREE,
        "rg -M 5 --max-columns-preview foo a/one.md",
        expect![[r#"
        foo b [... omitted end of long line]
        baz f [... omitted end of long line]
    "#]],
    );
    check_with_stdin(
        &[],
        "rg --trim b",
        "  b\n",
        expect![[r#"
        b
    "#]],
    );
}

#[test]
fn json_has_a_line_for_each_thing() {
    let stdout = String::from_utf8(run(TREE, "rg --json bar a", b"").0).unwrap();
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(lines[0], r#"{"type":"begin","data":{"path":{"text":"a/one.md"}}}"#);
    let expected = "{\"type\":\"match\",\"data\":{\"path\":{\"text\":\"a/one.md\"},\"lines\":{\"text\":\"foo bar\\n\"},\
                    \"line_number\":1,\"absolute_offset\":0,\"submatches\":[{\"match\":{\"text\":\"bar\"},\
                    \"start\":4,\"end\":7}]}}";
    assert_eq!(lines[1], expected);
    assert!(lines[2].starts_with(r#"{"type":"end","data":{"path":{"text":"a/one.md"},"binary_offset":null,"#));
    assert!(lines[3].ends_with(r#""searches":1,"searches_with_match":1}},"type":"summary"}"#));
    let stdout = String::from_utf8(run(&[], "rg --json foo", b"a\xffb foo\n").0).unwrap();
    assert!(stdout.contains(r#""lines":{"bytes":"Yf9iIGZvbwo="}"#));
}

#[test]
fn stdin_is_searched_when_it_is_piped() {
    check_with_stdin(
        &[],
        "rg -n b",
        "a\nb\n",
        expect![[r#"
        2:b
    "#]],
    );
    check_with_stdin(
        &[],
        "rg -H b",
        "a\nb\n",
        expect![[r#"
        <stdin>:b
    "#]],
    );
    check_with_stdin(
        TREE,
        "rg b - a/one.md",
        "b\n",
        expect![[r#"
        <stdin>:b
        a/one.md:foo bar
        a/one.md:baz foo foo
    "#]],
    );
}

#[test]
fn colours_are_ripgreps() {
    let stdout = String::from_utf8(run(TREE, "rg --color always -n bar a", b"").0).unwrap();
    let expected = "^[0m^[35ma/one.md^[0m:^[0m^[32m1^[0m:foo ^[0m^[1m^[31mbar^[0m\n";
    assert_eq!(stdout.replace('\u{1b}', "^"), expected);
}

#[test]
fn statuses_and_messages() {
    let status = |command| run(TREE, command, b"").2.0;
    assert_eq!(status("rg nomatch a"), 1);
    assert_eq!(status("rg foo a nosuch"), 2);
    assert_eq!(status("rg -q foo nosuch a"), 0);
    check(
        TREE,
        "rg",
        expect![[r#"
        [stderr]
        rg: ripgrep requires at least one pattern to execute a search
        [status 2]
    "#]],
    );
    check(
        TREE,
        "rg '(' a",
        expect![[r#"
        [stderr]
        rg: regex parse error:
            (
            ^
        error: unclosed group
        [status 2]
    "#]],
    );
    check(
        TREE,
        "rg --pre cat foo a",
        expect![[r#"
        [stderr]
        rg: --pre is not supported
        [status 2]
    "#]],
    );
    check(
        TREE,
        "rg -A x foo a",
        expect![[r#"
        [stderr]
        rg: error parsing flag --after-context: value is not a valid number: "x"
        [status 2]
    "#]],
    );
    check(
        TREE,
        "rg --sort size foo a",
        expect![[r#"
        [stderr]
        rg: error parsing flag --sort: choice 'size' is unrecognized
        [status 2]
    "#]],
    );
}

#[test]
fn small_letters_match_any_case_when_smart() {
    check(
        TREE,
        "rg -S foo c.rs",
        expect![[r#"
        Foo
        foo at end
    "#]],
    );
    check(
        TREE,
        "rg -S Foo c.rs",
        expect![[r#"
        Foo
    "#]],
    );
    check(
        TREE,
        "rg -S '\\Sfoo|foo' c.rs",
        expect![[r#"
        Foo
        foo at end
    "#]],
    );
}

#[test]
fn sums_are_printed() {
    let stdout = String::from_utf8(run(TREE, "rg --stats foo a", b"").0).unwrap();
    assert!(stdout.contains("\n\n4 matches\n3 matched lines\n2 files contained matches\n2 files searched\n"));
}
