use crate::testing::{check, check_with_stdin};
use expect_test::expect;

#[test]
fn sums_are_cut_off_at_the_scale() {
    check_with_stdin(
        &[],
        "bc",
        "10/3\nscale=3; 10/3; 2^100\n",
        expect![[r#"
        3
        3.333
        1267650600228229401496703205376
    "#]],
    );
    check_with_stdin(
        &[],
        "bc -l",
        "1/3; 4*a(1)\n",
        expect![[r#"
        .33333333333333333333
        3.14159265358979323844
    "#]],
    );
}

#[test]
fn long_numbers_are_broken() {
    check_with_stdin(
        &[],
        "bc",
        "2^300\n",
        expect![[r#"
        20370359763344860862684456884093781610514683936659362506361404493543\
        81299763336706183397376
    "#]],
    );
}

#[test]
fn functions_loops_and_arrays() {
    check(
        &[("f", "define f(n) {\n  auto r\n  r = 1\n  for (; n > 1; n--) r *= n\n  return (r)\n}\n")],
        "bc -q f",
        expect![""],
    );
    let program = "define g(*a[], n) { a[0] = n; }\ng(z[], 7)\nz[0]\nwhile (i < 5) { if (i == 3) break; i++\n}\n";
    check_with_stdin(
        &[],
        "bc",
        program,
        expect![[r#"
        0
        7
        0
        1
        2
    "#]],
    );
}

#[test]
fn bases_and_last() {
    check_with_stdin(
        &[],
        "bc",
        "obase=16; 255\nibase=2; 101\nlast + .\n",
        expect![[r#"
        FF
        5
        A
    "#]],
    );
}

#[test]
fn an_error_ends_its_line_only() {
    check_with_stdin(
        &[],
        "bc",
        "1/0\n2+\n3\n",
        expect![[r#"
        3
        [stderr]
        Runtime error (func=(main), adr=0): Divide by zero
        (standard_in) 2: syntax error
    "#]],
    );
}
