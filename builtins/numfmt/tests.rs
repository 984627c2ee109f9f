use crate::testing::{check, check_with_stdin};
use expect_test::expect;

#[test]
fn sizes_for_people_and_back() {
    check(
        &[],
        "numfmt --to=si 999 1000 1450 999950",
        expect![[r#"
        999
        1.0K
        1.5K
        1.0M
    "#]],
    );
    check(
        &[],
        "numfmt --to=iec-i --suffix=B 12345678",
        expect![[r#"
        12MiB
    "#]],
    );
    check(
        &[],
        "numfmt --from=auto 1Ki 1K 2.5M",
        expect![[r#"
        1024
        1000
        2500000
    "#]],
    );
    check(
        &[],
        "numfmt --to-unit=1024 --round=down 5000",
        expect![[r#"
        4
    "#]],
    );
}

#[test]
fn fields_keep_their_columns() {
    check_with_stdin(
        &[],
        "numfmt --header --field 2 --to=iec",
        "name size\n a    1000 x\n bb   204800 y\n",
        expect![[r#"
            name size
             a    1000 x
             bb     200K y
        "#]],
    );
    check_with_stdin(
        &[],
        "numfmt -d: --field=2- --to=si",
        "a:1500:2000000\n",
        expect![[r#"
        a:1.5K:2.0M
    "#]],
    );
}

#[test]
fn formats_pad_and_round() {
    check(
        &[],
        "numfmt --format '<%8.2f>' 1234.567",
        expect![[r#"
        < 1234.57>
    "#]],
    );
    check(
        &[],
        "numfmt --format '%-6f|' 5",
        expect![[r#"
        5     |
    "#]],
    );
    check(
        &[],
        "numfmt --format %06f --to=si 1500",
        expect![[r#"
        0001.5K
    "#]],
    );
}

#[test]
fn what_is_no_number_ends_it_unless_told_otherwise() {
    check(
        &[],
        "numfmt 1 x 2",
        expect![[r#"
        1
        [stderr]
        numfmt: invalid number: ‘x’
        [status 2]
    "#]],
    );
    check(
        &[],
        "numfmt --invalid=fail 1K 2",
        expect![[r#"
        1K
        2
        [stderr]
        numfmt: rejecting suffix in input: ‘1K’ (consider using --from)
        [status 2]
    "#]],
    );
    check(
        &[],
        "numfmt --invalid=ignore x",
        expect![[r#"
        x
    "#]],
    );
}

#[test]
fn zero_has_no_sign_and_two_percent_signs_are_one() {
    let answer = |command: &str| {
        let (stdout, stderr, status) = crate::testing::run(&[], command, b"");
        format!("{}{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr), status.0)
    };
    assert_eq!(answer("numfmt --to=si --format=%.1f -- -0"), "0.0\n0");
    assert_eq!(answer("numfmt --format='%%%f%%' 5"), "%5%\n0");
    assert_eq!(answer("numfmt --from=iec-i 5Ki"), "5120\n0");
    let missing = "numfmt: missing 'i' suffix in input: ‘5’ (e.g Ki/Mi/Gi)\n2";
    assert_eq!(answer("numfmt --from=iec-i 5"), missing);
    let grouped = format!("numfmt --to=si --format=%{}f 5", r"\'");
    assert_eq!(answer(&grouped), "numfmt: grouping cannot be combined with --to\n1");
}
