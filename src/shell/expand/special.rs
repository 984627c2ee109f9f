//! Parameters and variables that the shell itself keeps: `$?`, `RANDOM`, `FUNCNAME`, …
use crate::shell::{
    interp::{Interp, Mode},
    options::{SetOptions, ShoptOptions},
};
use docsh_builtins::{Array, Attributes, Session, Value, Variable};
use std::time::{SystemTime, UNIX_EPOCH};

/// Variables whose value is made when it is asked for, sorted.
pub(crate) const DYNAMIC: &[&str] = &[
    "BASHOPTS",
    "BASHPID",
    "BASH_ARGV0",
    "BASH_COMMAND",
    "BASH_LINENO",
    "BASH_SOURCE",
    "BASH_SUBSHELL",
    "DIRSTACK",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "FUNCNAME",
    "GROUPS",
    "LINENO",
    "PIPESTATUS",
    "RANDOM",
    "SECONDS",
    "SHELLOPTS",
    "SRANDOM",
];

/// Give `session` the variables that bash sets when it starts and that are ordinary from then on.
pub(crate) fn install(session: &mut Session) {
    const MACHINE: &str = "x86_64-pc-linux-gnu";
    let version = ["5", "2", "15", "1", "release", MACHINE];
    let version: Array = (0..).zip(version.map(str::to_string)).collect();
    let readonly = Attributes { readonly: true, ..Attributes::default() };
    let number = Attributes { integer: true, ..readonly };
    let plain = Attributes::default();
    let scalar = |text: &str| Value::Scalar(text.to_string());
    for (name, value, attributes) in [
        ("BASH", scalar("/bin/bash"), plain),
        ("BASH_VERSINFO", Value::Indexed(version), readonly),
        ("BASH_VERSION", scalar("5.2.15(1)-release"), plain),
        ("EUID", scalar("0"), number),
        ("HOSTNAME", scalar("docsh"), plain),
        ("HOSTTYPE", scalar("x86_64"), plain),
        ("IFS", scalar(" \t\n"), plain),
        ("MACHTYPE", scalar(MACHINE), plain),
        ("OPTERR", scalar("1"), plain),
        ("OPTIND", scalar("1"), plain),
        ("OSTYPE", scalar("linux-gnu"), plain),
        ("PPID", scalar("1"), number),
        ("PS4", scalar("+ "), plain),
        ("SHELL", scalar("/bin/bash"), plain),
        ("UID", scalar("0"), number),
    ] {
        if session.vars.variable(name).is_none() || attributes.readonly {
            *session.vars.variable_mut(name) = Variable { value, attributes };
        }
    }
}

/// A parameter that is no variable, by its name: `Some(None)` is one that is unset, `None` no parameter.
pub(super) fn parameter(shell: &Interp, name: &str) -> Option<Option<String>> {
    let env = &shell.env;
    Some(match name {
        "#" => Some(env.session.positional.len().to_string()),
        "?" => Some(env.session.status.to_string()),
        "$" => Some(env.pid.to_string()),
        "!" => env.last_job.map(|job| job.to_string()),
        "-" => Some(letters(shell)),
        "_" => Some(env.last_word.clone()),
        "0" => Some(env.session.name.clone()),
        name if name.bytes().all(|byte| byte.is_ascii_digit()) => {
            let at: usize = name.parse().unwrap_or(usize::MAX);
            match at.checked_sub(1) {
                None => Some(env.session.name.clone()),
                Some(at) => env.session.positional.get(at).cloned(),
            }
        }
        _ => return None,
    })
}

fn letters(shell: &Interp) -> String {
    shell.env.options.set.letters(shell.mode == Mode::Command)
}

/// The value of a variable of [`DYNAMIC`], or element 0 of one that is an array.
pub(super) fn variable(shell: &mut Interp, name: &str) -> Option<String> {
    if !name.starts_with(|first: char| first.is_ascii_uppercase()) {
        return None;
    }
    let env = &mut shell.env;
    Some(match name {
        "BASHOPTS" => names_on(ShoptOptions::NAMES, |name| env.options.shopt.get(name)),
        "BASHPID" => env.own_pid.to_string(),
        "BASH_ARGV0" => env.session.name.clone(),
        "BASH_COMMAND" => env.command.clone(),
        "BASH_SUBSHELL" => env.subshell.to_string(),
        "EPOCHREALTIME" => {
            let now = since_epoch();
            format!("{}.{:06}", now.as_secs(), now.subsec_micros())
        }
        "EPOCHSECONDS" => since_epoch().as_secs().to_string(),
        "LINENO" => env.line.to_string(),
        "RANDOM" => next_random(&mut env.random).to_string(),
        "SECONDS" => {
            let (base, since) = env.seconds;
            base.wrapping_add(since.elapsed().as_secs() as i64).to_string()
        }
        "SHELLOPTS" => names_on(SetOptions::NAMES, |name| env.options.set.get(name)),
        "SRANDOM" => {
            let now = since_epoch();
            (now.subsec_nanos() ^ (now.as_secs() as u32).rotate_left(16) ^ step(env.random)).to_string()
        }
        name => return array(shell, name)?.remove(&0),
    })
}

