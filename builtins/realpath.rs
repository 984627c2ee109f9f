//! `realpath`: the absolute path of a file, without `.`, `..` and doubled slashes.
use crate::{
    Builtin, Call, Device, Error, ErrorKind, FsResult, Opt, Result, Status, VPath,
    args::{self, Order},
    quoted_if_odd,
};
use std::io::Write;

pub(crate) static REALPATH: Builtin = Builtin {
    name: "realpath",
    synopsis: "[OPTION]... FILE...",
    about: "Print the resolved absolute file name; all but the last component must exist.",
    options: &[
        Opt::flag('e', &["canonicalize-existing"], "existing", "all components of the path must exist"),
        Opt::flag('m', &["canonicalize-missing"], "missing", "no path components need exist or be a directory"),
        Opt::flag('L', &["logical"], "logical", "a site has no symbolic links"),
        Opt::flag('P', &["physical"], "physical", "a site has no symbolic links"),
        Opt::flag('q', &["quiet"], "quiet", "suppress most error messages"),
        Opt::value(' ', &["relative-to"], "relative-to", "DIR", "print the resolved path relative to DIR").long_only(),
        Opt::value(' ', &["relative-base"], "relative-base", "DIR", "print absolute paths unless paths below DIR")
            .long_only(),
        Opt::flag('s', &["strip", "no-symlinks"], "strip", "don't expand symlinks"),
        Opt::flag('z', &["zero"], "zero", "end each output line with NUL, not newline"),
    ],
    trouble: Status(1),
    run,
};

/// How much of a path must exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Must {
    /// All of it.
    Exist,
    /// All but the last name.
    HaveFolder,
    /// Nothing.
    Nothing,
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if parsed.operands.is_empty() {
        return Err(Error::usage("missing operand"));
    }
    let mut must = Must::HaveFolder;
    for (key, _) in &parsed.options {
        match *key {
            "existing" => must = Must::Exist,
            "missing" => must = Must::Nothing,
            _ => {}
        }
    }
    let folder = |key| match parsed.value(key) {
        Some(dir) => match canonical(call, dir, must) {
            Ok(path) => Ok(Some(path)),
            Err(error) => Err(Error::failed(format!("{}: {error}", quoted_if_odd(dir)))),
        },
        None => Ok(None),
    };
    let base = folder("relative-base")?;
    // A base alone is also what paths are relative to; one that does not hold the other counts for nothing.
    let (to, base) = match (folder("relative-to")?, base) {
        (Some(to), Some(base)) if !to.is_within(&base) => (None, Some(base)),
        (None, Some(base)) => (Some(base.clone()), Some(base)),
        both => both,
    };
    let end = if parsed.has("zero") { '\0' } else { '\n' };
    let mut status = Status::OK;
    for operand in &parsed.operands {
        match canonical(call, operand, must) {
            Ok(path) => {
                let to = to.as_ref().filter(|_| base.as_ref().is_none_or(|base| path.is_within(base)));
                let shown = to.map_or_else(|| path.to_string(), |to| relative(&path, to));
                write!(call.stdout, "{shown}{end}")?;
            }
            Err(error) => {
                if !parsed.has("quiet") {
                    call.warn(format_args!("{}: {error}", quoted_if_odd(operand)))?;
                }
                status = Status::FAILURE;
            }
        }
    }
    Ok(status)
}

/// The absolute path of `operand`.
pub(crate) fn canonical(call: &Call<'_>, operand: &str, must: Must) -> FsResult<VPath> {
    let lexical = call.session.cwd.join(operand);
    if Device::named(operand).is_some() || (must == Must::Nothing && !operand.is_empty()) {
        return Ok(lexical);
    }
    let resolved = call.resolve(operand);
    let trimmed = operand.trim_end_matches('/');
    let (dir, name) = match trimmed.rfind('/') {
        Some(at) => (&trimmed[..=at], &trimmed[at + 1..]),
        None => (".", trimmed),
    };
    match resolved {
        Err(error)
            if must == Must::HaveFolder
                && matches!(error.kind, ErrorKind::NotFound)
                && !matches!(name, "" | "." | "..") =>
        {
            Ok(crate::cd::folder(call, dir)?.child(name))
        }
        resolved => resolved,
    }
}

/// `path` as seen from the folder `from`.
fn relative(path: &VPath, from: &VPath) -> String {
    let common = path.parts().zip(from.parts()).take_while(|(a, b)| a == b).count();
    let up = from.parts().skip(common).map(|_| "..");
    let names: Vec<&str> = up.chain(path.parts().skip(common)).collect();
    if names.is_empty() { ".".to_string() } else { names.join("/") }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    const TREE: crate::testing::Tree<'_> = &[("auth/jwt.md", ""), ("sdk/go.md", "")];

    #[test]
    fn all_but_the_last_name_must_exist() {
        check(
            TREE,
            "realpath auth/../sdk/go.md new . new/",
            expect![[r#"
            /sdk/go.md
            /new
            /
            /new
        "#]],
        );
        check(
            TREE,
            "realpath nosuch/x '' auth/jwt.md/",
            expect![[r#"
            [stderr]
            realpath: nosuch/x: No such file or directory
            realpath: '': No such file or directory
            realpath: auth/jwt.md/: Not a directory
            [status 1]
        "#]],
        );
        check(
            TREE,
            "realpath -e new",
            expect![[r#"
            [stderr]
            realpath: new: No such file or directory
            [status 1]
        "#]],
        );
        check(
            TREE,
            "realpath -m nosuch/x/../y",
            expect![[r#"
            /nosuch/y
        "#]],
        );
    }

    #[test]
    fn paths_may_be_relative() {
        check(
            TREE,
            "realpath --relative-to=auth sdk/go.md auth",
            expect![[r#"
            ../sdk/go.md
            .
        "#]],
        );
        check(
            TREE,
            "realpath --relative-base=auth auth/jwt.md sdk",
            expect![[r#"
            jwt.md
            /sdk
        "#]],
        );
    }
}
