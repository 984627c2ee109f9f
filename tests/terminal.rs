//! docsh at a terminal: a person types into a pseudo-terminal and reads what comes back.
//!
//! Typed lines compute what they are to print (`echo $((40 + 2))`), since the terminal also shows what is typed.
use crate::support::tree;
use rexpect::session::{PtySession, spawn_command};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

/// How long an answer may take, in milliseconds: a person would have given up.
const PATIENCE: u64 = 10_000;

/// A session over a folder of one page, and where its history is kept.
struct Desk {
    pages: tempfile::TempDir,
    state: tempfile::TempDir,
}

impl Desk {
    fn new() -> Desk {
        Desk { pages: tree::literal([("page.md", "# A page\n")]), state: tempfile::tempdir().unwrap() }
    }

    /// Sit down: docsh has started and shows its prompt.
    fn sit(&self) -> PtySession {
        let mut command = Command::new(env!("CARGO_BIN_EXE_docsh"));
        command.arg("--dir").arg(self.pages.path()).env_clear().env("TERM", "xterm").env("HOME", "/nonexistent");
        command.env("XDG_STATE_HOME", self.state.path());
        let mut session = spawn_command(command, Some(PATIENCE)).expect("a pseudo-terminal");
        prompt(&mut session);
        session
    }

    fn history(&self) -> Vec<PathBuf> {
        let folder: &Path = &self.state.path().join("docsh");
        fs::read_dir(folder).map(|entries| entries.map(|entry| entry.unwrap().path()).collect()).unwrap_or_default()
    }
}

fn prompt(session: &mut PtySession) {
    session.exp_string(":/$ ").expect("a prompt");
}

/// Type a line and expect this in the answer, then the prompt.
fn type_line(session: &mut PtySession, line: &str, answer: &str) {
    session.send_line(line).unwrap();
    session.exp_string(answer).unwrap_or_else(|error| panic!("{line}: {error}"));
    prompt(session);
}

#[test]
fn a_typed_line_is_answered_and_the_session_goes_on() {
    let desk = Desk::new();
    let mut session = desk.sit();
    type_line(&mut session, "cat page.md", "# A page");
    type_line(&mut session, "name=docs", "");
    type_line(&mut session, "echo \"still $name\"", "still docs");
}

#[test]
fn an_open_construct_asks_for_more() {
    let desk = Desk::new();
    let mut session = desk.sit();
    session.send_line("for n in 1 2; do").unwrap();
    session.send_line("echo got-$((n * 21))").unwrap();
    session.send_line("done").unwrap();
    session.exp_string("got-21").unwrap();
    session.exp_string("got-42").unwrap();
    prompt(&mut session);
    session.send_line("echo 'open").unwrap();
    session.send_line("quote' | tr a-z A-Z").unwrap();
    session.exp_string("OPEN\r\nQUOTE").unwrap();
    prompt(&mut session);
}

#[test]
fn ctrl_c_stops_what_runs_and_keeps_the_session() {
    let desk = Desk::new();
    let mut session = desk.sit();
    session.send_line("yes").unwrap();
    session.exp_string("y\r\ny\r\n").unwrap();
    session.send_control('c').unwrap();
    prompt(&mut session);
    type_line(&mut session, "echo status-$?", "status-130");
    // Also where nothing is read or written.
    session.send_line("echo busy-$((1 + 1)); while :; do :; done").unwrap();
    session.exp_string("busy-2").unwrap();
    session.send_control('c').unwrap();
    prompt(&mut session);
    type_line(&mut session, "echo status-$?", "status-130");
}

#[test]
fn ctrl_c_at_the_prompt_drops_the_line() {
    let desk = Desk::new();
    let mut session = desk.sit();
    session.send("echo not-$((1 + 1))").unwrap();
    session.flush().unwrap();
    session.send_control('c').unwrap();
    prompt(&mut session);
    type_line(&mut session, "echo here-$((1 + 1))", "here-2");
}

#[test]
fn ctrl_d_leaves_with_the_last_status() {
    let desk = Desk::new();
    let mut session = desk.sit();
    session.send_line("grep nosuchword page.md").unwrap();
    prompt(&mut session);
    session.send_control('d').unwrap();
    session.exp_eof().unwrap();
    assert_eq!(exit_status(&session), 1);
}

#[test]
fn exit_leaves_with_its_status() {
    let desk = Desk::new();
    let mut session = desk.sit();
    session.send_line("exit 7").unwrap();
    session.exp_eof().unwrap();
    assert_eq!(exit_status(&session), 7);
}

#[test]
fn the_next_session_remembers_the_lines_of_the_last() {
    let desk = Desk::new();
    let mut session = desk.sit();
    type_line(&mut session, "echo first-$((1 + 1))", "first-2");
    session.send_control('d').unwrap();
    session.exp_eof().unwrap();

    let files = desk.history();
    assert_eq!(files.len(), 1, "{files:?}");
    let mode = fs::metadata(&files[0]).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o600, "a history is nobody else's to read");

    let mut session = desk.sit();
    // The up key recalls it; Enter runs it.
    session.send("\u{1b}[A").unwrap();
    session.flush().unwrap();
    session.exp_string("echo first-").unwrap();
    session.send_line("").unwrap();
    session.exp_string("first-2").unwrap();
}

fn exit_status(session: &PtySession) -> i32 {
    use rexpect::process::WaitStatus;
    match session.process().wait().expect("an end") {
        WaitStatus::Exited(_, status) => status,
        other => panic!("{other:?}"),
    }
}
