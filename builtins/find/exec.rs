//! Commands on files: `-exec`, `-execdir`, `-ok`.
use super::{
    expression::Exec,
    walk::{Node, Walk},
};
use crate::{Call, Input, Result, Status, Stdio, VPath, basename, curly, xargs::COMMAND_SIZE};
use std::io::{BufRead, Write};

/// Files that wait for their command (`+`).
#[derive(Default)]
pub(super) struct Batch {
    files: Vec<String>,
    bytes: usize,
    dir: Option<VPath>,
}

impl Walk<'_, '_> {
    /// Run the command at `place` on `node`, or put the file aside for it. Whether it answered 0.
    pub(super) fn exec(&mut self, place: usize, node: &Node) -> Result<bool> {
        let exec = &self.command.execs[place];
        let (file, dir) = match exec.in_folder {
            true => {
                let base = basename::last(&node.name);
                // A folder that was named with a slash at its end keeps it.
                let slash = if node.name.ends_with('/') && !base.ends_with('/') { "/" } else { "" };
                let file = if base.starts_with('/') { base.to_string() } else { format!("./{base}{slash}") };
                (file, Some(node.path().parent()))
            }
            false => (node.name.clone(), None),
        };
        if exec.is_batch {
            let fixed: usize = exec.words.iter().map(|word| word.len() + 1).sum();
            let batch = &self.batches[place];
            let is_full = fixed + batch.bytes + file.len() + 1 > COMMAND_SIZE;
            if !batch.files.is_empty() && (is_full || batch.dir != dir) {
                self.run_batch(place)?;
            }
            let batch = &mut self.batches[place];
            batch.bytes += file.len() + 1;
            batch.dir = dir;
            batch.files.push(file);
            return Ok(true);
        }
        let words: Vec<String> = exec.words.iter().map(|word| word.replace("{}", &file)).collect();
        if exec.asks && !ask(self.call, exec, &file)? {
            return Ok(false);
        }
        let stdin = if exec.asks { Input::empty() } else { self.call.stdin.clone() };
        Ok(launch(self.call, &words, dir, stdin)?.is_some_and(Status::is_ok))
    }

    /// Run the commands whose files still wait.
    pub(super) fn run_batches(&mut self) -> Result<()> {
        for place in 0..self.batches.len() {
            if !self.batches[place].files.is_empty() {
                self.run_batch(place)?;
            }
        }
        Ok(())
    }

    fn run_batch(&mut self, place: usize) -> Result<()> {
        let batch = std::mem::take(&mut self.batches[place]);
        let words: Vec<String> = self.command.execs[place].words.iter().cloned().chain(batch.files).collect();
        let stdin = self.call.stdin.clone();
        if !launch(self.call, &words, batch.dir, stdin)?.is_some_and(Status::is_ok) {
            self.status = Status::FAILURE;
        }
        Ok(())
    }
}

/// Run `words` in a copy of the session; `None`, with a message, when there is no such command.
fn launch(call: &mut Call<'_>, words: &[String], dir: Option<VPath>, stdin: Input) -> Result<Option<Status>> {
    call.stdout.flush()?;
    call.stdin.release();
    if !call.shell.has(&words[0]) {
        call.warn(format_args!("{}: No such file or directory", curly(&words[0])))?;
        return Ok(None);
    }
    let mut session = call.session.of_child();
    if let Some(dir) = dir {
        session.cwd = dir;
    }
    let io = Stdio { stdin, stdout: call.stdout.clone(), stderr: call.stderr.clone() };
    let status = call.shell.run(words, io, &mut session, &call.cancel);
    call.cancel.check()?;
    Ok(Some(status))
}

/// Ask on stderr, and read the answer from stdin.
fn ask(call: &mut Call<'_>, exec: &Exec, file: &str) -> Result<bool> {
    call.stdout.flush()?;
    write!(call.stderr, "< {} ... {file} > ? ", exec.words[0])?;
    let mut answer = Vec::new();
    call.stdin.read_until(b'\n', &mut answer)?;
    Ok(matches!(answer.first(), Some(b'y' | b'Y')))
}
