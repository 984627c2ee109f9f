//! The drawing.
use super::{
    gather::Item,
    options::{Lines, Options},
};
use crate::{Call, Meta, Moment, Result, mode};
use std::io::Write;

/// Half a year in seconds, as the program counts it: 6 months of 31 days and 18 hours.
const HALF_A_YEAR: i64 = 6 * 31 * 24 * 60 * 60;

/// Draw `root` and all below it.
pub(super) fn tree(call: &mut Call<'_>, root: &Item, options: &Options) -> Result<()> {
    // A full path has no slash at its end.
    let name = if options.full_path && root.name.len() > 1 { root.name.trim_end_matches('/') } else { &root.name };
    line(call, root, name, b"", options)?;
    // The folders that are open: what is left in each, and how what is below it is indented.
    let mut open = vec![(root.children.iter(), Vec::new())];
    while let Some((children, indent)) = open.last_mut() {
        let Some(child) = children.next() else {
            open.pop();
            continue;
        };
        call.cancel.check()?;
        let is_last = children.as_slice().is_empty();
        let (branch, blank) = if options.indents { strokes(options.lines, is_last) } else { (&b""[..], &b""[..]) };
        let (prefix, below) = ([indent, branch].concat(), [indent, blank].concat());
        let name = if options.full_path { &child.full } else { &child.name };
        line(call, child, name, &prefix, options)?;
        open.push((child.children.iter(), below));
    }
    Ok(())
}

/// What stands before a name, and before what is below it. `is_last` is said of the name.
fn strokes(lines: Lines, is_last: bool) -> (&'static [u8], &'static [u8]) {
    match (lines, is_last) {
        (Lines::Unicode, false) => ("├── ".as_bytes(), "│\u{a0}\u{a0} ".as_bytes()),
        (Lines::Unicode, true) => ("└── ".as_bytes(), b"    "),
        (Lines::Ascii, false) => (b"|-- ", b"|   "),
        (Lines::Ascii, true) => (b"`-- ", b"    "),
        (Lines::Vt100, false) => (b"tqq ", b"x   "),
        (Lines::Vt100, true) => (b"mqq ", b"    "),
        (Lines::Cp437, false) => (b"\xc3\xc4\xc4 ", b"\xb3   "),
        (Lines::Cp437, true) => (b"\xc0\xc4\xc4 ", b"    "),
    }
}

fn line(call: &mut Call<'_>, item: &Item, name: &str, prefix: &[u8], options: &Options) -> Result<()> {
    let facts = item.meta.as_ref().map_or(String::new(), |meta| facts(item, meta, options));
    let trouble = item.trouble.as_ref().map_or(String::new(), |trouble| format!("  [{trouble}]"));
    if options.facts_first {
        call.stdout.write_all(facts.as_bytes())?;
    }
    match options.lines {
        // The sequences turn the characters of lines on and off.
        Lines::Vt100 if !prefix.is_empty() => call.stdout.write_all(&[b"\x1b(0", prefix, b"\x1b(B"].concat())?,
        _ => call.stdout.write_all(prefix)?,
    }
    if !options.facts_first {
        call.stdout.write_all(facts.as_bytes())?;
    }
    writeln!(call.stdout, "{}{trouble}", dressed(item, name, options))?;
    Ok(())
}

/// The fields between brackets before a name.
fn facts(item: &Item, meta: &Meta, options: &Options) -> String {
    let mut text = String::new();
    if options.inode {
        text += &format!(" {:7}", meta.inode);
    }
    if options.device {
        text += &format!(" {:3}", Meta::DEVICE);
    }
    if options.mode {
        text += &format!(" {}", mode::string(meta));
    }
    for shown in [options.owner, options.group] {
        if shown {
            text += &format!(" {:8}", "root");
        }
    }
    if options.size {
        text += &size(item.size, options);
    }
    if options.time {
        text += &format!(" {}", time(meta, options));
    }
    if text.is_empty() { text } else { format!("[{}]  ", &text[1..]) }
}

/// The time of a file.
pub(super) fn time(meta: &Meta, options: &Options) -> String {
    let is_recent = meta.mtime <= options.now && meta.mtime > options.now - HALF_A_YEAR;
    let default = if is_recent { "%b %e %H:%M" } else { "%b %e  %Y" };
    Moment::utc(meta.mtime).format(options.time_format.as_deref().unwrap_or(default))
}

/// A size in its column, the blank before it included.
pub(super) fn size(bytes: u64, options: &Options) -> String {
    let Some(base) = options.human else { return format!(" {bytes:11}") };
    if bytes < base {
        return format!(" {bytes:4}");
    }
    let letters = if base == 1000 { "kMGTPE" } else { "KMGTPE" };
    let (mut power, mut scaled) = (0, bytes);
    while scaled >= base * base {
        scaled /= base;
        power += 1;
    }
    let value = scaled as f64 / base as f64;
    let letter = letters.chars().nth(power).unwrap_or('?');
    if scaled / base >= 10 { format!(" {value:3.0}{letter}") } else { format!(" {value:3.1}{letter}") }
}

/// The name with its quotes, its colour and its mark.
fn dressed(item: &Item, name: &str, options: &Options) -> String {
    let mut text = String::new();
    for c in name.chars() {
        match c {
            c if !c.is_control() => text.push(c),
            _ if options.question_marks => text.push('?'),
            c => text += &format!("\\{:03o}", u32::from(c)),
        }
    }
    if options.quotes {
        text = format!("\"{}\"", text.replace('"', "\\\""));
    }
    let is_executable = item.meta.as_ref().is_some_and(|meta| !meta.is_dir() && meta.mode & 0o111 != 0);
    if options.colour {
        let colour = match (&item.meta, item.is_folder()) {
            (None, _) => "",
            (_, true) => "01;34",
            _ if is_executable => "01;32",
            _ => "00",
        };
        if !colour.is_empty() {
            text = format!("\x1b[{colour}m{text}\x1b[0m");
        }
    }
    if options.indicators && item.is_folder() && !name.ends_with('/') {
        text.push('/');
    } else if options.indicators && is_executable {
        text.push('*');
    }
    text
}
