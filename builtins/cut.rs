//! `cut`: bytes or fields of each line. Characters are bytes, as in the real one.
use crate::{
    Builtin, Call, Error, Input, Opt, Output, Purse, Result, Status,
    args::{self, Order},
    ranges::{Ranges, Unit},
    records::Records,
};
use std::io::{BufRead, Write};

pub(crate) static CUT: Builtin = Builtin {
    name: "cut",
    synopsis: "OPTION... [FILE]...",
    about: "Print selected parts of lines from each FILE to standard output.",
    options: &[
        Opt::value('b', &["bytes"], "bytes", "LIST", "select only these bytes"),
        Opt::value('c', &["characters"], "bytes", "LIST", "select only these characters"),
        Opt::value('d', &["delimiter"], "delimiter", "DELIM", "use DELIM instead of TAB for field delimiter"),
        Opt::value('f', &["fields"], "fields", "LIST", "select only these fields; also lines without delimiter"),
        Opt::flag('n', &[], "n", "(ignored)"),
        Opt::flag('1', &["complement"], "complement", "complement the set of selected bytes or fields").long_only(),
        Opt::flag('s', &["only-delimited"], "only-delimited", "do not print lines not containing delimiters"),
        Opt::value('2', &["output-delimiter"], "output", "STRING", "use STRING as the output delimiter").long_only(),
        Opt::flag('z', &["zero-terminated"], "zero", "line delimiter is NUL, not newline"),
    ],
    trouble: Status(1),
    run,
};

/// What is cut out of each line.
struct Options {
    ranges: Ranges,
    fields: bool,
    delimiter: u8,
    only_delimited: bool,
    output: Option<Vec<u8>>,
    end: u8,
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let options = read(&parsed)?;
    call.each_input(&parsed.operands, |call, _, input| {
        if options.fields && options.delimiter == options.end {
            return cut_lines(&options, input, &mut call.stdout, &mut call.memory);
        }
        let mut records = Records::new(options.end);
        while let Some(line) = records.next_bare(input, &mut call.memory)? {
            match options.fields {
                true => cut_fields(&options, line, &mut call.stdout)?,
                false => cut_bytes(&options, line, &mut call.stdout)?,
            }
        }
        Ok(())
    })
}

fn read(parsed: &args::Parsed) -> Result<Options> {
    let mut list = None;
    let mut delimiter = None;
    for (key, value) in &parsed.options {
        let value = value.as_deref().unwrap_or_default();
        match *key {
            "bytes" | "fields" if list.is_some() => return Err(Error::usage("only one list may be specified")),
            "bytes" | "fields" => list = Some((value, *key == "fields")),
            "delimiter" => match value.as_bytes() {
                [] => delimiter = Some(0),
                [byte] => delimiter = Some(*byte),
                _ => return Err(Error::usage("the delimiter must be a single character")),
            },
            _ => {}
        }
    }
    let Some((list, fields)) = list else {
        return Err(Error::usage("you must specify a list of bytes, characters, or fields"));
    };
    if delimiter.is_some() && !fields {
        return Err(Error::usage("an input delimiter may be specified only when operating on fields"));
    }
    let only_delimited = parsed.has("only-delimited");
    if only_delimited && !fields {
        let message = "suppressing non-delimited lines makes sense\n\tonly when operating on fields";
        return Err(Error::usage(message));
    }
    let ranges = Ranges::parse(list, if fields { Unit::Fields } else { Unit::Positions })?;
    let ranges = if parsed.has("complement") { ranges.complement() } else { ranges };
    let output = parsed.value("output").map(|text| if text.is_empty() { vec![0] } else { text.as_bytes().to_vec() });
    let end = if parsed.has("zero") { 0 } else { b'\n' };
    Ok(Options { ranges, fields, delimiter: delimiter.unwrap_or(b'\t'), only_delimited, output, end })
}

