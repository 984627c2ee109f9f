//! `pushd`, `popd`, `dirs`: a stack of folders whose top is the working directory.
use crate::{Builtin, Call, Error, Result, Status, VPath, cd};
use std::io::Write;

pub(crate) static DIRS: Builtin = Builtin {
    name: "dirs",
    synopsis: "[-clpv] [+N] [-N]",
    about: "Display the directory stack.",
    options: &[],
    trouble: Status(2),
    run: dirs,
};

pub(crate) static PUSHD: Builtin = Builtin {
    name: "pushd",
    synopsis: "[-n] [+N | -N | dir]",
    about: "Add dir to the directory stack and go there, or rotate the stack.",
    options: &[],
    trouble: Status(2),
    run: pushd,
};

pub(crate) static POPD: Builtin = Builtin {
    name: "popd",
    synopsis: "[-n] [+N | -N]",
    about: "Remove a directory from the stack and go to its top.",
    options: &[],
    trouble: Status(2),
    run: popd,
};

/// What a word of these commands is.
enum Word<'a> {
    /// Letters of options.
    Flags(&'a str),
    /// A place in the stack, 0 being the working directory.
    Index(usize),
    Operand(&'a str),
}

/// Take the words apart; `letters` are the flags of this command.
fn words<'a>(call: &mut Call<'a>, letters: &str) -> Result<Vec<Word<'a>>> {
    let length = call.session.dirs.len() + 1;
    let mut all = Vec::new();
    let mut operands_only = false;
    for word in &call.args[1..] {
        let sign = word.chars().next().filter(|sign| "+-".contains(*sign) && !operands_only);
        let rest = word.get(1..).unwrap_or_default();
        match sign {
            _ if operands_only => all.push(Word::Operand(word)),
            Some(_) if word == "--help" => return Err(Error::Help),
            Some('-') if rest == "-" => operands_only = true,
            Some(sign) if !rest.is_empty() && rest.bytes().all(|digit| digit.is_ascii_digit()) => {
                let count = rest.parse().unwrap_or(usize::MAX);
                let index = if sign == '+' { Some(count) } else { (length - 1).checked_sub(count) };
                match index.filter(|index| *index < length) {
                    Some(index) => all.push(Word::Index(index)),
                    None if length == 1 => {
                        return Err(Error::failed("directory stack empty"));
                    }
                    None => {
                        let shown = if call.builtin.name == "dirs" { rest } else { word.as_str() };
                        return Err(Error::failed(format!("{shown}: directory stack index out of range")));
                    }
                }
            }
            Some('-') if !rest.is_empty() && rest.chars().all(|letter| letters.contains(letter)) => {
                all.push(Word::Flags(rest));
            }
            Some('-') if !rest.is_empty() => {
                call.warn(format_args!("{word}: invalid number"))?;
                writeln!(call.stderr, "{0}: usage: {0} {1}", call.builtin.name, call.builtin.synopsis)?;
                return Err(Error::Quiet(Status(2)));
            }
            _ => all.push(Word::Operand(word)),
        }
    }
    Ok(all)
}

fn dirs(call: &mut Call<'_>) -> Result<Status> {
    let (mut clear, mut full, mut lines, mut numbers, mut only) = (false, false, false, false, None);
    for word in words(call, "clpv")? {
        match word {
            Word::Flags(letters) => {
                clear |= letters.contains('c');
                full |= letters.contains('l');
                lines |= letters.contains('p');
                numbers |= letters.contains('v');
            }
            Word::Index(index) => only = Some(index),
            Word::Operand(word) => {
                call.warn(format_args!("{word}: invalid option"))?;
                writeln!(call.stderr, "dirs: usage: dirs {}", DIRS.synopsis)?;
                return Ok(Status(2));
            }
        }
    }
    if clear {
        call.session.dirs.clear();
        return Ok(Status::OK);
    }
    let all: Vec<String> = stack(call).iter().map(|dir| shown(call, dir, full)).collect();
    let chosen = all.iter().enumerate().filter(|(index, _)| only.is_none_or(|only| only == *index));
    let text: Vec<String> =
        chosen.map(|(index, dir)| if numbers { format!("{index:2}  {dir}") } else { dir.clone() }).collect();
    writeln!(call.stdout, "{}", text.join(if lines || numbers { "\n" } else { " " }))?;
    Ok(Status::OK)
}

