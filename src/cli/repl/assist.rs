//! What the line editor asks while a line is typed: completions, colours, hints, and whether another line is wanted.
use super::{colour, completion};
use crate::{cli::open::Visit, shell::Shell, syntax::outline::outline};
use rustyline::{
    Context, Helper, Result,
    completion::{Completer, Pair},
    highlight::{CmdKind, Highlighter},
    hint::{Hint, Hinter, HistoryHinter},
    validate::{ValidationContext, ValidationResult, Validator},
};
use std::{
    borrow::Cow::{self, Borrowed, Owned},
    cell::RefCell,
    rc::Rc,
};

/// Answers from the shell, which waits while a line is typed.
pub struct Assist {
    shell: Rc<RefCell<Shell>>,
    visit: Rc<Visit>,
    /// Without colours nothing would tell a hint from what was typed, so there are none then.
    coloured: bool,
    /// `PS2`, expanded.
    more: String,
}

impl Assist {
    /// Help with lines for `shell`, as long as `visit` goes on.
    pub fn new(shell: Rc<RefCell<Shell>>, visit: Rc<Visit>, coloured: bool) -> Assist {
        Assist { shell, visit, coloured, more: String::new() }
    }

    /// Whether there are hints, and so a prompt for a further line.
    pub fn has_hints(&self) -> bool {
        self.coloured
    }

    /// Show this where the next line of a command is to be typed. The editor has one prompt for all lines, so that it
    /// stands there faintly, until something is typed.
    pub fn ask_for_more_with(&mut self, prompt: String) {
        self.more = prompt;
    }
}

/// What is shown faintly behind the cursor.
pub enum Faint {
    /// The rest of a line of the history, which a key takes over.
    Past(String),
    /// That the command goes on here.
    More(String),
}

impl Hint for Faint {
    fn display(&self) -> &str {
        match self {
            Faint::Past(text) | Faint::More(text) => text,
        }
    }

    fn completion(&self) -> Option<&str> {
        match self {
            Faint::Past(text) => Some(text),
            Faint::More(_) => None,
        }
    }
}

impl Helper for Assist {}

impl Completer for Assist {
    type Candidate = Pair;

    /// Who may run nothing more is told nothing more.
    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> Result<(usize, Vec<Pair>)> {
        if self.visit.has_ended() {
            return Ok((pos, Vec::new()));
        }
        Ok(completion::complete(&self.shell.borrow(), line, pos))
    }
}

impl Hinter for Assist {
    type Hint = Faint;

    /// The rest of the last line of the history that begins like this one; on a further line the prompt for it.
    fn hint(&self, line: &str, pos: usize, context: &Context<'_>) -> Option<Faint> {
        if !self.coloured {
            return None;
        }
        if line.contains('\n') {
            return (line.ends_with('\n') && pos == line.len()).then(|| Faint::More(self.more.clone()));
        }
        HistoryHinter::new().hint(line, pos, context).filter(|hint| !hint.contains('\n')).map(Faint::Past)
    }
}

impl Highlighter for Assist {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        if line.len() > colour::LONG {
            return Borrowed(line);
        }
        let shell = self.shell.borrow();
        Owned(colour::paint(line, &outline(line, shell.has_extglob()), |name| shell.is_command(name)))
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Owned(colour::faint(hint))
    }

    /// One key may change what the whole line means.
    fn highlight_char(&self, line: &str, _: usize, kind: CmdKind) -> bool {
        kind != CmdKind::MoveCursor && line.len() <= colour::LONG
    }
}

impl Validator for Assist {
    /// Another line is asked for while the command is not whole; what is wrong is left to be run, and refused there.
    fn validate(&self, context: &mut ValidationContext<'_>) -> Result<ValidationResult> {
        Ok(match self.shell.borrow().is_whole(context.input()) {
            true => ValidationResult::Valid(None),
            false => ValidationResult::Incomplete,
        })
    }
}