fn cut_bytes(options: &Options, line: &[u8], out: &mut Output) -> Result<()> {
    let mut first_piece = true;
    for (first, last) in options.ranges.iter() {
        let start = usize::try_from(first - 1).unwrap_or(usize::MAX);
        if start >= line.len() {
            break;
        }
        let end = usize::try_from(last).unwrap_or(usize::MAX).min(line.len());
        if let Some(delimiter) = options.output.as_ref().filter(|_| !first_piece) {
            out.write_all(delimiter)?;
        }
        out.write_all(&line[start..end])?;
        first_piece = false;
    }
    out.write_all(&[options.end])?;
    Ok(())
}

fn cut_fields(options: &Options, line: &[u8], out: &mut Output) -> Result<()> {
    if memchr::memchr(options.delimiter, line).is_none() {
        if !options.only_delimited {
            out.write_all(line)?;
            out.write_all(&[options.end])?;
        }
        return Ok(());
    }
    let input_delimiter = [options.delimiter];
    let delimiter = options.output.as_deref().unwrap_or(&input_delimiter);
    let mut rest = Some(line);
    let mut number = 0;
    let mut first_field = true;
    while let Some(text) = rest {
        number += 1;
        if number > options.ranges.last() {
            break;
        }
        let field = match memchr::memchr(options.delimiter, text) {
            Some(at) => {
                rest = Some(&text[at + 1..]);
                &text[..at]
            }
            None => {
                rest = None;
                text
            }
        };
        if options.ranges.contains(number) {
            if !first_field {
                out.write_all(delimiter)?;
            }
            out.write_all(field)?;
            first_field = false;
        }
    }
    out.write_all(&[options.end])?;
    Ok(())
}

/// Fields that are the lines of the file themselves: `-d $'\n'`.
fn cut_lines(options: &Options, input: &mut Input, out: &mut Output, memory: &mut Purse) -> Result<()> {
    let delimiter = options.output.clone().unwrap_or_else(|| vec![options.delimiter]);
    let mut records = Records::new(options.end);
    let (mut number, mut shown) = (0, false);
    while let Some(line) = records.next_bare(input, memory)? {
        number += 1;
        let alone = number == 1 && input.fill_buf()?.is_empty();
        if alone && options.only_delimited {
            return Ok(());
        }
        if options.ranges.contains(number) || alone {
            if shown {
                out.write_all(&delimiter)?;
            }
            out.write_all(line)?;
            shown = true;
        }
    }
    if number > 0 {
        out.write_all(&[options.end])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_with_stdin;
    use expect_test::expect;

    fn cut(flags: &str, stdin: &str) -> String {
        let (stdout, ..) = crate::testing::run(&[], &format!("cut {flags}"), stdin.as_bytes());
        String::from_utf8_lossy(&stdout).into_owned()
    }

    #[test]
    fn fields_come_in_the_order_of_the_line() {
        assert_eq!(cut("-d: -f3,1", "a:b:c\nx\n"), "a:c\nx\n");
        assert_eq!(cut("-d: -f2- -s", "a:b:c\nx"), "b:c\n");
        assert_eq!(cut("-d: --complement -f2", "a:b:c"), "a:c\n");
        assert_eq!(cut("-d: -f1,3 --output-delimiter='=>'", "a:b:c"), "a=>c\n");
        assert_eq!(cut("-f2", "a\t\tc"), "\n");
    }

    #[test]
    fn positions_are_bytes() {
        assert_eq!(cut("-c1-3,5", "abcdef"), "abce\n");
        assert_eq!(cut("-b1-2,3-4,6- --output-delimiter=:", "abcdef"), "ab:cd:f\n");
        assert_eq!(cut("-c-1", "é\n"), "\u{fffd}\n");
    }

    #[test]
    fn the_newline_can_be_the_delimiter() {
        assert_eq!(cut("-d '\n' -f1,3", "a\nb\nc\nd\n"), "a\nc\n");
    }

    #[test]
    fn a_list_is_needed() {
        check_with_stdin(
            &[],
            "cut -d,",
            "",
            expect![[r#"
            [stderr]
            cut: you must specify a list of bytes, characters, or fields
            Try 'cut --help' for more information.
            [status 1]
        "#]],
        );
    }
}
