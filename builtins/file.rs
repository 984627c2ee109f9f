//! `file`: what a file is, by what it holds.
//!
//! Text is told by its encoding, its line ends and, for the kinds that documentation holds (JSON, CSV, scripts, HTML,
//! XML, sources), by its language; a few binary formats by their first bytes. All else is `data`.
mod kind;
mod text;

use crate::{
    Builtin, Call, Error, ErrorKind, FsError, Kind, Opt, Result, Status,
    args::{self, Order},
    width,
};
use kind::Found;
use std::io::{BufRead, Read, Write};

pub(crate) static FILE: Builtin = Builtin {
    name: "file",
    synopsis: "[OPTION...] [FILE...]",
    about: "Determine type of FILEs.",
    options: &[
        Opt::flag('b', &["brief"], "brief", "do not prepend filenames to output lines"),
        Opt::flag('c', &["checking-printout"], "checking-printout", ""),
        Opt::flag('C', &["compile"], "compile", ""),
        Opt::flag('d', &["debug"], "debug", ""),
        Opt::flag('E', &[], "E", "exit with an error when a file cannot be read"),
        Opt::value('e', &["exclude"], "ignored", "TEST", ""),
        Opt::flag(' ', &["apple"], "apple", "output the Apple CREATOR/TYPE").long_only(),
        Opt::flag(' ', &["extension"], "extension", "output a slash-separated list of extensions").long_only(),
        Opt::value('f', &["files-from"], "files-from", "FILE", "read the filenames to be examined from FILE"),
        Opt::value('F', &["separator"], "separator", "STRING", "use string as separator instead of `:'"),
        Opt::flag('i', &["mime"], "mime", "output MIME type strings (--mime-type and --mime-encoding)"),
        Opt::flag(' ', &["mime-type"], "mime-type", "output the MIME type").long_only(),
        Opt::flag(' ', &["mime-encoding"], "mime-encoding", "output the MIME encoding").long_only(),
        Opt::flag('k', &["keep-going"], "ignored", ""),
        Opt::flag('l', &["list"], "ignored", ""),
        Opt::flag('L', &["dereference"], "ignored", "a site has no symbolic links"),
        Opt::flag('h', &["no-dereference"], "ignored", "a site has no symbolic links"),
        Opt::value('m', &["magic-file"], "ignored", "LIST", ""),
        Opt::flag('n', &["no-buffer"], "ignored", ""),
        Opt::flag('N', &["no-pad"], "no-pad", "do not pad output"),
        Opt::flag('0', &["print0"], "print0", "terminate filenames with ASCII NUL"),
        Opt::flag('p', &["preserve-date"], "ignored", ""),
        Opt::value('P', &["parameter"], "ignored", "NAME=VALUE", ""),
        Opt::flag('r', &["raw"], "ignored", ""),
        Opt::flag('s', &["special-files"], "ignored", ""),
        Opt::flag('S', &["no-sandbox"], "ignored", ""),
        Opt::flag('v', &["version"], "version", "output version information and exit"),
        Opt::flag('z', &["uncompress"], "ignored", ""),
        Opt::flag('Z', &["uncompress-noreport"], "ignored", ""),
    ],
    trouble: Status(1),
    run,
};

/// What is looked at of a file, as the real one does.
const LOOKED_AT: u64 = 1 << 20;

/// What is printed of a kind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Words,
    Mime {
        kind: bool,
        encoding: bool,
    },
    /// The suffixes that such files have.
    Extension,
    /// What old systems of Apple call the kind and its program: nothing here has such a name.
    Apple,
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if parsed.has("version") {
        return Err(Error::Version);
    }
    for key in ["checking-printout", "compile", "debug"] {
        if parsed.has(key) {
            return Err(Error::failed(format!("--{key} is not supported: no magic files are read here")));
        }
    }
    let (kind, encoding) = (parsed.has("mime-type"), parsed.has("mime-encoding"));
    let style = match parsed.has("mime") {
        true => Style::Mime { kind: true, encoding: true },
        false if kind || encoding => Style::Mime { kind, encoding },
        false if parsed.has("apple") => Style::Apple,
        false if parsed.has("extension") => Style::Extension,
        false => Style::Words,
    };
    let mut names = Vec::new();
    for list in parsed.options.iter().filter(|(key, _)| *key == "files-from").filter_map(|(_, list)| list.as_deref()) {
        let mut input = match list {
            "-" => call.stdin.clone(),
            list => call.open(list).map_err(|error| Error::failed(format!("Cannot open `{list}' ({error})")))?,
        };
        let mut line = Vec::new();
        while input.read_until(b'\n', &mut line)? > 0 {
            call.memory.take(line.len())?;
            names.push(String::from_utf8_lossy(&line).trim_end_matches('\n').to_string());
            line.clear();
        }
    }
    names.extend(parsed.operands.iter().cloned());
    if names.is_empty() {
        return Err(Error::usage("missing file operand"));
    }
    let separator = parsed.value("separator").unwrap_or(":");
    let shown = |name: &str| if name == "-" { "/dev/stdin".to_string() } else { name.to_string() };
    let widest = names.iter().map(|name| width::of(&shown(name))).max().unwrap_or(0);
    let mut status = Status::OK;
    for name in &names {
        call.cancel.check()?;
        let text = match look(call, name)? {
            // These two look into a folder as into a file.
            Ok(found) if found.is_dir() && matches!(style, Style::Extension | Style::Apple) => {
                status = Status::FAILURE;
                format!("ERROR: cannot read `{name}' ({})", ErrorKind::IsADirectory)
            }
            Ok(found) => found.show(style),
            Err(error) => {
                if parsed.has("E") {
                    status = Status::FAILURE;
                }
                format!("cannot open `{name}' ({error})")
            }
        };
        if !parsed.has("brief") {
            let name = shown(name);
            let padding = if parsed.has("no-pad") { 0 } else { widest - width::of(&name) };
            let end = if parsed.has("print0") { "\0" } else { "" };
            write!(call.stdout, "{name}{end}{separator}{} ", " ".repeat(padding))?;
        }
        writeln!(call.stdout, "{text}")?;
    }
    Ok(status)
}

