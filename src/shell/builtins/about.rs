//! `caller times umask ulimit history help`: what the shell tells of itself.
use super::ROWS;
use crate::shell::{
    interp::{Interp, Mode},
    jump::Outcome,
};
use docsh_builtins::{Status, TOOLS, find as find_tool, help as tool_help};

pub(super) fn caller(shell: &mut Interp, words: &[String]) -> Outcome {
    let depth = match words.get(1).map(|word| super::number(shell, "caller", word)) {
        None => None,
        Some(Ok(depth)) => Some(depth),
        Some(Err(status)) => return Ok(status),
    };
    let frames = &shell.env.frames;
    let source = shell.source();
    let text = match depth {
        None => frames.last().map(|frame| {
            let outer = if frames.len() > 1 || shell.mode == Mode::Script { source } else { "NULL" };
            format!("{} {outer}\n", frame.line)
        }),
        Some(depth) => usize::try_from(depth).ok().and_then(|depth| {
            let at = frames.len().checked_sub(depth + 1)?;
            let outer = match at.checked_sub(1) {
                Some(outer) => frames[outer].name.as_str(),
                None if shell.mode == Mode::Script => "main",
                None => return None,
            };
            Some(format!("{} {outer} {source}\n", frames[at].line))
        }),
    };
    match text {
        Some(text) => shell.write_all("caller", text.as_bytes()),
        None => Ok(Status::FAILURE),
    }
}

pub(super) fn times(shell: &mut Interp, _: &[String]) -> Outcome {
    shell.write_all("times", b"0m0.000s 0m0.000s\n0m0.000s 0m0.000s\n")
}

pub(super) fn umask(shell: &mut Interp, words: &[String]) -> Outcome {
    let (mut symbolic, mut reusable, mut mask) = (false, false, None);
    for word in &words[1..] {
        match word.as_str() {
            "-S" => symbolic = true,
            "-p" => reusable = true,
            word => mask = Some(word),
        }
    }
    if let Some(mask) = mask {
        return match u16::from_str_radix(mask, 8) {
            Ok(bits) if bits <= 0o777 => {
                shell.env.session.umask = bits;
                Ok(Status::OK)
            }
            _ => {
                shell.complain(format_args!("umask: {mask}: octal number out of range"));
                Ok(Status::FAILURE)
            }
        };
    }
    let bits = shell.env.session.umask;
    let text = match symbolic {
        false => format!("{bits:04o}"),
        true => {
            let who = |name: char, shift: u16| {
                let allowed = !(bits >> shift) & 7;
                let letters: String = [(4, 'r'), (2, 'w'), (1, 'x')]
                    .iter()
                    .filter(|(bit, _)| allowed & bit != 0)
                    .map(|(_, letter)| *letter)
                    .collect();
                format!("{name}={letters}")
            };
            format!("{},{},{}", who('u', 6), who('g', 3), who('o', 0))
        }
    };
    let text = match (reusable, symbolic) {
        (true, true) => format!("umask -S {text}\n"),
        (true, false) => format!("umask {text}\n"),
        (false, _) => format!("{text}\n"),
    };
    shell.write_all("umask", text.as_bytes())
}

/// The limits of a docsh run are its own; those of `ulimit` do not bind it.
pub(super) fn ulimit(shell: &mut Interp, words: &[String]) -> Outcome {
    if words[1..].iter().any(|word| !word.starts_with('-')) {
        shell.complain("ulimit: cannot modify limit: Operation not permitted");
        return Ok(Status::FAILURE);
    }
    shell.write_all("ulimit", b"unlimited\n")
}

/// A script has no history; at a prompt the line editor keeps it.
pub(super) fn history(_: &mut Interp, _: &[String]) -> Outcome {
    Ok(Status::OK)
}

pub(super) fn help(shell: &mut Interp, words: &[String]) -> Outcome {
    let names: Vec<&String> = words[1..].iter().filter(|word| !word.starts_with('-')).collect();
    if names.is_empty() {
        let own = ROWS.iter().map(|row| (row.name, row.about));
        let mut all: Vec<(&str, &str)> = own.chain(TOOLS.iter().map(|tool| (tool.name, tool.about))).collect();
        all.sort_unstable();
        let text: String = all.into_iter().map(|(name, about)| format!("{name:<12} {about}\n")).collect();
        let text =
            format!("docsh: a read-only shell over documentation. `help NAME` or `NAME --help` tells more.\n\n{text}");
        return shell.write_all("help", text.as_bytes());
    }
    let (mut status, mut text) = (Status::OK, String::new());
    for name in names {
        if let Some(row) = super::find(name) {
            text += &format!("{name}: {name} {}\n    {}\n", row.synopsis, row.about);
        } else if let Some(tool) = find_tool(name) {
            text += &format!("{name}: {name} {}\n{}", tool.synopsis, tool_help(tool));
        } else {
            shell.complain(format_args!("help: no help topics match `{name}'. Try `help'."));
            status = Status::FAILURE;
        }
    }
    shell.write_all("help", text.as_bytes()).map(|written| if written.is_ok() { status } else { written })
}
