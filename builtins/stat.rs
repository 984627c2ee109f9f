//! `stat`: all that is known of a file, in GNU's layouts.
use crate::{
    Builtin, Call, Device, Error, Kind, Meta, Moment, Opt, Quoting, Result, Status,
    args::{self, Order},
    directive::Directive,
    mode, quoted,
};
use std::io::Write;

pub(crate) static STAT: Builtin = Builtin {
    name: "stat",
    synopsis: "[OPTION]... FILE...",
    about: "Display file or file system status.",
    options: &[
        Opt::flag('L', &["dereference"], "dereference", "a site has no symbolic links"),
        Opt::flag('f', &["file-system"], "file-system", "display file system status instead of file status"),
        Opt::value(' ', &["cached"], "cached", "MODE", "").long_only(),
        Opt::value('c', &["format"], "format", "FORMAT", "use the specified FORMAT, a newline after each use"),
        Opt::value(' ', &["printf"], "printf", "FORMAT", "like --format, but interpret backslash escapes, no newline")
            .long_only(),
        Opt::flag('t', &["terse"], "terse", "print the information in terse form"),
    ],
    trouble: Status(1),
    run,
};

const LONG: &str = "  File: %n\n  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\nDevice: %Hd,%Ld\tInode: %-10i  Links: %h\n\
                    Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\nAccess: %x\nModify: %y\nChange: %z\n Birth: \
                    %w\n";
const TERSE: &str = "%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o\n";
const LONG_SYSTEM: &str = "  File: \"%n\"\n    ID: %-8i Namelen: %-7l Type: %T\nBlock size: %-10s Fundamental block \
                           size: %S\nBlocks: Total: %-10b Free: %-10f Available: %a\nInodes: Total: %-10c Free: %d\n";
const TERSE_SYSTEM: &str = "%n %i %l %t %s %S %b %f %a %c %d\n";

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if parsed.operands.is_empty() {
        return Err(Error::usage("missing operand"));
    }
    let of_system = parsed.has("file-system");
    let format = match (of_system, parsed.has("terse")) {
        (false, false) => LONG,
        (false, true) => TERSE,
        (true, false) => LONG_SYSTEM,
        (true, true) => TERSE_SYSTEM,
    };
    let mut format = format.to_string();
    for (key, value) in &parsed.options {
        match (*key, value) {
            ("format", Some(text)) => format = format!("{text}\n"),
            ("printf", Some(text)) => format = unescape(call, text)?,
            _ => {}
        }
    }
    let mut status = Status::OK;
    for operand in &parsed.operands {
        let name = if operand == "-" { "/dev/stdin" } else { operand };
        let looked = call.stat(name).and_then(|mut meta| {
            if Device::named(name).is_none() {
                meta.size = Some(call.size(&call.resolve(name)?, &meta)?);
            }
            Ok(meta)
        });
        match looked {
            Ok(meta) => {
                let text = fill(&format, &|directive, letters| {
                    let field = if of_system { system_field } else { file_field };
                    field(operand, &meta, directive, letters)
                });
                call.stdout.write_all(text.as_bytes())?;
            }
            Err(error) => {
                let what = if of_system { "read file system information for" } else { "statx" };
                call.warn(format_args!("cannot {what} {}: {error}", quoted(operand)))?;
                status = Status::FAILURE;
            }
        }
    }
    Ok(status)
}

/// The text of one directive: its flags, and its letter behind a modifier `H` or `L` if there is one.
type Field<'a> = &'a dyn Fn(&Directive, &str) -> Option<String>;

fn fill(format: &str, field: Field<'_>) -> String {
    let mut out = String::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out += &rest[..at];
        let (directive, tail) = Directive::read(&rest[at + 1..]);
        let is_modified = tail.starts_with(['H', 'L']) && tail[1..].starts_with(['d', 'r']);
        let count = if is_modified { 2 } else { tail.chars().next().map_or(0, char::len_utf8) };
        let letters = &tail[..count];
        match letters {
            "" | "\n" => out += &rest[at..rest.len() - tail.len() + count],
            "%" => out.push('%'),
            letters => out += &field(&directive, letters).unwrap_or_else(|| "?".to_string()),
        }
        rest = &tail[count..];
    }
    out + rest
}

