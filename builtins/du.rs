//! `du`: what files and folders take, each folder after all below it.
//!
//! A site's files stand in blocks of 4 KiB, as on a real disk. Apparent sizes count files only, as coreutils 9.5 does.
mod options;

use crate::{Builtin, Call, Entry, ErrorKind, FsError, Input, Kind, Meta, Moment, Quoting, Result, Status, VPath};
use options::Options;
use std::{collections::HashSet, io::Write};

pub(crate) static DU: Builtin = Builtin {
    name: "du",
    synopsis: "[OPTION]... [FILE]...",
    about: "Summarize device usage of the set of FILEs, recursively for directories.",
    options: options::TABLE,
    trouble: Status(1),
    run,
};

/// What a file, or a folder with all below it, takes.
#[derive(Clone, Copy, Default)]
struct Sum {
    bytes: u64,
    inodes: u64,
    newest: i64,
}

/// A folder being summed up.
struct Frame {
    name: String,
    path: VPath,
    left: std::vec::IntoIter<Entry>,
    /// Itself and its files.
    own: Sum,
    /// The same with the folders in it.
    all: Sum,
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let (options, operands) = options::read(call)?;
    let mut walk = Walk { options: &options, seen: None, status: Status::OK, total: Sum::default() };
    if operands.len() > 1 {
        walk.seen = Some(HashSet::new());
    }
    for operand in &operands {
        walk.operand(call, operand)?;
    }
    if options.total {
        walk.show(call, walk.total, "total")?;
    }
    Ok(walk.status)
}

struct Walk<'o> {
    options: &'o Options,
    /// What has been counted, when an operand may meet it again.
    seen: Option<HashSet<VPath>>,
    status: Status,
    total: Sum,
}

impl Sum {
    fn add(&mut self, other: Sum) {
        self.bytes += other.bytes;
        self.inodes += other.inodes;
        self.newest = self.newest.max(other.newest);
    }
}

impl Walk<'_> {
    fn operand(&mut self, call: &mut Call<'_>, name: &str) -> Result<()> {
        let looked = call.stat(name).and_then(|meta| match meta.kind {
            Kind::Device => Ok((call.session.cwd.join(name), meta)),
            _ => Ok((call.resolve(name)?, meta)),
        });
        let (path, meta) = match looked {
            Ok(found) => found,
            Err(error) => return self.complain(call, "access", name, &error.kind),
        };
        if self.options.is_excluded(name) || !self.is_new(call, &path)? {
            return Ok(());
        }
        let sum = match self.measure(call, &path, &meta) {
            Ok(sum) if meta.is_dir() => self.folder(call, name, path, sum)?,
            Ok(sum) => {
                self.print(call, sum, name)?;
                sum
            }
            Err(error) => return self.complain(call, "access", name, &error.kind),
        };
        self.total.add(sum);
        Ok(())
    }

    fn is_new(&mut self, call: &mut Call<'_>, path: &VPath) -> Result<bool> {
        let Some(seen) = &mut self.seen else { return Ok(true) };
        call.memory.take(size_of::<VPath>())?;
        Ok(seen.insert(path.clone()))
    }

    fn complain(&mut self, call: &mut Call<'_>, what: &str, name: &str, kind: &ErrorKind) -> Result<()> {
        if let ErrorKind::Stopped(stop) = kind {
            return Err((*stop).into());
        }
        self.status = Status::FAILURE;
        call.warn(format_args!("cannot {what} {}: {kind}", Quoting::ShellEscapeAlways.quote(name)))
    }

    fn measure(&self, call: &Call<'_>, path: &VPath, meta: &Meta) -> Result<Sum, FsError> {
        let bytes = match (self.options.inodes, self.options.apparent, meta.kind) {
            (true, ..) | (_, true, Kind::Dir) | (.., Kind::Device) => 0,
            (_, true, _) => call.size(path, meta)?,
            _ => Meta::allocated(call.size(path, meta)?),
        };
        Ok(Sum { bytes, inodes: 1, newest: meta.mtime })
    }

    /// Sum up the folder `path`, and print it and those in it.
    fn folder(&mut self, call: &mut Call<'_>, name: &str, path: VPath, sum: Sum) -> Result<Sum> {
        let mut frames = vec![self.open(call, name.to_string(), path, sum)?];
        while let Some(frame) = frames.last_mut() {
            call.cancel.check()?;
            let Some(entry) = frame.left.next() else {
                let depth = frames.len() - 1;
                let Some(done) = frames.pop() else { break };
                if self.options.deepest.is_none_or(|deepest| depth <= deepest) {
                    let sum = if self.options.separate { done.own } else { done.all };
                    self.print(call, Sum { newest: done.all.newest, ..sum }, &done.name)?;
                }
                match frames.last_mut() {
                    Some(outer) => outer.all.add(done.all),
                    None => return Ok(done.all),
                }
                continue;
            };
            let slash = if frame.name.ends_with('/') { "" } else { "/" };
            let (name, path) = (format!("{}{slash}{}", frame.name, entry.name), frame.path.child(&entry.name));
            if self.options.is_excluded(&name) || !self.is_new(call, &path)? {
                continue;
            }
            let measured = call.fs.stat(&path).and_then(|meta| self.measure(call, &path, &meta));
            match measured {
                Ok(sum) if entry.kind == Kind::Dir => frames.push(self.open(call, name, path, sum)?),
                Ok(sum) => {
                    frame.own.add(sum);
                    frame.all.add(sum);
                    let depth = frames.len();
                    if self.options.files && self.options.deepest.is_none_or(|deepest| depth <= deepest) {
                        self.print(call, sum, &name)?;
                    }
                }
                Err(error) => self.complain(call, "access", &name, &error.kind)?,
            }
        }
        Ok(sum)
    }

    fn open(&mut self, call: &mut Call<'_>, name: String, path: VPath, sum: Sum) -> Result<Frame> {
        let entries = match call.fs.list(&path) {
            Ok(entries) => entries,
            Err(error) => {
                self.complain(call, "read directory", &name, &error.kind)?;
                Vec::new()
            }
        };
        Ok(Frame { name, path, left: entries.into_iter(), own: sum, all: sum })
    }

    fn print(&self, call: &mut Call<'_>, sum: Sum, name: &str) -> Result<()> {
        let options = self.options;
        let amount = if options.inodes { sum.inodes } else { sum.bytes };
        let is_shown = match options.threshold {
            Some(limit) if limit < 0 => amount <= limit.unsigned_abs(),
            Some(limit) => amount >= limit.unsigned_abs(),
            None => true,
        };
        if is_shown { self.show(call, sum, name) } else { Ok(()) }
    }

    /// A line, whatever the threshold is.
    fn show(&self, call: &mut Call<'_>, sum: Sum, name: &str) -> Result<()> {
        let options = self.options;
        let amount = if options.inodes { sum.inodes } else { sum.bytes };
        let shown = match (options.inodes, options.unit) {
            (true, crate::Unit::Blocks(..)) => amount.to_string(),
            (_, unit) => unit.show(amount),
        };
        let time = options
            .time
            .as_ref()
            .map_or(String::new(), |format| format!("{}\t", Moment::utc(sum.newest).format(format)));
        write!(call.stdout, "{shown}\t{time}{name}{}", options.end)?;
        Ok(())
    }
}

