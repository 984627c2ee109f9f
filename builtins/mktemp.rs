//! `mktemp`: a file or folder of a new name, where the tree takes any; `-u` only makes the name.
use crate::{
    Builtin, Call, Change, Error, ErrorKind, FsResult, Opening, Opt, Result, Status,
    args::{self, Order},
    curly,
};
use std::{
    hash::{BuildHasher, RandomState},
    io::Write,
};

pub(crate) static MKTEMP: Builtin = Builtin {
    name: "mktemp",
    synopsis: "[OPTION]... [TEMPLATE]",
    about: "Create a temporary file or directory, safely, and print its name. A site cannot be written to.",
    options: &[
        Opt::flag('d', &["directory"], "directory", "create a directory, not a file"),
        Opt::flag('u', &["dry-run"], "dry-run", "do not create anything; merely print a name"),
        Opt::flag('q', &["quiet"], "quiet", "suppress diagnostics about file/dir-creation failure"),
        Opt::value(' ', &["suffix"], "suffix", "SUFF", "append SUFF to TEMPLATE").long_only(),
        Opt::value('p', &[], "folder", "DIR", "interpret TEMPLATE relative to DIR"),
        Opt::flag(' ', &["tmpdir"], "tmpdir", "the same; DIR defaults to $TMPDIR, else /tmp")
            .long_only()
            .optional("DIR"),
        Opt::flag('t', &[], "t", ""),
    ],
    trouble: Status(1),
    run,
};

/// Names that are tried, one after the other, until one is free.
const ATTEMPTS: usize = 100;

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if parsed.operands.len() > 1 {
        return Err(Error::usage("too many templates"));
    }
    let default = call.session.env("TMPDIR").unwrap_or("/tmp");
    let named = parsed.value("folder").or(parsed.value("tmpdir"));
    let dir = match (named, parsed.operands.is_empty() || parsed.has("tmpdir") || parsed.has("t")) {
        (Some(dir), _) => Some(dir),
        (None, true) => Some(default),
        (None, false) => None,
    };
    let name = parsed.operands.first().map_or("tmp.XXXXXXXXXX", String::as_str);
    let (stem, suffix) = match parsed.value("suffix") {
        Some(suffix) => (name, suffix),
        None => name.split_at(name.rfind('X').map_or(name.len(), |at| at + 1)),
    };
    let blanks = stem.len() - stem.trim_end_matches('X').len();
    if blanks < 3 {
        return Err(Error::failed(format!("too few X's in template {}", curly(name))));
    }
    let template = dir.map_or(stem.to_string(), |dir| crate::change::below(dir, stem));
    let stem = &template[..template.len() - blanks];
    for _ in 0..ATTEMPTS {
        let name = format!("{stem}{}{suffix}", letters(blanks));
        let made = match (parsed.has("dry-run"), parsed.has("directory")) {
            (true, _) => Ok(()),
            (false, true) => call.make(&name, Change::MakeFolder(0o700)),
            (false, false) => make_file(call, &name),
        };
        match made {
            Ok(()) => {
                writeln!(call.stdout, "{name}")?;
                return Ok(Status::OK);
            }
            Err(error) if matches!(error.kind, ErrorKind::Exists) => {}
            Err(why) => {
                if !parsed.has("quiet") {
                    let kind = if parsed.has("directory") { "directory" } else { "file" };
                    let whole = curly(&format!("{template}{suffix}"));
                    call.warn(format_args!("failed to create {kind} via template {whole}: {why}"))?;
                }
                return Ok(Status::FAILURE);
            }
        }
    }
    Err(Error::failed(format!("too many files called {}", curly(&format!("{template}{suffix}")))))
}

/// Make a new, empty file that nobody else may read.
fn make_file(call: &Call<'_>, name: &str) -> FsResult<()> {
    if let Ok(path) = call.resolve(name) {
        return Err(ErrorKind::Exists.at(&path));
    }
    call.open_to_write(name, Opening::Over)?;
    call.change(name, Change::SetMode(0o600))
}

/// So many letters and digits, at random.
fn letters(count: usize) -> String {
    const ALL: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let random = RandomState::new();
    (0..count).map(|at| char::from(ALL[(random.hash_one(at) % 62) as usize])).collect()
}
