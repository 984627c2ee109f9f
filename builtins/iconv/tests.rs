use crate::testing::{check, check_with_stdin, run};
use expect_test::expect;

#[test]
fn text_changes_its_bytes() {
    let (stdout, ..) = run(&[], "iconv -f utf-8 -t latin1", "aé".as_bytes());
    assert_eq!(stdout, b"a\xe9");
    let (stdout, ..) = run(&[], "iconv -f latin1 -t utf-8", b"a\xe9");
    assert_eq!(stdout, "aé".as_bytes());
    let (stdout, ..) = run(&[], "iconv -t utf-16", b"ab");
    assert_eq!(stdout, b"\xff\xfea\0b\0");
    let (stdout, ..) = run(&[], "iconv -f utf-16 -t utf-8", b"\xfe\xff\xd8\x3d\xde\x00");
    assert_eq!(stdout, "😀".as_bytes());
    let (stdout, ..) = run(&[], "iconv -t cp1252", "“€”".as_bytes());
    assert_eq!(stdout, b"\x93\x80\x94");
    let (stdout, ..) = run(&[], "iconv -f sjis", b"\x93\xfa");
    assert_eq!(stdout, "日".as_bytes());
}

#[test]
fn what_cannot_be_converted_is_an_error_or_left_out_or_replaced() {
    check_with_stdin(
        &[],
        "iconv -t ascii",
        "né\n",
        expect![[r#"
        n[no newline]
        [stderr]
        iconv: illegal input sequence at position 1
        [status 1]
    "#]],
    );
    check_with_stdin(
        &[],
        "iconv -c -t ascii",
        "né\n",
        expect![[r#"
        n
    "#]],
    );
    check_with_stdin(
        &[],
        "iconv -t ascii//IGNORE",
        "né\n",
        expect![[r#"
        n
        [stderr]
        iconv: illegal input sequence at position 1
        [status 1]
    "#]],
    );
    check_with_stdin(
        &[],
        "iconv -t ascii//TRANSLIT",
        "“né” … 日\n",
        expect![[r#"
        "ne" ... ?
    "#]],
    );
}

#[test]
fn wrong_words_are_named() {
    check(
        &[],
        "iconv -t nosuch",
        expect![[r#"
        [stderr]
        iconv: conversion from or to nosuch is not supported; `iconv -l` lists what is
        [status 1]
    "#]],
    );
    check(
        &[],
        "iconv nosuch",
        expect![[r#"
        [stderr]
        iconv: cannot open input file `nosuch': No such file or directory
        [status 1]
    "#]],
    );
}

#[test]
fn bytes_that_a_code_page_leaves_open_are_illegal() {
    let (stdout, _, status) = crate::testing::run(&[], "iconv -f cp1252", b"a\x93\x9d");
    assert_eq!((stdout, status.0), ("a“".as_bytes().to_vec(), 1));
    let (stdout, _, status) = crate::testing::run(&[], "iconv -c -t cp1252//IGNORE", "a\u{9d}é".as_bytes());
    assert_eq!((stdout, status.0), (b"a\xe9".to_vec(), 0));
}

#[test]
fn each_file_begins_anew_and_a_folder_ends_it() {
    let tree = [("a", "x"), ("b", "y"), ("d/c", "")];
    let (stdout, ..) = crate::testing::run(&tree, "iconv -t utf-16 a b", b"");
    assert_eq!(stdout, b"\xff\xfex\0\xff\xfey\0");
    let (stdout, stderr, status) = crate::testing::run(&tree, "iconv d a", b"");
    assert_eq!((stdout, status.0), (Vec::new(), 1));
    assert_eq!(stderr, b"iconv: error while reading the input: Is a directory\n");
}
