//! `df`: the one file system that a site is. It is full: nothing can be written.
use crate::{
    Builtin, Call, Error, Opt, Result, Status, Unit,
    args::{self, Order},
    curly, quoted_if_odd, width,
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
        Opt::flag(' ', &["output"], "output", "use the output format defined by FIELDS, or print all fields")
            .long_only()
            .optional("FIELDS"),
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
    let fields = read_fields(&parsed)?;
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
    if !fields.is_empty() {
        let mut names = parsed.operands.iter().filter(|name| call.stat(name).is_ok()).cloned().collect::<Vec<String>>();
        if parsed.operands.is_empty() {
            names.push("-".to_string());
        }
        print_fields(call, &fields, &names, &[total, used.to_string(), free.to_string()], parsed.has("total"))?;
        return Ok(status);
    }
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

/// The fields of `--output`: the name, the head (none where it depends on the unit of sizes), and whether the field
/// stands at the right.
const FIELDS: [(&str, &str, bool); 12] = [
    ("source", "Filesystem", false),
    ("fstype", "Type", false),
    ("itotal", "Inodes", true),
    ("iused", "IUsed", true),
    ("iavail", "IFree", true),
    ("ipcent", "IUse%", true),
    ("size", "", true),
    ("used", "", true),
    ("avail", "", true),
    ("pcent", "Use%", true),
    ("file", "File", false),
    ("target", "Mounted on", false),
];

/// The fields that `--output` asks for, by their places in [`FIELDS`]; none without it.
fn read_fields(parsed: &args::Parsed) -> Result<Vec<usize>> {
    let lists: Vec<Option<&str>> =
        parsed.options.iter().filter(|(key, _)| *key == "output").map(|(_, list)| list.as_deref()).collect();
    if lists.is_empty() {
        return Ok(Vec::new());
    }
    for (key, letter) in [("inodes", 'i'), ("portability", 'P'), ("print-type", 'T')] {
        if parsed.has(key) {
            return Err(Error::usage(format!("options -{letter} and --output are mutually exclusive")));
        }
    }
    let mut fields = Vec::new();
    for name in lists.into_iter().flatten().flat_map(|list| list.split(',')) {
        let Some(field) = FIELDS.iter().position(|(known, ..)| *known == name) else {
            return Err(Error::usage(format!("option --output: field {} unknown", curly(name))));
        };
        if fields.contains(&field) {
            return Err(Error::usage(format!("option --output: field {} used more than once", curly(name))));
        }
        fields.push(field);
    }
    Ok(if fields.is_empty() { (0..FIELDS.len()).collect() } else { fields })
}

/// The table of `--output`; `sizes` are the heads of the three fields of sizes.
fn print_fields(
    call: &mut Call<'_>,
    fields: &[usize],
    names: &[String],
    sizes: &[String; 3],
    has_total: bool,
) -> Result<()> {
    let head = |field: usize| match FIELDS[field].0 {
        "size" => sizes[0].clone(),
        "used" => sizes[1].clone(),
        "avail" => sizes[2].clone(),
        _ => FIELDS[field].1.to_string(),
    };
    let cell = |field: usize, name: Option<&String>| match (FIELDS[field].0, name) {
        ("source", None) => "total".to_string(),
        ("source" | "fstype", Some(_)) => "docsh".to_string(),
        ("file", Some(name)) => name.clone(),
        ("target", Some(_)) => "/".to_string(),
        ("ipcent" | "pcent" | "fstype" | "file" | "target", _) => "-".to_string(),
        _ => "0".to_string(),
    };
    let mut rows: Vec<Vec<String>> = vec![fields.iter().map(|field| head(*field)).collect()];
    let totals = has_total.then_some(None);
    for name in names.iter().map(Some).chain(totals) {
        rows.push(fields.iter().map(|field| cell(*field, name)).collect());
    }
    let least = |field: usize| match FIELDS[field].0 {
        "source" => 14,
        "fstype" | "pcent" => 4,
        "size" | "used" | "avail" | "itotal" | "iused" | "iavail" => 5,
        "ipcent" => 4,
        _ => 0,
    };
    let widest = |place: usize| rows.iter().map(|row| width::of(&row[place])).max().unwrap_or(0);
    let widths: Vec<usize> = fields.iter().enumerate().map(|(at, field)| least(*field).max(widest(at))).collect();
    for row in &rows {
        let mut line = String::new();
        for (at, (text, field)) in row.iter().zip(fields).enumerate() {
            let blanks = " ".repeat(widths[at] - width::of(text));
            let is_last = at + 1 == row.len();
            line += match (FIELDS[*field].2, is_last) {
                (true, _) => format!("{blanks}{text}"),
                (false, true) => text.clone(),
                (false, false) => format!("{text}{blanks}"),
            }
            .as_str();
            if !is_last {
                line.push(' ');
            }
        }
        writeln!(call.stdout, "{line}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, run};
    use expect_test::expect;

    #[test]
    fn fields_are_chosen() {
        check(
            &[("a", "")],
            "df --output=target,source,pcent,size a",
            expect![[r#"
                Mounted on Filesystem     Use% 1K-blocks
                /          docsh             -         0
            "#]],
        );
        let (_, stderr, status) = run(&[], "df --output=x", b"");
        let message = "df: option --output: field ‘x’ unknown\nTry 'df --help' for more information.\n";
        assert_eq!((String::from_utf8_lossy(&stderr).as_ref(), status.0), (message, 1));
    }
}
