//! The contract between the shell and a command.
use crate::{
    Cancel, Error, ErrorKind, Fs, FsError, FsResult, Input, InputKind, Kind, Limits, Meta, Opt, Output, Purse, Result,
    Session, Status, Stream, Takes, VPath,
};
use std::{collections::BTreeMap, fmt, io::Write, sync::Arc};

/// One row of the table: a command and what is known of it.
pub struct Builtin {
    /// The word the user types.
    pub name: &'static str,
    /// The operands, as `--help` shows them after the name: `"[OPTION]... [FILE]..."`.
    pub synopsis: &'static str,
    /// What it does, one line.
    pub about: &'static str,
    /// Its options, for [`crate::args::parse`], `--help` and completion.
    pub options: &'static [Opt],
    /// The status of wrong words: 1 for `cat`, 2 for `ls`, `grep` and `sort`, 125 for `env`.
    pub trouble: Status,
    /// The command itself.
    pub run: fn(&mut Call<'_>) -> Result<Status>,
}

/// All that a command may touch. There is no other way out: no host files, no globals.
pub struct Call<'a> {
    /// The row this command was found by.
    pub builtin: &'static Builtin,
    /// What its messages begin with: `bash: line 1: ` where the shell itself would say them, nothing for a tool.
    pub prefix: &'a str,
    /// The words of the command; `args[0]` is the name it was called by.
    pub args: &'a [String],
    /// Bytes from the stage before.
    pub stdin: Input,
    /// Bytes to the stage after. A reader that has gone answers `BrokenPipe`: return it with `?`.
    pub stdout: Output,
    /// Messages to the user; [`Call::warn`] writes them.
    pub stderr: Output,
    /// Every open file of the shell by its number, for `/dev/fd/N`.
    pub fds: &'a BTreeMap<u16, Stream>,
    /// Working directory, variables: the stage's own copy inside a pipeline.
    pub session: &'a mut Session,
    /// The site.
    pub fs: Arc<dyn Fs>,
    /// Check it in every loop that neither reads nor writes.
    pub cancel: Cancel,
    /// The shell, for commands that run other commands (`xargs`, `find -exec`, `timeout`).
    pub shell: Arc<dyn Run>,
    /// Account for what is kept of the input: [`Purse::take`].
    pub memory: Purse,
    /// What this run may use.
    pub limits: &'a Limits,
}

/// The three streams of a command.
#[derive(Clone, Debug)]
pub struct Stdio {
    /// Bytes in.
    pub stdin: Input,
    /// Bytes out.
    pub stdout: Output,
    /// Messages.
    pub stderr: Output,
}

/// Whoever can run a command by its words.
pub trait Run: Send + Sync {
    /// Run the tool `args[0]` (or `sh`/`bash`, as a fresh shell with the exported variables) as if typed, in `session`.
    /// 127, with a message on stderr, when there is no such tool.
    fn run(&self, args: &[String], io: Stdio, session: &mut Session, cancel: &Cancel) -> Status;

    /// Whether there is a tool of that name.
    fn has(&self, name: &str) -> bool;
}

impl<'a> Call<'a> {
    /// Run the command, say what its error says, and give its status. The one place where an error becomes a message.
    pub fn run_to_status(&mut self) -> Status {
        let result = (self.builtin.run)(self).and_then(|status| {
            self.stdout.flush()?;
            Ok(status)
        });
        let Err(error) = result else {
            return result.unwrap_or(Status::OK);
        };
        let said = match &error {
            Error::Help => self.stdout.write_all(help(self.builtin).as_bytes()),
            Error::Version => writeln!(self.stdout, "{} (docsh) {}", self.name(), env!("CARGO_PKG_VERSION")),
            _ => Ok(()),
        };
        let error = match said.and_then(|()| self.stdout.flush()) {
            // A command that fails keeps what it has printed; a reader that has gone is the error to report.
            Err(gone) if matches!(error, Error::Help | Error::Version) => Error::Io(gone),
            _ => error,
        };
        if !error.is_silent() {
            self.warn_apart(&error);
            if matches!(error, Error::Usage(_)) {
                let _ = writeln!(self.stderr, "Try '{} --help' for more information.", self.name());
            }
        }
        error.status(self.builtin.trouble)
    }

