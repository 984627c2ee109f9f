//! Running command lines over a literal tree, for the shell's own tests.
use super::{Mode, Shell};
use crate::{
    site::{Options, Site, Visitor},
    store::memory::{File, Memory},
    tree::{Layout, access::Class},
};
use bytes::Bytes;
use docsh_builtins::{Cancel, Input, Limits, Output, Session, Stdio};

/// A literal tree: paths and texts.
pub(crate) type Tree = &'static [(&'static str, &'static str)];

/// The tree of the tests of words and variables: names that globs must take care with.
pub(crate) const TREE: Tree = &[
    ("-dash", ""),
    (".h/y", ""),
    ("[x]", ""),
    ("a/b/.q", ""),
    ("a/b/c/h", ""),
    ("a/b/g", ""),
    ("a/f", ""),
    ("d/.hid", ""),
    ("f1", ""),
    ("index.md", ""),
    ("sp ace.md", ""),
];

/// What `docsh -c text` answers over `tree` with an empty stdin: stdout, then stderr, then `[N]` for a status that is
/// not 0.
pub(crate) fn answer(tree: Tree, text: &str) -> String {
    answer_within(tree, text, Limits::default())
}

/// The same with other limits.
pub(crate) fn answer_within(tree: Tree, text: &str, limits: Limits) -> String {
    let file = |(slug, text): &(&'static str, &'static str)| File {
        slug: (*slug).into(),
        body: Bytes::from_static(text.as_bytes()),
        title: None,
        address: None,
        order: None,
        class: Class::Public,
        mtime: None,
        mode: 0o644,
        view: false,
    };
    let store = Memory::new("test", tree.iter().map(file).collect(), Layout::default());
    let site = Site::over(store, Options::default(), &Cancel::new()).unwrap();
    let fs = site.session(&Visitor::Anonymous);
    let (stdout, out) = Output::capture();
    let (stderr, err) = Output::capture();
    let io = Stdio { stdin: Input::empty(), stdout, stderr: stderr.unbuffered() };
    let mut shell = Shell::new(fs, limits, Session::new(), Mode::Command);
    let ended = shell.run(text, 1, io, &Cancel::new());
    let status = shell.finish(ended);
    drop(shell);
    let mut answer = String::from_utf8_lossy(&out.take()).into_owned();
    answer += &String::from_utf8_lossy(&err.take());
    if !status.is_ok() {
        answer += &format!("[{}]\n", status.0);
    }
    answer
}

/// Each command line and what it answers. In all of them `p` shows its arguments as `<one><two>`.
pub(crate) fn check_all(tree: Tree, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let answer = answer(tree, &format!("p() {{ printf '<%s>' \"$@\"; echo; }}; {text}"));
        assert_eq!(answer, *expected, "\n{text}");
    }
}
