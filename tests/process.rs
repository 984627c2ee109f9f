//! docsh as a process among others: streams that were closed before it began, and a reader that has gone.
use crate::support::docsh::Docsh;
use std::process::Command;

/// What bash prints for `script`, in which `docsh` is this one, and its complaints behind a `|`.
fn bash(script: &str) -> String {
    let mut bash = Command::new("bash");
    bash.args(["-c", &format!("docsh() {{ {} \"$@\"; }}\n{script}", env!("CARGO_BIN_EXE_docsh"))]);
    let answer = Docsh::from_command(bash).run();
    format!("{}|{}", answer.text(), answer.complaints())
}

#[test]
fn streams_that_were_closed_are_empty_and_take_all() {
    let line = "cat; echo out; echo err >&2; cat /index.mdx | head -1; echo end";
    let run = |closed: &str| bash(&format!("docsh -c '{line}' {closed} && echo status $?"));
    assert_eq!(run("<&-"), "out\n---\nend\nstatus 0\n|err\n");
    assert_eq!(run("</dev/null 2>&-"), "out\n---\nend\nstatus 0\n|");
    assert_eq!(run("</dev/null >&-"), "status 0\n|err\n");
    assert_eq!(run("<&- >&- 2>&-"), "status 0\n|");
    // No file that docsh opens takes the place of a stream.
    assert_eq!(bash("docsh -c 'cat' <&- | wc -c; docsh -c 'help | head -1' 2>&- | wc -l"), "0\n1\n|");
}

#[test]
fn a_reader_that_has_gone_ends_the_run() {
    let first = bash("docsh -c 'seq 1000000; echo not here >&2' | head -1; echo \"${PIPESTATUS[0]}\"");
    assert_eq!(first, "1\n141\n|");
}
