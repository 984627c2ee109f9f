//! Pages as the real `pr` prints them.
use crate::testing;

const TREE: testing::Tree<'_> = &[
    ("a", "1\n2\n3\n4\n5\n6\n7\n"),
    ("b", "x\nyy\n"),
    ("ff", "one\ntwo\x0cthree\n\x0c\nfour\n"),
    ("tab", "a\tb\x01é\n"),
    ("folder/x", ""),
];

fn pages(command: &str) -> String {
    let (stdout, stderr, status) = testing::run(TREE, command, b"");
    assert_eq!((String::from_utf8_lossy(&stderr).as_ref(), status.0), ("", 0), "{command}");
    String::from_utf8_lossy(&stdout).into_owned()
}

fn complaint(command: &str) -> String {
    let (_, stderr, _) = testing::run(TREE, command, b"");
    String::from_utf8_lossy(&stderr).lines().next().unwrap_or_default().to_string()
}

#[test]
fn a_page_has_a_head_and_a_foot() {
    let second = "\n\n2025-01-15 12:00                        a                         Page 2\n\n\n3\n4\n\n\n\n\n\n";
    assert_eq!(pages("pr -l 12 +2:2 a"), second);
    let head = "\n\n2025           The head           Page 1\n\n\nx\n\n\n\n\n\n";
    assert_eq!(pages("pr -D %Y -h 'The head' -W 40 -l 11 --pages=1:1 b"), head);
    assert_eq!(pages("pr -l 10 b"), "x\nyy\n");
}

#[test]
fn form_feeds_end_pages() {
    assert_eq!(pages("pr -t ff"), "one\ntwo\n\x0cthree\n\x0cfour\n");
    assert_eq!(pages("pr -T ff"), "one\ntwo\nthree\nfour\n");
    let head =
        |page| format!("\n\n2025-01-15 12:00                        ff                        Page {page}\n\n\n");
    let all = [head(1), "one\ntwo\n\x0c".into(), head(2), "three\n\x0c".into(), head(3), "four\n\x0c".into()];
    assert_eq!(pages("pr -l 12 -F ff"), all.concat());
}

#[test]
fn columns_are_filled_downwards_or_across() {
    assert_eq!(pages("pr -t -3 a"), "1\t\t\t4\t\t\t6\n2\t\t\t5\t\t\t7\n3\n");
    assert_eq!(pages("pr -ta --columns=3 a"), "1\t\t\t2\t\t\t3\n4\t\t\t5\t\t\t6\n7\n");
    assert_eq!(pages("pr -t -2 -d -l 4 a"), "1\t\t\t\t    3\n\n2\t\t\t\t    4\n\n5\t\t\t\t    7\n\n6\n");
    assert_eq!(pages("pr -t -w 9 -2 -i. a"), "1    5\n2    6\n3    7\n4\n");
}

#[test]
fn digits_are_one_number_until_something_else_comes() {
    assert_eq!(pages("pr -t -4 a -3"), pages("pr -t -3 a"));
    assert_eq!(pages("pr -t -1 -0 -w 40 a"), pages("pr -t -10 -w 40 a"));
}

#[test]
fn files_stand_side_by_side() {
    let numbered = "    1\t1\t\t\t\tx\n    2\t2\t\t\t\tyy\n    3\t3\t\t\t\t\n    4\t4\t\t\t\t\n    5\t5\t\t\t\t\n    \
                    6\t6\t\t\t\t\n    7\t7\t\t\t\t\n";
    assert_eq!(pages("pr -m -t -n a b"), numbered);
    assert_eq!(pages("pr -J -m -t a b"), "1\tx\n2\tyy\n3\t\n4\t\n5\t\n6\t\n7\t\n");
    let (stdout, ..) = testing::run(TREE, "pr -m -t - -", b"x\ny\nz\n");
    assert_eq!(String::from_utf8_lossy(&stdout), "x\t\t\t\t    y\nz\t\t\t\t    \n");
}

#[test]
fn separators() {
    assert_eq!(pages("pr -t -2 -s: a"), "1:5\n2:6\n3:7\n4\n");
    assert_eq!(pages("pr -t -2 '-S | ' a"), "1\t\t\t\t   | 5\n2\t\t\t\t   | 6\n3\t\t\t\t   | 7\n4\n");
}

#[test]
fn bytes_that_do_not_print_are_shown() {
    assert_eq!(pages("pr -t -c -e4 tab"), "a   b^A\\303\\251\n");
    assert_eq!(pages("pr -t -v -n:2 -o2 tab"), "   1:a\tb\\001\\303\\251\n");
}

#[test]
fn what_is_wrong_is_named() {
    let missing = testing::run(TREE, "pr nosuch b -t", b"");
    assert_eq!(missing.0, b"x\nyy\n");
    assert_eq!((missing.1, missing.2.0), (b"pr: nosuch: No such file or directory\n".to_vec(), 1));
    let quiet = testing::run(TREE, "pr -r nosuch", b"");
    assert_eq!((quiet.1, quiet.2.0), (b"".to_vec(), 1));
    assert_eq!(complaint("pr folder"), "pr: folder: Is a directory");
    assert_eq!(complaint("pr +9 a"), "pr: starting page number 9 exceeds page count 1");
    assert_eq!(complaint("pr -m -2 a b"), "pr: cannot specify number of columns when printing in parallel");
    assert_eq!(complaint("pr -ma a b"), "pr: cannot specify both printing across and printing in parallel");
    assert_eq!(complaint("pr -e0 a"), "pr: '-e' extra characters or invalid number in the argument: ‘0’");
    assert_eq!(complaint("pr +3: a"), "pr: invalid + argument '3:'");
    assert_eq!(complaint("pr --pages=3:2 a"), "pr: invalid page range ‘3:2’");
    assert_eq!(complaint("pr -w 3 -9 a"), "pr: page width too narrow");
    let range = "pr: '-l PAGE_LENGTH' invalid number of lines: ‘0’: Numerical result out of range";
    assert_eq!(complaint("pr -l 0 a"), range);
}

#[test]
fn widths_have_no_limit_of_their_own() {
    assert_eq!(pages("pr -t -n:70000 b").split('\n').next().map(str::len), Some(70_000 + ":x".len()));
    let head = pages("pr -W 200000 b").lines().nth(2).map(|head| (head.len(), head.ends_with(" Page 1")));
    assert_eq!(head, Some((200_000, true)));
}