    /// The name it was called by, without a folder: `grep` for `/bin/grep`.
    pub fn name(&self) -> &'a str {
        self.args.first().map_or(self.builtin.name, |name| name.rsplit('/').next().unwrap_or(name))
    }

    /// `name: message` on stderr, after what stdout holds so far (as GNU's `error` does). The command goes on.
    pub fn warn(&mut self, message: impl fmt::Display) -> Result<()> {
        self.stdout.flush()?;
        self.warn_apart(message);
        Ok(())
    }

    /// `name: message` on stderr while stdout is still held back: `ls`, `sort`, `sed`, `tac`, `rev`, `paste`, `diff`
    /// and `jq` complain before their output under `2>&1`.
    pub fn warn_apart(&mut self, message: impl fmt::Display) {
        let line = format!("{}{}: {message}\n", self.prefix, self.name());
        // A stderr that is gone must not end the command.
        let _ = self.stderr.write_all(line.as_bytes());
    }

    /// The error of wrong words as diffutils say it: the hint to `--help` begins with the command's name, too.
    pub(crate) fn refuse(&mut self, message: impl fmt::Display) -> Error {
        self.warn_apart(message);
        self.warn_apart(format_args!("Try '{} --help' for more information.", self.name()));
        Error::Quiet(self.builtin.trouble)
    }

    /// Resolve an operand as the kernel would, component by component: `nosuch/../x` does not exist, `page.md/` is not
    /// a folder. A page may be named without its suffix ([`Fs::suffixed`]).
    pub fn resolve(&self, operand: &str) -> FsResult<VPath> {
        resolve(&*self.fs, &self.session.cwd, operand)
    }

    /// What is known of an operand; devices included.
    pub fn stat(&self, operand: &str) -> FsResult<Meta> {
        if Device::named(operand).is_some() {
            return Ok(Device::meta());
        }
        self.fs.stat(&self.resolve(operand)?)
    }

    /// The size of `path`, whose `meta` may not say it: then the store is asked.
    pub fn size(&self, path: &VPath, meta: &Meta) -> FsResult<u64> {
        meta.size.map_or_else(|| self.fs.size(path, &self.cancel), Ok)
    }

    /// Whether stdout is the file that `meta` tells of: reading it would never end.
    pub fn prints_to(&self, meta: &Meta) -> bool {
        self.stdout.inode() == Some(meta.inode)
    }

    /// Open an operand for reading; `/dev/stdin`, `/dev/fd/N` and `/dev/null` included. `-` is the caller's to handle.
    pub fn open(&self, operand: &str) -> FsResult<Input> {
        match Device::named(operand) {
            None => {
                let path = self.resolve(operand)?;
                Ok(Input::new(self.fs.open(&path, 0, &self.cancel)?, InputKind::File))
            }
            Some(Device::Fd(0)) => Ok(self.stdin.clone()),
            Some(device) => device.open(self.fds).map_err(|kind| kind.at(&VPath::root().join(operand))),
        }
    }

    /// Each operand opened in turn, `-` (or no operand at all) being stdin: `each(call, name, reader)`.
    ///
    /// What cannot be opened or read is reported in the common form (`cat: x: No such file or directory`) and skipped;
    /// the status is then 1.
    pub fn each_input(
        &mut self,
        operands: &[String],
        mut each: impl FnMut(&mut Self, &str, &mut Input) -> Result<()>,
    ) -> Result<Status> {
        let stdin = ["-".to_string()];
        let operands = if operands.is_empty() { &stdin[..] } else { operands };
        let mut status = Status::OK;
        for operand in operands {
            let opened = if operand == "-" { Ok(self.stdin.clone()) } else { self.open(operand) };
            let result = match opened {
                Ok(mut input) => each(self, operand, &mut input),
                Err(error) => Err(Error::Io(error.into())),
            };
            if let Err(error) = result {
                let cause = FsError::within(error)?;
                self.warn(format_args!("{}: {cause}", quoted_if_odd(operand)))?;
                status = Status::FAILURE;
            }
        }
        Ok(status)
    }

    /// Seconds since the epoch.
    pub fn now(&self) -> i64 {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(0, |since| since.as_secs() as i64)
    }
}

/// What `--help` prints.
pub fn help(builtin: &Builtin) -> String {
    let mut text = format!("Usage: {} {}\n{}\n", builtin.name, builtin.synopsis, builtin.about);
    for opt in builtin.options.iter().filter(|opt| !opt.help.is_empty()) {
        let short = opt
            .short
            .map_or("   ".to_string(), |letter| format!("-{letter}{}", if opt.long.is_empty() { " " } else { "," }));
        let long = opt.long.first().map_or(String::new(), |long| format!("--{long}"));
        let value = match opt.takes {
            Takes::Nothing => String::new(),
            Takes::Value(value) if long.is_empty() => format!(" {value}"),
            Takes::Value(value) => format!("={value}"),
            Takes::Optional(value) => format!("[={value}]"),
        };
        let line = format!("  {short} {long}{value}");
        text += &format!("{line:<30} {}\n", opt.help);
    }
    text
}

