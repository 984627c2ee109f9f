//! Changes to the tree, after the checks that a kernel makes before it, in its order. A site answers
//! `Read-only file system` to each; a scratch folder makes them.
use crate::{
    Call, Change, Device, Error, ErrorKind, Fs, FsResult, Opening, Output, Parsed, Result, Session, VPath, cd, curly,
    quoted, resolve,
};
use std::io::{BufRead, Write};

/// The permission bits of a new file, before the session's mask.
const NEW_FILE: u32 = 0o666;
/// Those of a new folder.
const NEW_FOLDER: u32 = 0o777;

impl Call<'_> {
    /// Open an operand for writing, a file emptied; devices included.
    pub fn create(&self, operand: &str) -> FsResult<Output> {
        self.open_to_write(operand, Opening::Anew)
    }

    /// Open an operand for writing; devices included.
    pub fn open_to_write(&self, operand: &str, opening: Opening) -> FsResult<Output> {
        match Device::named(operand) {
            None => create(&*self.fs, self.session, operand, opening),
            Some(Device::Fd(1)) => Ok(self.stdout.clone()),
            Some(Device::Fd(2)) => Ok(self.stderr.clone()),
            Some(device) => device.create(self.fds).map_err(|kind| kind.at(&VPath::root().join(operand))),
        }
    }

    /// The same for a command that writes to it from several places: a file is emptied now, then only added to, and all
    /// that is written can be read at once.
    pub fn create_shared(&self, operand: &str) -> FsResult<Output> {
        if Device::named(operand).is_none() {
            self.create(operand)?;
        }
        Ok(self.open_to_write(operand, Opening::Append)?.unbuffered())
    }

    /// Permission bits without those that the session's mask takes from what is new.
    pub fn masked(&self, mode: u32) -> u32 {
        masked(self.session, mode)
    }

    /// Make a folder at `operand`.
    pub fn make_folder(&self, operand: &str) -> FsResult<()> {
        self.make(operand, Change::MakeFolder(self.masked(NEW_FOLDER)))
    }

    /// Make something new at `operand`.
    pub fn make(&self, operand: &str, change: Change<'_>) -> FsResult<()> {
        self.fs.change(&self.vacant(operand)?, change)
    }

    /// Change what is at `operand`. Nothing comes of it for a device.
    pub fn change(&self, operand: &str, change: Change<'_>) -> FsResult<()> {
        match Device::named(operand) {
            Some(_) => Ok(()),
            None => self.fs.change(&self.resolve(operand)?, change),
        }
    }

    /// Call what is at `source` from now on `target`.
    pub fn rename(&self, source: &str, target: &str) -> FsResult<()> {
        let to = match self.exact(target) {
            Err(error) if matches!(error.kind, ErrorKind::NotFound) => self.vacant(target)?,
            found => found?,
        };
        self.change(source, Change::Rename(&to))
    }

    /// The path of `operand`, which must not exist while its folder does.
    fn vacant(&self, operand: &str) -> FsResult<VPath> {
        match self.exact(operand) {
            Ok(path) => Err(ErrorKind::Exists.at(&path)),
            Err(error) => {
                let folder = self.folder_of(operand)?;
                match error.kind {
                    ErrorKind::NotFound => Ok(folder.child(last_name(operand))),
                    _ => Err(error),
                }
            }
        }
    }

    /// Take the folder `operand`, or a file, out of the folder that it is in.
    pub fn remove(&self, operand: &str) -> FsResult<()> {
        self.folder_of(operand)?;
        self.change(operand, Change::Remove)
    }

    /// `operand` by exactly its name: what is to be made is not the page that a visitor would mean by it.
    fn exact(&self, operand: &str) -> FsResult<VPath> {
        let path = self.resolve(operand)?;
        let name = last_name(operand);
        match path.name() {
            Some(found) if !matches!(name, "." | "..") && found != name => Err(ErrorKind::NotFound.at(&path)),
            _ => Ok(path),
        }
    }

    /// The folder that `operand` is in.
    fn folder_of(&self, operand: &str) -> FsResult<VPath> {
        let trimmed = operand.trim_end_matches('/');
        if operand.is_empty() {
            return Err(ErrorKind::NotFound.at(&self.session.cwd));
        }
        cd::folder(self, trimmed.rfind('/').map_or(".", |at| &trimmed[..=at]))
    }

    /// Whether `operand` is a folder.
    pub fn is_folder(&self, operand: &str) -> bool {
        cd::folder(self, operand).is_ok()
    }
}

