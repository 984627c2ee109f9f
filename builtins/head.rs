//! `head`: the beginning of each file, or all but its end. Reads no further than it must.
use crate::{
    Builtin, Call, Error, ErrorKind, FsError, Input, Opt, Purse, Result, Status,
    args::{self, Order},
    number, quoted,
    records::{Recent, Records},
};
use std::io::{BufRead, Write};

pub(crate) static HEAD: Builtin = Builtin {
    name: "head",
    synopsis: "[OPTION]... [FILE]...",
    about: "Print the first 10 lines of each FILE to standard output.",
    options: &[
        Opt::value('c', &["bytes"], "bytes", "[-]NUM", "print the first NUM bytes; with '-', all but the last NUM"),
        Opt::value('n', &["lines"], "lines", "[-]NUM", "print the first NUM lines; with '-', all but the last NUM"),
        Opt::flag('q', &["quiet", "silent"], "quiet", "never print headers giving file names"),
        Opt::flag('v', &["verbose"], "verbose", "always print headers giving file names"),
        Opt::flag('z', &["zero-terminated"], "zero", "line delimiter is NUL, not newline"),
    ],
    trouble: Status(1),
    run,
};

/// How much of a file is wanted.
#[derive(Clone, Copy)]
struct Amount {
    count: u64,
    /// `count` are left out at the end.
    all_but: bool,
    bytes: bool,
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let words = modern(&call.args[1..])?;
    let parsed = args::parse_words(&words, call.builtin.options, Order::Anywhere)?;
    let mut amount = Amount { count: 10, all_but: false, bytes: false };
    let mut headers = None;
    let mut zero = false;
    for (key, value) in &parsed.options {
        match *key {
            "quiet" => headers = Some(false),
            "verbose" => headers = Some(true),
            "zero" => zero = true,
            _ => amount = read_amount(value.as_deref().unwrap_or_default(), *key == "bytes")?,
        }
    }
    let stdin = ["-".to_string()];
    let operands = if parsed.operands.is_empty() { &stdin[..] } else { &parsed.operands };
    let mut headers = Headers::new(headers.unwrap_or(operands.len() > 1));
    let mut status = Status::OK;
    for operand in operands {
        if let Err(error) = print(call, operand, amount, zero, &mut headers) {
            let cause = FsError::within(error)?;
            call.warn(format_args!("{} {cause}", trouble(operand, &cause)))?;
            status = Status::FAILURE;
        }
    }
    Ok(status)
}

fn print(call: &mut Call<'_>, operand: &str, amount: Amount, zero: bool, headers: &mut Headers) -> Result<()> {
    let opened = if operand == "-" { Ok(call.stdin.clone()) } else { call.open(operand) };
    let opened = opened.map_err(|error| {
        let is_dir = matches!(error.kind, ErrorKind::IsADirectory);
        (Error::Io(error.into()), is_dir)
    });
    let mut input = match opened {
        Ok(input) => input,
        // A folder can be opened, only not read: its header has been printed by then.
        Err((error, is_dir)) => {
            if is_dir {
                headers.print(call, operand)?;
            }
            let unread = is_dir && amount.count == 0 && !amount.all_but;
            return if unread { Ok(()) } else { Err(error) };
        }
    };
    headers.print(call, operand)?;
    let out = &mut call.stdout;
    match amount {
        Amount { count, all_but: false, bytes: true } => copy_bytes(&mut input, out, count),
        Amount { count, all_but: false, bytes: false } => copy_records(&mut input, out, count, zero),
        Amount { count, all_but: true, bytes: true } => drop_bytes(&mut input, out, count, &mut call.memory),
        Amount { count, all_but: true, bytes: false } => drop_records(&mut input, out, count, zero, &mut call.memory),
    }
}

/// What `head` and `tail` say before the cause: a folder opens, but cannot be read.
pub(crate) fn trouble(operand: &str, cause: &FsError) -> String {
    let name = if operand == "-" { "standard input".to_string() } else { operand.to_string() };
    match cause.kind {
        ErrorKind::IsADirectory | ErrorKind::Io(_) => format!("error reading {}:", quoted(&name)),
        _ => format!("cannot open {} for reading:", quoted(&name)),
    }
}

/// The lines `==> name <==` between files, of `head` and `tail`.
pub(crate) struct Headers {
    wanted: bool,
    first: bool,
}

impl Headers {
    pub(crate) fn new(wanted: bool) -> Headers {
        Headers { wanted, first: true }
    }

    /// The header of `operand`, where headers are wanted.
    pub(crate) fn print(&mut self, call: &mut Call<'_>, operand: &str) -> Result<()> {
        if self.wanted {
            let gap = if self.first { "" } else { "\n" };
            let name = if operand == "-" { "standard input" } else { operand };
            writeln!(call.stdout, "{gap}==> {name} <==")?;
            self.first = false;
        }
        Ok(())
    }
}

