//! `diff`: two files, or two folders, line by line.
mod compare;
mod context;
mod folders;
mod merged;
mod name;
mod normal;
mod options;
pub(crate) mod pair;
mod search;
mod side;
pub(crate) mod text;

pub(crate) use options::{Options, Style, columns, compile};

use crate::{
    Builtin, Call, Device, Error, ErrorKind, FsError, FsResult, Input, Moment, Result, Status, VPath, quoted_if_odd,
};
use name::escaped;
use pair::File;
use std::io::{self, Write};
use text::Text;

pub(crate) static DIFF: Builtin = Builtin {
    name: "diff",
    synopsis: "[OPTION]... FILES",
    about: "Compare FILES line by line.",
    options: options::TABLE,
    trouble: Status(2),
    run,
};

/// The status of trouble.
const TROUBLE: Status = Status(2);

/// A file or folder that is compared.
pub(crate) struct Operand {
    pub(crate) name: String,
    /// Where it is; `None` for a stream, and for what is not there (`-N`).
    pub(crate) path: Option<VPath>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Folder,
    Stream,
    Missing,
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let (options, operands) = options::read(call)?;
    let mut status = Status::OK;
    let pairs: Vec<(String, String)> = match (&operands.from, &operands.to) {
        (Some(from), _) => operands.files.iter().map(|file| (from.clone(), file.clone())).collect(),
        (None, Some(to)) => operands.files.iter().map(|file| (file.clone(), to.clone())).collect(),
        (None, None) => vec![(operands.files[0].clone(), operands.files[1].clone())],
    };
    for (old, new) in pairs {
        let worse = compare_named(call, &options, &old, &new)?;
        if worse.0 > status.0 {
            status = worse;
        }
    }
    Ok(status)
}

/// Compare two files by the names that were given.
pub(crate) fn compare_named(call: &mut Call<'_>, options: &Options, old: &str, new: &str) -> Result<Status> {
    let mut operands = Vec::new();
    let found = [Operand::find(call, old), Operand::find(call, new)];
    let any = found.iter().any(Result::is_ok);
    for (at, (found, name)) in found.into_iter().zip([old, new]).enumerate() {
        match found {
            Ok(operand) => operands.push(operand),
            Err(FsError { kind: ErrorKind::NotFound, .. })
                if any && (options.new_file || options.new_first && at == 0) =>
            {
                operands.push(Operand { name: name.to_string(), path: None, kind: Kind::Missing });
            }
            Err(error) => call.warn_apart(format_args!("{}: {error}", quoted_if_odd(name))),
        }
    }
    let [old, new] = operands.as_slice() else {
        return Ok(TROUBLE);
    };
    // A file beside a folder is compared to the folder's file of that name.
    let last = |name: &str| name.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_string();
    match (old.kind, new.kind) {
        (Kind::Folder, Kind::File) => {
            let name = format!("{}/{}", old.name.trim_end_matches('/'), last(&new.name));
            compare_named(call, options, &name, &new.name)
        }
        (Kind::File, Kind::Folder) => {
            let name = format!("{}/{}", new.name.trim_end_matches('/'), last(&old.name));
            compare_named(call, options, &old.name, &name)
        }
        (Kind::Folder, Kind::Stream) | (Kind::Stream, Kind::Folder) => {
            call.warn_apart("cannot compare '-' to a directory");
            Ok(TROUBLE)
        }
        _ => compare_operands(call, options, old, new, false),
    }
}

