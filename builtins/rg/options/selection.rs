//! Which files are searched, and in which order.
use super::value::{number, size, unrecognized};
use crate::{Error, Result, Status};
use ignore::types::TypesBuilder;

/// By what files are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rg) enum SortBy {
    Path,
    Time,
}

/// What the options say of files.
pub(in crate::rg) struct Selection {
    pub(in crate::rg) hidden: bool,
    /// `.ignore` and `.rgignore` are heeded.
    pub(in crate::rg) dot_ignore: bool,
    /// `.gitignore` is heeded.
    pub(in crate::rg) git_ignore: bool,
    /// So are those of the folders above.
    pub(in crate::rg) parent_ignore: bool,
    /// `.gitignore` counts in a git repository only.
    pub(in crate::rg) require_git: bool,
    pub(in crate::rg) ignore_files: Vec<String>,
    /// `-g` and `--iglob` in order; the latter are `true`.
    pub(in crate::rg) globs: Vec<(String, bool)>,
    fold_globs: bool,
    pub(in crate::rg) types: TypesBuilder,
    /// Folders to descend at most.
    pub(in crate::rg) depth: Option<usize>,
    /// Bytes that a file may have.
    pub(in crate::rg) largest: Option<u64>,
    pub(in crate::rg) sort: SortBy,
    pub(in crate::rg) reverse: bool,
}

impl Selection {
    pub(super) fn new() -> Selection {
        let mut types = TypesBuilder::new();
        types.add_defaults();
        Selection {
            hidden: false,
            dot_ignore: true,
            git_ignore: true,
            parent_ignore: true,
            require_git: true,
            ignore_files: Vec::new(),
            globs: Vec::new(),
            fold_globs: false,
            types,
            depth: None,
            largest: None,
            sort: SortBy::Path,
            reverse: false,
        }
    }

    /// Take an option; `false` when it says nothing of files.
    pub(super) fn set(&mut self, key: &str, value: &str) -> Result<bool> {
        let type_error = |error: ignore::Error| Error::Failed(error.to_string(), Status(2));
        match key {
            "hidden" => self.hidden = true,
            "no-hidden" => self.hidden = false,
            "no-ignore" => (self.dot_ignore, self.git_ignore) = (false, false),
            "ignore" => (self.dot_ignore, self.git_ignore) = (true, true),
            "no-ignore-dot" => self.dot_ignore = false,
            "no-ignore-vcs" => self.git_ignore = false,
            "no-ignore-parent" => self.parent_ignore = false,
            "no-ignore-files" => self.ignore_files.clear(),
            "no-require-git" => self.require_git = false,
            "ignore-file" => self.ignore_files.push(value.to_string()),
            "glob" => self.globs.push((value.to_string(), false)),
            "iglob" => self.globs.push((value.to_string(), true)),
            "glob-case-insensitive" => self.fold_globs = true,
            "type" => drop(self.types.select(value)),
            "type-not" => drop(self.types.negate(value)),
            "type-add" => drop(self.types.add_def(value).map_err(type_error)?),
            "type-clear" => drop(self.types.clear(value)),
            "max-depth" => self.depth = Some(number(key, value)?),
            "max-filesize" => self.largest = Some(size(key, value)?),
            "sort" | "sortr" => {
                self.sort = match value {
                    "path" | "none" => SortBy::Path,
                    "modified" | "accessed" | "created" => SortBy::Time,
                    _ => return Err(unrecognized(key, value)),
                };
                self.reverse = key == "sortr" && value != "none";
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// All options have been read.
    pub(super) fn settle(&mut self) {
        self.globs.iter_mut().for_each(|(_, fold)| *fold |= self.fold_globs);
    }
}
