//! Texts handed through, and the screens of a pager whose keys are pressed by a script.
use crate::{
    Cancel, Input, Key, Keyboard, Output, Sink, Status, Stdio, Terminal,
    testing::{Tree, check, check_with_stdin, literal, run_over},
};
use expect_test::expect;
use parking_lot::Mutex;
use std::{collections::VecDeque, io, sync::Arc};

#[test]
fn a_text_is_handed_through() {
    check(
        &[("a", "one\n"), ("b", "two\n")],
        "less -R +G a nosuch b",
        expect![[r#"
            one
            two
            [stderr]
            less: nosuch: No such file or directory
            [status 1]
        "#]],
    );
    check_with_stdin(
        &[],
        "less",
        "piped\n",
        expect![[r#"
            piped
        "#]],
    );
    check(
        &[("a", "one\n"), ("b", "two\n")],
        "more -10 a b",
        expect![[r#"
            ::::::::::::::
            a
            ::::::::::::::
            one
            ::::::::::::::
            b
            ::::::::::::::
            two
        "#]],
    );
    check(
        &[("a", "one\n"), ("d/b", "two\n")],
        "more a d nosuch",
        expect![[r#"
            ::::::::::::::
            a
            ::::::::::::::
            one

            *** d: directory ***

            [stderr]
            more: cannot open nosuch: No such file or directory
        "#]],
    );
}

/// A terminal of 20 columns and 5 rows, at which these keys are pressed.
struct Script {
    keys: Mutex<Option<VecDeque<Key>>>,
    shown: Mutex<String>,
}

impl Sink for Script {
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        self.shown.lock().push_str(&String::from_utf8_lossy(bytes));
        Ok(())
    }

    fn terminal(&self) -> Option<Terminal> {
        Some(Terminal { columns: 20, rows: 5, colour: true })
    }

    fn keyboard(&self) -> io::Result<Option<Box<dyn Keyboard>>> {
        Ok(self.keys.lock().take().map(|keys| Box::new(Pressed(keys)) as Box<dyn Keyboard>))
    }
}

struct Pressed(VecDeque<Key>);

impl Keyboard for Pressed {
    fn key(&mut self, _: &Cancel) -> io::Result<Key> {
        self.0.pop_front().ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

/// What the terminal is sent while `keys` are pressed, and the status.
fn sent(tree: Tree<'_>, command: &str, keys: &str) -> (String, Status) {
    let keys = keys.chars().map(|c| if c == '^' { Key::Backspace } else { Key::Char(c) }).collect();
    let script = Arc::new(Script { keys: Mutex::new(Some(keys)), shown: Mutex::default() });
    let (stdout, stderr) = (Output::new(script.clone()), Output::new(script.clone()).unbuffered());
    let status = run_over(literal(tree), command, Stdio { stdin: Input::empty(), stdout, stderr });
    let shown = script.shown.lock().clone();
    (shown, status)
}

/// The screens, each as its rows joined by `|`, the last row (what the pager says) included.
fn screens(tree: Tree<'_>, command: &str, keys: &str) -> Vec<String> {
    let (shown, status) = sent(tree, command, keys);
    assert_eq!(status, Status::OK, "{shown}");
    let shown = shown.split("\u{1b}[?1049l").next().unwrap_or_default();
    let screen = |text: &str| text.replace("\u{1b}[K", "").replace("\u{1b}[7m", "").replace("\u{1b}[m", "");
    shown.split("\u{1b}[H").skip(1).map(|text| screen(text).replace('\n', "|")).collect()
}

/// The last of them, before `q`.
fn last_screen(tree: Tree<'_>, command: &str, keys: &str) -> String {
    screens(tree, command, &format!("{keys}q")).pop().unwrap_or_default()
}

const TEN: Tree<'_> = &[("ten", "1\n2\n3 x\n4\n5\n6\n7 X\n8\n9 x\n10\n"), ("two", "a\nb\n")];

#[test]
fn pages_are_turned() {
    assert_eq!(
        screens(TEN, "less ten", "  bjkq"),
        ["1|2|3 x|4|ten", "5|6|7 X|8|:", "7 X|8|9 x|10|(END)", "3 x|4|5|6|:", "4|5|6|7 X|:", "3 x|4|5|6|:"]
    );
    assert_eq!(last_screen(TEN, "less ten", "G"), "7 X|8|9 x|10|(END)");
    assert_eq!(last_screen(TEN, "less ten", "Gg"), "1|2|3 x|4|:");
    assert_eq!(last_screen(TEN, "less ten", "4G"), "4|5|6|7 X|:");
    assert_eq!(last_screen(TEN, "less ten", "2j"), "3 x|4|5|6|:");
    assert_eq!(last_screen(TEN, "less +3 ten", ""), "3 x|4|5|6|ten");
    assert_eq!(last_screen(TEN, "less two", ""), "a|b|~|~|two (END)");
}

#[test]
fn the_terminal_is_given_back() {
    let (shown, _) = sent(TEN, "less ten", "q");
    assert!(shown.starts_with("\u{1b}[?1049h") && shown.ends_with("\u{1b}[?1049l"), "{shown:?}");
    // Also when the keys end, as they do when the person has gone.
    let (shown, status) = sent(TEN, "less ten", "");
    assert!(shown.contains("\u{1b}[?1049l"), "{shown:?}");
    assert_eq!(status, Status(1));
}

#[test]
fn searches_find_lines() {
    let search = |keys: &str| last_screen(TEN, "less ten", keys).replace("\u{1b}[27m", "");
    assert_eq!(search("/x\n"), "3 x|4|5|6|:");
    assert_eq!(search("/x\nn"), "9 x|10|~|~|(END)");
    assert_eq!(search("/x\nnN"), "3 x|4|5|6|:");
    assert_eq!(search("G?^"), "7 X|8|9 x|10|(END)");
    assert_eq!(search("G?x\n"), "3 x|4|5|6|:");
    assert_eq!(search("/[0-9]{2}\n"), "10|~|~|~|(END)");
    assert_eq!(search("/nosuch\n"), "1|2|3 x|4|Pattern not found");
    assert_eq!(search("n"), "1|2|3 x|4|No previous regular");
    assert_eq!(last_screen(TEN, "less -i ten", "/x\nn").replace("\u{1b}[27m", ""), "7 X|8|9 x|10|(END)");
    let (shown, _) = sent(TEN, "less -p x ten", "q");
    assert!(shown.contains("3 \u{1b}[7mx\u{1b}[27m"), "{shown:?}");
}

#[test]
fn files_are_changed() {
    assert_eq!(last_screen(TEN, "less two ten", ""), "a|b|~|~|two (END) - Next: t");
    assert_eq!(last_screen(TEN, "less two ten", ":n"), "1|2|3 x|4|ten");
    assert_eq!(last_screen(TEN, "less two ten", ":n:p"), "a|b|~|~|two (END) - Next: t");
    assert_eq!(last_screen(TEN, "less ten", ":n"), "1|2|3 x|4|No next file");
}

#[test]
fn lines_are_numbered_folded_and_cut() {
    let long: Tree<'_> = &[("long", "0123456789012345678901234\nnext\n")];
    assert_eq!(last_screen(long, "less long", ""), "01234567890123456789|01234|next|~|long (END)");
    assert_eq!(last_screen(long, "less -S long", ""), "01234567890123456789|next|~|~|long (END)");
    assert_eq!(last_screen(TEN, "less -N two", ""), "      1 a|      2 b|~|~|two (END)");
}

#[test]
fn what_fits_on_a_screen_needs_no_keys() {
    assert_eq!(sent(TEN, "less -F two", ""), ("a\nb\n".to_string(), Status::OK));
    assert_eq!(sent(TEN, "more two", ""), ("a\nb\n".to_string(), Status::OK));
    // `more` ends where the text does.
    let (shown, status) = sent(TEN, "more ten", "  ");
    assert!(shown.contains("--More--") && !shown.contains("1049"), "{shown:?}");
    assert_eq!(status, Status::OK);
}

#[test]
fn what_cannot_be_read_is_said() {
    let (shown, status) = sent(TEN, "less nosuch", "");
    assert_eq!((shown.as_str(), status), ("less: nosuch: No such file or directory\n", Status(1)));
    let (shown, status) = sent(TEN, "less nosuch two", "q");
    assert!(shown.starts_with("less: nosuch: No such file or directory\n"), "{shown:?}");
    assert_eq!(status, Status(1));
}
