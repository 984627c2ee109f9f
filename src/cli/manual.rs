//! `docsh completions SHELL` and `docsh man`: what packagers install beside the program, made from its flags.
use super::{Refusal, flags::Flags};
use clap::{Args as ClapArgs, CommandFactory};
use clap_complete::Shell;
use docsh_builtins::Status;
use std::io::{self, Write};

/// Print the completions of a shell.
#[derive(ClapArgs, Clone, Debug)]
pub struct Args {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Print the completions of `args.shell`.
pub fn completions(args: &Args) -> Result<Status, Refusal> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Flags::command(), "docsh", &mut script);
    print(&script)
}

/// Print the manual page, in roff.
pub fn page() -> Result<Status, Refusal> {
    let mut page = Vec::new();
    // Writing to memory cannot fail.
    let _ = clap_mangen::Man::new(Flags::command()).render(&mut page);
    print(&page)
}

fn print(bytes: &[u8]) -> Result<Status, Refusal> {
    // A reader that has gone has seen enough.
    let _ = io::stdout().write_all(bytes);
    Ok(Status::OK)
}
