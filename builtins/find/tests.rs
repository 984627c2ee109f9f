use crate::testing::{check, check_with_stdin, run};
use expect_test::expect;

const TREE: crate::testing::Tree<'_> =
    &[("auth/jwt.md", "four"), ("auth/deep/er/x.txt", "x"), ("auth/quick start.md", ""), (".env", "A=1\n")];

#[test]
fn names_and_paths() {
    check(
        TREE,
        "find",
        expect![[r#"
        .
        ./.env
        ./auth
        ./auth/deep
        ./auth/deep/er
        ./auth/deep/er/x.txt
        ./auth/jwt.md
        ./auth/quick start.md
    "#]],
    );
    check(
        TREE,
        "find auth/ -maxdepth 1 -name '*.md'",
        expect![[r#"
        auth/jwt.md
        auth/quick start.md
    "#]],
    );
    check(
        TREE,
        "find . -name '.*'",
        expect![[r#"
        .
        ./.env
    "#]],
    );
    check(
        TREE,
        "find . -ipath '*DEEP/*' -type f,d -not -name x.txt",
        expect![[r#"
        ./auth/deep/er
    "#]],
    );
    check(
        TREE,
        r"find . -regex '.*\.\(md\|txt\)'",
        expect![[r#"
        ./auth/deep/er/x.txt
        ./auth/jwt.md
        ./auth/quick start.md
    "#]],
    );
}

#[test]
fn sizes_are_rounded_up() {
    check(
        TREE,
        "find . -type f -size -1k",
        expect![[r#"
        ./auth/quick start.md
    "#]],
    );
    check(
        TREE,
        "find . -size 4c -o -empty",
        expect![[r#"
        ./.env
        ./auth/jwt.md
        ./auth/quick start.md
    "#]],
    );
}

#[test]
fn operators_bind_as_they_should() {
    check(
        TREE,
        "find . -name '*.md' -o -name '*.txt' -print",
        expect![[r#"
        ./auth/deep/er/x.txt
    "#]],
    );
    check(
        TREE,
        r"find . \( -name deep -prune \) -o ! -type d -print",
        expect![[r#"
        ./.env
        ./auth/jwt.md
        ./auth/quick start.md
    "#]],
    );
    check(
        TREE,
        "find auth -name 'q*' , -name jwt.md",
        expect![[r#"
        auth/jwt.md
    "#]],
    );
}

#[test]
fn formats_are_filled_in() {
    check(
        TREE,
        r"find auth -mindepth 1 -printf '%p|%f|%h|%P|%d|%s|%m|%M|%y|%k|%u\n'",
        expect![[r#"
        auth/deep|deep|auth|deep|1|4096|755|drwxr-xr-x|d|4|root
        auth/deep/er|er|auth/deep|deep/er|2|4096|755|drwxr-xr-x|d|4|root
        auth/deep/er/x.txt|x.txt|auth/deep/er|deep/er/x.txt|3|1|644|-rw-r--r--|f|4|root
        auth/jwt.md|jwt.md|auth|jwt.md|1|4|644|-rw-r--r--|f|4|root
        auth/quick start.md|quick start.md|auth|quick start.md|1|0|644|-rw-r--r--|f|0|root
    "#]],
    );
    check(
        TREE,
        r"find auth/jwt.md -printf '%TY-%Tm-%Td %T@ %T+ %t %Q\c no'",
        expect![[r#"
        2025-01-15 1736942400.0000000000 2025-01-15+12:00:00.0000000000 Wed Jan 15 12:00:00.0000000000 2025 %Q[no newline]
        [stderr]
        find: warning: unrecognized format directive `%Q'
    "#]],
    );
    // Not by `check`, which takes the blanks that a single line begins with for indentation.
    let (stdout, ..) = run(TREE, "find auth/jwt.md -ls", b"");
    let line = "        1      4 -rw-r--r--   1 root     root            4 Jan 15  2025 auth/jwt.md
";
    assert_eq!(String::from_utf8_lossy(&stdout), line);
}

#[test]
fn commands_are_run() {
    check(
        TREE,
        r"find auth -name '*.md' -exec basename {} .md \;",
        expect![[r#"
        jwt
        quick start
    "#]],
    );
    check(
        TREE,
        "find auth -name '*.md' -exec cat {} + -o -name nosuch",
        expect![[r#"
        four[no newline]
    "#]],
    );
    check(
        TREE,
        r"find auth -name jwt.md -execdir realpath {} \;",
        expect![[r#"
        /auth/jwt.md
    "#]],
    );
    check(
        TREE,
        r"find auth/ -maxdepth 0 -execdir echo {} \;",
        expect![[r#"
        ./auth/
    "#]],
    );
    check(
        TREE,
        r"find . -name jwt.md -exec nosuch {} \; -o -name .env -print",
        expect![[r#"
        ./.env
        [stderr]
        find: ‘nosuch’: No such file or directory
    "#]],
    );
    check(
        TREE,
        "find . -name jwt.md -exec test -d {} +",
        expect![[r#"
        [status 1]
    "#]],
    );
    check_with_stdin(
        TREE,
        r"find auth -name '*.md' -ok basename {} \;",
        "n\nyes\n",
        expect![[r#"
        quick start.md
        [stderr]
        < basename ... auth/jwt.md > ? < basename ... auth/quick start.md > ? "#]],
    );
}

#[test]
fn nothing_can_be_deleted_or_written() {
    check(
        TREE,
        "find auth/deep -delete",
        expect![[r#"
        [stderr]
        find: cannot delete ‘auth/deep/er/x.txt’: Read-only file system
        find: cannot delete ‘auth/deep/er’: Read-only file system
        find: cannot delete ‘auth/deep’: Read-only file system
        [status 1]
    "#]],
    );
    check(
        TREE,
        "find . -fprint out",
        expect![[r#"
        [stderr]
        find: ‘out’: Read-only file system
        [status 1]
    "#]],
    );
    check(
        TREE,
        "find .env -fprint /dev/stdout",
        expect![[r#"
        .env
    "#]],
    );
}

#[test]
fn the_walk_can_be_bounded() {
    check(
        TREE,
        "find . -maxdepth 2 -mindepth 2",
        expect![[r#"
        ./auth/deep
        ./auth/jwt.md
        ./auth/quick start.md
    "#]],
    );
    check(
        TREE,
        "find auth/deep -depth",
        expect![[r#"
        auth/deep/er/x.txt
        auth/deep/er
        auth/deep
    "#]],
    );
    check(
        TREE,
        "find . -name auth -print -quit",
        expect![[r#"
        ./auth
    "#]],
    );
}

#[test]
fn wrong_words_are_named() {
    check(
        TREE,
        "find nosuch .env",
        expect![[r#"
        .env
        [stderr]
        find: ‘nosuch’: No such file or directory
        [status 1]
    "#]],
    );
    check(
        TREE,
        "find . -nmae x",
        expect![[r#"
        [stderr]
        find: unknown predicate `-nmae'
        [status 1]
    "#]],
    );
    check(
        TREE,
        "find . -name a b",
        expect![[r#"
        [stderr]
        find: paths must precede expression: `b'
        find: possible unquoted pattern after predicate `-name'?
        [status 1]
    "#]],
    );
    check(
        TREE,
        r"find . \( -name a",
        expect![[r#"
        [stderr]
        find: invalid expression; I was expecting to find a ')' somewhere but did not see one.
        [status 1]
    "#]],
    );
    check(
        TREE,
        "find . -exec echo",
        expect![[r#"
        [stderr]
        find: missing argument to `-exec'
        [status 1]
    "#]],
    );
    check(
        TREE,
        "find . -size x",
        expect![[r#"
        [stderr]
        find: invalid -size type `x'
        [status 1]
    "#]],
    );
    check(
        TREE,
        "find . -newermt nonsense",
        expect![[r#"
        [stderr]
        find: I cannot figure out how to interpret ‘nonsense’ as a date or time
        [status 1]
    "#]],
    );
}
