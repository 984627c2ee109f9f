//! The commands that are the shell itself: they change it, or read what only it knows.
//!
//! A command is a row: its name, how it is used, and a function over the shell. Tools, which only read streams and the
//! site, live in the package `docsh-builtins`.
mod about;
mod absent;
mod completion;
mod control;
mod declare;
mod exec;
mod jobs;
mod letters;
mod lookup;
mod mapfile;
mod options;
mod read;
mod source;
mod traps;
mod variables;

pub use exec::exec;
pub use lookup::{command_names, is_command};
pub(crate) use read::read_line;

use super::{expand::Argument, interp::Interp, jump::Outcome};
use docsh_builtins::Status;

/// One command of the shell.
pub struct Row {
    /// The word the user types.
    pub name: &'static str,
    /// Its words, as `help` shows them.
    pub synopsis: &'static str,
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
    synopsis: &'static str,
    about: &'static str,
    run: fn(&mut Interp, &[String]) -> Outcome,
) -> Row {
    Row { name, synopsis, about, body: Body::Words(run) }
}

const fn declaration(
    name: &'static str,
    synopsis: &'static str,
    about: &'static str,
    run: fn(&mut Interp, &[Argument]) -> Outcome,
) -> Row {
    Row { name, synopsis, about, body: Body::Declaration(run) }
}

/// Every command of the shell, sorted by name.
pub static ROWS: &[Row] = &[
    row(".", "FILE [ARG]...", "Run the commands of FILE in this shell.", source::source),
    row(":", "[ARG]...", "Do nothing, successfully.", control::colon),
    row("alias", "[-p] [NAME[=VALUE]]...", "Define or show aliases.", lookup::alias),
    row("bash", "[-c TEXT] [FILE] [ARG]...", "Run a fresh docsh.", super::fresh::run),
    row("bg", "[JOB]...", "Go on with a job; there is no job control.", absent::no_job_control),
    row("bind", "[OPTION]...", "Bind keys; a script has no line editor.", absent::bind),
    row("break", "[N]", "Leave N loops.", control::r#break),
    row("builtin", "NAME [ARG]...", "Run a command of the shell, not a function.", lookup::builtin),
    row("caller", "[N]", "Show where the running function was called.", about::caller),
    row("command", "[-pVv] NAME [ARG]...", "Run a command that is no function, or say what it is.", lookup::command),
    row(
        "compgen",
        "[-abcdefgjksuv] [-A ACTION] [-W WORDS] [-P PREFIX] [-S SUFFIX] [-X PATTERN] [WORD]",
        "Show what WORD could become.",
        completion::compgen,
    ),
    row(
        "complete",
        "[OPTION]... [NAME]...",
        "Say how to complete words; docsh does it by itself.",
        completion::complete,
    ),
    row("compopt", "[-o OPTION] [NAME]...", "Change how words are completed.", completion::compopt),
    row("continue", "[N]", "Go on with the next turn of the Nth loop.", control::r#continue),
    row("dash", "[-c TEXT] [FILE] [ARG]...", "Run a fresh docsh.", super::fresh::run),
    declaration(
        "declare",
        "[-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]",
        "Make variables, set their attributes, or show them.",
        declare::declare,
    ),
    row("disown", "[JOB]...", "Forget jobs.", absent::disown),
    row("docsh", "[-c TEXT] [FILE] [ARG]...", "Run a fresh docsh.", super::fresh::run),
    row("enable", "[NAME]...", "Show the commands of the shell; all are on.", absent::enable),
    row("eval", "[ARG]...", "Run the words as a command line.", source::eval),
    row("exit", "[N]", "End the shell with status N.", control::exit),
    declaration("export", "[-fn] [name[=value] ...] or export -p", "Let commands see variables.", declare::export),
    row("fc", "", "Edit the history; a script has none.", about::history),
    row("fg", "[JOB]", "Bring a job to the front; there is no job control.", absent::no_job_control),
    row("getopts", "optstring name [arg ...]", "Read the next option of the arguments.", variables::getopts),
    row("hash", "[-lrdt] [NAME]...", "Look names up; nothing is remembered.", lookup::hash),
    row("help", "[NAME]...", "Show what the commands do.", about::help),
    row("history", "", "Show the history; a script has none.", about::history),
    row("jobs", "[-lpnrs]", "List background jobs.", jobs::jobs),
    row("kill", "[-s SIGNAL] ID...", "Stop background jobs, or ask whether they run.", jobs::kill),
    row("let", "arg [arg ...]", "Evaluate arithmetic expressions.", variables::r#let),
    declaration("local", "[option] name[=value] ...", "Make variables of the running function.", declare::local),
    row("logout", "[N]", "End a login shell; this is none.", absent::logout),
    row(
        "mapfile",
        "[-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]",
        "Read lines into an array.",
        mapfile::mapfile,
    ),
    row(
        "read",
        "[-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]",
        "Read a line into variables.",
        read::read,
    ),
    row(
        "readarray",
        "[-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]",
        "Read lines into an array.",
        mapfile::mapfile,
    ),
    declaration(
        "readonly",
        "[-aAf] [name[=value] ...] or readonly -p",
        "Make variables that stay as they are.",
        declare::readonly,
    ),
    row("return", "[N]", "End a function or sourced file with status N.", control::r#return),
    row("set", "[-abefhknptuvxBCEHPT] [-o NAME] [--] [ARG]...", "Set options and parameters.", options::set),
    row("sh", "[-c TEXT] [FILE] [ARG]...", "Run a fresh docsh.", super::fresh::run),
    row("shift", "[N]", "Drop the first N positional parameters.", options::shift),
    row("shopt", "[-pqsu] [-o] [NAME]...", "Set and show more options.", options::shopt),
    row("source", "FILE [ARG]...", "Run the commands of FILE in this shell.", source::source),
    row("suspend", "", "Stop the shell; there is no job control.", absent::no_job_control),
    row("times", "", "Show the time used; it is not counted.", about::times),
    row("trap", "[-lp] [[ACTION] EVENT...]", "Run ACTION at an event.", traps::trap),
    row("type", "[-afptP] NAME...", "Show what a name means.", lookup::r#type),
    declaration(
        "typeset",
        "[-aAfFgiIlnrtux] [name[=value] ...] or typeset -p [-aAfFilnrtux] [name ...]",
        "Make variables, set their attributes, or show them.",
        declare::typeset,
    ),
    row("ulimit", "[-SHa]", "Show limits; docsh has its own.", about::ulimit),
    row("umask", "[-p] [-S] [MODE]", "Show or set the file mode mask.", about::umask),
    row("unalias", "[-a] [NAME]...", "Forget aliases.", lookup::unalias),
    row("unset", "[-f] [-v] [-n] [name ...]", "Forget variables or functions.", variables::unset),
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
