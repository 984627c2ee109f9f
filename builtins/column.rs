//! `column`: lines set in columns, or their fields aligned into a table (util-linux's).
//!
//! Nothing can be aligned before all is read: the whole input is kept, on the run's memory.
mod json;
mod layout;
mod list;
mod options;
mod table;

use crate::{
    Builtin, Call, FsError, Result, Status,
    args::{self, Order},
    records::Records,
};
use options::{Mode, Options};

pub(crate) static COLUMN: Builtin = Builtin {
    name: "column",
    synopsis: "[OPTION]... [FILE]...",
    about: "Columnate lists.",
    options: options::TABLE,
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let options = options::read(call, &parsed)?;
    let mut lines = Vec::new();
    let status = read_lines(call, &parsed.operands, &options, &mut lines)?;
    match options.mode {
        Mode::Table if lines.is_empty() => {}
        Mode::Table => {
            let table = table::Table::new(&options, &lines)?;
            match options.json {
                true => json::print(call, &options, &table)?,
                false => layout::print(call, &options, table)?,
            }
            // A table that is printed makes up for the files that could not be opened.
            return Ok(Status::OK);
        }
        Mode::Columns => list::print(call, &lines, options.width, list::Order::Down)?,
        Mode::Rows => list::print(call, &lines, options.width, list::Order::Across)?,
    }
    Ok(status)
}

/// The lines of all files that are not blank (with `-L` those too, as empty lines).
fn read_lines(call: &mut Call<'_>, files: &[String], options: &Options, lines: &mut Vec<String>) -> Result<Status> {
    let mut status = Status::OK;
    let stdin = ["/dev/stdin".to_string()];
    let files = if files.is_empty() { &stdin[..] } else { files };
    for file in files {
        let mut input = match call.open(file) {
            Ok(input) => input,
            Err(error) => {
                call.warn(format_args!("{file}: {error}"))?;
                status = Status::FAILURE;
                continue;
            }
        };
        let mut records = Records::lines(false);
        loop {
            let line = match records.next_bare(&mut input, &mut call.memory) {
                Ok(Some(line)) => line,
                Ok(None) => break,
                Err(error) => {
                    let cause = FsError::within(error)?;
                    return Err(crate::Error::failed(format!("read failed: {cause}")));
                }
            };
            let blank = line.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0x0b);
            if blank && !options.keep_empty {
                continue;
            }
            let text = if blank { String::new() } else { readable(line) };
            call.memory.take(text.len() + size_of::<String>())?;
            lines.push(text);
        }
    }
    Ok(status)
}

/// `line` as text; bytes that are none as `\xNN`.
fn readable(line: &[u8]) -> String {
    let mut text = String::with_capacity(line.len());
    for chunk in line.utf8_chunks() {
        text += chunk.valid();
        chunk.invalid().iter().for_each(|byte| text += &format!("\\x{byte:02x}"));
    }
    text
}

#[cfg(test)]
mod tests;