/// The lines of `input`: patterns, or names.
fn lines(call: &mut Call<'_>, input: &mut Input, end: u8) -> Result<Vec<String>> {
    use std::io::BufRead;
    let mut all = Vec::new();
    loop {
        let mut line = Vec::new();
        input.read_until(end, &mut line)?;
        if line.is_empty() {
            return Ok(all);
        }
        call.memory.take(line.len())?;
        if line.last() == Some(&end) {
            line.pop();
        }
        all.push(String::from_utf8_lossy(&line).into_owned());
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    const TREE: crate::testing::Tree<'_> =
        &[("a/one.md", "1\n"), ("a/sub/deep.txt", "22\n"), ("b.md", "b"), ("empty", "")];

    #[test]
    fn folders_come_after_what_is_in_them() {
        check(
            TREE,
            "du",
            expect![[r#"
            8	./a/sub
            16	./a
            24	.
        "#]],
        );
        check(
            TREE,
            "du -a a",
            expect![[r#"
            4	a/one.md
            4	a/sub/deep.txt
            8	a/sub
            16	a
        "#]],
        );
        check(
            TREE,
            "du -S -d 1 .",
            expect![[r#"
            8	./a
            8	.
        "#]],
        );
        check(
            TREE,
            "du -sch a b.md empty",
            expect![[r#"
            16K	a
            4.0K	b.md
            0	empty
            20K	total
        "#]],
        );
    }

    #[test]
    fn apparent_sizes_are_those_of_files() {
        check(
            TREE,
            "du -ab a",
            expect![[r#"
            2	a/one.md
            3	a/sub/deep.txt
            3	a/sub
            5	a
        "#]],
        );
        check(
            TREE,
            "du --inodes --time",
            expect![[r#"
            2	2025-01-15 12:00	./a/sub
            4	2025-01-15 12:00	./a
            7	2025-01-15 12:00	.
        "#]],
        );
    }

    #[test]
    fn nothing_is_counted_twice() {
        check(
            TREE,
            "du a/one.md a a",
            expect![[r#"
            4	a/one.md
            8	a/sub
            12	a
        "#]],
        );
    }

    #[test]
    fn some_are_left_out() {
        check(
            TREE,
            "du -a --exclude=*.md -t -4K",
            expect![[r#"
            4	./a/sub/deep.txt
            0	./empty
        "#]],
        );
    }

    #[test]
    fn wrong_words_are_named() {
        check(
            TREE,
            "du nosuch b.md",
            expect![[r#"
            4	b.md
            [stderr]
            du: cannot access 'nosuch': No such file or directory
            [status 1]
        "#]],
        );
        check(
            TREE,
            "du -s -d 1",
            expect![[r#"
            [stderr]
            du: warning: summarizing conflicts with --max-depth=1
            Try 'du --help' for more information.
            [status 1]
        "#]],
        );
        check(
            TREE,
            "du -as",
            expect![[r#"
            [stderr]
            du: cannot both summarize and show all entries
            Try 'du --help' for more information.
            [status 1]
        "#]],
        );
        check(
            TREE,
            "du -d x",
            expect![[r#"
            [stderr]
            du: invalid maximum depth ‘x’
            Try 'du --help' for more information.
            [status 1]
        "#]],
        );
    }
}
