//! What an operator sees of docsh at work: `--trace` and `DOCSH_LOG`.
use crate::support::docsh::Docsh;
use std::fs;

/// The trace lines among these messages, without their times.
fn traces(complaints: &str) -> Vec<String> {
    let lines = complaints.lines().filter_map(|line| line.strip_prefix("docsh: trace: time="));
    lines.map(|line| line.split_once("s ").expect("a time in seconds").1.to_string()).collect()
}

#[test]
fn a_trace_is_a_line_a_command() {
    let answer = Docsh::new(["--trace", "-c", "head -c 10 /auth/oauth; cat /nosuch"]).run();
    assert_eq!(answer.text().len(), 10);
    assert_eq!(traces(&answer.complaints()), ["status=1 requests=0 pages=1 cached=0 bytes=3605"]);
    let script =
        Docsh::new(["--trace"]).stdin(b"true\nwc -c /auth/oauth /auth/mfa\nfor i in 1 2\ndo false\ndone\n").run();
    assert_eq!(
        traces(&script.complaints()),
        [
            "status=0 requests=0 pages=0 cached=0 bytes=0",
            "status=0 requests=0 pages=0 cached=0 bytes=0",
            "status=1 requests=0 pages=0 cached=0 bytes=0",
        ]
    );
    // A program's answer is not disturbed: the line is the operator's.
    let answer = Docsh::new(["--trace", "--json", "-c", "true"]).run();
    let json: serde_json::Value = serde_json::from_str(&answer.text()).unwrap();
    assert_eq!((json["stderr"].as_str(), traces(&answer.complaints()).len()), (Some(""), 1));
}

#[test]
fn events_go_to_the_file_that_the_log_names() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log");
    let to = |level: &str| format!("{level}{}", file.display());
    for level in ["", "debug:"] {
        let answer = Docsh::new(["-c", "cat /auth/oauth | head -1; exit 3"]).env("DOCSH_LOG", &to(level)).run();
        assert_eq!((answer.text().as_str(), answer.complaints().as_str(), answer.status), ("---\n", "", 3));
    }
    let log = fs::read_to_string(&file).unwrap();
    let events: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told = |event: &serde_json::Value| {
        let said = |name: &str| event[name].to_string();
        ["message", "site", "status", "pages_read", "requests"].map(said).join(" ")
    };
    let once = ["\"open\" \"acme\" null null null", "\"run\" null 3 1 0"];
    assert_eq!(events.iter().map(told).collect::<Vec<_>>(), [once, once].concat());
    assert_eq!(
        fs::metadata(&file).map(|meta| std::os::unix::fs::PermissionsExt::mode(&meta.permissions())).unwrap() & 0o777,
        0o600
    );
}

#[test]
fn a_log_that_cannot_be_kept_is_refused() {
    let refused = |value: &str| {
        let answer = Docsh::new(["-c", "true"]).env("DOCSH_LOG", value).run();
        (answer.status, answer.complaints())
    };
    assert_eq!(
        refused("loud:stderr"),
        (78, "docsh: DOCSH_LOG: loud: not a level: error, warn, info, debug or trace\n".into())
    );
    assert_eq!(refused("docsh.log"), (78, "docsh: DOCSH_LOG: docsh.log: use `stderr` or an absolute path\n".into()));
    assert_eq!(refused("/nosuch/log").0, 78);
    // A login shell's user may not choose a file.
    let restricted = Docsh::new(["--restricted", "-c", "true"]).env("DOCSH_LOG", "/nosuch/log").run();
    assert_eq!((restricted.status, restricted.complaints().as_str()), (0, ""));
}
