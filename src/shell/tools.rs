//! The bridge from the shell to the tools of `docsh-builtins`: finding them, calling them, and running them for each
//! other (`xargs`, `find -exec`, `env`, `timeout`).
use super::{
    exec::{GROWTH, RED_ZONE},
    interp::{Function, Interp, Mode, World},
};
use crate::stack;
use docsh_builtins::{Builtin, Call, Cancel, Run, Session, Status, Stdio, Stream, TOOLS, nearest};
use parking_lot::Mutex;
use std::{
    collections::{BTreeMap, HashMap},
    io::Write,
    sync::Arc,
};

/// Tools that are builtins of bash: `type` says so, and a broken pipe ends the shell that runs them.
const BASH_BUILTINS: &[&str] = &["[", "cd", "dirs", "echo", "false", "popd", "printf", "pushd", "pwd", "test", "true"];

/// The most tools that run each other, each of which has all the words of those within it.
const NESTED: usize = 100;

/// Tools that change the shell that runs them; there are no programs of these names.
pub const SHELL_ONLY: &[&str] = &["cd", "dirs", "popd", "pushd"];

/// Whether bash would run `name` itself.
pub fn is_bash_builtin(name: &str) -> bool {
    BASH_BUILTINS.contains(&name)
}

/// The tool a user calls `name`: by itself, or as `/bin/name` or `/usr/bin/name`.
pub fn find(name: &str) -> Option<&'static Builtin> {
    let bare = ["/usr/bin/", "/bin/"].iter().find_map(|dir| name.strip_prefix(dir)).unwrap_or(name);
    docsh_builtins::find(bare).filter(|tool| bare == name || !SHELL_ONLY.contains(&tool.name))
}

/// The tool that a tool may run: what is only the shell's own, such as `cd`, is no program.
fn find_program(name: &str) -> Option<&'static Builtin> {
    find(name).filter(|tool| !SHELL_ONLY.contains(&tool.name))
}

/// Every tool's name.
pub fn names() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().map(|tool| tool.name)
}

/// Run `tool` as a command of `shell`.
pub fn run(shell: &mut Interp, tool: &'static Builtin, words: &[String]) -> Status {
    let prefix = if is_bash_builtin(tool.name) { shell.message_prefix() } else { String::new() };
    let io = Stdio { stdin: shell.stdin(), stdout: shell.stdout(), stderr: shell.stderr() };
    let runner = Runner {
        world: shell.world.clone(),
        depth: shell.depth,
        nested: 0,
        functions: shell.env.functions.clone(),
        fds: Arc::new(Mutex::new(shell.env.fds.clone())),
    };
    runner.call(tool, &prefix, words, io, &mut shell.env.session, &shell.cancel)
}

/// Runs tools, also for each other: no functions, no shell builtins; `sh` and `bash` are fresh shells.
#[derive(Clone)]
struct Runner {
    world: Arc<World>,
    /// How deep the calls are nested in which the tool runs, those of tools by tools too: a shell that one starts is no
    /// new beginning.
    depth: usize,
    /// How many tools run this one, each by the next.
    nested: usize,
    /// What a fresh shell may inherit.
    functions: Arc<HashMap<String, Function>>,
    /// Behind a lock only because a stream's handle is for one thread at a time.
    fds: Arc<Mutex<BTreeMap<u16, Stream>>>,
}

impl Runner {
    /// Run `builtin`, whose messages begin with `prefix`.
    fn call(
        &self,
        builtin: &'static Builtin,
        prefix: &str,
        args: &[String],
        io: Stdio,
        session: &mut Session,
        cancel: &Cancel,
    ) -> Status {
        let fds = self.fds.lock().clone();
        let mut call = Call {
            builtin,
            prefix,
            args,
            stdin: io.stdin,
            stdout: io.stdout,
            stderr: io.stderr,
            fds: &fds,
            session,
            fs: self.world.fs.clone(),
            cancel: cancel.clone(),
            shell: Arc::new(Runner { depth: self.depth + 1, nested: self.nested + 1, ..self.clone() }),
            memory: self.world.memory.purse(),
            limits: &self.world.limits,
        };
        stack::with_room(RED_ZONE, GROWTH, || call.run_to_status())
    }
}

impl Run for Runner {
    fn run(&self, args: &[String], mut io: Stdio, session: &mut Session, cancel: &Cancel) -> Status {
        let Some(name) = args.first() else { return Status::OK };
        if self.nested > NESTED || self.depth > self.world.limits.depth {
            let limit = NESTED.min(self.world.limits.depth);
            let _ = writeln!(io.stderr, "docsh: tools run by tools nested deeper than {limit}");
            return Status(126);
        }
        if super::fresh::is_shell(name) {
            let own = std::mem::take(session);
            let mut shell = Interp::new(self.world.clone(), own, io, cancel.clone(), Mode::Command);
            shell.depth = self.depth;
            shell.env.functions = self.functions.clone();
            let status = shell.run_guarded(|shell| {
                shell.hold_anew(0)?;
                super::fresh::run(shell, args)
            });
            *session = shell.env.session;
            return status;
        }
        let Some(builtin) = find_program(name) else {
            let hint = nearest(name, names()).map_or(String::new(), |near| format!(" (did you mean '{near}'?)"));
            // The caller's stderr may be gone; its status says enough.
            let _ = writeln!(io.stderr, "docsh: {name}: No such file or directory{hint}");
            return Status(127);
        };
        self.call(builtin, "", args, io, session, cancel)
    }

    fn has(&self, name: &str) -> bool {
        find_program(name).is_some() || super::fresh::is_shell(name)
    }
}
