//! `df`: the file system that a site is, which is full, since nothing can be written; and a scratch folder's.
use crate::{
    Builtin, Call, Error, Opt, Result, Status, Unit, VPath, Volume,
    args::{self, Order},
    curly, quoted_if_odd, width,
};
use std::{io::Write, iter};

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
    let fields = match parsed.has("output") {
        true => chosen_fields(&parsed)?,
        false => usual_fields(&parsed),
    };
    let mut status = Status::OK;
    let volumes = call.fs.volumes();
    let mut rows = Vec::new();
    for operand in &parsed.operands {
        match call.stat(operand) {
            Ok(_) => {
                // A device is in the root, as all that is not listed.
                let path = call.resolve(operand).unwrap_or_else(|_| VPath::root());
                let holding = volumes.iter().rfind(|volume| path.is_within(&volume.root));
                rows.extend(holding.map(|volume| (operand.as_str(), volume.clone())));
            }
            Err(error) => {
                call.warn(format_args!("{}: {error}", quoted_if_odd(operand)))?;
                status = Status::FAILURE;
            }
        }
    }
    if parsed.operands.is_empty() {
        rows.extend(volumes.into_iter().map(|volume| ("-", volume)));
    }
    rows.retain(|(_, volume)| {
        parsed.value("type").is_none_or(|wanted| wanted == kind(volume))
            && parsed.value("exclude-type").is_none_or(|unwanted| unwanted != kind(volume))
    });
    if rows.is_empty() {
        return if status.is_ok() { Err(Error::failed("no file systems processed")) } else { Ok(status) };
    }
    let portable = parsed.has("portability");
    let (size, avail) = match unit {
        Unit::Human(_) => ("Size".to_string(), "Avail"),
        Unit::KIB => (if portable { "1024-blocks" } else { "1K-blocks" }.to_string(), "Available"),
        Unit::Blocks(size, _) => (format!("{}-blocks", Unit::Human(1024).show(size)), "Available"),
    };
    let heads = Heads { size, avail, unit, share: if portable { "Capacity" } else { "Use%" } };
    print(call, &fields, &rows, &heads, parsed.has("total"))?;
    Ok(status)
}

/// The fields of a table: the name, the head (none where it depends on the options), the least width, and whether the
/// field stands at the right.
const FIELDS: [(&str, &str, usize, bool); 12] = [
    ("source", "Filesystem", 14, false),
    ("fstype", "Type", 4, false),
    ("itotal", "Inodes", 5, true),
    ("iused", "IUsed", 5, true),
    ("iavail", "IFree", 5, true),
    ("ipcent", "IUse%", 4, true),
    ("size", "", 5, true),
    ("used", "Used", 5, true),
    ("avail", "", 5, true),
    ("pcent", "", 4, true),
    ("file", "File", 0, false),
    ("target", "Mounted on", 0, false),
];

/// The heads that depend on the options, and what sizes are told in.
struct Heads {
    size: String,
    avail: &'static str,
    unit: Unit,
    share: &'static str,
}

/// The place in [`FIELDS`] of the field called so.
fn field(name: &str) -> Option<usize> {
    FIELDS.iter().position(|(known, ..)| *known == name)
}

/// The fields of the table without `--output`.
fn usual_fields(parsed: &args::Parsed) -> Vec<usize> {
    let kind = parsed.has("print-type").then_some("fstype");
    let counts = match parsed.has("inodes") {
        true => ["itotal", "iused", "iavail", "ipcent"],
        false => ["size", "used", "avail", "pcent"],
    };
    ["source"].into_iter().chain(kind).chain(counts).chain(["target"]).filter_map(field).collect()
}

/// The fields that `--output` asks for.
fn chosen_fields(parsed: &args::Parsed) -> Result<Vec<usize>> {
    let lists = parsed.options.iter().filter(|(key, _)| *key == "output").filter_map(|(_, list)| list.as_deref());
    for (key, letter) in [("inodes", 'i'), ("portability", 'P'), ("print-type", 'T')] {
        if parsed.has(key) {
            return Err(Error::usage(format!("options -{letter} and --output are mutually exclusive")));
        }
    }
    let mut fields = Vec::new();
    for name in lists.flat_map(|list| list.split(',')) {
        let Some(field) = field(name) else {
            return Err(Error::usage(format!("option --output: field {} unknown", curly(name))));
        };
        if fields.contains(&field) {
            return Err(Error::usage(format!("option --output: field {} used more than once", curly(name))));
        }
        fields.push(field);
    }
    Ok(if fields.is_empty() { (0..FIELDS.len()).collect() } else { fields })
}

