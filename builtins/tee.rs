//! `tee`: stdin to stdout and to files.
use crate::{
    Builtin, Call, ErrorKind, Opening, Opt, Output, Result, Status,
    args::{self, Order},
    quoted_if_odd,
};
use std::io::{self, BufRead, Write};

pub(crate) static TEE: Builtin = Builtin {
    name: "tee",
    synopsis: "[OPTION]... [FILE]...",
    about: "Copy standard input to each FILE, and also to standard output.",
    options: &[
        Opt::flag('a', &["append"], "append", "append to the given FILEs, do not overwrite"),
        Opt::flag('i', &["ignore-interrupts"], "ignore", "(ignored)"),
        Opt::flag('p', &[], "p", "(ignored)"),
        Opt::flag('o', &["output-error"], "error", "(ignored)").long_only().optional("MODE"),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if let Some(mode) = parsed.value("error") {
        let modes = [("warn", ()), ("warn-nopipe", ()), ("exit", ()), ("exit-nopipe", ())];
        args::choice(call, "--output-error", mode, &modes)?;
    }
    let mut status = Status::OK;
    let opening = if parsed.has("append") { Opening::Append } else { Opening::Anew };
    let mut copies: Vec<(&str, Output)> = Vec::new();
    for file in &parsed.operands {
        match call.open_to_write(file, opening) {
            Ok(output) => copies.push((file, output)),
            Err(error) => {
                call.warn(format_args!("{}: {error}", quoted_if_odd(file)))?;
                status = Status::FAILURE;
            }
        }
    }
    let mut input = call.stdin.clone();
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            return Ok(status);
        }
        call.stdout.write_all(bytes)?;
        call.stdout.flush()?;
        let mut full = Vec::new();
        for (at, (_, copy)) in copies.iter_mut().enumerate() {
            match copy.write_all(bytes).and_then(|()| copy.flush()) {
                Err(error) if error.kind() == io::ErrorKind::StorageFull => full.push(at),
                written => written?,
            }
        }
        let used = bytes.len();
        input.consume(used);
        // The others still get all of it.
        for at in full.into_iter().rev() {
            let (file, _) = copies.remove(at);
            call.warn(format_args!("{}: {}", quoted_if_odd(file), ErrorKind::NoSpace))?;
            status = Status::FAILURE;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_with_stdin;
    use expect_test::expect;

    #[test]
    fn it_copies_whatever_happens_to_the_files() {
        check_with_stdin(
            &[("d/e", "")],
            "tee /dev/null out d nosuch/x",
            "hi\n",
            expect![[r#"
            hi
            [stderr]
            tee: out: Read-only file system
            tee: d: Is a directory
            tee: nosuch/x: No such file or directory
            [status 1]
        "#]],
        );
    }
}
