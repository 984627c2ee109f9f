//! docsh from outside: the built binary against the real tools' answers, the stores against real servers, and the house
//! rules. One binary, so that it links once.
//!
//! `tests/run` installs what these tests need and runs them; a test whose service is missing fails and says so.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests live on the host: they read fixtures, start processes, and panic when something is wrong"
)]

mod access;
mod canary;
mod differential;
mod documents;
mod fuzz;
mod hostile;
mod ingest;
mod mcp;
mod observed;
mod onboarding;
mod oracle;
mod picture;
mod process;
mod sites;
mod snippets;
mod spec;
mod ssh;
mod stores;
mod support;
mod syntax;
mod terminal;
mod tidy;
