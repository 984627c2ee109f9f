//! docsh beside bash and the GNU tools on the same files, alternately in one run: medians and their ratio.
//!
//! `cargo bench --bench peers` prints a Markdown table. Times are wall clock of whole processes; nothing is asserted.
#![allow(missing_docs, reason = "a program, not a library")]
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "it starts processes and reports"
)]
use std::{
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// Runs of each side; an odd number, so that a median is a measurement.
const RUNS: usize = 101;

/// One row: what docsh is asked, and what bash is asked in the docs folder.
const ROWS: &[(&str, &str, &str)] = &[
    ("true", "true", "true"),
    ("ls -R /", "ls -R /", "ls -R ."),
    ("grep -rn token /auth", "grep -rn token /auth", "grep -rn token auth"),
    ("grep -rc . /", "grep -rc . /", "grep -rc . ."),
    ("find / -name '*.mdx'", "find / -name '*.mdx'", "find . -name '*.mdx'"),
    ("cat every page | wc -c", "find / -type f -exec cat {} + | wc -c", "find . -type f -exec cat {} + | wc -c"),
];

fn main() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/acme");
    println!("| command | docsh, ms | bash and GNU, ms | ratio |");
    println!("| --- | ---: | ---: | ---: |");
    for (name, ours, theirs) in ROWS {
        let (mut docsh, mut bash) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            docsh.push(time(Command::new(env!("CARGO_BIN_EXE_docsh")).args(["-c", ours])));
            bash.push(time(Command::new("bash").args(["-c", theirs]).current_dir(&docs)));
        }
        let (docsh, bash) = (median(docsh), median(bash));
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        println!("| `{name}` | {:.2} | {:.2} | {:.2} |", ms(docsh), ms(bash), ms(docsh) / ms(bash));
    }
}

fn time(command: &mut Command) -> Duration {
    command.env("LC_ALL", "C.UTF-8").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let started = Instant::now();
    command.status().unwrap();
    started.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
