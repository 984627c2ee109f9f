//! `mapfile readarray`: the lines of a stream into an array.
use super::{
    letters,
    read::{self, End, InputError, Until, next_record},
};
use crate::shell::{
    expand::{Item, Prepared, PreparedValue, apply, is_name, single_quoted},
    interp::Interp,
    jump::Outcome,
    memory::ALLOCATION,
};
use docsh_builtins::{Status, Value};

/// What the options ask for.
struct Request {
    until: Until,
    strip: bool,
    most: usize,
    origin: Option<usize>,
    skip: usize,
    fd: u16,
    callback: Option<String>,
    quantum: usize,
    name: String,
}

pub(super) fn mapfile(shell: &mut Interp, words: &[String]) -> Outcome {
    let who = words[0].as_str();
    let request = match request(shell, words) {
        Ok(request) => request,
        Err(status) => return Ok(status),
    };
    if let Some(Value::Assoc(_)) = shell.env.session.vars.variable(&request.name).map(|variable| &variable.value) {
        shell.complain(format_args!("{who}: {}: not an indexed array", request.name));
        return Ok(Status::FAILURE);
    }
    let Some(mut input) = read::input(shell, who, request.fd) else { return Ok(Status::FAILURE) };
    let mut purse = shell.world.memory.purse();
    let mut items: Vec<Item> = Vec::new();
    let (mut seen, mut status) = (0, Status::OK);
    while request.most == 0 || items.len() < request.most {
        let record = next_record(shell, &mut input, &request.until)?;
        input.release();
        shell.cancel.check()?;
        let record = match record {
            Ok(record) => record,
            Err(InputError(error)) => {
                shell.complain(format_args!("{who}: read error: {}: {error}", request.fd));
                status = Status::FAILURE;
                break;
            }
        };
        let last = record.end == End::File;
        if last && record.text.is_empty() {
            break;
        }
        seen += 1;
        if seen > request.skip {
            let mut line = record.text;
            if !last && !request.strip && request.until.delimiter != 0 {
                line.push(char::from(request.until.delimiter));
            }
            if let Err(limit) = purse.take(line.len() + size_of::<Item>() + ALLOCATION) {
                return shell.over_limit(format_args!("{who}: {limit}"));
            }
            let index = request.origin.unwrap_or(0) + items.len();
            if let Some(callback) =
                request.callback.as_ref().filter(|_| (items.len() + 1).is_multiple_of(request.quantum))
            {
                let command = format!("{callback} {index} {}", single_quoted(&line));
                shell.run_text(&command, shell.env.line)?;
            }
            let key = request.origin.map(|_| index.to_string());
            items.push(Item { key, append: false, value: line });
        }
        if last {
            break;
        }
    }
    drop(input);
    let append = request.origin.is_some();
    let value = PreparedValue::Array(items);
    let stored = apply(shell, Some(who), Prepared { name: request.name, index: None, append, value })?;
    Ok(if stored { status } else { Status::FAILURE })
}

fn request(shell: &Interp, words: &[String]) -> Result<Request, Status> {
    let who = &words[0];
    let (given, operands) = letters::read(shell, words, "d:n:O:s:tu:C:c:")?;
    let mut request = Request {
        until: Until { raw: true, ..Until::line() },
        strip: false,
        most: 0,
        origin: None,
        skip: 0,
        fd: 0,
        callback: None,
        quantum: 5000,
        name: operands.first().cloned().unwrap_or_else(|| "MAPFILE".to_string()),
    };
    let number = |value: &str, what: &str| {
        value.parse::<usize>().map_err(|_| {
            shell.complain(format_args!("{who}: {value}: invalid {what}"));
            Status::FAILURE
        })
    };
    for (letter, value) in given {
        match letter {
            'd' => request.until.delimiter = value.bytes().next().unwrap_or(0),
            'n' => request.most = number(&value, "line count")?,
            'O' => request.origin = Some(number(&value, "array origin")?),
            's' => request.skip = number(&value, "line count")?,
            'u' => request.fd = number(&value, "file descriptor specification")?.try_into().unwrap_or(u16::MAX),
            'C' => request.callback = Some(value),
            'c' => request.quantum = number(&value, "callback quantum")?.max(1),
            _ => request.strip = true,
        }
    }
    if !is_name(&request.name) {
        shell.complain(format_args!("{who}: `{}': not a valid identifier", request.name));
        return Err(Status::FAILURE);
    }
    Ok(request)
}