/// Which kind of file system it is: the site, or memory.
fn kind(volume: &Volume) -> &'static str {
    if volume.root.is_root() { "docsh" } else { "tmpfs" }
}

/// The table of `fields`, a row for each operand.
fn print(call: &mut Call<'_>, fields: &[usize], rows: &[(&str, Volume)], heads: &Heads, has_total: bool) -> Result<()> {
    let head = |field: usize| match FIELDS[field].0 {
        "size" => heads.size.clone(),
        "avail" => heads.avail.to_string(),
        "pcent" => heads.share.to_string(),
        _ => FIELDS[field].1.to_string(),
    };
    // The total is called so in the first of these two fields that there is.
    let label = if fields.iter().any(|field| FIELDS[*field].0 == "source") { "source" } else { "target" };
    let all = Volume {
        root: VPath::root(),
        size: rows.iter().map(|(_, volume)| volume.size).sum(),
        free: rows.iter().map(|(_, volume)| volume.free).sum(),
    };
    let cell = |field: usize, name: Option<&str>, volume: &Volume| match (FIELDS[field].0, name) {
        (field, None) if field == label => "total".to_string(),
        ("source" | "fstype", Some(_)) => kind(volume).to_string(),
        ("file", Some(name)) => name.to_string(),
        ("target", Some(_)) => volume.root.to_string(),
        ("size", _) => heads.unit.show(volume.size),
        ("used", _) => heads.unit.show(volume.size - volume.free),
        ("avail", _) => heads.unit.show(volume.free),
        // Rounded up, as what is used.
        ("pcent", _) if volume.size > 0 => {
            format!("{}%", (u128::from(volume.size - volume.free) * 100).div_ceil(volume.size.into()))
        }
        ("ipcent" | "pcent" | "fstype" | "file" | "target", _) => "-".to_string(),
        _ => "0".to_string(),
    };
    let rows = rows.iter().map(|(name, volume)| (Some(*name), volume)).chain(has_total.then_some((None, &all)));
    let rows = rows.map(|(name, volume)| fields.iter().map(|field| cell(*field, name, volume)).collect());
    let rows: Vec<Vec<String>> = iter::once(fields.iter().map(|field| head(*field)).collect()).chain(rows).collect();
    let widest = |place: usize| rows.iter().map(|row| width::of(&row[place])).max().unwrap_or(0);
    let widths: Vec<usize> = fields.iter().enumerate().map(|(at, field)| FIELDS[*field].2.max(widest(at))).collect();
    for row in &rows {
        let mut line = String::new();
        for (at, (text, field)) in row.iter().zip(fields).enumerate() {
            let blanks = " ".repeat(widths[at] - width::of(text));
            let is_last = at + 1 == row.len();
            line += match (FIELDS[*field].3, is_last) {
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
    fn each_operand_has_its_row() {
        check(
            &[("a", "")],
            "df -PT --total a /",
            expect![[r#"
                Filesystem     Type  1024-blocks  Used Available Capacity Mounted on
                docsh          docsh           0     0         0        - /
                docsh          docsh           0     0         0        - /
                total          -               0     0         0        - -
            "#]],
        );
        check(
            &[],
            "df -ih",
            expect![[r#"
                Filesystem     Inodes IUsed IFree IUse% Mounted on
                docsh               0     0     0     - /
            "#]],
        );
    }

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
        check(
            &[("a", "")],
            "df --output=size,target --total a /",
            expect![[r#"
                1K-blocks Mounted on
                        0 /
                        0 /
                        0 total
            "#]],
        );
        let (_, stderr, status) = run(&[], "df --output=x", b"");
        let message = "df: option --output: field ‘x’ unknown\nTry 'df --help' for more information.\n";
        assert_eq!((String::from_utf8_lossy(&stderr).as_ref(), status.0), (message, 1));
    }
}