/// Compare two files or two folders; `inside` of folders each pair has a title.
fn compare_operands(
    call: &mut Call<'_>,
    options: &Options,
    old: &Operand,
    new: &Operand,
    inside: bool,
) -> Result<Status> {
    let is_folder = |operand: &Operand| operand.kind == Kind::Folder;
    let is_missing = |operand: &Operand| operand.kind == Kind::Missing;
    let folders = (is_folder(old) || is_missing(old)) && (is_folder(new) || is_missing(new));
    if folders && (is_folder(old) || is_folder(new)) {
        if inside && !options.recursive {
            writeln!(call.stdout, "Common subdirectories: {} and {}", old.name, new.name)?;
            return Ok(Status::OK);
        }
        if options.style == Style::Merged {
            return Err(Error::Failed("-D option not supported with directories".to_string(), TROUBLE));
        }
        return folders::run(call, options, old, new);
    }
    if is_folder(old) || is_folder(new) {
        let what = |operand: &Operand| match operand.kind {
            Kind::Folder => "directory",
            _ => "regular file",
        };
        writeln!(call.stdout, "File {} is a {} while file {} is a {}", old.name, what(old), new.name, what(new))?;
        return Ok(Status::FAILURE);
    }
    if old.path.is_some()
        && old.path == new.path
        && options.style != Style::SideBySide
        && options.style != Style::Merged
    {
        pair::say_identical(call, options, (options.label(0, &old.name), options.label(1, &new.name)))?;
        return Ok(Status::OK);
    }
    let mut files = Vec::new();
    for operand in [old, new] {
        match operand.read(call) {
            Ok(file) => files.push(file),
            Err(error) => {
                let cause = FsError::within(error)?;
                call.warn_apart(format_args!("{}: {cause}", quoted_if_odd(&operand.name)));
            }
        }
    }
    let (Some(new_file), Some(old_file)) = (files.pop(), files.pop()) else {
        return Ok(TROUBLE);
    };
    let shown = |at: usize, operand: &Operand| escaped(options.label(at, &operand.name)).into_owned();
    let title =
        (inside || options.paginate).then(|| format!("diff{} {} {}", options.typed, shown(0, old), shown(1, new)));
    let taken = old_file.text.bytes().len() + new_file.text.bytes().len();
    let differ = pair::run(call, options, old_file, new_file, title)?;
    call.memory.give(taken);
    Ok(Status(u8::from(differ)))
}

impl Operand {
    /// Find what `name` means.
    fn find(call: &Call<'_>, name: &str) -> FsResult<Operand> {
        let named = |kind, path| Operand { name: name.to_string(), path, kind };
        if name == "-" {
            return Ok(named(Kind::Stream, None));
        }
        if Device::named(name).is_some() {
            call.stat(name)?;
            return Ok(named(Kind::Stream, None));
        }
        let path = call.resolve(name)?;
        let kind = if call.fs.stat(&path)?.is_dir() { Kind::Folder } else { Kind::File };
        Ok(named(kind, Some(path)))
    }

    fn child_name(&self, name: &str) -> String {
        format!("{}{}{name}", self.name, if self.name.ends_with('/') { "" } else { "/" })
    }

    /// The entry `name` of this folder; of a folder that is missing, nothing.
    fn child(&self, call: &Call<'_>, name: &str) -> FsResult<Operand> {
        let Some(path) = self.path.as_ref().map(|path| path.child(name)) else {
            return Ok(self.missing(name));
        };
        let kind = if call.fs.stat(&path)?.is_dir() { Kind::Folder } else { Kind::File };
        Ok(Operand { name: self.child_name(name), path: Some(path), kind })
    }

    /// The place where the entry `name` of this folder is not.
    fn missing(&self, name: &str) -> Operand {
        Operand { name: self.child_name(name), path: None, kind: Kind::Missing }
    }

