use crate::testing::{check, run};
use expect_test::{Expect, expect};

/// Check what `command` prints, each line's end shown as `$`: a month is padded with blanks.
fn check_padded(command: &str, expected: Expect) {
    let (stdout, ..) = run(&[], command, b"");
    expected.assert_eq(&String::from_utf8_lossy(&stdout).replace('\n', "$\n"));
}

#[test]
fn weeks_stand_in_rows_or_in_columns() {
    check_padded(
        "cal 2 2024",
        expect![[r#"
               February 2024      $
            Su Mo Tu We Th Fr Sa  $
                         1  2  3  $
             4  5  6  7  8  9 10  $
            11 12 13 14 15 16 17  $
            18 19 20 21 22 23 24  $
            25 26 27 28 29        $
                                  $
        "#]],
    );
    check_padded(
        "ncal 2 2024",
        expect![[r#"
                February 2024     $
            Su     4 11 18 25   $
            Mo     5 12 19 26   $
            Tu     6 13 20 27   $
            We     7 14 21 28   $
            Th  1  8 15 22 29   $
            Fr  2  9 16 23      $
            Sa  3 10 17 24      $
        "#]],
    );
    check_padded(
        "cal -3 -j 1 2024",
        expect![[r#"
                   December 2023                January 2024          $
             Su  Mo  Tu  We  Th  Fr  Sa   Su  Mo  Tu  We  Th  Fr  Sa  $
                                335 336        1   2   3   4   5   6  $
            337 338 339 340 341 342 343    7   8   9  10  11  12  13  $
            344 345 346 347 348 349 350   14  15  16  17  18  19  20  $
            351 352 353 354 355 356 357   21  22  23  24  25  26  27  $
            358 359 360 361 362 363 364   28  29  30  31              $
            365                                                       $
            $
                   February 2024         $
             Su  Mo  Tu  We  Th  Fr  Sa  $
                             32  33  34  $
             35  36  37  38  39  40  41  $
             42  43  44  45  46  47  48  $
             49  50  51  52  53  54  55  $
             56  57  58  59  60          $
                                         $
        "#]],
    );
    check_padded(
        "ncal -w -A 1 12 2024",
        expect![[r#"
                December 2024     January 2025      $
            Su  1  8 15 22 29        5 12 19 26   $
            Mo  2  9 16 23 30        6 13 20 27   $
            Tu  3 10 17 24 31        7 14 21 28   $
            We  4 11 18 25        1  8 15 22 29   $
            Th  5 12 19 26        2  9 16 23 30   $
            Fr  6 13 20 27        3 10 17 24 31   $
            Sa  7 14 21 28        4 11 18 25      $
               49 50 51 52  1     1  2  3  4  5   $
        "#]],
    );
}

#[test]
fn the_calendar_changed() {
    check_padded(
        "cal 9 1752",
        expect![[r#"
               September 1752     $
            Su Mo Tu We Th Fr Sa  $
                   1  2 14 15 16  $
            17 18 19 20 21 22 23  $
            24 25 26 27 28 29 30  $
                                  $
                                  $
                                  $
        "#]],
    );
    check_padded(
        "ncal -s IT 10 1582",
        expect![[r#"
                October 1582      $
            Su    17 24 31      $
            Mo  1 18 25         $
            Tu  2 19 26         $
            We  3 20 27         $
            Th  4 21 28         $
            Fr 15 22 29         $
            Sa 16 23 30         $
        "#]],
    );
    check_padded(
        "ncal -e 2024",
        expect![[r#"
            03/31/24$
        "#]],
    );
    check_padded(
        "ncal -o 2024",
        expect![[r#"
            05/05/24$
        "#]],
    );
}

#[test]
fn wrong_words_are_64() {
    check(
        &[],
        "cal 13 2024",
        expect![[r#"
        [stderr]
        cal: 13 is neither a month number (1..12) nor a name
        [status 64]
    "#]],
    );
    check(
        &[],
        "cal 0",
        expect![[r#"
        [stderr]
        cal: year `0' not in range 1..9999
        [status 64]
    "#]],
    );
    check(
        &[],
        "cal -x",
        expect![[r#"
        [stderr]
        cal: invalid option -- 'x'
        Try 'cal --help' for more information.
        [status 64]
    "#]],
    );
}

#[test]
fn a_month_may_be_the_last_or_the_next_of_its_name() {
    let head = |command: &str| {
        let (stdout, ..) = crate::testing::run(&[], command, b"");
        String::from_utf8_lossy(&stdout).lines().next().unwrap_or_default().trim().to_string()
    };
    let all = ["2p", "11p", "2f", "11f"].map(|month| head(&format!("ncal -d 2024-05 -m {month}")));
    assert_eq!(all, ["February 2024", "November 2023", "February 2025", "November 2024"]);
    assert_eq!(["2p", "2f"].map(|month| head(&format!("ncal -m {month} 2024"))), ["February 2023", "February 2024"]);
    let (_, stderr, status) = crate::testing::run(&[], "ncal -1 2024", b"");
    assert_eq!(status.0, 64);
    let expected = "ncal: -1 together with a given year but no given month is not supported.\n";
    assert_eq!(String::from_utf8_lossy(&stderr), expected);
}
