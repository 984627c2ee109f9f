//! Running what was parsed: texts, lists, pipelines' places in them, and the constructs with a body.
//!
//! Everything here answers an [`Outcome`]: the status of what ran, or the [`Jump`] that leaves it. `$?` is set after
//! each pipeline, and `set -e` is decided there and nowhere else.
use super::{
    expand,
    interp::{Frame, Function, Interp, Mode},
    jump::{Jump, Outcome},
    trap::Event,
};
use crate::stack;
use crate::syntax::{
    ParseOptions, Reader,
    ast::{
        AndOr, CaseArm, CaseEnd, Command, CommandKind, Compound, Connective, Item, Part, Pipeline, Script, TimeFormat,
        Word,
    },
};
use docsh_builtins::Status;
use std::{io::Write, sync::Arc, time::Instant};

/// Stack that must be free before a command is run; below it the stack grows.
const RED_ZONE: usize = 128 * 1024;
/// How much it grows by.
const GROWTH: usize = 2 * 1024 * 1024;

impl Interp {
    /// Run a whole text at the top of a shell, line by line as bash reads it: a line that cannot be parsed ends it with
    /// status 2, an error that drops a line goes on with the next.
    pub fn run_program(&mut self, text: &str, first_line: u32) -> Outcome {
        let mut reader = Reader::new(text, first_line);
        let mut status = Status::OK;
        loop {
            let result = match self.next_line(&mut reader) {
                Ok(Some(line)) => self.script(&line),
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
                    Ok(Some(line)) => status = shell.script(&line)?,
                    Ok(None) => return Ok(status),
                    Err(status) => return Ok(status),
                }
            }
        })
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
    fn unchecked<T>(&mut self, body: impl FnOnce(&mut Interp) -> Outcome<T>) -> Outcome<T> {
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

    fn report_time(&mut self, format: TimeFormat, started: Instant) {
        let real = started.elapsed();
        let text = match (format, self.env.session.var("TIMEFORMAT")) {
            (TimeFormat::Posix, _) => format!("real {:.2}\nuser 0.00\nsys 0.00\n", real.as_secs_f64()),
            (TimeFormat::Bash, Some("")) => return,
            (TimeFormat::Bash, Some(format)) => time_format(format, real.as_secs_f64()),
            (TimeFormat::Bash, None) => {
                let (minutes, seconds) = (real.as_secs() / 60, real.as_secs_f64() % 60.0);
                format!("\nreal\t{minutes}m{seconds:.3}s\nuser\t0m0.000s\nsys\t0m0.000s\n")
            }
        };
        let _ = self.stderr().write_all(text.as_bytes());
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
            CommandKind::Function { name, body, .. } => {
                let exported = self.env.functions.get(name).is_some_and(|known| known.exported);
                let function = Function { body: body.clone(), exported };
                Arc::make_mut(&mut self.env.functions).insert(name.clone(), function);
                Ok(Status::OK)
            }
        });
        self.close_processes(mark);
        result
    }

    fn compound(&mut self, compound: &Compound) -> Outcome {
        match compound {
            Compound::Brace(body) => self.script(body),
            Compound::Subshell(body) => {
                let mut shell = self.fork()?;
                shell.run_to_end(|shell| shell.script(body))
            }
            Compound::If { arms, otherwise } => {
                for (guard, body) in arms {
                    if self.unchecked(|shell| shell.script(guard))?.is_ok() {
                        return self.script(body);
                    }
                }
                otherwise.as_ref().map_or(Ok(Status::OK), |body| self.script(body))
            }
            Compound::Loop { until, guard, body } => self.looping(|shell| {
                if shell.unchecked(|shell| shell.script(guard))?.is_ok() == *until {
                    return Ok(None);
                }
                shell.script(body).map(Some)
            }),
            Compound::For { name, words, body } => {
                let words = self.loop_words(words.as_deref())?;
                let _paid = self.pay_for(&words)?;
                let mut words = words.into_iter();
                let mut failed = false;
                let status = self.looping(|shell| {
                    let Some(word) = words.next() else { return Ok(None) };
                    if !expand::set_var(shell, name, word)? {
                        failed = true;
                        return Ok(None);
                    }
                    shell.script(body).map(Some)
                })?;
                Ok(if failed { Status::FAILURE } else { status })
            }
            Compound::Select { name, words, body } => self.select(name, words.as_deref(), body),
            Compound::ArithFor { clauses, body } => self.arith_for(clauses, body),
            Compound::Case { word, arms } => self.case(word, arms),
            Compound::Arith(word) => {
                let value = expand::arith_checked(self, word, "((")?;
                Ok(Status::from(value.is_some_and(|value| value != 0)))
            }
            Compound::Cond(cond) => self.cond(cond),
        }
    }

    /// Turns of a loop until `turn` answers `None` or a jump leaves it; `break` and `continue` are settled here.
    fn looping(&mut self, mut turn: impl FnMut(&mut Interp) -> Outcome<Option<Status>>) -> Outcome {
        let mut status = Status::OK;
        self.loops += 1;
        let result = loop {
            if let Err(stop) = self.cancel.check() {
                break Err(stop.into());
            }
            match turn(self) {
                Ok(Some(turned)) => status = turned,
                Ok(None) => break Ok(status),
                Err(Jump::Break(0 | 1)) => break Ok(Status::OK),
                Err(Jump::Break(n)) => break Err(Jump::Break(n - 1)),
                Err(Jump::Continue(0 | 1)) => status = Status::OK,
                Err(Jump::Continue(n)) => break Err(Jump::Continue(n - 1)),
                Err(jump) => break Err(jump),
            }
        };
        self.loops -= 1;
        result
    }

    fn loop_words(&mut self, words: Option<&[Word]>) -> Outcome<Vec<String>> {
        match words {
            Some(words) => expand::words(self, words),
            None => Ok(self.env.session.positional.clone()),
        }
    }

    fn arith_for(&mut self, clauses: &[Word; 3], body: &Script) -> Outcome {
        let [first, test, step] = clauses;
        // An expression that is wrong ends the loop with status 1.
        let value = |shell: &mut Interp, clause: &Word, empty| match is_blank(clause) {
            true => Ok(Some(empty)),
            false => expand::arith_checked(shell, clause, "(("),
        };
        if value(self, first, 0)?.is_none() {
            return Ok(Status::FAILURE);
        }
        let (mut begun, mut failed) = (false, false);
        let status = self.looping(|shell| {
            if std::mem::replace(&mut begun, true) && value(shell, step, 0)?.is_none() {
                failed = true;
                return Ok(None);
            }
            match value(shell, test, 1)? {
                Some(0) => Ok(None),
                Some(_) => shell.script(body).map(Some),
                None => {
                    failed = true;
                    Ok(None)
                }
            }
        })?;
        Ok(if failed { Status::FAILURE } else { status })
    }

    fn case(&mut self, word: &Word, arms: &[CaseArm]) -> Outcome {
        let text = expand::single(self, word)?;
        let mut status = Status::OK;
        let mut falling = false;
        for arm in arms {
            let mut matches = falling;
            for pattern in &arm.patterns {
                if matches {
                    break;
                }
                matches = expand::pattern(self, pattern)?.matches(&text);
            }
            if !matches {
                continue;
            }
            status = self.script(&arm.body)?;
            match arm.end {
                CaseEnd::Break => return Ok(status),
                CaseEnd::FallThrough => falling = true,
                CaseEnd::TestNext => falling = false,
            }
        }
        Ok(status)
    }

    fn select(&mut self, name: &str, words: Option<&[Word]>, body: &Script) -> Outcome {
        let words = self.loop_words(words)?;
        let _paid = self.pay_for(&words)?;
        if words.is_empty() {
            return Ok(Status::OK);
        }
        let menu: String = words.iter().enumerate().map(|(at, word)| format!("{}) {word}\n", at + 1)).collect();
        let mut show = true;
        self.looping(|shell| {
            let prompt = shell.env.session.var("PS3").unwrap_or("#? ").to_string();
            let menu = if std::mem::take(&mut show) { menu.as_str() } else { "" };
            let _ = shell.stderr().write_all(format!("{menu}{prompt}").as_bytes());
            let Some(reply) = super::builtins::read_line(shell)? else {
                shell.write_all("select", b"\n")?;
                return Err(Jump::Break(1));
            };
            let choice = reply.trim().parse::<usize>().ok().and_then(|n| words.get(n.checked_sub(1)?));
            let choice = choice.cloned().unwrap_or_default();
            expand::set_var(shell, "REPLY", reply.clone())?;
            if reply.is_empty() {
                show = true;
                return Ok(Some(Status::OK));
            }
            expand::set_var(shell, name, choice)?;
            shell.script(body).map(Some)
        })
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

/// Whether a clause of `for ((;;))` holds nothing but white space.
fn is_blank(clause: &Word) -> bool {
    match clause.0.as_slice() {
        [] => true,
        [Part::Lit(text)] => text.trim().is_empty(),
        _ => false,
    }
}

/// `TIMEFORMAT`: `%[p][l]R`, `%U`, `%S`, `%P`, `%%`.
fn time_format(format: &str, real: f64) -> String {
    let mut text = String::new();
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            text.push(letter);
            continue;
        }
        let (mut precision, mut long) = (3, false);
        for letter in letters.by_ref() {
            match letter {
                '0'..='9' => precision = (letter as usize - '0' as usize).min(3),
                'l' => long = true,
                'R' | 'U' | 'S' => {
                    let seconds = if letter == 'R' { real } else { 0.0 };
                    text += &match long {
                        true => format!("{}m{:.precision$}s", (seconds / 60.0) as u64, seconds % 60.0),
                        false => format!("{seconds:.precision$}"),
                    };
                    break;
                }
                'P' => {
                    text += "0.00";
                    break;
                }
                other => {
                    text.push(other);
                    break;
                }
            }
        }
    }
    text.push('\n');
    text
}
