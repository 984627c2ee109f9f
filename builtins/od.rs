//! `od`: bytes as numbers and characters, in as many forms at once as are asked for.
mod form;
mod options;
mod strings;

use crate::{Builtin, Call, Error, Result, Status, concatenation::Concatenation};
use form::Form;
use options::{Options, Radix};
use std::io::Write;

pub(crate) static OD: Builtin = Builtin {
    name: "od",
    synopsis: "[OPTION]... [FILE]...",
    about: "Write an unambiguous representation, octal bytes by default, of FILE to standard output.",
    options: options::TABLE,
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let (options, files) = options::read(call)?;
    let mut stream = Concatenation::new(files, options.count);
    let mut offset = options.skip;
    if stream.skip(call, options.skip)? > 0 {
        return Err(Error::failed("cannot skip past end of combined input"));
    }
    match options.strings {
        Some(least) => strings::print(call, &options, &mut stream, least)?,
        None => {
            let layout = Layout::new(&options);
            let mut block = Vec::new();
            let mut before: Option<Vec<u8>> = None;
            let mut starred = false;
            loop {
                stream.fill(call, &mut block, options.width)?;
                if block.is_empty() {
                    break;
                }
                let whole = block.len() == options.width;
                if whole && !options.all && before.as_ref() == Some(&block) {
                    if !std::mem::replace(&mut starred, true) {
                        call.stdout.write_all(b"*\n")?;
                    }
                } else {
                    starred = false;
                    let lines = layout.lines(&options, offset, &block);
                    call.stdout.write_all(&lines)?;
                    before = Some(block.clone());
                }
                offset += block.len() as u64;
                if !whole {
                    break;
                }
            }
            if options.radix != Radix::None {
                writeln!(call.stdout, "{}", options.address(offset))?;
            }
        }
    }
    Ok(Status::from(!stream.failed()))
}

/// How wide the forms are, so that they stand below each other.
struct Layout {
    /// Columns of a whole line in the widest form.
    columns: usize,
}

impl Layout {
    fn new(options: &Options) -> Layout {
        let widths = options.forms.iter().map(|form| (form.columns() + 1) * (options.width / form.size()));
        Layout { columns: widths.max().unwrap_or(0) }
    }

    /// The lines of one block: one for each form, the first with the address.
    fn lines(&self, options: &Options, offset: u64, block: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let address = options.address(offset);
        for (at, form) in options.forms.iter().enumerate() {
            let start = if at == 0 { address.clone() } else { " ".repeat(address.len()) };
            out.extend_from_slice(start.as_bytes());
            self.line(options, form, block, &mut out);
            out.push(b'\n');
        }
        out
    }

    fn line(&self, options: &Options, form: &Form, block: &[u8], out: &mut Vec<u8>) {
        let fields = options.width / form.size();
        let padding = self.columns - form.columns() * fields;
        // The blanks are shared out so that the last field ends at the last column.
        let mut left = padding;
        for (shown, chunk) in block.chunks(form.size()).enumerate() {
            let next = padding * (fields - shown - 1) / fields;
            let text = form.show(chunk, options.big_endian);
            let width = left - next + form.columns();
            out.extend_from_slice(format!("{text:>width$}").as_bytes());
            left = next;
        }
        if form.trailer {
            let blank = (options.width - block.len()) / form.size();
            let columns = blank * form.columns() + padding * blank / fields;
            out.extend(std::iter::repeat_n(b' ', columns));
            out.extend_from_slice(b"  >");
            out.extend(block.iter().map(|byte| if (b' '..=b'~').contains(byte) { *byte } else { b'.' }));
            out.push(b'<');
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_with_stdin;
    use expect_test::expect;

    #[test]
    fn forms_stand_below_each_other() {
        check_with_stdin(
            &[],
            "od -tcx1",
            "ab\n\té",
            expect![[r#"
            0000000   a   b  \n  \t 303 251
                     61  62  0a  09  c3  a9
            0000006
        "#]],
        );
    }

    #[test]
    fn strings_end_with_a_nul_or_where_reading_ends() {
        check_with_stdin(
            &[],
            "od -S 3 -N 9",
            "ab\ncdef\0xyz",
            expect![[r#"
            0000003 cdef
        "#]],
        );
        check_with_stdin(
            &[],
            "od -S 1 -N 6",
            "ab\ncdef\0xyz",
            expect![[r#"
            0000002 cde
        "#]],
        );
    }

    #[test]
    fn words_are_read_in_the_order_of_the_machine() {
        check_with_stdin(
            &[],
            "od",
            "abc",
            expect![[r#"
            0000000 061141 000143
            0000003
        "#]],
        );
        check_with_stdin(
            &[],
            "od -tx2 --endian=big -w4",
            "abcdef",
            expect![[r#"
                0000000 6162 6364
                0000004 6566
                0000006
            "#]],
        );
    }

    #[test]
    fn a_part_with_its_characters() {
        check_with_stdin(
            &[],
            "od -Ad -tx1z -j2 -N4",
            "abcdefgh",
            expect![[r#"
            0000002 63 64 65 66                                      >cdef<
            0000006
        "#]],
        );
    }

    #[test]
    fn repeated_lines_are_a_star() {
        check_with_stdin(
            &[],
            "od -w2 -tx1",
            "ababababxy",
            expect![[r#"
            0000000 61 62
            *
            0000010 78 79
            0000012
        "#]],
        );
    }

    #[test]
    fn numbers_with_a_fraction_are_as_short_as_they_can_be() {
        check_with_stdin(
            &[],
            "od -f",
            "\u{0}\u{0}@@",
            expect![[r#"
                0000000               3
                0000004
            "#]],
        );
    }

    #[test]
    fn wrong_words_are_named() {
        check_with_stdin(
            &[],
            "od -tx3",
            "",
            expect![[r#"
            [stderr]
            od: invalid type string ‘x3’;
            this system doesn't provide a 3-byte integral type
            [status 1]
        "#]],
        );
    }
}
