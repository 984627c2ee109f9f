//! The state of one running shell, and what its parts may reach.
use super::{
    jump::{Jump, Outcome},
    options::Options,
    trap::Traps,
};
use crate::syntax::ast::Command;
use docsh_builtins::{Cancel, Fs, Input, Limits, Memory, Output, Purse, Session, Status, Stdio, Stop, Stream};
use parking_lot::Mutex;
use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    io::Write,
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicUsize, Ordering},
    },
    time::Instant,
};

/// What all shells of a run share: the site, the limits, and the counters behind them.
pub struct World {
    /// The site, as the visitor may see it.
    pub fs: Arc<dyn Fs>,
    /// What the run may use.
    pub limits: Limits,
    /// The run that goes on, which a limit ends.
    pub run: Mutex<Run>,
    /// The memory that variables and commands share.
    pub memory: Memory,
    /// Pipeline stages and jobs alive now.
    pub stages: AtomicUsize,
    /// The next virtual process id.
    pub pids: AtomicU32,
    /// Background jobs of subshells that have ended.
    pub orphans: Mutex<Vec<super::jobs::Job>>,
    /// When the shell began, for `$SECONDS` and `time`.
    pub started: Instant,
}

impl World {
    /// A run over `fs`.
    pub fn new(fs: Arc<dyn Fs>, limits: Limits) -> World {
        World {
            fs,
            memory: Memory::new(limits.memory),
            limits,
            run: Mutex::new(Run { cancel: Cancel::new(), stderr: Output::null() }),
            stages: AtomicUsize::new(0),
            pids: AtomicU32::new(100),
            orphans: Mutex::default(),
            started: Instant::now(),
        }
    }

    /// The same run over a newer tree of its site.
    pub fn revisited(&self, fs: Arc<dyn Fs>) -> World {
        World {
            memory: self.memory.clone(),
            pids: AtomicU32::new(self.pids.load(Ordering::Relaxed)),
            started: self.started,
            ..World::new(fs, self.limits.clone())
        }
    }

    /// A virtual process id that was not given out before.
    pub fn next_pid(&self) -> u32 {
        self.pids.fetch_add(1, Ordering::Relaxed)
    }
}

/// One run, as far as its limits are concerned.
pub struct Run {
    /// Stops all of it.
    pub cancel: Cancel,
    /// Where the run's caller reads messages, wherever a command of the run sends its own.
    pub stderr: Output,
}

/// A function, as defined.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its body, a compound command with its redirections.
    pub body: Arc<Command>,
    /// `export -f`: fresh shells have it too.
    pub exported: bool,
    /// Pays for its tree, until the last shell that knows it has forgotten it.
    _paid: Arc<Purse>,
}

impl Function {
    /// One whose tree `paid` pays for.
    pub fn new(body: Arc<Command>, exported: bool, paid: Purse) -> Function {
        Function { body, exported, _paid: Arc::new(paid) }
    }
}

/// One running function or sourced text, for `FUNCNAME`, `BASH_SOURCE` and `caller`.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The function's name, or `source`.
    pub name: String,
    /// The line it was called from.
    pub line: u32,
}

/// What a subshell gets a copy of.
#[derive(Clone)]
pub struct Env {
    /// Working directory, variables, positional parameters.
    pub session: Session,
    /// Functions by name.
    pub functions: Arc<HashMap<String, Function>>,
    /// `alias`.
    pub aliases: Arc<HashMap<String, String>>,
    /// `set` and `shopt`.
    pub options: Options,
    /// `trap`.
    pub traps: Traps,
    /// Open files by number.
    pub fds: BTreeMap<u16, Stream>,
    /// Running functions, innermost last.
    pub frames: Vec<Frame>,
    /// `$LINENO`: the line of the command that runs.
    pub line: u32,
    /// `PIPESTATUS`.
    pub pipe_status: Vec<u8>,
    /// `BASH_COMMAND`: the simple command that runs, kept only while there are traps to ask for it.
    pub command: String,
    /// `$_`: the last word of the command before.
    pub last_word: String,
    /// `$!`: the last background job.
    pub last_job: Option<u32>,
    /// The virtual process ids `$$` and `BASHPID`.
    pub pid: u32,
    /// See `pid`.
    pub own_pid: u32,
    /// The state of `RANDOM`.
    pub random: u32,
    /// What `SECONDS` was last set to, and when.
    pub seconds: (i64, Instant),
    /// `BASH_SUBSHELL`.
    pub subshell: u32,
    /// Where `getopts` is within a cluster of letters.
    pub getopts_at: usize,
}

/// How a shell was started; decides about fatal errors and the words of its messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// `-c`: an unbound variable ends the shell with 127.
    Command,
    /// A script: such errors end it with 1.
    Script,
    /// At a prompt: such errors drop the line.
    Interactive,
}

/// A running shell or subshell. It never leaves the thread that runs it; a stage of a pipeline gets its own.
pub struct Interp {
    /// Its own state.
    pub env: Env,
    /// What it shares.
    pub world: Arc<World>,
    /// Stops what it runs.
    pub cancel: Cancel,
    /// How it was started.
    pub mode: Mode,
    /// Loops around the command that runs, within this function: `break` outside of one complains.
    pub loops: usize,
    /// Nested functions, `eval`s, `source`s and traps, against [`Limits::depth`].
    pub depth: usize,
    /// Greater than 0 where `set -e` does not hold: guards, `!`, all but the last of `&&` and `||`.
    pub unchecked: usize,
    /// Whether a trap's action is running, so that it does not set itself off.
    pub in_trap: bool,
    /// The status of the last command substitution of the command being expanded.
    pub substitution: Option<Status>,
    /// Process substitutions of the commands being run, innermost last.
    pub processes: Vec<super::substitute::Process>,
    /// Background jobs, by `$!`.
    pub jobs: super::jobs::Jobs,
    /// What the variables take of the run's memory.
    pub held: Purse,
}

