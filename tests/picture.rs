//! The picture of a session in the README is one of a real run: docsh at a pseudo-terminal, drawn as SVG.
//! `UPDATE_EXPECT=1` draws it anew.
use crate::support::tree::repository;
use rexpect::session::{PtySession, spawn_command};
use std::{fmt::Write, fs, process::Command};

const PICTURE: &str = "fixtures/session.svg";
const PROMPT: &str = "acme:/$ ";

/// What is typed; no line fills the terminal's, since the editor would break it.
const LINES: &[&str] = &[
    "ls /",
    "grep -rn 'Retry-After:' /",
    "find / -name '*.mdx' | wc -l",
    "sed -sn 's/^title: //p' /sdks/*.mdx | sort | paste -sd,",
    "jq '.paths | keys[:3]' /api-specs/v2.json",
    "rm -rf /guides 2>&1 | tail -1",
];

/// Columns of the terminal, which the answers keep within.
const COLUMNS: usize = 80;
/// Pixels of a character and of a line, and around all of them.
const CHARACTER: f64 = 8.4;
const LINE: usize = 20;
const MARGIN: usize = 16;

#[test]
fn the_picture_is_of_a_real_run() {
    let picture = draw(&session());
    let file = repository(PICTURE);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&file, picture).unwrap();
        return;
    }
    let drawn = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(drawn, picture, "{PICTURE}: UPDATE_EXPECT=1 draws it anew");
}

/// The lines of the screen after the session, with the escapes that colour them.
fn session() -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_docsh"));
    command.args(["--site", "acme"]).env_clear().env("HOME", "/nonexistent").env("TERM", "xterm");
    let mut session = spawn_command(command, Some(10_000)).expect("a pseudo-terminal");
    session.exp_string(PROMPT).expect("a prompt");
    let mut screen = Vec::new();
    for line in LINES {
        screen.push(format!("\u{1b}[1;32m{PROMPT}\u{1b}[0m{line}"));
        screen.extend(answer(&mut session, line));
    }
    screen.push(format!("\u{1b}[1;32m{PROMPT}\u{1b}[0m\u{2588}"));
    screen
}

/// What the terminal shows between the line that is typed and the next prompt.
fn answer(session: &mut PtySession, line: &str) -> Vec<String> {
    session.send_line(line).unwrap();
    // The editor shows the line while it is typed, and leaves it with an end of line.
    session.exp_string("\r\n").expect("the typed line");
    let shown = session.exp_string(PROMPT).expect("the next prompt");
    let mut lines: Vec<String> = shown.split("\r\n").map(String::from).collect();
    // The editor's own escapes before the prompt.
    lines.pop();
    lines
}

fn draw(screen: &[String]) -> String {
    let (width, height) = (COLUMNS as f64 * CHARACTER + 2.0 * MARGIN as f64, screen.len() * LINE + 2 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\">\n<title>A session of docsh</title>\n<rect width=\"100%\" height=\"100%\" rx=\"8\" \
         fill=\"#1e1e2e\"/>\n<g font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"14\" \
         fill=\"#cdd6f4\" xml:space=\"preserve\">\n"
    );
    for (at, line) in screen.iter().enumerate() {
        let baseline = MARGIN + at * LINE + 14;
        writeln!(svg, "<text x=\"{MARGIN}\" y=\"{baseline}\">{}</text>", coloured(line)).unwrap();
    }
    svg + "</g>\n</svg>\n"
}

/// A line of the screen as spans of one colour each.
fn coloured(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let mut svg = escaped(parts.next().unwrap_or_default());
    for part in parts {
        let end = part.find(|c: char| c.is_ascii_alphabetic()).expect("the end of an escape");
        let (codes, text) = (&part[1..end], &part[end + 1..]);
        // Other escapes than colours clear a line that is empty yet.
        let style = if part[end..].starts_with('m') { style(codes) } else { String::new() };
        match (text.is_empty(), style.is_empty()) {
            (true, _) => {}
            (false, true) => svg += &escaped(text),
            (false, false) => write!(svg, "<tspan{style}>{}</tspan>", escaped(text)).unwrap(),
        }
    }
    svg
}

/// The attributes that these colour codes mean.
fn style(codes: &str) -> String {
    let attribute = |code: &str| match code.trim_start_matches('0') {
        "" => String::new(),
        "1" => " font-weight=\"bold\"".to_string(),
        "31" => " fill=\"#f38ba8\"".to_string(),
        "32" => " fill=\"#a6e3a1\"".to_string(),
        "33" => " fill=\"#f9e2af\"".to_string(),
        "34" => " fill=\"#89b4fa\"".to_string(),
        "35" => " fill=\"#cba6f7\"".to_string(),
        "36" => " fill=\"#94e2d5\"".to_string(),
        "39" | "37" => String::new(),
        other => panic!("a colour that no answer had so far: {other}"),
    };
    codes.split(';').map(attribute).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
