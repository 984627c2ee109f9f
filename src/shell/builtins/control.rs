//! `break continue return exit :`: the commands that jump, and the one that does nothing.
use super::number;
use crate::shell::{
    interp::Interp,
    jump::{Jump, Outcome},
};
use docsh_builtins::Status;

pub(super) fn colon(_: &mut Interp, _: &[String]) -> Outcome {
    Ok(Status::OK)
}

pub(super) fn r#break(shell: &mut Interp, words: &[String]) -> Outcome {
    loops(shell, words, Jump::Break)
}

pub(super) fn r#continue(shell: &mut Interp, words: &[String]) -> Outcome {
    loops(shell, words, Jump::Continue)
}

fn loops(shell: &mut Interp, words: &[String], jump: fn(usize) -> Jump) -> Outcome {
    let name = words[0].as_str();
    if shell.loops == 0 {
        shell.complain(format_args!("{name}: only meaningful in a `for', `while', or `until' loop"));
        return Ok(Status::OK);
    }
    let count = match words.get(1).map(|word| number(shell, name, word)) {
        None => 1,
        Some(Ok(count)) => count,
        Some(Err(_)) => return Err(Jump::Exit(Status(128))),
    };
    if words.len() > 2 {
        shell.complain(format_args!("{name}: too many arguments"));
        return Err(Jump::Discard(Status::FAILURE));
    }
    match usize::try_from(count) {
        Ok(count) if count > 0 => Err(jump(count.min(shell.loops))),
        _ => {
            shell.complain(format_args!("{name}: {count}: loop count out of range"));
            Err(Jump::Break(shell.loops))
        }
    }
}

pub(super) fn r#return(shell: &mut Interp, words: &[String]) -> Outcome {
    let status = status(shell, words)?;
    if shell.env.frames.is_empty() {
        shell.complain("return: can only `return' from a function or sourced script");
        return Ok(Status(2));
    }
    Err(Jump::Return(status))
}

pub(super) fn exit(shell: &mut Interp, words: &[String]) -> Outcome {
    let status = status(shell, words)?;
    Err(Jump::Exit(status))
}

/// The status that the words ask for, modulo 256; `$?` when they do not.
fn status(shell: &mut Interp, words: &[String]) -> Outcome {
    let mut operands = words[1..].iter().skip_while(|word| *word == "--");
    let Some(word) = operands.next() else { return Ok(Status(shell.env.session.status)) };
    if operands.next().is_some() {
        shell.complain(format_args!("{}: too many arguments", words[0]));
        return Err(Jump::Discard(Status::FAILURE));
    }
    match number(shell, &words[0], word) {
        Ok(number) => Ok(Status(number as u8)),
        Err(status) => Ok(status),
    }
}
