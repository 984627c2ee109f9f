//! `docsh agents`: a section for an AGENTS.md (or CLAUDE.md), by which a coding agent knows of a site and asks it.
use super::{
    Refusal,
    config::Config,
    flags::{Flags, Visiting},
    open::Visit,
    portrait::Portrait,
};
use clap::Args as ClapArgs;
use docsh_builtins::{Cancel, Status};
use std::{
    io::{self, Write},
    iter,
};

/// Print something about a site for agents.
#[derive(ClapArgs, Clone, Debug)]
pub struct Args {
    /// Which site, and who looks at it
    #[command(flatten)]
    pub visiting: Visiting,
}

/// Print the section.
pub fn run(args: &Args, flags: &Flags, config: &Config, cancel: &Cancel) -> Result<Status, Refusal> {
    print(args, flags, config, cancel, section)
}

/// Open the site and print what `text` makes of its portrait and of the command that opens it.
pub fn print(
    args: &Args,
    flags: &Flags,
    config: &Config,
    cancel: &Cancel,
    text: impl Fn(&Portrait, &str) -> String,
) -> Result<Status, Refusal> {
    let visit = Visit::open(&args.visiting, config, true, cancel)?;
    let portrait = Portrait::of(&visit.name, &*visit.tree());
    let options = args.visiting.options(&visit.name, config.named(), flags)?;
    let words = options.iter().map(|word| docsh_builtins::quoted_if_odd(word));
    let command = iter::once("docsh".to_string()).chain(words).collect::<Vec<_>>().join(" ");
    // A reader that has gone has seen enough.
    let _ = io::stdout().write_all(text(&portrait, &command).as_bytes());
    Ok(Status::OK)
}

fn section(portrait: &Portrait, command: &str) -> String {
    format!("## Documentation of {}\n\n{}", portrait.site, advice(portrait, command))
}

/// How to ask a site with `command`, in Markdown; what the section and the skill share.
pub fn advice(portrait: &Portrait, command: &str) -> String {
    let site = &portrait.site;
    let top = portrait.top();
    let top = if top.is_empty() { top } else { format!("- Top folders: {top}.\n") };
    let apis = portrait.described_apis().map_or(String::new(), |apis| format!("- OpenAPI descriptions: {apis}.\n"));
    let examples: String =
        portrait.examples().iter().map(|line| format!("{command} -c {}\n", docsh_builtins::quoted(line))).collect();
    format!(
        "The documentation of {site} ({count}) is at hand as a read-only file system. Before you answer from memory or \
         write code against {site}, search it:\n\n```bash\n{examples}```\n\n\
         - `{command} -c 'COMMAND'` runs any bash command line with GNU tools: ls, tree, find, grep -r, rg, cat, head, \
         sed, awk, jq, sort, wc, pipes.\n\
         {top}{apis}\
         - Pages are files: grep for the exact term first, then read the page around it (`sed -n '20,80p'`).\n\
         - Each call starts in `/`; nothing can be written; there is no network.\n\
         - `{command} --json -c 'COMMAND'` answers one line of JSON (`stdout`, `stderr`, `exitCode`, `truncated`).\n",
        count = portrait.count(),
    )
}
