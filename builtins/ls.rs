//! `ls`: what is in folders, in GNU's layouts.
//!
//! All operands are looked at first: missing ones are named, then files are listed together, then each folder. Names
//! alone cost nothing; only `-l`, `-s` and `-S` ask for the size of a page that the tree does not know.
mod columns;
mod dired;
mod entry;
mod names;
mod options;
mod print;

use crate::{Builtin, Call, Quoting, Result, Status, VPath};
use entry::Item;

use print::Printer;

pub(crate) static LS: Builtin = Builtin {
    name: "ls",
    synopsis: "[OPTION]... [FILE]...",
    about: "List information about the FILEs (the current directory by default).",
    options: options::TABLE,
    trouble: Status(2),
    run,
};

/// A folder of the site could not be read.
const MINOR: Status = Status(1);
/// An operand could not be looked at.
const SERIOUS: Status = Status(2);

fn run(call: &mut Call<'_>) -> Result<Status> {
    let (options, mut operands) = options::read(call)?;
    if operands.is_empty() {
        operands.push(".".to_string());
    }
    let mut status = Status::OK;
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for operand in &operands {
        match Item::operand(call, operand, &options) {
            Ok(item) if item.meta.is_dir() && !options.directory => folders.push(item),
            Ok(item) => files.push(item),
            Err(error) => {
                call.warn_apart(format_args!("cannot access {}: {error}", Quoting::ShellEscapeAlways.quote(operand)));
                status = SERIOUS;
            }
        }
    }
    let mut printer = Printer::new(&options, call.now());
    entry::sort(&mut files, &options);
    printer.list(&mut call.stdout, &files, &folders)?;
    let with_headers = operands.len() > 1 || options.recursive;
    let mut is_first = files.is_empty();
    entry::sort(&mut folders, &options);
    // Folders still to be listed, the next one last.
    let mut waiting: Vec<(String, VPath)> =
        folders.into_iter().rev().filter_map(|item| item.path().map(|path| (item.name, path))).collect();
    while let Some((name, path)) = waiting.pop() {
        call.cancel.check()?;
        let items = match entry::folder(call, &path, &options) {
            Ok(items) => items,
            Err(error) => {
                let kind = crate::FsError::within(error)?;
                let name = Quoting::ShellEscapeAlways.quote(&name);
                call.warn_apart(format_args!("cannot open directory {name}: {kind}"));
                status = if status == SERIOUS { SERIOUS } else { MINOR };
                continue;
            }
        };
        if options.dired {
            call.memory.take(items.len() * dired::PLACE)?;
        }
        if with_headers {
            if !std::mem::take(&mut is_first) {
                printer.blank(&mut call.stdout)?;
            }
            printer.header(&mut call.stdout, &name, &path)?;
        }
        printer.total(&mut call.stdout, &items)?;
        printer.list(&mut call.stdout, &items, &[])?;
        if options.recursive {
            let inner = items.iter().rev().filter(|item| item.meta.is_dir() && item.name != "." && item.name != "..");
            waiting.extend(inner.filter_map(|item| Some((below(&name, &item.name), item.path()?))));
        }
    }
    printer.finish(&mut call.stdout)?;
    Ok(status)
}

/// The name of `child` in the folder called `dir`.
fn below(dir: &str, child: &str) -> String {
    format!("{dir}{}{child}", if dir.ends_with('/') { "" } else { "/" })
}

#[cfg(test)]
mod tests;