impl FsError {
    /// The file system's part of `error`: a file that could not be read. All else (a stop, a broken pipe, wrong words)
    /// is handed back to be returned with `?`.
    pub fn within(error: Error) -> Result<FsError> {
        match error {
            Error::Io(error) if error.get_ref().is_some_and(|inner| inner.is::<FsError>()) => {
                match error.downcast::<FsError>() {
                    Ok(error) => Ok(error),
                    Err(error) => Err(Error::Io(error)),
                }
            }
            error => Err(error),
        }
    }
}

/// Resolve `operand` from the folder `cwd` as the kernel would; see [`Call::resolve`].
pub fn resolve(fs: &dyn Fs, cwd: &VPath, operand: &str) -> FsResult<VPath> {
    let lexical = || cwd.join(operand);
    if operand.is_empty() {
        return Err(ErrorKind::NotFound.at(&VPath::root()));
    }
    if operand.len() >= VPath::PATH_MAX || operand.split('/').any(|name| name.len() > VPath::NAME_MAX) {
        return Err(ErrorKind::NameTooLong.at(&lexical()));
    }
    let mut at = if operand.starts_with('/') { VPath::root() } else { cwd.clone() };
    let mut parts = operand.split('/').filter(|part| !part.is_empty()).peekable();
    let must_be_dir = operand.ends_with('/') || operand.ends_with("/.") || operand.ends_with("/..");
    while let Some(part) = parts.next() {
        let is_last = parts.peek().is_none() && !must_be_dir;
        match part {
            "." => {}
            ".." => at = at.parent(),
            name => at = at.child(name),
        }
        match fs.stat(&at) {
            Ok(_) if is_last => return Ok(at),
            Ok(meta) if meta.is_dir() => {}
            Ok(_) => return Err(ErrorKind::NotADirectory.at(&lexical())),
            Err(FsError { kind: ErrorKind::NotFound, .. }) if is_last => {
                return fs.suffixed(&at).ok_or_else(|| ErrorKind::NotFound.at(&at));
            }
            Err(error) => return Err(error.kind.at(&lexical())),
        }
    }
    Ok(at)
}

/// The streams that exist by name only. They are never listed; any other path under `/dev` belongs to the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// `/dev/null`, and `/dev/tty` where there is no terminal.
    Null,
    /// `/dev/stdin`, `/dev/stdout`, `/dev/stderr`, `/dev/fd/N`.
    Fd(u16),
}

impl Device {
    /// The device called exactly `name`.
    pub fn named(name: &str) -> Option<Device> {
        match name.strip_prefix("/dev/")? {
            "null" | "tty" => Some(Device::Null),
            "stdin" => Some(Device::Fd(0)),
            "stdout" => Some(Device::Fd(1)),
            "stderr" => Some(Device::Fd(2)),
            name => name.strip_prefix("fd/")?.parse().ok().map(Device::Fd),
        }
    }

    /// What reading it reads, where `fds` are the open files.
    pub fn open(self, fds: &BTreeMap<u16, Stream>) -> Result<Input, ErrorKind> {
        match self {
            Device::Null => Ok(Input::empty()),
            Device::Fd(fd) => match fds.get(&fd) {
                Some(Stream::Input(input)) => Ok(input.clone()),
                _ => Err(ErrorKind::NotFound),
            },
        }
    }

    /// Where writing to it goes, where `fds` are the open files.
    pub fn create(self, fds: &BTreeMap<u16, Stream>) -> Result<Output, ErrorKind> {
        match self {
            Device::Null => Ok(Output::null()),
            Device::Fd(fd) => match fds.get(&fd) {
                Some(Stream::Output(output)) => Ok(output.clone()),
                _ => Err(ErrorKind::NotFound),
            },
        }
    }

    /// What `stat` tells of a device.
    pub fn meta() -> Meta {
        Meta { kind: Kind::Device, size: Some(0), mtime: 0, nanos: 0, mode: 0o666, links: 1, inode: 1 }
    }
}

/// `name` as most of coreutils prints it in a message: bare, or in quotes when it would be misread
/// (`cat: 'a b*': No such file or directory`).
pub fn quoted_if_odd(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+,:@%^~#{}]".contains(c) || !c.is_ascii();
    let odd =
        name.is_empty() || name.starts_with(['~', '#']) || name.contains(['\'', '\n']) || !name.chars().all(plain);
    if odd { quoted(name) } else { name.to_string() }
}

/// `name` in single quotes, as `ls`, `rm` and `stat` print it.
pub fn quoted(name: &str) -> String {
    match name.contains('\'') && !name.contains(['"', '$', '`', '\\']) {
        true => format!("\"{name}\""),
        false => format!("'{}'", name.replace('\'', "'\\''")),
    }
}
