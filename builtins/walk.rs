//! A folder's tree, depth first, each folder's names in the order of their bytes.
//!
//! The walk holds one listing for each level it is in, and no more. A folder comes before what is in it;
//! [`Walk::prune`] leaves out what is in the folder that came last.
use crate::{Entry, Fs, FsResult, Kind, VPath};
use std::{sync::Arc, vec};

/// A walk under way.
pub(crate) struct Walk {
    fs: Arc<dyn Fs>,
    naming: Naming,
    levels: Vec<Level>,
    /// The folder that came last, which is entered next.
    next: Option<Place>,
}

/// One thing on the way.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Where it is.
    pub(crate) path: VPath,
    /// What it is called.
    pub(crate) naming: Naming,
    pub(crate) kind: Kind,
    /// 1 for what is in the folder that the walk began at.
    pub(crate) depth: usize,
}

/// What things are called from where a walk began: the name of that, and their paths below it. Most names are never
/// asked for.
#[derive(Clone, Debug)]
pub(crate) struct Naming {
    /// What stands before the path below.
    start: Arc<str>,
    /// How many bytes of a path lead to where the walk began, with the slash behind that.
    skip: usize,
}

impl Naming {
    /// What `path` is called.
    pub(crate) fn name(&self, path: &VPath) -> String {
        let below = path.as_str().get(self.skip..).unwrap_or_default();
        let mut name = String::with_capacity(self.start.len() + below.len());
        name.push_str(&self.start);
        name.push_str(below);
        name
    }
}

struct Level {
    dir: Place,
    entries: vec::IntoIter<Entry>,
}

impl Place {
    /// What it is called from where the walk began.
    pub(crate) fn name(&self) -> String {
        self.naming.name(&self.path)
    }

    /// The bare name.
    pub(crate) fn base(&self) -> &str {
        self.path.name().unwrap_or("/")
    }
}

impl Walk {
    /// Everything below the folder `path`, which is called `name`; an empty name shows no folder before the names.
    pub(crate) fn new(fs: Arc<dyn Fs>, path: VPath, name: impl Into<String>) -> Walk {
        let mut start = name.into();
        if !start.is_empty() && !start.ends_with('/') {
            start.push('/');
        }
        let skip = if path.is_root() { 1 } else { path.as_str().len() + 1 };
        let naming = Naming { start: start.into(), skip };
        let start = Place { path, naming: naming.clone(), kind: Kind::Dir, depth: 0 };
        Walk { fs, naming, levels: Vec::new(), next: Some(start) }
    }

    /// Do not enter the folder that came last.
    pub(crate) fn prune(&mut self) {
        self.next = None;
    }

    fn enter(&mut self, dir: Place) -> FsResult<()> {
        let entries = self.fs.list(&dir.path)?.into_iter();
        self.levels.push(Level { dir, entries });
        Ok(())
    }
}

impl Iterator for Walk {
    type Item = FsResult<Place>;

    fn next(&mut self) -> Option<FsResult<Place>> {
        if let Some(dir) = self.next.take()
            && let Err(error) = self.enter(dir)
        {
            return Some(Err(error));
        }
        loop {
            let level = self.levels.last_mut()?;
            let Some(entry) = level.entries.next() else {
                self.levels.pop();
                continue;
            };
            let dir = &level.dir;
            let place = Place {
                path: dir.path.child(&entry.name),
                naming: self.naming.clone(),
                kind: entry.kind,
                depth: dir.depth + 1,
            };
            if place.kind == Kind::Dir {
                self.next = Some(place.clone());
            }
            return Some(Ok(place));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::literal;

    fn names(start: &str, name: &str, pruned: &str) -> String {
        let fs = literal(&[("a/x/deep", ""), ("a/y", ""), ("a.md", ""), ("b/z", "")]);
        let mut walk = Walk::new(fs, VPath::root().join(start), name);
        let mut names = Vec::new();
        while let Some(place) = walk.next() {
            let place = place.unwrap();
            if place.base() == pruned {
                walk.prune();
            }
            names.push(format!("{}:{}", place.name(), place.depth));
        }
        names.join(" ")
    }

    #[test]
    fn folders_come_before_what_is_in_them() {
        assert_eq!(names("/", "", ""), "a:1 a/x:2 a/x/deep:3 a/y:2 a.md:1 b:1 b/z:2");
        assert_eq!(names("/a", "./a/", "x"), "./a/x:1 ./a/y:1");
        assert_eq!(names("/", "/", "a"), "/a:1 /a.md:1 /b:1 /b/z:2");
    }
}
