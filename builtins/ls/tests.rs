use crate::testing::{check, run};
use expect_test::expect;

const TREE: crate::testing::Tree<'_> =
    &[("a/one.md", "1\n"), ("a/sub/deep.md", "22\n"), ("b.md", "b"), (".hidden", ""), ("c d.md", "")];

#[test]
fn names_come_one_a_line_into_a_pipe() {
    check(
        TREE,
        "ls",
        expect![[r#"
        a
        b.md
        c d.md
    "#]],
    );
    check(
        TREE,
        "ls -a",
        expect![[r#"
        .
        ..
        .hidden
        a
        b.md
        c d.md
    "#]],
    );
}
#[test]
fn missing_operands_are_named_first_then_files_then_folders() {
    check(
        TREE,
        "ls nope a b.md /",
        expect![[r#"
        b.md

        /:
        a
        b.md
        c d.md

        a:
        one.md
        sub
        [stderr]
        ls: cannot access 'nope': No such file or directory
        [status 2]
    "#]],
    );
}
#[test]
fn long_listings_align_their_fields() {
    check(
        TREE,
        "ls -lA",
        expect![[r#"
        total 8
        -rw-r--r-- 1 root root    0 Jan 15  2025 .hidden
        drwxr-xr-x 3 root root 4096 Jan 15  2025 a
        -rw-r--r-- 1 root root    1 Jan 15  2025 b.md
        -rw-r--r-- 1 root root    0 Jan 15  2025 c d.md
    "#]],
    );
    check(
        TREE,
        "ls -ghis a",
        expect![[r#"
        total 8.0K
        1 4.0K -rw-r--r-- 1 root    2 Jan 15  2025 one.md
        1 4.0K drwxr-xr-x 2 root 4.0K Jan 15  2025 sub
    "#]],
    );
    check(
        TREE,
        "ls -l --time-style=+%Y --author b.md",
        expect![[r#"
        -rw-r--r-- 1 root root root 1 2025 b.md
    "#]],
    );
}
#[test]
fn folders_below_are_listed_in_turn() {
    check(
        TREE,
        "ls -R",
        expect![[r#"
        .:
        a
        b.md
        c d.md

        ./a:
        one.md
        sub

        ./a/sub:
        deep.md
    "#]],
    );
    check(
        TREE,
        "ls -R a/",
        expect![[r#"
        a/:
        one.md
        sub

        a/sub:
        deep.md
    "#]],
    );
}
#[test]
fn columns_and_commas() {
    check(
        TREE,
        "ls -CAp",
        expect![[r#"
        .hidden  a/  b.md  c d.md
    "#]],
    );
    check(
        TREE,
        "ls -x -w 12 -A",
        expect![[r#"
        .hidden
        a
        b.md
        c d.md
    "#]],
    );
    check(
        TREE,
        "ls -m -w 12 -A",
        expect![[r#"
        .hidden, a,
        b.md,
        c d.md
    "#]],
    );
    // Not by `check`, which takes the blank that a single line begins with for indentation.
    let (stdout, ..) = run(TREE, "ls -C --quoting-style=shell", b"");
    assert_eq!(
        String::from_utf8_lossy(&stdout),
        " a   b.md  'c d.md'
"
    );
}
#[test]
fn order_can_be_changed() {
    check(
        TREE,
        "ls -SA a b.md",
        expect![[r#"
        b.md

        a:
        sub
        one.md
    "#]],
    );
    check(
        TREE,
        "ls -rX",
        expect![[r#"
        c d.md
        b.md
        a
    "#]],
    );
    check(
        TREE,
        "ls -r --group-directories-first",
        expect![[r#"
        a
        c d.md
        b.md
    "#]],
    );
}
#[test]
fn patterns_leave_names_out() {
    check(
        TREE,
        "ls -A --hide=b* -I *d*",
        expect![[r#"
            .hidden
            a
        "#]],
    );
    check(
        TREE,
        "ls --hide=b*",
        expect![[r#"
            a
            c d.md
        "#]],
    );
}
#[test]
fn wrong_words_have_status_2() {
    check(
        TREE,
        "ls --sort=none --sort=z",
        expect![[r#"
        [stderr]
        ls: invalid argument ‘z’ for ‘--sort’
        Valid arguments are:
          - ‘none’
          - ‘time’
          - ‘size’
          - ‘extension’
          - ‘version’
          - ‘name’
          - ‘width’
        Try 'ls --help' for more information.
        [status 1]
    "#]],
    );
    check(
        TREE,
        "ls b.md/x b.md/",
        expect![[r#"
        [stderr]
        ls: cannot access 'b.md/x': Not a directory
        ls: cannot access 'b.md/': Not a directory
        [status 2]
    "#]],
    );
}

#[test]
fn names_may_be_links() {
    let tree = [("d/a b", ""), ("d/é", ""), ("d/e/x", "")];
    let names = |command: &str| String::from_utf8_lossy(&crate::testing::run(&tree, command, b"").0).into_owned();
    let link = |path: &str, name: &str| format!("\x1b]8;;file://docsh{path}\x07{name}\x1b]8;;\x07");
    let all = [link("/d/a%20b", "a b"), link("/d/e", "e") + "/", link("/d/%c3%a9", "é")];
    assert_eq!(names("ls --hyperlink -p d"), all.join("\n") + "\n");
    assert_eq!(names("ls --hyperlink=auto d"), "a b\ne\né\n");
    let quoted = format!("'{}'   {}\n", link("/d/a%20b", "a b"), link("/d/e", "e"));
    assert_eq!(names("ls --hyperlink -C --quoting-style=shell-escape -I é d"), quoted);
}
