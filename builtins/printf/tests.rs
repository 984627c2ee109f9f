//! What `printf` prints, and what it says to a format or an argument that is wrong.
use crate::testing::check;
use expect_test::expect;

#[test]
fn directives() {
    check(
        &[],
        r"printf '|%5d|%-5s|%05.1f\n' 42 ab 3.14159",
        expect![[r#"
            |   42|ab   |003.1
        "#]],
    );
    check(
        &[],
        r"printf '%x %X %o %e %g %i %u\n' 255 255 8 12345.678 0.0001 -3 -1",
        expect![[r#"
        ff FF 10 1.234568e+04 0.0001 -3 18446744073709551615
    "#]],
    );
    check(
        &[],
        r"printf '|%5.3d|%+d|% d|%05d|%#x|%#o|%.0d|\n' 5 5 5 -5 255 8 0",
        expect![[r#"
            |  005|+5| 5|-0005|0xff|010||
        "#]],
    );
    check(
        &[],
        r"printf '|%*d|%-*d|%.*f|%*d|\n' 5 3 5 3 2 3.14159 -4 1",
        expect![[r#"
            |    3|3    |3.14|1   |
        "#]],
    );
}

#[test]
fn bytes_are_counted() {
    check(
        &[],
        r"printf '|%5s|%-5s|%.3s|\n' é 日本 日本",
        expect![[r#"
            |   é|日本|日|
        "#]],
    );
}

#[test]
fn the_format_is_used_again() {
    check(
        &[],
        r"printf 'a%sb%sc\n' 1 2 3",
        expect![[r#"
        a1b2c
        a3bc
    "#]],
    );
    check(
        &[],
        r"printf 'x\n' a b",
        expect![[r#"
        x
    "#]],
    );
}

#[test]
fn numbers_in_every_notation_and_wrong_ones() {
    check(&[], r#"printf '%d ' 0x1f 010 "'A" '"é' -5 ' 7'"#, expect!["31 8 65 233 -5 7 [no newline]\n"]);
    check(
        &[],
        r"printf '%d\n' abc 12x 08 0x",
        expect![[r#"
        0
        12
        0
        0
        [stderr]
        printf: abc: invalid number
        printf: 12x: invalid number
        printf: 08: invalid octal number
        printf: 0x: invalid hex number
        [status 1]
    "#]],
    );
    check(
        &[],
        r"printf '%d\n' 99999999999999999999",
        expect![[r#"
        9223372036854775807
        [stderr]
        printf: warning: 99999999999999999999: Numerical result out of range
    "#]],
    );
}

#[test]
fn a_wrong_directive_ends_it() {
    check(
        &[],
        r"printf 'a%zyb' x",
        expect![[r#"
        a[no newline]
        [stderr]
        printf: `y': invalid format character
        [status 1]
    "#]],
    );
    check(
        &[],
        r"printf '%3$s %1$s\n' a b c",
        expect![[r#"
        [stderr]
        printf: `$': invalid format character
        [status 1]
    "#]],
    );
    check(
        &[],
        r"printf 'x%5'",
        expect![[r#"
        x[no newline]
        [stderr]
        printf: `%5': missing format character
        [status 1]
    "#]],
    );
}

#[test]
fn words_decoded_quoted_and_timed() {
    check(
        &[],
        r"printf '%b|%q|%(%F)T|%10(%Y)T\n' 'a\tb\0101' 'a b' 0 0",
        expect![["
        a\tbA|a\\ b|1970-01-01|      1970
    "]],
    );
    check(&[], r"printf '%b-%s' 'x\cy' z", expect!["x[no newline]\n"]);
}

#[test]
fn a_huge_width_meets_the_limit() {
    check(
        &[],
        "printf %2147483647d 1",
        expect![[r#"
        [stderr]
        printf: memory limit of 256 MiB reached
        [status 126]
    "#]],
    );
}
