//! What a session costs in a process that has many: over HTTP each conversation is one.
use crate::rows::SessionsPlan;
use docsh::{
    shell::{Mode, Shell},
    site::{Options, Site, Visitor},
    tree::Rules,
};
use docsh_builtins::{Cancel, Input, Limits, Output, Session, Stdio};
use serde::{Deserialize, Serialize};
use std::{fs, path::Path, time::Instant};

/// Sessions that are timed.
const RUNS: usize = 1001;

/// What was measured.
#[derive(Serialize, Deserialize)]
pub(crate) struct Sessions {
    /// The median of a new session, in µs.
    pub(crate) new: f64,
    /// The median of a new session with its first command, in µs.
    pub(crate) first: f64,
    /// What those that live at once have added to the process, in MB, each after three commands.
    pub(crate) live: f64,
}

/// Sessions over the site in `file`.
pub(crate) fn measure(file: &Path, plan: &SessionsPlan) -> Sessions {
    let site = Site::embedded("pages", file.as_os_str(), Rules::Required, Options::default()).expect("it was ingested");
    let open = || Shell::new(site.session(&Visitor::Anonymous), Limits::default(), Session::new(), Mode::Command);
    let time = |work: &dyn Fn()| {
        let times = (0..RUNS).map(|_| {
            let begun = Instant::now();
            work();
            begun.elapsed().as_secs_f64() * 1e6
        });
        crate::contest::median(times.collect())
    };
    let new = time(&|| drop(open()));
    let first = time(&|| run(&mut open(), "cd /section-00"));
    let before = resident();
    let live: Vec<Shell> = (0..plan.live)
        .map(|number| {
            let mut shell = open();
            run(&mut shell, "cd /section-00");
            run(&mut shell, "first() { ls | head -n 1; }");
            run(&mut shell, &format!("mine={number}; first"));
            shell
        })
        .collect();
    let live = (resident() - before, live).0;
    Sessions { new, first, live: live as f64 / 1e6 }
}

fn run(shell: &mut Shell, line: &str) {
    let stdio = Stdio { stdin: Input::empty(), stdout: Output::null(), stderr: Output::null() };
    shell.run(line, 1, stdio, &Cancel::new());
}

/// Bytes of memory that this process has.
fn resident() -> u64 {
    let pages = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    pages.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}
