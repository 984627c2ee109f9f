//! Simple commands: expand the words, redirect, assign, and find out who runs them.
//!
//! In bash's order of names: functions, the shell's own commands, tools. Assignments before a command hold for it
//! alone and are exported to it.
use super::{
    builtins::{self, Body},
    expand::{self, Argument},
    interp::Interp,
    jump::{Jump, Outcome},
    tools, trace,
    trap::Event,
};
use crate::syntax::{
    ast::{Assignment, Part, Simple},
    print,
};
use docsh_builtins::{Builtin, Purse, Status, Value, Variable, nearest};
use std::io::Write;

/// Who runs a command.
enum Runner {
    Function(super::interp::Function),
    Own(&'static builtins::Row),
    Tool(&'static Builtin),
    /// An executable file of the tree, by the name it was typed as.
    Script(String),
}

impl Interp {
    /// Run one simple command.
    pub fn simple(&mut self, simple: &Simple) -> Outcome {
        if !self.env.traps.0.is_empty() && !self.in_trap {
            self.env.command = print::simple(simple);
        }
        self.run_trap(Event::Debug)?;
        self.substitution = None;
        if simple.words.is_empty() {
            return self.assignments_only(simple);
        }
        if let Some(row) = declaration(simple) {
            let arguments = expand::declaration_words(self, &simple.words)?;
            return self.declare(simple, row, &arguments);
        }
        let words = expand::words(self, &simple.words)?;
        if words.is_empty() {
            return self.assignments_only(simple);
        }
        if self.env.options.set.xtrace {
            trace::command(self, &simple.assignments, &words)?;
        }
        let result = self.run_words(words, simple);
        if let Ok(status) = result {
            self.env.session.status = status.0;
        }
        result
    }

    fn assignments_only(&mut self, simple: &Simple) -> Outcome {
        let mut ok = true;
        if !simple.redirects.is_empty() {
            let outer = self.env.fds.clone();
            ok = self.redirect_all(&simple.redirects)?;
            self.env.fds = outer;
        }
        for assignment in &simple.assignments {
            expand::assign(self, assignment)?;
            if self.env.options.set.xtrace {
                trace::assignment(self, assignment)?;
            }
        }
        let status = self.substitution.unwrap_or(Status::OK);
        Ok(if ok { status } else { Status::FAILURE })
    }

    fn declare(&mut self, simple: &Simple, row: &'static builtins::Row, arguments: &[Argument]) -> Outcome {
        if self.env.options.set.xtrace {
            trace::declaration(self, arguments)?;
        }
        self.with_redirects(&simple.redirects, |shell| {
            shell.with_assignments(&simple.assignments, |shell| match row.body {
                Body::Declaration(run) => run(shell, arguments),
                Body::Words(run) => run(shell, &expand::plain_words(arguments)),
            })
        })
    }

    /// Run expanded `words` under the redirections and assignments of `simple`.
    fn run_words(&mut self, words: Vec<String>, simple: &Simple) -> Outcome {
        let paid = self.pay_for(&words)?;
        if let Some(last) = words.last() {
            self.hold(Value::scalar_bytes(last.len()))?;
            self.let_go(Value::scalar_bytes(self.env.last_word.len()));
            // A new text: the old one may have had megabytes, which `clone_from` would keep.
            self.env.last_word = last.clone();
        }
        if words[0] == "exec" && !self.env.functions.contains_key("exec") {
            return builtins::exec(self, &words, &simple.redirects);
        }
        self.with_redirects(&simple.redirects, |shell| {
            shell.with_assignments(&simple.assignments, |shell| shell.run_command(words, paid, true))
        })
    }

    /// Run `words` as `command` and `exec` do: no function is meant.
    pub fn run_builtin_or_tool(&mut self, words: Vec<String>) -> Outcome {
        let paid = self.pay_for(&words)?;
        self.run_command(words, paid, false)
    }

    /// Find who runs `words[0]`, and run it. `paid` pays for the words as long as they live.
    fn run_command(&mut self, words: Vec<String>, paid: Purse, functions: bool) -> Outcome {
        let name = &words[0];
        match self.runner(name, functions)? {
            Ok(Runner::Function(function)) => {
                let name = name.clone();
                // As parameters they are counted there.
                drop(paid);
                self.call_function(&name, &function, words.into_iter().skip(1).collect())
            }
            Ok(Runner::Own(row)) => match row.body {
                Body::Words(run) => run(self, &words),
                Body::Declaration(run) => {
                    let arguments: Vec<Argument> = words.into_iter().map(Argument::Word).collect();
                    run(self, &arguments)
                }
            },
            Ok(Runner::Tool(tool)) => self.run_tool(tool, &words),
            Ok(Runner::Script(path)) => {
                let mut command = vec!["bash".to_string(), path];
                command.extend(words.into_iter().skip(1));
                super::fresh::run(self, &command)
            }
            Err(status) => Ok(status),
        }
    }

    fn runner(&mut self, name: &str, functions: bool) -> Outcome<Result<Runner, Status>> {
        if functions && let Some(function) = self.env.functions.get(name) {
            return Ok(Ok(Runner::Function(function.clone())));
        }
        if let Some(row) = builtins::find(name) {
            return Ok(Ok(Runner::Own(row)));
        }
        if let Some(tool) = tools::find(name) {
            return Ok(Ok(Runner::Tool(tool)));
        }
        if name.contains('/') {
            return Ok(self.script_file(name));
        }
        if let Some(instead) = docsh_builtins::absent(name) {
            self.complain(format_args!("{name}: not available in docsh: {instead}"));
            return Ok(Err(Status(127)));
        }
        let near = nearest(name, tools::names().chain(builtins::names()));
        match near {
            Some(near) if !name.is_empty() => {
                self.complain(format_args!("{name}: command not found (did you mean '{near}'?)"));
            }
            _ => self.complain(format_args!("{name}: command not found")),
        }
        Ok(Err(Status(127)))
    }

    /// A command named by a path that is no tool: an executable script of the tree, or what bash says of it.
    fn script_file(&mut self, name: &str) -> Result<Runner, Status> {
        let fs = self.world.fs.clone();
        let meta = docsh_builtins::resolve(&*fs, &self.env.session.cwd, name).and_then(|path| fs.stat(&path));
        match meta {
            Ok(meta) if meta.is_dir() => {
                self.complain(format_args!("{name}: Is a directory"));
                Err(Status(126))
            }
            Ok(meta) if meta.mode & 0o111 != 0 => Ok(Runner::Script(name.to_string())),
            Ok(_) => {
                self.complain(format_args!("{name}: Permission denied"));
                Err(Status(126))
            }
            Err(error) => {
                self.complain(format_args!("{name}: {error}"));
                Err(Status(127))
            }
        }
    }

    /// Run a tool over the shell's own streams. What bash itself would run as a builtin ends this shell when its reader
    /// has gone, as the signal would.
    fn run_tool(&mut self, tool: &'static Builtin, words: &[String]) -> Outcome {
        let status = tools::run(self, tool, words);
        self.cancel.check()?;
        // The only tool that leaves the shell a variable of any length.
        if tool.name == "printf" && words.get(1).is_some_and(|option| option.starts_with("-v")) {
            self.hold_anew(0)?;
        }
        if status == Status(141) && tools::is_bash_builtin(tool.name) {
            return Err(Jump::Exit(status));
        }
        Ok(status)
    }

    /// Run `body` with `assignments` made and exported, and take them back after it.
    fn with_assignments(&mut self, assignments: &[Assignment], body: impl FnOnce(&mut Interp) -> Outcome) -> Outcome {
        if assignments.is_empty() {
            return body(self);
        }
        let mut saved: Vec<(String, Option<Variable>)> = Vec::new();
        let mut result = Ok(Status::OK);
        for assignment in assignments {
            let name = &assignment.name;
            saved.push((name.clone(), self.env.session.vars.variable(name).cloned()));
            match expand::assign(self, assignment) {
                Ok(()) => {}
                // A readonly variable has been complained of; as in bash, the command runs without it.
                Err(Jump::Discard(_)) => continue,
                Err(jump) => {
                    result = Err(jump);
                    break;
                }
            }
            self.env.session.vars.variable_mut(name).attributes.exported = true;
        }
        let result = result.and_then(|_| body(self));
        for (name, variable) in saved.into_iter().rev() {
            let bytes = |variable: Option<&Variable>| variable.map_or(0, |variable| variable.value.bytes());
            self.let_go(bytes(self.env.session.vars.variable(&name)));
            self.hold(bytes(variable.as_ref()))?;
            match variable {
                Some(variable) => *self.env.session.vars.variable_mut(&name) = variable,
                // It was not readonly before, and a command cannot have made it so for good.
                None => self.env.session.vars.forget(&name),
            }
        }
        result
    }

    /// Say that writing failed, as bash does for its own commands; a reader that has gone ends this shell instead.
    pub fn write_all(&mut self, name: &str, bytes: &[u8]) -> Outcome {
        let mut stdout = self.stdout();
        match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
            Ok(()) => Ok(Status::OK),
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Err(Jump::Exit(Status(141))),
            Err(error) => {
                self.cancel.check()?;
                self.complain(format_args!("{name}: {error}"));
                Ok(Status::FAILURE)
            }
        }
    }
}

/// The declaration command that `simple` names literally, whose arguments keep the shape of assignments.
fn declaration(simple: &Simple) -> Option<&'static builtins::Row> {
    let [Part::Lit(name)] = simple.words.first()?.0.as_slice() else { return None };
    builtins::find(name).filter(|row| matches!(row.body, Body::Declaration(_)))
}
