use crate::testing::{check, check_with_stdin};
use expect_test::expect;

#[test]
fn items_are_words_in_quotes_or_not() {
    check_with_stdin(
        &[],
        "xargs basename -a",
        "a/b  'c d'\n\"e f\" g\\ h\n",
        expect![[r#"
        b
        c d
        e f
        g h
    "#]],
    );
    check_with_stdin(
        &[],
        "xargs basename -a",
        "one it's\n",
        expect![[r#"
        one
        [stderr]
        xargs: unmatched single quote; by default quotes are special to xargs unless you use the -0 option
        [status 1]
    "#]],
    );
    check_with_stdin(
        &[],
        "xargs -0 basename -a",
        "a b\0c'd\0",
        expect![[r#"
        a b
        c'd
    "#]],
    );
    check_with_stdin(
        &[],
        "xargs -d , basename -a",
        "a,b",
        expect![[r#"
        a
        b
    "#]],
    );
}

#[test]
fn commands_take_so_many_at_a_time() {
    check_with_stdin(
        &[],
        "xargs -t -n 2 basename -a",
        "a b c",
        expect![[r#"
        a
        b
        c
        [stderr]
        basename -a a b
        basename -a c
    "#]],
    );
    check_with_stdin(
        &[],
        "xargs -t -L 1 basename -a",
        "a b\n\nc \nd\n",
        expect![[r#"
        a
        b
        c
        d
        [stderr]
        basename -a a b
        basename -a c d
    "#]],
    );
    check_with_stdin(
        &[],
        "xargs -t -s 14 basename -a",
        "a b c",
        expect![[r#"
        a
        b
        c
        [stderr]
        basename -a a
        basename -a b
        basename -a c
    "#]],
    );
    check_with_stdin(
        &[],
        "xargs -I% basename %.md .md",
        "  a b\n\nc\n",
        expect![[r#"
        a b
        c
    "#]],
    );
}

#[test]
fn statuses_tell_what_happened() {
    let tree = &[("a", "x\n")];
    check_with_stdin(
        tree,
        "xargs cat",
        "a nosuch",
        expect![[r#"
        x
        [stderr]
        cat: nosuch: No such file or directory
        [status 123]
    "#]],
    );
    check_with_stdin(
        tree,
        "xargs nosuch",
        "a",
        expect![[r#"
        [stderr]
        xargs: nosuch: No such file or directory
        [status 127]
    "#]],
    );
    check_with_stdin(
        tree,
        "xargs -n x",
        "",
        expect![[r#"
        [stderr]
        xargs: invalid number "x" for -n option
        Try 'xargs --help' for more information.
        [status 1]
    "#]],
    );
    check(tree, "xargs -t -r cat", expect![[""]]);
    check_with_stdin(
        tree,
        "xargs -E END cat",
        "a\nEND nosuch",
        expect![[r#"
        x
    "#]],
    );
}

#[test]
fn what_was_read_before_an_open_quote_runs_unless_lines_are_whole() {
    let run = |words: &str| String::from_utf8(crate::testing::run(&[], words, b"a\nb\"c\n").0).unwrap();
    assert_eq!(run("xargs echo"), "a\n");
    assert_eq!(run("xargs -L 2 echo"), "");
    assert_eq!(run("xargs -x -n 2 echo"), "");
}