/// The last name of `operand`.
fn last_name(operand: &str) -> &str {
    operand.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

fn masked(session: &Session, mode: u32) -> u32 {
    mode & !u32::from(session.umask)
}

/// Open `target` for writing, named and masked as `session` has it.
pub fn create(fs: &dyn Fs, session: &Session, target: &str, opening: Opening) -> FsResult<Output> {
    let (cwd, mode) = (&session.cwd, masked(session, NEW_FILE));
    let path = || cwd.join(target);
    match resolve(fs, cwd, target).and_then(|path| Ok((fs.stat(&path)?, path))) {
        Ok((meta, _)) if meta.is_dir() => Err(ErrorKind::IsADirectory.at(&path())),
        Ok((_, found)) => fs.create(&found, opening, mode),
        Err(error) if !matches!(error.kind, ErrorKind::NotFound) || target.is_empty() => Err(error),
        Err(_) => {
            // A new name in a folder that is there is a new file.
            let parent = match target.trim_end_matches('/').rsplit_once('/') {
                Some(("", _)) => "/",
                Some((parent, _)) => parent,
                None => ".",
            };
            match resolve(fs, cwd, parent).and_then(|parent| Ok((fs.stat(&parent)?, parent))) {
                Ok((meta, _)) if meta.is_dir() && target.ends_with('/') => Err(ErrorKind::IsADirectory.at(&path())),
                Ok((meta, folder)) if meta.is_dir() => fs.create(&folder.child(last_name(target)), opening, mode),
                Ok(_) => Err(ErrorKind::NotADirectory.at(&path())),
                Err(error) => Err(error.kind.at(&path())),
            }
        }
    }
}

/// Whether whoever types agrees to `question`, which is asked on stderr: the answer is a line that begins with `y`.
pub(crate) fn agrees(call: &mut Call<'_>, question: &str) -> Result<bool> {
    write!(call.stderr, "{}: {question}? ", call.name())?;
    let mut answer = Vec::new();
    call.stdin.read_until(b'\n', &mut answer)?;
    Ok(matches!(answer.first(), Some(b'y' | b'Y')))
}

/// Whether what is at `operand` is there, and can be written over: whether `cp -i` and `mv -i` ask.
pub(crate) fn would_overwrite(call: &Call<'_>, operand: &str) -> bool {
    call.stat(operand).is_ok() && call.resolve(operand).is_ok_and(|path| call.fs.is_writable(&path))
}

/// `a` in the folder `dir`, as `cp` and its kin name it.
pub(crate) fn within(dir: &str, a: &str) -> String {
    below(dir, crate::basename::last(a))
}

/// `path` read from the folder `dir`.
pub(crate) fn below(dir: &str, path: &str) -> String {
    let slash = if dir.ends_with('/') { "" } else { "/" };
    format!("{dir}{slash}{path}")
}

/// The sources of a command and where each goes: `cp`, `mv`, `ln`, `install`.
pub(crate) fn destinations(
    call: &Call<'_>,
    operands: &[String],
    into: Option<&str>,
    is_plain: bool,
) -> Result<Vec<(String, String)>> {
    let all =
        |sources: &[String], dir: &str| sources.iter().map(|source| (source.clone(), within(dir, source))).collect();
    let why = |target: &str| match cd::folder(call, target) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    };
    if operands.is_empty() {
        return Err(Error::usage("missing file operand"));
    }
    if let Some(dir) = into {
        return match call.is_folder(dir) {
            true => Ok(all(operands, dir)),
            false => Err(Error::failed(format!("target directory {}: {}", quoted(dir), why(dir)))),
        };
    }
    match operands {
        [only] => Err(Error::usage(format!("missing destination file operand after {}", quoted(only)))),
        [.., target] if !is_plain && call.is_folder(target) => Ok(all(&operands[..operands.len() - 1], target)),
        [source, target] => Ok(vec![(source.clone(), target.clone())]),
        [_, _, extra, ..] if is_plain => Err(Error::usage(format!("extra operand {}", quoted(extra)))),
        [.., target] => Err(Error::failed(format!("target {}: {}", quoted(target), why(target)))),
        [] => Ok(Vec::new()),
    }
}

/// What `-b`, `--backup` and `-S` put behind the name of a file that would be lost; `None` when none are kept.
pub(crate) fn backup_suffix(parsed: &Parsed) -> Result<Option<String>> {
    if !parsed.has("backup") && !parsed.has("suffix") {
        return Ok(None);
    }
    match parsed.value("backup") {
        Some("none" | "off") => Ok(None),
        None | Some("simple" | "never" | "existing" | "nil") => Ok(Some(parsed.value("suffix").unwrap_or("~").into())),
        Some("numbered" | "t") => Err(Error::failed("--backup=numbered is not supported")),
        Some(other) => Err(Error::failed(format!("invalid argument {} for ‘backup type’", curly(other)))),
    }
}
