//! Redirections: what descriptors become, from left to right.
//!
//! What is written to is a device, or a file where the tree lets anything be written; all else is `Read-only file
//! system`, with the checks that come before it in a real shell. A failed redirection is reported and costs its command
//! a status of 1.
use super::{
    expand,
    interp::Interp,
    jump::{Jump, Outcome},
};
use crate::syntax::ast::{Redirect, RedirectFd, RedirectKind, Word};
use docsh_builtins::{Device, ErrorKind, Input, InputKind, Opening, Output, Status, Stream, create, resolve};

/// The lowest descriptor that `{name}>` takes.
const LOWEST_FREE: u16 = 10;

/// What an operator does with its descriptor.
enum Change {
    Open(Stream),
    Close,
    /// `&>`: descriptors 1 and 2 both.
    Both(Output),
    /// `N>&M-`: M is closed as well.
    Move(Stream, u16),
}

impl Interp {
    /// Run `body` under `redirects`, and put the descriptors back after it.
    pub fn with_redirects(&mut self, redirects: &[Redirect], body: impl FnOnce(&mut Interp) -> Outcome) -> Outcome {
        if redirects.is_empty() {
            return body(self);
        }
        let outer = self.env.fds.clone();
        let result = match self.redirect_all(redirects) {
            Ok(true) => body(self),
            Ok(false) => Ok(Status::FAILURE),
            Err(jump) => Err(jump),
        };
        self.env.fds = outer;
        result
    }

