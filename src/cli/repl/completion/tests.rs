//! Lines with the cursor at their end, and what could come next.
use super::*;
use crate::{
    shell::Mode,
    site::{Options, Site, Visitor},
    store::memory::{File, Memory},
    tree::{Layout, access::Class as Access},
};
use bytes::Bytes;
use docsh_builtins::{Cancel, Input, Limits, Output, Session, Stdio};

const PAGES: &[(&str, Access)] = &[
    ("auth/oauth.md", Access::Public),
    ("auth/oauth-errors.md", Access::Public),
    ("auth/keys/rotate.md", Access::Public),
    ("guides/a first page.md", Access::Public),
    ("guides/it's.md", Access::Public),
    (".hidden.md", Access::Public),
    ("internal/secret.md", Access::SignedIn),
    ("guides/advanced.md", Access::SignedIn),
];

/// The session of an anonymous visitor in the root of a small site.
fn shell() -> Shell {
    let file = |(slug, class): &(&'static str, Access)| File {
        slug: (*slug).into(),
        body: Bytes::from_static(b"text\n"),
        title: None,
        address: None,
        order: None,
        class: class.clone(),
        mtime: None,
        mode: 0o644,
        view: false,
    };
    let store = Memory::new("test", PAGES.iter().map(file).collect(), Layout::default());
    let site = Site::over(store, Options::default(), &Cancel::new()).unwrap();
    Shell::new(site.session(&Visitor::Anonymous), Limits::default(), Session::new(), Mode::Interactive)
}

fn run(shell: &mut Shell, text: &str) {
    let io = Stdio { stdin: Input::empty(), stdout: Output::null(), stderr: Output::null() };
    shell.run(text, 1, io, &Cancel::new());
}

/// The lines that `line` could become, in order.
fn lines_of(shell: &Shell, line: &str) -> Vec<String> {
    let (start, found) = complete(shell, line, line.len());
    found.iter().map(|pair| format!("{}{}", &line[..start], pair.replacement)).collect()
}

#[track_caller]
fn check(line: &str, expected: &[&str]) {
    assert_eq!(lines_of(&shell(), line), expected, "{line}");
}

#[test]
fn commands_stand_where_commands_begin() {
    check("gre", &["grep "]);
    check("cat a | unex", &["cat a | unexpand "]);
    check("if tru", &["if true ", "if truncate "]);
    check("x=$(basen", &["x=$(basename ", "x=$(basenc "]);
    check("xargs -0 gre", &["xargs -0 grep "]);
    check("echo gre", &[]);
    let mut shell = shell();
    run(&mut shell, "greet() { :; }; alias great=ls");
    assert_eq!(lines_of(&shell, "gre"), ["great ", "greet ", "grep "]);
}

#[test]
fn options_come_from_the_table_of_the_command() {
    check("basename --s", &["basename --suffix="]);
    check("grep --recu", &["grep --recursive "]);
    check("cat x | /usr/bin/grep --recu", &["cat x | /usr/bin/grep --recursive "]);
    check("grep -- --recu", &[]);
    check("nosuch --h", &[]);
}

#[test]
fn paths_are_completed_by_the_folder() {
    check("cat au", &["cat auth/"]);
    check("cat auth/oauth-", &["cat auth/oauth-errors.md "]);
    check("cat auth/", &["cat auth/keys/", "cat auth/oauth-errors.md ", "cat auth/oauth.md "]);
    check("cd auth/", &["cd auth/keys/"]);
    check("wc < auth/k", &["wc < auth/keys/"]);
    check("cat ~/au", &["cat ~/auth/"]);
    check("cat ~", &["cat ~/"]);
    check("cat $HOME/au", &["cat $HOME/auth/"]);
    check("grep --file=au", &["grep --file=auth/"]);
    check("for page in au", &["for page in auth/"]);
    check("/au", &["/auth/"]);
    check("cat .h", &["cat .hidden.md "]);
    check("cat nosuch/", &[]);
    check("cat au*/", &[]);
    check("# au", &[]);
}

#[test]
fn names_are_written_in_the_quotes_they_stand_in() {
    check("cat guides/a", &[r"cat guides/a\ first\ page.md "]);
    check(r"cat guides/a\ f", &[r"cat guides/a\ first\ page.md "]);
    check("cat 'guides/a f", &["cat 'guides/a first page.md' "]);
    check("cat \"guides/a", &["cat \"guides/a first page.md\" "]);
    check("cat guides/'a f", &["cat guides/'a first page.md' "]);
    check("cat guides/a' f", &[r"cat guides/a\ first\ page.md "]);
    check("cat 'guides/i", &[r"cat 'guides/it'\''s.md' "]);
    check("cat 'au", &["cat 'auth/"]);
}

#[test]
fn variables_are_completed_by_name() {
    let mut shell = shell();
    run(&mut shell, "folder=auth");
    assert_eq!(lines_of(&shell, "echo $fold"), ["echo $folder"]);
    assert_eq!(lines_of(&shell, "echo \"${fold"), ["echo \"${folder}"]);
    assert_eq!(lines_of(&shell, "unset fold"), ["unset folder "]);
    assert_eq!(lines_of(&shell, "cat $folder/k"), ["cat $folder/keys/"]);
}

#[test]
fn what_the_visitor_may_not_see_is_not_completed() {
    check("cat int", &[]);
    check("cat internal/", &[]);
    check("cat internal/s", &[]);
    check("cat guides/ad", &[]);
}
