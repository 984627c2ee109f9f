//! `docsh` at a terminal: a prompt, history, continuation lines. Ctrl-C stops what runs and keeps the session.
use super::{
    Refusal,
    flags::{self, Flags},
    host,
    observe::Watch,
    open,
    open::Visit,
};
use crate::{
    shell::{Ended, Mode, Shell},
    syntax::{Completeness, ParseOptions, completeness},
};
use docsh_builtins::{Cancel, Limits, Status};
use rustyline::{
    Completer, Config, Editor, Helper, Highlighter, Hinter,
    error::ReadlineError,
    history::{FileHistory, History},
    validate::{ValidationContext, ValidationResult, Validator},
};
use std::{
    fs,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::PathBuf,
};

/// Read and run lines until the user leaves.
pub fn run(flags: &Flags) -> Result<Status, Refusal> {
    let config = open::configuration(flags)?;
    let limits = flags::limits(&config, flags.timeout)?;
    let limits = Limits { time: flags.timeout.and(limits.time), ..limits };
    let signals = Cancel::new();
    let visit = Visit::open(&flags.visiting, &config, &signals)?;
    let (site, name) = (visit.tree(), &visit.name);
    let session = open::session(&*site, flags.cwd.as_deref())?;
    let mut shell = Shell::new(site, limits.clone(), session, Mode::Interactive);
    let mut editor = editor().map_err(|error| Refusal::usage(format_args!("cannot use this terminal: {error}")))?;
    let history = history_file(name).filter(|_| !flags.restricted);
    if let Some(file) = &history {
        // A history that is not there yet, or unreadable, is an empty one.
        let _ = editor.load_history(file);
    }
    // At the prompt the editor takes Ctrl-C as a key; while a command runs it is a signal.
    host::stop_on_signals(&signals).map_err(Refusal::usage)?;
    let mut ended = Ended::Ran(Status::OK);
    loop {
        let prompt = format!("{name}:{}$ ", shell.session().cwd);
        match editor.readline(&prompt) {
            Ok(line) => {
                // A history that cannot take a line does not keep the line from running.
                let _ = editor.add_history_entry(&line);
                signals.reset();
                let watch = Watch::start(flags.trace);
                shell.revisit(visit.renew(&signals)?);
                let cancel = limits.time.map_or(signals.clone(), |time| signals.within(time));
                ended = shell.run(&line, 1, host::streams(&cancel), &cancel);
                watch.end(ended.status(), &cancel);
                signals.reset();
                if let Ended::Exited(_) = ended {
                    break;
                }
            }
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(Refusal::usage(format_args!("cannot read from this terminal: {error}"))),
        }
    }
    if let Some(file) = &history {
        let _ = save(&mut editor, file);
    }
    Ok(shell.finish(ended))
}

type Lines = Editor<Prompt, FileHistory>;

fn editor() -> rustyline::Result<Lines> {
    let config = Config::builder().max_history_size(10_000)?.auto_add_history(false).build();
    let mut editor = Editor::with_config(config)?;
    editor.set_helper(Some(Prompt));
    Ok(editor)
}

/// What the editor asks us while a line is typed.
#[derive(Completer, Helper, Highlighter, Hinter)]
struct Prompt;

impl Validator for Prompt {
    /// Another line is asked for while the command is not complete; what is wrong is left to be run, and refused there.
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let options = ParseOptions { extglob: true, aliases: None };
        Ok(match completeness(context.input(), &options) {
            Completeness::Incomplete => ValidationResult::Incomplete,
            Completeness::Complete | Completeness::Wrong(_) => ValidationResult::Valid(None),
        })
    }
}

/// `$XDG_STATE_HOME/docsh/NAME`, or none where there is no home.
fn history_file(name: &str) -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))?;
    Some(state.join("docsh").join(name.replace('/', "_")))
}

/// Write the history, readable by its user alone.
fn save(editor: &mut Lines, file: &PathBuf) -> rustyline::Result<()> {
    if let Some(folder) = file.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    drop(fs::OpenOptions::new().append(true).create(true).mode(0o600).open(file)?);
    editor.history_mut().save(file)
}
