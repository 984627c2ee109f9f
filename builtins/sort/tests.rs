//! What `sort` answers, and that it is the same with several threads.
use crate::{
    Cancel, Input, InputKind, Output, Sink, Status, Stdio, Stop,
    testing::{check, check_with_stdin, literal, run_until},
};
use expect_test::expect;
use std::{
    io::{self, BufRead, Read},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

fn sorted(flags: &str, stdin: &str) -> String {
    let (stdout, ..) = crate::testing::run(&[], &format!("sort {flags}"), stdin.replace(' ', "\n").as_bytes());
    String::from_utf8_lossy(&stdout).trim_end().replace('\n', " ")
}

#[test]
fn every_kind_of_order() {
    assert_eq!(sorted("", "b a C é B"), "B C a b é");
    assert_eq!(sorted("-n", "10 9 1e3 -5 x 0.5 .25"), "-5 x .25 0.5 1e3 9 10");
    assert_eq!(sorted("-g", "10 9 1e3 -5 x nan inf"), "x nan -5 9 10 1e3 inf");
    assert_eq!(sorted("-h", "1G 2K 1M 512 -1K 0"), "-1K 0 512 2K 1M 1G");
    assert_eq!(sorted("-M", "Mar Jan feb xyz Dec"), "xyz Jan feb Mar Dec");
    assert_eq!(sorted("-V", "1.10 1.9 2.0.0-rc.1 2.0.0"), "1.9 1.10 2.0.0 2.0.0-rc.1");
    assert_eq!(sorted("-f", "b A a B"), "A a B b");
    assert_eq!(sorted("-d", "b-a ba b_"), "b_ b-a ba");
    assert_eq!(sorted("-rn", "1 3 2"), "3 2 1");
    assert_eq!(sorted("-R -u", "a b a b").len(), 3);
}

#[test]
fn equal_keys_are_ordered_by_the_whole_line_or_not_at_all() {
    let rows = "b_2 a_9 b_1 a_1";
    assert_eq!(sorted("-t_ -k1,1", rows), "a_1 a_9 b_1 b_2");
    assert_eq!(sorted("-t_ -k1,1 -s", rows), "a_9 a_1 b_2 b_1");
    assert_eq!(sorted("-t_ -k1,1 -u", rows), "a_9 b_2");
    assert_eq!(sorted("-t_ -k1,1 -r", rows), "b_2 b_1 a_9 a_1");
    assert_eq!(sorted("-t_ -k1,1r -k2n", rows), "b_1 b_2 a_1 a_9");
    assert_eq!(sorted("+1 -2 -t_", "x_2_a y_1_b"), "y_1_b x_2_a");
}

#[test]
fn order_is_checked() {
    check_with_stdin(
        &[],
        "sort -c",
        "a\nc\nb\n",
        expect![[r#"
        [stderr]
        sort: -:3: disorder: b
        [status 1]
    "#]],
    );
    check_with_stdin(
        &[],
        "sort -C",
        "a\nc\nb\n",
        expect![[r#"
        [status 1]
    "#]],
    );
    check_with_stdin(
        &[],
        "sort -cu",
        "a\na\n",
        expect![[r#"
        [stderr]
        sort: -:2: disorder: a
        [status 1]
    "#]],
    );
}

#[test]
fn files_are_merged() {
    check(
        &[("a", "1\n3\n"), ("b", "2\n3\n4")],
        "sort -mu a b",
        expect![[r#"
        1
        2
        3
        4
    "#]],
    );
}

#[test]
fn trouble_has_status_2() {
    check(
        &[("a", ""), ("d/e", "")],
        "sort a nosuch",
        expect![[r#"
        [stderr]
        sort: cannot read: nosuch: No such file or directory
        [status 2]
    "#]],
    );
    check(
        &[("a", ""), ("d/e", "")],
        "sort d",
        expect![[r#"
        [stderr]
        sort: read failed: d: Is a directory
        [status 2]
    "#]],
    );
    check(
        &[("a", "")],
        "sort -o out a",
        expect![[r#"
        [stderr]
        sort: open failed: out: Read-only file system
        [status 2]
    "#]],
    );
    check(
        &[],
        "sort -k x",
        expect![[r#"
        [stderr]
        sort: invalid number at field start: invalid count at start of ‘x’
        [status 2]
    "#]],
    );
    check(
        &[],
        "sort -hn",
        expect![[r#"
        [stderr]
        sort: options '-hn' are incompatible
        [status 2]
    "#]],
    );
}

#[test]
fn threads_keep_equal_lines_in_the_order_of_the_input() {
    for threads in 1..=8 {
        let sorted = |flags: &str, rows: &str| sorted(&format!("--parallel={threads} -t_ {flags}"), rows);
        let rows = "a_5 b_4 a_3 b_2 a_1 b_9 a_8 b_7 a_6 b_0";
        assert_eq!(sorted("-s -k1,1", rows), "a_5 a_3 a_1 a_8 a_6 b_4 b_2 b_9 b_7 b_0");
        assert_eq!(sorted("-s -k1,1r", rows), "b_4 b_2 b_9 b_7 b_0 a_5 a_3 a_1 a_8 a_6");
        assert_eq!(sorted("-k1,1", rows), "a_1 a_3 a_5 a_6 a_8 b_0 b_2 b_4 b_7 b_9");
        assert_eq!(sorted("-k1,1r -k2n", rows), "b_0 b_2 b_4 b_7 b_9 a_1 a_3 a_5 a_6 a_8");
        for kind in ["", "f", "d", "n", "g", "h", "M", "V", "R"] {
            let equal = "x_9 x_1 x_8 x_2 x_7 x_3 x_6 x_4 x_5";
            assert_eq!(sorted(&format!("-s -k1,1{kind}"), equal), equal, "{kind}");
            assert_eq!(sorted(&format!("-s -r -k1,1{kind}"), equal), equal, "{kind}");
        }
    }
}

#[test]
fn threads_write_equal_lines_once() {
    for threads in 1..=8 {
        let sorted = |flags: &str, rows: &str| sorted(&format!("--parallel={threads} -t_ {flags}"), rows);
        assert_eq!(sorted("-u", "b a b a b a b a b a b"), "a b");
        assert_eq!(sorted("-u", "a a a a a a a a a"), "a");
        assert_eq!(sorted("-u -k1,1", "b_3 a_2 b_2 a_1 b_1 a_3 b_4 a_4"), "a_2 b_3");
        assert_eq!(sorted("-nu", "2 02 1.0 2.0 1 3 1.00 3.5"), "1.0 2 3 3.5");
        assert_eq!(sorted("-fu", "b B a A c C"), "a b c");
    }
}

#[test]
fn lines_that_begin_alike_are_told_apart_by_how_they_go_on() {
    for length in [6, 7, 8, 14, 21, 22, 223, 224, 225, 5_000] {
        let same = "x".repeat(length);
        let line = |end: &str| format!("{same}{end}");
        let rows =
            [line("c"), line(""), line("b"), line("\u{1}"), line("ba"), line("a"), line("ab"), line("b"), line("bb")];
        let expected =
            [line(""), line("\u{1}"), line("a"), line("ab"), line("b"), line("b"), line("ba"), line("bb"), line("c")];
        for threads in ["1", "2", "3"] {
            assert_eq!(sorted(&format!("--parallel={threads}"), &rows.join(" ")), expected.join(" "), "{length}");
            // As the key before one that decides.
            let keyed: Vec<String> = ["3", "1", "2"].map(|end| format!("{same}_{end}")).into();
            let expected = [&*keyed[1], &keyed[2], &keyed[0]].join(" ");
            assert_eq!(sorted(&format!("--parallel={threads} -t_ -k1,1 -k2n"), &keyed.join(" ")), expected, "{length}");
        }
    }
}

/// More than one thread gathers what is written of this: each of 3 lines 60,000 times, in turn.
fn long() -> Vec<u8> {
    b"gamma 3\nalpha 1\nbeta 2\n".repeat(60_000)
}

#[test]
fn much_is_written_in_order_and_equal_lines_once() {
    let run = |command: &str| String::from_utf8(crate::testing::run(&[], command, &long()).0).unwrap();
    let expected = ["alpha 1\n", "beta 2\n", "gamma 3\n"].map(|line| line.repeat(60_000)).concat();
    assert!(run("sort") == expected);
    assert!(run("sort -s -k2n") == expected);
    assert_eq!(run("sort -u"), "alpha 1\nbeta 2\ngamma 3\n");
    assert_eq!(run("sort -u -k2,2r"), "gamma 3\nbeta 2\nalpha 1\n");
}

#[test]
fn a_line_that_is_too_long_to_be_gathered_is_written_all_the_same() {
    let long = "z".repeat(3 << 20);
    let stdin = format!("{long}\nb\n{long}\na\n");
    let (stdout, ..) = crate::testing::run(&[], "sort", stdin.as_bytes());
    assert!(stdout == format!("a\nb\n{long}\n{long}\n").as_bytes());
}

/// A text at whose end the run is stopped.
struct StopsAtEnd(io::Cursor<Vec<u8>>, Cancel);

impl Read for StopsAtEnd {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.0.read(buf)
    }
}

impl BufRead for StopsAtEnd {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let bytes = self.0.fill_buf()?;
        if bytes.is_empty() {
            self.1.stop(Stop::Interrupted);
        }
        Ok(bytes)
    }

    fn consume(&mut self, count: usize) {
        self.0.consume(count);
    }
}

/// Counts what is written, and stops the run at the first write.
struct StopsAtStart(AtomicUsize, Cancel);

impl Sink for StopsAtStart {
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        self.0.fetch_add(bytes.len(), Ordering::Relaxed);
        self.1.stop(Stop::Interrupted);
        Ok(())
    }
}

#[test]
fn a_stop_ends_all_threads_and_nothing_more_is_written() {
    for flags in ["", "--parallel=3", "-k2V --parallel=3", "-R"] {
        let cancel = Cancel::new();
        let stdin = Input::new(StopsAtEnd(io::Cursor::new(long()), cancel.clone()), InputKind::Pipe);
        let (stdout, out) = Output::capture();
        let stdio = Stdio { stdin, stdout, stderr: Output::null() };
        assert_eq!(run_until(literal(&[]), &format!("sort {flags}"), stdio, &cancel), Status(130), "{flags}");
        assert_eq!(out.take(), b"", "{flags}");
    }
}

#[test]
fn a_stop_ends_the_writing() {
    let lines = long().repeat(5);
    let cancel = Cancel::new();
    let sink = Arc::new(StopsAtStart(AtomicUsize::new(0), cancel.clone()));
    let stdio = Stdio { stdin: Input::bytes(lines.clone()), stdout: Output::new(sink.clone()), stderr: Output::null() };
    assert_eq!(run_until(literal(&[]), "sort", stdio, &cancel), Status(130));
    let written = sink.0.load(Ordering::Relaxed);
    assert!(written > 0 && written < lines.len(), "{written} of {}", lines.len());
}
