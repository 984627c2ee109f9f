//! `unexpand`: blanks into tabs, where a tab stop lies in them; by columns that are bytes.
use crate::{
    Builtin, Call, Input, Opt, Output, Purse, Result, Status,
    args::{self, Order},
    records::Records,
    tabs::{self, TabStops},
};
use std::io::Write;

pub(crate) static UNEXPAND: Builtin = Builtin {
    name: "unexpand",
    synopsis: "[OPTION]... [FILE]...",
    about: "Convert blanks in each FILE to tabs, writing to standard output.",
    options: &[
        Opt::flag('a', &["all"], "all", "convert all blanks, instead of just initial blanks"),
        Opt::flag('f', &["first-only"], "first", "convert only leading sequences of blanks (overrides -a)").long_only(),
        Opt::value('t', &["tabs"], "tabs", "LIST", "tabs N characters apart or at the positions of LIST (enables -a)"),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let words = tabs::modern(&call.args[1..]);
    let parsed = args::parse_words(&words, call.builtin.options, Order::Anywhere)?;
    let all = (parsed.has("all") || parsed.has("tabs")) && !parsed.has("first");
    let lists: Vec<String> = parsed.options.into_iter().filter_map(|(_, list)| list).collect();
    let stops = TabStops::parse(&lists)?;
    call.each_input(&parsed.operands, |call, _, input| convert(input, &stops, all, &mut call.stdout, &mut call.memory))
}

fn convert(input: &mut Input, stops: &TabStops, all: bool, out: &mut Output, memory: &mut Purse) -> Result<()> {
    let mut records = Records::lines(false);
    let mut converted = Vec::new();
    while let Some(line) = records.next(input, memory)? {
        converted.clear();
        convert_line(line, stops, all, &mut converted);
        out.write_all(&converted)?;
    }
    Ok(())
}

fn convert_line(line: &[u8], stops: &TabStops, all: bool, out: &mut Vec<u8>) {
    let mut column: u64 = 0;
    // The blanks that no tab stands for yet, and whether a tab could begin them.
    let mut pending: Vec<u8> = Vec::new();
    let mut one_before_stop = false;
    let mut after_blank = true;
    for (at, &byte) in line.iter().enumerate() {
        if !matches!(byte, b' ' | b'\t') {
            if pending.len() > 1 && one_before_stop {
                pending[0] = b'\t';
            }
            out.append(&mut pending);
            one_before_stop = false;
            if byte == b'\x08' {
                column = column.saturating_sub(1);
            } else {
                column += 1;
            }
            after_blank = false;
            if !all {
                out.extend_from_slice(&line[at..]);
                return;
            }
            out.push(byte);
            continue;
        }
        let Some(next) = stops.after(column) else {
            // Beyond the last stop nothing is converted.
            if pending.len() > 1 && one_before_stop {
                pending[0] = b'\t';
            }
            out.append(&mut pending);
            out.extend_from_slice(&line[at..]);
            return;
        };
        if byte == b'\t' {
            column = next;
            if !pending.is_empty() {
                pending[0] = b'\t';
            }
            let kept = usize::from(one_before_stop);
            pending.truncate(kept);
        } else {
            column += 1;
            if !(after_blank && column == next) {
                if column == next {
                    one_before_stop = true;
                }
                pending.push(byte);
                after_blank = true;
                continue;
            }
            // The blanks reach the stop: a tab stands for them.
            let kept = usize::from(one_before_stop);
            if !pending.is_empty() {
                pending[0] = b'\t';
            }
            pending.truncate(kept);
        }
        after_blank = true;
        out.append(&mut pending);
        out.push(b'\t');
        one_before_stop = false;
    }
    if pending.len() > 1 && one_before_stop {
        pending[0] = b'\t';
    }
    out.append(&mut pending);
}

#[cfg(test)]
mod tests {
    fn unexpand(flags: &str, stdin: &str) -> String {
        let (stdout, ..) = crate::testing::run(&[], &format!("unexpand {flags}"), stdin.as_bytes());
        String::from_utf8_lossy(&stdout).into_owned()
    }

    #[test]
    fn leading_blanks_or_all_of_them() {
        assert_eq!(unexpand("", "        x       y\n"), "\tx       y\n");
        assert_eq!(unexpand("-a", "        x       y\n"), "\tx\ty\n");
        assert_eq!(unexpand("-t4", "a   b    c\n"), "a\tb\t c\n");
        assert_eq!(unexpand("-a", "1234567 x\n"), "1234567 x\n");
        assert_eq!(unexpand("-a", "1234567  x\n"), "1234567\t x\n");
    }
}
