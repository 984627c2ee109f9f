//! `-i`: what a script prints for a file takes the file's place once it is whole.
use crate::{Call, Change, Error, ErrorKind, Fs, FsResult, Kind, Opening, Output, Result, Status, VPath};
use std::sync::Arc;

/// A file that is being edited. One that is given up leaves the file as it was.
pub(super) struct Edit {
    fs: Arc<dyn Fs>,
    /// Where the new text is written.
    draft: VPath,
    target: VPath,
    /// What the old text is called afterwards, if it stays.
    backup: Option<VPath>,
    is_finished: bool,
}

impl Edit {
    /// Begin with the file `name`, which exists; its old text stays under the name that `suffix` makes of it.
    pub(super) fn begin(call: &Call<'_>, name: &str, suffix: &str) -> Result<(Edit, Output)> {
        let target = call.resolve(name)?;
        let folder = target.parent();
        let mode = call.fs.stat(&target)?.mode;
        let draft = (0..u32::MAX).map(|n| folder.child(&format!("sed{n:06}"))).find(|path| call.fs.stat(path).is_err());
        let draft = draft.unwrap_or_else(|| folder.child("sed"));
        let output = call.fs.create(&draft, Opening::Anew, mode).map_err(|cause| {
            let shown = name.rfind('/').map_or(".", |at| &name[..at]);
            Error::Failed(format!("couldn't open temporary file {shown}/sedXXXXXX: {cause}"), Status(4))
        })?;
        let last = target.name().unwrap_or_default();
        let backup = match suffix {
            "" => None,
            suffix if suffix.contains('*') => Some(suffix.replace('*', last)),
            suffix => Some(format!("{last}{suffix}")),
        };
        let backup = backup.map(|name| folder.join(&name));
        Ok((Edit { fs: call.fs.clone(), draft, target, backup, is_finished: false }, output))
    }

    /// Put the new text in its place.
    pub(super) fn finish(mut self) -> Result<()> {
        let placed = self.place();
        self.is_finished = placed.is_ok();
        placed.map_err(|cause| Error::Failed(format!("cannot rename {}: {cause}", self.draft), Status(4)))
    }

    fn place(&self) -> FsResult<()> {
        if let Some(backup) = &self.backup {
            self.fs.change(&self.target, Change::Rename(backup))?;
        }
        self.fs.change(&self.draft, Change::Rename(&self.target))
    }
}

impl Drop for Edit {
    fn drop(&mut self) {
        if !self.is_finished {
            // There is nobody to tell who has not been told why it was given up.
            let _ = self.fs.change(&self.draft, Change::Remove);
        }
    }
}

/// The operands of `-i`: files that are there. What is not is told of, and the status of that.
pub(super) fn editable(call: &mut Call<'_>, operands: Vec<String>) -> Result<(Vec<String>, Status)> {
    if operands.is_empty() {
        return Err(Error::failed("no input files"));
    }
    let (mut files, mut status) = (Vec::new(), Status::OK);
    for operand in operands {
        match call.stat(&operand) {
            Ok(meta) if meta.kind == Kind::File => files.push(operand),
            Ok(_) => {
                call.warn_apart(format_args!("couldn't edit {operand}: not a regular file"));
                status = Status(4);
            }
            Err(error) => {
                if let ErrorKind::Stopped(stop) = error.kind {
                    return Err(stop.into());
                }
                call.warn_apart(format_args!("can't read {operand}: {error}"));
                status = Status(2);
            }
        }
    }
    Ok((files, status))
}
