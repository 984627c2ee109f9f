//! docsh at a terminal: a person types into a pseudo-terminal and reads what comes back.
//!
//! Typed lines compute what they are to print (`echo $((40 + 2))`), since the terminal also shows what is typed.
use crate::support::{token, tree};
use rexpect::session::{PtySession, spawn_command};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// How long an answer may take, in milliseconds: a person would have given up.
const PATIENCE: u64 = 10_000;

/// A folder of pages, called `handbook`, and where the histories of its readers are kept.
struct Desk {
    pages: tempfile::TempDir,
    state: tempfile::TempDir,
}

impl Desk {
    fn new() -> Desk {
        Desk::with(&[("page.md", "# A page\n")])
    }

    fn with(pages: &[(&str, &str)]) -> Desk {
        let pages: Vec<(String, &str)> = pages.iter().map(|(path, text)| (format!("handbook/{path}"), *text)).collect();
        let pages = tree::literal(pages.iter().map(|(path, text)| (path.as_str(), *text)));
        Desk { pages, state: tempfile::tempdir().unwrap() }
    }

    /// docsh over the folder, in no environment but a terminal without colours.
    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_docsh"));
        command.arg("--dir").arg(self.pages.path().join("handbook")).env_clear().env("HOME", "/nonexistent");
        command.env("TERM", "xterm").env("NO_COLOR", "1").env("XDG_STATE_HOME", self.state.path());
        command
    }

    /// Sit down: docsh has started and shows its prompt.
    fn sit(&self) -> PtySession {
        sit(self.command())
    }

    /// The same at a terminal that shows colours.
    fn sit_in_colour(&self) -> PtySession {
        let mut command = self.command();
        command.env_remove("NO_COLOR");
        sit(command)
    }

    fn history(&self) -> Vec<PathBuf> {
        let folder: &Path = &self.state.path().join("docsh");
        fs::read_dir(folder).map(|entries| entries.map(|entry| entry.unwrap().path()).collect()).unwrap_or_default()
    }
}

fn sit(command: Command) -> PtySession {
    let mut session = spawn_command(command, Some(PATIENCE)).expect("a pseudo-terminal");
    prompt(&mut session);
    session
}

/// Press keys, without Enter.
fn press(session: &mut PtySession, keys: &str) {
    session.send(keys).unwrap();
    session.flush().unwrap();
}

