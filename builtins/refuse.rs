//! What the kernel says of a change to a read-only tree: the checks that come before `Read-only file system`, in its
//! order. All answers are messages; nothing is ever changed.
use crate::{Call, Device, Error, ErrorKind, FsError, FsResult, Result, VPath, cd, quoted};

/// What there is already.
const EXISTS: &str = "File exists";

impl Call<'_> {
    /// Why `operand` cannot be opened for writing. `None` for devices, which can.
    pub fn refuse_write(&self, operand: &str) -> Option<FsError> {
        Device::named(operand).is_none().then(|| self.refusal(operand))
    }

    /// Why no folder, link or pipe can be made at `operand`.
    pub fn refuse_new(&self, operand: &str) -> String {
        match (self.exact(operand), self.folder_of(operand)) {
            (Ok(_), _) => EXISTS.to_string(),
            (_, Err(error)) => error.kind.to_string(),
            (Err(error), _) if !matches!(error.kind, ErrorKind::NotFound) => error.kind.to_string(),
            _ => ErrorKind::ReadOnly.to_string(),
        }
    }

    /// Why nothing can be taken from the folder of `operand`, whether it exists or not.
    pub fn refuse_removal(&self, operand: &str) -> String {
        self.folder_of(operand).map_or_else(|error| error.kind, |_| ErrorKind::ReadOnly).to_string()
    }

    /// `operand` by exactly its name: what is to be made is not the page that a visitor would mean by it.
    fn exact(&self, operand: &str) -> FsResult<VPath> {
        let path = self.resolve(operand)?;
        let name = operand.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
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