impl Found {
    fn is_dir(&self) -> bool {
        self.mime == "inode/directory"
    }

    fn show(&self, style: Style) -> String {
        match style {
            Style::Words => self.words.clone(),
            Style::Mime { kind: true, encoding: false } => self.mime.clone(),
            Style::Mime { kind: false, .. } => self.encoding.to_string(),
            Style::Extension => kind::extensions(&self.mime).to_string(),
            Style::Apple => "UNKNUNKN".to_string(),
            Style::Mime { .. } => format!("{}; charset={}", self.mime, self.encoding),
        }
    }
}

/// What `name` is, or why it cannot be read.
fn look(call: &mut Call<'_>, name: &str) -> Result<Result<Found, FsError>> {
    let mut input = if name == "-" {
        call.stdin.clone()
    } else {
        match call.stat(name) {
            Ok(meta) if meta.is_dir() => return Ok(Ok(Found::new("directory", "inode/directory", "binary"))),
            Ok(meta) if meta.kind == Kind::Device => {
                return Ok(Ok(Found::new("character special (1/3)", "inode/chardevice", "binary")));
            }
            Ok(_) => {}
            Err(error) => return Ok(Err(error)),
        }
        match call.open(name) {
            Ok(input) => input,
            Err(error) => return Ok(Err(error)),
        }
    };
    let mut bytes = Vec::new();
    call.memory.take(LOOKED_AT as usize)?;
    let read = (&mut input).take(LOOKED_AT).read_to_end(&mut bytes);
    let answer = match read {
        Ok(_) => Ok(kind::of(&bytes)),
        Err(error) => Err(FsError::within(error.into())?),
    };
    call.memory.give(LOOKED_AT as usize);
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    const TREE: crate::testing::Tree<'_> = &[
        ("a/x.md", "# Title\n"),
        ("crlf.txt", "a\r\nb\r\n"),
        ("empty", ""),
        ("é.md", "日本\n"),
        ("install.sh", "#!/usr/bin/env bash\necho\n"),
        ("data.json", "{\"a\": [1, 2.5e3, null]}\n"),
        ("events.ndjson", "{\"a\":1}\n{\"a\":2}\n"),
        ("users.csv", "id,name\n1,x\n2,y\n"),
        ("bare", "no newline"),
        ("index.html", "<!DOCTYPE html>\n<html></html>\n"),
        ("bin", "\u{0}\u{1}\u{2}"),
    ];

    #[test]
    fn files_are_told_by_what_they_hold() {
        check(
            TREE,
            "file a a/x.md crlf.txt empty é.md install.sh data.json events.ndjson users.csv bare index.html bin nosuch",
            expect![[r#"
                a:             directory
                a/x.md:        ASCII text
                crlf.txt:      ASCII text, with CRLF line terminators
                empty:         empty
                é.md:          Unicode text, UTF-8 text
                install.sh:    Bourne-Again shell script, ASCII text executable
                data.json:     JSON text data
                events.ndjson: New Line Delimited JSON text data
                users.csv:     CSV ASCII text
                bare:          ASCII text, with no line terminators
                index.html:    HTML document, ASCII text
                bin:           data
                nosuch:        cannot open `nosuch' (No such file or directory)
            "#]],
        );
        check(
            TREE,
            "file -b crlf.txt",
            expect![[r#"
            ASCII text, with CRLF line terminators
        "#]],
        );
    }

    #[test]
    fn suffixes_are_told_where_they_are_known() {
        check(
            &[("a.md", "# A\n"), ("d/e", ""), ("m", "GIF89a\u{1}\0\u{1}\0\0\0"), ("p", "%PDF-1.4\n")],
            "file --extension a.md d m p",
            expect![[r#"
                a.md: ???
                d:    ERROR: cannot read `d' (Is a directory)
                m:    gif
                p:    pdf
                [status 1]
            "#]],
        );
    }

    #[test]
    fn mime_types_are_told_too() {
        check(
            TREE,
            "file -i a empty é.md data.json install.sh",
            expect![[r#"
            a:          inode/directory; charset=binary
            empty:      inode/x-empty; charset=binary
            é.md:       text/plain; charset=utf-8
            data.json:  application/json; charset=us-ascii
            install.sh: text/x-shellscript; charset=us-ascii
        "#]],
        );
        check(
            TREE,
            "file --mime-type -N a/x.md index.html bin",
            expect![[r#"
            a/x.md: text/plain
            index.html: text/html
            bin: application/octet-stream
        "#]],
        );
    }
}