/// The whole stack, the working directory first.
fn stack(call: &Call<'_>) -> Vec<VPath> {
    std::iter::once(&call.session.cwd).chain(&call.session.dirs).cloned().collect()
}

/// `dir` with the home folder as `~`, unless `full`. A home that is the root is not shortened, as in bash.
fn shown(call: &Call<'_>, dir: &VPath, full: bool) -> String {
    let home = call.session.var("HOME").filter(|home| home.len() > 1 && !full);
    match home.and_then(|home| dir.as_str().strip_prefix(home)) {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("~{rest}"),
        _ => dir.to_string(),
    }
}

/// Make `stack` the stack and its top the working directory, and print it.
fn settle(call: &mut Call<'_>, mut stack: Vec<VPath>) -> Result<Status> {
    let top = stack.remove(0);
    call.session.dirs = stack;
    if top != call.session.cwd {
        cd::enter(call.session, top).map_err(Error::failed)?;
    }
    print(call)
}

fn print(call: &mut Call<'_>) -> Result<Status> {
    let all: Vec<String> = stack(call).iter().map(|dir| shown(call, dir, false)).collect();
    writeln!(call.stdout, "{}", all.join(" "))?;
    Ok(Status::OK)
}

fn pushd(call: &mut Call<'_>) -> Result<Status> {
    let (mut stays, mut target) = (false, None);
    for word in words(call, "n")? {
        match word {
            Word::Flags(_) => stays = true,
            word if target.is_none() => target = Some(word),
            _ => return Err(Error::failed("too many arguments")),
        }
    }
    let mut stack = stack(call);
    match target {
        None if stack.len() < 2 => return Err(Error::failed("no other directory")),
        None => stack.swap(0, 1),
        Some(Word::Index(index)) => stack.rotate_left(index),
        Some(Word::Operand(operand)) if stays => {
            let path = call.session.cwd.join(operand);
            call.session.dirs.insert(0, path);
            return print(call);
        }
        Some(Word::Operand(operand)) => {
            let before = call.session.cwd.clone();
            let target = match operand {
                "-" => call.session.var("OLDPWD").ok_or_else(|| Error::failed("OLDPWD not set"))?.to_string(),
                operand => operand.to_string(),
            };
            let path = cd::folder(call, &target).map_err(|error| Error::failed(format!("{target}: {error}")))?;
            stack.insert(0, path);
            stack[1] = before;
        }
        Some(Word::Flags(_)) => {}
    }
    if stays { Ok(Status::OK) } else { settle(call, stack) }
}

fn popd(call: &mut Call<'_>) -> Result<Status> {
    let (mut stays, mut index) = (false, 0);
    for word in words(call, "n")? {
        match word {
            Word::Flags(_) => stays = true,
            Word::Index(place) => index = place,
            Word::Operand(word) => {
                call.warn(format_args!("{word}: invalid argument"))?;
                writeln!(call.stderr, "popd: usage: popd {}", POPD.synopsis)?;
                return Ok(Status(2));
            }
        }
    }
    if call.session.dirs.is_empty() {
        return Err(Error::failed("directory stack empty"));
    }
    if index > 0 || stays {
        call.session.dirs.remove(index.max(1) - 1);
        return print(call);
    }
    let mut stack = stack(call);
    stack.remove(0);
    settle(call, stack)
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, run};
    use expect_test::expect;

    #[test]
    fn an_empty_stack_is_said() {
        check(
            &[("a/b", "")],
            "popd",
            expect![[r#"
            [stderr]
            popd: directory stack empty
            [status 1]
        "#]],
        );
        check(
            &[("a/b", "")],
            "pushd",
            expect![[r#"
            [stderr]
            pushd: no other directory
            [status 1]
        "#]],
        );
        check(
            &[("a/b", "")],
            "pushd nosuch",
            expect![[r#"
            [stderr]
            pushd: nosuch: No such file or directory
            [status 1]
        "#]],
        );
        check(
            &[("a/b", "")],
            "pushd a",
            expect![[r#"
                /a /
            "#]],
        );
        // Not by `check`, which takes the blank that a single line begins with for indentation.
        let (stdout, ..) = run(&[("a/b", "")], "dirs -v", b"");
        assert_eq!(
            String::from_utf8_lossy(&stdout),
            " 0  /
"
        );
        check(
            &[("a/b", "")],
            "dirs +3",
            expect![[r#"
            [stderr]
            dirs: directory stack empty
            [status 1]
        "#]],
        );
    }
}
