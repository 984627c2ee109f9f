//! `truncate`: another size, where the tree lets a file have one.
use crate::{
    Builtin, Call, Change, Error, Opening, Opt, Result, Status, Unit,
    args::{self, Order},
    curly, quoted,
};

pub(crate) static TRUNCATE: Builtin = Builtin {
    name: "truncate",
    synopsis: "OPTION... FILE...",
    about: "Shrink or extend the size of each FILE to the specified size. A site cannot be written to.",
    options: &[
        Opt::flag('c', &["no-create"], "no-create", "do not create any files"),
        Opt::flag('o', &["io-blocks"], "ignored", ""),
        Opt::value('r', &["reference"], "reference", "RFILE", "base size on RFILE"),
        Opt::value('s', &["size"], "size", "SIZE", "set or adjust the file size by SIZE bytes"),
    ],
    trouble: Status(1),
    run,
};

/// A size as `-s` says it.
struct Wanted {
    /// `+ - < > / %`, or nothing.
    relation: Option<char>,
    bytes: u64,
}

impl Wanted {
    fn read(text: &str) -> Option<Wanted> {
        let text = text.trim_start();
        let relation = text.chars().next().filter(|c| "+-<>/%".contains(*c));
        let bytes = match text.trim_start_matches(['+', '-', '<', '>', '/', '%']) {
            "0" => 0,
            size => match Unit::parse(size)? {
                Unit::Blocks(bytes, _) => bytes,
                Unit::Human(_) => return None,
            },
        };
        Some(Wanted { relation, bytes })
    }

    /// The size that a file of `size` bytes gets.
    fn from(&self, size: u64) -> u64 {
        let bytes = self.bytes;
        match self.relation {
            Some('+') => size.saturating_add(bytes),
            Some('-') => size.saturating_sub(bytes),
            Some('<') => size.min(bytes),
            Some('>') => size.max(bytes),
            Some('/') => size - size % bytes.max(1),
            Some('%') => size.div_ceil(bytes.max(1)).saturating_mul(bytes),
            _ => bytes,
        }
    }
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let wanted = match parsed.value("size") {
        None => None,
        Some(text) => {
            let invalid = || Error::failed(format!("Invalid number: {}", curly(text)));
            let wanted = Wanted::read(text).ok_or_else(invalid)?;
            if wanted.bytes == 0 && matches!(wanted.relation, Some('/' | '%')) {
                return Err(Error::failed("division by zero"));
            }
            Some(wanted)
        }
    };
    match (&wanted, parsed.has("reference")) {
        (None, false) => return Err(Error::usage("you must specify either ‘--size’ or ‘--reference’")),
        (Some(Wanted { relation: None, .. }), true) => {
            return Err(Error::usage("you must specify a relative ‘--size’ with ‘--reference’"));
        }
        _ => {}
    }
    if parsed.operands.is_empty() {
        return Err(Error::usage("missing file operand"));
    }
    let reference = match parsed.value("reference") {
        None => None,
        Some(file) => {
            let size = call.stat(file).and_then(|meta| call.size(&call.resolve(file)?, &meta));
            Some(size.map_err(|error| Error::failed(format!("cannot stat {}: {error}", quoted(file))))?)
        }
    };
    let mut status = Status::OK;
    for operand in &parsed.operands {
        if parsed.has("no-create") && call.stat(operand).is_err() {
            continue;
        }
        let name = quoted(operand);
        if let Err(why) = call.open_to_write(operand, Opening::Over) {
            call.warn(format_args!("cannot open {name} for writing: {why}"))?;
            status = Status::FAILURE;
            continue;
        }
        let size = reference.or(call.stat(operand)?.size).unwrap_or_default();
        let size = wanted.as_ref().map_or(size, |wanted| wanted.from(size));
        if let Err(why) = call.change(operand, Change::Resize(size)) {
            call.warn(format_args!("failed to truncate {name} at {size} bytes: {why}"))?;
            status = Status::FAILURE;
        }
    }
    Ok(status)
}
