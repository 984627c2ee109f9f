//! Running what was parsed: texts, lists, pipelines' places in them, and functions.
//!
//! Everything here answers an [`Outcome`]: the status of what ran, or the [`Jump`] that leaves it. `$?` is set after
//! each pipeline, and `set -e` is decided there and nowhere else.
use super::{
    interp::{Frame, Function, Interp, Mode},
    jump::{Jump, Outcome},
    trap::Event,
};
use crate::stack;
use crate::syntax::{
    ParseOptions, Reader,
    ast::{AndOr, Command, CommandKind, Connective, Item, Pipeline, Script},
    print,
};
use docsh_builtins::Status;
use std::{sync::Arc, time::Instant};

/// Stack that must be free before a command is run; below it the stack grows.
pub(super) const RED_ZONE: usize = 128 * 1024;
/// How much it grows by.
pub(super) const GROWTH: usize = 2 * 1024 * 1024;

/// About how many bytes a word, a part of one or a separator takes in a tree.
const PIECE: usize = 256;
/// About how many bytes a tree takes for each byte of its text.
const TREE: usize = 64;

impl Interp {
    /// Run a whole text at the top of a shell, line by line as bash reads it: a line that cannot be parsed ends it with
    /// status 2, an error that drops a line goes on with the next.
    pub fn run_program(&mut self, text: &str, first_line: u32) -> Outcome {
        let mut reader = Reader::new(text, first_line);
        let mut status = Status::OK;
        loop {
            let result = match self.next_line(&mut reader) {
                Ok(Some(line)) => self.line(&line, reader.pieces()),
                Ok(None) => return Ok(status),
                Err(status) => return Ok(status),
            };
            status = match result {
                Ok(status) => status,
                Err(Jump::Discard(status)) => {
                    self.env.session.status = status.0;
                    status
                }
                Err(jump) => return Err(jump),
            };
        }
    }

    /// Run a text inside of what runs already (`eval`, `source`, a trap).
    pub fn run_text(&mut self, text: &str, first_line: u32) -> Outcome {
        self.deeper(|shell| {
            let mut reader = Reader::new(text, first_line);
            let mut status = Status::OK;
            loop {
                match shell.next_line(&mut reader) {
                    Ok(Some(line)) => status = shell.line(&line, reader.pieces())?,
                    Ok(None) => return Ok(status),
                    Err(status) => return Ok(status),
                }
            }
        })
    }

    /// Run a line of so many `pieces`, whose tree is paid for until it has ended.
    fn line(&mut self, line: &[Item], pieces: usize) -> Outcome {
        let mut paid = self.world.memory.purse();
        self.pay(&mut paid, pieces * PIECE)?;
        self.script(line)
    }

    /// The next line of a text; a syntax error is reported and becomes status 2.
    fn next_line(&mut self, reader: &mut Reader<'_>) -> Result<Option<Script>, Status> {
        let aliases = self.env.options.shopt.expand_aliases.then(|| self.env.aliases.clone());
        let options = ParseOptions { extglob: self.env.options.shopt.extglob, aliases: aliases.as_deref() };
        let line = reader.next(&options);
        for warning in reader.take_warnings() {
            self.env.line = warning.line;
            self.complain(format_args!("warning: {}", warning.message));
        }
        line.map_err(|error| {
            self.env.line = error.line;
            self.complain(&error.message);
            if let Some(source) = &error.source {
                self.complain(format_args!("`{source}'"));
            }
            let status = error.status();
            self.env.session.status = status.0;
            status
        })
    }

    /// Run `body` one level deeper, against the limit of nested calls.
    pub fn deeper<T>(&mut self, body: impl FnOnce(&mut Interp) -> Outcome<T>) -> Outcome<T> {
        let limit = self.world.limits.depth;
        if self.depth >= limit {
            return self.over_limit(format_args!("calls nested deeper than {limit}"));
        }
        self.depth += 1;
        let result = body(self);
        self.depth -= 1;
        result
    }

    /// Run each list in turn.
    pub fn script(&mut self, script: &[Item]) -> Outcome {
        let mut status = Status::OK;
        for item in script {
            self.env.line = item.line;
            status = if item.background { self.background(item)? } else { self.list(&item.list)? };
        }
        Ok(status)
    }

    /// Run what a guard, or anything else whose failure is an answer, consists of.
    pub fn unchecked<T>(&mut self, body: impl FnOnce(&mut Interp) -> Outcome<T>) -> Outcome<T> {
        self.unchecked += 1;
        let result = body(self);
        self.unchecked -= 1;
        result
    }

