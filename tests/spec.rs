//! The readable sessions: every ```` ```console ```` block of `tests/spec/*.md`, the README and ARCHITECTURE.md is
//! typed into docsh, and must answer as it is written there. `UPDATE_EXPECT=1` writes the answers instead.
//!
//! In a block a line `$ COMMAND` is typed, with lines `> ` going on with it; what follows is its whole answer: stdout,
//! stderr, then `[status N]` where it is not 0 and `[no newline]` where the last line has none. A line `...` stands for
//! any number of lines. All blocks of a file are one session over the bundled site `acme`; a command that begins with
//! `docsh` is typed into the host's shell instead.
use crate::support::{docsh::Docsh, tree::repository};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// A command of a session and where its answer stands.
struct Step {
    command: String,
    /// Numbers of the file's lines: the first of the answer, and the first after it.
    answer: std::ops::Range<usize>,
}

#[test]
fn sessions_read_as_they_run() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut complaints = String::new();
    let mut steps = 0;
    for file in files() {
        let text = fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let session = read(&lines);
        steps += session.len();
        let answers = run(&session);
        if update {
            let text = rewritten(&lines, &session, &answers);
            fs::write(&file, text).unwrap();
            continue;
        }
        for (step, answer) in session.iter().zip(&answers) {
            let expected = &lines[step.answer.clone()];
            if !matches(expected, answer) {
                let place = format!("{}:{}", file.display(), step.answer.start);
                complaints += &format!("--- {place}\n$ {}\n", step.command);
                complaints += &format!("want\n{}\ngot\n{}\n", expected.join("\n"), answer.join("\n"));
            }
        }
    }
    assert!(complaints.is_empty(), "\n{complaints}UPDATE_EXPECT=1 writes what it answers now");
    assert!(steps > 0, "no session was found");
}

/// The documents that hold sessions.
fn files() -> Vec<PathBuf> {
    let specs = fs::read_dir(repository("tests/spec")).expect("tests/spec");
    let mut files: Vec<PathBuf> = specs.map(|entry| entry.unwrap().path()).collect();
    files.extend(["README.md", "ARCHITECTURE.md"].map(repository).into_iter().filter(|file| file.exists()));
    files.sort();
    files
}

fn read(lines: &[&str]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("```") {
            inside = *line == "```console";
        } else if !inside {
        } else if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { command: command.to_string(), answer: at + 1..at + 1 });
        } else {
            let step = steps.last_mut().expect("a console block begins with `$ `");
            match line.strip_prefix("> ") {
                // Only right after the command: an answer may begin with `>` too.
                Some(more) if step.answer.is_empty() && step.answer.start == at => {
                    step.command += &format!("\n{more}");
                    step.answer = at + 1..at + 1;
                }
                _ => step.answer.end = at + 1,
            }
        }
    }
    steps
}

/// The answer of each step, as lines.
fn run(session: &[Step]) -> Vec<Vec<String>> {
    let is_host = |step: &&Step| step.command.split_whitespace().next() == Some("docsh");
    let typed: Vec<&Step> = session.iter().filter(|step| !is_host(step)).collect();
    let requests: String =
        typed.iter().map(|step| format!("{}\n", serde_json::json!({ "command": step.command }))).collect();
    let answer = Docsh::new(["--site", "acme", "--jsonl", "--max-output", "1000000"])
        .stdin(requests.as_bytes())
        .deadline(Duration::from_secs(60))
        .run();
    let text = answer.text();
    let mut answers = text.lines().map(|line| {
        let answer: serde_json::Value = serde_json::from_str(line).expect("an answer is one line of JSON");
        let stream = |name: &str| answer[name].as_str().expect("a stream").to_string();
        shown(&stream("stdout"), &stream("stderr"), answer["exitCode"].as_i64().expect("a status"))
    });
    let mut next = || answers.next().unwrap_or_else(|| panic!("the session ended early: {}", answer.complaints()));
    session.iter().map(|step| if is_host(&step) { on_host(&step.command) } else { next() }).collect()
}

/// A `docsh …` line, run by the host's shell with the built binary on its path.
fn on_host(command: &str) -> Vec<String> {
    let binary = Path::new(env!("CARGO_BIN_EXE_docsh")).parent().expect("a folder").display();
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("PATH={binary}:$PATH\n{command}")]);
    let answer = Docsh::from_command(shell).current_dir(&repository("")).run();
    shown(&answer.text(), &answer.complaints(), answer.status.into())
}

fn shown(stdout: &str, stderr: &str, status: i64) -> Vec<String> {
    let mut lines: Vec<String> = stdout.lines().map(String::from).collect();
    if !stdout.is_empty() && !stdout.ends_with('\n') {
        lines.push("[no newline]".to_string());
    }
    lines.extend(stderr.lines().map(String::from));
    if status != 0 {
        lines.push(format!("[status {status}]"));
    }
    lines
}

/// Whether the answer is the expected one, `...` standing for any number of lines.
fn matches(expected: &[&str], answer: &[String]) -> bool {
    match (expected.split_first(), answer.split_first()) {
        (Some((&"...", rest)), _) => (0..=answer.len()).any(|skipped| matches(rest, &answer[skipped..])),
        (Some((want, expected)), Some((got, answer))) => want == got && matches(expected, answer),
        (None, None) => true,
        _ => false,
    }
}

/// The document with the answers that differ put in.
fn rewritten(lines: &[&str], session: &[Step], answers: &[Vec<String>]) -> String {
    let mut text: Vec<&str> = Vec::new();
    let mut copied = 0;
    for (step, answer) in session.iter().zip(answers) {
        let expected = &lines[step.answer.clone()];
        text.extend(&lines[copied..step.answer.start]);
        if matches(expected, answer) {
            text.extend(expected);
        } else {
            let fits = |line: &String| !line.starts_with("$ ") && !line.starts_with("```");
            assert!(answer.iter().all(fits), "{}: an answer that no block can hold", step.command);
            text.extend(answer.iter().map(String::as_str));
        }
        copied = step.answer.end;
    }
    text.extend(&lines[copied..]);
    text.join("\n") + "\n"
}
