//! `eval`, `.` and `source`: text as commands of this shell.
use crate::shell::{
    interp::{Frame, Interp},
    jump::{Jump, Outcome},
};
use docsh_builtins::{ErrorKind, Status};
use std::io::Read;

pub(super) fn eval(shell: &mut Interp, words: &[String]) -> Outcome {
    let words = words[1..].strip_prefix(&["--".to_string()][..]).unwrap_or(&words[1..]);
    let text = words.join(" ");
    shell.run_text(&text, shell.env.line)
}

pub(super) fn source(shell: &mut Interp, words: &[String]) -> Outcome {
    let operands = words[1..].strip_prefix(&["--".to_string()][..]).unwrap_or(&words[1..]);
    let Some((file, args)) = operands.split_first() else {
        shell.complain(format_args!("{0}: filename argument required\n{0}: usage: {0} filename [arguments]", words[0]));
        return Ok(Status(2));
    };
    let mut bytes = Vec::new();
    let limit = shell.world.limits.memory;
    let read = open(shell, file).and_then(|mut input| {
        let read = input.by_ref().take(limit).read_to_end(&mut bytes);
        read.map_err(|error| ErrorKind::Io(error.to_string().into()))
    });
    shell.cancel.check()?;
    if let Err(kind) = read {
        match kind {
            ErrorKind::NotFound => shell.complain(format_args!("{file}: {kind}")),
            kind => shell.complain(format_args!("{}: {file}: {kind}", words[0])),
        }
        return Ok(Status::FAILURE);
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let outer = (!args.is_empty()).then(|| std::mem::replace(&mut shell.env.session.positional, args.to_vec()));
    let line = shell.env.line;
    shell.env.frames.push(Frame { name: "source".to_string(), line });
    let result = shell.run_text(&text, 1);
    shell.env.frames.pop();
    shell.env.line = line;
    if let Some(outer) = outer {
        shell.env.session.positional = outer;
    }
    match result {
        Err(Jump::Return(status)) => Ok(status),
        result => result,
    }
}

/// A file by its name, or a stream of the shell by its device.
fn open(shell: &Interp, file: &str) -> Result<docsh_builtins::Input, ErrorKind> {
    use docsh_builtins::{Device, Input, Stream};
    match Device::named(file) {
        None => shell.open_page(file),
        Some(Device::Null) => Ok(Input::empty()),
        Some(Device::Fd(fd)) => match shell.env.fds.get(&fd) {
            Some(Stream::Input(input)) => Ok(input.clone()),
            _ => Err(ErrorKind::NotFound),
        },
    }
}
