use crate::testing::check_with_stdin;
use expect_test::expect;

#[test]
fn paragraphs_are_filled() {
    let text = "The quick brown fox\njumps over the lazy dog. It was\nnot amused.\n\nSecond.\n";
    check_with_stdin(
        &[],
        "fmt -w 30",
        text,
        expect![[r#"
        The quick brown fox jumps
        over the lazy dog. It was
        not amused.

        Second.
    "#]],
    );
    check_with_stdin(
        &[],
        "fmt -20 -s",
        text,
        expect![[r#"
        The quick brown fox
        jumps over the lazy
        dog. It was
        not amused.

        Second.
    "#]],
    );
}

#[test]
fn indentation_is_kept() {
    let text = "  one two three four five\nsix seven eight nine\n";
    check_with_stdin(
        &[],
        "fmt -c -w 20",
        text,
        expect![[r#"
          one two three
        four five six seven
        eight nine
    "#]],
    );
    check_with_stdin(
        &[],
        "fmt -t -w 20",
        text,
        expect![[r#"
          one two three
        four five six seven
        eight nine
    "#]],
    );
    check_with_stdin(
        &[],
        "fmt -p '# ' -w 14",
        "# one two three four\ncode here\n",
        expect![[r#"
        # one two
        # three four
        code here
    "#]],
    );
}
