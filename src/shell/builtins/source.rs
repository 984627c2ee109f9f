//! `eval`, `.` and `source`: text as commands of this shell.
use crate::shell::{
    interp::{Frame, Interp},
    jump::{Jump, Outcome},
};
use docsh_builtins::{ErrorKind, Status};

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
    let read = match shell.open_file(file) {
        Ok(mut input) => shell.read_text(&mut input)?.map_err(|error| ErrorKind::Io(error.to_string().into())),
        Err(kind) => Err(kind),
    };
    let text = match read {
        Ok(text) => text,
        Err(kind) => {
            shell.cancel.check()?;
            match kind {
                ErrorKind::NotFound => shell.complain(format_args!("{file}: {kind}")),
                kind => shell.complain(format_args!("{}: {file}: {kind}", words[0])),
            }
            return Ok(Status::FAILURE);
        }
    };
    let line = shell.env.line;
    shell.env.frames.push(Frame { name: "source".to_string(), line });
    let result = match args {
        [] => shell.run_text(&text, 1),
        args => shell.with_positional(args.to_vec(), |shell| shell.run_text(&text, 1)),
    };
    shell.env.frames.pop();
    shell.env.line = line;
    match result {
        Err(Jump::Return(status)) => Ok(status),
        result => result,
    }
}
