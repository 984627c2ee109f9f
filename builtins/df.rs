//! `df`: the one file system that a site is. It is full: nothing can be written.
use crate::{
    Builtin, Call, Error, Opt, Result, Status, Unit,
    args::{self, Order},
    quoted_if_odd,
};
use std::io::Write;

pub(crate) static DF: Builtin = Builtin {
    name: "df",
    synopsis: "[OPTION]... [FILE]...",
    about: "Show information about the file system on which each FILE resides.",
    options: &[
        Opt::flag('a', &["all"], "ignored", ""),
        Opt::value('B', &["block-size"], "block-size", "SIZE", "scale sizes by SIZE before printing them"),
        Opt::flag('h', &["human-readable"], "h", "print sizes in powers of 1024 (e.g., 1023M)"),
        Opt::flag('H', &["si"], "si", "print sizes in powers of 1000 (e.g., 1.1G)"),
        Opt::flag('i', &["inodes"], "inodes", "list inode information instead of block usage"),
        Opt::flag('k', &[], "k", "like --block-size=1K"),
        Opt::flag('l', &["local"], "ignored", ""),
        Opt::flag('m', &[], "m", "like --block-size=1M"),
        Opt::flag(' ', &["no-sync"], "ignored", "").long_only(),
        Opt::flag('P', &["portability"], "portability", "use the POSIX output format"),
        Opt::flag(' ', &["sync"], "ignored", "").long_only(),
        Opt::flag(' ', &["total"], "total", "produce a grand total").long_only(),
        Opt::value('t', &["type"], "type", "TYPE", "limit listing to file systems of type TYPE"),
        Opt::flag('T', &["print-type"], "print-type", "print file system type"),
        Opt::flag('v', &[], "ignored", ""),
        Opt::value('x', &["exclude-type"], "exclude-type", "TYPE", "limit listing to file systems not of type TYPE"),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let mut unit = Unit::KIB;
    for (key, value) in &parsed.options {
        let text = value.as_deref().unwrap_or_default();
        match *key {
            "h" => unit = Unit::Human(1024),
            "si" => unit = Unit::Human(1000),
            "k" => unit = Unit::KIB,
            "m" => unit = Unit::Blocks(1 << 20, ""),
            "block-size" => {
                let wrong = || Error::failed(format!("invalid --block-size argument '{text}'"));
                unit = Unit::parse(text).ok_or_else(wrong)?;
            }
            _ => {}
        }
    }
    let mut status = Status::OK;
    let mut is_wanted = parsed.operands.is_empty();
    for operand in &parsed.operands {
        match call.stat(operand) {
            Ok(_) => is_wanted = true,
            Err(error) => {
                call.warn(format_args!("{}: {error}", quoted_if_odd(operand)))?;
                status = Status::FAILURE;
            }
        }
    }
    is_wanted &= parsed.value("type").is_none_or(|kind| kind == "docsh");
    is_wanted &= parsed.value("exclude-type").is_none_or(|kind| kind != "docsh");
    if !is_wanted {
        return if status.is_ok() { Err(Error::failed("no file systems processed")) } else { Ok(status) };
    }
    let (total, used, free, share) = match (parsed.has("inodes"), unit) {
        (true, _) => ("Inodes".to_string(), "IUsed", "IFree", "IUse%"),
        (false, Unit::Human(_)) => ("Size".to_string(), "Used", "Avail", "Use%"),
        (false, Unit::KIB) => (
            if parsed.has("portability") { "1024-blocks" } else { "1K-blocks" }.to_string(),
            "Used",
            "Available",
            "Use%",
        ),
        (false, Unit::Blocks(size, _)) => {
            (format!("{}-blocks", Unit::Human(1024).show(size)), "Used", "Available", "Use%")
        }
    };
    let share = if parsed.has("portability") && !parsed.has("inodes") { "Capacity" } else { share };
    let mut rows = vec![("Filesystem", "Type", "Mounted on"), ("docsh", "docsh", "/")];
    if parsed.has("total") {
        rows.push(("total", "-", "-"));
    }
    for (at, (name, kind, place)) in rows.into_iter().enumerate() {
        let kind = if parsed.has("print-type") { format!(" {kind:5}") } else { String::new() };
        let cells = if at == 0 { [&total, used, free, share] } else { ["0", "0", "0", "-"] };
        let widths = [total.len().max(5), used.len().max(5), free.len().max(5), share.len().max(4)];
        let cells: String = cells.iter().zip(widths).map(|(cell, width)| format!(" {cell:>width$}")).collect();
        writeln!(call.stdout, "{name:14}{kind}{cells} {place}")?;
    }
    Ok(status)
}
