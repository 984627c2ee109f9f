//! The tree for programs: JSON and XML.
use super::{
    draw,
    gather::{Item, Totals},
    options::{Layout, Options},
};
use crate::{Call, Result, mode};
use std::io::Write;

/// What comes before the first tree.
pub(super) fn open(call: &mut Call<'_>, options: &Options) -> Result<()> {
    write_by(call, options, "[", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tree>\n")
}

/// What comes after the report.
pub(super) fn close(call: &mut Call<'_>, options: &Options) -> Result<()> {
    write_by(call, options, "\n]", "</tree>")?;
    if options.layout != Layout::Text {
        call.stdout.write_all(b"\n")?;
    }
    Ok(())
}

/// Write one of the two texts; with `-i` without its line ends.
fn write_by(call: &mut Call<'_>, options: &Options, json: &str, xml: &str) -> Result<()> {
    let text = match options.layout {
        Layout::Text => "",
        Layout::Json => json,
        Layout::Xml => xml,
    };
    match options.indents {
        true => call.stdout.write_all(text.as_bytes())?,
        false => call.stdout.write_all(text.replace('\n', "").as_bytes())?,
    }
    Ok(())
}

fn indent(depth: usize, options: &Options) -> String {
    if options.indents { "  ".repeat(depth) } else { String::new() }
}

/// `root` and all below it; it is the tree number `at`.
pub(super) fn tree(call: &mut Call<'_>, root: &Item, options: &Options, at: usize) -> Result<()> {
    write_by(call, options, if at > 0 { ",\n" } else { "\n" }, "")?;
    begin(call, root, &root.name, 1, options)?;
    // The folders that are open, and what is left in each.
    let mut open = vec![(root, root.children.iter())];
    while let Some((item, children)) = open.last_mut() {
        let item: &Item = item;
        match children.next() {
            Some(child) => {
                call.cancel.check()?;
                let is_first = children.len() + 1 == item.children.len();
                write_by(call, options, if is_first { "\n" } else { ",\n" }, "")?;
                let name = if options.full_path { &child.full } else { &child.name };
                begin(call, child, name, open.len() + 1, options)?;
                open.push((child, child.children.iter()));
            }
            None => {
                end(call, item, open.len(), options)?;
                open.pop();
            }
        }
    }
    Ok(())
}

/// Whether something stands between the start and the end of an element.
fn has_contents(item: &Item) -> bool {
    !item.children.is_empty() || item.is_branch || item.trouble.is_some()
}

/// The name of an element. What does not exist would be a folder.
fn kind(item: &Item) -> &'static str {
    if item.is_folder() || item.meta.is_none() { "directory" } else { "file" }
}

/// The start of an element.
fn begin(call: &mut Call<'_>, item: &Item, name: &str, depth: usize, options: &Options) -> Result<()> {
    let (indent, kind, facts) = (indent(depth, options), kind(item), facts(item, options));
    let contents = if has_contents(item) { ",\"contents\":[" } else { "" };
    let json_start = format!("{indent}{{\"type\":\"{kind}\",\"name\":{}{facts}{contents}", json(name));
    let xml_start = format!("{indent}<{kind} name=\"{}\"{facts}>", xml(name));
    write_by(call, options, &json_start, &xml_start)?;
    if let Some(trouble) = &item.trouble {
        let (json, xml) = (format!("{{\"error\": {}}}", json(trouble)), format!("<error>{}</error>", xml(trouble)));
        write_by(call, options, &json, &xml)?;
    }
    write_by(call, options, "", if has_contents(item) { "\n" } else { "" })
}

/// The end of an element.
fn end(call: &mut Call<'_>, item: &Item, depth: usize, options: &Options) -> Result<()> {
    let (indent, kind) = (indent(depth, options), kind(item));
    match has_contents(item) {
        true => write_by(call, options, &format!("\n{indent}]}}"), &format!("{indent}</{kind}>\n")),
        false => write_by(call, options, "}", &format!("</{kind}>\n")),
    }
}

/// The fields of an item: `,"size":5` or ` size="5"`.
fn facts(item: &Item, options: &Options) -> String {
    let Some(meta) = &item.meta else { return String::new() };
    let is_json = options.layout == Layout::Json;
    let mut text = String::new();
    let mut add = |key: &str, value: &str, is_number: bool| {
        text += &match (is_json, is_number) {
            (true, true) => format!(",\"{key}\":{value}"),
            (true, false) => format!(",\"{key}\":{}", json(value)),
            (false, _) => format!(" {key}=\"{}\"", xml(value)),
        };
    };
    if options.inode {
        add("inode", &meta.inode.to_string(), true);
    }
    if options.device {
        add("dev", &crate::Meta::DEVICE.to_string(), true);
    }
    if options.mode {
        add("mode", &format!("{:04o}", meta.mode), false);
        add("prot", &mode::string(meta), false);
    }
    if options.owner {
        add("user", "root", false);
    }
    if options.group {
        add("group", "root", false);
    }
    if options.size {
        match options.human {
            Some(_) if is_json => add("size", draw::size(item.size, options).trim(), false),
            _ => add("size", &item.size.to_string(), true),
        }
    }
    if options.time {
        add("time", &draw::time(meta, options), false);
    }
    text
}

/// The counts at the end.
pub(super) fn report(call: &mut Call<'_>, totals: &Totals, options: &Options) -> Result<()> {
    let counts = [
        ("size", totals.size, options.sums),
        ("directories", totals.folders as u64, true),
        ("files", totals.files as u64, !options.folders_only),
    ];
    let counts = || counts.iter().filter(|(.., is_shown)| *is_shown);
    let json: String = counts().map(|(name, count, _)| format!(",\"{name}\":{count}")).collect();
    let indent = indent(1, options);
    let xml: String = counts().map(|(name, count, _)| format!("{indent}{indent}<{name}>{count}</{name}>\n")).collect();
    let json = format!("\n,\n{indent}{{\"type\":\"report\"{json}}}");
    write_by(call, options, &json, &format!("{indent}<report>\n{xml}{indent}</report>\n"))
}

fn json(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted += "\\n",
            '\r' => quoted += "\\r",
            '\t' => quoted += "\\t",
            c if c.is_control() => quoted += &format!("\\u{:04x}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