impl Interp {
    /// A fresh shell over `world`, with these streams.
    pub fn new(world: Arc<World>, mut session: Session, io: Stdio, cancel: Cancel, mode: Mode) -> Interp {
        let pid = world.next_pid();
        super::expand::install(&mut session);
        let fds = BTreeMap::from([
            (0, Stream::Input(io.stdin)),
            (1, Stream::Output(io.stdout)),
            (2, Stream::Output(io.stderr.unbuffered())),
        ]);
        let env = Env {
            session,
            functions: Arc::default(),
            aliases: Arc::default(),
            options: Options::default(),
            traps: Traps::default(),
            fds,
            frames: Vec::new(),
            line: 1,
            pipe_status: Vec::new(),
            command: String::new(),
            last_word: String::new(),
            last_job: None,
            pid,
            own_pid: pid,
            random: pid,
            seconds: (0, world.started),
            subshell: 0,
            getopts_at: 0,
        };
        Interp {
            env,
            held: world.memory.purse(),
            world,
            cancel,
            mode,
            loops: 0,
            depth: 0,
            unchecked: 0,
            in_trap: false,
            substitution: None,
            processes: Vec::new(),
            jobs: super::jobs::Jobs::default(),
        }
    }

    /// A subshell: a copy of the state, with the traps that it inherits and no jobs.
    pub fn fork(&self) -> Outcome<Interp> {
        let mut held = self.world.memory.purse();
        self.pay(&mut held, self.state_bytes())?;
        let mut env = self.env.clone();
        env.traps = env.traps.inherited(env.options.set.errtrace, env.options.set.functrace);
        env.subshell += 1;
        env.own_pid = self.world.next_pid();
        Ok(Interp {
            env,
            held,
            world: self.world.clone(),
            cancel: self.cancel.clone(),
            mode: self.mode,
            loops: self.loops,
            depth: self.depth,
            unchecked: self.unchecked,
            in_trap: false,
            substitution: None,
            processes: Vec::new(),
            jobs: super::jobs::Jobs::default(),
        })
    }

    /// A handle on descriptor 0, or end of file when it is closed.
    pub fn stdin(&self) -> Input {
        match self.env.fds.get(&0) {
            Some(Stream::Input(input)) => input.clone(),
            _ => Input::empty(),
        }
    }

    /// A handle on descriptor 1. Writing to it when it is closed fails.
    pub fn stdout(&self) -> Output {
        self.output(1)
    }

    /// A handle on descriptor 2, unbuffered.
    pub fn stderr(&self) -> Output {
        self.output(2).unbuffered()
    }

    fn output(&self, fd: u16) -> Output {
        match self.env.fds.get(&fd) {
            Some(Stream::Output(output)) => output.clone(),
            _ => Output::new(Arc::new(super::pipe::Closed)),
        }
    }

    /// Where its functions come from, for `BASH_SOURCE` and `caller`.
    pub fn source(&self) -> &str {
        match self.mode {
            Mode::Script => &self.env.session.name,
            Mode::Command => "environment",
            Mode::Interactive => "main",
        }
    }

    /// What the shell's own messages begin with: its name, and the line where there are lines.
    pub fn message_prefix(&self) -> String {
        match self.mode {
            Mode::Interactive => format!("{}: ", self.env.session.name),
            Mode::Command | Mode::Script => format!("{}: line {}: ", self.env.session.name, self.env.line),
        }
    }

    /// `docsh: line N: message` on stderr.
    pub fn complain(&self, message: impl fmt::Display) {
        // A stderr that is gone must not end the shell.
        let _ = self.stderr().write_all(format!("{}{message}\n", self.message_prefix()).as_bytes());
    }

    /// Complain, and drop the rest of the line with status 1.
    pub fn discard<T>(&self, message: impl fmt::Display) -> Outcome<T> {
        self.complain(message);
        Err(Jump::Discard(Status::FAILURE))
    }

    /// Complain of an error that ends a shell which is not interactive: `set -u`, `${x:?}`. Its status is 127 where
    /// `bash -c` itself meets it, 1 in a subshell, in a script, and under `set -e`.
    pub fn fatal<T>(&self, message: impl fmt::Display) -> Outcome<T> {
        self.complain(message);
        match self.mode {
            Mode::Interactive => Err(Jump::Discard(Status::FAILURE)),
            Mode::Command if self.env.subshell == 0 && !self.env.options.set.errexit => Err(Jump::Exit(Status(127))),
            Mode::Command | Mode::Script => Err(Jump::Exit(Status::FAILURE)),
        }
    }

    /// Say that a limit was reached, and end the run with status 126: all of it, since what goes too far in one place
    /// (a fork bomb, a loop) would only do so again in the next. Said once, and where no redirection hides it.
    pub fn over_limit<T>(&self, message: impl fmt::Display) -> Outcome<T> {
        let mut run = self.world.run.lock();
        // Whatever has stopped the run before says so itself.
        run.cancel.check()?;
        run.cancel.stop(Stop::OverLimit);
        // A stderr that is gone must not keep the run from ending.
        let _ = run.stderr.write_all(format!("{}{message}\n", self.message_prefix()).as_bytes());
        Err(Jump::Stop(Stop::OverLimit))
    }
}
