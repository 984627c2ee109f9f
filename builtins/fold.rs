//! `fold`: long lines broken at a width. Columns are bytes, with tabs, backspaces and carriage returns understood.
use crate::{
    Builtin, Call, Error, Input, Opt, Output, Purse, Result, Status,
    args::{self, Order},
    curly, number,
};
use std::io::{BufRead, Write};

pub(crate) static FOLD: Builtin = Builtin {
    name: "fold",
    synopsis: "[OPTION]... [FILE]...",
    about: "Wrap input lines in each FILE, writing to standard output.",
    options: &[
        Opt::flag('b', &["bytes"], "bytes", "count bytes rather than columns"),
        Opt::flag('s', &["spaces"], "spaces", "break at spaces"),
        Opt::value('w', &["width"], "width", "WIDTH", "use WIDTH columns instead of 80"),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let words = modern(&call.args[1..]);
    let parsed = args::parse_words(&words, call.builtin.options, Order::Anywhere)?;
    let (bytes, spaces) = (parsed.has("bytes"), parsed.has("spaces"));
    let width = match parsed.value("width") {
        None => 80,
        Some(text) => match number::parse(text, "") {
            Ok(width) if width > 0 => width,
            _ => return Err(Error::failed(format!("invalid number of columns: {}", curly(text)))),
        },
    };
    call.each_input(&parsed.operands, |call, _, input| {
        fold(input, &mut call.stdout, &mut call.memory, width, bytes, spaces)
    })
}

/// `-NUM` as `-w NUM`.
fn modern(words: &[String]) -> Vec<String> {
    let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let width = |word: &String| word.strip_prefix('-').filter(is_number).map(|number| format!("-w{number}"));
    words.iter().map(|word| width(word).unwrap_or_else(|| word.clone())).collect()
}

fn fold(input: &mut Input, out: &mut Output, memory: &mut Purse, width: u64, bytes: bool, spaces: bool) -> Result<()> {
    let next = |column: u64, byte: u8| match byte {
        b'\x08' if !bytes => column.saturating_sub(1),
        b'\r' if !bytes => 0,
        b'\t' if !bytes => column + 8 - column % 8,
        _ => column + 1,
    };
    let mut line: Vec<u8> = Vec::new();
    let mut column = 0;
    let mut taken = 64 * 1024;
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            out.write_all(&line)?;
            return Ok(());
        }
        let used = buffer.len();
        for &byte in buffer {
            if byte == b'\n' {
                line.push(byte);
                out.write_all(&line)?;
                line.clear();
                column = 0;
                continue;
            }
            // A byte that is too wide alone stands alone.
            while next(column, byte) > width && !line.is_empty() {
                let blank = line.iter().rposition(|byte| matches!(byte, b' ' | b'\t')).filter(|_| spaces);
                let kept = blank.map_or(line.len(), |at| at + 1);
                out.write_all(&line[..kept])?;
                out.write_all(b"\n")?;
                line.drain(..kept);
                column = line.iter().fold(0, |column, byte| next(column, *byte));
            }
            column = next(column, byte);
            line.push(byte);
        }
        input.consume(used);
        if line.len() > taken {
            memory.take(line.len() - taken)?;
            taken = line.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_with_stdin;
    use expect_test::expect;

    #[test]
    fn lines_break_at_the_width_or_at_blanks() {
        check_with_stdin(
            &[],
            "fold -w 4",
            "abcdefghij",
            expect![[r#"
            abcd
            efgh
            ij[no newline]
        "#]],
        );
        let text = "The quick brown fox\n";
        let (stdout, ..) = crate::testing::run(&[], "fold -s -12", text.as_bytes());
        assert_eq!(String::from_utf8_lossy(&stdout), "The quick \nbrown fox\n");
    }

    #[test]
    fn a_tab_takes_its_columns() {
        check_with_stdin(
            &[],
            "fold -w 10",
            "a\tbcd\n",
            expect![["
            a\tbc
            d
        "]],
        );
        check_with_stdin(
            &[],
            "fold -bw 3",
            "a\tbcd\n",
            expect![["
            a\tb
            cd
        "]],
        );
    }
}