fn file_field(name: &str, meta: &Meta, directive: &Directive, letters: &str) -> Option<String> {
    let size = meta.size.unwrap_or(0);
    let number = |value: u64| Some(directive.number(&value.to_string()));
    let hex = |value: u64| match directive.is_alternative() {
        true => Some(directive.number(&format!("{value:#x}"))),
        false => Some(directive.number(&format!("{value:x}"))),
    };
    let text = |text: &str| Some(directive.text(text));
    let (type_bits, device) = match meta.kind {
        Kind::File => (0o100_000, 0),
        Kind::Dir => (0o040_000, 0),
        Kind::Device => (0o020_000, 1),
    };
    match letters {
        "a" => Some(directive.number(&format!("{}{:o}", if directive.is_alternative() { "0" } else { "" }, meta.mode))),
        "A" => text(&mode::string(meta)),
        "b" => number(Meta::allocated(size) / 512),
        "B" => number(512),
        "C" => text("?"),
        "d" => number(Meta::DEVICE),
        "D" => hex(Meta::DEVICE),
        "Hd" => number(Meta::DEVICE >> 8),
        "Ld" => number(Meta::DEVICE & 0xff),
        "f" => hex(type_bits | u64::from(meta.mode)),
        "F" => text(match meta.kind {
            Kind::File if size == 0 => "regular empty file",
            Kind::File => "regular file",
            Kind::Dir => "directory",
            Kind::Device => "character special file",
        }),
        "g" | "u" => number(0),
        "G" | "U" => text("root"),
        "h" => number(u64::from(meta.links)),
        "i" => number(meta.inode),
        "m" => text("/"),
        "n" => text(name),
        "N" => text(&Quoting::ShellEscapeAlways.quote(name)),
        "o" => number(4096),
        "r" | "R" => number(device * 0x103),
        "Hr" | "t" => number(device),
        "Lr" | "T" => number(device * 3),
        "s" => number(size),
        "w" => text("-"),
        "W" => number(0),
        "x" | "y" | "z" => text(&Moment::of(meta).format("%Y-%m-%d %H:%M:%S.%N %z")),
        "X" | "Y" | "Z" => {
            let fraction = directive.precision().map_or(String::new(), |digits| match digits {
                0 => String::new(),
                // No digit comes after the nanoseconds.
                digits => format!(".{:0<digits$.digits$}", format!("{:09}", meta.nanos)),
            });
            Some(directive.fraction(&format!("{}{fraction}", meta.mtime)))
        }
        _ => None,
    }
}

/// The file system of a site: no room is left, for nothing can be written.
fn system_field(name: &str, _: &Meta, directive: &Directive, letters: &str) -> Option<String> {
    let number = |value: u64| Some(directive.number(&value.to_string()));
    match letters {
        "a" | "b" | "c" | "d" | "f" => number(0),
        "i" => Some(directive.number("0")),
        "l" => number(255),
        "n" => Some(directive.text(name)),
        "s" | "S" => number(4096),
        "t" => Some(directive.number("0")),
        "T" => Some(directive.text("docsh")),
        _ => None,
    }
}

/// The backslash escapes of `--printf`.
fn unescape(call: &mut Call<'_>, text: &str) -> Result<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out += &rest[..at];
        rest = &rest[at + 1..];
        let Some(letter) = rest.chars().next() else {
            call.warn("warning: backslash at end of format")?;
            return Ok(out + "\\");
        };
        let digits = |radix: u32, text: &str, most: usize| {
            text.chars().take(most).take_while(|c| c.is_digit(radix)).map(char::len_utf8).sum::<usize>()
        };
        let octal = digits(8, rest, 3);
        let hex = if letter == 'x' { digits(16, &rest[1..], 2) } else { 0 };
        let (c, used) = match letter {
            _ if octal > 0 => (u8::from_str_radix(&rest[..octal], 8).unwrap_or(0) as char, octal),
            'x' if hex > 0 => (u8::from_str_radix(&rest[1..=hex], 16).unwrap_or(0) as char, hex + 1),
            'a' => ('\x07', 1),
            'b' => ('\x08', 1),
            'e' => ('\x1b', 1),
            'f' => ('\x0c', 1),
            'n' => ('\n', 1),
            'r' => ('\r', 1),
            't' => ('\t', 1),
            'v' => ('\x0b', 1),
            '"' | '\\' => (letter, 1),
            _ => {
                call.warn(format_args!("warning: unrecognized escape '\\{letter}'"))?;
                (letter, letter.len_utf8())
            }
        };
        out.push(c);
        rest = &rest[used..];
    }
    Ok(out + rest)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    const TREE: crate::testing::Tree<'_> = &[("auth/jwt.md", "text\n"), ("empty", "")];

    #[test]
    fn the_long_form() {
        check(
            TREE,
            "stat auth",
            expect![[r#"
              File: auth
              Size: 4096      	Blocks: 8          IO Block: 4096   directory
            Device: 0,42	Inode: 1           Links: 2
            Access: (0755/drwxr-xr-x)  Uid: (    0/    root)   Gid: (    0/    root)
            Access: 2025-01-15 12:00:00.000000000 +0000
            Modify: 2025-01-15 12:00:00.000000000 +0000
            Change: 2025-01-15 12:00:00.000000000 +0000
             Birth: -
        "#]],
        );
        check(
            TREE,
            "stat -t empty nosuch",
            expect![[r#"
            empty 0 0 81a4 0 0 2a 1 1 0 0 1736942400 1736942400 1736942400 0 4096
            [stderr]
            stat: cannot statx 'nosuch': No such file or directory
            [status 1]
        "#]],
        );
    }

    #[test]
    fn formats_take_widths_and_escapes() {
        check(
            TREE,
            "stat -c '%n|%10s|%-6s|%05s|%.3Y|%.3n|%#a|%Hd|%q|%%|%F' auth/jwt.md empty",
            expect![[r#"
            auth/jwt.md|         5|5     |00005|1736942400.000|aut|0644|0|?|%|regular file
            empty|         0|0     |00000|1736942400.000|emp|0644|0|?|%|regular empty file
        "#]],
        );
        check(
            TREE,
            r"stat --printf '%A\t%y\x41\101\n' auth",
            expect![[r#"
            drwxr-xr-x	2025-01-15 12:00:00.000000000 +0000AA
        "#]],
        );
        check(
            TREE,
            r"stat -c '%N\n' auth/jwt.md",
            expect![[r#"
            'auth/jwt.md'\n
        "#]],
        );
    }
}
