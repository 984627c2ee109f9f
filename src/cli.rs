//! The ways of being used, a file or a folder each: one shot, a script, a prompt, JSON, MCP, a login shell, and the
//! subcommands; and what they share: flags, configuration, the way into a site.
//!
//! Here, in `ingest/`, and in the stores that read the disk, docsh touches the process it runs in: its arguments,
//! environment, terminal and signals.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "the host's side of the wall")]
mod agents;
mod allocator;
mod answer;
mod arguments;
mod cache;
mod cap;
mod check;
pub mod config;
mod flags;
mod host;
pub mod ingest;
mod json;
mod login;
mod manual;
#[cfg(feature = "mcp")]
mod mcp;
mod observe;
mod oneshot;
mod open;
mod portrait;
mod repl;
mod resolved;
mod script;
mod setup;
mod sites;
mod skill;
mod terminal;

pub use repl::complete;

use crate::store;
use docsh_builtins::{Cancel, Status};
use flags::{Arguments, Mode};
use std::{ffi::OsString, fmt};

/// A failure before any command runs: one line on stderr, and its status.
#[derive(Debug)]
pub struct Refusal {
    /// What is wrong and what to mend.
    pub message: String,
    /// 64 usage, 69 store unreachable, 77 token refused, 78 bad configuration or site.
    pub status: u8,
}

impl Refusal {
    /// A bad configuration or site: 78.
    pub fn config(message: impl fmt::Display) -> Refusal {
        Refusal { message: message.to_string(), status: 78 }
    }

    /// Wrong words: 64.
    pub fn usage(message: impl fmt::Display) -> Refusal {
        Refusal { message: message.to_string(), status: 64 }
    }
}

/// Run docsh with these arguments, the program's name first; the status of the process.
pub fn main(args: impl Iterator<Item = OsString>) -> u8 {
    crate::stack::note_main_thread();
    allocator::return_large_blocks();
    let args: Vec<OsString> = args.collect();
    let program = args.first().cloned().unwrap_or_default();
    let arguments = match arguments::read(&args) {
        Ok(mut arguments) => {
            let original = std::env::var_os("SSH_ORIGINAL_COMMAND").filter(|command| !command.is_empty());
            login::complete(&mut arguments, &program, original);
            arguments
        }
        Err(error) if error.use_stderr() && arguments::ask_for_json(&args) => {
            let text = error.to_string();
            let message = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
            return json::refuse(&Refusal::usage(message)).0;
        }
        Err(error) => {
            // Help and version go to stdout with status 0, all else to stderr.
            let _ = error.print();
            return if error.use_stderr() { 64 } else { 0 };
        }
    };
    match run(&arguments) {
        Ok(status) => status.0,
        Err(refusal) if arguments.flags.json => json::refuse(&refusal).0,
        Err(refusal) => {
            host::say(&format!("docsh: {}\n", refusal.message));
            refusal.status
        }
    }
}

fn run(Arguments { flags, mode }: &Arguments) -> Result<Status, Refusal> {
    if flags.restricted {
        open::forget_certificates();
    }
    observe::log(flags.restricted)?;
    if flags.native_certs || open::names_certificates(flags) {
        store::trust_native_certificates();
    }
    if let Some(mode) = mode {
        let cancel = Cancel::new();
        host::stop_on_signals(&cancel).map_err(Refusal::usage)?;
        let config = open::configuration(flags)?;
        return match mode {
            Mode::Ingest(args) => ingest::run(args, &config, &cancel),
            Mode::Check(args) => check::run(args, &config, &cancel),
            Mode::Cache(args) => cache::run(args, &config, &cancel),
            Mode::Sites => sites::run(&config),
            Mode::Config(args) => resolved::run(args, &config),
            Mode::Agents(args) => agents::run(args, flags, &config, &cancel),
            Mode::Skill(args) => skill::run(args, flags, &config, &cancel),
            Mode::Setup(args) => setup::run(args, flags, &config),
            Mode::Completions(args) => manual::completions(args),
            Mode::Man => manual::page(),
            #[cfg(feature = "mcp")]
            Mode::Mcp(args) => mcp::run(args, &config, &cancel),
        };
    }
    match &flags.command {
        Some(command) if flags.json => Ok(json::one(flags, command)),
        Some(command) => oneshot::run(flags, command),
        None if flags.jsonl => json::many(flags),
        None if !flags.operands.is_empty() => Err(arguments::stray(&flags.operands)),
        None if host::stdin_is_terminal() => repl::run(flags),
        None => script::run(flags),
    }
}
