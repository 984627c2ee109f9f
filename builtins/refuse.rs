//! What the kernel says of a change to a read-only tree: the checks that come before `Read-only file system`.
use crate::{Call, Device, ErrorKind, FsError, VPath};

impl Call<'_> {
    /// Why `operand` cannot be opened for writing: no such folder, a folder, or the read-only tree. `None` for devices,
    /// which can.
    pub fn refuse_write(&self, operand: &str) -> Option<FsError> {
        if Device::named(operand).is_some() {
            return None;
        }
        Some(match self.resolve(operand) {
            Ok(path) if self.fs.stat(&path).is_ok_and(|meta| meta.is_dir()) => ErrorKind::IsADirectory.at(&path),
            Ok(path) => ErrorKind::ReadOnly.at(&path),
            Err(error) => match error.kind {
                ErrorKind::NotFound => self.refuse_creation(operand, operand.ends_with('/')),
                _ => error,
            },
        })
    }

    /// Why `operand`, which does not exist, cannot be made: its folder does not exist, or the tree is read-only.
    /// A name that `ends_wrong` (in a slash, where a file is to be made) is a folder's.
    pub fn refuse_creation(&self, operand: &str, ends_wrong: bool) -> FsError {
        let trimmed = operand.trim_end_matches('/');
        let lexical: VPath = self.session.cwd.join(operand);
        if trimmed.is_empty() {
            return ErrorKind::NotFound.at(&lexical);
        }
        let dir = trimmed.rfind('/').map_or(".", |at| &trimmed[..=at]);
        match crate::cd::folder(self, dir) {
            Ok(_) if ends_wrong => ErrorKind::IsADirectory.at(&lexical),
            Ok(_) => ErrorKind::ReadOnly.at(&lexical),
            Err(error) => error,
        }
    }
}
