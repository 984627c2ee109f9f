//! `rev`: each line, its characters in reverse order.
use crate::{
    Builtin, Call, FsError, Opt, Result, Status,
    args::{self, Order},
    records::Records,
};
use std::io::Write;

pub(crate) static REV: Builtin = Builtin {
    name: "rev",
    synopsis: "[OPTION]... [FILE]...",
    about: "Reverse lines characterwise.",
    options: &[
        Opt::flag('0', &["zero"], "zero", "use the byte 0 as line separator"),
        Opt::flag('h', &[], args::HELP, "display this help"),
        Opt::flag('V', &[], args::VERSION, "display version"),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let zero = parsed.has("zero");
    // `-` is a file of that name.
    let files = match parsed.operands.as_slice() {
        [] => vec![None],
        names => names.iter().map(Some).collect(),
    };
    let mut status = Status::OK;
    for file in files {
        let opened = file.map_or_else(|| Ok(call.stdin.clone()), |name| call.open(name));
        let result = opened.map_err(|error| std::io::Error::from(error).into()).and_then(|mut input| {
            let mut records = Records::lines(zero);
            let end = if zero { 0 } else { b'\n' };
            while let Some(record) = records.next(&mut input, &mut call.memory)? {
                let line = record.strip_suffix(&[end]).unwrap_or(record);
                call.stdout.write_all(&reversed(line))?;
                call.stdout.write_all(&record[line.len()..])?;
            }
            Ok(())
        });
        if let Err(error) = result {
            let cause = FsError::within(error)?;
            call.warn_apart(format_args!("cannot open {}: {cause}", file.map_or("stdin", String::as_str)));
            status = Status::FAILURE;
        }
    }
    Ok(status)
}

fn reversed(line: &[u8]) -> Vec<u8> {
    match std::str::from_utf8(line) {
        Ok(text) => text.chars().rev().collect::<String>().into_bytes(),
        Err(_) => line.iter().rev().copied().collect(),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_with_stdin;
    use expect_test::expect;

    #[test]
    fn characters_are_reversed() {
        check_with_stdin(
            &[],
            "rev",
            "abc\nhé日",
            expect![[r#"
            cba
            日éh[no newline]
        "#]],
        );
    }
}
