//! The walk: each file in turn, and the expression on it.
use super::{
    command::Command,
    exec::Batch,
    expression::{Action, Expr, Target, Test},
    format,
};
use crate::{
    Call, Change, Entry, Error, ErrorKind, FsError, Kind, Meta, Result, Status, VPath, basename, curly, path::Location,
};
use std::{io::Write, vec};

/// A file on the way.
pub(super) struct Node {
    /// Its path as it is printed.
    pub(super) name: String,
    /// How much of the name is the starting point.
    pub(super) start: usize,
    pub(super) location: Location,
    pub(super) kind: Kind,
    pub(super) depth: usize,
}

impl Node {
    /// Where it is.
    pub(super) fn path(&self) -> VPath {
        self.location.path(&self.name)
    }
}

/// A walk under way.
pub(super) struct Walk<'w, 'c> {
    pub(super) call: &'w mut Call<'c>,
    pub(super) command: Command,
    pub(super) batches: Vec<Batch>,
    pub(super) status: Status,
    /// `-prune` was said of the folder at hand.
    is_pruned: bool,
    has_quit: bool,
}

/// A folder that is being walked through.
struct Level {
    dir: Node,
    path: VPath,
    /// What is still to be looked at.
    entries: vec::IntoIter<Entry>,
}

impl<'w, 'c> Walk<'w, 'c> {
    pub(super) fn new(call: &'w mut Call<'c>, command: Command) -> Walk<'w, 'c> {
        let batches = command.execs.iter().map(|_| Batch::default()).collect();
        Walk { call, command, batches, status: Status::OK, is_pruned: false, has_quit: false }
    }

    /// Walk from each starting point.
    pub(super) fn run(mut self) -> Result<Status> {
        for name in std::mem::take(&mut self.command.starts) {
            match self.call.stat(&name) {
                Ok(meta) => {
                    let path = match meta.kind {
                        Kind::Device => self.call.session.cwd.join(&name),
                        _ => self.call.resolve(&name)?,
                    };
                    let start = name.len();
                    let location = Location::At(path);
                    self.from(Node { name, start, location, kind: meta.kind, depth: 0 })?;
                }
                Err(error) => self.complain(&name, &error.kind)?,
            }
            if self.has_quit {
                break;
            }
        }
        self.run_batches()?;
        Ok(self.status)
    }

    fn complain(&mut self, name: &str, kind: &ErrorKind) -> Result<()> {
        self.status = Status::FAILURE;
        self.call.warn(format_args!("{}: {kind}", curly(name)))
    }

    /// Walk from `start`. The walk holds one listing for each level it is in, and no more.
    fn from(&mut self, start: Node) -> Result<()> {
        let mut levels = Vec::new();
        let mut spare = self.enter(start, &mut levels)?;
        while !self.has_quit
            && let Some(level) = levels.last_mut()
        {
            // Which asks the clock: for some hundred names once.
            if level.entries.len().is_multiple_of(256) {
                self.call.cancel.check()?;
            }
            let Some(entry) = level.entries.next() else {
                let dir = levels.pop().map(|level| level.dir);
                if let Some(dir) = dir.filter(|_| self.command.settings.depth_first) {
                    self.visit(&dir)?;
                }
                continue;
            };
            let dir = &level.dir;
            let mut name = std::mem::take(&mut spare);
            name.clear();
            name.push_str(&dir.name);
            name.push_str(if dir.name.ends_with('/') { "" } else { "/" });
            name.push_str(&entry.name);
            let location = Location::In(level.path.clone());
            let node = Node { name, start: dir.start, location, kind: entry.kind, depth: dir.depth + 1 };
            spare = self.enter(node, &mut levels)?;
        }
        Ok(())
    }

    /// Look at `node`, and at what is in it next. The room of a name that nobody needs any more.
    fn enter(&mut self, node: Node, levels: &mut Vec<Level>) -> Result<String> {
        let depth_first = self.command.settings.depth_first;
        self.is_pruned = false;
        if !depth_first {
            self.visit(&node)?;
        }
        let is_deepest = self.command.settings.max_depth.is_some_and(|deepest| node.depth >= deepest);
        let is_entered = node.kind == Kind::Dir && !is_deepest && !self.is_pruned && !self.has_quit;
        if !is_entered {
            if depth_first {
                self.visit(&node)?;
            }
            return Ok(node.name);
        }
        let path = node.path();
        let entries = match self.call.fs.list(&path) {
            Ok(entries) => entries,
            Err(error) => {
                self.complain(&node.name, &error.kind)?;
                Vec::new()
            }
        };
        levels.push(Level { dir: node, path, entries: entries.into_iter() });
        Ok(String::new())
    }

    fn visit(&mut self, node: &Node) -> Result<()> {
        if node.depth < self.command.settings.min_depth {
            return Ok(());
        }
        // The expression is looked at while the walk changes: it is put back at once.
        let expr = std::mem::replace(&mut self.command.expr, Expr::All(Vec::new()));
        let result = self.holds(&expr, node);
        self.command.expr = expr;
        match result.map(drop).map_err(FsError::within) {
            Ok(()) => Ok(()),
            Err(Ok(error)) => self.complain(&node.name, &error.kind),
            Err(Err(error)) => Err(error),
        }
    }

