//! `paste`: the lines of several files side by side, or each file's lines in one.
use crate::{
    Builtin, Call, Error, FsError, Input, Opt, Result, Status,
    args::{self, Order},
    quoted_if_odd,
    records::Records,
};
use std::io::Write;

pub(crate) static PASTE: Builtin = Builtin {
    name: "paste",
    synopsis: "[OPTION]... [FILE]...",
    about: "Write lines consisting of the sequentially corresponding lines from each FILE.",
    options: &[
        Opt::value('d', &["delimiters"], "delimiters", "LIST", "reuse characters from LIST instead of TABs"),
        Opt::flag('s', &["serial"], "serial", "paste one file at a time instead of in parallel"),
        Opt::flag('z', &["zero-terminated"], "zero", "line delimiter is NUL, not newline"),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let delimiters = read_delimiters(parsed.value("delimiters").unwrap_or("\t"))?;
    let end = if parsed.has("zero") { 0 } else { b'\n' };
    let stdin = ["-".to_string()];
    let files = if parsed.operands.is_empty() { &stdin[..] } else { &parsed.operands };
    match parsed.has("serial") {
        true => serial(call, files, &delimiters, end),
        false => parallel(call, files, &delimiters, end),
    }
}

/// Each delimiter, `\0` being none.
fn read_delimiters(list: &str) -> Result<Vec<Option<u8>>> {
    let mut delimiters = Vec::new();
    let mut bytes = list.bytes();
    while let Some(byte) = bytes.next() {
        delimiters.push(match byte {
            b'\\' => match bytes.next() {
                Some(b'0') => None,
                Some(b'b') => Some(8),
                Some(b'f') => Some(12),
                Some(b'n') => Some(b'\n'),
                Some(b'r') => Some(b'\r'),
                Some(b't') => Some(b'\t'),
                Some(b'v') => Some(11),
                Some(byte) => Some(byte),
                None => {
                    let message = format!("delimiter list ends with an unescaped backslash: {list}");
                    return Err(Error::failed(message));
                }
            },
            byte => Some(byte),
        });
    }
    if delimiters.is_empty() {
        delimiters.push(None);
    }
    Ok(delimiters)
}

fn open(call: &Call<'_>, file: &str) -> Result<Input> {
    match file {
        "-" => Ok(call.stdin.clone()),
        file => Ok(call.open(file).map_err(std::io::Error::from)?),
    }
}

fn serial(call: &mut Call<'_>, files: &[String], delimiters: &[Option<u8>], end: u8) -> Result<Status> {
    let mut status = Status::OK;
    for file in files {
        let result = open(call, file).and_then(|mut input| {
            let mut records = Records::new(end);
            let mut between = delimiters.iter().cycle();
            let mut first = true;
            while let Some(line) = records.next_bare(&mut input, &mut call.memory)? {
                if !std::mem::take(&mut first)
                    && let Some(Some(byte)) = between.next()
                {
                    call.stdout.write_all(&[*byte])?;
                }
                call.stdout.write_all(line)?;
            }
            Ok(())
        });
        let opened = match result {
            Ok(()) => true,
            Err(error) => {
                let cause = FsError::within(error)?;
                call.warn_apart(format_args!("{}: {cause}", quoted_if_odd(file)));
                status = Status::FAILURE;
                // A folder opens, and has no lines.
                matches!(cause.kind, crate::ErrorKind::IsADirectory | crate::ErrorKind::Io(_))
            }
        };
        if opened {
            call.stdout.write_all(&[end])?;
        }
    }
    Ok(status)
}

fn parallel(call: &mut Call<'_>, files: &[String], delimiters: &[Option<u8>], end: u8) -> Result<Status> {
    let mut columns: Vec<Option<Input>> = Vec::new();
    let mut status = Status::OK;
    for file in files {
        columns.push(match open(call, file) {
            Ok(input) => Some(input),
            Err(error) => {
                let cause = FsError::within(error)?;
                match cause.kind {
                    crate::ErrorKind::IsADirectory => {
                        call.warn_apart(format_args!("{}: {cause}", quoted_if_odd(file)));
                        status = Status::FAILURE;
                        None
                    }
                    _ => return Err(Error::failed(format!("{}: {cause}", quoted_if_odd(file)))),
                }
            }
        });
    }
    let mut records = Records::new(end);
    let mut row = Vec::new();
    loop {
        row.clear();
        let mut any = false;
        let mut between = delimiters.iter().cycle();
        for at in 0..columns.len() {
            if at > 0
                && let Some(Some(byte)) = between.next()
            {
                row.push(*byte);
            }
            let Some(input) = &mut columns[at] else { continue };
            match records.next_bare(input, &mut call.memory) {
                Ok(Some(line)) => {
                    row.extend_from_slice(line);
                    any = true;
                }
                Ok(None) => columns[at] = None,
                Err(error) => {
                    let cause = FsError::within(error)?;
                    call.warn_apart(format_args!("{}: {cause}", quoted_if_odd(&files[at])));
                    status = Status::FAILURE;
                    columns[at] = None;
                }
            }
            // Another column may read the same file on.
            if let Some(input) = &mut columns[at] {
                input.release();
            }
        }
        if !any {
            return Ok(status);
        }
        row.push(end);
        call.stdout.write_all(&row)?;
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with_stdin};
    use expect_test::expect;

    const TREE: &[(&str, &str)] = &[("a", "1\n2\n3\n"), ("b", "x\ny")];

    #[test]
    fn side_by_side() {
        check(
            TREE,
            "paste a b",
            expect![["
            1\tx
            2\ty
            3\t
        "]],
        );
        check(
            TREE,
            r"paste -d ':\0' a b a",
            expect![[r#"
            1:x1
            2:y2
            3:3
        "#]],
        );
        check_with_stdin(
            TREE,
            "paste -d, - -",
            "1\n2\n3\n",
            expect![[r#"
            1,2
            3,
        "#]],
        );
    }

    #[test]
    fn one_file_at_a_time() {
        check(
            TREE,
            "paste -sd, a b",
            expect![[r#"
            1,2,3
            x,y
        "#]],
        );
    }

    #[test]
    fn a_missing_file_ends_it() {
        check(
            TREE,
            "paste a nosuch",
            expect![[r#"
            [stderr]
            paste: nosuch: No such file or directory
            [status 1]
        "#]],
        );
    }
}
