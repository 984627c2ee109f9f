//! `docsh skill`: a SKILL.md, by which agents that have skills find a site when a question is about it.
use super::{
    Refusal,
    agents::{self, Args},
    config::Config,
    flags::Flags,
    portrait::Portrait,
};
use docsh_builtins::{Cancel, Status};

/// Print the file.
pub fn run(args: &Args, flags: &Flags, config: &Config, cancel: &Cancel) -> Result<Status, Refusal> {
    agents::print(args, flags, config, cancel, file)
}

fn file(portrait: &Portrait, command: &str) -> String {
    let site = &portrait.site;
    // Skills are named with lower-case letters, digits and hyphens.
    let name = portrait.tool().replace('_', "-");
    format!(
        "---\nname: {name}\ndescription: Search and read the {site} documentation with shell commands. Use whenever a \
         question or a task touches {site}, before answering from memory.\nallowed-tools: Bash(docsh:*)\n---\n\n\
         # The {site} documentation\n\n{}",
        agents::advice(portrait, command)
    )
}