    /// Whether `expr` holds for `node`; its actions are done on the way.
    fn holds(&mut self, expr: &Expr, node: &Node) -> Result<bool> {
        match expr {
            Expr::All(parts) => self.until(parts, node, false),
            Expr::Any(parts) => self.until(parts, node, true),
            Expr::List(parts) => {
                let mut answer = true;
                for part in parts {
                    answer = self.holds(part, node)?;
                    if self.has_quit {
                        break;
                    }
                }
                Ok(answer)
            }
            Expr::Not(part) => self.holds(part, node).map(|answer| !answer),
            Expr::Test(test) => self.test(test, node),
            Expr::Action(action) => self.act(action, node),
        }
    }

    /// The answer `decisive` of the first part that gives it, else the other one.
    fn until(&mut self, parts: &[Expr], node: &Node, decisive: bool) -> Result<bool> {
        for part in parts {
            if self.holds(part, node)? == decisive {
                return Ok(decisive);
            }
            if self.has_quit {
                break;
            }
        }
        Ok(!decisive)
    }

    fn meta(&self, node: &Node) -> Result<Meta> {
        match node.kind {
            Kind::Device => Ok(crate::Device::meta()),
            _ => self.call.fs.stat(&node.path()).map_err(|error| Error::Io(error.into())),
        }
    }

    fn size(&self, node: &Node, meta: &Meta) -> Result<u64> {
        self.call.size(&node.path(), meta).map_err(|error| Error::Io(error.into()))
    }

    fn test(&self, test: &Test, node: &Node) -> Result<bool> {
        Ok(match test {
            Test::True | Test::Readable => true,
            Test::False => false,
            Test::Name(glob) => glob.matches(basename::last(&node.name)),
            Test::Path(glob) => glob.matches(&node.name),
            Test::Regex(pattern) => pattern
                .is_match(node.name.as_bytes())
                .map_err(|error| Error::failed(format!("error in regular expression matcher: {error}")))?,
            Test::Kinds(kinds) => kinds.contains(&node.kind),
            Test::Size(compare, unit) => {
                let size = self.size(node, &self.meta(node)?)?;
                compare.holds(size.div_ceil(*unit))
            }
            Test::Empty => match node.kind {
                Kind::File => self.size(node, &self.meta(node)?)? == 0,
                Kind::Dir => self.call.fs.list(&node.path()).map_err(|error| Error::Io(error.into()))?.is_empty(),
                Kind::Device => false,
            },
            Test::NewerThan(time) => self.meta(node)?.time() > *time,
            Test::Age(age) => age.holds(self.meta(node)?.mtime),
            Test::Permissions(permissions) => permissions.hold(self.meta(node)?.mode),
            Test::Links(compare) => compare.holds(u64::from(self.meta(node)?.links)),
            Test::Inode(compare) => compare.holds(self.meta(node)?.inode),
            Test::Same(path) => node.path() == *path,
            Test::Writable => node.kind == Kind::Device || self.call.fs.is_writable(&node.path()),
            Test::Executable => node.kind == Kind::Dir || self.meta(node)?.mode & 0o111 != 0,
        })
    }

    fn act(&mut self, action: &Action, node: &Node) -> Result<bool> {
        match action {
            Action::Print(target, end) => self.write(target, &[&node.name, end.encode_utf8(&mut [0; 4])])?,
            Action::Printf(target, format) => {
                let meta = self.meta(node)?;
                let size = if format.needs_size() { self.size(node, &meta)? } else { 0 };
                self.write(target, &[&format.fill(node, &meta, size)])?;
            }
            Action::Ls(target) => {
                let meta = self.meta(node)?;
                let size = self.size(node, &meta)?;
                self.write(target, &[&format::long(node, &meta, size, self.call.now())])?;
            }
            Action::Exec(place) => return self.exec(*place, node),
            Action::Delete => {
                // As findutils has it, which never asks the kernel to delete the folder it stands in.
                if node.name == "." {
                    return Ok(true);
                }
                if let Err(why) = self.call.fs.change(&node.path(), Change::Remove) {
                    self.status = Status::FAILURE;
                    self.call.warn(format_args!("cannot delete {}: {why}", curly(&node.name)))?;
                    return Ok(false);
                }
            }
            Action::Prune => self.is_pruned = true,
            Action::Quit => self.has_quit = true,
        }
        Ok(true)
    }

    fn write(&mut self, target: &Target, parts: &[&str]) -> Result<()> {
        let mut file;
        let out = match target {
            Target::Stdout => &mut self.call.stdout,
            Target::Stderr => &mut self.call.stderr,
            Target::File(shared) => {
                file = shared.clone();
                &mut file
            }
        };
        parts.iter().try_for_each(|part| out.write_all(part.as_bytes()))?;
        Ok(())
    }
}
