//! The commands that are the shell itself: they change it, or read what only it knows.
//!
//! A command is a row: its name, how it is used, and a function over the shell. Tools, which only read streams and the
//! site, live in the package `docsh-builtins`.
mod about;
mod control;
mod exec;
mod jobs;
mod lookup;
mod options;
mod read;
mod source;
mod traps;

pub use exec::exec;
pub use lookup::{command_names, is_declaration};
pub use read::read_line;

use super::{expand::Argument, interp::Interp, jump::Outcome};
use docsh_builtins::Status;

/// One command of the shell.
pub struct Row {
    /// The word the user types.
    pub name: &'static str,
    /// Its words, as `help` shows them.
    pub usage: &'static str,
    /// What it does, one line.
    pub about: &'static str,
    /// The command itself.
    pub body: Body,
}

/// How a command takes its words.
#[derive(Clone, Copy)]
pub enum Body {
    /// Expanded words, the name first.
    Words(fn(&mut Interp, &[String]) -> Outcome),
    /// Words of which some are assignments (`declare a=(1 2)`), the name first.
    Declaration(fn(&mut Interp, &[Argument]) -> Outcome),
}

const fn row(
    name: &'static str,
    usage: &'static str,
    about: &'static str,
    run: fn(&mut Interp, &[String]) -> Outcome,
) -> Row {
    Row { name, usage, about, body: Body::Words(run) }
}

/// Every command of the shell, sorted by name.
pub static ROWS: &[Row] = &[
    row(".", "FILE [ARG]...", "Run the commands of FILE in this shell.", source::source),
    row(":", "[ARG]...", "Do nothing, successfully.", control::colon),
    row("alias", "[-p] [NAME[=VALUE]]...", "Define or show aliases.", lookup::alias),
    row("bash", "[-c TEXT] [FILE] [ARG]...", "Run a fresh docsh.", super::fresh::run),
    row("break", "[N]", "Leave N loops.", control::r#break),
    row("builtin", "NAME [ARG]...", "Run a command of the shell, not a function.", lookup::builtin),
    row("caller", "[N]", "Show where the running function was called.", about::caller),
    row("command", "[-pVv] NAME [ARG]...", "Run a command that is no function, or say what it is.", lookup::command),
    row("continue", "[N]", "Go on with the next turn of the Nth loop.", control::r#continue),
    row("dash", "[-c TEXT] [FILE] [ARG]...", "Run a fresh docsh.", super::fresh::run),
    row("docsh", "[-c TEXT] [FILE] [ARG]...", "Run a fresh docsh.", super::fresh::run),
    row("eval", "[ARG]...", "Run the words as a command line.", source::eval),
    row("exit", "[N]", "End the shell with status N.", control::exit),
    row("hash", "[-lrdt] [NAME]...", "Look names up; nothing is remembered.", lookup::hash),
    row("help", "[NAME]...", "Show what the commands do.", about::help),
    row("history", "", "Show the history; a script has none.", about::history),
    row("jobs", "[-lpnrs]", "List background jobs.", jobs::jobs),
    row("logout", "[N]", "End the shell with status N.", control::exit),
    row("return", "[N]", "End a function or sourced file with status N.", control::r#return),
    row("set", "[-abefhknptuvxBCEHPT] [-o NAME] [--] [ARG]...", "Set options and parameters.", options::set),
    row("sh", "[-c TEXT] [FILE] [ARG]...", "Run a fresh docsh.", super::fresh::run),
    row("shift", "[N]", "Drop the first N positional parameters.", options::shift),
    row("shopt", "[-pqsu] [-o] [NAME]...", "Set and show more options.", options::shopt),
    row("source", "FILE [ARG]...", "Run the commands of FILE in this shell.", source::source),
    row("times", "", "Show the time used; it is not counted.", about::times),
    row("trap", "[-lp] [[ACTION] EVENT...]", "Run ACTION at an event.", traps::trap),
    row("type", "[-afptP] NAME...", "Show what a name means.", lookup::r#type),
    row("ulimit", "[-SHa]", "Show limits; docsh has its own.", about::ulimit),
    row("umask", "[-p] [-S] [MODE]", "Show or set the file mode mask.", about::umask),
    row("unalias", "[-a] [NAME]...", "Forget aliases.", lookup::unalias),
    row("wait", "[-n] [ID]...", "Wait for background jobs.", jobs::wait),
    row("which", "[-as] NAME...", "Show where a command is.", lookup::which),
];

/// The command called `name`.
pub fn find(name: &str) -> Option<&'static Row> {
    ROWS.binary_search_by(|row| row.name.cmp(name)).ok().map(|at| &ROWS[at])
}

/// Every command's name; `exec` is the interpreter's own.
pub fn names() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|row| row.name).chain(["exec"])
}

/// The number in `word`, or `numeric argument required` with status 2.
fn number(shell: &Interp, name: &str, word: &str) -> Result<i64, Status> {
    word.trim().parse().map_err(|_| {
        shell.complain(format_args!("{name}: {word}: numeric argument required"));
        Status(2)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        let names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(names, sorted);
    }
}