    fn read(&self, call: &mut Call<'_>) -> Result<File> {
        let (text, time) = match (self.kind, &self.path) {
            (Kind::Missing, _) => (Text::empty(), Moment::utc(0)),
            (_, Some(path)) => {
                let time = Moment::of(&call.fs.stat(path).map_err(io::Error::from)?);
                let input = call.fs.open(path, 0, &call.cancel).map_err(io::Error::from)?;
                (Text::read(Input::new(input, crate::InputKind::File), &mut call.memory)?, time)
            }
            (_, None) => {
                let input = if self.name == "-" {
                    call.stdin.clone()
                } else {
                    call.open(&self.name).map_err(io::Error::from)?
                };
                (Text::read(input, &mut call.memory)?, Moment::utc(call.now()))
            }
        };
        Ok(File { name: self.name.clone(), text, time })
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    const TREE: &[(&str, &str)] = &[
        ("a", "1\n2\n3\n4\n5\n"),
        ("b", "1\nx\n3\n4\n5\n6"),
        ("d/same", "s\n"),
        ("e/same", "s\n"),
        ("d/other", "1\n"),
        ("e/other", "2\n"),
        ("d/s/deep", "x\n"),
        ("e/new", ""),
    ];

    #[test]
    fn the_normal_form() {
        check(
            TREE,
            "diff a b",
            expect![[r#"
            2c2
            < 2
            ---
            > x
            5a6
            > 6
            \ No newline at end of file
            [status 1]
        "#]],
        );
    }

    #[test]
    fn forms_with_context() {
        check(
            TREE,
            "diff -U1 a b",
            expect![["
            --- a\t2025-01-15 12:00:00.000000000 +0000
            +++ b\t2025-01-15 12:00:00.000000000 +0000
            @@ -1,3 +1,3 @@
             1
            -2
            +x
             3
            @@ -5 +5,2 @@
             5
            +6
            \\ No newline at end of file
            [status 1]
        "]],
        );
        check(
            TREE,
            "diff -C0 --label A a b",
            expect![["
            *** A
            --- b\t2025-01-15 12:00:00.000000000 +0000
            ***************
            *** 2 ****
            ! 2
            --- 2 ----
            ! x
            ***************
            *** 5 ****
            --- 6 ----
            + 6
            \\ No newline at end of file
            [status 1]
        "]],
        );
    }

    #[test]
    fn two_columns() {
        check(
            TREE,
            "diff -y -W 20 --suppress-common-lines a b",
            expect![["
            2     |\tx
                  >\t6[no newline]
            [status 1]
        "]],
        );
    }

    #[test]
    fn folders() {
        check(
            TREE,
            "diff -r d e",
            expect![[r#"
            Only in e: new
            diff -r d/other e/other
            1c1
            < 1
            ---
            > 2
            Only in d: s
            [status 1]
        "#]],
        );
        check(
            TREE,
            "diff -qs d e",
            expect![[r#"
            Only in e: new
            Files d/other and e/other differ
            Only in d: s
            Files d/same and e/same are identical
            [status 1]
        "#]],
        );
    }

    #[test]
    fn odd_names_stand_between_quotes() {
        check(
            &[("d/é", "1\n"), ("e/é", "2\n"), ("a b", "1\n")],
            "diff -r d e",
            expect![[r#"
            diff -r "d/\303\251" "e/\303\251"
            1c1
            < 1
            ---
            > 2
            [status 1]
        "#]],
        );
        check(
            &[("a b", "1\n"), ("c", "2\n")],
            "diff -F x 'a b' c",
            expect![[r#"
            1c1
            < 1
            ---
            > 2
            [status 1]
        "#]],
        );
    }

    #[test]
    fn formats_of_groups() {
        check(
            TREE,
            "diff --changed-group-format='%<' --unchanged-group-format='' a b",
            expect![[r#"
            2
            [status 1]
        "#]],
        );
    }

    #[test]
    fn trouble_has_status_2() {
        check(
            TREE,
            "diff a nosuch",
            expect![[r#"
            [stderr]
            diff: nosuch: No such file or directory
            [status 2]
        "#]],
        );
        check(
            TREE,
            "diff a",
            expect![[r#"
            [stderr]
            diff: missing operand after 'a'
            diff: Try 'diff --help' for more information.
            [status 2]
        "#]],
        );
    }
}
