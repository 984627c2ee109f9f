//! `expand`: tabs into blanks, by columns that are bytes.
use crate::{
    Builtin, Call, Opt, Result, Status,
    args::{self, Order},
    tabs::{self, TabStops},
};
use std::io::{BufRead, Write};

pub(crate) static EXPAND: Builtin = Builtin {
    name: "expand",
    synopsis: "[OPTION]... [FILE]...",
    about: "Convert tabs in each FILE to spaces, writing to standard output.",
    options: &[
        Opt::flag('i', &["initial"], "initial", "do not convert tabs after non blanks"),
        Opt::value('t', &["tabs"], "tabs", "LIST", "have tabs N characters apart, or at the positions of LIST"),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let words = tabs::modern(&call.args[1..]);
    let parsed = args::parse_words(&words, call.builtin.options, Order::Anywhere)?;
    let initial = parsed.has("initial");
    let lists: Vec<String> = parsed.options.into_iter().filter_map(|(_, list)| list).collect();
    let stops = TabStops::parse(&lists)?;
    let mut column: u64 = 0;
    let mut converts = true;
    call.each_input(&parsed.operands, |call, _, input| {
        let mut expanded = Vec::new();
        loop {
            let bytes = input.fill_buf()?;
            if bytes.is_empty() {
                return Ok(());
            }
            expanded.clear();
            for &byte in bytes {
                match byte {
                    b'\n' => (column, converts) = (0, true),
                    b'\t' if converts => {
                        let next = stops.after(column).unwrap_or(column + 1);
                        call.memory.take((next - column) as usize)?;
                        expanded.resize(expanded.len() + (next - column) as usize, b' ');
                        call.memory.give((next - column) as usize);
                        column = next;
                        continue;
                    }
                    b'\x08' => column = column.saturating_sub(1),
                    _ => column += 1,
                }
                converts &= !initial || matches!(byte, b' ' | b'\t' | b'\n');
                expanded.push(byte);
            }
            let used = bytes.len();
            input.consume(used);
            call.stdout.write_all(&expanded)?;
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check_with_stdin;
    use expect_test::expect;

    #[test]
    fn tabs_become_blanks() {
        check_with_stdin(
            &[],
            "expand -t4",
            "a\tb\n",
            expect![[r#"
            a   b
        "#]],
        );
        check_with_stdin(
            &[],
            "expand -i -4",
            "|\ta\n",
            expect![["
            |\ta
        "]],
        );
        check_with_stdin(
            &[],
            "expand -t 3,5",
            "a\tb\tc\td\n",
            expect![[r#"
            a  b c d
        "#]],
        );
    }
}
