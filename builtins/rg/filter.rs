//! Which files of a tree rg searches: `-g`, ignore files, types, hidden names, in this order of weight.
use super::options::Selection;
use crate::{Call, Error, Fs, Result, Status, VPath, walk::Place};
use ignore::{
    Match,
    gitignore::{Gitignore, GitignoreBuilder},
    overrides::{Override, OverrideBuilder},
    types::Types,
};
use std::{io::Read, sync::Arc};

/// The filter of one command.
pub(super) struct Filter<'f> {
    selection: &'f Selection,
    fs: Arc<dyn Fs>,
    cancel: crate::Cancel,
    globs: Override,
    types: Types,
    /// `--ignore-file`.
    extra: Vec<Gitignore>,
    /// The folders from the root to the one at hand, with their rules.
    folders: Vec<Folder>,
}

/// The ignore files of one folder, the weightiest first.
struct Folder {
    path: VPath,
    own: Option<Gitignore>,
    dot: Option<Gitignore>,
    git: Option<Gitignore>,
    /// It is the top of a git repository, or in one.
    in_git: bool,
}

impl<'f> Filter<'f> {
    pub(super) fn new(call: &mut Call<'_>, selection: &'f Selection) -> Result<Filter<'f>> {
        let failed = |error: ignore::Error| Error::Failed(error.to_string(), Status(2));
        let cwd = call.session.cwd.clone();
        let mut globs = OverrideBuilder::new(cwd.as_str());
        for (glob, fold) in &selection.globs {
            globs.case_insensitive(*fold).map_err(failed)?;
            globs.add(glob).map_err(failed)?;
        }
        let mut filter = Filter {
            selection,
            fs: call.fs.clone(),
            cancel: call.cancel.clone(),
            globs: globs.build().map_err(failed)?,
            types: selection.types.build().map_err(failed)?,
            extra: Vec::new(),
            folders: Vec::new(),
        };
        for name in &selection.ignore_files {
            match call.resolve(name) {
                Ok(path) => filter.extra.extend(filter.rules(&path, &cwd)),
                Err(error) => call.warn(format_args!("{name}: {error}"))?,
            }
        }
        Ok(filter)
    }

    /// A walk begins at the folder `start`: read the rules of all folders above it.
    pub(super) fn begin(&mut self, start: &VPath) {
        self.folders.clear();
        let mut above = vec![start.clone()];
        while !above[above.len() - 1].is_root() {
            above.push(above[above.len() - 1].parent());
        }
        for path in above.into_iter().rev() {
            let is_start = path == *start;
            self.enter(path, is_start || self.selection.parent_ignore);
        }
    }

    /// Whether the file or folder `place` is left out. Asked in the order of the walk.
    pub(super) fn excludes(&mut self, place: &Place) -> bool {
        let folder = place.path.parent();
        while self.folders.last().is_some_and(|last| last.path != folder && !folder.is_within(&last.path)) {
            self.folders.pop();
        }
        if self.folders.last().is_none_or(|last| last.path != folder) {
            self.enter(folder, true);
        }
        let is_dir = place.kind == crate::Kind::Dir;
        let path = place.path.as_str();
        match self.globs.matched(path, is_dir) {
            Match::Ignore(_) => return true,
            Match::Whitelist(_) => return false,
            Match::None => {}
        }
        let mut wanted = false;
        match self.ignored(path, is_dir) {
            Some(true) => return true,
            Some(false) => wanted = true,
            None => {}
        }
        match self.types.matched(path, is_dir) {
            Match::Ignore(_) => return true,
            Match::Whitelist(_) => wanted = true,
            Match::None => {}
        }
        !wanted && !self.selection.hidden && place.base().starts_with('.')
    }

    /// What the ignore files say of `path`, if anything: the nearest folder first, and one kind of file before another.
    fn ignored(&self, path: &str, is_dir: bool) -> Option<bool> {
        let verdict = |rules: &Gitignore| match rules.matched(path, is_dir) {
            Match::Ignore(_) => Some(true),
            Match::Whitelist(_) => Some(false),
            Match::None => None,
        };
        let nearest = |kind: fn(&Folder) -> Option<&Gitignore>| {
            self.folders.iter().rev().find_map(|folder| kind(folder).and_then(verdict))
        };
        nearest(|folder| folder.own.as_ref())
            .or_else(|| nearest(|folder| folder.dot.as_ref()))
            .or_else(|| nearest(|folder| folder.git.as_ref()))
            .or_else(|| self.extra.iter().rev().find_map(verdict))
    }

    fn enter(&mut self, path: VPath, with_rules: bool) {
        let s = self.selection;
        let in_git = s.git_ignore
            && (self.folders.last().is_some_and(|above| above.in_git) || self.fs.stat(&path.child(".git")).is_ok());
        let read = |name: &str, wanted: bool| {
            if wanted && with_rules { self.rules(&path.child(name), &path) } else { None }
        };
        let folder = Folder {
            own: read(".rgignore", s.dot_ignore),
            dot: read(".ignore", s.dot_ignore),
            git: read(".gitignore", s.git_ignore && (in_git || !s.require_git)),
            in_git,
            path,
        };
        self.folders.push(folder);
    }

    /// The rules of the file `path`, which speak of what is in `folder`. A file that is not there has none.
    fn rules(&self, path: &VPath, folder: &VPath) -> Option<Gitignore> {
        self.fs.stat(path).ok().filter(|meta| !meta.is_dir())?;
        let mut text = String::new();
        self.fs.open(path, 0, &self.cancel).ok()?.read_to_string(&mut text).ok()?;
        let mut rules = GitignoreBuilder::new(folder.as_str());
        for line in text.lines() {
            // A line that is no glob says nothing, as in git.
            let _ = rules.add_line(None, line);
        }
        rules.build().ok()
    }
}
