//! The shell: it runs what was parsed.
//!
//! A text becomes output in these steps. [`syntax`](crate::syntax) reads a line whole; `exec` walks its lists and
//! constructs; `simple` has `expand` turn words into strings, `redirect` change the descriptors, and finds who runs
//! them: a function, a command of `builtins`, a tool (`tools`). `pipeline` gives each stage a thread and a shell of its
//! own, joined by `pipe`. Statuses come back as values, everything else that leaves a command as a `Jump`.
mod builtins;
mod cond;
mod constructs;
mod exec;
mod expand;
mod fresh;
mod interactive;
mod interp;
mod jobs;
mod jump;
mod memory;
mod options;
mod pipe;
mod pipeline;
mod redirect;
mod simple;
mod substitute;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod time;
mod tools;
mod trace;
mod trap;

pub use interactive::Prompt;
pub use interp::Mode;
pub use pipe::{Reader, Writer, pipe};

use docsh_builtins::{Cancel, Fs, Input, Limits, Output, Session, Status, Stdio, Stop, Stream};
use interp::{Interp, Run, World};
use jump::Jump;
use std::sync::Arc;

/// A session: it keeps its directory, variables and functions from one run to the next.
pub struct Shell(Interp);

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// By its own end; the session may go on.
    Ran(Status),
    /// By `exit` or a fatal error: the session is over.
    Exited(Status),
    /// It was stopped.
    Stopped(Stop),
}

impl Ended {
    /// The exit status.
    pub fn status(self) -> Status {
        match self {
            Ended::Ran(status) | Ended::Exited(status) => status,
            Ended::Stopped(stop) => Status(stop.status()),
        }
    }
}

impl Shell {
    /// A fresh session over `fs`.
    pub fn new(fs: Arc<dyn Fs>, limits: Limits, session: Session, mode: Mode) -> Shell {
        let io = Stdio { stdin: Input::empty(), stdout: Output::null(), stderr: Output::null() };
        let world = Arc::new(World::new(fs, limits));
        let mut shell = Interp::new(world, session, io, Cancel::new(), mode);
        shell.env.options.shopt.expand_aliases = mode == Mode::Interactive;
        Shell(shell)
    }

    /// Run `text`, whose first line is called `first_line`, over these streams. Background jobs are part of a run, but
    /// at a prompt they go on.
    pub fn run(&mut self, text: &str, first_line: u32, io: Stdio, cancel: &Cancel) -> Ended {
        let shell = &mut self.0;
        shell.cancel = cancel.part();
        *shell.world.run.lock() = Run { cancel: shell.cancel.clone(), stderr: io.stderr.clone().unbuffered() };
        shell.env.fds.insert(0, Stream::Input(io.stdin));
        shell.env.fds.insert(1, Stream::Output(io.stdout));
        shell.env.fds.insert(2, Stream::Output(io.stderr.unbuffered()));
        match shell.run_guarded_program(text, first_line) {
            Ok(status) => Ended::Ran(status),
            Err(Jump::Stop(stop)) => {
                shell.jobs.stop();
                shell.env.session.status = stop.status();
                Ended::Stopped(stop)
            }
            Err(Jump::Exit(status)) => Ended::Exited(status),
            Err(Jump::Return(status) | Jump::Discard(status)) => Ended::Ran(status),
            Err(Jump::Break(_) | Jump::Continue(_)) => Ended::Ran(Status::OK),
        }
    }

    /// The end of the session: its jobs are waited for, its EXIT trap runs. Gives the exit status.
    pub fn finish(&mut self, ended: Ended) -> Status {
        let shell = &mut self.0;
        let mut status = ended.status();
        if let Ended::Stopped(_) = ended {
            shell.jobs.stop();
            shell.begin_last_words();
        } else if let Err(Jump::Stop(stop)) = shell.wait_for_jobs() {
            shell.jobs.stop();
            status = Status(stop.status());
            shell.begin_last_words();
        }
        for orphan in shell.world.orphans.lock().drain(..) {
            orphan.cancel.stop(Stop::Abandoned);
        }
        shell.run_exit_trap(status)
    }

    /// Explore `fs` from the next run on: the same site as it is now. Variables, functions and jobs stay.
    pub fn revisit(&mut self, fs: Arc<dyn Fs>) {
        let world = self.0.world.revisited(fs);
        self.0.world = Arc::new(world);
    }

    /// The site that it explores.
    pub fn site(&self) -> Arc<dyn Fs> {
        self.0.world.fs.clone()
    }

    /// The working directory, variables and the rest of the session's state.
    pub fn session(&self) -> &Session {
        &self.0.env.session
    }

    /// The same, to be changed between runs.
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.0.env.session
    }
}
