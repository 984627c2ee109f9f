//! `cd`: go to another folder. A site has no symbolic links, so `-L` and `-P` are the same.
use crate::{Builtin, Call, Error, FsError, FsResult, Opt, Result, Session, Status, VPath};
use std::io::Write;

pub(crate) static CD: Builtin = Builtin {
    name: "cd",
    synopsis: "[-L|[-P [-e]] [-@]] [dir]",
    about: "Change the current directory to dir, or to $HOME; `-` is the one before.",
    options: &[
        Opt::flag('L', &[], "L", "follow symbolic links; a site has none"),
        Opt::flag('P', &[], "P", "do not follow symbolic links"),
        Opt::flag('e', &[], "e", "with -P, fail when the directory cannot be determined"),
        Opt::flag('@', &[], "@", ""),
    ],
    trouble: Status(2),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let operands = operands(call)?;
    if operands.len() > 1 {
        return Err(Error::failed("too many arguments"));
    }
    let variable = |call: &Call<'_>, name: &str| match call.session.var(name) {
        Some(value) => Ok(value.to_string()),
        None => Err(Error::failed(format!("{name} not set"))),
    };
    let mut says_where = false;
    let target = match operands.first().map(String::as_str) {
        None => variable(call, "HOME")?,
        Some("-") => {
            says_where = true;
            variable(call, "OLDPWD")?
        }
        Some(target) => target.to_string(),
    };
    let target = target.as_str();
    if target.is_empty() {
        return Ok(Status::OK);
    }
    let mut found = None;
    if !target.starts_with('/') && !matches!(target.split('/').next(), Some("." | "..")) {
        for dir in call.session.var("CDPATH").unwrap_or_default().split(':') {
            let path = if dir.is_empty() { target.to_string() } else { format!("{dir}/{target}") };
            if let Ok(path) = folder(call, &path) {
                says_where |= !dir.is_empty();
                found = Some(path);
                break;
            }
        }
    }
    let path = match found {
        Some(path) => path,
        None => folder(call, target).map_err(|error| Error::failed(format!("{target}: {error}")))?,
    };
    enter(call.session, path).map_err(Error::failed)?;
    if says_where {
        writeln!(call.stdout, "{}", call.session.cwd)?;
    }
    Ok(Status::OK)
}

/// The words without the options, in bash's wording when one is wrong.
fn operands<'a>(call: &mut Call<'a>) -> Result<&'a [String]> {
    let mut words = &call.args[1..];
    while let Some(word) = words.first() {
        match word.as_str() {
            "--help" => return Err(Error::Help),
            "--" => return Ok(&words[1..]),
            "-" => break,
            _ => {}
        }
        let Some(letters) = word.strip_prefix('-') else { break };
        if let Some(wrong) = letters.chars().find(|letter| !"LPe@".contains(*letter)) {
            call.warn(format_args!("-{wrong}: invalid option"))?;
            writeln!(call.stderr, "cd: usage: cd {}", CD.synopsis)?;
            return Err(Error::Quiet(Status(2)));
        }
        words = &words[1..];
    }
    Ok(words)
}

/// The folder that `operand` names.
pub(crate) fn folder(call: &Call<'_>, operand: &str) -> FsResult<VPath> {
    let path = call.resolve(operand)?;
    match call.fs.stat(&path)?.is_dir() {
        true => Ok(path),
        false => Err(FsError { kind: crate::ErrorKind::NotADirectory, path }),
    }
}

/// Make `path` the working directory, with `PWD` and `OLDPWD`; the error is a message.
pub(crate) fn enter(session: &mut Session, path: VPath) -> Result<(), String> {
    let old = std::mem::replace(&mut session.cwd, path);
    let new = session.cwd.to_string();
    session.vars.set("OLDPWD", old.as_str()).map_err(|error| error.to_string())?;
    session.vars.set("PWD", new).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    const TREE: crate::testing::Tree<'_> = &[("a/b/c.md", ""), ("f", "")];

    #[test]
    fn bash_words_its_refusals() {
        check(
            TREE,
            "cd nosuch",
            expect![[r#"
            [stderr]
            cd: nosuch: No such file or directory
            [status 1]
        "#]],
        );
        check(
            TREE,
            "cd f",
            expect![[r#"
            [stderr]
            cd: f: Not a directory
            [status 1]
        "#]],
        );
        check(
            TREE,
            "cd a b",
            expect![[r#"
            [stderr]
            cd: too many arguments
            [status 1]
        "#]],
        );
        check(
            TREE,
            "cd -",
            expect![[r#"
            [stderr]
            cd: OLDPWD not set
            [status 1]
        "#]],
        );
        check(
            TREE,
            "cd -x",
            expect![[r#"
            [stderr]
            cd: -x: invalid option
            cd: usage: cd [-L|[-P [-e]] [-@]] [dir]
            [status 2]
        "#]],
        );
        check(TREE, "cd ''", expect![[""]]);
    }
}
