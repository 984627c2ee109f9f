//! `tree`: folders drawn as a tree, as version 2 of the program does: the root counts as a folder, and the indentation
//! holds no-break spaces.
mod draw;
mod gather;
mod listing;
mod markup;
mod options;

use crate::{Builtin, Call, Result, Status};
use gather::{Item, Totals};
use options::{Layout, Options};
use std::io::Write;

pub(crate) static TREE: Builtin = Builtin {
    name: "tree",
    synopsis: "[OPTION]... [DIRECTORY]...",
    about: "List contents of directories in a tree-like format.",
    options: options::TABLE,
    trouble: Status(1),
    run,
};

/// Some operand does not exist.
const TROUBLE: Status = Status(2);

fn run(call: &mut Call<'_>) -> Result<Status> {
    let (options, mut operands) = options::read(call)?;
    if operands.is_empty() {
        operands.push(".".to_string());
    }
    let mut status = Status::OK;
    let mut totals = Totals::default();
    markup::open(call, &options)?;
    for (at, operand) in operands.iter().enumerate() {
        let root = match options.from_file {
            true => listing::root(call, operand, &options)?,
            false => gather::root(call, operand, &options)?,
        };
        if root.meta.is_none() {
            status = TROUBLE;
        }
        totals.add_root(&root, &options);
        show(call, &root, &options, at)?;
    }
    if options.has_report {
        report(call, &totals, &options)?;
    }
    markup::close(call, &options)?;
    Ok(status)
}

fn show(call: &mut Call<'_>, root: &Item, options: &Options, at: usize) -> Result<()> {
    match options.layout {
        Layout::Text => draw::tree(call, root, options),
        Layout::Json | Layout::Xml => markup::tree(call, root, options, at),
    }
}

fn report(call: &mut Call<'_>, totals: &Totals, options: &Options) -> Result<()> {
    let plural = |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    match options.layout {
        Layout::Text => {
            let mut line = plural(totals.folders, "directory", "directories");
            if !options.folders_only {
                line += &format!(", {}", plural(totals.files, "file", "files"));
            }
            if options.sums {
                let unit = if options.human.is_some() { "" } else { " bytes" };
                line = format!("{}{unit} used in {line}", draw::size(totals.size, options));
            }
            writeln!(call.stdout, "\n{line}")?;
        }
        Layout::Json | Layout::Xml => markup::report(call, totals, options)?,
    }
    Ok(())
}

#[cfg(test)]
mod tests;