/// Type a line, and take all that the terminal shows up to the next prompt.
fn shown_for(session: &mut PtySession, line: &str) -> String {
    session.send_line(line).unwrap();
    session.exp_string(":/$ ").unwrap_or_else(|error| panic!("{line}: {error}"))
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
fn what_is_typed_ahead_is_not_lost() {
    let desk = Desk::new();
    let mut session = desk.sit();
    // All of it comes in one piece, as from a program that types, or a terminal that pastes without saying so.
    press(&mut session, &(1..=20).map(|n| format!("echo $(({n} * 1000))\r")).collect::<String>());
    for n in 1..=20 {
        session.exp_string(&format!("\n{n}000\r")).unwrap_or_else(|error| panic!("line {n}: {error}"));
    }
}

#[test]
fn a_long_line_that_comes_fast_does_not_take_the_square_of_its_length() {
    let desk = Desk::new();
    let mut session = desk.sit_in_colour();
    press(&mut session, &format!("x={}; echo $((${{#x}} + 1))\r", "y".repeat(10_000)));
    session.exp_string("\n10001\r").expect("a line of 10,000 bytes");
}

#[test]
fn the_next_line_of_a_command_is_asked_for_with_ps2() {
    let desk = Desk::new();
    let mut session = desk.sit_in_colour();
    session.send_line("PS2=\"more-$((6 * 7))? \"; echo $((1 + 1))-set").unwrap();
    // Each key shows the prompt again; only behind the output it is the next one.
    session.exp_string("2-set\r\n").unwrap();
    prompt(&mut session);
    session.send_line("echo 'open").unwrap();
    session.exp_string("more-42? ").unwrap();
    session.send_line("quote' | tr a-z A-Z").unwrap();
    session.exp_string("OPEN\r\nQUOTE\r\n").unwrap();
    prompt(&mut session);
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
fn a_prompt_ends_when_it_is_told_to() {
    use rexpect::process::{Signal, WaitStatus};
    let desk = Desk::new();
    let mut session = desk.sit();
    session.process_mut().signal(Signal::SIGTERM).unwrap();
    session.exp_eof().unwrap();
    let ended = session.process().wait().unwrap();
    assert!(matches!(ended, WaitStatus::Signaled(_, Signal::SIGTERM, _)), "{ended:?}");
}

#[test]
fn a_visitor_whose_token_has_ended_is_told_no_more_names() {
    let (desk, home) = (Desk::new(), tempfile::tempdir().unwrap());
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    // Clocks may be five seconds apart: this one has four of them left.
    let token = token::claiming(serde_json::json!({ "host": "docs", "expiresAt": now - 1, "groups": ["admin"] }));
    let mut command = Command::new(env!("CARGO_BIN_EXE_docsh"));
    command.args(["--config", &token::config(home.path())]).env_clear().env("HOME", "/nonexistent");
    command.env("DOCSH_TOKEN", token).env("TERM", "xterm").env("NO_COLOR", "1");
    command.env("XDG_STATE_HOME", desk.state.path());
    let mut session = sit(command);
    press(&mut session, "echo /internal/runb\t");
    session.exp_string("ook-failover.mdx").expect("a completion");
    session.send_control('c').unwrap();
    prompt(&mut session);
    thread::sleep(Duration::from_secs(6));
    press(&mut session, "echo /internal/runb\t-typed");
    let shown = session.exp_string("-typed").expect("what is typed");
    assert!(shown.ends_with("/internal/runb\u{7}"), "a bell and no name: {shown:?}");
    session.send_line("").unwrap();
    session.exp_string("docsh: site docs: session expired").unwrap();
    session.exp_eof().unwrap();
    assert_eq!(exit_status(&session), 77);
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

#[test]
fn a_line_behind_a_blank_is_not_kept() {
    let desk = Desk::new();
    let mut session = desk.sit();
    type_line(&mut session, "echo kept-$((1 + 1))", "kept-2");
    type_line(&mut session, " echo secret-$((1 + 1))", "secret-2");
    session.send_control('d').unwrap();
    session.exp_eof().unwrap();
    let kept = fs::read_to_string(&desk.history()[0]).unwrap();
    assert!(kept.contains("echo kept-") && !kept.contains("secret"), "{kept}");
}

#[test]
fn a_script_leaves_no_history() {
    let desk = Desk::new();
    let script = desk.pages.path().join("script");
    fs::write(&script, "echo from a script\n").unwrap();
    let run = desk.command().stdin(fs::File::open(&script).unwrap()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&run.stdout), "from a script\n");
    assert_eq!(String::from_utf8_lossy(&run.stderr), "", "no banner");
    assert_eq!(desk.history(), Vec::<PathBuf>::new());
}

#[test]
fn ctrl_r_searches_the_history() {
    let desk = Desk::new();
    let mut session = desk.sit();
    type_line(&mut session, "echo first-$((40 + 2))", "first-42");
    type_line(&mut session, "echo other-$((40 + 2))", "other-42");
    session.send_control('r').unwrap();
    press(&mut session, "first");
    session.exp_string("echo first-$((40 + 2))").unwrap();
    session.send_line("").unwrap();
    session.exp_string("first-42").unwrap();
    prompt(&mut session);
}

#[test]
fn tab_completes_commands_options_variables_and_paths() {
    let desk = Desk::with(&[("the guides/first page.md", "the first page\n"), ("other.md", "the other page\n")]);
    let mut session = desk.sit();
    type_line(&mut session, "unexp\t--help", "Usage: unexpand ");
    type_line(&mut session, "grep --recu\tfirst .", "the guides/first page.md:the first page");
    type_line(&mut session, "greeting=hello-$((1 + 1))", "");
    type_line(&mut session, "echo \"$greet\t\"", "hello-2");
    type_line(&mut session, "cat the\tf\t", "the first page");
    type_line(&mut session, "cat 'the\tf\t", "the first page");
    type_line(&mut session, "cat ~/oth\t", "the other page");
    // What is ambiguous is listed.
    press(&mut session, "base\t");
    session.exp_string("base32").unwrap();
    session.exp_string("basename").unwrap();
    session.send_control('c').unwrap();
    prompt(&mut session);
}

#[test]
fn tab_knows_nothing_that_is_hidden() {
    let page = |rules: &str| format!("---\n{rules}\n---\ntext\n");
    let (open, hidden) = (page("public: true"), page("public: false\ngroups: [staff]"));
    let desk = Desk::with(&[("open.md", &open), ("internal/plans.md", &hidden)]);
    let visit = |visitor: &str| {
        let mut command = desk.command();
        command.args(["--as", visitor]);
        sit(command)
    };
    let mut session = visit("anonymous");
    type_line(&mut session, "echo /inter\t-$((1 + 1))", "/inter-2");
    type_line(&mut session, "echo /internal/pl\t-$((1 + 1))", "/internal/pl-2");
    type_line(&mut session, "echo /op\t-$((1 + 1))", "/open.md -2");
    let mut session = visit("groups:staff");
    type_line(&mut session, "echo /inter\tpl\t-$((1 + 1))", "/internal/plans.md -2");
}

#[test]
fn lines_of_one_command_are_edited_together() {
    let desk = Desk::new();
    let mut session = desk.sit();
    session.send_line("echo 'one").unwrap();
    press(&mut session, "two' | tr a-z A-Z");
    // Up to the first line, to its end.
    press(&mut session, "\u{1b}[A\u{5}");
    session.send_line(" more").unwrap();
    session.exp_string("ONE MORE\r\nTWO").unwrap();
    prompt(&mut session);
}

#[test]
fn what_is_pasted_waits_for_enter() {
    let desk = Desk::new();
    let mut session = desk.sit();
    press(&mut session, "\u{1b}[200~echo one-$((1 + 1))\necho two-$((1 + 1))\n\u{1b}[201~");
    session.send_control('c').unwrap();
    let shown = session.exp_string(":/$ ").unwrap();
    assert!(!shown.contains("one-2"), "{shown:?}");
    press(&mut session, "\u{1b}[200~echo one-$((1 + 1))\necho two-$((1 + 1))\u{1b}[201~");
    session.send_line("").unwrap();
    session.exp_string("one-2\r\ntwo-2").unwrap();
    prompt(&mut session);
}

#[test]
fn a_command_reads_what_is_typed_until_it_is_stopped() {
    let desk = Desk::new();
    let mut session = desk.sit();
    session.send_line("echo ready-$((1 + 1)); tr a-z A-Z").unwrap();
    session.exp_string("ready-2").unwrap();
    session.send_line("typed").unwrap();
    session.exp_string("TYPED").unwrap();
    session.send_control('c').unwrap();
    prompt(&mut session);
    // The next line is the prompt's again.
    type_line(&mut session, "echo still-$((1 + 1))", "still-2");
}

#[test]
fn the_prompt_is_what_ps1_says() {
    let desk = Desk::new();
    let mut session = desk.sit_in_colour();
    session.send_line(r"PS1='\[\e[1m\]\s \w $((40 + 2))>\[\e[m\] '").unwrap();
    session.exp_string("\u{1b}[1mdocsh / 42>\u{1b}[m ").unwrap();
    let mut session = desk.sit();
    session.send_line(r"PS1='\[\e[1m\]\s \w $((40 + 2))>\[\e[m\] '").unwrap();
    session.exp_string("\u{1b}[Kdocsh / 42> ").unwrap();
}

#[test]
fn a_banner_says_where_one_is_and_as_whom() {
    let desk = Desk::with(&[("a.md", "---\npublic: true\n---\n"), ("b.md", "---\npublic: false\n---\n")]);
    let banner = |args: &[&str]| {
        let mut command = desk.command();
        command.args(args);
        let mut session = spawn_command(command, Some(PATIENCE)).unwrap();
        session.read_line().unwrap()
    };
    assert_eq!(banner(&[]), "docsh: handbook, 2 pages, as it is; read-only.");
    assert_eq!(banner(&["--as", "anonymous"]), "docsh: handbook, 1 page, as anonymous; read-only.");
    assert_eq!(
        banner(&["--as", "groups:staff,beta"]),
        "docsh: handbook, 2 pages, signed in, in beta, staff; read-only."
    );
}

#[test]
fn colours_are_for_those_who_want_them() {
    let desk = Desk::with(&[("folder/page.md", "a page\n")]);
    let mut session = desk.sit_in_colour();
    session.send_line("ls").unwrap();
    session.exp_string("\u{1b}[32mls\u{1b}[0m").unwrap();
    session.exp_string("\u{1b}[01;34mfolder\u{1b}[0m").unwrap();
    prompt(&mut session);
    type_line(&mut session, "grep -r page", "\u{1b}[01;31m\u{1b}[Kpage\u{1b}[m\u{1b}[K");
    assert!(!shown_for(&mut session, "ls | cat").contains("\u{1b}[01;34m"));
    // A hint is what the history goes on with; the right key takes it.
    press(&mut session, "grep -");
    session.exp_string("\u{1b}[90mr page\u{1b}[0m").unwrap();
    press(&mut session, "\u{1b}[C");
    session.send_line("").unwrap();
    session.exp_string("\u{1b}[Kpage\u{1b}[m").unwrap();
    prompt(&mut session);

    let mut session = desk.sit();
    for line in ["ls", "grep -r page", "ls"] {
        let shown = shown_for(&mut session, line);
        assert!(!shown.contains("\u{1b}[3") && !shown.contains("\u{1b}[0") && !shown.contains("\u{1b}[9"), "{shown:?}");
    }
}

#[test]
fn a_terminal_that_can_only_print_gets_lines() {
    let desk = Desk::new();
    let mut command = desk.command();
    command.env("TERM", "dumb").env_remove("NO_COLOR");
    let mut session = spawn_command(command, Some(PATIENCE)).unwrap();
    let mut shown = session.exp_string(":/$ ").unwrap();
    session.send_line("echo 'open").unwrap();
    shown += &session.exp_string("> ").unwrap();
    session.send_line("quote' | tr a-z A-Z; ls").unwrap();
    shown += &session.exp_string("OPEN\r\nQUOTE\r\npage.md\r\n").unwrap();
    shown += &session.exp_string(":/$ ").unwrap();
    session.send_control('c').unwrap();
    shown += &session.exp_string(":/$ ").unwrap();
    assert!(!shown.contains('\u{1b}'), "{shown:?}");
    session.send_line("exit 3").unwrap();
    session.exp_eof().unwrap();
    assert_eq!(exit_status(&session), 3);
}

#[test]
fn less_turns_pages() {
    let lines: String = (1..=100).map(|n| format!("line {n}.\n")).collect();
    let desk = Desk::with(&[("long.md", &lines)]);
    let mut session = desk.sit();
    // 24 rows, the last of which is the pager's.
    session.send_line("less long.md").unwrap();
    session.exp_string("line 23.\u{1b}[K\r\n\u{1b}[7mlong.md").unwrap();
    press(&mut session, " ");
    session.exp_string("line 46.\u{1b}[K\r\n\u{1b}[7m:").unwrap();
    press(&mut session, "/line 77\n");
    session.exp_string("\u{1b}[H\u{1b}[7mline 77\u{1b}[27m.").unwrap();
    press(&mut session, "G");
    session.exp_string("line 100.\u{1b}[K\r\n\u{1b}[7m(END)").unwrap();
    press(&mut session, "q");
    prompt(&mut session);
    // A writer that never ends is stopped by q, and by Ctrl-C.
    for stop in ["q", "\u{3}"] {
        session.send_line("yes | less").unwrap();
        session.exp_string("\u{1b}[7m:").unwrap();
        press(&mut session, stop);
        session.exp_string("\u{1b}[?1049l").unwrap();
        prompt(&mut session);
    }
    type_line(&mut session, "less long.md | tail -n 1", "line 100.");
    type_line(&mut session, "echo still-$((1 + 1))", "still-2");
}

#[test]
fn the_size_of_the_window_is_what_it_is_now() {
    let desk = Desk::new();
    let mut session = desk.sit();
    let terminal = session.process().get_file_handle().unwrap();
    let size = rustix::termios::Winsize { ws_row: 11, ws_col: 43, ws_xpixel: 0, ws_ypixel: 0 };
    rustix::termios::tcsetwinsize(&terminal, size).unwrap();
    type_line(&mut session, "echo \"$LINES by $COLUMNS\"", "11 by 43");
}

fn exit_status(session: &PtySession) -> i32 {
    use rexpect::process::WaitStatus;
    match session.process().wait().expect("an end") {
        WaitStatus::Exited(_, status) => status,
        other => panic!("{other:?}"),
    }
}
