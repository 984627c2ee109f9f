//! Pipelines and background lists: a thread a stage, bounded pipes between them.
//!
//! Each stage has a shell of its own, whatever kind of command it is, so a loop, a function or a group runs beside its
//! neighbours as a tool does. The last stage runs on the caller's thread; when it ends its end of the pipe is dropped,
//! the stages before it write into a broken pipe, and end. A stage that panics is reported, and its status is 70.
use super::{
    interp::{Interp, World},
    jobs::Job,
    jump::{Jump, Outcome},
    pipe::pipe,
};
use crate::syntax::ast::{Command, Item};
use docsh_builtins::{Input, InputKind, Output, Status, Stream};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, OnceLock, atomic::Ordering},
    thread::{self, JoinHandle},
};

/// Where a stage's stack starts; it grows as commands nest.
const STACK: usize = 512 * 1024;
/// The status of a stage that panicked.
const PANICKED: Status = Status(70);

/// One of the run's stages, as long as it is held.
struct Place(Arc<World>);

impl Place {
    fn take(world: &Arc<World>) -> Option<Place> {
        let place = Place(world.clone());
        (world.stages.fetch_add(1, Ordering::Relaxed) < world.limits.stages).then_some(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.stages.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Interp {
    /// Run two or more commands side by side. The status is the last one's, or with `pipefail` the last failure.
    pub fn stages(&mut self, commands: &[Arc<Command>]) -> Outcome {
        let Some((last, before)) = commands.split_last() else { return Ok(Status::OK) };
        let mut threads = Vec::with_capacity(before.len());
        let mut stdin = None;
        for command in before {
            let (reader, writer) = pipe(&self.cancel);
            let mut shell = self.stage_shell(stdin.replace(Stream::Input(Input::new(reader, InputKind::Pipe))))?;
            shell.env.fds.insert(1, Stream::Output(Output::new(writer)));
            let command = command.clone();
            threads.push(self.spawn(move || shell.run_stage(|shell| shell.command(&command)))?);
        }
        let result = if self.env.options.shopt.lastpipe {
            let outer = self.env.fds.clone();
            self.env.fds.extend(stdin.map(|stream| (0, stream)));
            let result = self.command(last);
            self.env.fds = outer;
            result
        } else {
            let mut shell = self.stage_shell(stdin)?;
            shell.run_to_end(|shell| shell.command(last))
        };
        let mut statuses: Vec<Status> = threads.into_iter().map(|thread| thread.join().unwrap_or(PANICKED)).collect();
        let status = result?;
        self.cancel.check()?;
        statuses.push(status);
        self.env.pipe_status = statuses.iter().map(|status| status.0).collect();
        let failed = statuses.into_iter().rev().find(|status| !status.is_ok());
        Ok(if self.env.options.set.pipefail { failed.unwrap_or(Status::OK) } else { status })
    }

    fn stage_shell(&self, stdin: Option<Stream>) -> Outcome<Interp> {
        let mut shell = self.fork()?;
        shell.env.fds.extend(stdin.map(|stream| (0, stream)));
        Ok(shell)
    }

    /// Run a whole stage to its status; stops and panics included.
    pub fn run_stage(mut self, body: impl FnOnce(&mut Interp) -> Outcome) -> Status {
        self.run_guarded(body)
    }

    /// The same for a shell that lives on.
    pub fn run_guarded(&mut self, body: impl FnOnce(&mut Interp) -> Outcome) -> Status {
        let result = catch_unwind(AssertUnwindSafe(|| self.run_to_end(body)));
        match result {
            Ok(Ok(status)) => status,
            Ok(Err(Jump::Stop(stop))) => Status(stop.status()),
            Ok(Err(_)) => Status::OK,
            Err(_) => {
                self.complain("internal error: this stage panicked");
                PANICKED
            }
        }
    }

    /// Run a text at the top of a session; a panic is reported and costs it the line.
    pub fn run_guarded_program(&mut self, text: &str, first_line: u32) -> Outcome {
        let result = catch_unwind(AssertUnwindSafe(|| self.run_program(text, first_line)));
        result.unwrap_or_else(|_| {
            self.complain("internal error: this command panicked");
            Ok(PANICKED)
        })
    }

    /// A thread for `body`, within the limit of stages.
    pub fn spawn(&self, body: impl FnOnce() -> Status + Send + 'static) -> Outcome<JoinHandle<Status>> {
        let Some(place) = Place::take(&self.world) else {
            return self.over_limit(format_args!("more than {} stages at once", self.world.limits.stages));
        };
        let body = move || {
            let status = body();
            drop(place);
            status
        };
        match thread::Builder::new().stack_size(STACK).spawn(body) {
            Ok(thread) => Ok(thread),
            Err(error) => self.over_limit(format_args!("cannot start a stage: {error}")),
        }
    }

    /// Start a list that ends with `&`. It reads nothing, and its status is waited for by `wait` or the end of the run.
    pub fn background(&mut self, item: &Item) -> Outcome {
        let limit = self.world.limits.jobs;
        if self.jobs.running() >= limit {
            return self.over_limit(format_args!("more than {limit} background jobs at once"));
        }
        let mut shell = self.fork()?;
        shell.cancel = self.cancel.part();
        shell.env.fds.insert(0, Stream::Input(Input::empty()));
        let pid = shell.env.own_pid;
        let status = Arc::new(OnceLock::new());
        let job = Job { status: status.clone(), cancel: shell.cancel.clone() };
        let list = item.list.clone();
        self.spawn(move || {
            let result = shell.run_stage(|shell| {
                let result = shell.list(&list)?;
                shell.wait_for_all()?;
                Ok(result)
            });
            let _ = status.set(result);
            result
        })?;
        self.jobs.0.insert(pid, job);
        self.env.last_job = Some(pid);
        self.env.session.status = 0;
        Ok(Status::OK)
    }
}
