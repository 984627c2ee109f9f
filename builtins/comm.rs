//! `comm`: two sorted files, line by line: what is only in one, only in the other, in both.
use crate::{
    Builtin, Call, Error, FsError, Input, Opt, Result, Status,
    args::{self, Order},
    curly, quoted_if_odd,
    records::Records,
};
use std::{cmp::Ordering, io::Write};

pub(crate) static COMM: Builtin = Builtin {
    name: "comm",
    synopsis: "[OPTION]... FILE1 FILE2",
    about: "Compare sorted files FILE1 and FILE2 line by line.",
    options: &[
        Opt::flag('1', &[], "1", "suppress column 1 (lines unique to FILE1)"),
        Opt::flag('2', &[], "2", "suppress column 2 (lines unique to FILE2)"),
        Opt::flag('3', &[], "3", "suppress column 3 (lines that appear in both files)"),
        Opt::flag('a', &["check-order"], "check", "check that the input is correctly sorted").long_only(),
        Opt::flag('b', &["nocheck-order"], "nocheck", "do not check that the input is correctly sorted").long_only(),
        Opt::value('d', &["output-delimiter"], "delimiter", "STR", "separate columns with STR").long_only(),
        Opt::flag('t', &["total"], "total", "output a summary").long_only(),
        Opt::flag('z', &["zero-terminated"], "zero", "line delimiter is NUL, not newline"),
    ],
    trouble: Status(1),
    run,
};

/// When files out of order are reported.
#[derive(Clone, Copy, PartialEq)]
enum Check {
    /// Once a line has been seen that has no partner.
    WhenUnpaired,
    Always,
    Never,
}

/// One of the two files.
struct Side {
    name: String,
    input: Input,
    records: Records,
    line: Option<Vec<u8>>,
    before: Option<Vec<u8>>,
    reported: bool,
    count: u64,
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let (first, second) = two_operands(&parsed.operands)?;
    let mut check = Check::WhenUnpaired;
    let mut delimiter: Option<&str> = None;
    for (key, value) in &parsed.options {
        match *key {
            "check" => check = Check::Always,
            "nocheck" => check = Check::Never,
            "delimiter" => {
                if delimiter.is_some() && delimiter != value.as_deref() {
                    return Err(Error::failed("multiple output delimiters specified"));
                }
                delimiter = value.as_deref();
            }
            _ => {}
        }
    }
    let delimiter = match delimiter {
        None => b"\t",
        Some("") => &b"\0"[..],
        Some(text) => text.as_bytes(),
    };
    let shown = [!parsed.has("1"), !parsed.has("2"), !parsed.has("3")];
    let end = [if parsed.has("zero") { 0 } else { b'\n' }];
    let mut sides = [Side::open(call, first, end[0])?, Side::open(call, second, end[0])?];
    for side in &mut sides {
        side.advance(call)?;
    }
    let mut both: u64 = 0;
    let mut unpaired = false;
    loop {
        let order = match (&sides[0].line, &sides[1].line) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(a), Some(b)) => a.cmp(b),
        };
        let (column, from) = match order {
            Ordering::Less => (0, 0),
            Ordering::Greater => (1, 1),
            Ordering::Equal => (2, 0),
        };
        if shown[column] {
            for _ in shown[..column].iter().filter(|shown| **shown) {
                call.stdout.write_all(delimiter)?;
            }
            call.stdout.write_all(sides[from].line.as_deref().unwrap_or_default())?;
            call.stdout.write_all(&end)?;
        }
        unpaired |= order != Ordering::Equal;
        match order {
            Ordering::Equal => both += 1,
            _ => sides[from].count += 1,
        }
        for (at, side) in sides.iter_mut().enumerate() {
            if column == at || column == 2 {
                side.advance(call)?;
                side.check_order(call, at + 1, check, unpaired)?;
            }
        }
    }
    if parsed.has("total") {
        for count in [sides[0].count, sides[1].count, both] {
            write!(call.stdout, "{count}")?;
            call.stdout.write_all(delimiter)?;
        }
        call.stdout.write_all(b"total")?;
        call.stdout.write_all(&end)?;
    }
    if sides.iter().any(|side| side.reported) {
        return Err(Error::failed("input is not in sorted order"));
    }
    Ok(Status::OK)
}

/// Exactly two operands, as `comm` and `join` want them.
pub(crate) fn two_operands(operands: &[String]) -> Result<(&str, &str)> {
    match operands {
        [first, second] => Ok((first, second)),
        [] => Err(Error::usage("missing operand")),
        [only] => Err(Error::usage(format!("missing operand after {}", curly(only)))),
        [_, _, extra, ..] => Err(Error::usage(format!("extra operand {}", curly(extra)))),
    }
}

impl Side {
    fn open(call: &Call<'_>, name: &str, end: u8) -> Result<Side> {
        let input = match name {
            "-" => call.stdin.clone(),
            name => call.open(name).map_err(|error| Error::failed(format!("{}: {error}", quoted_if_odd(name))))?,
        };
        let records = Records::new(end);
        Ok(Side { name: name.to_string(), input, records, line: None, before: None, reported: false, count: 0 })
    }

    fn advance(&mut self, call: &mut Call<'_>) -> Result<()> {
        let next = match self.records.next_bare(&mut self.input, &mut call.memory) {
            Ok(line) => line.map(<[u8]>::to_vec),
            Err(error) => {
                let cause = FsError::within(error)?;
                return Err(Error::failed(format!("{}: {cause}", quoted_if_odd(&self.name))));
            }
        };
        if next.is_some() || self.line.is_some() {
            let current = std::mem::replace(&mut self.line, next);
            if self.line.is_some() {
                self.before = current;
            }
        }
        Ok(())
    }

    /// Report, once, that the file is not in order.
    fn check_order(&mut self, call: &mut Call<'_>, number: usize, check: Check, unpaired: bool) -> Result<()> {
        if self.reported || check == Check::Never || (check == Check::WhenUnpaired && !unpaired) {
            return Ok(());
        }
        if let (Some(before), Some(line)) = (&self.before, &self.line)
            && before > line
        {
            self.reported = true;
            let message = format!("file {number} is not in sorted order");
            if check == Check::Always {
                return Err(Error::failed(message));
            }
            call.warn(message)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    const TREE: &[(&str, &str)] = &[("a", "1\n2\n3\n"), ("b", "2\n3\n4\n"), ("c", "3\n1\n")];

    #[test]
    fn three_columns() {
        check(
            TREE,
            "comm a b",
            expect![["
            1
            \t\t2
            \t\t3
            \t4
        "]],
        );
        check(
            TREE,
            "comm -12 a b",
            expect![[r#"
            2
            3
        "#]],
        );
        check(
            TREE,
            "comm --total -3 --output-delimiter=: a b",
            expect![[r#"
            1
            :4
            1:1:2:total
        "#]],
        );
    }

    #[test]
    fn disorder_is_reported_once_lines_have_no_partner() {
        check(
            TREE,
            "comm a c",
            expect![["
                1
                2
                \t\t3
                \t1
                [stderr]
                comm: file 2 is not in sorted order
                comm: input is not in sorted order
                [status 1]
            "]],
        );
        check(
            TREE,
            "comm --nocheck-order -3 a c",
            expect![["
            1
            2
            \t1
        "]],
        );
    }
}