    /// Pipelines joined by `&&` and `||`.
    pub fn list(&mut self, list: &AndOr) -> Outcome {
        if list.rest.is_empty() {
            return self.checked_pipeline(&list.first);
        }
        let mut status = self.unchecked(|shell| shell.pipeline(&list.first))?;
        for (at, (connective, pipeline)) in list.rest.iter().enumerate() {
            if (*connective == Connective::And) != status.is_ok() {
                continue;
            }
            status = match at + 1 == list.rest.len() {
                true => self.checked_pipeline(pipeline)?,
                false => self.unchecked(|shell| shell.pipeline(pipeline))?,
            };
        }
        Ok(status)
    }

    /// A pipeline whose failure `set -e` and `trap … ERR` look at.
    fn checked_pipeline(&mut self, pipeline: &Pipeline) -> Outcome {
        let status = self.pipeline(pipeline)?;
        if !status.is_ok() && self.unchecked == 0 && !pipeline.negated {
            self.run_trap(Event::Err)?;
            if self.env.options.set.errexit {
                return Err(Jump::Exit(status));
            }
        }
        Ok(status)
    }

    /// One pipeline, with what stands before it.
    fn pipeline(&mut self, pipeline: &Pipeline) -> Outcome {
        let started = pipeline.timed.map(|format| (format, Instant::now()));
        let result = match (pipeline.negated, pipeline.commands.as_slice()) {
            (false, [command]) => self.command(command),
            (true, [command]) => self.unchecked(|shell| shell.command(command)),
            (false, commands) => self.stages(commands),
            (true, commands) => self.unchecked(|shell| shell.stages(commands)),
        };
        if let Some((format, started)) = started {
            self.report_time(format, started);
        }
        let status = result?;
        if let [_] = pipeline.commands.as_slice() {
            self.env.pipe_status.clear();
            self.env.pipe_status.push(status.0);
        }
        let status = if pipeline.negated { Status::from(!status.is_ok()) } else { status };
        self.env.session.status = status.0;
        Ok(status)
    }

    /// One stage: a simple command, a construct, or a definition.
    pub fn command(&mut self, command: &Command) -> Outcome {
        self.cancel.check()?;
        self.env.line = command.line;
        if self.env.options.set.noexec && !self.is_interactive() {
            return Ok(Status::OK);
        }
        let mark = self.processes.len();
        let result = stack::with_room(RED_ZONE, GROWTH, || match &command.kind {
            CommandKind::Simple(simple) => self.simple(simple),
            CommandKind::Compound(compound) => {
                self.with_redirects(&command.redirects, |shell| shell.compound(compound))
            }
            CommandKind::Function { name, body, .. } => self.define(name, body),
        });
        self.close_processes(mark);
        result
    }

    /// A definition: it is paid for until no shell has the function any more.
    fn define(&mut self, name: &str, body: &Arc<Command>) -> Outcome {
        let mut paid = self.world.memory.purse();
        self.pay(&mut paid, print::function(name, body).len() * TREE)?;
        let exported = self.env.functions.get(name).is_some_and(|known| known.exported);
        let function = Function::new(body.clone(), exported, paid);
        Arc::make_mut(&mut self.env.functions).insert(name.to_string(), function);
        Ok(Status::OK)
    }

    /// Call the function `name` with `args` (without the name).
    pub fn call_function(&mut self, name: &str, function: &Function, args: Vec<String>) -> Outcome {
        self.deeper(|shell| {
            let line = shell.env.line;
            let outer_loops = std::mem::take(&mut shell.loops);
            shell.env.frames.push(Frame { name: name.to_string(), line });
            shell.env.session.vars.push_frame();
            let outer_traps = shell.withhold_traps();
            let result = shell.with_positional(args, |shell| {
                let result = shell.command(&function.body);
                if shell.env.options.set.functrace {
                    shell.run_trap(Event::Return)?;
                }
                result
            });
            shell.env.traps.0.extend(outer_traps);
            let locals = shell.env.session.vars.pop_frame();
            shell.let_go(locals);
            shell.env.frames.pop();
            shell.loops = outer_loops;
            shell.env.line = line;
            match result {
                Err(Jump::Return(status)) => Ok(status),
                // A `break` outside of the function's own loops has been refused where it stands.
                result => result,
            }
        })
    }

    /// Run `body` as a whole shell: jumps end it, its EXIT trap runs. Only a stop goes on outwards.
    pub fn run_to_end(&mut self, body: impl FnOnce(&mut Interp) -> Outcome) -> Outcome {
        let status = match body(self) {
            Ok(status) | Err(Jump::Exit(status) | Jump::Return(status) | Jump::Discard(status)) => status,
            Err(Jump::Break(_) | Jump::Continue(_)) => Status::OK,
            Err(Jump::Stop(stop)) => {
                self.jobs.stop();
                return Err(Jump::Stop(stop));
            }
        };
        let status = self.run_exit_trap(status);
        self.leave_jobs();
        self.cancel.check()?;
        Ok(status)
    }

    /// Whether an error that ends a script should be said without its line: at a prompt there is none.
    pub fn is_interactive(&self) -> bool {
        self.mode == Mode::Interactive
    }
}
