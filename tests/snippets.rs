//! What the snippets of `fixtures/syntax/corpus.txt` answer, beside the bash of this machine: the same bytes on stdout,
//! and the same status. Each is run over a copy of the docs folder, unless it asks for what only a host has, or writes.
use crate::{
    support::{docsh::Docsh, tree::copy_of},
    syntax::{Verdict, bash, snippets},
};
use std::{
    path::Path,
    process::{Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// Words of snippets that are about the machine, the clock, chance, or places that every host has.
const HOST: [&str; 19] = [
    "/tmp", "mktemp", "curl", "kill", "RANDOM", "date", "SECONDS", "EPOCH", "$$", "PPID", "BASHPID", "/proc", "/etc",
    "/usr", "/dev/tty", "coproc", "~", "cp ", "python3",
];
/// Fewer snippets than these are not all of them.
const AT_LEAST: usize = 600;
/// Where this bash and docsh differ, and why.
const EXPECTED: [&str; 4] = [
    // Which of the two is first is chance.
    "echo a & echo b; wait",
    // At the top of a shell bash 5.2 ends with status 0 where a conditional cannot be read, and with 2 in an `eval`.
    "[[ && ]]",
    "[[ a == ]]",
    "[[ a b ]]",
];

/// What came on stdout, and the status.
type Answer = (String, Option<i32>);

fn of_bash(text: &str, tree: &Path) -> Answer {
    let mut command = Command::new("timeout");
    command.args(["-s", "KILL", "20", "bash", "-O", "extglob", "-c", text]).current_dir(tree).stdin(Stdio::null());
    command.env_clear().envs([("PATH", "/usr/bin:/bin"), ("HOME", "/"), ("LC_ALL", "C.UTF-8"), ("TZ", "UTC")]);
    let output = command.output().expect("these tests need bash 5.2");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

/// The same of docsh; `None` when the snippet writes, which is for bash to do and for docsh to refuse.
fn of_docsh(text: &str, tree: &Path) -> Option<Answer> {
    let tree = tree.to_str().expect("a path in UTF-8");
    let answer = Docsh::new(["--dir", tree, "-c", "bash -O extglob -c \"$0\"", text]).run();
    let writes = answer.complaints().contains("Read-only file system");
    (!writes).then(|| (answer.text(), Some(answer.status)))
}

#[test]
fn snippets_answer_as_bash_does() {
    let mut snippets = snippets();
    snippets.retain(|text| !HOST.iter().any(|word| text.contains(word)) && bash(text) == Verdict::Accepted);
    let (next, run) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let differ = || {
        let tree = copy_of("fixtures/acme");
        let mut found = Vec::new();
        while let Some(text) = snippets.get(next.fetch_add(1, Ordering::Relaxed)) {
            let Some(docsh) = of_docsh(text, tree.path()) else { continue };
            run.fetch_add(1, Ordering::Relaxed);
            let bash = of_bash(text, tree.path());
            if bash != docsh && !EXPECTED.contains(&text.trim()) {
                found.push(format!("{text:?}\n  bash  {bash:?}\n  docsh {docsh:?}"));
            }
        }
        found
    };
    let found: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(differ)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(found.is_empty(), "\n{}", found.join("\n"));
    assert!(run.into_inner() >= AT_LEAST);
}