/// The names of the options that are on, as `SHELLOPTS` lists them.
fn names_on(names: &[(&'static str, char)], is_on: impl Fn(&str) -> Option<bool>) -> String {
    let on: Vec<&str> = names.iter().map(|(name, _)| *name).filter(|name| is_on(name) == Some(true)).collect();
    on.join(":")
}

fn since_epoch() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// An array that the shell keeps.
pub(super) fn array(shell: &Interp, name: &str) -> Option<Array> {
    let env = &shell.env;
    let numbered = |items: Vec<String>| (0..).zip(items).collect();
    // Innermost first; a script's own frame is last.
    let frames = || env.frames.iter().rev();
    let script = shell.mode == Mode::Script && !env.frames.is_empty();
    Some(match name {
        "PIPESTATUS" => numbered(env.pipe_status.iter().map(u8::to_string).collect()),
        "FUNCNAME" => {
            let main = script.then(|| "main".to_string());
            numbered(frames().map(|frame| frame.name.clone()).chain(main).collect())
        }
        "BASH_LINENO" => {
            let main = script.then(|| "0".to_string());
            numbered(frames().map(|frame| frame.line.to_string()).chain(main).collect())
        }
        "BASH_SOURCE" => {
            let source = shell.source();
            let main = (shell.mode == Mode::Script).then(|| source.to_string());
            numbered(frames().map(|_| source.to_string()).chain(main).collect())
        }
        "DIRSTACK" => {
            let folders = std::iter::once(&env.session.cwd).chain(&env.session.dirs);
            numbered(folders.map(ToString::to_string).collect())
        }
        "GROUPS" => numbered(vec!["0".to_string()]),
        _ => return None,
    })
}

/// What an assignment to a variable that the shell keeps does.
pub(super) enum Kept {
    /// It is like any other, but see [`assigned`].
    No,
    /// Nothing happens.
    Ignored,
    /// The shell has taken the value.
    Taken,
    /// It is an error.
    Readonly,
}

/// Assign `value` to `name`, if the shell keeps it.
pub(super) fn assign(shell: &mut Interp, name: &str, value: &str) -> Kept {
    if !name.starts_with(|first: char| first.is_ascii_uppercase()) {
        return Kept::No;
    }
    let number = || value.trim().parse::<i64>().unwrap_or(0);
    match name {
        "RANDOM" => shell.env.random = number() as u32,
        "SECONDS" => shell.env.seconds = (number(), std::time::Instant::now()),
        "LINENO" => shell.env.line = number() as u32,
        "BASH_ARGV0" => shell.env.session.name = value.to_string(),
        "OPTIND" => {
            shell.env.getopts_at = 0;
            return Kept::No;
        }
        "BASHOPTS" | "SHELLOPTS" => return Kept::Readonly,
        "BASHPID" | "BASH_COMMAND" | "BASH_LINENO" | "BASH_SOURCE" | "BASH_SUBSHELL" | "DIRSTACK" | "EPOCHREALTIME"
        | "EPOCHSECONDS" | "FUNCNAME" | "GROUPS" | "PIPESTATUS" | "SRANDOM" => return Kept::Ignored,
        _ => return Kept::No,
    }
    Kept::Taken
}

/// Bash's generator, so that a seed gives the numbers it gives there.
fn next_random(state: &mut u32) -> u32 {
    let number = |state: u32| ((state >> 16) ^ (state & 0xffff)) & 0x7fff;
    let last = number(*state);
    loop {
        *state = step(*state);
        let next = number(*state);
        if next != last {
            return next;
        }
    }
}

/// The minimal standard generator of Park and Miller.
fn step(state: u32) -> u32 {
    let state = if state == 0 { 123_459_876 } else { state };
    let (high, low) = (i64::from(state / 127_773), i64::from(state % 127_773));
    let next = 16_807 * low - 2_836 * high;
    (if next < 0 { next + 0x7fff_ffff } else { next }) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_numbers_of_bash() {
        let mut state = 42;
        let numbers = [next_random(&mut state), next_random(&mut state), next_random(&mut state)];
        assert_eq!(numbers, [17772, 26794, 1435]);
    }
}
