//! `read`: a line of input into variables.
mod record;
mod share;

use super::letters;
use crate::shell::{
    expand::{self, Ifs, is_name, set_array, set_var, split_subscript},
    interp::Interp,
    jump::Outcome,
};
use docsh_builtins::{Input, InputKind, Status, Stream};
use record::Record;
use std::{io::Write, time::Duration};

pub(super) use record::{End, InputError, Until, next as next_record};

/// One line of the shell's stdin, without its end and with `\`-newline joined; `None` at the end of file.
pub(crate) fn read_line(shell: &mut Interp) -> Outcome<Option<String>> {
    let mut input = shell.stdin();
    let record = record::next(shell, &mut input, &Until::line())?;
    drop(input);
    shell.cancel.check()?;
    Ok(match record {
        Ok(record) if record.end == End::Delimiter || !record.text.is_empty() => Some(record.text),
        _ => None,
    })
}

/// What the options ask for.
struct Request<'w> {
    array: Option<String>,
    until: Until,
    prompt: String,
    timeout: Option<Duration>,
    fd: u16,
    names: &'w [String],
}

pub(super) fn read(shell: &mut Interp, words: &[String]) -> Outcome {
    let request = match request(shell, words) {
        Ok(request) => request,
        Err(status) => return Ok(status),
    };
    let Some(mut input) = input(shell, "read", request.fd) else { return Ok(Status::FAILURE) };
    if !request.prompt.is_empty() && input.kind() == InputKind::Host && shell.stderr().terminal().is_some() {
        let _ = shell.stderr().write_all(request.prompt.as_bytes());
    }
    if let Some(timeout) = request.timeout {
        let ready = record::is_ready(&input, timeout);
        shell.cancel.check()?;
        if !ready {
            return late(shell, &request);
        }
        if timeout.is_zero() {
            return Ok(Status::OK);
        }
    }
    let record = record::next(shell, &mut input, &request.until)?;
    drop(input);
    shell.cancel.check()?;
    let record = match record {
        Ok(record) => record,
        Err(InputError(error)) => {
            shell.complain(format_args!("read: read error: {}: {error}", request.fd));
            return Ok(Status::FAILURE);
        }
    };
    let whole = record.end != End::File;
    let stored = store(shell, &request, record)?;
    Ok(Status::from(stored && whole))
}

/// Nothing came in time: the variables are empty, as after an end of file.
fn late(shell: &mut Interp, request: &Request<'_>) -> Outcome {
    if request.timeout.is_some_and(|timeout| timeout.is_zero()) {
        return Ok(Status::FAILURE);
    }
    store(shell, request, Record::default())?;
    Ok(Status(142))
}

fn request<'w>(shell: &Interp, words: &'w [String]) -> Result<Request<'w>, Status> {
    let (given, names) = letters::read(shell, words, "ersa:d:i:n:N:p:t:u:")?;
    let mut request = Request { array: None, until: Until::line(), prompt: String::new(), timeout: None, fd: 0, names };
    let wrong = |value: &str, what: &str| {
        shell.complain(format_args!("read: {value}: invalid {what}"));
        Status::FAILURE
    };
    for (letter, value) in given {
        match letter {
            'r' => request.until.raw = true,
            'a' => request.array = Some(value),
            'd' => request.until.delimiter = value.bytes().next().unwrap_or(0),
            'n' | 'N' => {
                let count = value.parse().map_err(|_| wrong(&value, "number"))?;
                request.until.most = Some(count);
                request.until.exactly = letter == 'N';
            }
            'p' => request.prompt = value,
            't' => {
                let seconds: f64 = value.parse().map_err(|_| wrong(&value, "timeout specification"))?;
                let timeout = Duration::try_from_secs_f64(seconds);
                request.timeout = Some(timeout.map_err(|_| wrong(&value, "timeout specification"))?);
            }
            'u' => {
                let message = "invalid file descriptor specification";
                request.fd = value.parse().map_err(|_| {
                    shell.complain(format_args!("read: {value}: {message}"));
                    Status::FAILURE
                })?;
            }
            _ => {}
        }
    }
    let first = request.array.as_ref().or_else(|| names.first());
    if let Some(name) = first.filter(|name| !is_name(name) && split_subscript(name).is_none()) {
        shell.complain(format_args!("read: `{name}': not a valid identifier"));
        return Err(Status::FAILURE);
    }
    Ok(request)
}

/// The open file `fd`, for the command called `who`; it has been said when there is none.
pub(super) fn input(shell: &Interp, who: &str, fd: u16) -> Option<Input> {
    match shell.env.fds.get(&fd) {
        Some(Stream::Input(input)) => Some(input.clone()),
        _ => {
            shell.complain(format_args!("{who}: {fd}: invalid file descriptor: Bad file descriptor"));
            None
        }
    }
}

fn store(shell: &mut Interp, request: &Request<'_>, record: Record) -> Outcome<bool> {
    let ifs = Ifs::of(&shell.env.session);
    if let Some(array) = &request.array {
        expand::unset(shell, array, false)?;
        return set_array(shell, array, share::fields(&record, &ifs));
    }
    let Some((last, names)) = request.names.split_last() else {
        return set_var(shell, "REPLY", record.text);
    };
    if request.until.exactly {
        let mut text = Some(record.text);
        for name in request.names {
            if !set_var(shell, name, text.take().unwrap_or_default())? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    let mut share = share::Share::new(&record, &ifs);
    for name in names {
        let field = share.field();
        if !assign(shell, name, field)? {
            return Ok(false);
        }
    }
    let rest = share.rest();
    assign(shell, last, rest)
}

fn assign(shell: &mut Interp, name: &str, value: String) -> Outcome<bool> {
    if !is_name(name) && split_subscript(name).is_none() {
        shell.complain(format_args!("read: `{name}': not a valid identifier"));
        return Ok(false);
    }
    set_var(shell, name, value)
}

#[cfg(test)]
mod tests;