    /// Apply `redirects` for good. `false` after a failure, which has been reported.
    pub fn redirect_all(&mut self, redirects: &[Redirect]) -> Outcome<bool> {
        for redirect in redirects {
            if !self.redirect(redirect)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn redirect(&mut self, redirect: &Redirect) -> Outcome<bool> {
        let Some(change) = self.change(redirect)? else { return Ok(false) };
        let fd = match (&redirect.fd, &change) {
            (RedirectFd::Number(fd), _) => *fd,
            (RedirectFd::Default, _) => default_fd(&redirect.kind),
            (RedirectFd::Variable(name), Change::Close) => {
                let Some(fd) = expand::get_var(self, name).and_then(|value| value.parse().ok()) else {
                    self.complain(format_args!("{name}: Bad file descriptor"));
                    return Ok(false);
                };
                fd
            }
            (RedirectFd::Variable(name), _) => {
                let free = (LOWEST_FREE..).find(|fd| !self.env.fds.contains_key(fd)).unwrap_or(LOWEST_FREE);
                expand::set_var(self, name, free.to_string())?;
                free
            }
        };
        match change {
            Change::Open(stream) => drop(self.env.fds.insert(fd, stream)),
            Change::Close => drop(self.env.fds.remove(&fd)),
            Change::Both(output) => {
                self.env.fds.insert(1, Stream::Output(output.clone()));
                self.env.fds.insert(2, Stream::Output(output.unbuffered()));
            }
            Change::Move(stream, from) => {
                if from != fd {
                    self.env.fds.remove(&from);
                }
                self.env.fds.insert(fd, stream);
            }
        }
        Ok(true)
    }

    fn change(&mut self, redirect: &Redirect) -> Outcome<Option<Change>> {
        let opened = |stream: Option<Stream>| stream.map(Change::Open);
        Ok(match &redirect.kind {
            RedirectKind::Read(word) => opened(self.open_target(word)?.map(Stream::Input)),
            RedirectKind::Write(word) => opened(self.create_target(word, Opening::Anew, true)?.map(Stream::Output)),
            RedirectKind::Append(word) => opened(self.create_target(word, Opening::Append, false)?.map(Stream::Output)),
            RedirectKind::Clobber(word) => opened(self.create_target(word, Opening::Anew, false)?.map(Stream::Output)),
            RedirectKind::ReadWrite(word) => {
                opened(self.create_target(word, Opening::Over, false)?.map(Stream::Output))
            }
            RedirectKind::Both { word, append: true } => {
                self.create_target(word, Opening::Append, false)?.map(Change::Both)
            }
            RedirectKind::Both { word, append: false } => {
                self.create_target(word, Opening::Anew, true)?.map(Change::Both)
            }
            RedirectKind::HereString(word) => {
                let text = expand::single(self, word)? + "\n";
                Some(Change::Open(Stream::Input(self.document(text)?)))
            }
            RedirectKind::HereDoc(word) => {
                let text = expand::here_document(self, word)?;
                Some(Change::Open(Stream::Input(self.document(text)?)))
            }
            RedirectKind::DupRead(word) | RedirectKind::DupWrite(word) => self.duplicate(redirect, word)?,
        })
    }

    /// `N>&M`, `N>&M-`, `N>&-`; `>&word` is `&>word`.
    fn duplicate(&mut self, redirect: &Redirect, word: &Word) -> Outcome<Option<Change>> {
        let Some(target) = self.target(word)? else { return Ok(None) };
        if target == "-" {
            return Ok(Some(Change::Close));
        }
        let (digits, moves) = match target.strip_suffix('-') {
            Some(digits) => (digits, true),
            None => (target.as_str(), false),
        };
        let Ok(from) = digits.parse::<u16>() else {
            if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
                self.complain(format_args!("{digits}: Bad file descriptor"));
                return Ok(None);
            }
            if matches!(redirect.kind, RedirectKind::DupWrite(_)) && redirect.fd == RedirectFd::Default {
                return Ok(self.create(&target, Opening::Anew, true).map(Change::Both));
            }
            self.complain(format_args!("{target}: ambiguous redirect"));
            return Ok(None);
        };
        let Some(stream) = self.env.fds.get(&from).cloned() else {
            self.complain(format_args!("{from}: Bad file descriptor"));
            return Ok(None);
        };
        Ok(Some(if moves { Change::Move(stream, from) } else { Change::Open(stream) }))
    }

    /// The one word that a target expands to.
    fn target(&mut self, word: &Word) -> Outcome<Option<String>> {
        match expand::redirect_target(self, word)? {
            Ok(target) => Ok(Some(target)),
            Err(text) => {
                self.complain(format_args!("{text}: ambiguous redirect"));
                Ok(None)
            }
        }
    }

    /// Open the target of `<`.
    pub fn open_target(&mut self, word: &Word) -> Outcome<Option<Input>> {
        let Some(target) = self.target(word)? else { return Ok(None) };
        match self.open_file(&target) {
            Ok(input) => Ok(Some(input)),
            Err(ErrorKind::Stopped(stop)) => Err(Jump::Stop(stop)),
            Err(kind) => {
                self.complain(format_args!("{target}: {kind}"));
                Ok(None)
            }
        }
    }

    /// Open a page of the site by its name, or a stream of the shell by its device.
    pub fn open_file(&self, name: &str) -> Result<Input, ErrorKind> {
        match Device::named(name) {
            Some(device) => device.open(&self.env.fds),
            None => self.open_page(name),
        }
    }

    /// Open a page of the site by its name.
    pub fn open_page(&self, name: &str) -> Result<Input, ErrorKind> {
        let path = resolve(&*self.world.fs, &self.env.session.cwd, name).map_err(|error| error.kind)?;
        let reader = self.world.fs.open(&path, 0, &self.cancel).map_err(|error| error.kind)?;
        Ok(Input::new(reader, InputKind::File))
    }

    /// Open the target of `>` and its kin; `exclusive` is what `set -C` guards.
    fn create_target(&mut self, word: &Word, opening: Opening, exclusive: bool) -> Outcome<Option<Output>> {
        let Some(target) = self.target(word)? else { return Ok(None) };
        Ok(self.create(&target, opening, exclusive))
    }

    fn create(&mut self, target: &str, opening: Opening, exclusive: bool) -> Option<Output> {
        let (fs, session) = (&*self.world.fs, &self.env.session);
        let exists =
            || resolve(fs, &session.cwd, target).and_then(|path| fs.stat(&path)).is_ok_and(|meta| !meta.is_dir());
        let exists_to_write = || resolve(fs, &session.cwd, target).is_ok_and(|path| fs.is_writable(&path));
        let opened = match Device::named(target) {
            Some(device) => device.create(&self.env.fds),
            None if exclusive && self.env.options.set.noclobber && exists() => {
                self.complain(format_args!("{target}: cannot overwrite existing file"));
                return None;
            }
            // A file is opened for one or the other: whoever reads would find nothing.
            None if opening == Opening::Over && exists_to_write() => {
                self.complain(format_args!("{target}: cannot be read and written at once"));
                return None;
            }
            None => create(fs, session, target, opening).map_err(|error| error.kind),
        };
        opened.map_err(|cause| self.complain(format_args!("{target}: {cause}"))).ok()
    }
}

fn default_fd(kind: &RedirectKind) -> u16 {
    match kind {
        RedirectKind::Read(_)
        | RedirectKind::ReadWrite(_)
        | RedirectKind::DupRead(_)
        | RedirectKind::HereString(_)
        | RedirectKind::HereDoc(_) => 0,
        RedirectKind::Write(_)
        | RedirectKind::Append(_)
        | RedirectKind::Clobber(_)
        | RedirectKind::DupWrite(_)
        | RedirectKind::Both { .. } => 1,
    }
}
