//! Globs against the tree. Only `list` and `stat` are asked, so no page is fetched; what the visitor may not see does
//! not match.
use super::{fields::Field, too_many};
use crate::shell::{interp::Interp, jump::Outcome};
use docsh_builtins::{
    Fs, Kind, VPath,
    glob::{Glob, GlobFlags},
};

/// The paths that `field` matches, sorted by bytes, or what `nullglob` and `failglob` make of none.
pub(super) fn expand(shell: &mut Interp, field: Field, done: &mut Vec<String>) -> Outcome<()> {
    let mut paths = matches(shell, &field.pattern(), done.len())?;
    if let Some(ignored) = shell.env.session.var("GLOBIGNORE").filter(|ignored| !ignored.is_empty()) {
        let flags = GlobFlags { extended: shell.env.options.shopt.extglob, ..GlobFlags::default() };
        let ignored: Vec<Glob> = ignored.split(':').map(|pattern| Glob::new(pattern, flags)).collect();
        paths.retain(|path| !ignored.iter().any(|glob| glob.matches(path)));
    }
    let shopt = &shell.env.options.shopt;
    match paths.is_empty() {
        false => done.append(&mut paths),
        true if shopt.failglob => return shell.discard(format_args!("no match: {}", field.text)),
        true if shopt.nullglob => {}
        true => done.push(field.text),
    }
    Ok(())
}

fn matches(shell: &Interp, pattern: &str, already: usize) -> Outcome<Vec<String>> {
    let shopt = &shell.env.options.shopt;
    let ignores = shell.env.session.var("GLOBIGNORE").is_some_and(|ignored| !ignored.is_empty());
    let flags = GlobFlags {
        period: !shopt.dotglob && !ignores,
        ignore_case: shopt.nocaseglob,
        extended: shopt.extglob,
        ..GlobFlags::default()
    };
    let mut steps: Vec<Step> = Vec::new();
    for name in pattern.split('/') {
        let step = Step::of(name, flags, shell);
        // `**/**` reaches what `**` does.
        if !(matches!(step, Step::Everything) && matches!(steps.last(), Some(Step::Everything))) {
            steps.push(step);
        }
    }
    let start = if pattern.starts_with('/') { VPath::root() } else { shell.env.session.cwd.clone() };
    let mut walk = Walk { shell, dots: !shopt.globskipdots && !ignores, already, paths: Vec::new() };
    walk.from(&start, "", &steps, false)?;
    walk.paths.sort_unstable();
    walk.paths.dedup();
    Ok(walk.paths)
}

/// What stands between two slashes of a pattern.
enum Step {
    /// Just this name; an empty one is a doubled, leading or trailing slash.
    Name(String),
    /// Names that match.
    Match(Glob),
    /// `**`: any number of folders.
    Everything,
}

impl Step {
    fn of(name: &str, flags: GlobFlags, shell: &Interp) -> Step {
        if shell.env.options.shopt.globstar && name == "**" {
            return Step::Everything;
        }
        let glob = Glob::new(name, flags).stopped_by(&shell.cancel);
        match glob.literal() {
            Some(name) => Step::Name(name),
            None => Step::Match(glob),
        }
    }
}

struct Walk<'a> {
    shell: &'a Interp,
    /// `.` and `..` can match.
    dots: bool,
    /// Words that the expansion has made before.
    already: usize,
    paths: Vec<String>,
}

impl Walk<'_> {
    /// Everything that `steps` reach from `folder`, which is written `prefix` (with its slash). `found` says that a
    /// pattern was met on the way: then `**` writes the folder it begins in without a slash.
    fn from(&mut self, folder: &VPath, prefix: &str, steps: &[Step], found: bool) -> Outcome<()> {
        let Some((step, rest)) = steps.split_first() else { return Ok(()) };
        let last = rest.is_empty();
        match step {
            Step::Name(name) if name.is_empty() => match last {
                true => self.add(prefix.to_string()),
                false => self.from(folder, &format!("{prefix}/"), rest, found),
            },
            Step::Name(name) => {
                let path = step_to(folder, name);
                match self.fs().stat(&path) {
                    Ok(_) if last => self.add(format!("{prefix}{name}")),
                    Ok(meta) if meta.is_dir() => self.below(&path, format!("{prefix}{name}"), rest, found),
                    _ => Ok(()),
                }
            }
            Step::Match(glob) => self.list(folder, |walk, name, kind| match glob.matches(name) {
                false => Ok(()),
                true if last => walk.add(format!("{prefix}{name}")),
                true if kind == Kind::Dir => walk.below(&step_to(folder, name), format!("{prefix}{name}"), rest, true),
                true => Ok(()),
            }),
            Step::Everything if last => {
                if !prefix.is_empty() && self.fs().stat(folder).is_ok_and(|meta| meta.is_dir()) {
                    let itself = if found { prefix.trim_end_matches('/') } else { prefix };
                    self.add(itself.to_string())?;
                }
                self.everything(folder, prefix, &mut |walk, _, path, _| walk.add(path.to_string()))
            }
            Step::Everything => {
                self.from(folder, prefix, rest, found)?;
                self.everything(folder, prefix, &mut |walk, folder, path, kind| match kind {
                    Kind::Dir => walk.below(folder, path.to_string(), rest, true),
                    _ => Ok(()),
                })
            }
        }
    }

    /// Go on from the folder `path`, whose slash is still to be written.
    fn below(&mut self, path: &VPath, mut prefix: String, rest: &[Step], found: bool) -> Outcome<()> {
        prefix.push('/');
        self.from(path, &prefix, rest, found)
    }

    /// All that is not hidden below `folder`, however deep.
    fn everything(
        &mut self,
        folder: &VPath,
        prefix: &str,
        each: &mut dyn FnMut(&mut Self, &VPath, &str, Kind) -> Outcome<()>,
    ) -> Outcome<()> {
        let hidden = !self.shell.env.options.shopt.dotglob;
        self.list(folder, |walk, name, kind| {
            if matches!(name, "." | "..") || (hidden && name.starts_with('.')) {
                return Ok(());
            }
            let (path, written) = (folder.child(name), format!("{prefix}{name}"));
            each(walk, &path, &written, kind)?;
            match kind {
                Kind::Dir => walk.everything(&path, &format!("{written}/"), each),
                _ => Ok(()),
            }
        })
    }

    fn list(&mut self, folder: &VPath, mut each: impl FnMut(&mut Self, &str, Kind) -> Outcome<()>) -> Outcome<()> {
        self.shell.cancel.check()?;
        // A name that is no folder, or that is not there, has nothing that matches.
        let Ok(entries) = self.fs().list(folder) else { return Ok(()) };
        if self.dots {
            each(self, ".", Kind::Dir)?;
            each(self, "..", Kind::Dir)?;
        }
        entries.iter().try_for_each(|entry| each(self, &entry.name, entry.kind))
    }

    fn add(&mut self, path: String) -> Outcome<()> {
        // `**/` does not reach the folder it begins in.
        if path.is_empty() {
            return Ok(());
        }
        self.paths.push(path);
        too_many(self.shell, self.already + self.paths.len())
    }

    fn fs(&self) -> &dyn Fs {
        &*self.shell.world.fs
    }
}

/// The path of `name` in `folder`, `.` and `..` included.
fn step_to(folder: &VPath, name: &str) -> VPath {
    match name {
        "." => folder.clone(),
        ".." => folder.parent(),
        name => folder.child(name),
    }
}
