//! `docsh completions SHELL` and `docsh man`: what packagers install beside the program, made from its flags.
use super::{Refusal, flags::Arguments};
use clap::{Args as ClapArgs, Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
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
    clap_complete::generate(args.shell, &mut Arguments::command(), "docsh", &mut script);
    print(&script)
}

/// Print the manual page, in roff.
pub fn page() -> Result<Status, Refusal> {
    let mut page = Vec::new();
    // Writing to memory cannot fail.
    let _ = write_page(&mut page);
    print(&page)
}

fn write_page(page: &mut Vec<u8>) -> io::Result<()> {
    let mut docsh = Arguments::command();
    docsh.build();
    let man = Man::new(docsh.clone());
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    let mut examples = Vec::new();
    man.render_extra_section(&mut examples)?;
    let examples = String::from_utf8_lossy(&examples);
    page.extend(examples.replace(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n").bytes());
    for mode in docsh.get_subcommands() {
        write_mode(mode, page)?;
    }
    man.render_version_section(page)
}

/// A section on a subcommand: there is one page, and not one for each.
fn write_mode(mode: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    if mode.has_subcommands() {
        return mode.get_subcommands().try_for_each(|mode| write_mode(mode, page));
    }
    let name = mode.get_bin_name().unwrap_or_default();
    if mode.get_name() == "help" {
        return Ok(());
    }
    writeln!(page, ".SH {}", name.to_uppercase())?;
    // What holds for all of them stands above.
    let own = mode.clone().mut_args(|arg| if arg.is_global_set() { arg.hide(true) } else { arg });
    let man = Man::new(own.disable_help_flag(true));
    let mut parts = Vec::new();
    man.render_synopsis_section(&mut parts)?;
    man.render_description_section(&mut parts)?;
    man.render_options_section(&mut parts)?;
    let parts = String::from_utf8_lossy(&parts);
    let headings = [".SH SYNOPSIS\n", ".SH DESCRIPTION\n", ".SH OPTIONS\n"];
    let parts = headings.iter().fold(parts.into_owned(), |text, heading| text.replace(heading, ".PP\n"));
    page.extend(parts.bytes());
    Ok(())
}

fn print(bytes: &[u8]) -> Result<Status, Refusal> {
    // A reader that has gone has seen enough.
    let _ = io::stdout().write_all(bytes);
    Ok(Status::OK)
}