fn read_amount(text: &str, bytes: bool) -> Result<Amount> {
    let (text, all_but) = match text.strip_prefix('-') {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let what = if bytes { "bytes" } else { "lines" };
    let count = number::parse(text, number::MULTIPLIERS)
        .map_err(|why| Error::failed(format!("invalid number of {what}: ‘{text}’{why}")))?;
    Ok(Amount { count, all_but, bytes })
}

/// The old spelling `-NUM[bcklmqvz]`, allowed as the first word, in today's options.
fn modern(words: &[String]) -> Result<Vec<String>> {
    let mut modern = words.to_vec();
    let Some(old) = words.first().and_then(|word| word.strip_prefix('-')) else {
        return Ok(modern);
    };
    let letters = old.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &old[..old.len() - letters.len()];
    if digits.is_empty() {
        return Ok(modern);
    }
    let (mut option, mut multiplier, mut flags) = ("-n", String::new(), Vec::new());
    for letter in letters.chars() {
        match letter {
            'c' => (option, multiplier) = ("-c", String::new()),
            'b' | 'k' | 'm' => (option, multiplier) = ("-c", letter.to_string()),
            'l' => option = "-n",
            'q' | 'v' | 'z' => flags.push(format!("-{letter}")),
            _ => return Err(Error::usage(format!("invalid trailing option -- {letter}"))),
        }
    }
    flags.push(format!("{option}{digits}{multiplier}"));
    modern.splice(0..1, flags);
    Ok(modern)
}

fn copy_bytes(input: &mut Input, out: &mut impl Write, mut count: u64) -> Result<()> {
    while count > 0 {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            break;
        }
        let used = bytes.len().min(usize::try_from(count).unwrap_or(usize::MAX));
        out.write_all(&bytes[..used])?;
        input.consume(used);
        count -= used as u64;
    }
    Ok(())
}

fn copy_records(input: &mut Input, out: &mut impl Write, mut count: u64, zero: bool) -> Result<()> {
    let end = if zero { 0 } else { b'\n' };
    while count > 0 {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            break;
        }
        let mut used = bytes.len();
        for at in memchr::memchr_iter(end, bytes) {
            count -= 1;
            if count == 0 {
                used = at + 1;
                break;
            }
        }
        out.write_all(&bytes[..used])?;
        input.consume(used);
    }
    Ok(())
}

fn drop_bytes(input: &mut Input, out: &mut impl Write, count: u64, memory: &mut Purse) -> Result<()> {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let mut held: Vec<u8> = Vec::new();
    let mut taken = 0;
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            return Ok(());
        }
        let used = bytes.len();
        held.extend_from_slice(bytes);
        input.consume(used);
        if held.len() > taken {
            memory.take(held.len() - taken)?;
            taken = held.len();
        }
        // Moving what is held costs its length, so it moves only when as much can leave.
        if held.len() / 2 > count {
            let leaving = held.len() - count;
            out.write_all(&held[..leaving])?;
            held.drain(..leaving);
        } else if held.len() > count && input.fill_buf()?.is_empty() {
            out.write_all(&held[..held.len() - count])?;
            return Ok(());
        }
    }
}

fn drop_records(input: &mut Input, out: &mut impl Write, count: u64, zero: bool, memory: &mut Purse) -> Result<()> {
    let mut records = Records::lines(zero);
    let mut recent = Recent::new(count);
    while let Some(record) = records.next(input, memory)? {
        if let Some(record) = recent.push(record, memory)? {
            out.write_all(record)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with_stdin};
    use expect_test::expect;

    const TREE: &[(&str, &str)] = &[("a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n"), ("b", "x\ny"), ("d/e", "")];

    #[test]
    fn several_files_have_headers_and_a_folder_cannot_be_read() {
        check(
            TREE,
            "head -n 1 a nosuch d b",
            expect![[r#"
                ==> a <==
                1

                ==> d <==

                ==> b <==
                x
                [stderr]
                head: cannot open 'nosuch' for reading: No such file or directory
                head: error reading 'd': Is a directory
                [status 1]
            "#]],
        );
    }

    #[test]
    fn the_end_can_be_left_out() {
        check(
            TREE,
            "head -n -9 a",
            expect![[r#"
            1
            2
        "#]],
        );
        check(
            TREE,
            "head -n -1 b",
            expect![[r#"
            x
        "#]],
        );
        check(
            TREE,
            "head -c -20 a",
            expect![[r#"
            1
            2
        "#]],
        );
    }

    #[test]
    fn the_old_spelling() {
        check(
            TREE,
            "head -2 a",
            expect![[r#"
            1
            2
        "#]],
        );
        check(
            TREE,
            "head -3cv b",
            expect![[r#"
            ==> b <==
            x
            y[no newline]
        "#]],
        );
    }

    #[test]
    fn counts_have_multipliers_and_wrong_ones_are_named() {
        check_with_stdin(&[], "head -c 1b", "short", expect!["short[no newline]\n"]);
        check(
            TREE,
            "head -n abc a",
            expect![[r#"
            [stderr]
            head: invalid number of lines: ‘abc’
            [status 1]
        "#]],
        );
    }
}
