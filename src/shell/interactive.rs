//! What a prompt asks of the shell between its runs: the prompts, the names there are, whether a line is whole.
use super::{
    Shell, builtins,
    expand::{self, UNSEEN_BEGINS, UNSEEN_ENDS},
};
use crate::syntax::{self, Completeness, ParseOptions};
use docsh_builtins::{Cancel, Stdio, Stream};

/// A prompt string, expanded.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Prompt {
    /// As a terminal shows it, colours included.
    pub styled: String,
    /// The part of it that takes room: without what stands in `\[ … \]`.
    pub plain: String,
}

impl Prompt {
    /// The two forms of `text`, in which marks stand around what takes no room.
    fn new(text: &str) -> Prompt {
        let mut prompt = Prompt::default();
        let mut unseen = false;
        for c in text.chars() {
            match c {
                UNSEEN_BEGINS => unseen = true,
                UNSEEN_ENDS => unseen = false,
                c => {
                    prompt.styled.push(c);
                    if !unseen {
                        prompt.plain.push(c);
                    }
                }
            }
        }
        prompt
    }
}

impl Shell {
    /// The prompt in `variable` (`PS1`, `PS2`), expanded over these streams. `$?` stays what it is.
    pub fn prompt(&mut self, variable: &str, io: Stdio, cancel: &Cancel) -> Prompt {
        let shell = &mut self.0;
        let Some(text) = shell.env.session.var(variable).map(str::to_string) else { return Prompt::default() };
        shell.cancel = cancel.clone();
        shell.env.fds.insert(0, Stream::Input(io.stdin));
        shell.env.fds.insert(1, Stream::Output(io.stdout));
        shell.env.fds.insert(2, Stream::Output(io.stderr.unbuffered()));
        let status = shell.env.session.status;
        // What cannot be expanded has been complained of, and is shown as it is.
        let expanded = expand::prompt(shell, &text).unwrap_or(text);
        shell.env.session.status = status;
        Prompt::new(&expanded)
    }

    /// Whether `text` can run or be refused, rather than wanting another line.
    pub fn is_whole(&self, text: &str) -> bool {
        let env = &self.0.env;
        let aliases = env.options.shopt.expand_aliases.then_some(&*env.aliases);
        let options = ParseOptions { extglob: env.options.shopt.extglob, aliases };
        syntax::completeness(text, &options) != Completeness::Incomplete
    }

    /// Whether `shopt -s extglob` is on.
    pub fn has_extglob(&self) -> bool {
        self.0.env.options.shopt.extglob
    }

    /// Every word that names a command here: functions, aliases, reserved words, the shell's commands, tools; sorted.
    pub fn command_names(&self) -> Vec<String> {
        builtins::command_names(&self.0)
    }

    /// Whether `word` would run something.
    pub fn is_command(&self, word: &str) -> bool {
        builtins::is_command(&self.0, word)
    }

    /// The names of the variables that have a value, sorted; those that are made when asked for included.
    pub fn variable_names(&self) -> Vec<&str> {
        let mut names = self.session().vars.names();
        names.extend(expand::DYNAMIC);
        names.sort_unstable();
        names.dedup();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::Prompt;

    #[test]
    fn what_takes_no_room_is_styling() {
        let prompt = Prompt::new("\u{1}\u{1b}[1m\u{2}docs$ \u{1}\u{1b}[m\u{2}");
        assert_eq!(prompt.styled, "\u{1b}[1mdocs$ \u{1b}[m");
        assert_eq!(prompt.plain, "docs$ ");
    }
}
