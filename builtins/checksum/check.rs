//! `-c`: the sums of a list against the files it names.
use super::{Algorithm, line::Entry, sum};
use crate::{Call, Error, ErrorKind, FsError, Result, Status, args::Parsed, quoted_if_odd, records::Records};
use std::io::Write;

/// What is said while checking.
pub(crate) struct Checking {
    ignore_missing: bool,
    quiet: bool,
    silent: bool,
    strict: bool,
    warn: bool,
}

impl Checking {
    /// Read the flags, which only `-c` gives a meaning.
    pub(crate) fn read(parsed: &Parsed) -> Result<Checking> {
        for flag in ["ignore-missing", "status", "warn", "quiet", "strict"] {
            if parsed.has(flag) && !parsed.has("check") {
                let message = format!("the --{flag} option is meaningful only when verifying checksums");
                return Err(Error::usage(message));
            }
        }
        let last = parsed.options.iter().rev().map(|(key, _)| *key);
        let loudness = last.clone().find(|key| matches!(*key, "quiet" | "status" | "warn"));
        Ok(Checking {
            ignore_missing: parsed.has("ignore-missing"),
            quiet: loudness == Some("quiet"),
            silent: loudness == Some("status"),
            strict: parsed.has("strict"),
            warn: loudness == Some("warn"),
        })
    }
}

/// What was found in one list.
#[derive(Default)]
struct Tally {
    proper: u64,
    improper: u64,
    unreadable: u64,
    wrong: u64,
    right: u64,
}

/// Check every list.
pub(crate) fn run(
    call: &mut Call<'_>,
    algorithm: Option<Algorithm>,
    checking: &Checking,
    lists: &[String],
) -> Result<Status> {
    let stdin = ["-".to_string()];
    let lists = if lists.is_empty() { &stdin[..] } else { lists };
    let mut status = Status::OK;
    for list in lists {
        match check_list(call, algorithm, checking, list) {
            Ok(true) => {}
            Ok(false) => status = Status::FAILURE,
            Err(error) => {
                let cause = FsError::within(error)?;
                call.warn(format_args!("{}: {cause}", quoted_if_odd(list)))?;
                status = Status::FAILURE;
            }
        }
    }
    Ok(status)
}

fn check_list(call: &mut Call<'_>, algorithm: Option<Algorithm>, checking: &Checking, list: &str) -> Result<bool> {
    let (mut input, name) = match list {
        "-" => (call.stdin.clone(), "'standard input'".to_string()),
        list => (call.open(list).map_err(std::io::Error::from)?, quoted_if_odd(list)),
    };
    let kind = match algorithm {
        None => "checksum".to_string(),
        Some(algorithm) => format!("{} checksum", algorithm.tag().split('-').next().unwrap_or_default()),
    };
    let mut tally = Tally::default();
    let mut records = Records::lines(false);
    let mut number: u64 = 0;
    while let Some(line) = records.next_bare(&mut input, &mut call.memory)? {
        number += 1;
        if line.first() == Some(&b'#') {
            continue;
        }
        let text = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned();
        match Entry::read(&text, algorithm).filter(|entry| !(list == "-" && entry.file == "-")) {
            Some(entry) => check_entry(call, checking, &entry, &mut tally)?,
            None if text.is_empty() => {}
            None => {
                tally.improper += 1;
                if checking.warn {
                    call.warn(format_args!("{name}: {number}: improperly formatted {kind} line"))?;
                }
            }
        }
    }
    if tally.proper == 0 {
        call.warn(format_args!("{name}: no properly formatted checksum lines found"))?;
        return Ok(false);
    }
    if !checking.silent {
        report(call, &tally)?;
    }
    if checking.ignore_missing && tally.right + tally.wrong == 0 {
        if !checking.silent {
            call.warn(format_args!("{name}: no file was verified"))?;
        }
        return Ok(false);
    }
    Ok(tally.wrong == 0 && tally.unreadable == 0 && !(checking.strict && tally.improper > 0))
}

fn check_entry(call: &mut Call<'_>, checking: &Checking, entry: &Entry, tally: &mut Tally) -> Result<()> {
    tally.proper += 1;
    let shown = match entry.file.contains('\n') {
        true => format!("\\{}", entry.file.replace('\\', "\\\\").replace('\n', "\\n")),
        false => entry.file.clone(),
    };
    let verdict = match sum(call, entry.algorithm, &entry.file) {
        Ok(found) if found.text == entry.sum => {
            tally.right += 1;
            (!checking.quiet).then_some("OK")
        }
        Ok(_) => {
            tally.wrong += 1;
            Some("FAILED")
        }
        Err(error) => {
            let cause = FsError::within(error)?;
            if checking.ignore_missing && matches!(cause.kind, ErrorKind::NotFound) {
                return Ok(());
            }
            call.warn(format_args!("{}: {cause}", quoted_if_odd(&entry.file)))?;
            tally.unreadable += 1;
            Some("FAILED open or read")
        }
    };
    if let Some(verdict) = verdict.filter(|_| !checking.silent) {
        writeln!(call.stdout, "{shown}: {verdict}")?;
    }
    Ok(())
}

fn report(call: &mut Call<'_>, tally: &Tally) -> Result<()> {
    let lines = [
        (tally.improper, "line is improperly formatted", "lines are improperly formatted"),
        (tally.unreadable, "listed file could not be read", "listed files could not be read"),
        (tally.wrong, "computed checksum did NOT match", "computed checksums did NOT match"),
    ];
    for (count, one, many) in lines.into_iter().filter(|(count, ..)| *count > 0) {
        call.warn(format_args!("WARNING: {count} {}", if count == 1 { one } else { many }))?;
    }
    Ok(())
}
