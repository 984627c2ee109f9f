//! Where lines come from: an editor, or a terminal that can only print.
use super::{assist::Assist, history};
use crate::{
    cli::{
        host,
        open::Visit,
        terminal::{self, TypedLines},
    },
    shell::Shell,
};
use docsh_builtins::{Cancel, Stop};
use rustyline::{CompletionType, Config, Editor, error::ReadlineError, history::FileHistory};
use std::{
    cell::RefCell,
    io::BufRead,
    path::PathBuf,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// What a person answered to a prompt.
pub enum Line {
    /// A command, which may have lines.
    Typed(String),
    /// Ctrl-C: what was typed is not wanted.
    Dropped,
    /// Ctrl-D, or nobody is there any more.
    End,
}

/// Asks for lines.
pub struct Lines {
    shell: Rc<RefCell<Shell>>,
    /// None on a terminal that can only print.
    editor: Option<Editor<Assist, FileHistory>>,
    history: Option<PathBuf>,
    /// Whether the editor waits for keys.
    at_prompt: Arc<AtomicBool>,
}

impl Lines {
    /// Lines for `shell` while `visit` goes on, kept in the file `history`.
    pub fn open(shell: Rc<RefCell<Shell>>, visit: Rc<Visit>, history: Option<PathBuf>) -> rustyline::Result<Lines> {
        let at_prompt = Arc::default();
        if terminal::is_plain() || !host::stdout_is_terminal() {
            return Ok(Lines { shell, editor: None, history: None, at_prompt });
        }
        host::end_on_signals_while(&at_prompt)?;
        let config = Config::builder()
            .max_history_size(history::LENGTH)?
            .auto_add_history(false)
            // What should not be kept, a token say, is typed behind a blank.
            .history_ignore_space(true)
            .completion_type(CompletionType::List)
            .completion_show_all_if_ambiguous(true)
            .build();
        let mut editor = Editor::with_config(config)?;
        editor.set_helper(Some(Assist::new(shell.clone(), visit, terminal::wants_colour())));
        if let Some(file) = &history {
            // A history that is not there yet, or unreadable, is an empty one.
            let _ = editor.load_history(file);
        }
        Ok(Lines { shell, editor: Some(editor), history, at_prompt })
    }

    /// Ask for the next command.
    pub fn read(&mut self, signals: &Cancel) -> std::io::Result<Line> {
        let Some(editor) = &mut self.editor else { return self.read_plain(signals) };
        let ask = |variable| self.shell.borrow_mut().prompt(variable, host::streams(signals), signals);
        let prompt = ask("PS1");
        // Once a command, even if no further line is asked for: while one types the shell cannot run.
        if let Some(assist) = editor.helper_mut().filter(|assist| assist.has_hints()) {
            assist.ask_for_more_with(ask("PS2").plain);
        }
        signals.reset();
        self.at_prompt.store(true, Ordering::Relaxed);
        let line = editor.readline(&(prompt.plain, prompt.styled));
        self.at_prompt.store(false, Ordering::Relaxed);
        match line {
            Ok(line) => {
                // A history that cannot take a line does not keep the line from running.
                let _ = editor.add_history_entry(&line);
                if let Some(file) = &self.history {
                    let _ = history::append(editor.history_mut(), file);
                }
                Ok(Line::Typed(line))
            }
            Err(ReadlineError::Interrupted) => Ok(Line::Dropped),
            Err(ReadlineError::Eof) => Ok(Line::End),
            Err(ReadlineError::Io(error)) => Err(error),
            Err(error) => Err(std::io::Error::other(error.to_string())),
        }
    }

    /// The same without an editor: prompts on stderr, lines as the terminal hands them over.
    fn read_plain(&mut self, signals: &Cancel) -> std::io::Result<Line> {
        let mut typed = TypedLines::new(signals);
        let mut text = String::new();
        loop {
            let variable = if text.is_empty() { "PS1" } else { "PS2" };
            let prompt = self.shell.borrow_mut().prompt(variable, host::streams(signals), signals);
            host::say(&prompt.plain);
            match typed.read_line(&mut text) {
                Ok(0) if text.is_empty() => return Ok(Line::End),
                Ok(count) if count == 0 || self.shell.borrow().is_whole(&text) => return Ok(Line::Typed(text)),
                Ok(_) => {}
                Err(error) if Stop::of(&error) == Some(Stop::Interrupted) => {
                    host::say("\n");
                    return Ok(Line::Dropped);
                }
                Err(error) if Stop::of(&error).is_some() => return Ok(Line::End),
                Err(error) => return Err(error),
            }
        }
    }
}
